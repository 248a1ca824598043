/* test_archive.c: archives of rewritten classes: their names, who may have written them, and what is taken
 * out. */
#include "cli/cli.h"
#include "launch/archive.h"
#include "launch/protocol.h"
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[64];

static const char *below(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", base, name);
    return path;
}

static void write_file(const char *path, const void *data, size_t size, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static int setup(void **state)
{
    (void)state;
    strcpy(base, "/tmp/canon-test-XXXXXX");
    assert_non_null(mkdtemp(base));
    assert_int_equal(mkdir(below("lib"), 0700), 0);
    assert_int_equal(mkdir(below("lib/server"), 0700), 0);
    write_file(below("lib/server/libjvm.so"), "a", 1, 0600);
    write_file(below("lib/modules"), "b", 1, 0600);
    write_file(below(CANON_LIB_JVM), "c", 1, 0600);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", base);
    return system(command);
}

static bool name_of(const char *role, const char *order, uint64_t places, char *name)
{
    struct canon_archive_rules rules = {role, order, places};
    return canon_archive_name(below("lib/server/libjvm.so"), base, &rules, name, 64);
}

static void names_tell_what_matters(void **state)
{
    (void)state;
    char first[64], other[64];
    assert_true(name_of("record", "edges", 0, first));
    assert_true(name_of("record", "edges", 0, other));
    assert_string_equal(first, other);
    assert_true(name_of("replay", "edges", 0, other));
    assert_string_not_equal(first, other);
    assert_true(name_of("record", "serial", 0, other));
    assert_string_not_equal(first, other);
    assert_true(name_of("record", "edges", 1, other));
    assert_string_not_equal(first, other);
    write_file(below("lib/modules"), "longer", 6, 0600);
    assert_true(name_of("record", "edges", 0, other));
    assert_string_not_equal(first, other);
    assert_int_equal(unlink(below("lib/modules")), 0);
    assert_false(name_of("record", "edges", 0, other));
}

static void only_the_users_own_are_used(void **state)
{
    (void)state;
    write_file(below("x.jsa"), "x", 1, 0400);
    assert_true(canon_archive_usable(base, "x.jsa"));
    assert_false(canon_archive_usable(base, "y.jsa"));
    assert_int_equal(chmod(below("x.jsa"), 0420), 0);
    assert_false(canon_archive_usable(base, "x.jsa"));
    assert_int_equal(chmod(below("x.jsa"), 0402), 0);
    assert_false(canon_archive_usable(base, "x.jsa"));
    assert_int_equal(chmod(below("x.jsa"), 0400), 0);
    assert_int_equal(symlink("x.jsa", below("y.jsa")), 0);
    assert_false(canon_archive_usable(base, "y.jsa"));
    assert_int_equal(chmod(base, 0777), 0);
    assert_false(canon_archive_usable(base, "x.jsa"));
    assert_int_equal(chmod(base, 0700), 0);
    assert_true(canon_archive_usable(base, "x.jsa"));
}

/* An archive as far as it matters: a header of 1000 bytes, and regions of 96; the fourth has the objects. */
enum {
    VERSION = 2,
    SIZE = 3,
    REGIONS = 6,
    WORDS_A_REGION = 24,
    IS_HEAP = 3,
    IS_BITMAP = 4,
    OFFSET = 6,
    USED = 10
};

static uint32_t *region(uint32_t *words, int number)
{
    return words + REGIONS + number * WORDS_A_REGION;
}

static void make_archive(uint32_t *words, uint32_t version)
{
    memset(words, 0, 4096);
    words[0] = 0xf00baba2;
    words[VERSION] = version;
    words[SIZE] = 1000;
    region(words, 1)[1] = 1; /* read-only */
    region(words, 2)[IS_BITMAP] = 1;
    region(words, 3)[IS_HEAP] = 1;
    region(words, 3)[OFFSET] = 2048;
    region(words, 3)[USED] = 512;
    write_file(below("made.jsa"), words, 4096, 0444);
}

static void finished_ones_have_no_objects(void **state)
{
    (void)state;
    uint32_t words[1024], made[1024];
    make_archive(words, 19);
    assert_int_equal(mkdir(below("cache"), 0700), 0);
    assert_null(canon_archive_finish(below("made.jsa"), below("cache")));
    assert_true(canon_archive_usable(below("cache"), "made.jsa"));
    int fd = open(below("cache/made.jsa"), O_RDONLY);
    assert_int_equal(read(fd, made, sizeof made), sizeof made);
    close(fd);
    assert_int_equal(region(made, 3)[USED], 0);
    assert_int_not_equal(made[1], words[1]); /* the checksum */
    made[1] = words[1];
    region(made, 3)[USED] = 512;
    assert_memory_equal(made, words, sizeof made);
}

static void unknown_ones_are_not_taken(void **state)
{
    (void)state;
    uint32_t words[1024];
    assert_int_equal(mkdir(below("cache"), 0700), 0);
    assert_non_null(canon_archive_finish(below("made.jsa"), below("cache")));
    make_archive(words, 99);
    assert_non_null(canon_archive_finish(below("made.jsa"), below("cache")));
    make_archive(words, 19);
    words[0] = 1;
    write_file(below("made.jsa"), words, sizeof words, 0600);
    assert_non_null(canon_archive_finish(below("made.jsa"), below("cache")));
    make_archive(words, 19);
    region(words, 3)[OFFSET] = 1 << 20;
    write_file(below("made.jsa"), words, sizeof words, 0600);
    assert_non_null(canon_archive_finish(below("made.jsa"), below("cache")));
    write_file(below("made.jsa"), words, 10, 0600);
    assert_non_null(canon_archive_finish(below("made.jsa"), below("cache")));
    assert_int_equal(access(below("cache/made.jsa"), F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_tell_what_matters, setup, teardown),
        cmocka_unit_test_setup_teardown(only_the_users_own_are_used, setup, teardown),
        cmocka_unit_test_setup_teardown(finished_ones_have_no_objects, setup, teardown),
        cmocka_unit_test_setup_teardown(unknown_ones_are_not_taken, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
