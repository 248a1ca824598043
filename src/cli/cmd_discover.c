/*
 * cmd_discover.c: canon discover --races: runs a native program under valgrind's helgrind, and makes a list
 * of the instructions that race there. Java programs: discover_java.h.
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/discover_java.h"
#include "cli/program.h"
#include "cli/racy.h"
#include "launch/environment.h"
#include "launch/protocol.h"
#include "native/access.h"

#include <dirent.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- where code lies ----------------------------------------------------------------------------------- */

/* Code of a library, as it was loaded. */
struct code {
    uint64_t from, to; /* addresses in the process */
    uint64_t offset;   /* of the first in the file */
    int file;
    struct canon_racy_id id;
    char name[64];
};

struct codes {
    struct code *all;
    size_t count;
};

static void add_code(struct codes *codes, const struct code *code)
{
    struct code *all = realloc(codes->all, (codes->count + 1) * sizeof *all);
    if (!all)
        abort();
    codes->all = all;
    all[codes->count++] = *code;
}

/* A name that the list can have. */
static void take_name(struct code *code, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(code->name, sizeof code->name, "%.63s", slash ? slash + 1 : path);
    for (char *at = code->name; *at; at++)
        if (*at <= ' ' || *at > '~')
            *at = '_';
}

/* Its segments with code; `file` stays open. */
static bool add_file(struct codes *codes, uint64_t base, const char *path, int file)
{
    Elf *elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
    const void *id;
    struct code code = {.file = file};
    ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
    size_t count = 0, before = codes->count;
    if (size > 0)
        memcpy(code.id.bytes, id, size < CANON_RACY_ID ? (size_t)size : CANON_RACY_ID);
    if (size > 0 && elf_getphdrnum(elf, &count))
        count = 0;
    take_name(&code, path);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
            continue;
        code.from = base + segment.p_vaddr;
        code.to = code.from + segment.p_filesz;
        code.offset = segment.p_offset;
        add_code(codes, &code);
    }
    elf_end(elf);
    return codes->count > before;
}

/* Reads "BASE PATH" lines that libcanon-discover.so has written. */
static void read_places(const char *path, struct codes *codes)
{
    FILE *file = fopen(path, "re");
    char line[4300];
    elf_version(EV_CURRENT);
    while (file && fgets(line, sizeof line, file)) {
        char *end;
        uint64_t base = strtoull(line, &end, 16);
        line[strcspn(line, "\n")] = '\0';
        int code = *end == ' ' ? open(end + 1, O_RDONLY | O_CLOEXEC) : -1;
        if (code >= 0 && !add_file(codes, base, end + 1, code))
            close(code);
    }
    if (file)
        fclose(file);
}

/* A file's segments are next to each other. */
static void free_codes(struct codes *codes)
{
    for (size_t i = 0; i < codes->count; i++)
        if (i == 0 || codes->all[i].file != codes->all[i - 1].file)
            close(codes->all[i].file);
    free(codes->all);
}

/* ---- what helgrind has found --------------------------------------------------------------------------- */

struct found {
    struct canon_racy_list list, unfit;
    unsigned elsewhere; /* in libraries that are not looked at */
};

/* One of the two instructions of a race. */
struct half {
    struct canon_racy_site site;
    enum { NOWHERE, ELSEWHERE, UNFIT, LOADS, WRITES } is;
};

static struct half half_at(const struct codes *codes, uint64_t address)
{
    const struct code *code = codes->all, *end = codes->all + codes->count;
    while (code < end && (address < code->from || address >= code->to))
        code++;
    if (code == end)
        return (struct half){.is = ELSEWHERE};
    struct half half = {.site = {.id = code->id, .offset = address - code->from + code->offset}, .is = UNFIT};
    snprintf(half.site.name, sizeof half.site.name, "%s", code->name);
    uint8_t bytes[15];
    struct canon_insn insn;
    struct canon_access access;
    ssize_t size = pread(code->file, bytes, sizeof bytes, (off_t)half.site.offset);
    if (size > 0 && canon_insn_decode(bytes, (size_t)size, &insn) && canon_access_of(bytes, &insn, &access))
        half.is = access.kind == CANON_ACCESS_LOAD ? LOADS : WRITES;
    return half;
}

