/*
 * snapshot.c: see snapshot.h.
 *
 *   page -> copy:  two tables of 4096 entries and a leaf of 4096 copies; all in the zone of what is kept.
 *
 * Which pages were written since the last snapshot, the kernel tells, where it can: userfaultfd in its
 * asynchronous mode of write protection, and PAGEMAP_SCAN. Where that is forbidden, all pages are copied.
 * Nothing in here may use memory that is put back: no static variables, no heap.
 */
#include "native/insitu/snapshot.h"

#include "native/insitu/kept.h"
#include "native/native.h"
#include "native/zones.h"

#include <fcntl.h>
#include <linux/types.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Of kernels from 6.7 on; older headers lack them. */
struct found_pages {
    __u64 start, end, categories;
};
struct scan {
    __u64 size, flags, start, end, walk_end, vec, vec_len, max_pages, category_inverted, category_mask,
        category_anyof_mask, return_mask;
};
enum {
    WRITTEN = 2,
    PRESENT = 8,
    SWAPPED = 16,
    WP_MATCHING = 1,
    CHECK_WPASYNC = 2,
    FEATURE_WP_ASYNC = 1 << 15
};
#define SCAN_PAGES _IOWR('f', 16, struct scan)

enum { PAGE = 4096, TABLE = 4096, MAPPINGS = 16384, FOUND = 4096, TEXT = 4 << 20 };

struct mapping {
    char *from, *to;
    int protection;
    bool private, file, stack, known; /* known: the kernel tells of it what was written */
};

struct mappings {
    int count;
    struct mapping all[MAPPINGS];
};

/* At the beginning of its part of the zone. */
struct snapshot {
    int pagemap, uffd;
    bool partial;
    long end_of_data; /* brk */
    char *fresh;      /* copies that were never used */
    char **unused;    /* copies that are not used any more: each has the next one in it */
    size_t copied;
    const char *problem;
    char ***tables[TABLE]; /* page / 2^24 -> page / 2^12 -> copy */
    struct mappings kept, now;
    struct found_pages found[FOUND];
    char text[TEXT];
};

static struct snapshot *const snapshot = (struct snapshot *)CANON_KEPT_SNAPSHOT;

const char *canon_snapshot_problem(void)
{
    return snapshot->problem;
}

bool canon_snapshot_is_partial(void)
{
    return snapshot->partial;
}

size_t canon_snapshot_copied(void)
{
    return snapshot->copied;
}

/* ---- copies ---------------------------------------------------------------------------------------------
 */

static char *take_fresh(size_t size)
{
    char *memory = snapshot->fresh;
    snapshot->fresh += size;
    return memory;
}

/* The place of a page's copy. With `make`, tables are made. */
static char **copy_of(const char *page, bool make)
{
    uint64_t number = (uint64_t)page / PAGE;
    char ****top = &snapshot->tables[number >> 24 & (TABLE - 1)];
    if (!*top && make)
        *top = (char ***)take_fresh(TABLE * sizeof(char **));
    char ***middle = *top ? &(*top)[number >> 12 & (TABLE - 1)] : NULL;
    if (middle && !*middle && make)
        *middle = (char **)take_fresh(TABLE * sizeof(char *));
    return middle && *middle ? &(*middle)[number & (TABLE - 1)] : NULL;
}

/* Pages from here on of which none has a copy, as far as tables tell at once. */
static size_t bare_pages(const char *page)
{
    uint64_t number = (uint64_t)page / PAGE;
    if (!snapshot->tables[number >> 24 & (TABLE - 1)])
        return (UINT64_C(1) << 24) - (number & ((UINT64_C(1) << 24) - 1));
    return copy_of(page, false) ? 0 : TABLE - (number & (TABLE - 1));
}

static void keep_page(const char *page)
{
    char **copy = copy_of(page, true);
    if (!*copy && snapshot->unused) {
        *copy = (char *)snapshot->unused;
        snapshot->unused = *(char ***)*copy;
    } else if (!*copy) {
        *copy = take_fresh(PAGE);
    }
    memcpy(*copy, page, PAGE);
    snapshot->copied++;
}

const char *canon_snapshot_copy(const char *page)
{
    char **copy = copy_of(page, false);
    return copy ? *copy : NULL;
}

