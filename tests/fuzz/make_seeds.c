/*
 * make_seeds.c: what the fuzzers start from:  make_seeds DIRECTORY  writes
 * DIRECTORY/{trace,chunk,step,spec}/...
 *
 * The trace is one that the recorder writes; inputs of the fuzzers are cut out of it.
 */
#include "files.h"

#include "base/buffer.h"
#include "launch/process.h"
#include "role/memo.h"
#include "role/role.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root;

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void write_seed(const char *kind, const char *name, const void *bytes, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, kind);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/%s", root, kind, name);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        fail(path);
}

static void read_all(const char *path, struct canon_buffer *bytes)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail(path);
    bytes->used = 0;
    for (size_t n; (n = fread(canon_buffer_reserve(bytes, 65536), 1, 65536, file)) > 0;)
        bytes->used += n;
    fclose(file);
}

/* ---- a trace ------------------------------------------------------------------------------------------ */

static __attribute__((noreturn)) void diverged(const struct canon_divergence *divergence)
{
    fail(divergence->strand_name);
}

static void record(const char *part)
{
    char problem[512] = "", *text = "text", *none = NULL;
    struct canon_process process = {0};
    canon_process_add(&process, CANON_PROCESS_PID, "1");
    canon_process_add(&process, CANON_PROCESS_EXECUTABLE, "/bin/java");
    canon_process_add(&process, CANON_PROCESS_ARGUMENTS, "java");
    struct canon_role_config config = {.kind = CANON_ROLE_RECORDER, .part = part, .diverged = diverged};
    if (canon_process_save(part, "process", &process) || canon_role_start(&config, problem, sizeof problem))
        fail(part);
    struct canon_strand *strand = canon_strand_open("thread main"),
                        *load = canon_strand_open_short("load x#0");
    uint64_t id = canon_role_name("java/x.y()V");
    struct canon_buffer answer = {0};
    for (int64_t i = 0; i < 5; i++) {
        struct canon_step *step = canon_step_begin(i == 4 ? load : strand, CANON_EVENT_NATIVE, id);
        double d = 1;
        canon_step_int(step, &i);
        canon_step_raw(step, 'd', &d, sizeof d);
        canon_step_bytes(step, "bytes", 5);
        canon_step_text(step, &text);
        canon_step_text(step, &none);
        canon_step_check(step, 1);
        canon_step_check_text(step, "text", NULL);
        canon_step_end(i == 4 ? load : strand, CANON_EVENT_NATIVE, id);
    }
    canon_strand_close(load);
    canon_buffer_put(&answer, "i\x04", 2);
    canon_memo_put(1, id, &answer);
    canon_role_note(CANON_NOTE_LIMIT, "note");
    canon_buffer_free(&answer);
    canon_process_free(&process);
}

/* ---- seeds out of it -------------------------------------------------------------------------------- */

static void add_file(struct canon_buffer *seed, const char *as, const struct canon_buffer *bytes)
{
    uint8_t head[FILES_HEAD] = {files_name_byte(as), (uint8_t)bytes->used, (uint8_t)(bytes->used >> 8),
                                (uint8_t)(bytes->used >> 16)};
    canon_buffer_put(seed, head, sizeof head);
    canon_buffer_put(seed, bytes->data, bytes->used);
}

/* A live file is mostly empty: keeps its header and what is committed. */
static void shorten_live(struct canon_buffer *live)
{
    struct canon_live_header header;
    memcpy(&header, live->data, sizeof header);
    header.capacity = (uint32_t)header.position + 16;
    memcpy(live->data, &header, sizeof header);
    live->used = CANON_LIVE_HEADER + header.capacity;
}

/* Mending what is not broken changes nothing. */
static void check_mending(const struct canon_buffer *file)
{
    struct canon_buffer copy = {0};
    canon_buffer_put(&copy, file->data, file->used);
    files_mend_chunks(copy.data, copy.used);
    if (memcmp(copy.data, file->data, file->used) != 0) {
        fprintf(stderr, "make_seeds: files.c computes other checksums than chunk.c\n");
        exit(1);
    }
    canon_buffer_free(&copy);
}

