/*
 * racy_list.h: a list of instructions that race, as text: where they are in which files. `canon discover
 * --races` writes it, `canon record --racy` takes it and puts it into the trace.
 *
 *     canon racing instructions 1
 *     # what begins with a number sign is for people
 *     5f3c...d2 1a2b3 libx264.so.164
 *
 * One line an instruction: the build id of the file, the place in the file, and the file's name, which is for
 * people, too. All of them in hexadecimal digits.
 */
#ifndef CANON_NATIVE_RACY_LIST_H
#define CANON_NATIVE_RACY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CANON_RACY_ID = 20, CANON_RACY_MOST = 1 << 16, CANON_RACY_FILE_MOST = 8 << 20 };

#define CANON_RACY_HEADER "canon racing instructions 1"
#define CANON_RACY_FILE "racy" /* in the directory of a trace */

/* What the linker has made of a file's contents; shorter ones end with zeros. */
struct canon_racy_id {
    uint8_t bytes[CANON_RACY_ID];
};

struct canon_racy_site {
    struct canon_racy_id id;
    uint64_t offset;
    char name[64];
};

/* In the order of files and places; none is there twice. All zeros: an empty one. */
struct canon_racy_list {
    struct canon_racy_site *all;
    size_t count, room;
};

/* Whether a text may be one. */
bool canon_racy_list_begins(const char *text, size_t size);
/* Adds what a text says. 0, or a negative error, with the number of the line that is wrong. */
int canon_racy_list_parse(struct canon_racy_list *list, const char *text, size_t size, int *line);
/* The same with a file; `*line` is 0 if that cannot be read. */
int canon_racy_list_read(struct canon_racy_list *list, const char *path, int *line);
int canon_racy_list_add(struct canon_racy_list *list, const struct canon_racy_site *site);
/* After the last was added: puts them in order. */
void canon_racy_list_sort(struct canon_racy_list *list);
int canon_racy_list_write(const struct canon_racy_list *list, const char *path);
void canon_racy_list_free(struct canon_racy_list *list);

/* Digits to an id; false if they are none. */
bool canon_racy_id_parse(const char *text, size_t length, struct canon_racy_id *id);

/* The sites of a file from `offset` on: the first one, and how many before `end`. */
const struct canon_racy_site *canon_racy_list_in(const struct canon_racy_list *list,
                                                 const struct canon_racy_id *id, uint64_t offset,
                                                 uint64_t end, size_t *count);

#endif
