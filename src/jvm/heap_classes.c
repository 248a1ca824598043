/*
 * heap_classes.c: see heap_classes.h. JVMTI numbers the fields of an object like this: those of all
 * interfaces of its class first, then those that java.lang.Object declares, and so on down to the class
 * itself; static ones have numbers, too.
 */
#include "jvm/heap_classes.h"

#include "base/error.h"
#include "jvm/heap_rules.h"

#include <stdlib.h>
#include <string.h>

static void find_field(jclass class, const char *signature, jfieldID id, struct canon_heap_fields *field)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    char *name = NULL, *type = NULL;
    jint modifiers = 0;
    *field = (struct canon_heap_fields){.id = id, .type = 'I'};
    if (!(*jvmti)->GetFieldName(jvmti, class, id, &name, &type, NULL) &&
        !(*jvmti)->GetFieldModifiers(jvmti, class, id, &modifiers)) {
        field->type = type[0];
        field->is_static = modifiers & 0x0008;
        field->is_canons = modifiers & 0x1000 && strncmp(name, "canon", 5) == 0;
        field->counts = !field->is_canons && canon_heap_field_counts(signature, name, type[0]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)type);
}

static int find_fields(struct canon_heap_class_info *info)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jfieldID *ids = NULL;
    jint count = 0;
    if ((*jvmti)->GetClassFields(jvmti, info->class, &count, &ids))
        return 0; /* an array; or a class that is not ready, and has no instances */
    info->fields = calloc((size_t)count + 1, sizeof *info->fields);
    if (info->fields) {
        info->count = (uint32_t)count;
        for (jint i = 0; i < count; i++)
            find_field(info->class, info->signature, ids[i], &info->fields[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
    return info->fields ? 0 : CANON_E_NOMEM;
}

/* The loader of the program's own classes, which are never unloaded; it may be one of the program's. */
static bool is_system_loader(JNIEnv *env, jobject loader)
{
    jclass class = (*env)->GetObjectClass(env, loader);
    jfieldID field = (*env)->GetStaticFieldID(env, class, "scl", "Ljava/lang/ClassLoader;");
    jobject system = field ? (*env)->GetStaticObjectField(env, class, field) : NULL;
    (*env)->ExceptionClear(env);
    bool same = system && (*env)->IsSameObject(env, system, loader);
    (*env)->DeleteLocalRef(env, system);
    (*env)->DeleteLocalRef(env, class);
    return same;
}

static bool is_of_class(jobject object, JNIEnv *env, const char *signature)
{
    char *own = NULL;
    jclass class = (*env)->GetObjectClass(env, object);
    bool same = !(*canon_agent.jvmti)->GetClassSignature(canon_agent.jvmti, class, &own, NULL) &&
                strcmp(own, signature) == 0;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)own);
    (*env)->DeleteLocalRef(env, class);
    return same;
}

/* Classes of the JDK come from the boot loader and the one below. */
static enum canon_heap_statics statics_of_loader(JNIEnv *env, jobject loader)
{
    if (!loader || is_of_class(loader, env, "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;"))
        return CANON_STATICS_IGNORED;
    return is_of_class(loader, env, "Ljdk/internal/loader/ClassLoaders$AppClassLoader;") ||
                   is_system_loader(env, loader)
               ? CANON_STATICS_ROOTS
               : CANON_STATICS_BY_REACH;
}

static enum canon_heap_statics find_statics(JNIEnv *env, const struct canon_heap_class_info *info)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jobject loader = NULL;
    jint status = 0;
    if (!canon_heap_has_statics(info->signature) || (*jvmti)->GetClassStatus(jvmti, info->class, &status) ||
        !(status & JVMTI_CLASS_STATUS_INITIALIZED) || (*jvmti)->GetClassLoader(jvmti, info->class, &loader))
        return CANON_STATICS_IGNORED;
    enum canon_heap_statics statics = statics_of_loader(env, loader);
    (*env)->DeleteLocalRef(env, loader);
    return statics;
}

static int find_class(JNIEnv *env, struct canon_graph *graph, uint32_t number,
                      struct canon_heap_class_info *info)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, info->class, &signature, NULL) ||
        (*jvmti)->SetTag(jvmti, info->class, CANON_CLASS_TAG(number)))
        return CANON_E_UNSUPPORTED;
    info->signature = strdup(signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    char *name = info->signature ? canon_heap_class_name(info->signature) : NULL;
    if (!name)
        return CANON_E_NOMEM;
    info->number = canon_graph_class(graph, name);
    free(name);
    info->statics = find_statics(env, info);
    return find_fields(info);
}

