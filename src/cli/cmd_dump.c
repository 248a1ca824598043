/*
 * cmd_dump.c: canon dump: the events of a trace for a person or, with --json, one object a line.
 *
 * Needs no table of natives: items carry their kind (see role/step.h).
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"
#include "role/step.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 48 };

struct dump {
    struct canon_trace *trace;
    char **names;
    uint64_t name_count;
    bool as_json;
    struct canon_buffer line; /* items of one event as text */
};

static const char *const KINDS[] = {
#define X(name, number, text) [number] = (text),
    CANON_EVENT_KINDS(X)
#undef X
};

static void add(struct dump *dump, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct dump *dump, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n > 0)
        canon_buffer_put(&dump->line, text, (size_t)n);
    free(text);
}

static void add_quoted(struct dump *dump, const uint8_t *bytes, size_t size)
{
    add(dump, "\"");
    for (size_t i = 0; i < size && i < SHOWN_BYTES; i++)
        add(dump, isprint(bytes[i]) && bytes[i] != '"' && bytes[i] != '\\' ? "%c" : "\\x%02x", bytes[i]);
    add(dump, size > SHOWN_BYTES ? "\"... (%zu bytes)" : "\"", size);
}

/* Adds one item; false at the end or when it makes no sense. */
static bool add_item(struct dump *dump, struct canon_step *step)
{
    char tag = canon_step_peek(step);
    struct canon_reader *in = &step->in;
    uint64_t size;
    if (!tag)
        return false;
    canon_reader_u8(in);
    add(dump, " ");
    switch (tag) {
    case 'i':
        add(dump, "%lld", (long long)canon_unzigzag(canon_reader_varint(in)));
        break;
    case 'f':
    case 'd':
        canon_reader_take(in, tag == 'f' ? 4 : 8);
        add(dump, tag == 'f' ? "float" : "double");
        break;
    case 'c': {
        const uint8_t *bytes = canon_reader_take(in, 4);
        if (bytes)
            add(dump, "[%02x%02x%02x%02x]", bytes[3], bytes[2], bytes[1], bytes[0]);
        break;
    }
    case 's':
    case 't':
    case 'b': {
        size = canon_reader_varint(in);
        const uint8_t *bytes = canon_reader_take(in, size);
        if (bytes) {
            add(dump, tag == 't' ? "<- " : "");
            add_quoted(dump, bytes, size);
        }
        break;
    }
    case 'n':
        add(dump, "null");
        break;
    case 'x':
        add(dump, "threw");
        break;
    case 'o':
    case 'a':
    case 'p':
    case 'e':
    case 'r':
    case 'T':
    case 'C':
        add(dump, tag == 'r'   ? "same as"
                  : tag == 'e' ? "constant"
                  : tag == 'o' ? "object"
                  : tag == 'T' ? "thread"
                  : tag == 'C' ? "class"
                               : "array");
        break;
    default:
        add(dump, "?");
        return false;
    }
    return !in->failed;
}

static const char *event_name(const struct dump *dump, const struct canon_event *event)
{
    if (event->kind != CANON_EVENT_NATIVE)
        return KINDS[event->kind];
    return event->id < dump->name_count && dump->names[event->id] ? dump->names[event->id] : "?";
}

/* "+17: left", "turn +5": order/serial.h. */
static void add_turn(struct dump *dump, struct canon_reader *in)
{
    static const char *const TEXTS[] = {" +%llu: left", " +%llu: left before the next", " turn +%llu",
                                        " ? %llu"};
    char text[120];
    unsigned long long value = canon_reader_varint(in);
    int length = snprintf(text, sizeof text, TEXTS[value & 3], value >> 2);
    canon_buffer_put(&dump->line, text, (size_t)length);
}

/* "takes lane 3 at 17", "after 42 more of lane 2": see docs/trace-format.md. */
static void add_order(struct dump *dump, const struct canon_event *event, struct canon_reader *in)
{
    if (event->id == 0) {
        add_turn(dump, in);
        return;
    }
    char text[120];
    unsigned long long lane = event->id >> 1, first = canon_reader_varint(in);
    int length = event->id & 1    ? snprintf(text, sizeof text, " takes lane %llu at %llu", lane, first)
                 : event->id == 0 ? snprintf(text, sizeof text, " +%llu: after a vector", first)
                                  : snprintf(text, sizeof text, " +%llu: after %llu more of lane %llu", first,
                                             (unsigned long long)canon_reader_varint(in), lane);
    canon_buffer_put(&dump->line, text, (size_t)length);
}

