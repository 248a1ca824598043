/* racy_list.c: see racy_list.h. */
#include "native/racy_list.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- text ---------------------------------------------------------------------------------------------- */

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool canon_racy_id_parse(const char *text, size_t length, struct canon_racy_id *id)
{
    *id = (struct canon_racy_id){0};
    if (length < 8 || length % 2 || length > 2 * CANON_RACY_ID)
        return false;
    for (size_t i = 0; i < length; i++) {
        int value = digit(text[i]);
        if (value < 0)
            return false;
        id->bytes[i / 2] = (uint8_t)(id->bytes[i / 2] << 4 | value);
    }
    return true;
}

/* ID OFFSET NAME */
static bool parse_site(const char *line, size_t length, struct canon_racy_site *site)
{
    const char *end = line + length, *blank = memchr(line, ' ', length);
    *site = (struct canon_racy_site){0};
    if (!blank || !canon_racy_id_parse(line, (size_t)(blank - line), &site->id))
        return false;
    const char *at = blank + 1;
    for (; at < end && digit(*at) >= 0 && site->offset >> 40 == 0; at++)
        site->offset = site->offset << 4 | (uint64_t)digit(*at);
    if (at == blank + 1 || at == end || *at != ' ')
        return false;
    size_t name = (size_t)(end - ++at);
    for (size_t i = 0; i < name; i++)
        if (!isgraph((unsigned char)at[i]))
            return false;
    snprintf(site->name, sizeof site->name, "%.*s", (int)name, at);
    return name > 0 && name < sizeof site->name;
}

bool canon_racy_list_begins(const char *text, size_t size)
{
    size_t length = strlen(CANON_RACY_HEADER);
    return size > length && memcmp(text, CANON_RACY_HEADER "\n", length + 1) == 0;
}

int canon_racy_list_parse(struct canon_racy_list *list, const char *text, size_t size, int *line)
{
    *line = 1;
    if (!canon_racy_list_begins(text, size))
        return CANON_E_FORMAT;
    for (const char *at = text, *end = text + size; at < end; (*line)++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct canon_racy_site site;
        if (!stop)
            return CANON_E_FORMAT; /* cut off */
        if (*line > 1 && stop > at && *at != '#') {
            if (!parse_site(at, (size_t)(stop - at), &site))
                return CANON_E_FORMAT;
            int status = canon_racy_list_add(list, &site);
            if (status)
                return status;
        }
        at = stop + 1;
    }
    canon_racy_list_sort(list);
    return 0;
}

static int read_all(int file, char **text, size_t *size)
{
    struct stat about;
    if (fstat(file, &about) || !S_ISREG(about.st_mode) || about.st_size > CANON_RACY_FILE_MOST)
        return CANON_E_FORMAT;
    *text = malloc((size_t)about.st_size + 1);
    if (!*text)
        return CANON_E_NOMEM;
    ssize_t n = read(file, *text, (size_t)about.st_size);
    *size = n < 0 ? 0 : (size_t)n;
    return n < 0 ? CANON_E_IO : 0;
}

int canon_racy_list_read(struct canon_racy_list *list, const char *path, int *line)
{
    char *text = NULL;
    size_t size = 0;
    *line = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? CANON_E_NOENT : CANON_E_IO;
    int status = read_all(file, &text, &size);
    close(file);
    if (!status)
        status = canon_racy_list_parse(list, text, size, line);
    free(text);
    return status;
}

int canon_racy_list_write(const struct canon_racy_list *list, const char *path)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return CANON_E_IO;
    fprintf(file, "%s\n", CANON_RACY_HEADER);
    for (size_t i = 0; i < list->count; i++) {
        for (int k = 0; k < CANON_RACY_ID; k++)
            fprintf(file, "%02x", list->all[i].id.bytes[k]);
        fprintf(file, " %llx %s\n", (unsigned long long)list->all[i].offset, list->all[i].name);
    }
    bool failed = ferror(file);
    return fclose(file) || failed ? CANON_E_IO : 0;
}

/* ---- order --------------------------------------------------------------------------------------------- */

static int compare(const void *one, const void *other)
{
    const struct canon_racy_site *a = one, *b = other;
    int order = memcmp(&a->id, &b->id, sizeof a->id);
    return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

int canon_racy_list_add(struct canon_racy_list *list, const struct canon_racy_site *site)
{
    if (list->count >= CANON_RACY_MOST)
        return CANON_E_LIMIT;
    if (list->count == list->room) {
        size_t room = list->room * 2 + 64;
        struct canon_racy_site *all = realloc(list->all, room * sizeof *all);
        if (!all)
            return CANON_E_NOMEM;
        list->all = all;
        list->room = room;
    }
    list->all[list->count++] = *site;
    return 0;
}

void canon_racy_list_sort(struct canon_racy_list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->all, list->count, sizeof *list->all, compare);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || compare(&list->all[kept - 1], &list->all[i]))
            list->all[kept++] = list->all[i];
    list->count = kept;
}

void canon_racy_list_free(struct canon_racy_list *list)
{
    free(list->all);
    *list = (struct canon_racy_list){0};
}

const struct canon_racy_site *canon_racy_list_in(const struct canon_racy_list *list,
                                                 const struct canon_racy_id *id, uint64_t offset,
                                                 uint64_t end, size_t *count)
{
    struct canon_racy_site wanted = {.id = *id, .offset = offset};
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&list->all[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    wanted.offset = end;
    while (low + *count < list->count && compare(&list->all[low + *count], &wanted) < 0)
        ++*count;
    return list->all + low;
}
