/* test_chunk.c: one chunk to bytes and back, and what is said of bytes that are no chunk. */
#include "support.h"
#include "trace/chunk.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

static int encode(const char *name, const void *raw, size_t size, struct canon_buffer *out)
{
    struct canon_chunk chunk = {
        .name = name,
        .name_size = strlen(name),
        .sequence = 7,
        .events = 3,
        .flags = CANON_CHUNK_LAST,
        .raw = raw,
        .raw_size = size,
    };
    return canon_chunk_encode(&chunk, out);
}

/* Encodes, decodes, compares; returns the stored form's header. */
static struct canon_chunk_header round_trip(const char *name, const void *raw, size_t size)
{
    struct canon_buffer stored = {0}, again = {0};
    assert_int_equal(encode(name, raw, size, &stored), 0);
    struct canon_reader file = canon_reader_over(stored.data, stored.used);
    struct canon_chunk_place place;
    assert_int_equal(canon_chunk_locate(&file, &place), 0);
    assert_int_equal(canon_reader_left(&file), 0);
    assert_int_equal(place.header.name_size, strlen(name));
    assert_memory_equal(place.name, name, strlen(name));
    assert_int_equal(place.header.sequence, 7);
    assert_int_equal(place.header.events, 3);
    assert_true(place.header.flags & CANON_CHUNK_LAST);
    assert_int_equal(canon_chunk_decode(&place, &again), 0);
    assert_int_equal(again.used, size);
    if (size)
        assert_memory_equal(again.data, raw, size);
    canon_buffer_free(&stored);
    canon_buffer_free(&again);
    return place.header;
}

static uint8_t *noise(size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < size; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        bytes[i] = (uint8_t)state;
    }
    return bytes;
}

static void a_chunk_of_nothing_comes_back(void **state)
{
    (void)state;
    round_trip("thread main", NULL, 0);
    round_trip("", NULL, 0);
}

static void a_small_chunk_is_stored_as_it_is(void **state)
{
    (void)state;
    struct canon_chunk_header header = round_trip("thread main", "abcdef", 6);
    assert_false(header.flags & CANON_CHUNK_ZSTD);
    assert_int_equal(header.stored_size, 6);
}

static void what_compresses_is_compressed(void **state)
{
    (void)state;
    uint8_t *raw = calloc(1, 100000);
    struct canon_chunk_header header = round_trip("thread main", raw, 100000);
    assert_true(header.flags & CANON_CHUNK_ZSTD);
    assert_true(header.stored_size < 1000);
    assert_int_equal(header.raw_size, 100000);
    free(raw);
}

static void what_does_not_compress_is_stored_as_it_is(void **state)
{
    (void)state;
    uint8_t *raw = noise(100000);
    struct canon_chunk_header header = round_trip("thread main", raw, 100000);
    assert_false(header.flags & CANON_CHUNK_ZSTD);
    assert_int_equal(header.stored_size, 100000);
    free(raw);
}

static void the_largest_chunk_and_the_longest_name_come_back(void **state)
{
    (void)state;
    uint8_t *raw = noise(CANON_CHUNK_RAW_MAX);
    char name[CANON_CHUNK_NAME_MAX + 1];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    round_trip(name, raw, CANON_CHUNK_RAW_MAX);
    free(raw);
}

static void what_is_over_the_limits_is_refused(void **state)
{
    (void)state;
    struct canon_buffer out = {0};
    char name[CANON_CHUNK_NAME_MAX + 2];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(encode(name, "abc", 3, &out), CANON_E_LIMIT);
    assert_int_equal(encode("x", "abc", CANON_CHUNK_RAW_MAX + 1, &out), CANON_E_LIMIT);
    assert_int_equal(out.used, 0);
    canon_buffer_free(&out);
}

static void a_chunk_that_is_cut_anywhere_is_truncated(void **state)
{
    (void)state;
    struct canon_buffer stored = {0};
    assert_int_equal(encode("thread main", "0123456789", 10, &stored), 0);
    for (size_t n = 0; n < stored.used; n++) {
        struct canon_reader file = canon_reader_over(stored.data, n);
        struct canon_chunk_place place;
        assert_int_equal(canon_chunk_locate(&file, &place), CANON_E_TRUNCATED);
    }
    canon_buffer_free(&stored);
}

