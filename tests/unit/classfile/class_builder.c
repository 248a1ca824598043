/* class_builder.c: see class_builder.h. Shares no code with what is tested but the buffer. */
#include "class_builder.h"

static void put(struct canon_buffer *to, uint32_t value, int size)
{
    for (int i = size - 1; i >= 0; i--) {
        uint8_t byte = (uint8_t)(value >> (8 * i));
        canon_buffer_put(to, &byte, 1);
    }
}

uint16_t builder_utf8(struct builder *b, const char *text)
{
    put(&b->pool, CANON_CONSTANT_UTF8, 1);
    put(&b->pool, (uint32_t)strlen(text), 2);
    canon_buffer_put(&b->pool, text, strlen(text));
    return b->pool_count++;
}

uint16_t builder_class(struct builder *b, const char *name)
{
    uint16_t text = builder_utf8(b, name);
    put(&b->pool, CANON_CONSTANT_CLASS, 1);
    put(&b->pool, text, 2);
    return b->pool_count++;
}

uint16_t builder_string(struct builder *b, const char *value)
{
    uint16_t text = builder_utf8(b, value);
    put(&b->pool, CANON_CONSTANT_STRING, 1);
    put(&b->pool, text, 2);
    return b->pool_count++;
}

uint16_t builder_ref(struct builder *b, uint8_t tag, const char *owner, const char *name,
                     const char *descriptor)
{
    uint16_t owner_index = builder_class(b, owner);
    uint16_t name_index = builder_utf8(b, name);
    uint16_t descriptor_index = builder_utf8(b, descriptor);
    put(&b->pool, CANON_CONSTANT_NAME_AND_TYPE, 1);
    put(&b->pool, name_index, 2);
    put(&b->pool, descriptor_index, 2);
    uint16_t name_and_type = b->pool_count++;
    put(&b->pool, tag, 1);
    put(&b->pool, owner_index, 2);
    put(&b->pool, name_and_type, 2);
    return b->pool_count++;
}

void builder_start(struct builder *b, uint16_t major, const char *name, const char *super)
{
    *b = (struct builder){.pool_count = 1, .major = major};
    b->this_index = builder_class(b, name);
    b->super_index = super ? builder_class(b, super) : 0;
}

void builder_field(struct builder *b, uint16_t access, const char *name, const char *descriptor)
{
    put(&b->fields, access, 2);
    put(&b->fields, builder_utf8(b, name), 2);
    put(&b->fields, builder_utf8(b, descriptor), 2);
    put(&b->fields, 0, 2);
    b->field_count++;
}

static int put_attribute(struct builder *b, struct canon_buffer *to, const char *name, struct bytes contents)
{
    if (!contents.data)
        return 0;
    put(to, builder_utf8(b, name), 2);
    put(to, (uint32_t)contents.length, 4);
    canon_buffer_put(to, contents.data, contents.length);
    return 1;
}

static void put_code(struct builder *b, const struct builder_code *code, struct canon_buffer *to)
{
    struct canon_buffer attributes = {0};
    int count = put_attribute(b, &attributes, "LineNumberTable", code->lines);
    count += put_attribute(b, &attributes, "LocalVariableTable", code->variables);
    count += put_attribute(b, &attributes, "StackMapTable", code->frames);
    count += put_attribute(b, &attributes, "RuntimeVisibleTypeAnnotations", code->annotations);
    put(to, code->stack, 2);
    put(to, code->locals, 2);
    put(to, (uint32_t)code->bytes.length, 4);
    canon_buffer_put(to, code->bytes.data, code->bytes.length);
    put(to, (uint32_t)code->exceptions.length / 8, 2);
    canon_buffer_put(to, code->exceptions.data, code->exceptions.length);
    put(to, (uint32_t)count, 2);
    canon_buffer_put(to, attributes.data, attributes.used);
    canon_buffer_free(&attributes);
}

void builder_method(struct builder *b, uint16_t access, const char *name, const char *descriptor,
                    const struct builder_code *code)
{
    put(&b->methods, access, 2);
    put(&b->methods, builder_utf8(b, name), 2);
    put(&b->methods, builder_utf8(b, descriptor), 2);
    put(&b->methods, code != NULL, 2);
    b->method_count++;
    if (!code)
        return;
    struct canon_buffer contents = {0};
    put_code(b, code, &contents);
    put_attribute(b, &b->methods, "Code", (struct bytes){contents.data, contents.used});
    canon_buffer_free(&contents);
}

void builder_finish(struct builder *b)
{
    struct canon_buffer *to = &b->file;
    put(to, 0xCAFEBABE, 4);
    put(to, 3, 2); /* so that major 45 is 45.3 */
    put(to, b->major, 2);
    put(to, b->pool_count, 2);
    canon_buffer_put(to, b->pool.data, b->pool.used);
    put(to, CANON_ACC_PUBLIC | 0x20, 2);
    put(to, b->this_index, 2);
    put(to, b->super_index, 2);
    put(to, b->interface != 0, 2);
    if (b->interface)
        put(to, b->interface, 2);
    put(to, b->field_count, 2);
    canon_buffer_put(to, b->fields.data, b->fields.used);
    put(to, b->method_count, 2);
    canon_buffer_put(to, b->methods.data, b->methods.used);
    put(to, 0, 2); /* attributes */
}

void builder_free(struct builder *b)
{
    canon_buffer_free(&b->pool);
    canon_buffer_free(&b->fields);
    canon_buffer_free(&b->methods);
    canon_buffer_free(&b->file);
}
