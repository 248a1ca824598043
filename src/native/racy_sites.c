/*
 * racy_sites.c: see racy.h. Instructions of the list are replaced by jumps to trampolines, with neighbours if
 * they are shorter than a jump.
 *
 *     reads                                          writes
 *
 *       lower the stack by 144                         lower the stack by 128
 *       no order yet? -> direct                        no order yet? -> direct
 *       rax = load(address)                            begin(address)
 *       put rax where the stack points to              raise the stack
 *       the instruction, with (%rsp) for its operand   the instruction
 *       raise the stack                                lower it; end(); raise it
 *
 * Nothing but the instruction itself changes a register or a flag.
 */
#include "native/racy.h"

#include "base/log.h"
#include "native/access.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    TRAMPOLINE = 640, /* bytes, at most: a window may have several sites */
    FORWARD = 8,      /* instructions behind a site that may go along */
};

static struct canon_racy_list list;
static unsigned missed, rewritten;
static char which[160]; /* the first of those that were missed */

unsigned canon_racy_missed(const char **some)
{
    *some = which;
    return missed;
}

static void miss(const struct canon_racy_site *site)
{
    size_t used = strlen(which);
    if (used + sizeof site->name + 24 < sizeof which)
        snprintf(which + used, sizeof which - used, "%s%llx of %s", used ? ", " : "",
                 (unsigned long long)site->offset, site->name);
    missed++;
}

/* Registers are saved by xsave, as a whole. */
static bool can_save(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE;
}

void canon_racy_start(const char *trace)
{
    char path[4300];
    int line;
    snprintf(path, sizeof path, "%s/" CANON_RACY_FILE, trace);
    if (!can_save() || canon_racy_list_read(&list, path, &line))
        list.count = 0;
}

/* ---- a site's code ------------------------------------------------------------------------------------- */

enum { RED_ZONE = 128, SLOT = 16, SAVED = 16 /* rcx, rdi */ };

/* Behind it: no flag has changed. */
static void put_lower(struct canon_code *code, int32_t by)
{
    int32_t distance = -by;
    CANON_CODE_PUT(code, 0x48, 0x8d, 0xa4, 0x24); /* lea distance(%rsp), %rsp */
    canon_code_put(code, &distance, sizeof distance);
}

static void put_save_flags(struct canon_code *code)
{
    CANON_CODE_PUT(code, 0x50, 0x9f, 0x0f, 0x90, 0xc0, 0x50); /* push %rax; lahf; seto %al; push %rax */
}

static void put_restore_flags(struct canon_code *code)
{
    CANON_CODE_PUT(code, 0x58, 0x04, 0x7f, 0x9e, 0x58); /* pop %rax; add $0x7f, %al; sahf; pop %rax */
}

static void put_call(struct canon_code *code, const void *function)
{
    CANON_CODE_PUT(code, 0x48, 0xb8); /* mov $function, %rax */
    canon_code_put(code, &function, sizeof function);
    CANON_CODE_PUT(code, 0xff, 0xd0); /* call *%rax */
}

/* Where the short jump ends that was put before `behind`. */
static void land(struct canon_code *code, uint8_t *behind)
{
    if (code->at - behind > INT8_MAX)
        code->failed = true;
    if (!code->failed)
        behind[-1] = (uint8_t)(code->at - behind);
}

/* With rcx and rdi saved: on, if the thread's operations count. What comes back has to land. */
static uint8_t *put_question(struct canon_code *code)
{
    const char *thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    int32_t counts = (int32_t)((const char *)&canon_self.counts - thread);
    CANON_CODE_PUT(code, 0x51, 0x57);                   /* push %rcx; push %rdi */
    CANON_CODE_PUT(code, 0x64, 0x48, 0x8b, 0x0c, 0x25); /* mov %fs:counts, %rcx */
    canon_code_put(code, &counts, sizeof counts);
    CANON_CODE_PUT(code, 0xe3, 0); /* jrcxz direct */
    uint8_t *behind = code->at;
    CANON_CODE_PUT(code, 0x48, 0x8b, 0x4c, 0x24, 0x08); /* mov 8(%rsp), %rcx */
    return behind;
}

static void put_address(struct canon_code *code, const uint8_t *at, const struct canon_insn *insn,
                        int32_t lowered)
{
    uint8_t made[CANON_ACCESS_MOST];
    size_t field;
    int64_t target = 0;
    size_t size = canon_access_address(at, insn, lowered, made, &field, &target);
    code->failed = code->failed || !size;
    canon_code_put(code, made, field ? field : size);
    if (field)
        canon_code_put_distance(code, at + target);
}

/* pop %rdi; pop %rcx; and the stack as it was */
static void put_back(struct canon_code *code, int32_t lowered)
{
    CANON_CODE_PUT(code, 0x5f, 0x59);
    put_lower(code, -lowered);
}

