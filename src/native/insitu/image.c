/* image.c: see image.h. Pages are numbered as they lie in the heaps, lane after lane. */
#include "native/insitu/image.h"

#include "native/heap.h"
#include "native/insitu/kept.h"
#include "native/insitu/snapshot.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <xxhash.h>

enum {
    PAGE = 4096,
    MOST = 12 << 20, /* pages: 48 GiB; what is beyond is not looked at */
    WORDS = 1 << 20, /* of locks */
    LOOKS = 64,      /* for a place in the table of these */
};

struct images {
    size_t kept[CANON_LANE_COUNT], arrived[CANON_LANE_COUNT]; /* pages of each lane */
    const char *contents[MOST];                               /* when the recorded run ended; NULL: zeros */
    uint64_t hashes[MOST];                                    /* when the re-execution had come as far */
    _Atomic uint64_t locks[WORDS];                            /* addresses of words that are not compared */
};
_Static_assert(sizeof(struct images) <= CANON_KEPT_IMAGES_SIZE, "they have room");

static struct images *const images = (struct images *)CANON_KEPT_IMAGES;

bool canon_image_start(void)
{
    return canon_raw_syscall(SYS_mmap, CANON_KEPT_IMAGES, CANON_KEPT_IMAGES_SIZE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                             0) == (long)CANON_KEPT_IMAGES;
}

static const char *heap_of(int lane)
{
    return (const char *)(CANON_ZONE_HEAPS + (uint64_t)lane * CANON_ZONE_HEAP_SIZE);
}

/* Pages of a lane, of which there are `before` in those before it. */
static size_t pages_of(int lane, size_t before)
{
    size_t pages = (canon_heap_used(lane) + PAGE - 1) / PAGE;
    return pages < MOST - before ? pages : MOST - before;
}

/* ---- locks --------------------------------------------------------------------------------------------- */

static size_t place_of(uint64_t word)
{
    return word / 8 * 0x9e3779b97f4a7c15u >> 44;
}

static void except_word(uint64_t word)
{
    for (size_t i = 0; i < LOOKS; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&images->locks[(place_of(word) + i) % WORDS], &there, word) ||
            there == word)
            return;
    }
}

static bool is_excepted(uint64_t word)
{
    for (size_t i = 0; i < LOOKS; i++) {
        uint64_t there = atomic_load(&images->locks[(place_of(word) + i) % WORDS]);
        if (there == word || !there)
            return there == word;
    }
    return false;
}

void canon_image_except(const void *lock, size_t size)
{
    uint64_t end = (uint64_t)lock + size;
    for (uint64_t word = (uint64_t)lock & ~UINT64_C(7); word < end; word += 8)
        except_word(word);
}

/* ---- images -------------------------------------------------------------------------------------------- */

/* What a page has now: that of the snapshot, if it is the same. */
static const char *contents_of(const char *page)
{
    static const char ZEROS[PAGE];
    const char *copy = canon_snapshot_copy(page);
    if (memcmp(page, copy ? copy : ZEROS, PAGE) == 0)
        return copy;
    return memcpy(canon_snapshot_room(PAGE), page, PAGE);
}

void canon_image_keep(void)
{
    size_t taken = 0;
    for (int lane = 0; lane < CANON_LANE_COUNT; lane++) {
        images->kept[lane] = pages_of(lane, taken);
        for (size_t i = 0; i < images->kept[lane]; i++)
            images->contents[taken++] = contents_of(heap_of(lane) + i * PAGE);
    }
}

void canon_image_arrived(void)
{
    size_t taken = 0;
    for (int lane = 0; lane < CANON_LANE_COUNT; lane++) {
        images->arrived[lane] = pages_of(lane, taken);
        for (size_t i = 0; i < images->arrived[lane]; i++)
            images->hashes[taken++] = XXH3_64bits(heap_of(lane) + i * PAGE, PAGE);
    }
}

static bool is_same(const char *page, const char *contents)
{
    for (size_t i = 0; i < PAGE; i += 8) {
        uint64_t now, before = 0;
        memcpy(&now, page + i, sizeof now);
        if (contents)
            memcpy(&before, contents + i, sizeof before);
        if (now != before && !is_excepted((uint64_t)page + i))
            return false;
    }
    return true;
}

bool canon_image_is_same(size_t *unsettled)
{
    size_t kept = 0, arrived = 0, differing = 0;
    *unsettled = 0;
    for (int lane = 0; lane < CANON_LANE_COUNT; lane++) {
        size_t pages = pages_of(lane, 0);
        for (size_t i = 0; i < pages; i++) {
            const char *page = heap_of(lane) + i * PAGE;
            if (i >= images->arrived[lane] || images->hashes[arrived + i] != XXH3_64bits(page, PAGE))
                ++*unsettled;
            else
                differing += i >= images->kept[lane] || !is_same(page, images->contents[kept + i]);
        }
        differing += images->kept[lane] > pages;
        kept += images->kept[lane];
        arrived += images->arrived[lane];
    }
    return !differing;
}
