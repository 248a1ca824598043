/*
 * graph.c: see graph.h. Objects are many: 24 bytes a node, 8 an edge, 4 for its turn in the walk.
 *
 *   nodes  [ content class first count number ]...      number: in the order of the walk, from 1; 0: not met
 *                            |
 *   edges  [ place to ][ place to ]...
 */
#include "heap/graph.h"

#include "base/error.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct node {
    uint64_t content;
    uint32_t class;
    uint32_t first, count; /* its edges */
    uint32_t number;
};

struct edge {
    uint32_t place, to;
};

/* An array that grows; what it cannot hold makes the graph fail. */
struct list {
    void *items;
    size_t count, capacity;
};

struct canon_graph {
    struct list nodes, edges, roots; /* struct node from 1 on, struct edge, uint32_t */
    struct list names;               /* char *: of classes */
    struct canon_map classes;        /* hash of the name -> number + 1 */
    uint32_t last_from;              /* whose edges are being added */
    int error;
};

struct canon_graph *canon_graph_new(void)
{
    return calloc(1, sizeof(struct canon_graph));
}

void canon_graph_free(struct canon_graph *graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->names.count; i++)
        free(((char **)graph->names.items)[i]);
    free(graph->names.items);
    free(graph->nodes.items);
    free(graph->edges.items);
    free(graph->roots.items);
    canon_map_free(&graph->classes);
    free(graph);
}

/* Room for one more; NULL if there is none. Half as much again each time: these are large. */
static void *grow(struct canon_graph *graph, struct list *list, size_t size)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity + list->capacity / 2 + 1024;
        void *items = list->count < UINT32_MAX - 1 ? realloc(list->items, capacity * size) : NULL;
        if (!items) {
            graph->error = list->count < UINT32_MAX - 1 ? CANON_E_NOMEM : CANON_E_LIMIT;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return (char *)list->items + list->count++ * size;
}

static struct node *node_at(const struct canon_graph *graph, uint32_t node)
{
    return (struct node *)graph->nodes.items + (node - 1);
}

uint32_t canon_graph_class(struct canon_graph *graph, const char *name)
{
    union canon_map_value *known = canon_map_put(&graph->classes, XXH3_64bits(name, strlen(name)));
    if (known->number)
        return (uint32_t)known->number - 1;
    char **place = grow(graph, &graph->names, sizeof *place), *copy = strdup(name);
    if (!place || !copy) {
        free(copy);
        graph->error = CANON_E_NOMEM;
        return 0;
    }
    *place = copy;
    known->number = graph->names.count;
    return (uint32_t)known->number - 1;
}

uint32_t canon_graph_node(struct canon_graph *graph, uint32_t class)
{
    struct node *node = grow(graph, &graph->nodes, sizeof *node);
    if (!node)
        return 0;
    *node = (struct node){.class = class};
    return (uint32_t)graph->nodes.count;
}

void canon_graph_content(struct canon_graph *graph, uint32_t node, uint32_t place, const void *bytes,
                         size_t size)
{
    node_at(graph, node)->content +=
        XXH3_64bits_withSeed(bytes, size, (uint64_t)place << 32 | (uint32_t)size);
}

void canon_graph_edge(struct canon_graph *graph, uint32_t from, uint32_t place, uint32_t to)
{
    struct node *node = node_at(graph, from);
    if (graph->last_from != from) {
        if (node->count)
            graph->error = CANON_E_INVALID;
        node->first = (uint32_t)graph->edges.count;
        graph->last_from = from;
    }
    struct edge *edge = grow(graph, &graph->edges, sizeof *edge);
    if (!edge)
        return;
    *edge = (struct edge){place, to};
    node->count++;
}

