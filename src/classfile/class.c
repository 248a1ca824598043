/* class.c: see class.h. */
#include "classfile/class.h"

#include "base/error.h"
#include "classfile/bytes.h"

#include <stdlib.h>

/* Bytes of a constant, tag included; 0: no such tag. A Utf8 has its text behind these. */
static const uint8_t CONSTANT_SIZE[] = {
    [CANON_CONSTANT_UTF8] = 3,           [CANON_CONSTANT_INTEGER] = 5,
    [CANON_CONSTANT_FLOAT] = 5,          [CANON_CONSTANT_LONG] = 9,
    [CANON_CONSTANT_DOUBLE] = 9,         [CANON_CONSTANT_CLASS] = 3,
    [CANON_CONSTANT_STRING] = 3,         [CANON_CONSTANT_FIELDREF] = 5,
    [CANON_CONSTANT_METHODREF] = 5,      [CANON_CONSTANT_INTERFACE_METHODREF] = 5,
    [CANON_CONSTANT_NAME_AND_TYPE] = 5,  [CANON_CONSTANT_METHOD_HANDLE] = 4,
    [CANON_CONSTANT_METHOD_TYPE] = 3,    [CANON_CONSTANT_DYNAMIC] = 5,
    [CANON_CONSTANT_INVOKE_DYNAMIC] = 5, [CANON_CONSTANT_MODULE] = 3,
    [CANON_CONSTANT_PACKAGE] = 3,
};

static int scan_pool(struct canon_class *cls)
{
    uint32_t at = 10;
    for (uint32_t i = 1; i < cls->pool_count; i++) {
        if (at + 3 > cls->length)
            return CANON_E_TRUNCATED;
        uint8_t tag = cls->data[at];
        uint32_t size = tag < sizeof CONSTANT_SIZE ? CONSTANT_SIZE[tag] : 0;
        if (size == 0)
            return CANON_E_FORMAT;
        cls->pool[i] = at;
        if (tag == CANON_CONSTANT_UTF8) {
            size += get_u2(cls->data + at + 1);
        } else if (tag == CANON_CONSTANT_LONG || tag == CANON_CONSTANT_DOUBLE) {
            if (i + 1 >= cls->pool_count)
                return CANON_E_FORMAT;
            cls->pool[++i] = 0; /* takes two indices; the second is not usable */
        }
        if (size > cls->length - at)
            return CANON_E_TRUNCATED;
        at += size;
    }
    cls->after_pool = at;
    return 0;
}

static bool method_handle_ok(const struct canon_class *cls, const uint8_t *constant)
{
    uint8_t tag = canon_class_tag(cls, get_u2(constant + 2));
    switch (constant[1]) {
    case 1:
    case 2:
    case 3:
    case 4: /* get and put of fields */
        return tag == CANON_CONSTANT_FIELDREF;
    case CANON_HANDLE_VIRTUAL:
    case CANON_HANDLE_NEW:
        return tag == CANON_CONSTANT_METHODREF;
    case CANON_HANDLE_STATIC:
    case CANON_HANDLE_SPECIAL: /* of interfaces too since version 52 */
        return tag == CANON_CONSTANT_METHODREF || tag == CANON_CONSTANT_INTERFACE_METHODREF;
    case CANON_HANDLE_INTERFACE:
        return tag == CANON_CONSTANT_INTERFACE_METHODREF;
    default:
        return false;
    }
}

static bool constant_ok(const struct canon_class *cls, const uint8_t *constant)
{
    switch (constant[0]) {
    case CANON_CONSTANT_CLASS:
    case CANON_CONSTANT_STRING:
    case CANON_CONSTANT_METHOD_TYPE:
    case CANON_CONSTANT_MODULE:
    case CANON_CONSTANT_PACKAGE:
        return canon_class_tag(cls, get_u2(constant + 1)) == CANON_CONSTANT_UTF8;
    case CANON_CONSTANT_FIELDREF:
    case CANON_CONSTANT_METHODREF:
    case CANON_CONSTANT_INTERFACE_METHODREF:
        return canon_class_tag(cls, get_u2(constant + 1)) == CANON_CONSTANT_CLASS &&
               canon_class_tag(cls, get_u2(constant + 3)) == CANON_CONSTANT_NAME_AND_TYPE;
    case CANON_CONSTANT_NAME_AND_TYPE:
        return canon_class_tag(cls, get_u2(constant + 1)) == CANON_CONSTANT_UTF8 &&
               canon_class_tag(cls, get_u2(constant + 3)) == CANON_CONSTANT_UTF8;
    case CANON_CONSTANT_DYNAMIC:
    case CANON_CONSTANT_INVOKE_DYNAMIC:
        return canon_class_tag(cls, get_u2(constant + 3)) == CANON_CONSTANT_NAME_AND_TYPE;
    case CANON_CONSTANT_METHOD_HANDLE:
        return method_handle_ok(cls, constant);
    default:
        return true; /* text and numbers refer to nothing */
    }
}

