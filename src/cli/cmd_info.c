/*
 * cmd_info.c: canon info: what was recorded, how large it is, and what could not be captured.
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"
#include "order/lane.h"
#include "role/role.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *note_text(uint64_t note)
{
    switch (note) {
#define X(name, number, text)                                                                                \
    case number:                                                                                             \
        return text;
        CANON_NOTES(X)
#undef X
    default:
        return "note";
    }
}

struct totals {
    uint64_t events, raw, stored;
    size_t threads, services, loads, inits;
};

/* What the order of threads took: docs/trace-format.md, ORDER. */
struct order {
    const char *mode; /* NULL: it was not recorded */
    uint64_t lanes, operations, edges, bytes;
};

static size_t varint_size(uint64_t value)
{
    uint8_t bytes[CANON_VARINT_MAX];
    return canon_varint_encode(bytes, value);
}

static void add_order(struct order *order, const struct canon_trace_strand *strand)
{
    struct canon_cursor cursor;
    struct canon_event event;
    uint64_t first = 0;
    bool takes = false;
    canon_cursor_start(&cursor, strand);
    while (!canon_cursor_next(&cursor, &event)) {
        struct canon_reader in = canon_reader_over(event.payload, event.size);
        if (event.kind == CANON_EVENT_ORDER) {
            order->bytes += varint_size(event.id << 3) + varint_size(event.size) + event.size;
            takes = takes || event.id & 1;
            if (event.id & 1) {
                first = canon_reader_varint(&in);
                order->lanes = event.id >> 1 > order->lanes ? event.id >> 1 : order->lanes;
            } else {
                order->edges++;
            }
        } else if (event.kind == CANON_EVENT_END && takes) {
            canon_reader_varint(&in);
            canon_reader_varint(&in);
            uint64_t last = canon_reader_varint(&in);
            order->operations += last > first ? last - first : 0;
        }
    }
    canon_cursor_stop(&cursor);
}

static struct order order_of(const struct canon_trace *trace, const struct canon_process *process)
{
    struct order order = {.mode = canon_process_text(process, CANON_PROCESS_ORDER)};
    for (size_t i = 0; order.mode && i < canon_trace_strand_count(trace); i++)
        add_order(&order, canon_trace_strand_at(trace, i));
    return order;
}

static bool is_a(const struct canon_trace_strand *strand, const char *what)
{
    return strncmp(canon_strand_name(strand), what, strlen(what)) == 0;
}

static struct totals add_up(const struct canon_trace *trace)
{
    struct totals totals = {0};
    for (size_t i = 0; i < canon_trace_strand_count(trace); i++) {
        const struct canon_trace_strand *strand = canon_trace_strand_at(trace, i);
        totals.events += canon_strand_events(strand);
        totals.raw += canon_strand_raw_bytes(strand);
        totals.stored += canon_strand_stored_bytes(strand);
        totals.threads += is_a(strand, CANON_STRAND_THREAD);
        totals.services += is_a(strand, CANON_STRAND_SERVICE);
        totals.loads += is_a(strand, CANON_STRAND_LOAD);
        totals.inits += is_a(strand, CANON_STRAND_INIT);
    }
    return totals;
}

/* Calls `each` with the kind and the text of every note of the part. */
static void visit_notes(const struct canon_trace *trace, const struct canon_process *process,
                        void (*each)(void *, const char *, const char *), void *context)
{
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == CANON_PROCESS_LEFT_OUT)
            each(context, "option left out", process->entries[i].text);
    const struct canon_trace_strand *strand = canon_trace_find(trace, "notes");
    if (!strand)
        return;
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    while (!canon_cursor_next(&cursor, &event)) {
        char *text = strndup((const char *)event.payload, event.size);
        if (text && event.kind == CANON_EVENT_NOTE)
            each(context, note_text(event.id), text);
        free(text);
    }
    canon_cursor_stop(&cursor);
}

static void print_note(void *context, const char *kind, const char *text)
{
    (void)context;
    printf("  note: %s: %s\n", kind, text);
}

