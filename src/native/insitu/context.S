/*
 * context.S: places in the program to which a thread can be put back, and the stack on which it waits for that.
 */
    .section .note.GNU-stack,"",@progbits
    .text

/*
 * int canon_insitu_point(struct canon_point *point, _Atomic int *region): returns 0, with *region set; and 1 when a
 * thread was put back to it.
 */
    .globl canon_insitu_point
    .hidden canon_insitu_point
    .type canon_insitu_point, @function
canon_insitu_point:
    mov %rbx, (%rdi)
    mov %rbp, 8(%rdi)
    mov %r12, 16(%rdi)
    mov %r13, 24(%rdi)
    mov %r14, 32(%rdi)
    mov %r15, 40(%rdi)
    lea 8(%rsp), %rax
    mov %rax, 48(%rdi)
    mov (%rsp), %rax
    mov %rax, 56(%rdi)
    mov $1, %eax
    xchg %eax, (%rsi)
    xor %eax, %eax
    ret
    .size canon_insitu_point, . - canon_insitu_point

/* _Noreturn void canon_insitu_jump(const struct canon_point *point) */
    .globl canon_insitu_jump
    .hidden canon_insitu_jump
    .type canon_insitu_jump, @function
canon_insitu_jump:
    mov (%rdi), %rbx
    mov 8(%rdi), %rbp
    mov 16(%rdi), %r12
    mov 24(%rdi), %r13
    mov 32(%rdi), %r14
    mov 40(%rdi), %r15
    mov 48(%rdi), %rsp
    mov $1, %eax
    jmp *56(%rdi)
    .size canon_insitu_jump, . - canon_insitu_jump

/* _Noreturn void canon_insitu_sigreturn(void *context): as if its signal handler returned. */
    .globl canon_insitu_sigreturn
    .hidden canon_insitu_sigreturn
    .type canon_insitu_sigreturn, @function
canon_insitu_sigreturn:
    mov %rdi, %rsp
    mov $15, %eax
    syscall
    hlt
    .size canon_insitu_sigreturn, . - canon_insitu_sigreturn

/* void canon_insitu_on(void *top, void (*function)(void *), void *argument): calls it on that stack. */
    .globl canon_insitu_on
    .hidden canon_insitu_on
    .type canon_insitu_on, @function
canon_insitu_on:
    push %rbp
    mov %rsp, %rbp
    mov %rdi, %rsp
    and $-16, %rsp
    mov %rdx, %rdi
    call *%rsi
    leave
    ret
    .size canon_insitu_on, . - canon_insitu_on

/* long canon_insitu_clone(long flags, void *top, void (*function)(void), void *tls): the number of a new thread. */
    .globl canon_insitu_clone
    .hidden canon_insitu_clone
    .type canon_insitu_clone, @function
canon_insitu_clone:
    mov %rdx, %r9
    mov %rcx, %r8
    xor %edx, %edx
    xor %r10d, %r10d
    mov $56, %eax
    syscall
    test %rax, %rax
    jnz 1f
    xor %ebp, %ebp
    and $-16, %rsp
    call *%r9
    hlt
1:  ret
    .size canon_insitu_clone, . - canon_insitu_clone
