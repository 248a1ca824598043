/*
 * class.h: reading Java class files, versions 45.3 to 69 (JDK 25).
 *
 * A class is a view: it points into the caller's bytes, which must outlive it. Opening checks the
 * constant pool (every reference between constants has the right kind), and that all members and their
 * attributes lie inside the file. Instructions are checked as they are walked (code.h).
 *
 *     bytes: magic, version | constant pool | flags, this, super, interfaces | fields | methods | attributes
 *            ^data            ^pool[i]        ^after_pool                        ^members ^after_methods
 *
 * Nothing here trusts the file: an index or a length that leads out of it is CANON_E_FORMAT or
 * CANON_E_TRUNCATED.
 */
#ifndef CANON_CLASSFILE_CLASS_H
#define CANON_CLASSFILE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CANON_CLASS_VERSION_MAX = 69 };

enum canon_access {
    CANON_ACC_PUBLIC = 0x0001,
    CANON_ACC_PRIVATE = 0x0002,
    CANON_ACC_PROTECTED = 0x0004,
    CANON_ACC_STATIC = 0x0008,
    CANON_ACC_FINAL = 0x0010,
    CANON_ACC_SYNCHRONIZED = 0x0020,
    CANON_ACC_VOLATILE = 0x0040,
    CANON_ACC_TRANSIENT = 0x0080,
    CANON_ACC_NATIVE = 0x0100,
    CANON_ACC_INTERFACE = 0x0200,
    CANON_ACC_ABSTRACT = 0x0400,
    CANON_ACC_SYNTHETIC = 0x1000,
    CANON_ACC_MODULE = 0x8000,
};

enum canon_constant {
    CANON_CONSTANT_UTF8 = 1,
    CANON_CONSTANT_INTEGER = 3,
    CANON_CONSTANT_FLOAT = 4,
    CANON_CONSTANT_LONG = 5,
    CANON_CONSTANT_DOUBLE = 6,
    CANON_CONSTANT_CLASS = 7,
    CANON_CONSTANT_STRING = 8,
    CANON_CONSTANT_FIELDREF = 9,
    CANON_CONSTANT_METHODREF = 10,
    CANON_CONSTANT_INTERFACE_METHODREF = 11,
    CANON_CONSTANT_NAME_AND_TYPE = 12,
    CANON_CONSTANT_METHOD_HANDLE = 15,
    CANON_CONSTANT_METHOD_TYPE = 16,
    CANON_CONSTANT_DYNAMIC = 17,
    CANON_CONSTANT_INVOKE_DYNAMIC = 18,
    CANON_CONSTANT_MODULE = 19,
    CANON_CONSTANT_PACKAGE = 20,
};

/* Kinds of method handle constants. */
enum canon_handle {
    CANON_HANDLE_VIRTUAL = 5,
    CANON_HANDLE_STATIC = 6,
    CANON_HANDLE_SPECIAL = 7,
    CANON_HANDLE_NEW = 8,
    CANON_HANDLE_INTERFACE = 9,
};

/* Text inside the file, in the JVM's modified UTF-8; not terminated. */
struct canon_utf8 {
    const char *text;
    uint32_t length;
};

static inline bool canon_utf8_equal(struct canon_utf8 a, struct canon_utf8 b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static inline struct canon_utf8 canon_utf8_from(const char *text)
{
    return (struct canon_utf8){text, (uint32_t)strlen(text)};
}

static inline bool canon_utf8_is(struct canon_utf8 a, const char *text)
{
    return canon_utf8_equal(a, canon_utf8_from(text));
}

/* A field or a method. */
struct canon_member {
    uint32_t offset; /* of its access flags */
    uint32_t end;
    uint32_t code; /* offset of the Code attribute's name index, 0 without code */
    uint16_t access;
    uint16_t name_index;
    uint16_t descriptor_index;
    struct canon_utf8 name;
    struct canon_utf8 descriptor;
};

/* Read it, do not write it. */
struct canon_class {
    const uint8_t *data;
    uint32_t length;
    uint16_t minor;
    uint16_t major;
    uint32_t pool_count; /* one more than the highest index */
    uint32_t *pool;      /* index -> offset of the constant's tag; 0: not an index */
    uint32_t after_pool;
    uint16_t access;
    uint16_t this_index;
    uint16_t super_index;
    uint16_t interface_count;
    uint16_t field_count;
    uint16_t method_count;
    uint32_t fields_at; /* offset of the count of fields */
    uint32_t methods_at;
    uint32_t after_methods;
    struct canon_member *fields;
    struct canon_member *methods;
    struct canon_utf8 name; /* internal form: java/lang/String */
};

/* What a field or method reference (or a dynamic call site, without owner) names. */
struct canon_ref {
    uint8_t tag;
    struct canon_utf8 owner;
    struct canon_utf8 name;
    struct canon_utf8 descriptor;
};

/* Opens the whole class. On failure there is nothing to close. */
int canon_class_open(struct canon_class *cls, const void *data, size_t length);

/* The same in two steps, for callers that can tell from names and constants alone that they are not
 * interested. `fields` and `methods` are there after the second. If that fails, the class is still open. */
int canon_class_open_pool(struct canon_class *cls, const void *data, size_t length);
int canon_class_open_members(struct canon_class *cls);

void canon_class_close(struct canon_class *cls);

/* 0 for what is not an index of the pool, else an enum canon_constant. */
static inline uint8_t canon_class_tag(const struct canon_class *cls, uint32_t index)
{
    return index < cls->pool_count && cls->pool[index] ? cls->data[cls->pool[index]] : 0;
}

/* The text of a Utf8, Class, String, Module, Package or MethodType constant; empty for others. */
struct canon_utf8 canon_class_text(const struct canon_class *cls, uint32_t index);

/* Empty for java/lang/Object and module-info. */
struct canon_utf8 canon_class_super_name(const struct canon_class *cls);
struct canon_utf8 canon_class_interface(const struct canon_class *cls, uint16_t number);

/* CANON_E_FORMAT when the constant is not a reference or a dynamic call site. */
int canon_class_ref(const struct canon_class *cls, uint32_t index, struct canon_ref *ref);

/* The attributes of one member, of Code or of the class. */
struct canon_attributes {
    const uint8_t *at;
    const uint8_t *end;
    uint32_t left;
};

struct canon_attribute {
    struct canon_utf8 name;
    const uint8_t *start; /* of the name index; data - 6 */
    const uint8_t *data;
    uint32_t length;
};

struct canon_attributes canon_class_attributes(const struct canon_class *cls);
struct canon_attributes canon_member_attributes(const struct canon_class *cls,
                                                const struct canon_member *member);

/* 1 and the next attribute, 0 at the end, or an error. */
int canon_attributes_next(const struct canon_class *cls, struct canon_attributes *attributes,
                          struct canon_attribute *attribute);

#endif