static void add_note(void *context, const char *kind, const char *text)
{
    json_array_append_new(context, json_pack("{s:s, s:o}", "kind", kind, "text", canon_json_text(text)));
}

/* What is known of the heap at the end, "DIGEST OBJECTS"; NULL for nothing. malloc'd. */
static char *heap_text(const struct canon_trace *trace)
{
    struct canon_process heap = {0};
    int status = canon_process_load_strand(trace, CANON_STRAND_HEAP, &heap);
    const char *text = canon_process_text(&heap, CANON_PROCESS_HEAP_DIGEST);
    char *copy = !status && text ? strdup(text) : NULL;
    canon_process_free(&heap);
    return copy;
}

static void print_order(struct order order)
{
    if (!order.mode)
        return;
    printf("  order of threads: %s; lanes: %llu, with %llu bytes of memory\n", order.mode,
           (unsigned long long)order.lanes, (unsigned long long)canon_order_memory(order.lanes));
    printf("  operations: %llu; edges: %llu, %llu bytes of events", (unsigned long long)order.operations,
           (unsigned long long)order.edges, (unsigned long long)order.bytes);
    if (order.operations)
        printf(", %.4f an operation", (double)order.bytes / (double)order.operations);
    printf("\n");
}

static void print_part(int number, const struct canon_trace *trace, const struct canon_process *process)
{
    struct totals totals = add_up(trace);
    const char *library = canon_process_text(process, CANON_PROCESS_VM_LIBRARY);
    const char *version = canon_process_text(process, CANON_PROCESS_VM_VERSION);
    const char *pid = canon_process_text(process, CANON_PROCESS_PID);
    const char *launcher = canon_process_text(process, CANON_PROCESS_EXECUTABLE);
    printf("part %d: process %s", number, pid ? pid : "?");
    const char *parent = canon_process_text(process, CANON_PROCESS_PARENT);
    if (parent)
        printf(" of part %.*s, by%s", (int)strcspn(parent, " "), parent, parent + strcspn(parent, " "));
    printf("\n");
    const char *kind = canon_process_text(process, CANON_PROCESS_KIND);
    if (kind && strcmp(kind, "native") == 0) {
        printf("  native program: %s\n", launcher ? launcher : "?");
    } else {
        printf("  launcher: %s\n", launcher ? launcher : "?");
        printf("  JVM: %s (%s)\n", version ? version : "?", library ? library : "?");
    }
    printf("  arguments:");
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == CANON_PROCESS_ARGUMENTS)
            printf(" %s", process->entries[i].text);
    printf("\n  strands: %zu %s, %zu %s, %zu class %s, %zu class %s; events: %llu\n", totals.threads,
           totals.threads == 1 ? "thread" : "threads", totals.services,
           totals.services == 1 ? "service" : "services", totals.loads, totals.loads == 1 ? "load" : "loads",
           totals.inits, totals.inits == 1 ? "initialiser" : "initialisers",
           (unsigned long long)totals.events);
    printf("  size: %llu bytes of events, %llu stored\n", (unsigned long long)totals.raw,
           (unsigned long long)totals.stored);
    print_order(order_of(trace, process));
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == CANON_PROCESS_NATIVE)
            printf("  natives wanted: %s\n", process->entries[i].text);
    char *heap = heap_text(trace);
    if (heap)
        printf("  heap at the end: digest %.*s,%s objects\n", (int)strcspn(heap, " "), heap,
               heap + strcspn(heap, " "));
    free(heap);
    if (canon_trace_is_torn(trace))
        printf("  the recording was cut off: it can be replayed up to that point\n");
    visit_notes(trace, process, print_note, NULL);
}

static json_t *order_json(struct order order)
{
    if (!order.mode)
        return json_null();
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "mode", canon_json_text(order.mode), "lanes",
                     (json_int_t)order.lanes, "operations", (json_int_t)order.operations, "edges",
                     (json_int_t)order.edges, "log_bytes", (json_int_t)order.bytes, "memory_bytes",
                     (json_int_t)canon_order_memory(order.lanes));
}

