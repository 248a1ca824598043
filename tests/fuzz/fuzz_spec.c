/*
 * fuzz_spec.c: a descriptor and the terms of a table row, separated by a line end. What compiles must be safe
 * to use: every number of an argument names one, every place is one.
 */
#include "base/error.h"
#include "fuzz.h"
#include "jvm/spec.h"

#include <stdlib.h>
#include <string.h>

static void check(bool condition)
{
    if (!condition)
        abort();
}

static void check_spec(const struct canon_spec *spec, bool is_static)
{
    check(spec->arg_count <= CANON_ARGS_MAX && spec->term_count <= CANON_TERMS_MAX);
    check(spec->result && strchr("VZBCSIJFDL[", spec->result));
    uint8_t on_stack = 0;
    for (int i = 0; i < spec->arg_count; i++) {
        const struct canon_arg *arg = &spec->args[i];
        check(arg->type && strchr("ZBCSIJFDL[", arg->type));
        check(arg->place != CANON_PLACE_INTEGER || (arg->slot >= 2 && arg->slot < 6));
        check(arg->place != CANON_PLACE_FLOAT || arg->slot < 8);
        check(arg->place != CANON_PLACE_STACK || arg->slot == on_stack++);
    }
    check(on_stack == spec->stack_slots);
    for (int i = 0; i < spec->term_count; i++)
        for (int n = 0; n < 3; n++) {
            const struct canon_operand *operand = &spec->terms[i].operands[n];
            check(operand->kind != CANON_OPERAND_ARG || !operand->factor ||
                  (operand->value >= 1 && operand->value <= spec->arg_count));
            check(operand->kind != CANON_OPERAND_RET || spec->result != 'V');
            check(!is_static || operand->kind < CANON_OPERAND_THIS);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *descriptor = malloc(size + 1), problem[64];
    check(descriptor);
    memcpy(descriptor, data, size);
    descriptor[size] = '\0';
    char *terms = strchr(descriptor, '\n');
    if (terms)
        *terms++ = '\0';
    for (int is_static = 0; is_static < 2; is_static++) {
        struct canon_spec spec;
        memset(problem, 0, sizeof problem);
        int status = canon_spec_compile(descriptor, is_static, terms, &spec, problem, sizeof problem);
        check(status <= 0 && (status == 0 || *problem));
        if (!status)
            check_spec(&spec, is_static);
    }
    free(descriptor);
    return 0;
}
