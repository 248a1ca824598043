/* culprit.c: see culprit.h. */
#include "cli/culprit.h"

#include "base/log.h"
#include "cli/unwind.h"
#include "launch/protocol.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *canon_detect_option(const char *wanted)
{
    bool overflow = false, uaf = false;
    for (const char *at = wanted; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        bool is_overflow =
            length == strlen(CANON_DETECT_OVERFLOW) && !strncmp(at, CANON_DETECT_OVERFLOW, length);
        bool is_uaf = length == strlen(CANON_DETECT_UAF) && !strncmp(at, CANON_DETECT_UAF, length);
        if (!is_overflow && !is_uaf) {
            canon_say("--detect=%s: there are overflow and uaf (use after free)", wanted);
            return NULL;
        }
        overflow |= is_overflow;
        uaf |= is_uaf;
        at += length;
    }
    return strdup(overflow && uaf ? CANON_DETECT_OVERFLOW "+" CANON_DETECT_UAF
                  : overflow      ? CANON_DETECT_OVERFLOW
                                  : CANON_DETECT_UAF);
}

/* ---- a stack --------------------------------------------------------------------------------------------
 */

struct telling {
    int frames;
    bool named; /* who is guilty was told */
};

static void tell_place(const char *intro, const struct canon_place *place)
{
    const char *slash = strrchr(place->object, '/'), *object = slash ? slash + 1 : place->object;
    if (place->file)
        canon_say("%s%s  %s:%d", intro, place->function ? place->function : "?", place->file, place->line);
    else
        canon_say("%s%s  %s", intro, place->function ? place->function : "?",
                  *object ? object : "code that is in no file");
}

static bool tell_frame(void *context, const struct canon_place *place)
{
    struct telling *telling = context;
    char intro[32];
    if (strstr(place->object, CANON_LIB_NATIVE))
        return true;
    snprintf(intro, sizeof intro, "    #%-2d ", telling->frames++);
    tell_place(intro, place);
    return true;
}

/* What does as it is told; whose debugging information may be installed. */
static bool is_tool(const char *object)
{
    static const char *const TOOLS[] = {"libc.so",      "libm.so",     "ld-linux",
                                        "libstdc++.so", "libgcc_s.so", CANON_LIB_NATIVE};
    const char *slash = strrchr(object, '/'), *base = slash ? slash + 1 : object;
    for (size_t i = 0; i < sizeof TOOLS / sizeof *TOOLS; i++)
        if (strncmp(base, TOOLS[i], strlen(TOOLS[i])) == 0)
            return true;
    return false;
}

/* The innermost place of the program's own that has a line: whatever is in there was called by it. */
static bool tell_culprit(void *context, const struct canon_place *place)
{
    struct telling *telling = context;
    if (!place->file || is_tool(place->object))
        return true;
    tell_place("  culprit: ", place);
    telling->named = true;
    return false;
}

static void tell_site(struct canon_unwinder *unwinder, const struct canon_site *site, const char *did,
                      bool behind)
{
    struct telling telling = {0};
    canon_say("  %s by %s:", did, site->strand);
    canon_unwind(unwinder, site, behind, tell_frame, &telling);
    if (!telling.frames)
        canon_say("    a place that is not known");
}

/* ---- a finding ------------------------------------------------------------------------------------------
 */

static void tell_what(const struct canon_trouble *trouble)
{
    const char *kind = canon_finding_text(trouble->kind);
    long long at = trouble->at, size = (long long)trouble->size;
    switch (trouble->kind) {
    case CANON_FINDING_OVERFLOW:
        canon_say("heap %s: %lld bytes behind the end of a block of %lld bytes", kind, at - size, size);
        break;
    case CANON_FINDING_UNDERFLOW:
        canon_say("heap %s: %lld bytes before the beginning of a block of %lld bytes", kind, -at, size);
        break;
    case CANON_FINDING_WRITE_AFTER_FREE:
        canon_say("%s: byte %lld of a block of %lld bytes", kind, at, size);
        break;
    case CANON_FINDING_FAULT:
        canon_say("%s: SIG%s", kind, sigabbrev_np(trouble->signal));
        break;
    default:
        if (!trouble->number)
            canon_say("%s: %#llx, which is no block of the heap", kind, (unsigned long long)trouble->address);
        else if (trouble->at)
            canon_say("%s: byte %lld of a block of %lld bytes", kind, at, size);
        else
            canon_say("%s of a block of %lld bytes", kind, size);
    }
}

static const char *guilty_deed(enum canon_finding_kind kind)
{
    switch (kind) {
    case CANON_FINDING_READ_AFTER_FREE:
        return "what was read was used";
    case CANON_FINDING_DOUBLE_FREE:
        return "freed again";
    case CANON_FINDING_INVALID_FREE:
        return "freed";
    case CANON_FINDING_FAULT:
        return "caused";
    default:
        return "written";
    }
}

static bool is_stopped_behind(enum canon_finding_kind kind)
{
    return kind != CANON_FINDING_FAULT && kind != CANON_FINDING_READ_AFTER_FREE;
}

static void tell_finding(struct canon_unwinder *unwinder, const struct canon_finding *finding)
{
    enum canon_finding_kind kind = finding->trouble.kind;
    const struct canon_site *guilty = &finding->sites[CANON_SITE_GUILTY];
    tell_what(&finding->trouble);
    if (!unwinder)
        return;
    if (guilty->known) {
        struct telling telling = {0};
        canon_unwind(unwinder, guilty, is_stopped_behind(kind), tell_culprit, &telling);
        tell_site(unwinder, guilty, guilty_deed(kind), is_stopped_behind(kind));
    }
    if (finding->sites[CANON_SITE_ALLOCATED].known)
        tell_site(unwinder, &finding->sites[CANON_SITE_ALLOCATED], "allocated", false);
    if (finding->sites[CANON_SITE_FREED].known)
        tell_site(unwinder, &finding->sites[CANON_SITE_FREED], "freed", false);
}

static bool lacks_culprit(const struct canon_finding *finding)
{
    return !finding->sites[CANON_SITE_GUILTY].known;
}

void canon_culprits_tell(const struct canon_findings *findings, const char *trace)
{
    uint32_t count = findings->count < CANON_FINDINGS ? findings->count : CANON_FINDINGS;
    bool lacking = false, blocks = false;
    struct canon_unwinder *unwinder = count ? canon_unwinder_open(findings->maps, findings->maps_size) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        tell_finding(unwinder, &findings->all[i]);
        lacking |= lacks_culprit(&findings->all[i]);
        blocks |= findings->all[i].trouble.number != 0;
    }
    if (findings->tries && findings->reproduced)
        canon_say("epoch %u, the last one, ran again in the same process, at try %u: %s", findings->epochs,
                  findings->tries, findings->outcome);
    else if (*findings->outcome)
        canon_say("epoch %u, the last one, could not be run again the same way (%u tries): %s",
                  findings->epochs, findings->tries, findings->outcome);
    if (findings->count > count)
        canon_say("and %u more", findings->count - count);
    if (trace && blocks && (lacking || !findings->reproduced))
        canon_say("`canon replay --detect %s` tells who did it, and where these blocks come from", trace);
    else if (findings->unwatched)
        canon_say("the system refuses watchpoints (%s): who has written is not known",
                  strerror(findings->refusal));
    else if (!trace && lacking)
        canon_say("who has written some of it was not seen: canon watches four bytes at a time");
    canon_unwinder_close(unwinder);
}