static json_t *part_json(int number, const struct canon_trace *trace, const struct canon_process *process)
{
    struct totals totals = add_up(trace);
    json_t *notes = json_array();
    visit_notes(trace, process, add_note, notes);
    const char *version = canon_process_text(process, CANON_PROCESS_VM_VERSION);
    const char *launcher = canon_process_text(process, CANON_PROCESS_EXECUTABLE);
    json_t *part = json_pack("{s:i, s:o, s:s?, s:b}", "part", number, "launcher",
                             canon_json_text(launcher ? launcher : ""), "jvm", version, "cut_off",
                             canon_trace_is_torn(trace));
    const struct {
        const char *name;
        uint64_t value;
    } NUMBERS[] = {
        {"threads", totals.threads},     {"services", totals.services}, {"class_loads", totals.loads},
        {"class_inits", totals.inits},   {"events", totals.events},     {"raw_bytes", totals.raw},
        {"stored_bytes", totals.stored},
    };
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        json_object_set_new(part, NUMBERS[i].name, json_integer((json_int_t)NUMBERS[i].value));
    char *heap = heap_text(trace);
    if (heap)
        json_object_set_new(part, "heap_digest", json_stringn(heap, strcspn(heap, " ")));
    free(heap);
    json_object_set_new(part, "order", order_json(order_of(trace, process)));
    json_object_set_new(part, "notes", notes);
    return part;
}

/* Prints one part, or adds it to `parts` if that is not NULL. */
static int show_part(const struct canon_trace_info *info, int number, json_t *parts)
{
    char path[PATH_MAX + 16], problem[512];
    snprintf(path, sizeof path, "%s/%d", info->path, number);
    struct canon_trace *trace;
    struct canon_process process = {0};
    if (canon_trace_open(path, &trace, problem, sizeof problem)) {
        canon_say("%s", problem);
        return CANON_EXIT_FAILURE;
    }
    /* A part that was cut off before it began has nothing to tell of its process. */
    bool unreadable = canon_process_load(path, &process, problem, sizeof problem) != 0;
    int status = unreadable && !canon_trace_is_torn(trace) ? CANON_EXIT_FAILURE : 0;
    if (status)
        canon_say("%s", problem);
    else if (parts)
        json_array_append_new(parts, part_json(number, trace, &process));
    else
        print_part(number, trace, &process);
    canon_process_free(&process);
    canon_trace_close(trace);
    return status;
}

static void print_head(const struct canon_trace_info *info)
{
    printf("trace %s\n  command:", info->path);
    for (char **word = info->command; *word; word++)
        printf(" %s", *word);
    printf("\n  recorded: %s by canon %s, in %s\n", info->started, info->version, info->directory);
    if (!info->ended)
        printf("  ended: not seen by canon\n");
    else if (info->signal)
        printf("  ended: by signal %d\n", info->signal);
    else
        printf("  ended: with status %d\n", info->exit_status);
}

int canon_cmd_info(int argc, char **argv)
{
    bool help = false, as_json = false;
    const char *wanted = NULL;
    const struct canon_option options[] = {
        {"--json", &as_json, NULL, NULL}, {"--part", NULL, &wanted, NULL}, {0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1)
        return canon_usage("info", help);
    struct canon_trace_info info;
    if (canon_trace_load(argv[first], &info))
        return CANON_EXIT_FAILURE;
    char chosen[PATH_MAX + 16];
    if (wanted && canon_part_choose(&info, wanted, chosen, sizeof chosen)) {
        canon_trace_info_free(&info);
        return CANON_EXIT_FAILURE;
    }
    json_t *parts = as_json ? json_array() : NULL;
    if (!as_json)
        print_head(&info);
    int status = 0;
    for (int i = 1; i <= info.parts; i++)
        if (!wanted || atoi(wanted) == i)
            status |= show_part(&info, i, parts);
    if (as_json) {
        json_t *all = json_pack("{s:o, s:b, s:i, s:i, s:o}", "trace", canon_json_text(info.path), "ended",
                                info.ended, "exit", info.exit_status, "signal", info.signal, "parts", parts);
        json_dumpf(all, stdout, JSON_INDENT(2));
        printf("\n");
        json_decref(all);
    }
    canon_trace_info_free(&info);
    return status;
}