/* All later code relies on this: a constant of a known tag leads to constants of known tags. */
static int check_pool(const struct canon_class *cls)
{
    for (uint32_t i = 1; i < cls->pool_count; i++)
        if (cls->pool[i] && !constant_ok(cls, cls->data + cls->pool[i]))
            return CANON_E_FORMAT;
    return 0;
}

static int read_header(struct canon_class *cls)
{
    if (cls->length - cls->after_pool < 8)
        return CANON_E_TRUNCATED;
    const uint8_t *at = cls->data + cls->after_pool;
    cls->access = get_u2(at);
    cls->this_index = get_u2(at + 2);
    cls->super_index = get_u2(at + 4);
    cls->interface_count = get_u2(at + 6);
    cls->fields_at = cls->after_pool + 8 + 2u * cls->interface_count;
    if (cls->fields_at > cls->length)
        return CANON_E_TRUNCATED;
    if (canon_class_tag(cls, cls->this_index) != CANON_CONSTANT_CLASS)
        return CANON_E_FORMAT;
    if (cls->super_index && canon_class_tag(cls, cls->super_index) != CANON_CONSTANT_CLASS)
        return CANON_E_FORMAT;
    for (uint32_t i = 0; i < cls->interface_count; i++)
        if (canon_class_tag(cls, get_u2(at + 8 + 2 * i)) != CANON_CONSTANT_CLASS)
            return CANON_E_FORMAT;
    cls->name = canon_class_text(cls, cls->this_index);
    return 0;
}

int canon_class_open_pool(struct canon_class *cls, const void *data, size_t length)
{
    *cls = (struct canon_class){.data = data, .length = (uint32_t)length};
    if (length > INT32_MAX)
        return CANON_E_LIMIT;
    if (length < 10)
        return CANON_E_TRUNCATED;
    if (get_u4(cls->data) != 0xCAFEBABE)
        return CANON_E_FORMAT;
    cls->minor = get_u2(cls->data + 4);
    cls->major = get_u2(cls->data + 6);
    /* Up to 45.2 the Code attribute had narrower fields; nothing younger than 1995 has them. */
    if (cls->major < 45 || (cls->major == 45 && cls->minor < 3) || cls->major > CANON_CLASS_VERSION_MAX)
        return CANON_E_VERSION;
    cls->pool_count = get_u2(cls->data + 8);
    if (cls->pool_count == 0)
        return CANON_E_FORMAT;
    cls->pool = malloc(cls->pool_count * sizeof *cls->pool);
    if (!cls->pool)
        return CANON_E_NOMEM;
    cls->pool[0] = 0;
    int error = scan_pool(cls);
    if (!error)
        error = check_pool(cls);
    if (!error)
        error = read_header(cls);
    if (error)
        canon_class_close(cls);
    return error;
}

struct canon_utf8 canon_class_text(const struct canon_class *cls, uint32_t index)
{
    switch (canon_class_tag(cls, index)) {
    case CANON_CONSTANT_CLASS:
    case CANON_CONSTANT_STRING:
    case CANON_CONSTANT_METHOD_TYPE:
    case CANON_CONSTANT_MODULE:
    case CANON_CONSTANT_PACKAGE:
        index = get_u2(cls->data + cls->pool[index] + 1);
        break;
    case CANON_CONSTANT_UTF8:
        break;
    default:
        return (struct canon_utf8){"", 0};
    }
    const uint8_t *constant = cls->data + cls->pool[index];
    return (struct canon_utf8){(const char *)constant + 3, get_u2(constant + 1)};
}

struct canon_utf8 canon_class_super_name(const struct canon_class *cls)
{
    return canon_class_text(cls, cls->super_index);
}

struct canon_utf8 canon_class_interface(const struct canon_class *cls, uint16_t number)
{
    if (number >= cls->interface_count)
        return (struct canon_utf8){"", 0};
    return canon_class_text(cls, get_u2(cls->data + cls->after_pool + 8 + 2u * number));
}

int canon_class_ref(const struct canon_class *cls, uint32_t index, struct canon_ref *ref)
{
    ref->tag = canon_class_tag(cls, index);
    const uint8_t *constant;
    switch (ref->tag) {
    case CANON_CONSTANT_FIELDREF:
    case CANON_CONSTANT_METHODREF:
    case CANON_CONSTANT_INTERFACE_METHODREF:
        constant = cls->data + cls->pool[index];
        ref->owner = canon_class_text(cls, get_u2(constant + 1));
        break;
    case CANON_CONSTANT_DYNAMIC:
    case CANON_CONSTANT_INVOKE_DYNAMIC:
        constant = cls->data + cls->pool[index];
        ref->owner = (struct canon_utf8){"", 0};
        break;
    default:
        return CANON_E_FORMAT;
    }
    const uint8_t *name_and_type = cls->data + cls->pool[get_u2(constant + 3)];
    ref->name = canon_class_text(cls, get_u2(name_and_type + 1));
    ref->descriptor = canon_class_text(cls, get_u2(name_and_type + 3));
    return 0;
}

