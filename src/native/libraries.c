/*
 * libraries.c: see libraries.h. A library is known by its build id, which the linker has made of its
 * contents, and the size of its file: to read the files would take longer than to start the program.
 */
#include "native/libraries.h"

#include "native/native.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

static uint64_t build_id(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const char *at = (const char *)info->dlpi_addr + segment->p_vaddr, *end = at + segment->p_memsz;
        while (segment->p_type == PT_NOTE && end - at >= (long)sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *note, *bytes = name + ((note->n_namesz + 3) & ~3u);
            if (bytes > end || note->n_descsz > (size_t)(end - bytes))
                break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
                return XXH3_64bits(bytes, note->n_descsz);
            at = bytes + ((note->n_descsz + 3) & ~3u);
        }
    }
    return 0;
}

/* A text for each library: its identity, a blank, its path. False for what is none. */
static bool describe(const struct dl_phdr_info *info, char *text, size_t size)
{
    struct stat about;
    if (info->dlpi_name[0] != '/' || strstr(info->dlpi_name, "libcanon-native") ||
        stat(info->dlpi_name, &about))
        return false;
    uint64_t identity = build_id(info) ^ (uint64_t)about.st_size * 0x9e3779b97f4a7c15u;
    return (size_t)snprintf(text, size, "%016llx %s", (unsigned long long)identity, info->dlpi_name) < size;
}

static int add(struct dl_phdr_info *info, size_t size, void *process)
{
    char text[4200];
    (void)size;
    if (describe(info, text, sizeof text))
        canon_process_add(process, CANON_PROCESS_LIBRARY, text);
    return 0;
}

void canon_libraries_add(struct canon_process *process)
{
    dl_iterate_phdr(add, process);
}

/* The recorded text of the library at that path, or NULL. */
static const char *recorded_at(const struct canon_process *process, const char *path)
{
    for (size_t i = 0; i < process->count; i++) {
        const char *blank = strchr(process->entries[i].text, ' ');
        if (process->entries[i].item == CANON_PROCESS_LIBRARY && blank && strcmp(blank + 1, path) == 0)
            return process->entries[i].text;
    }
    return NULL;
}

static int check(struct dl_phdr_info *info, size_t size, void *process)
{
    char text[4200];
    (void)size;
    if (!describe(info, text, sizeof text))
        return 0;
    const char *recorded = recorded_at(process, info->dlpi_name);
    if (!recorded)
        canon_native_give_up("the program is started with a library that it did not have: %s",
                             info->dlpi_name);
    if (strcmp(recorded, text) != 0)
        canon_native_give_up("%s is not the library that was recorded: the file has changed",
                             info->dlpi_name);
    return 0;
}

void canon_libraries_check(const struct canon_process *process)
{
    dl_iterate_phdr(check, (void *)process);
}