char *canon_snapshot_room(size_t size)
{
    return take_fresh(size);
}

static void drop_copy(char **copy)
{
    *(char ***)*copy = snapshot->unused;
    snapshot->unused = (char **)*copy;
    *copy = NULL;
}

/* ---- what is mapped -------------------------------------------------------------------------------------
 */

static uint64_t hexadecimal(const char **at)
{
    uint64_t value = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (uint64_t)(c - 'a' + 10);
        else
            return value;
    }
}

/* A line of /proc/self/maps; false if it is about what is not ours: the kernel's own, what is kept. */
static bool read_mapping(const char *line, const char *end, struct mapping *mapping)
{
    const char *at = line;
    uint64_t from = hexadecimal(&at);
    at++;
    uint64_t to = hexadecimal(&at);
    const char *flags = at + 1, *name = end;
    while (name > line && name[-1] != ' ' && name[-1] != '\t')
        name--;
    if ((from >= CANON_ZONE_KEPT && from < CANON_ZONE_KEPT_END) || from >> 47 || strncmp(name, "[v", 2) == 0)
        return false;
    *mapping = (struct mapping){
        .from = (char *)from,
        .to = (char *)to,
        .protection = (flags[0] == 'r' ? PROT_READ : 0) | (flags[1] == 'w' ? PROT_WRITE : 0) |
                      (flags[2] == 'x' ? PROT_EXEC : 0),
        .private = flags[3] == 'p',
        .file = memchr(flags + 4, '/', (size_t)(end - flags - 4)) != NULL,
        .stack = strncmp(name, "[stack]", 7) == 0,
    };
    return true;
}

static bool read_mappings(struct mappings *mappings)
{
    long fd = canon_raw_syscall(SYS_open, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0), n;
    size_t used = 0;
    while (fd >= 0 && used < TEXT - 1 &&
           (n = canon_raw_syscall(SYS_read, fd, (long)(snapshot->text + used), (long)(TEXT - 1 - used), 0, 0,
                                  0)) > 0)
        used += (size_t)n;
    canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    snapshot->text[used] = '\0';
    mappings->count = 0;
    for (const char *line = snapshot->text, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (mappings->count == MAPPINGS) {
            snapshot->problem = "too many mappings";
            return false;
        }
        mappings->count += read_mapping(line, end, &mappings->all[mappings->count]);
    }
    return used > 0;
}

static bool is_copied(const struct mapping *mapping)
{
    return mapping->private && mapping->protection & PROT_WRITE;
}

/* ---- which pages ----------------------------------------------------------------------------------------
 */

/* From now on the kernel tells which pages of it were written. */
static bool watch_mapping(const struct mapping *mapping)
{
    struct uffdio_register range = {
        .range = {(uint64_t)mapping->from, (uint64_t)(mapping->to - mapping->from)},
        .mode = UFFDIO_REGISTER_MODE_WP};
    return snapshot->partial &&
           canon_raw_syscall(SYS_ioctl, snapshot->uffd, UFFDIO_REGISTER, (long)&range, 0, 0, 0) == 0;
}

typedef void (*pages_fn)(char *from, char *to, bool written);

/* Calls `each` for pages that are in memory, `written` or not; with `reset`, only for written ones, which are
 * unwritten afterwards. */
static bool scan_pages(const struct mapping *mapping, bool reset, pages_fn each)
{
    struct scan scan = {
        .size = sizeof scan,
        .flags = reset ? WP_MATCHING | CHECK_WPASYNC : 0,
        .start = (uint64_t)mapping->from,
        .end = (uint64_t)mapping->to,
        .vec = (uint64_t)snapshot->found,
        .vec_len = FOUND,
        .category_mask = reset ? WRITTEN : 0,
        .category_anyof_mask = PRESENT | SWAPPED,
        .return_mask = WRITTEN | PRESENT | SWAPPED, /* those that have none of them are not told */
    };
    while (scan.start < scan.end) {
        long n = canon_raw_syscall(SYS_ioctl, snapshot->pagemap, SCAN_PAGES, (long)&scan, 0, 0, 0);
        if (n < 0)
            return false;
        for (long i = 0; i < n; i++)
            each((char *)snapshot->found[i].start, (char *)snapshot->found[i].end,
                 snapshot->found[i].categories & WRITTEN);
        scan.start = scan.walk_end;
    }
    return true;
}

