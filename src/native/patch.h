/*
 * patch.h: system-call instructions, those of processor.h, and the functions of the vDSO, are made to call
 * canon.
 */
#ifndef CANON_NATIVE_PATCH_H
#define CANON_NATIVE_PATCH_H

#include <stddef.h>
#include <stdint.h>

/* Where a system call comes from; in r11 when it arrives. */
enum canon_origin {
    CANON_ORIGIN_LIBC = 0,
    CANON_ORIGIN_LOADER = 1, /* ld.so: libraries are loaded, in a replay too */
    CANON_ORIGIN_OTHER = 2,  /* the program's own code, or another library's */
    CANON_ORIGIN_VDSO = 3,
    CANON_ORIGIN_FUNCTION = 4, /* libc's syscall(): on behalf of one of the others */
};

/* Rewrites every object that is loaded. 0 or a negative error. */
int canon_patch_objects(void);
/* Rewrites code that the loader has just mapped from a file, of a library that comes later. */
void canon_patch_mapped(const uint8_t *from, size_t size, int file, size_t offset);
/* The vDSO answers without the kernel: its functions call canon instead. */
int canon_patch_vdso(void);

/* A function of the kernel's for this call, as it was before; NULL if there is none. */
long (*canon_vdso_real(long number))(long, long);

/*
 * Makes the function at `at`, in code between `from` and `to` that can be written, jump to `function`. What
 * comes back does what it did before; NULL if it cannot be called any more.
 */
void *canon_patch_detour(const uint8_t *from, const uint8_t *to, uint8_t *at, const void *function);

/* Counts the atomic instructions of the program itself, without its libraries. */
unsigned canon_patch_atomics(void);

/* Sites that could not be rewritten, so far. */
unsigned canon_patch_missed(void);

#endif
