/* executable.c: see executable.h. */
#include "launch/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const uint8_t *bytes;
    size_t size;
};

static bool has(const struct file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

static const Elf64_Phdr *segment(const struct file *file, const Elf64_Ehdr *header, uint32_t type)
{
    for (int i = 0; i < header->e_phnum; i++) {
        uint64_t at = header->e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);
        if (!has(file, at, sizeof(Elf64_Phdr)))
            return NULL;
        const Elf64_Phdr *found = (const Elf64_Phdr *)(file->bytes + at);
        if (found->p_type == type && has(file, found->p_offset, found->p_filesz))
            return found;
    }
    return NULL;
}

/* A launcher of the JDK is linked with its launcher library: the name is among the names of libraries. */
static bool is_java(const struct file *file)
{
    static const char LIBRARY[] = "libjli.so";
    return memmem(file->bytes, file->size < 1 << 16 ? file->size : 1 << 16, LIBRARY, sizeof LIBRARY) != NULL;
}

static void look_elf(const struct file *file, const struct stat *about, struct canon_executable *found)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->bytes;
    found->kind = CANON_EXECUTABLE_REFUSED;
    if (is_java(file))
        found->kind = CANON_EXECUTABLE_JAVA;
    else if (!has(file, 0, sizeof *header) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
             header->e_machine != EM_X86_64)
        found->refusal = "it is not a program for x86-64";
    else if (about->st_mode & (S_ISUID | S_ISGID))
        found->refusal = "it is set-uid or set-gid: the system keeps other libraries out of it";
    else if (!segment(file, header, PT_INTERP))
        found->refusal = "it is statically linked: there is no loader that would bring canon into it";
    else
        found->kind = CANON_EXECUTABLE_NATIVE;
}

static void look_script(const struct file *file, struct canon_executable *found)
{
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(file->size - 2), (const char *)file->bytes + 2);
    line[strcspn(line, "\n")] = '\0';
    char *at = line + strspn(line, " \t"), *rest;
    char *interpreter = strtok_r(at, " \t", &rest), *option = interpreter ? strtok_r(NULL, "", &rest) : NULL;
    if (!interpreter)
        return;
    found->kind = CANON_EXECUTABLE_SCRIPT;
    snprintf(found->interpreter, sizeof found->interpreter, "%s", interpreter);
    snprintf(found->interpreter_option, sizeof found->interpreter_option, "%s", option ? option : "");
}

void canon_executable_look(const char *path, struct canon_executable *found)
{
    struct stat about;
    *found = (struct canon_executable){.kind = CANON_EXECUTABLE_UNREADABLE};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    struct file file = {0};
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
        found->kind = CANON_EXECUTABLE_UNKNOWN;
        void *map =
            about.st_size > 4 ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
        file = (struct file){map == MAP_FAILED ? NULL : map, (size_t)about.st_size};
    }
    close(fd);
    if (!file.bytes)
        return;
    if (memcmp(file.bytes, ELFMAG, SELFMAG) == 0)
        look_elf(&file, &about, found);
    else if (memcmp(file.bytes, "#!", 2) == 0)
        look_script(&file, found);
    munmap((void *)file.bytes, file.size);
}
