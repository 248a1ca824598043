/* test_graph.c: the digest of a graph of objects: the same for the same graph, however it was walked. */
#include "heap/graph.h"

#include "base/error.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* An object of a small graph: its class, a number in it, and where its places 0 to 2 lead; -1: nowhere. */
struct object {
    const char *class;
    int number;
    int to[3];
};

#define NOWHERE                                                                                              \
    {                                                                                                        \
        -1, -1, -1                                                                                           \
    }

/*
 * Adds them in the order that `order` says (NULL: their own), each with its places backwards or not; the
 * first one is the root.
 */
static struct canon_graph *graph_of(const struct object *objects, size_t count, const size_t *order,
                                    bool backwards)
{
    struct canon_graph *graph = canon_graph_new();
    uint32_t *nodes = calloc(count, sizeof *nodes);
    assert_non_null(graph);
    assert_non_null(nodes);
    for (size_t i = 0; i < count; i++) {
        const struct object *object = &objects[order ? order[i] : i];
        nodes[object - objects] = canon_graph_node(graph, canon_graph_class(graph, object->class));
        canon_graph_content(graph, nodes[object - objects], 7, &object->number, sizeof object->number);
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = order ? order[i] : i;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t place = backwards ? 2 - k : k;
            if (objects[at].to[place] >= 0)
                canon_graph_edge(graph, nodes[at], place, nodes[objects[at].to[place]]);
        }
    }
    canon_graph_root(graph, nodes[0]);
    free(nodes);
    return graph;
}

static struct canon_heap_summary summary_of(struct canon_graph *graph)
{
    struct canon_heap_summary summary;
    assert_int_equal(canon_graph_summarise(graph, &summary), 0);
    canon_graph_free(graph);
    return summary;
}

static void count_one(void *context, const struct canon_heap_class *recorded,
                      const struct canon_heap_class *now)
{
    assert_string_equal(recorded->name, now->name);
    ++*(size_t *)context;
}

/* Whether two graphs have the same digest; `*classes`: how many classes differ. */
static bool same(struct canon_graph *left, struct canon_graph *right, size_t *classes)
{
    struct canon_heap_summary a = summary_of(left), b = summary_of(right);
    size_t counted = 0;
    *classes = canon_heap_differences(&a, &b, count_one, &counted);
    assert_int_equal(counted, *classes);
    bool equal = a.digest == b.digest && a.objects == b.objects;
    if (equal)
        assert_int_equal(counted, 0);
    canon_heap_summary_free(&a);
    canon_heap_summary_free(&b);
    return equal;
}

#define COUNT(objects) (sizeof(objects) / sizeof *(objects))
#define DIFFER(left, right, classes)                                                                         \
    do {                                                                                                     \
        size_t differing;                                                                                    \
        assert_false(same(graph_of(left, COUNT(left), NULL, false),                                          \
                          graph_of(right, COUNT(right), NULL, false), &differing));                          \
        assert_int_equal(differing, classes);                                                                \
    } while (0)

/* A root, a ring of three, something shared, something that refers to itself. */
static const struct object RING[] = {
    {"Root", 1, {1, 4, 5}},  {"Link", 2, {2, 4, -1}}, {"Link", 2, {3, -1, 4}},
    {"Link", 3, {1, 4, -1}}, {"Leaf", 9, NOWHERE},    {"Loop", 0, {5, 5, 0}},
};

