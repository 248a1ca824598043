/*
 * processor.h: instructions that the processor answers otherwise each time: its clock (rdtsc, rdtscp) and its
 * random numbers (rdrand, rdseed). Each is an event. They are rewritten as system calls are: patch.c.
 */
#ifndef CANON_NATIVE_PROCESSOR_H
#define CANON_NATIVE_PROCESSOR_H

#include "native/decode.h"

/* Which one, the register that it fills and how much of that: in 32 bits. 0: it is another instruction. */
uint32_t canon_processor_question(const uint8_t *code, const struct canon_insn *insn);

/* What a program's registers are while such an instruction is done in its place. */
struct canon_processor_frame {
    uint64_t registers[16]; /* as instructions number them; that of the stack is not looked at */
    uint64_t flags;
    uint64_t back;
    uint64_t question;
};

/* raw.S: with the question on the stack; changes what the instruction changes, and nothing else. */
void canon_entry_processor(void);
void canon_processor_asked(struct canon_processor_frame *frame);

#endif
