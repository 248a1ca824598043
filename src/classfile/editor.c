/* editor.c: see editor.h: life cycle, constants, members, and writing the class. */
#include "classfile/editor_internal.h"

#include "base/assert.h"
#include "base/error.h"
#include "classfile/bytes.h"

#include <stdlib.h>

int canon_editor_open(struct canon_editor **editor, const struct canon_class *cls)
{
    *editor = calloc(1, sizeof **editor);
    if (!*editor)
        return CANON_E_NOMEM;
    (*editor)->cls = cls;
    canon_pool_open(&(*editor)->pool, cls);
    (*editor)->methods = canon_arena_take_zeroed(&(*editor)->arena, cls->method_count * sizeof(void *));
    return 0;
}

void canon_editor_close(struct canon_editor *editor)
{
    if (!editor)
        return;
    canon_pool_close(&editor->pool);
    canon_arena_free(&editor->arena);
    canon_buffer_free(&editor->new_fields);
    canon_buffer_free(&editor->new_methods);
    free(editor);
}

void canon_editor_leave_too_big(struct canon_editor *editor)
{
    editor->leave_too_big = true;
}

uint32_t canon_editor_left_alone(const struct canon_editor *editor)
{
    return editor->left_alone;
}

const struct canon_member *canon_editor_failed_method(const struct canon_editor *editor)
{
    return editor->failed;
}

int canon_editor_utf8(struct canon_editor *editor, struct canon_utf8 text)
{
    return canon_pool_utf8(&editor->pool, text);
}

int canon_editor_class(struct canon_editor *editor, struct canon_utf8 name)
{
    return canon_pool_one(&editor->pool, CANON_CONSTANT_CLASS, canon_editor_utf8(editor, name));
}

int canon_editor_string(struct canon_editor *editor, struct canon_utf8 text)
{
    return canon_pool_one(&editor->pool, CANON_CONSTANT_STRING, canon_editor_utf8(editor, text));
}

int canon_editor_int(struct canon_editor *editor, int32_t value)
{
    return canon_pool_int(&editor->pool, value);
}

int canon_editor_long(struct canon_editor *editor, int64_t value)
{
    return canon_pool_long(&editor->pool, value);
}

int canon_editor_name_and_type(struct canon_editor *editor, struct canon_utf8 name,
                               struct canon_utf8 descriptor)
{
    int first = canon_editor_utf8(editor, name);
    int second = canon_editor_utf8(editor, descriptor);
    return canon_pool_two(&editor->pool, CANON_CONSTANT_NAME_AND_TYPE, first, second);
}

int canon_editor_ref(struct canon_editor *editor, uint8_t tag, struct canon_utf8 owner,
                     struct canon_utf8 name, struct canon_utf8 descriptor)
{
    if (tag < CANON_CONSTANT_FIELDREF || tag > CANON_CONSTANT_INTERFACE_METHODREF)
        return CANON_E_INVALID;
    int first = canon_editor_class(editor, owner);
    int second = canon_editor_name_and_type(editor, name, descriptor);
    return canon_pool_two(&editor->pool, tag, first, second);
}

int canon_editor_call(struct canon_editor *editor, const char *owner, const char *name,
                      const char *descriptor, struct canon_call *call)
{
    struct canon_signature signature;
    int error = canon_signature_parse(canon_utf8_from(descriptor), &signature);
    if (error)
        return CANON_E_INVALID;
    int index = canon_editor_ref(editor, CANON_CONSTANT_METHODREF, canon_utf8_from(owner),
                                 canon_utf8_from(name), canon_utf8_from(descriptor));
    if (index < 0)
        return index;
    *call = (struct canon_call){
        .index = (uint16_t)index,
        .pops = signature.slots,
        .pushes = (uint8_t)canon_type_slots(signature.result),
        .result = signature.result,
    };
    return 0;
}

int canon_editor_redirect_handle(struct canon_editor *editor, uint32_t index, const struct canon_call *call)
{
    const struct canon_class *cls = editor->cls;
    if (canon_class_tag(cls, index) != CANON_CONSTANT_METHOD_HANDLE)
        return CANON_E_INVALID;
    const uint8_t *constant = cls->data + cls->pool[index];
    uint8_t kind = constant[1];
    if (kind != CANON_HANDLE_VIRTUAL && kind != CANON_HANDLE_STATIC && kind != CANON_HANDLE_INTERFACE)
        return CANON_E_UNSUPPORTED;
    struct canon_ref ref;
    int error = canon_class_ref(cls, get_u2(constant + 2), &ref);
    if (!error)
        error = canon_method_check_call(ref.descriptor, kind != CANON_HANDLE_STATIC, call);
    if (error)
        return error;
    struct handle_patch *patch = canon_arena_take(&editor->arena, sizeof *patch);
    *patch = (struct handle_patch){editor->handles, cls->pool[index], call->index};
    editor->handles = patch;
    return 0;
}

