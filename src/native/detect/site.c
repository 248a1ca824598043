/* site.c: see site.h. */
#include "native/detect/site.h"

#include "native/decode.h"
#include "native/patch.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

/* By the kernel: whatever is there, this does not fault. What is not there is not copied. */
static void keep_stack(struct canon_site *site)
{
    struct iovec to = {site->stack, sizeof site->stack},
                 from = {(void *)site->regs[CANON_REG_RSP], sizeof site->stack};
    long n = 0;
    for (; from.iov_len >= 256; from.iov_len = from.iov_len / 2) {
        n = canon_raw_syscall(SYS_process_vm_readv, canon_native.real_pid, (long)&to, 1, (long)&from, 1, 0);
        if (n > 0)
            break;
    }
    site->size = n > 0 ? (uint32_t)n : 0;
}

static void complete(struct canon_site *site)
{
    const struct canon_self *self = &canon_self;
    snprintf(site->strand, sizeof site->strand, "%s",
             self->strand ? canon_strand_label(self->strand) : "a thread without a strand");
    keep_stack(site);
    site->known = true;
}

__attribute__((noinline)) void canon_site_here(struct canon_site *site)
{
    uint64_t *regs = site->regs;
    __asm__ volatile("mov %%rbx, 24(%0)\n\t"
                     "mov %%rbp, 48(%0)\n\t"
                     "mov %%rsp, 56(%0)\n\t"
                     "mov %%r12, 96(%0)\n\t"
                     "mov %%r13, 104(%0)\n\t"
                     "mov %%r14, 112(%0)\n\t"
                     "mov %%r15, 120(%0)\n\t"
                     "lea 0(%%rip), %%rax\n\t"
                     "mov %%rax, 128(%0)"
                     :
                     : "r"(regs)
                     : "rax", "memory");
    complete(site);
}

/* Canon is doing a system call for the program: where the program goes on when it is done. The trampoline
 * ends with a jump back to there. */
static bool at_call(struct canon_site *site, const struct canon_frame *frame)
{
    enum { SAVED_RBP = 7, RETURN = 8, RED_ZONE = 128 };
    const uint64_t *words = (const uint64_t *)frame;
    const uint8_t *at = (const uint8_t *)words[RETURN];
    struct canon_insn insn;
    for (int i = 0; i < 16 && canon_insn_decode(at, 16, &insn); i++, at += insn.size)
        if (insn.kind == CANON_INSN_JUMP) {
            site->regs[CANON_REG_RBP] = words[SAVED_RBP];
            site->regs[CANON_REG_RSP] = (uint64_t)(words + RETURN + 1) + RED_ZONE;
            site->regs[CANON_REG_RIP] = (uint64_t)at + (uint64_t)insn.target;
            return true;
        }
    return false;
}

void canon_site_stopped(struct canon_site *site, const void *context)
{
    static const int ORDER[CANON_REGS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                          REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                          REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    for (int i = 0; i < CANON_REGS; i++)
        site->regs[i] = (uint64_t)registers[ORDER[i]];
    if (canon_self.inside && canon_self.frame)
        at_call(site, canon_self.frame);
    complete(site);
}
