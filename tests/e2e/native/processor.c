/* flags: -mrdrnd -mrdseed */
/* What the processor tells: its clock, its random numbers; in registers of all sizes, among vectors and
 * flags. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>

/* Flags and all of rdx's neighbours are still needed behind it. */
static uint64_t clock_between(uint64_t a, uint64_t b)
{
    uint64_t low, high, smaller;
    __asm__ volatile("cmp %4, %3\n\trdtsc\n\tmov %3, %2\n\tcmovae %4, %2"
                     : "=&a"(low), "=&d"(high), "=&r"(smaller)
                     : "r"(a), "r"(b)
                     : "cc");
    return smaller == (a < b ? a : b) ? high << 32 | low : 0;
}

static void print_random(void)
{
    unsigned short narrow = 0xffff;
    unsigned int word = 0;
    unsigned long long wide = 0, seed = 0;
    int given = 0;
    for (int i = 0; i < 20; i++) {
        given += _rdrand16_step(&narrow) + _rdrand32_step(&word) + _rdrand64_step(&wide);
        printf("%hu %u %llu\n", narrow, word, wide);
    }
    register uint64_t other __asm__("r13") = UINT64_C(0x1122334455667788);
    __asm__ volatile("rdrand %w0" : "+r"(other) : : "cc");
    printf("%d, %d\n", given, other >> 16 == 0x112233445566);
    while (!_rdseed64_step(&seed))
        _mm_pause();
    printf("%llu\n", seed);
}

int main(void)
{
    double sum = 0, parts[4] = {1, 2, 3, 4};
    unsigned int where;
    for (int i = 0; i < 1000; i++) {
        uint64_t now = __rdtsc();
        for (int k = 0; k < 4; k++)
            parts[k] = parts[k] * 1.001 + (double)(now >> k & 7);
        sum += parts[i & 3];
    }
    printf("%f %d\n", sum, clock_between(3, 4) && clock_between(4, 3));
    printf("%d\n", (int)(__rdtscp(&where) >> 1));
    if (__builtin_cpu_supports("rdrnd") && __builtin_cpu_supports("rdseed"))
        print_random();
    return 0;
}
