/*
 * files.h: an input of a fuzzer as the files of a trace part, and back.
 *
 *   +------+-------------+---------+------+-------------+---------+---
 *   | name | length (3)  | bytes   | name | length (3)  | bytes   | ...
 *   +------+-------------+---------+------+-------------+---------+---
 *
 * `name` chooses one of a few file names, the length is little-endian and cut to what there is. So every
 * input is some set of files, and small changes of it are small changes of a file.
 */
#ifndef CANON_TESTS_FUZZ_FILES_H
#define CANON_TESTS_FUZZ_FILES_H

#include <stddef.h>
#include <stdint.h>

enum { FILES_MOST = 8, FILES_HEAD = 4 };

struct input_file {
    const char *name; /* "a.chunks"; meta.json is called so, too */
    uint8_t *bytes;   /* inside the input */
    size_t size;
};

/* Takes an input apart; returns how many files there are. */
size_t files_split(uint8_t *data, size_t size, struct input_file files[FILES_MOST]);
/* The byte that chooses `name`. */
uint8_t files_name_byte(const char *name);

/* Gives every chunk in the input the checksum that it should have, so that what lies behind is reached. */
void files_mend(uint8_t *data, size_t size);
/* The same for one file that starts at `bytes`, with or without a file header. */
void files_mend_chunks(uint8_t *bytes, size_t size);

/* A directory in memory, made once. */
const char *files_directory(void);
/* Writes the files of an input into files_directory()/`folder` ("" for itself) and removes them again. */
void files_write(const char *folder, const struct input_file *files, size_t count);
void files_remove(const char *folder, const struct input_file *files, size_t count);

#endif
