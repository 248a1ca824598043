/* program.c: see program.h. */
#include "cli/program.h"

#include "base/log.h"
#include "cli/cli.h"
#include "launch/protocol.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- finding it ---------------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

/* As execvp does; links are not followed: some programs are told apart by their name. */
static bool find(const char *name, char *path, size_t size)
{
    char here[PATH_MAX], found[PATH_MAX] = "";
    const char *places = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(found, sizeof found, "%s", name);
    } else {
        for (const char *at = places ? places : "/usr/local/bin:/bin:/usr/bin"; *at; at += *at == ':') {
            size_t length = strcspn(at, ":");
            snprintf(found, sizeof found, "%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
            if (is_program(found))
                break;
            at += length;
            found[0] = '\0';
        }
    }
    if (!is_program(found))
        return false;
    int n = found[0] == '/' || !getcwd(here, sizeof here) ? snprintf(path, size, "%s", found)
                                                          : snprintf(path, size, "%s/%s", here, found);
    return n > 0 && (size_t)n < size;
}

/* ---- looking at it ------------------------------------------------------------------------------------- */

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

/* Programs whose work is to start another one, which may be a JVM. */
static const char *const STARTERS[] = {
    "sh",      "bash",  "dash", "ash",     "zsh",    "ksh",    "busybox", "env",     "timeout", "nice",
    "ionice",  "nohup", "chrt", "taskset", "setsid", "stdbuf", "time",    "xargs",   "unshare", "nsenter",
    "setpriv", "su",    "sudo", "runuser", "script", "strace", "numactl", "prlimit",
};

/* A launcher of the JDK is linked with its launcher library: the name is among the names of libraries. */
static bool leads_to_java(const struct file *file, const char *path)
{
    static const char LIBRARY[] = "libjli.so";
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof STARTERS / sizeof *STARTERS; i++)
        if (strcmp(base, STARTERS[i]) == 0)
            return true;
    return memmem(file->bytes, file->size < 1 << 16 ? file->size : 1 << 16, LIBRARY, sizeof LIBRARY) != NULL;
}

static void look_elf(const struct file *file, const struct stat *about, struct canon_program *program)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->bytes;
    program->kind = CANON_PROGRAM_REFUSED;
    if (leads_to_java(file, program->path))
        program->kind = CANON_PROGRAM_JAVA;
    else if (!has(file, 0, sizeof *header) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
             header->e_machine != EM_X86_64)
        program->refusal = "it is not a program for x86-64";
    else if (about->st_mode & (S_ISUID | S_ISGID))
        program->refusal = "it is set-uid or set-gid: the system keeps other libraries out of it";
    else if (!segment(file, header, PT_INTERP))
        program->refusal = "it is statically linked: there is no loader that would bring canon into it";
    else
        program->kind = CANON_PROGRAM_NATIVE;
}

/* Shell scripts may end in a JVM; others are input of their interpreter. */
static void look_script(const struct file *file, struct canon_program *program)
{
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(file->size - 2), (const char *)file->bytes + 2);
    line[strcspn(line, "\n")] = '\0';
    char *at = line + strspn(line, " \t"), *rest;
    char *interpreter = strtok_r(at, " \t", &rest);
    const char *slash = interpreter ? strrchr(interpreter, '/') : NULL, *base = slash ? slash + 1 : "";
    size_t length = strlen(base);
    program->kind = CANON_PROGRAM_JAVA;
    if (!interpreter || (length >= 2 && strcmp(base + length - 2, "sh") == 0) || strcmp(base, "env") == 0)
        return;
    char *option = strtok_r(NULL, "", &rest);
    snprintf(program->interpreter, sizeof program->interpreter, "%s", interpreter);
    snprintf(program->interpreter_option, sizeof program->interpreter_option, "%s", option ? option : "");
}

void canon_program_look(const char *name, struct canon_program *program)
{
    struct stat about;
    *program = (struct canon_program){.kind = CANON_PROGRAM_MISSING};
    if (!find(name, program->path, sizeof program->path))
        return;
    program->kind = CANON_PROGRAM_JAVA; /* if it cannot be read, whoever starts it will tell */
    int fd = open(program->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    struct file file = {0};
    if (fstat(fd, &about) == 0 && about.st_size > 4) {
        void *map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        file = (struct file){map == MAP_FAILED ? NULL : map, (size_t)about.st_size};
    }
    close(fd);
    if (!file.bytes)
        return;
    if (memcmp(file.bytes, ELFMAG, SELFMAG) == 0)
        look_elf(&file, &about, program);
    else if (memcmp(file.bytes, "#!", 2) == 0)
        look_script(&file, program);
    munmap((void *)file.bytes, file.size);
}

/* ---- starting it --------------------------------------------------------------------------------------- */

static char *padded(const char *text, size_t size, char with)
{
    char *all = malloc(size + 1);
    size_t length = strlen(text);
    if (!all || length > size) {
        free(all);
        return NULL;
    }
    memcpy(all, text, length);
    memset(all + length, with, size - length);
    all[size] = '\0';
    return all;
}

char **canon_native_environment(char **environment, const char *mode, const char *trace, const char *options)
{
    const char *before = "";
    for (char **at = environment; *at; at++)
        if (strncmp(*at, "LD_PRELOAD=", 11) == 0)
            before = *at + 11;
    char *libraries = NULL, *message = NULL;
    if (asprintf(&libraries, "%s/%s%s%s", canon_home(), CANON_LIB_NATIVE, *before ? ":" : "", before) < 0 ||
        asprintf(&message, "%s%s%s%s%s%s%s%s", mode, CANON_NATIVE_SEPARATOR, trace, CANON_NATIVE_SEPARATOR,
                 options && *options ? options : CANON_NATIVE_NOTHING, CANON_NATIVE_SEPARATOR,
                 *before ? before : CANON_NATIVE_NOTHING, CANON_NATIVE_SEPARATOR) < 0)
        abort();
    char *preload = padded(libraries, CANON_NATIVE_PRELOAD_SIZE, ':');
    char *told = padded(message, CANON_NATIVE_SIZE, ' ');
    if (!preload || !told) {
        canon_say("paths are too long: %s", trace);
        return NULL;
    }
    return canon_environment_with(canon_environment_with(environment, "LD_PRELOAD", preload),
                                  CANON_ENV_NATIVE, told);
}
