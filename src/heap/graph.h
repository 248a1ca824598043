/*
 * graph.h: a graph of objects, and a digest of it that says nothing of where the objects were or in which
 * order they came: equal for graphs that a program cannot tell apart, different (but for a collision of 64
 * bits) for all others. Knows no Java.
 *
 *   node     an object: its class, its content (a sum of hashes, so that their order means nothing), and
 *   edges    to others, each from another place of the node: the number of a field, an index
 *   roots    the nodes where everything begins, in an order that the caller knows to be the same every time
 *
 * No two edges of a node have the same place. So a walk from the roots that takes edges by their places meets
 * the nodes in an order that only the graph decides: their numbers in that order are as good as addresses.
 */
#ifndef CANON_HEAP_GRAPH_H
#define CANON_HEAP_GRAPH_H

#include "heap/summary.h"

#include <stdint.h>

struct canon_graph;

/* NULL when memory is gone. */
struct canon_graph *canon_graph_new(void);
void canon_graph_free(struct canon_graph *graph);

/* The number of a class; the same name has the same number. */
uint32_t canon_graph_class(struct canon_graph *graph, const char *name);
/* A new node; from 1 on. 0 when there is no room for another: the graph has failed then. */
uint32_t canon_graph_node(struct canon_graph *graph, uint32_t class);
/* The node has this at that place: a field that is a number, what is in an array. */
void canon_graph_content(struct canon_graph *graph, uint32_t node, uint32_t place, const void *bytes,
                         size_t size);
/* All edges of a node must be added before those of another one. */
void canon_graph_edge(struct canon_graph *graph, uint32_t from, uint32_t place, uint32_t to);
void canon_graph_root(struct canon_graph *graph, uint32_t node);

/* What the graph comes to, of what can be reached from the roots: 0, or why it could not be made. */
int canon_graph_summarise(struct canon_graph *graph, struct canon_heap_summary *summary);

#endif
