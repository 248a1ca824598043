/* evidence.c: see evidence.h. */
#include "native/detect/evidence.h"

#include "native/arena.h"
#include "native/detect/guard.h"
#include "native/detect/site.h"
#include "native/detect/watchpoint.h"
#include "native/insitu/insitu.h"
#include "trace/reader.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

bool canon_evidence_searches;
static struct canon_findings *findings;
static _Atomic int lock; /* of who adds a finding */

/* A finding of the trace whose author is looked for; it has the same place among the findings. */
static struct suspect {
    struct canon_finding *finding;
    int watchpoint;         /* -1: none */
    const uint8_t *watched; /* the byte, while it is watched, */
    uint8_t before;         /* and what it was */
} suspects[CANON_FINDINGS];
static int suspect_count, watchpoint_count;

void canon_evidence_start(struct canon_findings *wanted)
{
    findings = wanted;
}

struct canon_findings *canon_evidence_findings(void)
{
    return findings;
}

/* ---- keeping ------------------------------------------------------------------------------------------- */

/* For canon to unwind: where files are mapped. */
static void keep_maps(void)
{
    long n, fd = canon_raw_syscall(SYS_open, (long)"/proc/self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
    uint32_t used = 0;
    while (fd >= 0 && used < sizeof findings->maps - 1 &&
           (n = canon_raw_syscall(SYS_read, fd, (long)(findings->maps + used),
                                  (long)(sizeof findings->maps - 1 - used), 0, 0, 0)) > 0)
        used += (uint32_t)n;
    if (fd >= 0)
        canon_raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    findings->maps_size = used;
}

static bool is_same(const struct canon_trouble *one, const struct canon_trouble *other)
{
    return one->kind == other->kind && one->lane == other->lane && one->number == other->number &&
           (one->number || one->at == other->at);
}

/* The place of a finding: the suspect's, or a new one. NULL if there is none, or nobody wants to know. */
static struct canon_finding *place_of(const struct canon_trouble *found)
{
    if (!findings)
        return NULL;
    canon_spin_lock(&lock);
    struct canon_finding *place = NULL;
    uint32_t count = findings->count < CANON_FINDINGS ? findings->count : CANON_FINDINGS;
    for (uint32_t i = 0; i < count && !place; i++)
        if (is_same(&findings->all[i].trouble, found))
            place = &findings->all[i];
    if (!place && findings->count++ < CANON_FINDINGS) {
        place = &findings->all[count];
        place->trouble = *found;
    }
    canon_spin_unlock(&lock);
    return place;
}

static void put_note(const struct canon_trouble *trouble)
{
    char text[160];
    canon_trouble_write(trouble, text, sizeof text);
    canon_role_note(CANON_NOTE_EVIDENCE, text);
}

void canon_evidence(const struct canon_trouble *found, bool does)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self);
    struct canon_finding *finding = place_of(found);
    if (finding)
        finding->trouble.address = found->address;
    if (finding && does && !finding->sites[CANON_SITE_GUILTY].known) {
        canon_site_here(&finding->sites[CANON_SITE_GUILTY]);
        keep_maps();
    }
    if (canon_native.records) {
        put_note(found);
        canon_insitu_hold();
    }
    canon_native_leave(self, error);
}

/* ---- the end ------------------------------------------------------------------------------------------- */

void canon_evidence_end(void)
{
    canon_guards_check();
    if (findings && findings->count)
        keep_maps();
}

/* A register that holds what free has left in a block: the program has read it there. */
static bool is_read_after_free(const ucontext_t *context, struct canon_trouble *found)
{
    for (int i = 0; canon_guards.uaf && i < NGREG; i++)
        if (canon_guard_left((uint64_t)context->uc_mcontext.gregs[i], found))
            return true;
    return false;
}

void canon_evidence_fault(const siginfo_t *info, const void *context)
{
    struct canon_self *self = &canon_self;
    struct canon_trouble found;
    self->inside++;
    bool no_address = info->si_code == SI_KERNEL; /* what was followed begins as no address does */
    if (!no_address || !is_read_after_free(context, &found))
        found = (struct canon_trouble){.kind = CANON_FINDING_FAULT};
    struct canon_finding *finding = place_of(&found);
    if (finding) {
        finding->trouble.signal = info->si_signo;
        canon_site_stopped(&finding->sites[CANON_SITE_GUILTY], context);
    }
    if (canon_native.records && found.kind != CANON_FINDING_FAULT)
        put_note(&found);
    canon_evidence_end();
    self->inside--;
}

/* ---- searching ----------------------------------------------------------------------------------------- */