int canon_attributes_next(const struct canon_class *cls, struct canon_attributes *attributes,
                          struct canon_attribute *attribute)
{
    if (attributes->left == 0)
        return 0;
    if (attributes->end - attributes->at < 6)
        return CANON_E_TRUNCATED;
    attribute->start = attributes->at;
    uint16_t name = get_u2(attributes->at);
    attribute->length = get_u4(attributes->at + 2);
    attribute->data = attributes->at + 6;
    if (attribute->length > (size_t)(attributes->end - attribute->data))
        return CANON_E_TRUNCATED;
    if (canon_class_tag(cls, name) != CANON_CONSTANT_UTF8)
        return CANON_E_FORMAT;
    attribute->name = canon_class_text(cls, name);
    attributes->at = attribute->data + attribute->length;
    attributes->left--;
    return 1;
}

static struct canon_attributes attributes_at(const struct canon_class *cls, uint32_t count_at)
{
    const uint8_t *at = cls->data + count_at;
    return (struct canon_attributes){at + 2, cls->data + cls->length, get_u2(at)};
}

struct canon_attributes canon_class_attributes(const struct canon_class *cls)
{
    return attributes_at(cls, cls->after_methods);
}

struct canon_attributes canon_member_attributes(const struct canon_class *cls,
                                                const struct canon_member *member)
{
    return attributes_at(cls, member->offset + 6);
}

/* Reads the member at `*at` and moves `*at` behind it. */
static int read_member(const struct canon_class *cls, uint32_t *at, struct canon_member *member)
{
    if (cls->length - *at < 8)
        return CANON_E_TRUNCATED;
    const uint8_t *bytes = cls->data + *at;
    *member = (struct canon_member){
        .offset = *at,
        .access = get_u2(bytes),
        .name_index = get_u2(bytes + 2),
        .descriptor_index = get_u2(bytes + 4),
    };
    if (canon_class_tag(cls, member->name_index) != CANON_CONSTANT_UTF8 ||
        canon_class_tag(cls, member->descriptor_index) != CANON_CONSTANT_UTF8)
        return CANON_E_FORMAT;
    member->name = canon_class_text(cls, member->name_index);
    member->descriptor = canon_class_text(cls, member->descriptor_index);
    struct canon_attributes attributes = canon_member_attributes(cls, member);
    struct canon_attribute attribute;
    int more;
    while ((more = canon_attributes_next(cls, &attributes, &attribute)) > 0) {
        if (attribute.name.length != 4 || memcmp(attribute.name.text, "Code", 4) != 0)
            continue;
        if (member->code)
            return CANON_E_FORMAT; /* two bodies */
        member->code = (uint32_t)(attribute.start - cls->data);
    }
    *at = member->end = (uint32_t)(attributes.at - cls->data);
    return more;
}

static int read_members(const struct canon_class *cls, uint32_t *at, struct canon_member **members,
                        uint16_t *count)
{
    if (cls->length - *at < 2)
        return CANON_E_TRUNCATED;
    *count = get_u2(cls->data + *at);
    *at += 2;
    if (*count > (cls->length - *at) / 8)
        return CANON_E_TRUNCATED;
    *members = malloc((*count ? *count : 1) * sizeof **members);
    if (!*members)
        return CANON_E_NOMEM;
    for (uint32_t i = 0; i < *count; i++) {
        int error = read_member(cls, at, &(*members)[i]);
        if (error)
            return error;
    }
    return 0;
}

/* The class's own attributes must end where the file ends, as the JVM demands. */
static int check_tail(const struct canon_class *cls)
{
    if (cls->length - cls->after_methods < 2)
        return CANON_E_TRUNCATED;
    struct canon_attributes attributes = canon_class_attributes(cls);
    struct canon_attribute attribute;
    int more;
    do
        more = canon_attributes_next(cls, &attributes, &attribute);
    while (more > 0);
    if (more == 0 && attributes.at != attributes.end)
        return CANON_E_FORMAT;
    return more;
}

int canon_class_open_members(struct canon_class *cls)
{
    uint32_t at = cls->fields_at;
    int error = read_members(cls, &at, &cls->fields, &cls->field_count);
    if (error)
        return error;
    cls->methods_at = at;
    error = read_members(cls, &at, &cls->methods, &cls->method_count);
    if (error)
        return error;
    cls->after_methods = at;
    return check_tail(cls);
}

int canon_class_open(struct canon_class *cls, const void *data, size_t length)
{
    int error = canon_class_open_pool(cls, data, length);
    if (error)
        return error;
    error = canon_class_open_members(cls);
    if (error)
        canon_class_close(cls);
    return error;
}

void canon_class_close(struct canon_class *cls)
{
    free(cls->pool);
    free(cls->fields);
    free(cls->methods);
    *cls = (struct canon_class){0};
}
