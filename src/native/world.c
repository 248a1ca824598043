/*
 * world.c: the outside as something that threads touch: a thread that reads what another has written, through
 * a pipe or a file, comes after it.
 *
 * Calls that others may see the effect of form one chain, in the order in which they begin. A call that may
 * have seen such an effect comes after the last of them: it was published before the kernel had it.
 */
#include "native/call.h"
#include "native/ordered.h"

void canon_world_publish(struct canon_self *self)
{
    canon_touch(self, &canon_words.world);
}

void canon_world_follow(struct canon_self *self)
{
    canon_follow(self, &canon_words.world);
}