void canon_graph_root(struct canon_graph *graph, uint32_t node)
{
    uint32_t *root = grow(graph, &graph->roots, sizeof *root);
    if (root)
        *root = node;
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

static int by_place(const void *left, const void *right)
{
    uint32_t a = ((const struct edge *)left)->place, b = ((const struct edge *)right)->place;
    return a < b ? -1 : a > b;
}

/* They come in order nearly always. */
static struct edge *edges_in_order(const struct canon_graph *graph, const struct node *node)
{
    struct edge *edges = (struct edge *)graph->edges.items + node->first;
    for (uint32_t i = 1; i < node->count; i++)
        if (edges[i - 1].place > edges[i].place) {
            qsort(edges, node->count, sizeof *edges, by_place);
            break;
        }
    return edges;
}

struct walk {
    const struct canon_graph *graph;
    uint32_t *queue; /* nodes in the order in which they were met */
    uint32_t met;
    XXH3_state_t *digest;
};

static uint32_t meet(struct walk *walk, uint32_t to)
{
    struct node *node = node_at(walk->graph, to);
    if (!node->number) {
        walk->queue[walk->met++] = to;
        node->number = walk->met;
    }
    return node->number;
}

static uint64_t class_hash(const struct canon_graph *graph, uint32_t class)
{
    const char *name = ((char **)graph->names.items)[class];
    return XXH3_64bits(name, strlen(name));
}

static void visit(struct walk *walk, struct node *node, const uint64_t *class_hashes)
{
    uint64_t head[] = {class_hashes[node->class], node->content, node->count};
    XXH3_64bits_update(walk->digest, head, sizeof head);
    struct edge *edges = edges_in_order(walk->graph, node);
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t line[] = {edges[i].place, meet(walk, edges[i].to)};
        XXH3_64bits_update(walk->digest, line, sizeof line);
    }
}

static void walk_all(struct walk *walk, const uint64_t *class_hashes)
{
    const struct list *roots = &walk->graph->roots;
    for (size_t i = 0; i < roots->count; i++) {
        uint32_t number = meet(walk, ((uint32_t *)roots->items)[i]);
        XXH3_64bits_update(walk->digest, &number, sizeof number);
    }
    for (uint32_t i = 0; i < walk->met; i++)
        visit(walk, node_at(walk->graph, walk->queue[i]), class_hashes);
}

/* ---- by class, for a person ---------------------------------------------------------------------------- */

/*
 * What one object adds to its class's digest: its own content, and of what its edges lead to the class. An
 * object without edges of its own (a text, an array of numbers) is taken for part of whoever has it. So a
 * difference shows where it is, and not in everything that leads there.
 */
static uint64_t own_hash(const struct canon_graph *graph, const struct node *node,
                         const uint64_t *class_hashes)
{
    const struct edge *edges = (struct edge *)graph->edges.items + node->first;
    uint64_t sum = node->content;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct node *to = node_at(graph, edges[i].to);
        uint64_t line[] = {edges[i].place, class_hashes[to->class], to->count ? 0 : to->content};
        sum += XXH3_64bits(line, sizeof line);
    }
    return XXH3_64bits(&sum, sizeof sum);
}

static void sum_up_classes(const struct walk *walk, const uint64_t *class_hashes,
                           struct canon_heap_summary *summary)
{
    const struct canon_graph *graph = walk->graph;
    for (uint32_t i = 0; i < walk->met; i++) {
        const struct node *node = node_at(graph, walk->queue[i]);
        summary->classes[node->class].instances++;
        summary->classes[node->class].digest += own_hash(graph, node, class_hashes);
    }
    size_t kept = 0;
    for (size_t i = 0; i < graph->names.count; i++)
        if (summary->classes[i].instances) {
            summary->classes[kept] = summary->classes[i];
            summary->classes[kept++].name = strdup(((char **)graph->names.items)[i]);
        }
    summary->count = kept;
    canon_heap_summary_sort(summary);
}

int canon_graph_summarise(struct canon_graph *graph, struct canon_heap_summary *summary)
{
    *summary = (struct canon_heap_summary){0};
    if (graph->error)
        return graph->error;
    struct walk walk = {.graph = graph,
                        .queue = malloc((graph->nodes.count + 1) * sizeof *walk.queue),
                        .digest = XXH3_createState()};
    uint64_t *class_hashes = calloc(graph->names.count + 1, sizeof *class_hashes);
    summary->classes = calloc(graph->names.count + 1, sizeof *summary->classes);
    bool possible = walk.queue && walk.digest && class_hashes && summary->classes;
    if (possible) {
        for (uint32_t i = 0; i < graph->names.count; i++)
            class_hashes[i] = class_hash(graph, i);
        XXH3_64bits_reset(walk.digest);
        walk_all(&walk, class_hashes);
        summary->digest = XXH3_64bits_digest(walk.digest);
        summary->objects = walk.met;
        sum_up_classes(&walk, class_hashes, summary);
    }
    free(walk.queue);
    free(class_hashes);
    XXH3_freeState(walk.digest);
    return possible ? 0 : CANON_E_NOMEM;
}
