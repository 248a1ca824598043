/* code.c: see code.h. */
#include "classfile/code.h"

#include "classfile/bytes.h"

int canon_code_open(const struct canon_class *cls, const struct canon_member *method, struct canon_code *code)
{
    if (!method->code)
        return 0;
    const uint8_t *at = cls->data + method->code;
    uint32_t length = get_u4(at + 2);
    at += 6;
    const uint8_t *end = at + length; /* inside the file: the member was read before */
    if (length < 12)
        return CANON_E_TRUNCATED;
    *code = (struct canon_code){
        .max_stack = get_u2(at), .max_locals = get_u2(at + 2), .length = get_u4(at + 4), .bytes = at + 8};
    if (code->length == 0 || code->length > 65535)
        return CANON_E_FORMAT;
    if ((size_t)(end - code->bytes) < (size_t)code->length + 4)
        return CANON_E_TRUNCATED;
    at = code->bytes + code->length;
    code->exception_count = get_u2(at);
    code->exceptions = at + 2;
    if ((size_t)(end - code->exceptions) < 8u * code->exception_count + 2)
        return CANON_E_TRUNCATED;
    at = code->exceptions + 8u * code->exception_count;
    code->attributes = (struct canon_attributes){at + 2, end, get_u2(at)};
    return 1;
}

static uint32_t tableswitch_length(const struct canon_code *code, uint32_t pc)
{
    uint32_t at = (pc + 4) & ~3u;
    if (code->length < at + 12)
        return 0;
    int64_t count = (int64_t)get_s4(code->bytes + at + 8) - get_s4(code->bytes + at + 4) + 1;
    if (count < 1 || count > (code->length - at - 12) / 4)
        return 0;
    return at + 12 + 4 * (uint32_t)count - pc;
}

static uint32_t lookupswitch_length(const struct canon_code *code, uint32_t pc)
{
    uint32_t at = (pc + 4) & ~3u;
    if (code->length < at + 8)
        return 0;
    int32_t count = get_s4(code->bytes + at + 4);
    if (count < 0 || (uint32_t)count > (code->length - at - 8) / 8)
        return 0;
    return at + 8 + 8 * (uint32_t)count - pc;
}

uint32_t canon_code_variable_length(const struct canon_code *code, uint32_t pc)
{
    switch (code->bytes[pc]) {
    case CANON_OP_TABLESWITCH:
        return tableswitch_length(code, pc);
    case CANON_OP_LOOKUPSWITCH:
        return lookupswitch_length(code, pc);
    case CANON_OP_WIDE:
        break;
    default:
        return 0;
    }
    if (pc + 1 >= code->length)
        return 0;
    uint8_t widened = code->bytes[pc + 1];
    if (widened == CANON_OP_IINC)
        return 6;
    enum canon_op_kind kind = canon_opcode_kind(widened);
    return kind == CANON_KIND_LOCAL || kind == CANON_KIND_RET ? 4 : 0;
}

uint32_t canon_insn_pool_index(const struct canon_insn *insn)
{
    switch (canon_opcode_kind(insn->opcode)) {
    case CANON_KIND_LDC:
        return insn->at[1];
    case CANON_KIND_POOL:
    case CANON_KIND_FIELD:
    case CANON_KIND_INVOKE:
        return get_u2(insn->at + 1);
    default:
        return 0;
    }
}

int canon_descriptor_next(struct canon_utf8 *rest, struct canon_utf8 *type)
{
    if (rest->length == 0 || rest->text[0] == ')')
        return 0;
    uint32_t at = 0;
    while (at < rest->length && rest->text[at] == '[')
        at++;
    if (at == rest->length || at > 255)
        return CANON_E_FORMAT;
    if (rest->text[at] == 'L') {
        const char *end = memchr(rest->text + at, ';', rest->length - at);
        if (!end || end == rest->text + at + 1)
            return CANON_E_FORMAT;
        at = (uint32_t)(end - rest->text);
    } else if (!memchr("ZBCSIJFD", rest->text[at], 8)) {
        return CANON_E_FORMAT;
    }
    *type = (struct canon_utf8){rest->text, at + 1};
    rest->text += at + 1;
    rest->length -= at + 1;
    return 1;
}

int canon_signature_parse(struct canon_utf8 descriptor, struct canon_signature *signature)
{
    if (descriptor.length < 3 || descriptor.text[0] != '(')
        return CANON_E_FORMAT;
    struct canon_utf8 rest = {descriptor.text + 1, descriptor.length - 1};
    struct canon_utf8 type;
    uint32_t slots = 0;
    int more;
    while ((more = canon_descriptor_next(&rest, &type)) > 0)
        slots += canon_type_slots(type.text[0]);
    if (more < 0 || rest.length < 2 || slots > 255)
        return CANON_E_FORMAT;
    rest.text++; /* the ')' */
    rest.length--;
    signature->slots = (uint16_t)slots;
    signature->result = rest.text[0];
    if (rest.text[0] == 'V')
        return rest.length == 1 ? 0 : CANON_E_FORMAT;
    return canon_descriptor_next(&rest, &type) == 1 && rest.length == 0 ? 0 : CANON_E_FORMAT;
}
