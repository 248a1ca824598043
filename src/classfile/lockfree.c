/* lockfree.c: see lockfree.h. All that it looks at are the class's constants and fields. */
#include "classfile/lockfree.h"

static bool begins_with(struct canon_utf8 text, const char *start)
{
    size_t length = strlen(start);
    return text.length >= length && memcmp(text.text, start, length) == 0;
}

static bool contains(struct canon_utf8 text, const char *part)
{
    return memmem(text.text, text.length, part, strlen(part)) != NULL;
}

/* `casBase`. */
static bool is_cas(const struct canon_ref *ref)
{
    struct canon_utf8 name = ref->name;
    return begins_with(name, "cas") && (name.length == 3 || (name.text[3] >= 'A' && name.text[3] <= 'Z')) &&
           contains(ref->descriptor, ")Z");
}

/* Calls of Unsafe, VarHandles and updaters of fields; or of a method that makes such a call. */
static bool compares_and_sets(const struct canon_ref *ref)
{
    if (is_cas(ref))
        return true;
    return (begins_with(ref->name, "compareAnd") || begins_with(ref->name, "weakCompareAnd")) &&
           (contains(ref->owner, "/Unsafe") || contains(ref->owner, "VarHandle") ||
            contains(ref->owner, "FieldUpdater"));
}

static bool asks_for_elements(const struct canon_ref *ref)
{
    return canon_utf8_is(ref->name, "arrayBaseOffset") || canon_utf8_is(ref->name, "arrayIndexScale") ||
           canon_utf8_is(ref->name, "arrayElementVarHandle");
}

static bool declares(const struct canon_class *cls, struct canon_utf8 field)
{
    for (uint32_t i = 0; i < cls->field_count; i++)
        if (canon_utf8_equal(cls->fields[i].name, field))
            return true;
    return false;
}

/* Another class may have declared it volatile. */
static bool is_inherited_array(const struct canon_class *cls, const struct canon_ref *ref)
{
    return ref->tag == CANON_CONSTANT_FIELDREF && begins_with(ref->descriptor, "[") &&
           canon_utf8_equal(ref->owner, cls->name) && !declares(cls, ref->name);
}

static bool has_shared_array(const struct canon_class *cls)
{
    for (uint32_t i = 0; i < cls->field_count; i++)
        if (cls->fields[i].access & CANON_ACC_VOLATILE && begins_with(cls->fields[i].descriptor, "["))
            return true;
    return false;
}

bool canon_class_is_lock_free(const struct canon_class *cls)
{
    bool compares = false, shares = has_shared_array(cls);
    for (uint32_t i = 1; i < cls->pool_count && !(compares && shares); i++) {
        struct canon_ref ref;
        uint8_t tag = canon_class_tag(cls, i);
        if ((tag != CANON_CONSTANT_FIELDREF && tag != CANON_CONSTANT_METHODREF) ||
            canon_class_ref(cls, i, &ref))
            continue;
        compares |= tag == CANON_CONSTANT_METHODREF && compares_and_sets(&ref);
        shares |= tag == CANON_CONSTANT_METHODREF ? asks_for_elements(&ref) : is_inherited_array(cls, &ref);
    }
    return compares && shares;
}

/* `objectFieldOffset`, `UnsafeAccess.fieldOffset`, `findVarHandle`. */
static bool asks_for_fields(const struct canon_class *cls)
{
    for (uint32_t i = 1; i < cls->pool_count; i++) {
        struct canon_ref ref;
        if (canon_class_tag(cls, i) == CANON_CONSTANT_METHODREF && !canon_class_ref(cls, i, &ref) &&
            (contains(ref.name, "ieldOffset") || canon_utf8_is(ref.name, "findVarHandle")))
            return true;
    }
    return false;
}

void canon_class_offset_fields(const struct canon_class *cls, bool *found)
{
    if (!cls->field_count || !asks_for_fields(cls))
        return;
    for (uint32_t i = 1; i < cls->pool_count; i++) {
        if (canon_class_tag(cls, i) != CANON_CONSTANT_STRING)
            continue;
        struct canon_utf8 text = canon_class_text(cls, i);
        for (uint32_t k = 0; k < cls->field_count; k++)
            found[k] |= canon_utf8_equal(text, cls->fields[k].name) &&
                        !(cls->fields[k].access & (CANON_ACC_FINAL | CANON_ACC_STATIC));
    }
}