/* The same without help: every page counts as written. */
static void read_pages(const struct mapping *mapping, pages_fn each)
{
    uint64_t *entries = (uint64_t *)snapshot->text;
    enum { AT_ONCE = TEXT / sizeof *entries };
    for (char *at = mapping->from; at < mapping->to;) {
        long pages = (mapping->to - at) / PAGE;
        pages = pages < AT_ONCE ? pages : AT_ONCE;
        long n = canon_raw_syscall(SYS_pread64, snapshot->pagemap, (long)entries, pages * 8,
                                   (long)((uint64_t)at / PAGE * 8), 0, 0);
        for (long i = 0; i < n / 8; i++)
            if (entries[i] >> 62) /* in memory, or swapped out */
                each(at + i * PAGE, at + (i + 1) * PAGE, true);
        at += pages * PAGE;
    }
}

static void visit_pages(const struct mapping *mapping, pages_fn each)
{
    if (!snapshot->partial || !scan_pages(mapping, false, each))
        read_pages(mapping, each);
}

/* ---- taking ---------------------------------------------------------------------------------------------
 */

/* What the functions for pages share; of the snapshot in work. */
static void keep_pages(char *from, char *to, bool written)
{
    for (; written && from < to; from += PAGE)
        keep_page(from);
}

/* Where the last pages ended that were visited; behind it lie others that are not in memory. */
static char **reached(void)
{
    return (char **)(CANON_KEPT_SNAPSHOT - sizeof(char *));
}

/* The first page from `page` on of which there is a copy; `end` or what is behind it: none is before. */
static char *next_copied(char *page, const char *end)
{
    while (page < end) {
        size_t bare = bare_pages(page);
        if (!bare && *copy_of(page, false))
            break;
        page += (bare ? bare : 1) * PAGE;
    }
    return page;
}

/* Copies of pages that are not in memory any more are wrong. */
static void drop_until(const char *end)
{
    for (char *page = *reached(); (page = next_copied(page, end)) < end; page += PAGE)
        drop_copy(copy_of(page, false));
}

static void drop_before(char *from, char *to, bool written)
{
    (void)written;
    drop_until(from);
    *reached() = to;
}

static void take_mapping(struct mapping *mapping)
{
    mapping->known = watch_mapping(mapping);
    *reached() = mapping->from;
    visit_pages(mapping, drop_before);
    drop_until(mapping->to);
    if (!mapping->known || !scan_pages(mapping, true, keep_pages)) {
        mapping->known = false;
        read_pages(mapping, keep_pages);
    }
}

bool canon_snapshot_take(void)
{
    snapshot->copied = 0;
    snapshot->end_of_data = canon_raw_syscall(SYS_brk, 0, 0, 0, 0, 0, 0);
    if (!read_mappings(&snapshot->kept))
        return false;
    for (int i = 0; i < snapshot->kept.count; i++)
        if (is_copied(&snapshot->kept.all[i]))
            take_mapping(&snapshot->kept.all[i]);
    return true;
}

/* ---- putting back: mappings -----------------------------------------------------------------------------
 */

/* Calls `each` for the parts of a mapping that none of the others covers, and `common` for those that one
 * does. */
static void compare(const struct mapping *mapping, const struct mappings *others,
                    void (*each)(const struct mapping *, char *, char *),
                    void (*common)(const struct mapping *, const struct mapping *))
{
    char *at = mapping->from;
    for (int i = 0; i < others->count && at < mapping->to; i++) {
        const struct mapping *other = &others->all[i];
        if (other->to <= at || other->from >= mapping->to)
            continue;
        if (other->from > at)
            each(mapping, at, other->from);
        at = other->to;
        if (common)
            common(mapping, other);
    }
    if (at < mapping->to)
        each(mapping, at, mapping->to);
}

/* It was not there. The stack grows by itself, and what is below its pointer does no harm. */
static void remove_part(const struct mapping *mapping, char *from, char *to)
{
    if (!mapping->stack)
        canon_raw_syscall(SYS_munmap, (long)from, to - from, 0, 0, 0, 0);
}

