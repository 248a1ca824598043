/*
 * thunks.S: the entry points that natives are redirected to, and the way back to the real ones.
 *
 * Every intercepted native gets one of CANON_THUNKS entries, which differ only in the number they load.
 * The common part lays the argument registers out in memory, as struct canon_frame, and calls
 * canon_native_entered(number, frame); what that returns becomes the result, in rax for integers and
 * references and in xmm0 for floats. Nothing is generated at run time.
 *
 *   struct canon_frame:  0 integer registers (6)   48 float registers (8)   112 arguments on the stack
 */
#include "jvm/thunks.h"

    .text
    .p2align 4
    .globl canon_thunks
    .hidden canon_thunks
    .type canon_thunks, @function
canon_thunks:
    .set number, 0
    .rept CANON_THUNKS
    .p2align CANON_THUNK_SHIFT
    movl $number, %eax
    jmp common
    .set number, number + 1
    .endr
    .size canon_thunks, . - canon_thunks

    .p2align 4
    .type common, @function
common:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $128, %rsp
    movq %rdi, 0(%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movsd %xmm0, 48(%rsp)
    movsd %xmm1, 56(%rsp)
    movsd %xmm2, 64(%rsp)
    movsd %xmm3, 72(%rsp)
    movsd %xmm4, 80(%rsp)
    movsd %xmm5, 88(%rsp)
    movsd %xmm6, 96(%rsp)
    movsd %xmm7, 104(%rsp)
    leaq 16(%rbp), %rcx
    movq %rcx, 112(%rsp)
    movl %eax, %edi
    movq %rsp, %rsi
    call canon_native_entered
    movq %rax, %xmm0
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size common, . - common

/* uint64_t canon_native_call(void *function, const struct canon_frame *frame, size_t stack, bool is_float) */
    .globl canon_native_call
    .hidden canon_native_call
    .type canon_native_call, @function
canon_native_call:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rbx
    pushq %r12
    .cfi_offset %rbx, -24
    .cfi_offset %r12, -32
    movl %ecx, %ebx
    movq %rdi, %r11
    movq %rsi, %r10
    movq %rdx, %rcx /* the arguments on the stack are copied from the last to the first */
    testb $1, %cl
    jz 1f
    subq $8, %rsp
1:  movq 112(%r10), %r12
2:  testq %rcx, %rcx
    jz 3f
    pushq -8(%r12, %rcx, 8)
    decq %rcx
    jmp 2b
3:  movsd 48(%r10), %xmm0
    movsd 56(%r10), %xmm1
    movsd 64(%r10), %xmm2
    movsd 72(%r10), %xmm3
    movsd 80(%r10), %xmm4
    movsd 88(%r10), %xmm5
    movsd 96(%r10), %xmm6
    movsd 104(%r10), %xmm7
    movq 0(%r10), %rdi
    movq 8(%r10), %rsi
    movq 16(%r10), %rdx
    movq 24(%r10), %rcx
    movq 32(%r10), %r8
    movq 40(%r10), %r9
    call *%r11
    testl %ebx, %ebx
    jz 4f
    movq %xmm0, %rax
4:  leaq -16(%rbp), %rsp
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size canon_native_call, . - canon_native_call

    .section .note.GNU-stack, "", @progbits
