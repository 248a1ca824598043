/*
 * decode_lengths.c: reads lines of hexadecimal bytes, one instruction each, and fails if canon's decoder
 * gives one another length. native_code.sh feeds it with what objdump says of libc.
 */
#include "native/decode.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128];
    long count = 0, wrong = 0;
    while (fgets(line, sizeof line, stdin)) {
        uint8_t code[32];
        unsigned byte, size = 0;
        while (size < sizeof code && sscanf(line + 2 * size, "%2x", &byte) == 1)
            code[size++] = (uint8_t)byte;
        struct canon_insn insn;
        count++;
        if (!canon_insn_decode(code, size, &insn) || insn.size != size) {
            wrong++;
            printf("%s", line);
        }
    }
    printf("%ld instructions, %ld wrong\n", count, wrong);
    return wrong || count < 1000;
}
