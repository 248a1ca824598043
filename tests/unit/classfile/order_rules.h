/*
 * order_rules.h: tables like the one of src/jvm/hooks.c, for tests that let a JVM judge the result. Their
 * helpers are in java/lang/CanonTest.java.
 */
#ifndef CANON_TESTS_CLASSFILE_ORDER_RULES_H
#define CANON_TESTS_CLASSFILE_ORDER_RULES_H

#include "classfile/rewrite.h"

struct order_table {
    const struct canon_rule *rows;
    size_t count;
};

/* With `all`, all accesses to fields and arrays are told of. What other classes' fields are nobody knows. */
struct order_table order_rules(bool all);

#endif
