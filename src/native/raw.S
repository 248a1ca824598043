/*
 * raw.S: where rewritten system-call instructions arrive, and the only system-call instructions of canon itself
 * that are made while the program is looked after.
 *
 * A rewritten site jumps to its trampoline (patch.c), which leaves the red zone alone, puts the site's origin into
 * r11 and calls here. The instruction would have changed rax, rcx and r11 only; so does this.
 */
#include "native/stack.h"

    .section .note.GNU-stack,"",@progbits
    .text

/* long canon_raw_syscall(long number, long a, long b, long c, long d, long e, long f) */
    .globl canon_raw_syscall
    .hidden canon_raw_syscall
    .type canon_raw_syscall, @function
canon_raw_syscall:
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %r10
    mov %r9, %r8
    mov 8(%rsp), %r9
    syscall
    ret
    .size canon_raw_syscall, . - canon_raw_syscall

/*
 * The same for calls that may block: a signal that comes before the kernel has begun, after canon has looked for
 * signals for the last time, makes it as if the call had been interrupted (signals.c moves the thread there).
 */
    .globl canon_raw_blocking
    .globl canon_raw_blocking_syscall
    .globl canon_raw_blocking_interrupted
    .hidden canon_raw_blocking
    .hidden canon_raw_blocking_syscall
    .hidden canon_raw_blocking_interrupted
    .type canon_raw_blocking, @function
canon_raw_blocking:
    mov 16(%rsp), %rax
    cmpl $0, (%rax)
    jne canon_raw_blocking_interrupted
    mov %rdi, %rax
    mov %rsi, %rdi
    mov %rdx, %rsi
    mov %rcx, %rdx
    mov %r8, %r10
    mov %r9, %r8
    mov 8(%rsp), %r9
canon_raw_blocking_syscall:
    syscall
    ret
canon_raw_blocking_interrupted:
    mov $-4, %rax
    ret
    .size canon_raw_blocking, . - canon_raw_blocking

/*
 * void *dlopen(const char *name, int flags): libc's own, without RTLD_DEEPBIND, with which a library would find
 * libc's functions before canon's, and would free there what canon has given. Jumped to, not called: the loader
 * looks for libraries on behalf of whoever calls it.
 */
    .globl dlopen
    .type dlopen, @function
dlopen:
    and $~8, %esi
    jmp *canon_real_dlopen(%rip)
    .size dlopen, . - dlopen

/* Returns from a signal handler. */
    .globl canon_raw_restore
    .hidden canon_raw_restore
    .type canon_raw_restore, @function
canon_raw_restore:
    mov $15, %eax
    syscall
    .size canon_raw_restore, . - canon_raw_restore

/* On to the top of canon's own stack, unless there is none or the thread is on it already; changes rcx and r11. */
    .macro TAKE_OWN_STACK
    mov canon_stack_top@gottpoff(%rip), %rcx
    mov %fs:(%rcx), %rcx
    test %rcx, %rcx
    jz 2f
    lea -CANON_STACK_SIZE(%rcx), %r11
    cmp %r11, %rsp
    jb 1f
    cmp %rcx, %rsp
    jbe 2f
1:  mov %rcx, %rsp
2:
    .endm

/*
 * Saves what a call of C code may change, calls `function(frame, origin)`, puts everything back. On a stack of canon's
 * own: what C code leaves below the program's stack pointer would differ between a recording and its replay, and
 * programs hand on bytes that they never wrote (the end of a socket's address). Unless it is on that stack already.
 */
    .macro ENTRY name, function
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    push %rbp
    mov %rsp, %rbp
    push %r9
    push %r8
    push %r10
    push %rdx
    push %rsi
    push %rdi
    push %rax
    mov %rsp, %rdi
    mov %r11, %rsi
    TAKE_OWN_STACK
    sub $256, %rsp
    and $-16, %rsp
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps %xmm\n, 16*\n(%rsp)
    .endr
    call \function
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps 16*\n(%rsp), %xmm\n
    .endr
    mov %rax, %r11
    lea -56(%rbp), %rsp
    pop %rax
    pop %rdi
    pop %rsi
    pop %rdx
    pop %r10
    pop %r8
    pop %r9
    pop %rbp
    ret
    .size \name, . - \name
    .endm

    ENTRY canon_entry_syscall, canon_native_syscall
    ENTRY canon_entry_clone, canon_native_clone_begins
    ENTRY canon_entry_cloned, canon_native_clone_ended

