/* lazy.c: see lazy.h. */
#include "classfile/lazy.h"

#include "base/assert.h"
#include "classfile/code.h"

#include <stdlib.h>

enum { TESTED = 1, SET = 2, NO_FIELD = -1 };

static bool is_candidate(const struct canon_member *field)
{
    char type = field->descriptor.length ? field->descriptor.text[0] : 0;
    return (type == 'L' || type == '[' || type == 'Z' || type == 'I') &&
           !(field->access & (CANON_ACC_FINAL | CANON_ACC_VOLATILE));
}

/* The number of the field that the instruction accesses, if it is the class's own and may be lazy. */
static int own_field(const struct canon_class *cls, const struct canon_insn *insn)
{
    struct canon_ref ref;
    if (canon_class_ref(cls, canon_insn_pool_index(insn), &ref) || !canon_utf8_equal(ref.owner, cls->name))
        return NO_FIELD;
    for (int i = 0; i < cls->field_count; i++)
        if (is_candidate(&cls->fields[i]) && canon_utf8_equal(cls->fields[i].name, ref.name) &&
            canon_utf8_equal(cls->fields[i].descriptor, ref.descriptor))
            return i;
    return NO_FIELD;
}

static bool is_store(uint8_t opcode)
{
    return opcode == CANON_OP_ASTORE || opcode == CANON_OP_ISTORE ||
           (opcode >= CANON_OP_ASTORE_0 && opcode <= CANON_OP_ASTORE_3) ||
           (opcode >= CANON_OP_ISTORE_0 && opcode <= CANON_OP_ISTORE_3);
}

static bool is_load(uint8_t opcode)
{
    return opcode == CANON_OP_ALOAD || opcode == CANON_OP_ILOAD ||
           (opcode >= CANON_OP_ALOAD_0 && opcode <= CANON_OP_ALOAD_3) ||
           (opcode >= CANON_OP_ILOAD_0 && opcode <= CANON_OP_ILOAD_3);
}

/* Those of two values are for `null == field`, which compilers do not turn around; instanceof is another way.
 */
static bool is_test(uint8_t opcode)
{
    return opcode == CANON_OP_IFNULL || opcode == CANON_OP_IFNONNULL || opcode == CANON_OP_IFEQ ||
           opcode == CANON_OP_IFNE || opcode == CANON_OP_IF_ACMPEQ || opcode == CANON_OP_IF_ACMPNE ||
           opcode == CANON_OP_INSTANCEOF;
}

/* Whether what the instruction got is tested next, on the way into a local variable maybe. */
static bool is_tested(const struct canon_code *code, struct canon_insn insn)
{
    bool copied = false;
    if (canon_code_next(code, &insn) <= 0)
        return false;
    if (insn.opcode == CANON_OP_DUP) {
        copied = true;
        if (canon_code_next(code, &insn) <= 0)
            return false;
    }
    if (is_store(insn.opcode)) {
        if (canon_code_next(code, &insn) <= 0)
            return false;
        if (!copied && (!is_load(insn.opcode) || canon_code_next(code, &insn) <= 0))
            return false;
    }
    return is_test(insn.opcode);
}

/* Whether what is put into a field there makes it look made: of numbers only constants, flags. */
static bool makes(const struct canon_member *field, uint8_t before)
{
    return field->descriptor.text[0] != 'I' || (before >= CANON_OP_ICONST_M1 && before <= CANON_OP_ICONST_5);
}

/* Returns whether it locks something. */
static bool look_at_method(const struct canon_class *cls, const struct canon_member *method, uint8_t *seen)
{
    bool locks = method->access & CANON_ACC_SYNCHRONIZED;
    struct canon_code code;
    struct canon_insn insn = {0};
    if (method->name.text[0] == '<' || canon_code_open(cls, method, &code) <= 0)
        return false;
    for (uint8_t before = 0; canon_code_next(&code, &insn) > 0; before = insn.opcode) {
        bool gets = insn.opcode == CANON_OP_GETFIELD || insn.opcode == CANON_OP_GETSTATIC;
        bool puts = insn.opcode == CANON_OP_PUTFIELD || insn.opcode == CANON_OP_PUTSTATIC;
        locks |= insn.opcode == CANON_OP_MONITORENTER;
        if (!puts && !(gets && is_tested(&code, insn)))
            continue;
        int field = own_field(cls, &insn);
        if (field != NO_FIELD && (!puts || makes(&cls->fields[field], before)))
            seen[field] |= puts ? SET : TESTED;
    }
    return locks;
}

void canon_class_lazy_fields(const struct canon_class *cls, enum canon_lazy which, bool *lazy)
{
    bool any = false;
    for (uint32_t i = 0; i < cls->field_count; i++) {
        lazy[i] = false;
        any |= is_candidate(&cls->fields[i]);
    }
    if (!any || which == CANON_LAZY_NONE)
        return;
    uint8_t *seen = malloc(cls->field_count);
    canon_assert(seen);
    for (uint32_t i = 0; i < cls->method_count; i++) {
        memset(seen, 0, cls->field_count);
        bool all = look_at_method(cls, &cls->methods[i], seen) || which == CANON_LAZY_ALL;
        for (uint32_t j = 0; j < cls->field_count; j++)
            lazy[j] |= seen[j] == (TESTED | SET) && (all || cls->fields[j].access & CANON_ACC_STATIC);
    }
    free(seen);
}