static void show_event(struct dump *dump, const char *strand, const struct canon_event *event)
{
    dump->line.used = 0;
    struct canon_step step = {.way = CANON_STEP_GET, .in = canon_reader_over(event->payload, event->size)};
    if (strcmp(strand, "files") == 0) { /* what is asked and since when: see role/memo.h */
        canon_reader_take(&step.in, sizeof(uint64_t));
        canon_reader_varint(&step.in);
    }
    bool of_notes = strcmp(strand, "notes") == 0; /* there, ORDER events have items, too */
    if (event->kind == CANON_EVENT_NATIVE || event->kind == CANON_EVENT_REFERENCE ||
        event->kind == CANON_EVENT_SIGNAL || (event->kind == CANON_EVENT_ORDER && of_notes))
        while (add_item(dump, &step))
            ;
    else if (event->kind == CANON_EVENT_ORDER)
        add_order(dump, event, &step.in);
    else if (event->kind == CANON_EVENT_NAME || event->kind == CANON_EVENT_NOTE ||
             event->kind == CANON_EVENT_PROCESS)
        add_quoted(dump, event->payload, event->size);
    canon_buffer_put(&dump->line, "", 1);
    const char *items = (const char *)dump->line.data;
    if (!dump->as_json) {
        printf("%8llu %s%s%s\n", (unsigned long long)event->number, event_name(dump, event),
               *items && *items != ' ' ? " " : "", items);
        return;
    }
    json_t *line =
        json_pack("{s:o, s:I, s:s, s:o, s:I, s:s}", "strand", canon_json_text(strand), "event",
                  (json_int_t)event->number, "kind", KINDS[event->kind], "name",
                  canon_json_text(event_name(dump, event)), "bytes", (json_int_t)event->size, "items", items);
    if (line)
        json_dumpf(line, stdout, JSON_COMPACT);
    printf("\n");
    json_decref(line);
}

static int show_strand(struct dump *dump, const struct canon_trace_strand *strand)
{
    struct canon_cursor cursor;
    struct canon_event event;
    if (!dump->as_json)
        printf("strand \"%s\"%s\n", canon_strand_name(strand),
               canon_strand_is_torn(strand) ? " (cut off)" : "");
    canon_cursor_start(&cursor, strand);
    int status;
    while (!(status = canon_cursor_next(&cursor, &event)))
        show_event(dump, canon_strand_name(strand), &event);
    canon_cursor_stop(&cursor);
    if (status == CANON_E_END)
        return 0;
    canon_say("strand \"%s\": %s", canon_strand_name(strand), canon_error_text(status));
    return CANON_EXIT_FAILURE;
}

static void load_names(struct dump *dump)
{
    const struct canon_trace_strand *strand = canon_trace_find(dump->trace, CANON_STRAND_NAMES);
    if (!strand)
        return;
    struct canon_cursor cursor;
    struct canon_event event;
    canon_cursor_start(&cursor, strand);
    while (!canon_cursor_next(&cursor, &event) && event.id == dump->name_count) {
        dump->names = realloc(dump->names, (dump->name_count + 1) * sizeof *dump->names);
        if (!dump->names)
            abort();
        dump->names[dump->name_count++] = strndup((const char *)event.payload, event.size);
    }
    canon_cursor_stop(&cursor);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(canon_strand_name(*(const struct canon_trace_strand *const *)a),
                  canon_strand_name(*(const struct canon_trace_strand *const *)b));
}

static int dump_part(struct dump *dump, const char *only)
{
    load_names(dump);
    size_t count = canon_trace_strand_count(dump->trace);
    const struct canon_trace_strand **strands = calloc(count + 1, sizeof *strands);
    for (size_t i = 0; strands && i < count; i++)
        strands[i] = canon_trace_strand_at(dump->trace, i);
    qsort(strands, count, sizeof *strands, by_name);
    int status = 0;
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (only && strcmp(canon_strand_name(strands[i]), only) != 0)
            continue;
        found = true;
        status |= show_strand(dump, strands[i]);
    }
    if (!found) {
        canon_say("there is no strand \"%s\"; without --strand all are shown", only ? only : "");
        status = CANON_EXIT_FAILURE;
    }
    free(strands);
    for (uint64_t i = 0; i < dump->name_count; i++)
        free(dump->names[i]);
    free(dump->names);
    canon_buffer_free(&dump->line);
    return status;
}

int canon_cmd_dump(int argc, char **argv)
{
    struct dump dump = {0};
    const char *only = NULL, *wanted = NULL;
    bool help = false;
    const struct canon_option options[] = {{"--strand", NULL, &only, NULL},
                                           {"--json", &dump.as_json, NULL, NULL},
                                           {"--part", NULL, &wanted, NULL},
                                           {0}};
    int first = canon_options_read(options, argc, argv, &help);
    if (help || first != argc - 1)
        return canon_usage("dump", help);
    struct canon_trace_info info;
    char part[PATH_MAX + 16], problem[512];
    if (canon_trace_load(argv[first], &info) || canon_part_choose(&info, wanted, part, sizeof part))
        return CANON_EXIT_FAILURE;
    int status = CANON_EXIT_FAILURE;
    if (canon_trace_open(part, &dump.trace, problem, sizeof problem)) {
        canon_say("%s", problem);
    } else {
        status = dump_part(&dump, only);
        canon_trace_close(dump.trace);
    }
    canon_trace_info_free(&info);
    return status;
}