static void how_it_was_walked_does_not_show(void **state)
{
    (void)state;
    size_t order[] = {0, 1, 2, 3, 4, 5}, classes;
    srand(1);
    for (int round = 0; round < 200; round++) {
        for (size_t i = COUNT(order) - 1; i > 0; i--) {
            size_t other = (size_t)rand() % (i + 1), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        assert_true(same(graph_of(RING, COUNT(RING), NULL, false),
                         graph_of(RING, COUNT(RING), order, round % 2), &classes));
    }
}

static void a_number_shows_where_it_is(void **state)
{
    (void)state;
    struct object other[COUNT(RING)];
    memcpy(other, RING, sizeof other);
    other[3].number = 4;
    DIFFER(RING, other, 1);
}

/* A leaf is taken for part of whoever has it. */
static void a_leaf_shows_in_its_owners(void **state)
{
    (void)state;
    static const struct object LEFT[] = {
        {"Root", 0, {1, 2, -1}}, {"Box", 0, {3, -1, -1}}, {"Other", 0, {0, -1, -1}}, {"Leaf", 1, NOWHERE}};
    static const struct object RIGHT[] = {
        {"Root", 0, {1, 2, -1}}, {"Box", 0, {3, -1, -1}}, {"Other", 0, {0, -1, -1}}, {"Leaf", 2, NOWHERE}};
    DIFFER(LEFT, RIGHT, 2);
}

static void shared_is_not_copied(void **state)
{
    (void)state;
    static const struct object SHARED[] = {{"Root", 0, {1, 1, -1}}, {"Box", 5, NOWHERE}};
    static const struct object COPIED[] = {{"Root", 0, {1, 2, -1}}, {"Box", 5, NOWHERE}, {"Box", 5, NOWHERE}};
    DIFFER(SHARED, COPIED, 1);
}

/* As many of each, and each looks like the other: only who shares with whom is different. */
static void who_shares_with_whom_shows(void **state)
{
    (void)state;
    static const struct object LEFT[] = {{"Root", 0, {1, 1, 2}}, {"Box", 5, NOWHERE}, {"Box", 5, NOWHERE}};
    static const struct object RIGHT[] = {{"Root", 0, {1, 2, 2}}, {"Box", 5, NOWHERE}, {"Box", 5, NOWHERE}};
    DIFFER(LEFT, RIGHT, 0);
}

static void a_ring_of_two_is_not_one_of_three(void **state)
{
    (void)state;
    static const struct object TWICE[] = {{"Root", 0, {1, 3, -1}},
                                          {"Link", 0, {2, -1, -1}},
                                          {"Link", 0, {1, -1, -1}},
                                          {"Link", 0, {4, -1, -1}},
                                          {"Link", 0, {3, -1, -1}}};
    static const struct object UNEQUAL[] = {{"Root", 0, {1, 4, -1}},
                                            {"Link", 0, {2, -1, -1}},
                                            {"Link", 0, {3, -1, -1}},
                                            {"Link", 0, {1, -1, -1}},
                                            {"Link", 0, {4, -1, -1}}};
    DIFFER(TWICE, UNEQUAL, 0);
}

static void swapped_places_show(void **state)
{
    (void)state;
    static const struct object LEFT[] = {
        {"Root", 0, {1, 2, -1}}, {"Box", 1, {0, -1, -1}}, {"Box", 2, {0, -1, -1}}};
    static const struct object RIGHT[] = {
        {"Root", 0, {2, 1, -1}}, {"Box", 1, {0, -1, -1}}, {"Box", 2, {0, -1, -1}}};
    static const struct object MOVED[] = {
        {"Root", 0, {1, -1, 2}}, {"Box", 1, {0, -1, -1}}, {"Box", 2, {0, -1, -1}}};
    DIFFER(LEFT, RIGHT, 0);
    DIFFER(LEFT, MOVED, 1);
}

static void the_class_shows(void **state)
{
    (void)state;
    static const struct object LEFT[] = {{"Root", 0, {1, -1, -1}}, {"Box", 1, NOWHERE}};
    static const struct object RIGHT[] = {{"Root", 0, {1, -1, -1}}, {"Case", 1, NOWHERE}};
    DIFFER(LEFT, RIGHT, 3);
}

/* What nobody can reach is not there. */
static void garbage_does_not_count(void **state)
{
    (void)state;
    static const struct object LEFT[] = {{"Root", 0, {1, -1, -1}}, {"Box", 1, NOWHERE}};
    static const struct object RIGHT[] = {
        {"Root", 0, {1, -1, -1}}, {"Box", 1, NOWHERE}, {"Box", 2, {1, 0, -1}}};
    size_t classes;
    assert_true(
        same(graph_of(LEFT, COUNT(LEFT), NULL, false), graph_of(RIGHT, COUNT(RIGHT), NULL, false), &classes));
}

/* Longer than any stack is deep. */
static struct canon_graph *chain(uint32_t length, uint32_t odd_one)
{
    struct canon_graph *graph = canon_graph_new();
    uint32_t class = canon_graph_class(graph, "Link"), before = 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t node = canon_graph_node(graph, class), number = i == odd_one;
        canon_graph_content(graph, node, 0, &number, sizeof number);
        if (before)
            canon_graph_edge(graph, before, 1, node);
        else
            canon_graph_root(graph, node);
        before = node;
    }
    return graph;
}

static void a_long_chain_is_no_problem(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    size_t classes;
    assert_true(same(chain(LONG, LONG / 2), chain(LONG, LONG / 2), &classes));
    assert_false(same(chain(LONG, LONG / 2), chain(LONG, LONG / 2 + 1), &classes));
    assert_int_equal(classes, 0); /* as many of each kind: their order shows only in the whole */
    assert_false(same(chain(LONG, 5), chain(LONG + 1, 5), &classes));
    assert_int_equal(classes, 1);
}

