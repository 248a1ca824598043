/*
 * watch.h: what a replaying process lets canon see of itself while it runs: a page that both have mapped.
 *
 * canon makes the page and hands its path to the agent. Both may write to the same terminal: canon its line
 * of progress, the agent the program's output. They take turns, the line is wiped before anything else is
 * written, and it is not drawn while the program is in the middle of a line of its own.
 */
#ifndef CANON_ROLE_WATCH_H
#define CANON_ROLE_WATCH_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct canon_watch {
    _Atomic uint64_t done;     /* events taken from the trace, */
    _Atomic uint64_t total;    /* of so many; 0: not known yet */
    _Atomic uint32_t finished; /* the process ends in order, as recorded: with a status of its own */
    _Atomic uint32_t draws;    /* canon shows progress: the terminal is shared */
    _Atomic uint32_t turn;     /* held by who writes to the terminal */
    _Atomic uint32_t drawn;    /* the line of progress stands there */
    _Atomic uint32_t inside;   /* the program has written part of a line */
    _Atomic uint32_t failed; /* the status with which a process other than the first could not go on, or 0 */
    _Atomic uint64_t shown;  /* outputs of all processes so far: their order; native programs */
};
static_assert(sizeof(struct canon_watch) == 48, "shared between processes");
static_assert(offsetof(struct canon_watch, finished) == 16, "shared between processes");

/* canon: makes the page; `path` is how another process opens it. NULL if that cannot be done. */
struct canon_watch *canon_watch_make(char *path, size_t size);
/* The agent: opens it. NULL if it cannot. */
struct canon_watch *canon_watch_open(const char *path);

/* canon: draws the line of progress on standard error, if it is known and nothing is in the way. */
void canon_watch_draw(struct canon_watch *watch);
/* Takes the line away, if it is there. */
void canon_watch_wipe(struct canon_watch *watch);

/* The agent, around output of the program that goes to the terminal. `ended`: with a whole line. */
void canon_watch_output_begins(struct canon_watch *watch);
void canon_watch_output_ended(struct canon_watch *watch, bool ended);

#endif
