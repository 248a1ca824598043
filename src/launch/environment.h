/*
 * environment.h: environments of programs to be started, and canon's message to a native one in it.
 */
#ifndef CANON_LAUNCH_ENVIRONMENT_H
#define CANON_LAUNCH_ENVIRONMENT_H

/* A copy of an environment with NAME=value set, as its last entry (value NULL: removed). */
char **canon_environment_with(char **environment, const char *name, const char *value);

/*
 * The environment of a native program, with the preload library in it; its last two entries, and the list
 * itself, are to be freed. NULL if paths are too long. Whoever starts a program that is to be recorded or
 * replayed makes its environment here: what it is made of lies on the program's stack.
 */
char **canon_native_environment(char **environment, const char *library, const char *mode, const char *trace,
                                const char *options);

#endif