static uint8_t *put_jump_over(struct canon_code *code)
{
    CANON_CODE_PUT(code, 0xeb, 0);
    return code->at;
}

static const void *load_of(unsigned size)
{
    return size == 1   ? (const void *)canon_racy_load_1
           : size == 2 ? (const void *)canon_racy_load_2
           : size == 4 ? (const void *)canon_racy_load_4
                       : (const void *)canon_racy_load_8;
}

static void put_load(struct canon_code *code, const uint8_t *at, const struct canon_insn *insn,
                     const struct canon_access *access)
{
    enum { LOWERED = RED_ZONE + SLOT, TO_SLOT = 32 /* two flags, rdi, rcx */ };
    uint8_t made[CANON_ACCESS_MOST];
    size_t size = canon_access_from_stack(at, insn, access, made);
    code->failed = code->failed || !size;
    put_lower(code, LOWERED);
    uint8_t *question = put_question(code);
    put_address(code, at, insn, LOWERED + SAVED);
    put_save_flags(code);
    put_call(code, load_of(access->size));
    CANON_CODE_PUT(code, 0x48, 0x89, 0x44, 0x24, TO_SLOT); /* mov %rax, slot */
    if (access->size == 16) {
        CANON_CODE_PUT(code, 0x48, 0x8d, 0x7f, 0x08); /* lea 8(%rdi), %rdi */
        put_call(code, load_of(8));
        CANON_CODE_PUT(code, 0x48, 0x89, 0x44, 0x24, TO_SLOT + 8);
    }
    put_restore_flags(code);
    CANON_CODE_PUT(code, 0x5f, 0x59);
    canon_code_put(code, made, size);
    put_lower(code, -LOWERED);
    uint8_t *over = put_jump_over(code);
    land(code, question);
    put_back(code, LOWERED);
    canon_code_put_moved(code, at, insn);
    land(code, over);
}

static const void *begin_of(unsigned size)
{
    return size == 1   ? (const void *)canon_racy_begin_1
           : size == 2 ? (const void *)canon_racy_begin_2
           : size == 4 ? (const void *)canon_racy_begin_4
                       : (const void *)canon_racy_begin_8;
}

static void put_write(struct canon_code *code, const uint8_t *at, const struct canon_insn *insn,
                      const struct canon_access *access)
{
    put_lower(code, RED_ZONE);
    uint8_t *question = put_question(code);
    put_address(code, at, insn, RED_ZONE + SAVED);
    put_save_flags(code);
    put_call(code, begin_of(access->size));
    put_restore_flags(code);
    put_back(code, RED_ZONE);
    canon_code_put_moved(code, at, insn);
    put_lower(code, RED_ZONE);
    put_save_flags(code);
    put_call(code, (const void *)canon_racy_end);
    put_restore_flags(code);
    put_lower(code, -RED_ZONE);
    uint8_t *over = put_jump_over(code);
    land(code, question);
    put_back(code, RED_ZONE);
    canon_code_put_moved(code, at, insn);
    land(code, over);
}

/* ---- windows ------------------------------------------------------------------------------------------- */

/* The sites of an object, in their order. */
struct sites {
    const struct canon_racy_site *all;
    size_t count;
    const uint8_t *floor; /* behind the last window */
};

static bool is_site(const struct canon_object *object, const struct sites *sites, const uint8_t *at)
{
    uint64_t offset = object->offset + (uint64_t)(at - object->from);
    size_t count;
    canon_racy_list_in(&list, &sites->all->id, offset, offset + 1, &count);
    return count;
}

/* From `window->from` on, to behind the site, and until there is room for a jump. */
static bool reach_forward(const struct canon_object *object, struct canon_window *window)
{
    struct canon_insn insn;
    const uint8_t *at = window->from;
    for (int i = 0; at <= window->site || at - window->from < CANON_WINDOW_MIN; i++) {
        bool decoded = canon_insn_decode(at, (size_t)(object->to - at), &insn);
        bool jumps = insn.kind == CANON_INSN_BRANCH || (insn.kind == CANON_INSN_JUMP && at > window->site);
        if (i > FORWARD || !decoded || (at > window->from && canon_object_is_target(object, at)) ||
            !(canon_insn_is_movable(&insn) || jumps))
            return false;
        at += insn.size;
        if (insn.kind == CANON_INSN_JUMP || insn.kind == CANON_INSN_FIXED || at[-insn.size] == 0xc3)
            break;
    }
    window->to = at;
    return at > window->site && at - window->from >= CANON_WINDOW_MIN;
}

