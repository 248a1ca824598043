/*
 * tracedir.c: the trace directory as a whole: meta.json and the choice of a part.
 */
#include "base/error.h"
#include "base/log.h"
#include "cli/cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The exact bytes are in the part. */
json_t *canon_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value)
        return value;
    size_t length = strlen(text), n = 0;
    char *escaped = malloc(length * 4 + 1);
    for (size_t i = 0; escaped && i < length; i++)
        n += (size_t)sprintf(escaped + n, (unsigned char)text[i] < 0x80 ? "%c" : "\\x%02x",
                             (unsigned char)text[i]);
    value = escaped ? json_string(escaped) : NULL;
    free(escaped);
    return value;
}

static json_t *meta_of(const struct canon_trace_info *info)
{
    json_t *command = json_array();
    for (char **word = info->command; word && *word; word++)
        json_array_append_new(command, canon_json_text(*word));
    json_t *meta = json_object();
    json_object_set_new(meta, "format", json_integer(CANON_TRACE_VERSION));
    json_object_set_new(meta, "canon", json_string(info->version));
    json_object_set_new(meta, "command", command);
    json_object_set_new(meta, "directory", canon_json_text(info->directory));
    json_object_set_new(meta, "started", json_string(info->started));
    json_object_set_new(meta, "pid", json_integer(info->pid));
    json_object_set_new(meta, "ended", json_boolean(info->ended));
    if (info->ended) {
        json_object_set_new(meta, "exit", json_integer(info->exit_status));
        json_object_set_new(meta, "signal", json_integer(info->signal));
    }
    return meta;
}

int canon_trace_save(const struct canon_trace_info *info)
{
    char path[PATH_MAX + 16], fresh[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/meta.json", info->path);
    snprintf(fresh, sizeof fresh, "%s/meta.json.new", info->path);
    json_t *meta = meta_of(info);
    /* Renamed into place, so that a reader never sees half of it. */
    mode_t mask = umask(0077);
    int failed = json_dump_file(meta, fresh, JSON_INDENT(2)) || rename(fresh, path);
    umask(mask);
    json_decref(meta);
    return failed ? CANON_E_IO : 0;
}

int canon_trace_create(struct canon_trace_info *info)
{
    if (mkdir(info->path, 0700)) {
        if (errno == EEXIST)
            canon_say("%s exists already; choose another name with -o, or remove it", info->path);
        else
            canon_say("cannot create the trace %s: %s", info->path, strerror(errno));
        return CANON_E_IO;
    }
    if (canon_trace_save(info)) {
        canon_say("cannot write to the trace %s: %s", info->path, strerror(errno));
        return CANON_E_IO;
    }
    return 0;
}

static char *text_of(const json_t *meta, const char *key)
{
    const char *text = json_string_value(json_object_get(meta, key));
    return strdup(text ? text : "");
}

static int read_meta(const json_t *meta, struct canon_trace_info *info)
{
    const json_t *format = json_object_get(meta, "format"), *command = json_object_get(meta, "command");
    if (!json_is_integer(format) || !json_is_array(command)) {
        canon_say("%s/meta.json is not that of a trace", info->path);
        return CANON_E_FORMAT;
    }
    info->version = text_of(meta, "canon");
    if (json_integer_value(format) != CANON_TRACE_VERSION) {
        canon_say("%s has trace format %lld (written by canon %s); this canon %s reads format %u", info->path,
                  (long long)json_integer_value(format), info->version, CANON_VERSION, CANON_TRACE_VERSION);
        return CANON_E_VERSION;
    }
    info->command = calloc(json_array_size(command) + 1, sizeof *info->command);
    for (size_t i = 0; info->command && i < json_array_size(command); i++) {
        const char *word = json_string_value(json_array_get(command, i));
        info->command[i] = strdup(word ? word : "");
    }
    info->directory = text_of(meta, "directory");
    info->started = text_of(meta, "started");
    info->pid = (long)json_integer_value(json_object_get(meta, "pid"));
    info->ended = json_is_true(json_object_get(meta, "ended"));
    info->exit_status = (int)json_integer_value(json_object_get(meta, "exit"));
    info->signal = (int)json_integer_value(json_object_get(meta, "signal"));
    return 0;
}

int canon_trace_load(const char *path, struct canon_trace_info *info)
{
    *info = (struct canon_trace_info){0};
    char name[PATH_MAX + 16];
    if (!realpath(path, info->path)) {
        canon_say("%s: %s", path, strerror(errno));
        return CANON_E_NOENT;
    }
    snprintf(name, sizeof name, "%s/meta.json", info->path);
    json_error_t error;
    json_t *meta = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
    if (!meta) {
        canon_say("%s is not a trace: meta.json: %s", path, error.text);
        return CANON_E_FORMAT;
    }
    int status = read_meta(meta, info);
    json_decref(meta);
    if (status) {
        canon_trace_info_free(info);
        return status;
    }
    for (struct stat about; info->parts < 10000; info->parts++) {
        snprintf(name, sizeof name, "%s/%d", info->path, info->parts + 1);
        if (stat(name, &about) || !S_ISDIR(about.st_mode))
            break;
    }
    return 0;
}

void canon_trace_info_free(struct canon_trace_info *info)
{
    for (char **word = info->command; word && *word; word++)
        free(*word);
    free(info->command);
    free(info->directory);
    free(info->started);
    free(info->version);
    *info = (struct canon_trace_info){0};
}

/* Whether a part is the process that the recorded command itself became (`exec java ...`). */
static bool is_command_itself(const char *part, long pid)
{
    struct canon_process process = {0};
    char problem[512];
    bool is = false;
    if (!canon_process_load(part, &process, problem, sizeof problem)) {
        const char *text = canon_process_text(&process, CANON_PROCESS_PID);
        is = text && atol(text) == pid;
        const char *kind = canon_process_text(&process, CANON_PROCESS_KIND);
        if (!pid && kind && strcmp(kind, "native") == 0) /* its end was not seen: the first one */
            is = true;
    }
    canon_process_free(&process);
    return is;
}

int canon_part_choose(const struct canon_trace_info *info, const char *wanted, char *path, size_t size)
{
    if (info->parts == 0) {
        canon_say("%s holds no program: the recorded command started no JVM that canon could reach",
                  info->path);
        return CANON_E_FORMAT;
    }
    int number = info->parts;
    if (wanted) {
        char *end;
        number = (int)strtol(wanted, &end, 10);
        if (*end || number < 1 || number > info->parts) {
            canon_say("%s has the parts 1 to %d", info->path, info->parts);
            return CANON_E_INVALID;
        }
    }
    for (int i = 1; !wanted && i <= info->parts; i++) {
        snprintf(path, size, "%s/%d", info->path, i);
        if (is_command_itself(path, info->pid)) {
            number = i;
            break;
        }
    }
    snprintf(path, size, "%s/%d", info->path, number);
    return 0;
}