/* ---- numbers of fields ----------------------------------------------------------------------------------
 */

/* The class behind a local reference, which it takes; NULL for none. */
static struct canon_heap_class_info *info_of(JNIEnv *env, struct canon_heap_classes *classes, jclass class)
{
    jlong tag = 0;
    if (class)
        (*canon_agent.jvmti)->GetTag(canon_agent.jvmti, class, &tag);
    (*env)->DeleteLocalRef(env, class);
    return tag & 1 && (uint64_t)(tag >> 1) < classes->count ? &classes->classes[tag >> 1] : NULL;
}

/* Interfaces that were counted already; few, even where classes have many. */
struct seen {
    const struct canon_heap_class_info *all[1024];
    size_t count;
};

static uint32_t interface_fields(JNIEnv *env, struct canon_heap_classes *classes,
                                 const struct canon_heap_class_info *info, struct seen *seen)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jclass *interfaces = NULL;
    jint count = 0;
    uint32_t fields = 0;
    if ((*jvmti)->GetImplementedInterfaces(jvmti, info->class, &count, &interfaces))
        return 0;
    for (jint i = 0; i < count; i++) {
        const struct canon_heap_class_info *next = info_of(env, classes, interfaces[i]);
        size_t at = 0;
        while (at < seen->count && seen->all[at] != next)
            at++;
        if (!next || at < seen->count || at == sizeof seen->all / sizeof *seen->all)
            continue;
        seen->all[seen->count++] = next;
        fields += next->count + interface_fields(env, classes, next, seen);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)interfaces);
    return fields;
}

/* The class and its superclasses, itself first; returns how many. */
static size_t line_of(JNIEnv *env, struct canon_heap_classes *classes, struct canon_heap_class_info *info,
                      struct canon_heap_class_info **line, size_t most)
{
    size_t count = 0;
    while (info && count < most) {
        line[count++] = info;
        info = info_of(env, classes, (*env)->GetSuperclass(env, info->class));
    }
    return count;
}

static int number_fields(JNIEnv *env, struct canon_heap_classes *classes, struct canon_heap_class_info *info)
{
    struct canon_heap_class_info *line[256];
    struct seen seen = {.count = 0};
    size_t count = info->fields ? line_of(env, classes, info, line, sizeof line / sizeof *line) : 0;
    for (size_t i = 0; i < count; i++) {
        info->before += interface_fields(env, classes, line[i], &seen);
        info->total += line[i]->count;
    }
    info->places = calloc(info->total + 1, sizeof *info->places);
    if (!info->places)
        return CANON_E_NOMEM;
    uint32_t at = 0, place = 0;
    for (size_t i = count; i-- > 0;)
        for (uint32_t k = 0; k < line[i]->count; k++, at++) {
            place += !line[i]->fields[k].is_canons;
            info->places[at] = line[i]->fields[k].counts ? place : 0;
        }
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- */

int canon_heap_classes_find(JNIEnv *env, struct canon_graph *graph, struct canon_heap_classes *classes)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jclass *loaded = NULL;
    jint count = 0;
    *classes = (struct canon_heap_classes){0};
    if ((*jvmti)->GetLoadedClasses(jvmti, &count, &loaded))
        return CANON_E_UNSUPPORTED;
    classes->classes = calloc((size_t)count + 1, sizeof *classes->classes);
    int status = classes->classes ? 0 : CANON_E_NOMEM;
    classes->count = status ? 0 : (uint32_t)count;
    for (uint32_t i = 0; i < classes->count && !status; i++) {
        classes->classes[i].class = loaded[i];
        status = find_class(env, graph, i, &classes->classes[i]);
    }
    for (uint32_t i = 0; i < classes->count && !status; i++)
        status = number_fields(env, classes, &classes->classes[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)loaded);
    return status;
}

void canon_heap_classes_free(struct canon_heap_classes *classes)
{
    for (uint32_t i = 0; i < classes->count; i++) {
        free(classes->classes[i].signature);
        free(classes->classes[i].fields);
        free(classes->classes[i].places);
    }
    free(classes->classes);
}