/* The three numbers that open a field or method. */
static int put_member(struct canon_editor *editor, struct canon_buffer *to, uint16_t access, const char *name,
                      const char *descriptor)
{
    int name_index = canon_editor_utf8(editor, canon_utf8_from(name));
    int descriptor_index = canon_editor_utf8(editor, canon_utf8_from(descriptor));
    if (name_index < 0)
        return name_index;
    if (descriptor_index < 0)
        return descriptor_index;
    put_u2(to, access);
    put_u2(to, (uint32_t)name_index);
    put_u2(to, (uint32_t)descriptor_index);
    return 0;
}

int canon_editor_add_field(struct canon_editor *editor, uint16_t access, const char *name,
                           const char *descriptor)
{
    if (editor->cls->field_count + editor->new_field_count >= UINT16_MAX)
        return CANON_E_LIMIT;
    int error = put_member(editor, &editor->new_fields, access, name, descriptor);
    if (error)
        return error;
    put_u2(&editor->new_fields, 0); /* attributes */
    editor->new_field_count++;
    return 0;
}

int canon_editor_add_method(struct canon_editor *editor, uint16_t access, const char *name,
                            const char *descriptor, const struct canon_snippet *code, uint16_t locals)
{
    if (code->error)
        return code->error;
    if (code->length == 0 || editor->cls->method_count + editor->new_method_count >= UINT16_MAX)
        return code->length ? CANON_E_LIMIT : CANON_E_INVALID;
    int attribute = canon_editor_utf8(editor, canon_utf8_from("Code"));
    if (attribute < 0)
        return attribute;
    struct canon_buffer *to = &editor->new_methods;
    int error = put_member(editor, to, access, name, descriptor);
    if (error)
        return error;
    put_u2(to, 1); /* attributes */
    put_u2(to, (uint32_t)attribute);
    put_u4(to, 12 + code->length);
    put_u2(to, (uint32_t)code->max_depth);
    put_u2(to, locals);
    put_u4(to, code->length);
    canon_buffer_put(to, code->bytes, code->length);
    put_u4(to, 0); /* exception ranges, attributes */
    editor->new_method_count++;
    return 0;
}

/* Puts the class's bytes from `from` up to `to_offset`. */
static void put_original(const struct canon_editor *editor, struct canon_buffer *to, uint32_t from,
                         uint32_t to_offset)
{
    canon_buffer_put(to, editor->cls->data + from, to_offset - from);
}

static int write_method(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to)
{
    size_t start = to->used;
    int error = canon_method_write(editor, edit, to);
    if (error == CANON_E_LIMIT && editor->leave_too_big) {
        to->used = start;
        put_original(editor, to, edit->member->offset, edit->member->end);
        editor->left_alone++;
        return 0;
    }
    if (error)
        editor->failed = edit->member;
    return error;
}

/* Everything behind the constant pool; unedited stretches are copied as they are. */
static int write_body(struct canon_editor *editor, struct canon_buffer *to)
{
    const struct canon_class *cls = editor->cls;
    put_original(editor, to, cls->after_pool, cls->fields_at);
    put_u2(to, cls->field_count + editor->new_field_count);
    put_original(editor, to, cls->fields_at + 2, cls->methods_at);
    canon_buffer_put(to, editor->new_fields.data, editor->new_fields.used);
    put_u2(to, cls->method_count + editor->new_method_count);
    uint32_t copied = cls->methods_at + 2;
    for (uint32_t i = 0; editor->any_method && i < cls->method_count; i++) {
        struct method_edit *edit = editor->methods[i];
        if (!edit)
            continue;
        put_original(editor, to, copied, edit->member->offset);
        copied = edit->member->end;
        int error = write_method(editor, edit, to);
        if (error)
            return error;
    }
    put_original(editor, to, copied, cls->after_methods);
    canon_buffer_put(to, editor->new_methods.data, editor->new_methods.used);
    put_original(editor, to, cls->after_methods, cls->length);
    return 0;
}

int canon_editor_finish(struct canon_editor *editor, uint8_t **data, size_t *length)
{
    if (!editor->any_method && !editor->handles && !editor->new_field_count && !editor->new_method_count)
        return 0;
    struct canon_buffer body = {0};
    canon_buffer_reserve(&body, editor->cls->length + (size_t)editor->cls->length / 2);
    int error = write_body(editor, &body);
    if (error) {
        canon_buffer_free(&body);
        return error;
    }
    /* The pool comes first in the file and is known last: writing methods adds constants. */
    size_t pool_bytes = editor->cls->after_pool;
    *length = pool_bytes + editor->pool.added.used + body.used;
    *data = malloc(*length);
    canon_assert(*data);
    memcpy(*data, editor->cls->data, pool_bytes);
    set_u2(*data + 8, editor->pool.count);
    for (const struct handle_patch *patch = editor->handles; patch; patch = patch->next) {
        (*data)[patch->offset + 1] = CANON_HANDLE_STATIC;
        set_u2(*data + patch->offset + 2, patch->method);
    }
    if (editor->pool.added.used)
        memcpy(*data + pool_bytes, editor->pool.added.data, editor->pool.added.used);
    memcpy(*data + pool_bytes + editor->pool.added.used, body.data, body.used);
    canon_buffer_free(&body);
    return 1;
}
