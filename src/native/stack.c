/*
 * stack.c: see stack.h. Stacks of threads that have ended are for others: a thread that leaves its stack
 * still stands on it until the kernel has ended it, so it says which thread that was, and who takes it looks.
 */
#include "native/stack.h"

#include "native/arena.h"
#include "native/native.h"

#include <sys/mman.h>
#include <sys/syscall.h>

extern __thread char *canon_stack_top CANON_TLS;
__thread char *canon_stack_top CANON_TLS;

/* At the lower end of the stack. */
struct stack {
    struct stack *next;
    int last; /* thread that left it */
};

static _Atomic int lock;
static struct stack *left;

static struct stack *take_left(void)
{
    struct stack *found = NULL;
    canon_spin_lock(&lock);
    for (struct stack **at = &left; *at && !found; at = &(*at)->next)
        if (canon_raw_syscall(SYS_tgkill, canon_native.real_pid, (*at)->last, 0, 0, 0, 0) == -ESRCH) {
            found = *at;
            *at = found->next;
            break;
        }
    canon_spin_unlock(&lock);
    return found;
}

/* Who was in the middle of it is not there any more; what is on the list is lost. */
void canon_stack_forked(void)
{
    lock = 0;
    left = NULL;
}

void canon_stack_make(void)
{
    struct stack *stack = take_left();
    if (!stack) {
        long wanted = (long)canon_arena_place(CANON_STACK_SIZE);
        long at = canon_raw_syscall(SYS_mmap, wanted, CANON_STACK_SIZE, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (at != wanted)
            return; /* without one it is the program's */
        stack = (struct stack *)at;
    }
    canon_stack_top = (char *)stack + CANON_STACK_SIZE;
}

void canon_stack_none(void)
{
    canon_stack_top = NULL;
}

void canon_stack_leave(void)
{
    if (!canon_stack_top)
        return;
    struct stack *stack = (struct stack *)(canon_stack_top - CANON_STACK_SIZE);
    stack->last = (int)canon_raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
    canon_spin_lock(&lock);
    stack->next = left;
    left = stack;
    canon_spin_unlock(&lock);
}
