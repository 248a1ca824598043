/*
 * discover_java.h: canon discover --races of a Java program: a recording of it, and a replay that looks for
 * places that race.
 */
#ifndef CANON_CLI_DISCOVER_JAVA_H
#define CANON_CLI_DISCOVER_JAVA_H

/* Adds what it finds to `list`. `folder` is for what it needs meanwhile. Returns a status to exit with: the
 * program's, unless something is wrong. */
int canon_discover_java(char **command, int count, const char *folder, const char *list);

#endif
