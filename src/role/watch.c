/* watch.c: see watch.h. */
#include "role/watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct canon_watch *map(int fd)
{
    void *page = mmap(NULL, sizeof(struct canon_watch), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page;
}

/* The descriptor stays open as long as canon runs: the path leads through it. The program inherits nothing.
 */
struct canon_watch *canon_watch_make(char *path, size_t size)
{
    int fd = memfd_create("canon-watch", MFD_CLOEXEC);
    struct canon_watch *watch = fd < 0 || ftruncate(fd, sizeof(struct canon_watch)) ? NULL : map(fd);
    snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
    if (!watch && fd >= 0)
        close(fd);
    return watch;
}

struct canon_watch *canon_watch_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct canon_watch *watch = map(fd);
    close(fd);
    return watch;
}

/* ---- the terminal -------------------------------------------------------------------------------- */

/* Not for ever: who has the turn may have been killed, or be stopped. */
static void take_turn(struct canon_watch *watch)
{
    for (int i = 0; atomic_exchange(&watch->turn, 1) && i < 200; i++)
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

static void leave_turn(struct canon_watch *watch)
{
    atomic_store(&watch->turn, 0);
}

static void put(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void wipe(struct canon_watch *watch)
{
    if (atomic_exchange(&watch->drawn, 0))
        put("\r\033[K");
}

void canon_watch_draw(struct canon_watch *watch)
{
    uint64_t done = watch->done, total = watch->total;
    char line[80];
    if (!total)
        return;
    if (done > total) /* what was recorded last before a SIGKILL is not counted */
        done = total;
    snprintf(line, sizeof line, "\rcanon: replayed %u%% of %llu events\033[K\r",
             (unsigned)((double)done * 100 / (double)total), (unsigned long long)total);
    if (atomic_exchange(&watch->turn, 1))
        return; /* output is being written; the next time will do */
    if (!watch->inside) {
        watch->drawn = 1;
        put(line);
    }
    leave_turn(watch);
}

void canon_watch_wipe(struct canon_watch *watch)
{
    take_turn(watch);
    wipe(watch);
    leave_turn(watch);
}

void canon_watch_output_begins(struct canon_watch *watch)
{
    take_turn(watch);
    wipe(watch);
}

void canon_watch_output_ended(struct canon_watch *watch, bool ended)
{
    watch->inside = !ended;
    leave_turn(watch);
}
