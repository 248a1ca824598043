/* processor.c: see processor.h. */
#include "native/processor.h"

#include "native/call.h"
#include "native/native.h"

enum kind { KIND_NONE, KIND_RDTSC, KIND_RDTSCP, KIND_RDRAND, KIND_RDSEED };
enum register_number { RAX, RCX, RDX, RSP = 4 };

/* A question: the kind in the lowest byte, then the register, then how many bytes of it. */
static uint32_t question(enum kind kind, int reg, int size)
{
    return (uint32_t)kind | (uint32_t)reg << 8 | (uint32_t)size << 16;
}

uint32_t canon_processor_question(const uint8_t *code, const struct canon_insn *insn)
{
    if (insn->map != 2)
        return 0;
    uint8_t opcode = code[insn->opcode_at], operands = code[insn->modrm_at];
    if (opcode == 0x31)
        return question(KIND_RDTSC, RAX, 8);
    if (opcode == 0x01 && operands == 0xf9)
        return question(KIND_RDTSCP, RAX, 8);
    if (opcode != 0xc7 || operands < 0xf0)
        return 0;
    int size = 4, reg = operands & 7;
    for (const uint8_t *prefix = code; *prefix != 0x0f; prefix++) {
        if (*prefix == 0xf2 || *prefix == 0xf3)
            return 0; /* others: senduipi, rdpid */
        if (*prefix == 0x66)
            size = 2;
        if ((*prefix & 0xf8) == 0x48)
            size = 8;
        if ((*prefix & 0xf1) == 0x41)
            reg |= 8;
    }
    return reg == RSP ? 0 : question(operands < 0xf8 ? KIND_RDRAND : KIND_RDSEED, reg, size);
}

struct answer {
    long value;
    int64_t more; /* rdtscp: the processor's number; random numbers: whether there was one */
};

static const char *name_of(enum kind kind)
{
    static const char *const NAMES[] = {"", "rdtsc", "rdtscp", "rdrand", "rdseed"};
    return NAMES[kind];
}

static struct answer ask(enum kind kind)
{
    unsigned long low = 0, high = 0, more = 0;
    unsigned char given = 0;
    switch (kind) {
    case KIND_RDTSC:
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        return (struct answer){(long)(low | high << 32), 0};
    case KIND_RDTSCP:
        __asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(more));
        return (struct answer){(long)(low | high << 32), (int64_t)more};
    case KIND_RDRAND:
        __asm__ volatile("rdrand %0\n\tsetc %1" : "=r"(low), "=qm"(given) : : "cc");
        return (struct answer){(long)low, given};
    default:
        __asm__ volatile("rdseed %0\n\tsetc %1" : "=r"(low), "=qm"(given) : : "cc");
        return (struct answer){(long)low, given};
    }
}

static void give_random(struct canon_processor_frame *frame, struct answer answer)
{
    enum { CARRY = 1, OTHERS = 0x8d4 }; /* of these none is set */
    int reg = frame->question >> 8 & 15, size = frame->question >> 16 & 15;
    uint64_t kept = size == 2 ? frame->registers[reg] & ~UINT64_C(0xffff) : 0;
    uint64_t mask = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * size) - 1;
    frame->registers[reg] = kept | ((uint64_t)answer.value & mask);
    frame->flags = (frame->flags & ~(uint64_t)(OTHERS | CARRY)) | (answer.more ? CARRY : 0);
}

static void give_time(struct canon_processor_frame *frame, enum kind kind, struct answer answer)
{
    frame->registers[RAX] = (uint32_t)answer.value;
    frame->registers[RDX] = (uint64_t)answer.value >> 32;
    if (kind == KIND_RDTSCP)
        frame->registers[RCX] = (uint32_t)answer.more;
}

static struct answer step(struct canon_self *self, enum kind kind)
{
    int error = canon_native_enter(self);
    struct answer answer = {0};
    if (!canon_native_replays())
        answer = ask(kind);
    struct canon_step *step = canon_call_begin(self, name_of(kind), &answer.value);
    if (step) {
        if (kind != KIND_RDTSC)
            canon_step_int(step, &answer.more);
        canon_call_end(self, name_of(kind));
    }
    canon_native_leave(self, error);
    return answer;
}

void canon_processor_asked(struct canon_processor_frame *frame)
{
    struct canon_self *self = &canon_self;
    enum kind kind = frame->question & 255;
    struct answer answer = canon_native_looks(self) ? step(self, kind) : ask(kind);
    if (kind == KIND_RDTSC || kind == KIND_RDTSCP)
        give_time(frame, kind, answer);
    else
        give_random(frame, answer);
}
