/*
 * rules_internal.h: rules made ready for matching.
 *
 * Names are looked up through a small hash table keyed by their length and a few characters, so that a
 * class that no rule names is done with after one look at each of its method references.
 */
#ifndef CANON_CLASSFILE_RULES_INTERNAL_H
#define CANON_CLASSFILE_RULES_INTERNAL_H

#include "classfile/code.h"
#include "classfile/rewrite.h"

#include <stdatomic.h>

struct pattern {
    struct canon_utf8 text;
    struct canon_utf8 suffix; /* what comes behind the star */
    bool star;
};

struct helper {
    char *owner; /* owns the memory of `name` too */
    char *name;
    char *descriptor; /* NULL: that of the call */
    struct canon_signature signature;
};

struct rule {
    const struct canon_rule *row;
    uint16_t number;
    struct pattern owner;
    struct pattern name;
    struct pattern descriptor;
    struct helper helper;
    struct helper exit_helper;
    struct helper entered_helper;
    struct helper identity_helper;
    struct helper caught_helper;
    struct rule *next; /* with the same key */
    _Atomic uint64_t hits;
};

enum { KEY_COUNT = 1024 };

/* Rules by an exact name; those whose name is a pattern are all in `loose`. In the table's order. */
struct rule_index {
    struct rule *by_key[KEY_COUNT];
    struct rule *loose;
    bool empty;
};

struct canon_rules {
    struct rule *rules;
    size_t count;
    /* Redirects and arounds, by the name of the method called; those with a star in it but not in the owner
     * are in the second one instead, by owner. */
    struct rule_index calls;
    struct rule_index calls_by_owner;
    struct rule_index classes; /* all others, by owner */
    const char **helper_owners;
    size_t helper_owner_count;
    void (*seen)(const struct canon_class *cls); /* NULL: nobody wants to know */
};

static inline uint32_t rule_key(struct canon_utf8 text)
{
    if (text.length == 0)
        return 0;
    uint32_t key = text.length + 131u * (uint8_t)text.text[text.length - 1] +
                   17u * (uint8_t)text.text[text.length / 2] + 7u * (uint8_t)text.text[0];
    return key % KEY_COUNT;
}

static inline bool pattern_matches(const struct pattern *pattern, struct canon_utf8 text)
{
    uint32_t least = pattern->text.length + pattern->suffix.length;
    if (pattern->star ? text.length < least : text.length != least)
        return false;
    const char *end = text.text + text.length - pattern->suffix.length;
    return memcmp(pattern->text.text, text.text, pattern->text.length) == 0 &&
           memcmp(pattern->suffix.text, end, pattern->suffix.length) == 0;
}

/* The pattern and the callback. */
bool canon_rule_owner_matches(const struct rule *rule, struct canon_utf8 owner);

/* A row that names its method outright. If it cannot be applied that is an error. */
static inline bool rule_is_exact(const struct rule *rule)
{
    return !rule->owner.star && !rule->name.star;
}

/* Redirects and arounds are about calls, wherever they are. */
static inline bool rule_is_about_calls(const struct rule *rule)
{
    return rule->row->kind == CANON_RULE_REDIRECT || rule->row->kind == CANON_RULE_AROUND;
}

#endif
