/*
 * classfile_tool.c: rewrites every class file under a folder.
 *
 *     classfile_tool calls|nops IN OUT     heavy edits (heavy.h), results under OUT with the same names
 *     classfile_tool same IN               edits nothing everywhere and expects the very same bytes
 *     classfile_tool rules IN OUT          a table of rules
 *     classfile_tool order|all IN OUT      tables like that of src/jvm (order_rules.h)
 *     classfile_tool time IN               how many classes a second, for rules and heavy edits
 *     classfile_tool monitors IN           lists methods that lock: class, name, descriptor
 *
 * Prints counts, and how many classes a second of CPU time were rewritten. Exits with 1 when a class could
 * not be rewritten, or was not the same.
 */
#include "heavy.h"
#include "order_rules.h"

#include "base/error.h"
#include "classfile/code.h"
#include "classfile/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HELPER "java/lang/CanonTest"

struct file {
    char *path; /* relative to the folder */
    uint8_t *data;
    size_t length;
};

static struct file *files;
static size_t file_count;

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static uint8_t *read_file(const char *path, size_t length)
{
    uint8_t *data = malloc(length ? length : 1);
    FILE *file = fopen(path, "rb");
    if (!data || !file || fread(data, 1, length, file) != length)
        die(path);
    fclose(file);
    return data;
}

static void read_folder(char *folder)
{
    char *roots[] = {folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        die(folder);
    size_t capacity = 0;
    for (FTSENT *entry; (entry = fts_read(tree));) {
        size_t length = strlen(entry->fts_path);
        if (entry->fts_info != FTS_F || length < 6 || strcmp(entry->fts_path + length - 6, ".class") != 0)
            continue;
        if (file_count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            files = realloc(files, capacity * sizeof *files);
        }
        size_t size = (size_t)entry->fts_statp->st_size;
        files[file_count++] = (struct file){strdup(entry->fts_path + strlen(folder) + 1),
                                            read_file(entry->fts_path, size), size};
    }
    fts_close(tree);
}

static void write_file(const char *folder, const char *name, const uint8_t *data, size_t length)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        die(name);
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            die(path);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0)
        die(path);
}

static const struct canon_rule RULES[] = {
    {.kind = CANON_RULE_SKIP, .owner = "java/lang/invoke/LambdaForm*"},
    {CANON_RULE_REDIRECT, "java/lang/System", "nanoTime", "()J", .helper = HELPER ".nanoTime()J"},
    {CANON_RULE_REDIRECT, "java/lang/System", "currentTimeMillis", "()J", .helper = HELPER ".millis()J"},
    {CANON_RULE_REDIRECT, "*", "hashCode", "()I", .helper = HELPER ".hash(Ljava/lang/Object;)I"},
    {CANON_RULE_REDIRECT, "java/util/Map", "put", NULL, .helper = HELPER ".mapPut"},
    {CANON_RULE_WRAP, "*", "loadClass", NULL, .helper = HELPER ".enter(Ljava/lang/String;)J",
     .pass = CANON_PASS_CLASS, .exit_helper = HELPER ".exit(JLjava/lang/Object;)V",
     .exit_pass = CANON_PASS_THIS},
    {CANON_RULE_WRAP, "*", "get*", NULL, .helper = HELPER ".enter()V", .exit_helper = HELPER ".exit()V"},
    {CANON_RULE_WRAP, "*", "equals", "(Ljava/lang/Object;)Z",
     .helper = HELPER ".enter(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
     .pass = CANON_PASS_CLASS | CANON_PASS_THIS | CANON_PASS_ARGUMENT,
     .exit_helper = HELPER ".exit(Ljava/lang/Object;Ljava/lang/Object;)V", .exit_pass = CANON_PASS_ARGUMENT},
    {CANON_RULE_RESULT, "*", "toString", "()Ljava/lang/String;",
     .helper = HELPER ".same(Ljava/lang/Object;)Ljava/lang/Object;"},
    {CANON_RULE_RESULT, "*", "size", "()I", .helper = HELPER ".same(I)I"},
    {CANON_RULE_FIELD, "java/util/A*", "canonField", "J", .access = 0x1082},
};

enum { RULE_COUNT = sizeof RULES / sizeof RULES[0] };

