/*
 * compilers.h: the JIT compilers of a replay step back behind the program's threads.
 */
#ifndef CANON_JVM_COMPILERS_H
#define CANON_JVM_COMPILERS_H

/* Once the JVM has started them. Those that it adds later are made by these, and take after them. */
void canon_compilers_step_back(void);

#endif
