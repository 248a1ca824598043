/* spec.c: see spec.h. */
#include "jvm/spec.h"

#include "base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- descriptor ----------------------------------------------------------------------------------- */

/* The end of the field descriptor that starts at `at`, or NULL. */
static const char *skip_type(const char *at)
{
    while (*at == '[')
        at++;
    if (*at == 'L') {
        at = strchr(at, ';');
        return at ? at + 1 : NULL;
    }
    return *at && strchr("ZBCSIJFD", *at) ? at + 1 : NULL;
}

static void place_args(struct canon_spec *spec)
{
    /* Of a method, env and the receiver (or class) come first. */
    uint8_t integers = spec->callee == CANON_CALLEE_FUNCTION ? 0 : 2, floats = 0;
    for (int i = 0; i < spec->arg_count; i++) {
        struct canon_arg *arg = &spec->args[i];
        bool is_float = arg->type == 'F' || arg->type == 'D';
        uint8_t *used = is_float ? &floats : &integers;
        if (*used < (is_float ? 8 : 6)) {
            arg->place = is_float ? CANON_PLACE_FLOAT : CANON_PLACE_INTEGER;
            arg->slot = (*used)++;
        } else {
            arg->place = CANON_PLACE_STACK;
            arg->slot = spec->stack_slots++;
        }
    }
}

static int parse_descriptor(const char *descriptor, struct canon_spec *spec)
{
    const char *at = descriptor;
    if (*at++ != '(')
        return CANON_E_FORMAT;
    while (*at != ')') {
        const char *end = skip_type(at);
        if (!end)
            return CANON_E_FORMAT;
        if (spec->arg_count == CANON_ARGS_MAX)
            return CANON_E_LIMIT;
        struct canon_arg *arg = &spec->args[spec->arg_count++];
        arg->type = *at;
        arg->element = *at == '[' ? at[1] : 0;
        arg->is_string = strncmp(at, "Ljava/lang/String;", 18) == 0;
        arg->compared = *at != 'L' && *at != '[';
        at = end;
    }
    at++;
    spec->result = *at;
    const char *end = *at == 'V' ? at + 1 : skip_type(at);
    if (!end || *end)
        return CANON_E_FORMAT;
    place_args(spec);
    return 0;
}

/* ---- terms ---------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int operands;
} TERMS[] = {
#define X(name, text, operands) {text, operands},
    CANON_TERMS(X)
#undef X
};
enum { TERM_KINDS = sizeof TERMS / sizeof *TERMS };

/* What the first operand of a term must be: the letters are those of canon_arg.type. */
static bool fits(const struct canon_spec *spec, enum canon_term_kind kind,
                 const struct canon_operand *operand)
{
    if (operand->kind == CANON_OPERAND_THIS || operand->kind == CANON_OPERAND_THIS_FD)
        return kind == CANON_TERM_OUTFD || kind == CANON_TERM_FD || kind == CANON_TERM_CLOSES ||
               (kind == CANON_TERM_OUTFIELDS && operand->kind == CANON_OPERAND_THIS);
    if (kind == CANON_TERM_RETMAP || kind == CANON_TERM_FILEMAP)
        return spec->result == 'J';
    if (kind == CANON_TERM_RETARG && spec->result != 'J')
        return false;
    if (kind == CANON_TERM_RETFD && operand->kind == CANON_OPERAND_CONST)
        return spec->result == 'I';
    if (operand->kind != CANON_OPERAND_ARG)
        return false;
    const struct canon_arg *arg = &spec->args[operand->value - 1];
    switch (kind) {
    case CANON_TERM_OUT:
    case CANON_TERM_IN:
    case CANON_TERM_SHOW:
        return arg->type == '[' && arg->element == 'B';
    case CANON_TERM_OUTARRAY:
        return arg->type == '[' && !strchr("L[", arg->element);
    case CANON_TERM_OUTELEMS:
        return arg->type == '[' && strchr("L[", arg->element);
    case CANON_TERM_OUTFIELDS:
    case CANON_TERM_OUTFD:
    case CANON_TERM_PATH:
        return arg->type == 'L';
    case CANON_TERM_FD:
    case CANON_TERM_CLOSES:
        return arg->type == 'L' || arg->type == 'I';
    case CANON_TERM_INHERITS:
        return arg->type == '[' && arg->element == 'I';
    case CANON_TERM_INBYTE:
        return arg->type == 'I' || arg->type == 'B';
    case CANON_TERM_SKIP:
    case CANON_TERM_SEEK:
        return true;
    default: /* an address */
        return arg->type == 'J';
    }
}

static int parse_operand(const char **at, const struct canon_spec *spec, struct canon_operand *operand)
{
    *operand = (struct canon_operand){.factor = 1};
    char *end;
    if (strncmp(*at, "this.fd", 7) == 0) {
        operand->kind = CANON_OPERAND_THIS_FD;
        *at += 7;
    } else if (strncmp(*at, "this", 4) == 0) {
        operand->kind = CANON_OPERAND_THIS;
        *at += 4;
    } else if (strncmp(*at, "ret", 3) == 0) {
        operand->kind = CANON_OPERAND_RET;
        *at += 3;
        if (spec->result == 'V')
            return CANON_E_INVALID;
    } else {
        operand->kind = **at == '=' ? CANON_OPERAND_CONST : CANON_OPERAND_ARG;
        *at += **at == '=';
        operand->value = strtol(*at, &end, 10);
        if (end == *at)
            return CANON_E_FORMAT;
        *at = end;
        if (operand->kind == CANON_OPERAND_ARG && (operand->value < 1 || operand->value > spec->arg_count))
            return CANON_E_INVALID;
    }
    if (**at == '*') {
        operand->factor = strtol(*at + 1, &end, 10);
        if (end == *at + 1)
            return CANON_E_FORMAT;
        *at = end;
    }
    return 0;
}

