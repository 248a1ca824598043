/* test_racy_list.c: lists of racing instructions, right ones and others. */
#include "native/racy_list.h"

#include "base/error.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER CANON_RACY_HEADER "\n"

static int parse(struct canon_racy_list *list, const char *text, int *line)
{
    *list = (struct canon_racy_list){0};
    return canon_racy_list_parse(list, text, strlen(text), line);
}

static void sites_are_in_order_and_once(void **state)
{
    (void)state;
    struct canon_racy_list list;
    int line;
    assert_int_equal(
        parse(&list,
              HEADER "# for people\n\nbb00112233 20 b\naa00112233 1f a\nbb00112233 3 b\nbb00112233 20 c\n",
              &line),
        0);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.all[0].id.bytes[0], 0xaa);
    assert_int_equal(list.all[1].offset, 3);
    assert_int_equal(list.all[2].offset, 0x20);
    size_t count;
    const struct canon_racy_site *first = canon_racy_list_in(&list, &list.all[1].id, 4, 0x21, &count);
    assert_int_equal(count, 1);
    assert_int_equal(first->offset, 0x20);
    canon_racy_list_in(&list, &list.all[1].id, 4, 0x20, &count);
    assert_int_equal(count, 0);
    canon_racy_list_free(&list);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const char *const WRONG[] = {
        "",
        "canon racing",
        HEADER "aa00112233 1f\n",
        HEADER "aa00112233 1f \n",
        HEADER "aa0011223 1f a\n",
        HEADER "aa00112233 xf a\n",
        HEADER "aa00112233 1f a",
        HEADER "AA00112233 1f a\n",
        HEADER "aa00112233 1f a b\n",
        HEADER "aa00112233 112233445566778899 a\n",
        HEADER "00112233445566778899aabbccddeeff0011223344 1 a\n",
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        struct canon_racy_list list;
        int line;
        assert_int_equal(parse(&list, WRONG[i], &line), CANON_E_FORMAT);
        canon_racy_list_free(&list);
    }
}

static void too_many_are_refused(void **state)
{
    (void)state;
    struct canon_racy_list list = {0};
    for (uint64_t i = 0; i < CANON_RACY_MOST; i++)
        assert_int_equal(canon_racy_list_add(&list, &(struct canon_racy_site){.offset = i}), 0);
    assert_int_equal(canon_racy_list_add(&list, &(struct canon_racy_site){.offset = 0}), CANON_E_LIMIT);
    canon_racy_list_free(&list);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct canon_racy_list list, again = {0};
    int line;
    char path[] = "/tmp/canon-racy.XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(parse(&list, HEADER "bb00112233 20 b\n", &line), 0);
    assert_int_equal(canon_racy_list_write(&list, path), 0);
    assert_int_equal(canon_racy_list_read(&again, path, &line), 0);
    assert_int_equal(again.count, 1);
    assert_memory_equal(&again.all[0], &list.all[0], sizeof list.all[0]);
    unlink(path);
    canon_racy_list_free(&list);
    canon_racy_list_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sites_are_in_order_and_once),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(too_many_are_refused),
        cmocka_unit_test(what_is_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
