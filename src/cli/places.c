/* places.c: see places.h. */
#include "cli/places.h"

#include "base/assert.h"
#include "base/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 10000 };

static bool names_member(const char *pattern)
{
    const char *dot = strrchr(pattern, '.');
    return dot && dot > pattern && dot[1] && !strpbrk(pattern, ",:;=/ ");
}

bool canon_place_is(const char *place)
{
    const char *dot = strrchr(place, '.'), *parameters = strchr(place, '('), *star = strchr(place, '*');
    if (!names_member(place) ||
        (parameters && strcmp(parameters, "()") != 0 && strcmp(parameters, "()!") != 0) ||
        (place[0] == '!' && strcmp(dot, ".?") != 0))
        return false;
    const char *second = star ? strchr(star + 1, '*') : NULL;
    return !second || (star < dot && second > dot && !strchr(second + 1, '*'));
}

static void add(struct canon_words *words, const char *place)
{
    words->all = realloc(words->all, ((size_t)words->count + 1) * sizeof *words->all);
    char *copy = strdup(place);
    canon_assert(words->all && copy);
    words->all[words->count++] = copy;
}

/* The next line that is a place, without its end; NULL: there is none. `*wrong` is set by one that is none.
 */
static char *next_place(FILE *file, char *line, int size, int *number, bool *wrong)
{
    while (fgets(line, size, file)) {
        ++*number;
        size_t length = strcspn(line, "\n");
        *wrong |= line[length] != '\n';
        line[length] = '\0';
        if (!length || *line == '#')
            continue;
        *wrong |= !canon_place_is(line);
        return *wrong ? NULL : line;
    }
    return NULL;
}

/* A list; NULL: it is not one. */
static FILE *open_list(const char *path)
{
    char line[64];
    FILE *file = fopen(path, "re");
    if (!file || (fgets(line, sizeof line, file) && strcmp(line, CANON_PLACES_HEADER "\n") == 0))
        return file;
    fclose(file);
    errno = EINVAL;
    return NULL;
}

/* Closes the file. */
static bool read_places(FILE *file, const char *path, struct canon_words *words)
{
    char line[600], *place;
    int number = 1;
    bool wrong = false;
    while (words->count < PLACES_MOST && (place = next_place(file, line, sizeof line, &number, &wrong)))
        add(words, place);
    fclose(file);
    if (wrong)
        canon_say("%s: line %d is not a place, as org.example.Cache.size is", path, number);
    return !wrong;
}

bool canon_places_take(struct canon_words *words)
{
    struct canon_words all = {0};
    for (int i = 0; i < words->count; i++) {
        FILE *file = open_list(words->all[i]);
        if (file) {
            if (!read_places(file, words->all[i], &all))
                return false;
        } else if (canon_place_is(words->all[i])) {
            add(&all, words->all[i]);
        } else {
            canon_say(
                "--racy=%s: a class and a field are needed, as in org.example.Cache.size, or a method, as in "
                "org.example.Cache.fill(), with one * in each for any characters; or a list that `canon "
                "discover --races` has written",
                words->all[i]);
            return false;
        }
    }
    *words = all;
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts them; none is there twice then. */
static void tidy(struct canon_words *words)
{
    int kept = 0;
    if (words->count)
        qsort(words->all, (size_t)words->count, sizeof *words->all, compare);
    for (int i = 0; i < words->count; i++)
        if (!kept || strcmp(words->all[kept - 1], words->all[i]) != 0)
            words->all[kept++] = words->all[i];
    words->count = kept;
}

static bool write_places(const char *path, const struct canon_words *words)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    fprintf(file, CANON_PLACES_HEADER "\n");
    for (int i = 0; i < words->count; i++)
        fprintf(file, "%s\n", words->all[i]);
    bool failed = ferror(file);
    return !fclose(file) && !failed;
}

int canon_places_add(const char *list, const char *found)
{
    struct canon_words words = {0};
    FILE *file = open_list(list);
    if (!file && errno != ENOENT) {
        canon_say("%s: %s: it is not a list of places of Java programs, and is left as it is", list,
                  strerror(errno));
        return -1;
    }
    if (file && !read_places(file, list, &words))
        return -1;
    int before = words.count;
    if ((file = fopen(found, "re")) && !read_places(file, found, &words))
        return -1;
    tidy(&words);
    if (!write_places(list, &words)) {
        canon_say("cannot write %s: %s", list, strerror(errno));
        return -1;
    }
    canon_say("%s: places that race: %d, new: %d", list, words.count, words.count - before);
    return words.count - before;
}
