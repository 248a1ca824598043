/*
 * roles.h: runs a small program under a role, in a process of its own (a role is global to its process), and
 * tells how it ended.
 */
#ifndef CANON_TESTS_UNIT_ROLES_H
#define CANON_TESTS_UNIT_ROLES_H

#include "role/role.h"
#include "support.h"

/* What a program run under a role leaves behind; shared between the test and its child processes. */
struct seen {
    bool finished; /* the program came to its end */
    int64_t values[16];
    char texts[4][64];

    bool diverged;
    enum canon_divergence_kind kind;
    uint64_t number;
    char strand[64], expected[128], actual[128];
    bool has_expected, has_actual;
};

/* Where a replay shows itself; NULL: nowhere. */
extern struct canon_watch *run_watch;

typedef void (*program_fn)(struct seen *seen);

/*
 * Runs `program` under a role on `part`. `seen` gets what it left. With `errors`, what it wrote to standard
 * error, else that stays what it is. Fails the test when the program crashes or hangs.
 */
void run_recorder(const char *part, program_fn program, struct seen *seen);
void run_replayer(const char *part, program_fn program, struct seen *seen);
void run_role(enum canon_role_kind kind, const char *part, program_fn program, struct seen *seen,
              struct canon_buffer *errors);

/* A native that yields `value` when it runs for real; returns what the role makes of it. */
int64_t do_native(struct canon_strand *strand, const char *name, int64_t value);
/* A native that is given `input` and yields nothing. */
void do_output(struct canon_strand *strand, const char *name, const char *input);

#endif