/* The site and what is behind it; or with some of what is in front. */
static bool find_window(const struct canon_object *object, const struct sites *sites, const uint8_t *site,
                        struct canon_window *window)
{
    struct canon_neighbours before;
    window->site = window->from = site;
    if (reach_forward(object, window))
        return true;
    const uint8_t *from = canon_object_beginning(object, site);
    if (!canon_object_arrives(object, from, site, &before))
        return false;
    const struct canon_neighbour *front;
    for (unsigned n = 1; (front = canon_neighbour(&before, n)); n++) {
        if (front->at < sites->floor ||
            !(canon_insn_is_movable(&front->insn) || front->insn.kind == CANON_INSN_BRANCH))
            return false;
        window->from = front->at;
        if (reach_forward(object, window))
            return true;
    }
    return false;
}

/* Sites that follow come along: behind this window there may be no room for theirs. */
static void take_followers(const struct canon_object *object, const struct sites *sites,
                           struct canon_window *window)
{
    enum { MOST = 3 };
    struct canon_insn insn;
    for (int i = 0; i < MOST && window->to < object->to && is_site(object, sites, window->to) &&
                    !canon_object_is_target(object, window->to) &&
                    canon_insn_decode(window->to, (size_t)(object->to - window->to), &insn) &&
                    canon_insn_is_movable(&insn);
         i++)
        window->to += insn.size;
}

static unsigned put_window(const struct canon_object *object, const struct sites *sites,
                           const struct canon_window *window, struct canon_code *code)
{
    struct canon_insn insn;
    struct canon_access access;
    unsigned done = 0;
    for (const uint8_t *at = window->from; at < window->to; at += insn.size) {
        canon_insn_decode(at, (size_t)(object->to - at), &insn);
        bool ordered = is_site(object, sites, at) && canon_access_of(at, &insn, &access);
        if (!ordered)
            canon_code_put_moved(code, at, &insn);
        else if (access.kind == CANON_ACCESS_LOAD)
            put_load(code, at, &insn, &access);
        else
            put_write(code, at, &insn, &access);
        done += ordered;
    }
    canon_code_put_jump(code, window->to);
    return done;
}

static bool patch_site(struct canon_object *object, struct sites *sites, const uint8_t *site)
{
    struct canon_insn insn;
    struct canon_access access;
    struct canon_window window;
    if (site < sites->floor)
        return true; /* it was in the last window */
    if (!canon_insn_decode(site, (size_t)(object->to - site), &insn) ||
        !canon_access_of(site, &insn, &access) || !find_window(object, sites, site, &window))
        return false;
    take_followers(object, sites, &window);
    struct canon_code code = {object->trampoline, object->trampoline_end, false};
    unsigned done = put_window(object, sites, &window, &code);
    if (code.failed)
        return false;
    canon_code_divert(&window, object->trampoline);
    object->trampoline = code.at;
    sites->floor = window.to;
    rewritten += done;
    return true;
}

/* ---- objects ------------------------------------------------------------------------------------------- */

static void miss_all(const struct sites *sites)
{
    for (size_t i = 0; i < sites->count; i++)
        miss(&sites->all[i]);
}

static void patch_sites(struct canon_object *object, struct sites *sites)
{
    size_t size = (sites->count * TRAMPOLINE + 4095) & ~(size_t)4095;
    uint8_t *first = object->trampoline = canon_code_map_near(object->from, size);
    if (!first || canon_code_protect(object->from, object->to, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        miss_all(sites);
        return;
    }
    object->trampoline_end = first + size;
    for (size_t i = 0; i < sites->count; i++) {
        const uint8_t *site = object->from + (sites->all[i].offset - object->offset);
        if (!patch_site(object, sites, site))
            miss(&sites->all[i]);
    }
    canon_code_protect(object->from, object->to, PROT_READ | PROT_EXEC);
    canon_code_protect(first, object->trampoline_end, PROT_READ | PROT_EXEC);
}

void canon_racy_patch(struct canon_object *object)
{
    struct canon_racy_id id;
    struct sites sites = {.floor = object->from};
    if (!list.count || !canon_racy_identify(object->file, &id))
        return;
    sites.all = canon_racy_list_in(&list, &id, object->offset,
                                   object->offset + (uint64_t)(object->to - object->from), &sites.count);
    if (!sites.count)
        return;
    object->targets = calloc(1, (size_t)(object->to - object->from) / 8 + 1);
    if (object->targets && canon_object_note_data_jumps(object)) {
        canon_object_note_far_jumps(object);
        for (size_t i = 0; i < sites.count; i++)
            canon_object_note_near_jumps(object, object->from + (sites.all[i].offset - object->offset));
        patch_sites(object, &sites);
    } else {
        miss_all(&sites);
    }
    free(object->targets);
    canon_log("native", CANON_LOG_INFO, "racing instructions: %u are ordered, %u are not", rewritten, missed);
}
