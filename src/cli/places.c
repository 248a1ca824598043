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
    char *copy = strdup(place);
    canon_assert(copy);
    canon_words_add(words, copy);
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
    while ((place = next_place(file, line, sizeof line, &number, &wrong))) {
        add(words, place);
        wrong = words->count > PLACES_MOST;
    }
    fclose(file);
    if (wrong)
        canon_say(words->count > PLACES_MOST ? "%s: line %d: there are too many places"
                                             : "%s: line %d is not a place, as org.example.Cache.size is",
                  path, number);
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

static bool is_there(const struct canon_words *words, const char *place)
{
    int i = 0;
    while (i < words->count && strcmp(words->all[i], place) != 0)
        i++;
    return i < words->count;
}

/* Those of the file that a list can have, and that are not there yet. */
static void take_new(struct canon_words *words, const char *found)
{
    char line[600];
    FILE *file = fopen(found, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!canon_place_is(line))
            canon_say("%s races, too, but --racy takes no such name", line);
        else if (!is_there(words, line))
            add(words, line);
    }
    if (file)
        fclose(file);
}

/* What people have written there stays. */
static bool append(const char *list, bool is_new, const struct canon_words *words, int from)
{
    FILE *file = fopen(list, "ae");
    if (!file)
        return false;
    if (is_new)
        fprintf(file, CANON_PLACES_HEADER "\n");
    for (int i = from; i < words->count; i++)
        fprintf(file, "%s\n", words->all[i]);
    bool failed = ferror(file);
    return !fclose(file) && !failed;
}

int canon_places_add(const char *list, const char *found)
{
    struct canon_words words = {0};
    FILE *file = open_list(list);
    bool is_new = !file;
    if (!file && errno != ENOENT) {
        canon_say("%s: %s: it is not a list of places of Java programs, and is left as it is", list,
                  strerror(errno));
        return -1;
    }
    if (file && !read_places(file, list, &words))
        return -1;
    int before = words.count;
    take_new(&words, found);
    if (!append(list, is_new, &words, before)) {
        canon_say("cannot write %s: %s", list, strerror(errno));
        return -1;
    }
    canon_say("%s: places that race: %d, new: %d", list, words.count, words.count - before);
    return words.count - before;
}
