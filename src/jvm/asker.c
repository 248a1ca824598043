/* asker.c: see asker.h. */
#include "jvm/asker.h"

#include "classfile/bytes.h"
#include "classfile/class.h"
#include "classfile/opcode.h"
#include "jvm/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_FRAMES = 3, INLINED = 10 }; /* enterLoad0, enterLoad, loadClass */

/* ---- the instruction at which the caller is ------------------------------------------------------------ */

/* The caller of loadClass, or whom the JVM interrupted for it; false: there is none. */
static bool find_caller(jmethodID *method, jlocation *location)
{
    return !(*canon_agent.jvmti)->GetFrameLocation(canon_agent.jvmti, NULL, OWN_FRAMES, method, location);
}

/* The instruction and the two bytes behind it, which may be an index; false: there is none, as in a native.
 */
static bool find_instruction(jmethodID method, jlocation location, uint8_t *opcode, uint32_t *index)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jint count = 0;
    unsigned char *bytes = NULL;
    if (location < 0 || (*jvmti)->GetBytecodes(jvmti, method, &count, &bytes))
        return false;
    bool found = location < count;
    if (found) {
        *opcode = bytes[location];
        *index = location + 2 < count ? get_u2(bytes + location + 1) : 0;
    }
    (*jvmti)->Deallocate(jvmti, bytes);
    return found;
}

/* Constants of a class as JVMTI hands them out: like those of a class file, but without a class around. */
struct constants {
    unsigned char *bytes;
    uint32_t size;
    uint32_t count;
};

static uint32_t constant_size(const uint8_t *at)
{
    switch (*at) {
    case CANON_CONSTANT_UTF8:
        return 3 + get_u2(at + 1);
    case CANON_CONSTANT_CLASS:
    case CANON_CONSTANT_STRING:
    case CANON_CONSTANT_METHOD_TYPE:
    case CANON_CONSTANT_MODULE:
    case CANON_CONSTANT_PACKAGE:
        return 3;
    case CANON_CONSTANT_METHOD_HANDLE:
        return 4;
    case CANON_CONSTANT_LONG:
    case CANON_CONSTANT_DOUBLE:
        return 9;
    default:
        return 5;
    }
}

/* The constant with that index; one of no kind if there is none. */
static const uint8_t *constant(const struct constants *constants, uint32_t index)
{
    static const uint8_t NONE[5];
    uint32_t at = 0;
    for (uint32_t i = 1; i < constants->count && at + 5 <= constants->size;) {
        const uint8_t *here = constants->bytes + at;
        if (i == index)
            return here;
        i += *here == CANON_CONSTANT_LONG || *here == CANON_CONSTANT_DOUBLE ? 2 : 1;
        at += constant_size(here);
    }
    return NONE;
}

static struct canon_utf8 text_of(const struct constants *constants, uint32_t index)
{
    const uint8_t *at = constant(constants, index);
    uint32_t length = *at == CANON_CONSTANT_UTF8 ? get_u2(at + 1) : 0;
    return (struct canon_utf8){(const char *)at + 3, length};
}

/* What a call refers to. */
static struct canon_ref called(const struct constants *constants, uint32_t index)
{
    const uint8_t *ref = constant(constants, index);
    const uint8_t *owner = constant(constants, get_u2(ref + 1));
    const uint8_t *name = constant(constants, get_u2(ref + 3));
    return (struct canon_ref){.owner = text_of(constants, get_u2(owner + 1)),
                              .name = text_of(constants, get_u2(name + 1)),
                              .descriptor = text_of(constants, get_u2(name + 3))};
}

/* "a.b.C" and "a/b/C". */
static bool same_class(const char *class, struct canon_utf8 name)
{
    bool same = strlen(class) == name.length;
    for (uint32_t i = 0; same && i < name.length; i++)
        same = class[i] == name.text[i] || (class[i] == '.' && name.text[i] == '/');
    return same;
}

/* A call of loadClass, by its name or by a method handle; not one for whose sake `class` itself is needed. */
static bool calls_load(const struct constants *constants, uint32_t index, const char *class)
{
    struct canon_ref ref = called(constants, index);
    if (canon_utf8_is(ref.owner, "java/lang/invoke/MethodHandle"))
        return true;
    return canon_utf8_is(ref.name, "loadClass") && !same_class(class, ref.owner) &&
           canon_utf8_is(ref.descriptor, "(Ljava/lang/String;)Ljava/lang/Class;");
}

/* Reflection calls methods by natives of this name. */
static bool is_reflection(jmethodID method)
{
    char *name = NULL;
    bool is = !(*canon_agent.jvmti)->GetMethodName(canon_agent.jvmti, method, &name, NULL, NULL) &&
              strcmp(name, "invoke0") == 0;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)name);
    return is;
}

bool canon_asker_is_code(JNIEnv *env, const char *class)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jmethodID method;
    jlocation location;
    uint8_t opcode;
    uint32_t index;
    if (!find_caller(&method, &location))
        return false;
    if (!find_instruction(method, location, &opcode, &index))
        return is_reflection(method);
    if (canon_opcode_kind(opcode) != CANON_KIND_INVOKE)
        return false;
    jclass owner = NULL;
    jint count = 0, size = 0;
    unsigned char *bytes = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &owner) ||
        (*jvmti)->GetConstantPool(jvmti, owner, &count, &size, &bytes))
        return false;
    const struct constants constants = {bytes, (uint32_t)size, (uint32_t)count};
    bool is = calls_load(&constants, index, class);
    (*jvmti)->Deallocate(jvmti, bytes);
    (*env)->DeleteLocalRef(env, owner);
    return is;
}

/* ---- the compiler -------------------------------------------------------------------------------------- */

static bool has_in_signature(jmethodID method, const char *descriptor)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    char *signature = NULL;
    bool has = !(*jvmti)->GetMethodName(jvmti, method, NULL, &signature, NULL) && signature &&
               strstr(signature, descriptor);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return has;
}

/* Methods are compiled when they are called once too often, or when a loop goes round once too often. */
static bool is_where_methods_are_compiled(void)
{
    jmethodID method;
    jlocation location;
    uint8_t opcode;
    uint32_t index;
    if (!find_caller(&method, &location) || !find_instruction(method, location, &opcode, &index))
        return false;
    switch (canon_opcode_kind(opcode)) {
    case CANON_KIND_IF:
    case CANON_KIND_GOTO:
    case CANON_KIND_GOTO_W:
        return true;
    case CANON_KIND_PLAIN:
    case CANON_KIND_LOCAL:
        return location == 0;
    default:
        return false;
    }
}

/* The stack shows the method, or what it has inlined, as the caller of loadClass. */
bool canon_asker_is_compiler(const char *class, bool surely)
{
    jvmtiFrameInfo frames[INLINED];
    jint count = 0;
    char *descriptor;
    if ((surely && !is_where_methods_are_compiled()) ||
        (*canon_agent.jvmti)->GetStackTrace(canon_agent.jvmti, NULL, OWN_FRAMES, INLINED, frames, &count) ||
        asprintf(&descriptor, "L%s;", class) < 0)
        return false;
    for (char *at = descriptor; *at; at++)
        *at = *at == '.' ? '/' : *at;
    bool found = false;
    for (jint i = 0; i < count && !found; i++)
        found = has_in_signature(frames[i].method, descriptor);
    free(descriptor);
    return found;
}