/*
 * For functions of the program's that end by a jump to `name`: on to `function`, with the same arguments, on canon's own
 * stack, and back. Nothing is written to the program's: what one of its functions leaves there must not depend on whether
 * canon had more to do.
 */
    .macro ON_OWN_STACK name, function
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    mov canon_stack_top@gottpoff(%rip), %rax
    mov %fs:(%rax), %r11
    test %r11, %r11
    jz \function
    lea -CANON_STACK_SIZE(%r11), %rax
    cmp %rax, %rsp
    jb 1f
    cmp %r11, %rsp
    jbe \function
1:  mov %rsp, %rax
    mov %r11, %rsp /* first: a signal may come, and what it brings must not take this stack from its top */
    push %rax
    push %rax
    call \function
    pop %rsp
    ret
    .size \name, . - \name
    .endm

    ON_OWN_STACK canon_mutex_lock, canon_mutex_lock_inside
    ON_OWN_STACK canon_mutex_follow, canon_mutex_follow_inside
    ON_OWN_STACK canon_mutex_unlock, canon_mutex_unlock_inside
    ON_OWN_STACK canon_mutex_wake, canon_mutex_wake_inside

/* void canon_stack_call(void (*function)(void *), void *argument): on canon's own stack. */
    .globl canon_stack_call
    .hidden canon_stack_call
    .type canon_stack_call, @function
canon_stack_call:
    push %rbp
    mov %rsp, %rbp
    TAKE_OWN_STACK
    and $-16, %rsp
    mov %rdi, %rax
    mov %rsi, %rdi
    call *%rax
    leave
    ret
    .size canon_stack_call, . - canon_stack_call

/*
 * Vector registers as a whole, on canon's own stack: xsave keeps SSE, AVX and AVX-512 (mask e6), in an area of less than
 * 3 KiB whose header has to be zero. Both change rax and rdx.
 */
    .macro KEEP_VECTORS
    sub $3072, %rsp
    and $-64, %rsp
    .irp n, 0, 8, 16, 24, 32, 40, 48, 56
    movq $0, 512+\n(%rsp)
    .endr
    mov $0xe6, %eax
    xor %edx, %edx
    xsave64 (%rsp)
    cld
    .endm

    .macro RESTORE_VECTORS
    mov $0xe6, %eax
    xor %edx, %edx
    xrstor64 (%rsp)
    .endm

/*
 * For processor.c: in place of an instruction, from the middle of any code. The registers make up the frame, and are what
 * it says afterwards; the question and the address to go back to are behind them.
 */
    .globl canon_entry_processor
    .hidden canon_entry_processor
    .type canon_entry_processor, @function
canon_entry_processor:
    pushfq
    .irp r, r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rsp, rbx, rdx, rcx, rax
    push %\r
    .endr
    mov %rsp, %rbx
    TAKE_OWN_STACK
    KEEP_VECTORS
    mov %rbx, %rdi
    call canon_processor_asked
    RESTORE_VECTORS
    mov %rbx, %rsp
    .irp r, rax, rcx, rdx, rbx
    pop %\r
    .endr
    lea 8(%rsp), %rsp
    .irp r, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
    pop %\r
    .endr
    popfq
    ret
    .size canon_entry_processor, . - canon_entry_processor

/*
 * For racy.c: calls `function` on canon's own stack, from the middle of any code: all registers stay what they are, but
 * rax, which is the result.
 */
    .macro KEPT name, function
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    push %rbp
    mov %rsp, %rbp
    .irp r, rcx, rdx, rsi, rdi, r8, r9, r10, r11
    push %\r
    .endr
    TAKE_OWN_STACK
    KEEP_VECTORS
    call \function
    mov %rax, %rcx
    RESTORE_VECTORS
    mov %rcx, %rax
    lea -64(%rbp), %rsp
    .irp r, r11, r10, r9, r8, rdi, rsi, rdx, rcx
    pop %\r
    .endr
    pop %rbp
    ret
    .size \name, . - \name
    .endm

    KEPT canon_racy_load_kept, canon_racy_load
    KEPT canon_racy_follow_kept, canon_racy_follow
    KEPT canon_racy_await_kept, canon_racy_await
    KEPT canon_racy_ended_kept, canon_racy_ended
    KEPT canon_racy_yield_kept, canon_racy_yield
