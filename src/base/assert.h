/*
 * assert.h: checks of programmer errors, on in release builds too.
 *
 * For input (traces, class files, messages) use error codes instead: a bad file must
 * never end the program that canon lives in.
 */
#ifndef CANON_BASE_ASSERT_H
#define CANON_BASE_ASSERT_H

_Noreturn void canon_assert_failed(const char *what, const char *file, int line);

#define canon_assert(condition) ((condition) ? (void)0 : canon_assert_failed(#condition, __FILE__, __LINE__))

#endif