/* Offsets and lengths, all operands but the first, are numbers. */
static bool is_number(const struct canon_spec *spec, const struct canon_operand *operand)
{
    if (operand->kind == CANON_OPERAND_ARG)
        return strchr("BSIJ", spec->args[operand->value - 1].type);
    return operand->kind == CANON_OPERAND_CONST ||
           (operand->kind == CANON_OPERAND_RET && strchr("BSIJ", spec->result));
}

static bool is_address(const struct canon_spec *spec, const struct canon_operand *operand)
{
    return operand->kind == CANON_OPERAND_ARG && spec->args[operand->value - 1].type == 'J';
}

static int parse_term(const char **at, struct canon_spec *spec)
{
    size_t length = strcspn(*at, "(");
    int kind = 0;
    while (kind < TERM_KINDS &&
           (strlen(TERMS[kind].text) != length || strncmp(*at, TERMS[kind].text, length)))
        kind++;
    if (kind == TERM_KINDS)
        return CANON_E_FORMAT;
    if (spec->term_count == CANON_TERMS_MAX)
        return CANON_E_LIMIT;
    struct canon_term *term = &spec->terms[spec->term_count++];
    term->kind = (enum canon_term_kind)kind;
    *at += length;
    for (int i = 0; i < TERMS[kind].operands; i++) {
        if (**at != (i ? ',' : '('))
            return CANON_E_FORMAT;
        (*at)++;
        int status = parse_operand(at, spec, &term->operands[i]);
        if (!status && i > 0 && !is_number(spec, &term->operands[i]))
            status = CANON_E_INVALID;
        if (!status && kind == CANON_TERM_OUTADDR && !is_address(spec, &term->operands[i]))
            status = CANON_E_INVALID;
        if (status)
            return status;
    }
    if (**at != ')')
        return CANON_E_FORMAT;
    (*at)++;
    return fits(spec, term->kind, &term->operands[0]) ? 0 : CANON_E_INVALID;
}

/* Which arguments are compared as they are, and whether anything is. */
static void find_inputs(struct canon_spec *spec)
{
    for (int i = 0; i < spec->term_count; i++) {
        const struct canon_term *term = &spec->terms[i];
        bool address = term->kind == CANON_TERM_OUTMEM || term->kind == CANON_TERM_OUTIOV ||
                       term->kind == CANON_TERM_INMEM || term->kind == CANON_TERM_INIOV ||
                       term->kind == CANON_TERM_OUTADDR || term->kind == CANON_TERM_RETARG ||
                       term->kind == CANON_TERM_FILEMAP || term->kind == CANON_TERM_CSTR;
        if (address || term->kind == CANON_TERM_SKIP)
            spec->args[term->operands[0].value - 1].compared = false;
        if (term->kind == CANON_TERM_OUTADDR)
            spec->args[term->operands[1].value - 1].compared = false;
        spec->has_inputs |= term->kind == CANON_TERM_FD || term->kind == CANON_TERM_CLOSES ||
                            term->kind == CANON_TERM_IN || term->kind == CANON_TERM_INMEM ||
                            term->kind == CANON_TERM_INIOV;
    }
    for (int i = 0; i < spec->term_count; i++)
        spec->has_output |= spec->terms[i].kind == CANON_TERM_IN || spec->terms[i].kind == CANON_TERM_INMEM ||
                            spec->terms[i].kind == CANON_TERM_INIOV ||
                            spec->terms[i].kind == CANON_TERM_INBYTE;
    for (int i = 0; i < spec->arg_count; i++)
        spec->has_inputs |= spec->args[i].compared;
}

int canon_spec_compile(const char *descriptor, enum canon_callee callee, const char *terms,
                       struct canon_spec *spec, char *problem, size_t size)
{
    *spec = (struct canon_spec){.callee = callee};
    int status = parse_descriptor(descriptor, spec);
    if (status) {
        snprintf(problem, size, "descriptor %s: %s", descriptor, canon_error_text(status));
        return status;
    }
    const char *at = terms ? terms : "";
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (!*at)
            break;
        const char *start = at;
        status = parse_term(&at, spec);
        if (!status && *at && !isspace((unsigned char)*at))
            status = CANON_E_FORMAT;
        if (status) {
            snprintf(problem, size, "term \"%s\": %s", start, canon_error_text(status));
            return status;
        }
        for (int i = 0; callee != CANON_CALLEE_METHOD && i < 3; i++)
            if (spec->terms[spec->term_count - 1].operands[i].kind >= CANON_OPERAND_THIS) {
                snprintf(problem, size, "term \"%s\": there is no receiver", start);
                return CANON_E_INVALID;
            }
    }
    find_inputs(spec);
    return 0;
}
