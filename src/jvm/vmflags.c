/* vmflags.c: see vmflags.h. */
#include "jvm/vmflags.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* A number that libjvm exports under this name; 0 if it does not. */
static uint64_t exported(void *library, const char *name)
{
    const uint64_t *number = dlsym(library, name);
    return number ? *number : 0;
}

/* What the table of structures says of a field: its offset, or where it is if it is static. NULL: nothing. */
static const char *find_field(void *library, const char *type, const char *field)
{
    const char *at = (const char *)exported(library, "gHotSpotVMStructs");
    uint64_t stride = exported(library, "gHotSpotVMStructEntryArrayStride");
    uint64_t type_at = exported(library, "gHotSpotVMStructEntryTypeNameOffset");
    uint64_t field_at = exported(library, "gHotSpotVMStructEntryFieldNameOffset");
    for (; at && stride && *(const char *const *)(at + type_at); at += stride)
        if (strcmp(*(const char *const *)(at + type_at), type) == 0 &&
            strcmp(*(const char *const *)(at + field_at), field) == 0)
            return at;
    return NULL;
}

static uint64_t size_of(void *library, const char *type)
{
    const char *at = (const char *)exported(library, "gHotSpotVMTypes");
    uint64_t stride = exported(library, "gHotSpotVMTypeEntryArrayStride");
    uint64_t type_at = exported(library, "gHotSpotVMTypeEntryTypeNameOffset");
    uint64_t size_at = exported(library, "gHotSpotVMTypeEntrySizeOffset");
    for (; at && stride && *(const char *const *)(at + type_at); at += stride)
        if (strcmp(*(const char *const *)(at + type_at), type) == 0)
            return *(const uint64_t *)(at + size_at);
    return 0;
}

intptr_t *canon_vm_flag(const char *name)
{
    void *library = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return NULL;
    uint64_t static_at = exported(library, "gHotSpotVMStructEntryAddressOffset");
    uint64_t offset_at = exported(library, "gHotSpotVMStructEntryOffsetOffset");
    const char *flags = find_field(library, "JVMFlag", "flags"),
               *count = find_field(library, "JVMFlag", "numFlags");
    const char *names = find_field(library, "JVMFlag", "_name"),
               *values = find_field(library, "JVMFlag", "_addr");
    uint64_t size = size_of(library, "JVMFlag");
    if (!flags || !count || !names || !values || !size)
        return NULL;
    const char *flag = **(const char *const *const *)(flags + static_at);
    uint64_t number = **(const uint64_t *const *)(count + static_at);
    uint64_t name_at = *(const uint64_t *)(names + offset_at),
             value_at = *(const uint64_t *)(values + offset_at);
    for (uint64_t i = 0; i < number; i++, flag += size) {
        const char *known = *(const char *const *)(flag + name_at);
        if (known && strcmp(known, name) == 0)
            return *(intptr_t *const *)(flag + value_at);
    }
    return NULL;
}