static struct canon_rules *compile(const struct canon_rule *table, size_t count)
{
    struct canon_rules *compiled;
    size_t bad = 0;
    if (canon_rules_compile(&compiled, table, count, &bad) != 0) {
        fprintf(stderr, "rule %zu is bad\n", bad);
        exit(2);
    }
    return compiled;
}

static struct canon_rules *compile_rules(const char *mode)
{
    bool all = strcmp(mode, "all") == 0;
    if (!all && strcmp(mode, "order") != 0)
        return compile(RULES, RULE_COUNT);
    struct order_table table = order_rules(all);
    return compile(table.rows, table.count);
}

struct counts {
    size_t rewritten, unchanged, failed, left_alone, bytes_in, bytes_out;
    double seconds; /* of rewriting alone; not measured without `out` */
};

typedef int rewriter(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone);

static struct canon_rules *rules;

static int by_rules(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone)
{
    struct canon_rewrite_report report;
    int result = canon_rewrite_class(rules, file->data, file->length, CANON_REWRITE_LEAVE_TOO_BIG, data,
                                     length, &report);
    if (result < 0)
        fprintf(stderr, "%s: ", report.where);
    *left_alone = report.left_alone;
    return result;
}

static int by_calls(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone)
{
    return heavy_rewrite(HEAVY_CALLS, file->data, file->length, HELPER, data, length, left_alone);
}

static int by_nops(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone)
{
    return heavy_rewrite(HEAVY_NOPS, file->data, file->length, HELPER, data, length, left_alone);
}

static int by_nothing(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone)
{
    return heavy_rewrite(HEAVY_NOTHING, file->data, file->length, HELPER, data, length, left_alone);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `out`: NULL to throw the results away. */
static struct counts rewrite_all(rewriter *rewrite, const char *out)
{
    struct counts counts = {0};
    for (size_t i = 0; i < file_count; i++) {
        uint8_t *data = NULL;
        size_t length = 0;
        uint32_t left_alone = 0;
        double start = out ? seconds() : 0;
        int result = rewrite(&files[i], &data, &length, &left_alone);
        counts.seconds += out ? seconds() - start : 0;
        if (result < 0)
            fprintf(stderr, "%s: %s\n", files[i].path, canon_error_text(result));
        counts.failed += result < 0;
        counts.unchanged += result == 0;
        counts.rewritten += result > 0;
        counts.left_alone += left_alone;
        counts.bytes_in += files[i].length;
        counts.bytes_out += result > 0 ? length : files[i].length;
        if (out && result > 0)
            write_file(out, files[i].path, data, length);
        else if (out)
            write_file(out, files[i].path, files[i].data, files[i].length);
        free(data);
    }
    return counts;
}

static void print_counts(const char *name, const struct counts *counts)
{
    printf("%s: %zu rewritten, %zu unchanged, %zu failed, %zu methods left alone, %zu bytes -> %zu, "
           "%.0f classes/s\n",
           name, counts->rewritten, counts->unchanged, counts->failed, counts->left_alone, counts->bytes_in,
           counts->bytes_out, (double)file_count / counts->seconds);
}

static int check_same(void)
{
    size_t different = 0, same = 0;
    for (size_t i = 0; i < file_count; i++) {
        uint8_t *data = NULL;
        size_t length = 0;
        uint32_t left_alone;
        int result = by_nothing(&files[i], &data, &length, &left_alone);
        bool equal = result == 0 ||
                     (result > 0 && length == files[i].length && memcmp(data, files[i].data, length) == 0);
        if (!equal)
            fprintf(stderr, "%s: %s\n", files[i].path, result < 0 ? canon_error_text(result) : "differs");
        same += equal;
        different += !equal;
        free(data);
    }
    printf("same: %zu the same, %zu not\n", same, different);
    return different > 0;
}

static void time_it(const char *name, rewriter *rewrite)
{
    double best = 1e9;
    struct counts counts = {0};
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        counts = rewrite_all(rewrite, NULL);
        double took = seconds() - start;
        best = took < best ? took : best;
    }
    printf("%s: %.0f classes/s, %.0f MB/s read (%zu of %zu rewritten)\n", name, (double)file_count / best,
           (double)counts.bytes_in / best / 1e6, counts.rewritten, file_count);
}