static void seeds_of(const char *part, const char *name, const char *as)
{
    static const char META[] =
        "{\"format\":1,\"command\":[\"java\",\"x\"],\"canon\":\"0\",\"directory\":\"/\","
        "\"started\":\"\",\"pid\":1,\"ended\":true,\"exit\":0,\"signal\":0}";
    char path[PATH_MAX];
    struct canon_buffer bytes = {0}, seed = {0}, meta = {(uint8_t *)META, sizeof META - 1, 0};
    const size_t head = sizeof(struct canon_file_header);
    snprintf(path, sizeof path, "%s/%s", part, name);
    read_all(path, &bytes);
    bool live = strstr(name, ".live");
    if (live)
        shorten_live(&bytes);
    else
        check_mending(&bytes);
    if (!live && bytes.used > head)
        write_seed("chunk", name, bytes.data + head, bytes.used - head);
    add_file(&seed, as, &bytes);
    write_seed("trace", name, seed.data, seed.used);
    add_file(&seed, "meta.json", &meta);
    write_seed("inspect", name, seed.data, seed.used);
    canon_buffer_free(&bytes);
    canon_buffer_free(&seed);
}

static void step_seeds(void)
{
    static const char *const ITEMS[] = {
        "\x08\x08\x08\x00"
        "i\x02i\x03i\x80\x01",
        "\x09\x10\x00"
        "f1234d12345678",
        "\x2a\x2a\x00"
        "b\x05"
        "bytesb\x00",
        "\x0b\x0b\x00"
        "s\x04"
        "textn",
        "\x0c\x00"
        "b\x03"
        "abc",
        "\x0d\x0e\x00"
        "c1234t\x04"
        "text",
        "\x0f\x0f\x00"
        "xo",
    };
    static const size_t SIZES[] = {4 + 7, 3 + 14, 3 + 9, 3 + 7, 2 + 5, 3 + 11, 3 + 2};
    for (size_t i = 0; i < sizeof ITEMS / sizeof *ITEMS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%zu", i);
        write_seed("step", name, ITEMS[i], SIZES[i]);
    }
}

static void spec_seeds(void)
{
    static const struct {
        const char *descriptor, *spec;
    } ROWS[] = {
#define NATIVE(class_name, method, descriptor, policy, spec) {descriptor, spec},
#include "jvm/table/all.def"
#undef NATIVE
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char name[16], text[1024];
        if (!strchr(ROWS[i].spec, '(') && i % 50)
            continue; /* rows without terms are much alike */
        int size = snprintf(text, sizeof text, "%s\n%s", ROWS[i].descriptor, ROWS[i].spec);
        snprintf(name, sizeof name, "%zu", i);
        write_seed("spec", name, text, (size_t)size);
    }
}

static void remove_part(const char *part)
{
    char path[PATH_MAX];
    DIR *folder = opendir(part);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", part, entry->d_name);
        unlink(path);
    }
    if (!folder || closedir(folder) || rmdir(part))
        fail(part);
}

int main(int argc, char **argv)
{
    static const char *const SEALED[] = {"process.chunks", "classes.chunks"},
                             *const LIVE[] = {"names.live", "notes.live", "files.live", "strand-0.live"},
                             *const ENDED[] = {"names.chunks", "files.chunks", "strand-0.chunks"};
    if (argc != 2)
        fail("usage: make_seeds DIRECTORY");
    root = argv[1];
    mkdir(root, 0700);
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s/part-%d", root, (int)getpid());
    if (mkdir(part, 0700))
        fail(part);
    record(part);
    for (size_t i = 0; i < sizeof SEALED / sizeof *SEALED; i++)
        seeds_of(part, SEALED[i], "a.chunks");
    for (size_t i = 0; i < sizeof LIVE / sizeof *LIVE; i++)
        seeds_of(part, LIVE[i], "a.live");
    canon_role_finish(NULL);
    for (size_t i = 0; i < sizeof ENDED / sizeof *ENDED; i++)
        seeds_of(part, ENDED[i], "b.chunks");
    remove_part(part);
    step_seeds();
    spec_seeds();
    return 0;
}