static void add_to(struct canon_racy_list *list, const struct canon_racy_site *site)
{
    if (canon_racy_list_add(list, site) == 0)
        return;
    canon_racy_list_sort(list); /* without those that are there twice there may be room */
    canon_racy_list_add(list, site);
}

/* To order what writes is of use only if the other one is ordered, too; what reads gets its value anyway. */
static void add_half(struct found *found, const struct half *half, const struct half *other)
{
    bool of_use = half->is == LOADS ||
                  (half->is == WRITES && (other->is == LOADS || other->is == WRITES || other->is == NOWHERE));
    if (of_use)
        add_to(&found->list, &half->site);
    else if (half->is == UNFIT)
        add_to(&found->unfit, &half->site);
    found->elsewhere += half->is == ELSEWHERE;
}

static void add_race(struct found *found, struct half race[2])
{
    add_half(found, &race[0], &race[1]);
    add_half(found, &race[1], &race[0]);
    race[0].is = race[1].is = NOWHERE;
}

/*
 * ==12== Possible data race during read of size 4 at 0x40 by thread #3
 * ==12== Locks held: none
 * ==12==    at 0x1091F2: run (flag.c:5)
 * ==12==    by ...
 * ==12== This conflicts with a previous write of size 4 by thread #2
 * ==12== Locks held: none
 * ==12==    at 0x10921D: run (flag.c:5)
 *
 * The first "at" behind each of the two is an instruction.
 */
static void read_report(FILE *file, const struct codes *codes, struct found *found)
{
    char line[4096];
    struct half race[2] = {0}, *next = NULL;
    while (fgets(line, sizeof line, file)) {
        const char *text = strncmp(line, "==", 2) == 0 ? strstr(line + 2, "== ") : NULL;
        unsigned long address;
        if (!text)
            continue;
        text += 3;
        if (strncmp(text, "Possible data race", 18) == 0) {
            add_race(found, race);
            next = &race[0];
        } else if (strncmp(text, "This conflicts with", 19) == 0) {
            next = &race[1];
        } else if (next && sscanf(text, " at 0x%lx:", &address) == 1) {
            *next = half_at(codes, address);
            next = NULL;
        }
    }
    add_race(found, race);
}

static bool read_reports(const char *folder, struct found *found)
{
    DIR *files = opendir(folder);
    bool any = false;
    for (struct dirent *entry; files && (entry = readdir(files));) {
        char path[PATH_MAX + 300];
        struct codes codes = {0};
        if (strncmp(entry->d_name, "log.", 4) != 0)
            continue;
        snprintf(path, sizeof path, "%s/places.%s", folder, entry->d_name + 4);
        read_places(path, &codes);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "re");
        if (file && codes.count) {
            read_report(file, &codes, found);
            any = true;
        }
        if (file)
            fclose(file);
        free_codes(&codes);
    }
    if (files)
        closedir(files);
    canon_racy_list_sort(&found->list);
    canon_racy_list_sort(&found->unfit);
    return any;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static bool has_valgrind(void)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    for (const char *at = path ? path : "/usr/bin"; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/valgrind", (int)length, at);
        if (access(file, X_OK) == 0)
            return true;
        at += length;
    }
    canon_say("there is no valgrind, whose helgrind finds races (Debian: apt install valgrind)");
    return false;
}

