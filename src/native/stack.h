/*
 * stack.h: the stack on which canon's own code runs in a thread of the program. Also read by the assembler.
 */
#ifndef CANON_NATIVE_STACK_H
#define CANON_NATIVE_STACK_H

#define CANON_STACK_SIZE 0x40000

#ifndef __ASSEMBLER__
/* Gives the running thread one. */
void canon_stack_make(void);
/* Calls a function on it; where there is none, on the program's. */
void canon_stack_call(void (*function)(void *), void *argument);
/* After a fork, in the child. */
void canon_stack_forked(void);
/* The running thread ends, and needs it only for what is left to do. */
void canon_stack_leave(void);
/* The running thread has variables of another one, whose stack it must not take. */
void canon_stack_none(void);
#endif

#endif