/* It was there. */
static void add_part(const struct mapping *mapping, char *from, char *to)
{
    if (mapping->stack)
        return;
    if (!is_copied(mapping) && mapping->file) {
        if (mapping->private) /* files of canon's own, which it does not read again */
            snapshot->problem = "a file that was mapped is not mapped any more";
        return;
    }
    canon_raw_syscall(SYS_mmap, (long)from, to - from, mapping->protection,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void protect_part(const struct mapping *mapping, const struct mapping *now)
{
    char *from = mapping->from > now->from ? mapping->from : now->from;
    char *to = mapping->to < now->to ? mapping->to : now->to;
    if (mapping->protection != now->protection && from < to)
        canon_raw_syscall(SYS_mprotect, (long)from, to - from, mapping->protection, 0, 0, 0);
}

static bool restore_mappings(void)
{
    canon_raw_syscall(SYS_brk, snapshot->end_of_data, 0, 0, 0, 0, 0);
    if (!read_mappings(&snapshot->now))
        return false;
    for (int i = 0; i < snapshot->now.count; i++)
        compare(&snapshot->now.all[i], &snapshot->kept, remove_part, NULL);
    for (int i = 0; i < snapshot->kept.count; i++)
        compare(&snapshot->kept.all[i], &snapshot->now, add_part, protect_part);
    return true;
}

/* ---- putting back: pages --------------------------------------------------------------------------------
 */

/* Pages that are not in memory, and were. */
static void fill_until(const char *end)
{
    for (char *page = *reached(); (page = next_copied(page, end)) < end; page += PAGE) {
        memcpy(page, *copy_of(page, false), PAGE);
        snapshot->copied++;
    }
}

static void restore_pages(char *from, char *to, bool written)
{
    fill_until(from);
    *reached() = to;
    for (; written && from < to; from += PAGE) {
        char **copy = copy_of(from, false);
        if (copy && *copy) {
            memcpy(from, *copy, PAGE);
            snapshot->copied++;
        } else { /* it was not in memory: zero, or what the file has */
            canon_raw_syscall(SYS_madvise, (long)from, PAGE, MADV_DONTNEED, 0, 0, 0);
        }
    }
}

static void restore_mapping(const struct mapping *mapping)
{
    *reached() = mapping->from;
    if (mapping->known)
        visit_pages(mapping, restore_pages);
    else
        read_pages(mapping, restore_pages);
    fill_until(mapping->to);
}

bool canon_snapshot_restore(void)
{
    snapshot->problem = NULL;
    snapshot->copied = 0;
    if (!restore_mappings())
        return false;
    for (int i = 0; i < snapshot->kept.count; i++)
        if (is_copied(&snapshot->kept.all[i]))
            restore_mapping(&snapshot->kept.all[i]);
    return !snapshot->problem;
}

/* ---- start ----------------------------------------------------------------------------------------------
 */

static long high(long fd)
{
    long moved = fd < 0 ? fd : canon_raw_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900, 0, 0, 0);
    if (fd >= 0)
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    return moved;
}

/* Whether the kernel has what it takes, and permits it. */
static bool can_be_partial(void)
{
    struct uffdio_api api = {.api = UFFD_API, .features = FEATURE_WP_ASYNC};
    snapshot->uffd = (int)high(
        canon_raw_syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY, 0, 0, 0, 0, 0));
    return snapshot->uffd >= 0 &&
           canon_raw_syscall(SYS_ioctl, snapshot->uffd, UFFDIO_API, (long)&api, 0, 0, 0) == 0;
}

bool canon_snapshot_start(void)
{
    size_t size = CANON_ZONE_KEPT_END - CANON_KEPT_SNAPSHOT_MEMORY;
    if (canon_raw_syscall(SYS_mmap, CANON_KEPT_SNAPSHOT_MEMORY, (long)size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                          0) != (long)CANON_KEPT_SNAPSHOT_MEMORY)
        return false;
    canon_raw_syscall(SYS_madvise, CANON_KEPT_SNAPSHOT_MEMORY, (long)size, MADV_NOHUGEPAGE, 0, 0, 0);
    snapshot->fresh = (char *)(((uintptr_t)(snapshot + 1) + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    snapshot->pagemap =
        (int)high(canon_raw_syscall(SYS_open, (long)"/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0));
    snapshot->partial = can_be_partial();
    return snapshot->pagemap >= 0;
}