/* valgrind, its options, and the command. */
static char **valgrind_of(char **command, int count, const char *folder)
{
    static char log[PATH_MAX + 32];
    snprintf(log, sizeof log, "--log-file=%s/log.%%p", folder);
    static char *const OPTIONS[] = {
        "valgrind",
        "--tool=helgrind",
        "--trace-children=yes",
        "--fair-sched=try",
        "--error-limit=no",
        "--num-callers=2",
        "--history-level=full",
        "--conflict-cache-size=4000000",
        log,
        "--",
    };
    enum { COUNT = sizeof OPTIONS / sizeof *OPTIONS };
    char **all = calloc((size_t)count + COUNT + 1, sizeof *all);
    if (!all)
        abort();
    memcpy(all, OPTIONS, sizeof OPTIONS);
    memcpy(all + COUNT, command, (size_t)count * sizeof *all);
    return all;
}

static int run(char **command, int count, const char *folder, int *status)
{
    char value[2 * PATH_MAX];
    const char *preload = getenv("LD_PRELOAD");
    snprintf(value, sizeof value, "%s/%s%s%s", canon_home(), CANON_LIB_DISCOVER, preload ? ":" : "",
             preload ? preload : "");
    char **all = canon_environment_with(environ, "LD_PRELOAD", value);
    struct canon_child child = {.argv = valgrind_of(command, count, folder),
                                .environment = canon_environment_with(all, CANON_ENV_DISCOVER, folder)};
    return canon_child_run(&child, status, NULL);
}

/* Adds what was found to the file, which may be there already. */
static bool save(const char *output, struct found *found)
{
    struct canon_racy_list all = {0};
    int line, status = canon_racy_list_read(&all, output, &line);
    if (status && status != CANON_E_NOENT) {
        canon_say("%s: %s: it is not a list, and is left as it is", output, canon_error_text(status));
        return false;
    }
    size_t before = all.count;
    for (size_t i = 0; i < found->list.count && (!status || status == CANON_E_NOENT); i++)
        status = canon_racy_list_add(&all, &found->list.all[i]);
    canon_racy_list_sort(&all);
    status = canon_racy_list_write(&all, output);
    if (status)
        canon_say("cannot write %s: %s", output, strerror(errno));
    else
        canon_say("%s: %zu instructions that race, %zu of them new", output, all.count, all.count - before);
    if (found->unfit.count)
        canon_say("%zu others cannot be ordered, or not by themselves (vectors, strings)",
                  found->unfit.count);
    if (found->elsewhere)
        canon_say("%u races were in libc, or in code that no file has", found->elsewhere);
    canon_racy_list_free(&all);
    return !status;
}

static int discover_native(char **command, int count, const char *folder, const char *output)
{
    int status;
    if (!has_valgrind())
        return CANON_EXIT_FAILURE;
    struct found found = {0};
    bool ran = run(command, count, folder, &status) == 0;
    bool right = ran && read_reports(folder, &found);
    if (ran && !right)
        canon_say("valgrind has reported nothing: is it a program that is dynamically linked?");
    right = right && save(output, &found);
    canon_racy_list_free(&found.list);
    canon_racy_list_free(&found.unfit);
    if (!ran)
        return status;
    return !right ? CANON_EXIT_FAILURE : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    remove(path);
    return 0;
}

int canon_cmd_discover(int argc, char **argv)
{
    const char *output = "canon-racy", *temporary = getenv("TMPDIR"), *kind = NULL;
    bool help = false, races = false, native;
    struct canon_program program;
    const struct canon_option options[] = {{"--races", &races, NULL, NULL},
                                           {"-o", NULL, &output, NULL},
                                           {"--output", NULL, &output, NULL},
                                           {"--kind", NULL, &kind, NULL},
                                           {0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first < 0 || first >= argc || !races)
        return canon_usage("discover", help);
    if (!canon_program_choose(kind, argv[first], &program, &native))
        return kind && !program.refusal ? CANON_EXIT_USAGE : CANON_EXIT_FAILURE;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/canon-discover.XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        canon_say("cannot make a directory %s: %s", folder, strerror(errno));
        return CANON_EXIT_FAILURE;
    }
    int status = native ? discover_native(argv + first, argc - first, folder, output)
                        : canon_discover_java(argv + first, argc - first, folder, output);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}
