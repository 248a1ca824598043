/*
 * class_builder.h: small class files made by hand, byte by byte.
 *
 *     struct builder b;
 *     builder_start(&b, 61, "Test", "java/lang/Object");
 *     struct builder_code code = {.bytes = BYTES(CANON_OP_RETURN)};
 *     builder_method(&b, CANON_ACC_STATIC, "run", "()V", &code);
 *     builder_finish(&b);
 *     ... b.file.data, b.file.used ...
 *     builder_free(&b);
 */
#ifndef CANON_TESTS_CLASSFILE_CLASS_BUILDER_H
#define CANON_TESTS_CLASSFILE_CLASS_BUILDER_H

#include "base/buffer.h"
#include "classfile/class.h"
#include "classfile/opcode.h"

struct bytes {
    const uint8_t *data;
    size_t length;
};

#define BYTES(...)                                                                                           \
    (struct bytes)                                                                                           \
    {                                                                                                        \
        (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})                               \
    }
/* A big-endian 16-bit number among bytes. */
#define U2(value) (uint8_t)((value) >> 8), (uint8_t)(value)
#define U4(value)                                                                                            \
    (uint8_t)((uint32_t)(value) >> 24), (uint8_t)((uint32_t)(value) >> 16),                                  \
        (uint8_t)((uint32_t)(value) >> 8), (uint8_t)(value)

struct builder {
    struct canon_buffer pool;
    uint16_t pool_count;
    uint16_t major;
    uint16_t this_index;
    uint16_t super_index;
    uint16_t interface; /* 0: none */
    struct canon_buffer fields;
    uint16_t field_count;
    struct canon_buffer methods;
    uint16_t method_count;
    struct canon_buffer file;
};

struct builder_code {
    uint16_t stack, locals;
    struct bytes bytes;
    struct bytes exceptions;  /* rows of 8 bytes */
    struct bytes frames;      /* contents of a StackMapTable */
    struct bytes lines;       /* of a LineNumberTable */
    struct bytes variables;   /* of a LocalVariableTable */
    struct bytes annotations; /* of RuntimeVisibleTypeAnnotations */
};

void builder_start(struct builder *b, uint16_t major, const char *name, const char *super);
uint16_t builder_utf8(struct builder *b, const char *text);
uint16_t builder_class(struct builder *b, const char *name);
uint16_t builder_string(struct builder *b, const char *value);
uint16_t builder_ref(struct builder *b, uint8_t tag, const char *owner, const char *name,
                     const char *descriptor);
void builder_field(struct builder *b, uint16_t access, const char *name, const char *descriptor);
/* `code` may be NULL. */
void builder_method(struct builder *b, uint16_t access, const char *name, const char *descriptor,
                    const struct builder_code *code);
void builder_finish(struct builder *b);
void builder_free(struct builder *b);

#endif