static void an_empty_graph_has_a_digest(void **state)
{
    (void)state;
    size_t classes;
    assert_true(same(canon_graph_new(), canon_graph_new(), &classes));
}

/* Edges of a node that do not come together: an error, and no digest of something else. */
static void edges_must_come_together(void **state)
{
    (void)state;
    struct canon_graph *graph = canon_graph_new();
    uint32_t class = canon_graph_class(graph, "Box"), a = canon_graph_node(graph, class),
             b = canon_graph_node(graph, class);
    canon_graph_edge(graph, a, 0, b);
    canon_graph_edge(graph, b, 0, a);
    canon_graph_edge(graph, a, 1, a);
    canon_graph_root(graph, a);
    struct canon_heap_summary summary;
    assert_int_equal(canon_graph_summarise(graph, &summary), CANON_E_INVALID);
    canon_graph_free(graph);
}

/* ---- as text ------------------------------------------------------------------------------------------- */

static void a_summary_survives_as_text(void **state)
{
    (void)state;
    struct canon_heap_summary made = summary_of(graph_of(RING, COUNT(RING), NULL, false)), read = {0};
    char *text = canon_heap_total_text(&made);
    assert_int_equal(canon_heap_total_parse(text, &read), 0);
    free(text);
    for (size_t i = made.count; i-- > 0;) {
        text = canon_heap_class_text(&made.classes[i]);
        assert_int_equal(canon_heap_class_parse(text, &read), 0);
        free(text);
    }
    canon_heap_summary_sort(&read);
    size_t counted = 0;
    assert_int_equal(read.digest, made.digest);
    assert_int_equal(read.objects, COUNT(RING));
    assert_int_equal(read.count, 4);
    assert_int_equal(canon_heap_differences(&made, &read, count_one, &counted), 0);
    canon_heap_summary_free(&made);
    canon_heap_summary_free(&read);
}

static void other_text_is_refused(void **state)
{
    (void)state;
    static const char *const TOTALS[] = {"",
                                         "x",
                                         "0123456789abcdef",
                                         "0123456789abcdef ",
                                         "0123456789abcdef 1 more",
                                         "0123456789abcdef -1",
                                         "123456789abcdef 1",
                                         "0123456789abcdef0 1",
                                         "0123456789ABCDEF 1",
                                         "0123456789abcdef  1"};
    struct canon_heap_summary summary = {0};
    for (size_t i = 0; i < COUNT(TOTALS); i++)
        assert_int_equal(canon_heap_total_parse(TOTALS[i], &summary), CANON_E_FORMAT);
    assert_int_equal(canon_heap_class_parse("0123456789abcdef 1", &summary), CANON_E_FORMAT);
    assert_int_equal(canon_heap_class_parse("0123456789abcdef 1 ", &summary), CANON_E_FORMAT);
    assert_int_equal(summary.count, 0);
}

static void note_name(void *context, const struct canon_heap_class *recorded,
                      const struct canon_heap_class *now)
{
    (void)now;
    strcat(context, recorded->name);
    strcat(context, " ");
}

static void classes_of_the_program_come_first(void **state)
{
    (void)state;
    static const char *const LINES[] = {"0000000000000001 1 int[]", "0000000000000001 1 java.util.HashMap",
                                        "0000000000000001 1 org.example.Main", "0000000000000001 1 Box"};
    struct canon_heap_summary with = {0}, without = {0};
    for (size_t i = 0; i < COUNT(LINES); i++)
        assert_int_equal(canon_heap_class_parse(LINES[i], &with), 0);
    canon_heap_summary_sort(&with);
    char names[100] = "";
    assert_int_equal(canon_heap_differences(&without, &with, note_name, names), 4);
    assert_string_equal(names, "Box org.example.Main int[] java.util.HashMap ");
    canon_heap_summary_free(&with);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_it_was_walked_does_not_show),
        cmocka_unit_test(a_number_shows_where_it_is),
        cmocka_unit_test(a_leaf_shows_in_its_owners),
        cmocka_unit_test(shared_is_not_copied),
        cmocka_unit_test(who_shares_with_whom_shows),
        cmocka_unit_test(a_ring_of_two_is_not_one_of_three),
        cmocka_unit_test(swapped_places_show),
        cmocka_unit_test(the_class_shows),
        cmocka_unit_test(garbage_does_not_count),
        cmocka_unit_test(a_long_chain_is_no_problem),
        cmocka_unit_test(an_empty_graph_has_a_digest),
        cmocka_unit_test(edges_must_come_together),
        cmocka_unit_test(a_summary_survives_as_text),
        cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(classes_of_the_program_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