static int untouched_by_rules(const struct file *file, uint8_t **data, size_t *length, uint32_t *left_alone)
{
    static struct canon_rules *none;
    static const struct canon_rule RARE[] = {
        {CANON_RULE_REDIRECT, "no/such/Class", "nanoTime", "()J", .helper = HELPER ".nanoTime()J"},
        {CANON_RULE_WRAP, "no/such/Class", "get", NULL, .helper = HELPER ".enter()V",
         .exit_helper = HELPER ".exit()V"},
    };
    if (!none)
        none = compile(RARE, 2);
    *left_alone = 0;
    return canon_rewrite_class(none, file->data, file->length, 0, data, length, NULL);
}

static void time_order(bool all)
{
    struct canon_rules *before = rules;
    struct order_table table = order_rules(all);
    rules = compile(table.rows, table.count);
    time_it(all ? "order, all accesses" : "order", by_rules);
    canon_rules_free(rules);
    rules = before;
}

static bool locks(const struct canon_class *cls, const struct canon_member *method)
{
    struct canon_code code;
    struct canon_insn insn = {0};
    if (canon_code_open(cls, method, &code) <= 0)
        return false;
    if (method->access & CANON_ACC_SYNCHRONIZED)
        return true;
    while (canon_code_next(&code, &insn) > 0)
        if (insn.opcode == CANON_OP_MONITORENTER)
            return true;
    return false;
}

static void list_monitors(const struct file *file)
{
    struct canon_class cls;
    if (canon_class_open(&cls, file->data, file->length) != 0)
        return;
    for (uint32_t i = 0; i < cls.method_count; i++) {
        const struct canon_member *method = &cls.methods[i];
        if (!locks(&cls, method))
            continue;
        for (uint32_t at = 0; at < cls.name.length; at++)
            putchar(cls.name.text[at] == '/' ? '.' : cls.name.text[at]);
        printf(" %.*s %.*s\n", (int)method->name.length, method->name.text, (int)method->descriptor.length,
               method->descriptor.text);
    }
    canon_class_close(&cls);
}

static int run(const char *mode, const char *out)
{
    static const struct {
        const char *mode;
        rewriter *rewrite;
    } MODES[] = {
        {"calls", by_calls}, {"nops", by_nops}, {"rules", by_rules}, {"order", by_rules}, {"all", by_rules}};
    for (size_t i = 0; i < sizeof MODES / sizeof MODES[0]; i++) {
        if (strcmp(mode, MODES[i].mode) != 0 || !out)
            continue;
        struct counts counts = rewrite_all(MODES[i].rewrite, out);
        print_counts(mode, &counts);
        return counts.failed > 0;
    }
    if (strcmp(mode, "same") == 0)
        return check_same();
    if (strcmp(mode, "monitors") == 0) {
        for (size_t i = 0; i < file_count; i++)
            list_monitors(&files[i]);
        return 0;
    }
    if (strcmp(mode, "time") != 0)
        return 2;
    time_it("no rule applies", untouched_by_rules);
    time_it("rules", by_rules);
    time_order(false);
    time_order(true);
    time_it("calls everywhere", by_calls);
    time_it("nops everywhere", by_nops);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s calls|nops|rules|order|all IN OUT, or same|time|monitors IN\n", argv[0]);
        return 2;
    }
    rules = compile_rules(argv[1]);
    read_folder(argv[2]);
    int status = run(argv[1], argc > 3 ? argv[3] : NULL);
    size_t count = strcmp(argv[1], "rules") == 0 ? RULE_COUNT : 0;
    if (strcmp(argv[1], "order") == 0 || strcmp(argv[1], "all") == 0)
        count = order_rules(false).count;
    for (size_t i = 0; i < count; i++)
        printf("%s%zu: %llu%s", i ? ", " : "  rule ", i, (unsigned long long)canon_rules_hits(rules, i),
               i + 1 < count ? "" : "\n");
    for (size_t i = 0; i < file_count; i++) {
        free(files[i].path);
        free(files[i].data);
    }
    free(files);
    canon_rules_free(rules);
    return status;
}
