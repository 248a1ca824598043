/*
 * plant.c: a library that writes behind the end of a block when its program ends: preloaded into programs
 * that have no such bug themselves.
 */
#include <stdlib.h>

__attribute__((destructor)) static void plant(void)
{
    volatile char *block = malloc(40);
    block[40] = 1; /* guilty */
}
