/*
 * places.h: lists of places of Java programs that race, as text: what --racy takes, one a line.
 *
 *     canon racing places 1
 *     # what begins with a number sign is for people
 *     org.example.Cache.size
 */
#ifndef CANON_CLI_PLACES_H
#define CANON_CLI_PLACES_H

#include "cli/cli.h"

#define CANON_PLACES_HEADER "canon racing places 1"

/* Whether it is one: CLASS.FIELD or CLASS.METHOD(), with one star in each at most. */
bool canon_place_is(const char *text);

/* Puts those of the lists among `words` in the place of these. Says what is wrong with one. */
bool canon_places_take(struct canon_words *words);

/* Adds lines of the file `found` to a list, which is made if it is not there; tells how many there are now.
 * Returns how many are new, or -1. */
int canon_places_add(const char *list, const char *found);

#endif
