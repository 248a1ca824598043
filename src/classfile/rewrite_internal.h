/*
 * rewrite_internal.h: what the files that apply rules to a class share.
 *
 *     rewrite.c   which rules apply to what; kinds that are a few lines
 *     calls.c     CANON_RULE_REDIRECT            around.c   CANON_RULE_AROUND
 *     monitor.c   CANON_RULE_MONITOR             access.c   CANON_RULE_ACCESS
 *     loop.c      CANON_RULE_LOOP                initialise.c   CANON_RULE_INITIALISE
 */
#ifndef CANON_CLASSFILE_REWRITE_INTERNAL_H
#define CANON_CLASSFILE_REWRITE_INTERNAL_H

#include "classfile/editor.h"
#include "classfile/rules_internal.h"

/* A method reference of the class's pool that a redirect or an around applies to. */
struct site {
    struct rule *rule; /* NULL: none */
    struct canon_call call;
    struct canon_call exit_call; /* of an around */
};

/* Calls of a monitor row's helpers. */
struct monitor_calls {
    const struct rule *rule; /* whose they are; NULL: none were made yet */
    struct canon_call entering;
    struct canon_call entered;
    struct canon_call exiting;
};

/* Likewise of a loop row's. */
struct loop_call {
    const struct rule *rule;
    struct canon_call call;
};

/* A field reference of the class's pool, as an access row sees it. */
struct access_field {
    const struct rule *rule; /* the row; NULL: not asked yet */
    int32_t site;            /* -1: none */
    int32_t hash;
    char type;
    bool told;  /* accesses are */
    bool plain; /* only because of CANON_RULE_ALL_ACCESSES */
};

enum { ACCESS_HELPER_COUNT = 15 };

struct access_state {
    const struct rule *rule; /* whose the calls are */
    struct canon_call calls[ACCESS_HELPER_COUNT];
    struct access_field *fields; /* by constant; NULL: none was looked at yet */
    int32_t *own;                /* hashes of the class's own fields; NULL likewise */
};

/* What an initialise row found out about the classes that the pool names. */
struct initialise_state {
    struct canon_call call; /* of the helper; index 0: not made yet */
    int32_t *numbers; /* by constant: 0 not asked yet, -1 nothing to tell, or one more than the number */
};

enum { SPILL_MAX = 16 };

/* One class being rewritten. */
struct rewriting {
    struct canon_rules *rules;
    struct canon_class cls;
    struct canon_editor *editor;
    struct rule **live; /* rules whose owner is the class, in the table's order */
    uint32_t live_count;
    struct site *sites; /* by constant; NULL: no rule about calls applies */
    bool wanted[256];   /* instructions that a rule may apply to */
    struct monitor_calls monitor;
    struct loop_call loop;
    struct access_state access;
    struct initialise_state initialise;
    /* the method being looked at */
    uint16_t method;
    const struct canon_member *member;          /* NULL: none */
    struct rule *active[CANON_RULE_KIND_COUNT]; /* of kinds that look at instructions: its row */
    uint16_t spills[SPILL_MAX];                 /* fresh locals of two slots, for values put aside */
    uint32_t spill_count;
    bool *early; /* by pc: see constructor.h; NULL: not looked at yet */
};

/* Whether it is, or the row takes it for that. */
bool canon_counts_as_volatile(const struct canon_rule *row, const struct canon_class *cls,
                              const struct canon_member *field);

static inline void canon_rule_hit(struct rule *rule)
{
    atomic_fetch_add_explicit(&rule->hits, 1, memory_order_relaxed);
}

static inline int canon_rewrite_call(struct rewriting *rw, const struct helper *helper,
                                     struct canon_call *call)
{
    return canon_editor_call(rw->editor, helper->owner, helper->name, helper->descriptor, call);
}

/* Puts code in front of and behind an instruction. */
static inline int canon_rewrite_before(struct rewriting *rw, uint32_t pc, const struct canon_snippet *before)
{
    return before->length ? canon_editor_insert(rw->editor, rw->method, pc, CANON_PLACE_BEFORE, before) : 0;
}

static inline int canon_rewrite_surround(struct rewriting *rw, uint32_t pc,
                                         const struct canon_snippet *before,
                                         const struct canon_snippet *after)
{
    int error = canon_editor_insert(rw->editor, rw->method, pc, CANON_PLACE_BEFORE, before);
    return error ? error : canon_editor_insert(rw->editor, rw->method, pc, CANON_PLACE_AFTER, after);
}

/* calls.c: looks for references that redirects and arounds apply to; applies them to method references in
 * lambdas; and to an instruction that calls. */
void canon_calls_find(struct rewriting *rw);
int canon_calls_handles(struct rewriting *rw);
int canon_calls_instruction(struct rewriting *rw, const struct canon_insn *insn);

/* What KINDS in rewrite.c has for each. */
void canon_monitor_want(const struct rule *rule, bool wanted[256]);
int canon_monitor_method(struct rewriting *rw, struct rule *rule);
int canon_monitor_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn);

void canon_access_want(const struct rule *rule, bool wanted[256]);
int canon_access_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn);
void canon_access_free(struct access_state *state);

void canon_loop_want(const struct rule *rule, bool wanted[256]);
int canon_loop_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn);
void canon_initialise_want(const struct rule *rule, bool wanted[256]);
int canon_initialise_instruction(struct rewriting *rw, struct rule *rule, const struct canon_insn *insn);

/* Pushes a number that is not negative. */
void canon_rewrite_push_int(struct rewriting *rw, struct canon_snippet *snippet, int32_t value);

/* Whether the arguments are such that an around applies. */
bool canon_around_fits(const struct canon_ref *ref);
int canon_around_instruction(struct rewriting *rw, struct site *site, const struct canon_insn *insn);

#endif
