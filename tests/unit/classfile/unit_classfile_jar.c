/* unit_classfile_jar.c: jar.h on jars made by hand, whole and damaged. */
#include "base/buffer.h"
#include "classfile/jar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

enum { FILES = 2 };
static const char *const NAMES[FILES] = {"a/Stored.class", "a/b/Deflated.class"};
static const char *const CONTENTS[FILES] = {"some bytes", "many many many many many many many many bytes"};

static void put16(struct canon_buffer *out, unsigned value)
{
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    canon_buffer_put(out, bytes, sizeof bytes);
}

static void put32(struct canon_buffer *out, size_t value)
{
    put16(out, value & 0xffff);
    put16(out, (unsigned)(value >> 16));
}

static size_t deflate_all(const char *text, uint8_t *packed, size_t room)
{
    z_stream stream = {.next_in = (uint8_t *)text,
                       .avail_in = (uInt)strlen(text),
                       .next_out = packed,
                       .avail_out = (uInt)room};
    assert_int_equal(Z_OK, deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY));
    assert_int_equal(Z_STREAM_END, deflate(&stream, Z_FINISH));
    size_t size = stream.total_out;
    deflateEnd(&stream);
    return size;
}

/* What a local header and an entry of the directory have in common, from the version on. */
static void put_header(struct canon_buffer *out, int number, size_t packed)
{
    put16(out, 20);
    put16(out, 0);
    put16(out, number ? 8 : 0);
    put32(out, 0);
    put32(out, 0);
    put32(out, packed);
    put32(out, strlen(CONTENTS[number]));
    put16(out, (unsigned)strlen(NAMES[number]));
    put16(out, 0);
}

static void make_jar(struct canon_buffer *out, const char *comment)
{
    size_t places[FILES], packed[FILES];
    for (int i = 0; i < FILES; i++) {
        uint8_t bytes[256];
        memcpy(bytes, CONTENTS[i], strlen(CONTENTS[i]));
        packed[i] = i ? deflate_all(CONTENTS[i], bytes, sizeof bytes) : strlen(CONTENTS[i]);
        places[i] = out->used;
        put32(out, 0x04034b50);
        put_header(out, i, packed[i]);
        canon_buffer_put(out, NAMES[i], strlen(NAMES[i]));
        canon_buffer_put(out, bytes, packed[i]);
    }
    size_t directory = out->used;
    for (int i = 0; i < FILES; i++) {
        put32(out, 0x02014b50);
        put16(out, 20);
        put_header(out, i, packed[i]);
        put16(out, 0);
        put32(out, 0);
        put32(out, 0);
        put32(out, places[i]);
        canon_buffer_put(out, NAMES[i], strlen(NAMES[i]));
    }
    size_t size = out->used - directory;
    put32(out, 0x06054b50);
    put32(out, 0);
    put16(out, FILES);
    put16(out, FILES);
    put32(out, size);
    put32(out, directory);
    put16(out, (unsigned)strlen(comment));
    canon_buffer_put(out, comment, strlen(comment));
}

static struct canon_jar *open_bytes(const void *bytes, size_t size)
{
    int fd = memfd_create("jar", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(size, write(fd, bytes, size));
    return canon_jar_open(fd);
}

static void reads_stored_and_deflated_classes(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    make_jar(&file, "a comment");
    struct canon_jar *jar = open_bytes(file.data, file.used);
    assert_non_null(jar);
    for (int i = 0; i < FILES; i++) {
        size_t size = 0;
        uint8_t *read = canon_jar_read(
            jar, (struct canon_utf8){NAMES[i], (uint32_t)strlen(NAMES[i]) - (uint32_t)strlen(".class")},
            &size);
        assert_non_null(read);
        assert_int_equal(strlen(CONTENTS[i]), size);
        assert_memory_equal(CONTENTS[i], read, size);
        free(read);
    }
    size_t size;
    assert_null(canon_jar_read(jar, canon_utf8_from("a/Other"), &size));
    canon_jar_close(jar);
    canon_buffer_free(&file);
}

/* Whether anything at all is read does not matter, as long as the reader stays within bounds. */
static void try_all(const void *bytes, size_t size)
{
    struct canon_jar *jar = open_bytes(bytes, size);
    size_t got;
    if (jar) {
        free(canon_jar_read(jar, canon_utf8_from("a/Stored"), &got));
        free(canon_jar_read(jar, canon_utf8_from("a/b/Deflated"), &got));
    }
    canon_jar_close(jar);
}

static void survives_damage(void **state)
{
    (void)state;
    struct canon_buffer file = {0};
    make_jar(&file, "");
    for (size_t cut = 0; cut < file.used; cut++)
        try_all(file.data, cut);
    for (size_t at = 0; at < file.used; at++)
        for (int bit = 0; bit < 8; bit++) {
            file.data[at] ^= (uint8_t)(1 << bit);
            try_all(file.data, file.used);
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    canon_buffer_free(&file);
}

static void is_no_jar(void **state)
{
    (void)state;
    int pipes[2];
    assert_int_equal(0, pipe(pipes));
    assert_null(canon_jar_open(pipes[0]));
    close(pipes[1]);
    assert_null(open_bytes("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_stored_and_deflated_classes),
        cmocka_unit_test(survives_damage),
        cmocka_unit_test(is_no_jar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