/* A watched byte was stored to; in the thread that did it. */
static void hit(int watchpoint, const void *context)
{
    for (int i = 0; i < suspect_count; i++) {
        struct suspect *suspect = &suspects[i];
        if (suspect->watchpoint != watchpoint || !suspect->watched || *suspect->watched == suspect->before)
            continue; /* the same value does no harm, and is not what was found */
        struct canon_site *site = &suspect->finding->sites[CANON_SITE_GUILTY];
        if (!site->known) {
            canon_site_stopped(site, context);
            keep_maps();
        }
    }
}

static bool is_watchable(const struct canon_trouble *trouble)
{
    return trouble->kind == CANON_FINDING_OVERFLOW || trouble->kind == CANON_FINDING_UNDERFLOW ||
           trouble->kind == CANON_FINDING_WRITE_AFTER_FREE;
}

static void add_suspect(struct canon_finding *finding)
{
    if (!finding || suspect_count == CANON_FINDINGS)
        return;
    bool watch = is_watchable(&finding->trouble) && watchpoint_count < CANON_WATCHPOINTS;
    suspects[suspect_count++] =
        (struct suspect){.finding = finding, .watchpoint = watch ? watchpoint_count++ : -1};
}

static void start_search(void)
{
    canon_watchpoints_start(hit);
    canon_evidence_searches = suspect_count > 0;
}

void canon_evidence_search(void)
{
    struct canon_trouble found;
    const struct canon_trace_strand *notes = canon_trace_find(canon_role_trace(), "notes");
    struct canon_cursor cursor;
    struct canon_event event;
    suspect_count = watchpoint_count = 0;
    if (!findings || !notes)
        return;
    canon_cursor_start(&cursor, notes);
    while (!canon_cursor_next(&cursor, &event)) {
        char *text = event.kind == CANON_EVENT_NOTE && event.id == CANON_NOTE_EVIDENCE
                         ? strndup((const char *)event.payload, event.size)
                         : NULL;
        if (text && canon_trouble_read(text, &found))
            add_suspect(place_of(&found));
        free(text);
    }
    canon_cursor_stop(&cursor);
    start_search();
}

static void watch(struct suspect *suspect, const struct canon_trouble *block)
{
    struct canon_trouble *trouble = &suspect->finding->trouble;
    const uint8_t *byte = (const uint8_t *)block->address + trouble->at;
    if (suspect->watchpoint < 0)
        return;
    trouble->address = (uint64_t)byte;
    suspect->before = *byte;
    suspect->watched = byte;
    int status = canon_watchpoint_set(suspect->watchpoint, byte);
    findings->watched += status == 0;
    findings->unwatched += status != 0;
    if (status)
        findings->refusal = -status;
}

static void unwatch(struct suspect *suspect)
{
    if (suspect->watched)
        canon_watchpoint_clear(suspect->watchpoint);
    suspect->watched = NULL;
}

static void follow(struct suspect *suspect, const struct canon_trouble *block, enum canon_block_change change)
{
    bool after_free = suspect->finding->trouble.kind == CANON_FINDING_WRITE_AFTER_FREE;
    bool frees = change == CANON_BLOCK_FREED;
    if (change == CANON_BLOCK_RELEASED) {
        unwatch(suspect);
        return;
    }
    struct canon_site *site = &suspect->finding->sites[frees ? CANON_SITE_FREED : CANON_SITE_ALLOCATED];
    if (!site->known)
        canon_site_here(site);
    if (after_free == frees)
        watch(suspect, block);
}

void canon_evidence_block(const struct canon_trouble *block, enum canon_block_change change)
{
    struct canon_self *self = &canon_self;
    int error = canon_native_enter(self);
    for (int i = 0; i < suspect_count; i++)
        if (suspects[i].finding->trouble.number == block->number &&
            suspects[i].finding->trouble.lane == block->lane)
            follow(&suspects[i], block, change);
    canon_native_leave(self, error);
}

void canon_evidence_search_found(bool watched)
{
    suspect_count = watchpoint_count = 0;
    uint32_t count = !findings || !watched              ? 0
                     : findings->count < CANON_FINDINGS ? findings->count
                                                        : CANON_FINDINGS;
    for (uint32_t i = 0; i < count; i++)
        if (findings->all[i].trouble.number)
            add_suspect(&findings->all[i]);
    start_search();
    for (int i = 0; i < suspect_count; i++) { /* those that are there already */
        struct canon_trouble block;
        bool freed, after_free = suspects[i].finding->trouble.kind == CANON_FINDING_WRITE_AFTER_FREE;
        if (canon_guard_find(&suspects[i].finding->trouble, &block, &freed) && freed == after_free)
            watch(&suspects[i], &block);
    }
}
