/*
 * racy.h: lists of instructions that race (native/racy_list.h), as the command line has them.
 */
#ifndef CANON_CLI_RACY_H
#define CANON_CLI_RACY_H

#include "cli/cli.h"
#include "native/racy_list.h"

/* Reads the files, all into one list; says what is wrong with one. */
bool canon_racy_take(const struct canon_words *files, struct canon_racy_list *list);
/* Puts a list, unless it is empty, into a trace; says what is wrong. */
bool canon_racy_keep(const struct canon_racy_list *list, const char *trace);

#endif