/* Flips every bit of a stored chunk; some check must notice each. */
static void expect_all_flips_noticed(const void *raw, size_t size)
{
    struct canon_buffer stored = {0}, again = {0};
    assert_int_equal(encode("thread main", raw, size, &stored), 0);
    for (size_t bit = 0; bit < stored.used * 8; bit++) {
        stored.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        struct canon_reader file = canon_reader_over(stored.data, stored.used);
        struct canon_chunk_place place;
        int status = canon_chunk_locate(&file, &place);
        again.used = 0;
        if (!status)
            status = canon_chunk_decode(&place, &again);
        if (!status)
            fail_msg("bit %zu of byte %zu was flipped and nobody noticed", bit % 8, bit / 8);
        stored.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    canon_buffer_free(&stored);
    canon_buffer_free(&again);
}

static void every_flipped_bit_is_noticed(void **state)
{
    (void)state;
    uint8_t zeros[2000] = {0};
    expect_all_flips_noticed("some raw bytes", 14);
    expect_all_flips_noticed(zeros, sizeof zeros);
}

/* ---- chunks with a good checksum that make no sense --------------------------------------------------- */

/* Builds a chunk around `stored`, with whatever header is given. */
static void craft(struct canon_chunk_header header, const void *stored, struct canon_buffer *out)
{
    header.header_checksum = (uint32_t)XXH3_64bits(&header, offsetof(struct canon_chunk_header, checksum));
    XXH64_hash_t seed = XXH3_64bits_withSeed("n", 1, header.header_checksum);
    header.checksum = XXH3_64bits_withSeed(stored, header.stored_size, seed);
    out->used = 0;
    canon_buffer_put(out, &header, sizeof header);
    canon_buffer_put(out, "n", 1);
    canon_buffer_put(out, stored, header.stored_size);
}

static int read_crafted(struct canon_chunk_header header, const void *stored, size_t *size)
{
    struct canon_buffer file_bytes = {0}, raw = {0};
    craft(header, stored, &file_bytes);
    struct canon_reader file = canon_reader_over(file_bytes.data, file_bytes.used);
    struct canon_chunk_place place;
    int status = canon_chunk_locate(&file, &place);
    if (!status)
        status = canon_chunk_decode(&place, &raw);
    *size = raw.used;
    canon_buffer_free(&file_bytes);
    canon_buffer_free(&raw);
    return status;
}

static void a_frame_of_another_length_than_promised_is_refused(void **state)
{
    (void)state;
    uint8_t zeros[5000] = {0}, frame[512];
    size_t frame_size = ZSTD_compress(frame, sizeof frame, zeros, sizeof zeros, 1), size;
    struct canon_chunk_header header = {
        .magic = CANON_CHUNK_MAGIC,
        .flags = CANON_CHUNK_ZSTD,
        .name_size = 1,
        .raw_size = sizeof zeros,
        .stored_size = (uint32_t)frame_size,
    };
    assert_int_equal(read_crafted(header, frame, &size), 0); /* the builder itself works */
    assert_int_equal(size, sizeof zeros);
    header.raw_size = sizeof zeros - 1;
    assert_int_equal(read_crafted(header, frame, &size), CANON_E_FORMAT);
    header.raw_size = sizeof zeros + 1;
    assert_int_equal(read_crafted(header, frame, &size), CANON_E_FORMAT);
    assert_int_equal(size, 0);
}

static void bytes_that_are_no_frame_are_refused(void **state)
{
    (void)state;
    size_t size;
    struct canon_chunk_header header = {
        .magic = CANON_CHUNK_MAGIC,
        .flags = CANON_CHUNK_ZSTD,
        .name_size = 1,
        .raw_size = 100,
        .stored_size = 9,
    };
    assert_int_equal(read_crafted(header, "not zstd!", &size), CANON_E_FORMAT);
    header.stored_size = 0;
    assert_int_equal(read_crafted(header, "", &size), CANON_E_FORMAT);
}

static void headers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    uint8_t stored[64] = {0};
    size_t size;
    const struct canon_chunk_header good = {
        .magic = CANON_CHUNK_MAGIC, .name_size = 1, .raw_size = 10, .stored_size = 10};
    struct canon_chunk_header header = good;
    header.magic = 0x4b4e4844;
    assert_int_equal(read_crafted(header, stored, &size), CANON_E_FORMAT);
    header = good;
    header.raw_size = 11; /* not compressed, so both sizes must be the same */
    assert_int_equal(read_crafted(header, stored, &size), CANON_E_FORMAT);
    header = good;
    header.flags = CANON_CHUNK_ZSTD;
    header.raw_size = 9; /* compressing never makes it larger */
    assert_int_equal(read_crafted(header, stored, &size), CANON_E_FORMAT);
    header = good;
    header.flags = CANON_CHUNK_ZSTD;
    header.raw_size = CANON_CHUNK_RAW_MAX + 1;
    assert_int_equal(read_crafted(header, stored, &size), CANON_E_FORMAT);
    header = good;
    header.name_size = CANON_CHUNK_NAME_MAX + 1;
    assert_int_equal(read_crafted(header, stored, &size), CANON_E_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_of_nothing_comes_back),
        cmocka_unit_test(a_small_chunk_is_stored_as_it_is),
        cmocka_unit_test(what_compresses_is_compressed),
        cmocka_unit_test(what_does_not_compress_is_stored_as_it_is),
        cmocka_unit_test(the_largest_chunk_and_the_longest_name_come_back),
        cmocka_unit_test(what_is_over_the_limits_is_refused),
        cmocka_unit_test(a_chunk_that_is_cut_anywhere_is_truncated),
        cmocka_unit_test(every_flipped_bit_is_noticed),
        cmocka_unit_test(a_frame_of_another_length_than_promised_is_refused),
        cmocka_unit_test(bytes_that_are_no_frame_are_refused),
        cmocka_unit_test(headers_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
