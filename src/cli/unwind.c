/* unwind.c: see unwind.h. */
#include "cli/unwind.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct canon_unwinder {
    Dwfl *dwfl;
    const struct canon_site *site;
    bool behind;
    bool (*each)(void *context, const struct canon_place *place);
    void *context;
    int frames;
};

enum { FRAMES_MOST = 64, THREAD = 1 };

/* ---- what libdw asks for --------------------------------------------------------------------------------
 */

static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread)
{
    (void)dwfl;
    bool first = *thread == NULL;
    *thread = argument;
    return first ? THREAD : 0;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *argument)
{
    (void)dwfl;
    const struct canon_site *site = ((const struct canon_unwinder *)argument)->site;
    uint64_t at = address - site->regs[CANON_REG_RSP];
    if (address < site->regs[CANON_REG_RSP] || at + sizeof *result > site->size)
        return false;
    memcpy(result, site->stack + at, sizeof *result);
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *argument)
{
    const struct canon_site *site = ((const struct canon_unwinder *)argument)->site;
    Dwarf_Word words[CANON_REGS];
    for (int i = 0; i < CANON_REGS; i++)
        words[i] = site->regs[i];
    return dwfl_thread_state_registers(thread, 0, CANON_REGS, words);
}

static const Dwfl_Thread_Callbacks THREADS = {
    .next_thread = next_thread,
    .memory_read = read_memory,
    .set_initial_registers = set_registers,
};

static const Dwfl_Callbacks FILES = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
};

/* ---- places ---------------------------------------------------------------------------------------------
 */

static struct canon_place place_of(Dwfl *dwfl, uint64_t address, uint64_t looked_up)
{
    struct canon_place place = {.address = address, .object = ""};
    Dwfl_Module *module = dwfl_addrmodule(dwfl, looked_up);
    if (!module)
        return place;
    place.object = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    place.function = dwfl_module_addrname(module, looked_up);
    Dwfl_Line *line = dwfl_module_getsrc(module, looked_up);
    if (line)
        place.file = dwfl_lineinfo(line, NULL, &place.line, NULL, NULL, NULL);
    return place;
}

static int tell_frame(Dwfl_Frame *frame, void *argument)
{
    struct canon_unwinder *unwinder = argument;
    Dwarf_Addr address;
    bool exact;
    if (!dwfl_frame_pc(frame, &address, &exact) || !address || unwinder->frames == FRAMES_MOST)
        return DWARF_CB_ABORT;
    bool back = unwinder->frames ? !exact : unwinder->behind; /* the call, not what comes after it */
    unwinder->frames++;
    struct canon_place place = place_of(unwinder->dwfl, address, address - back);
    return unwinder->each(unwinder->context, &place) ? DWARF_CB_OK : DWARF_CB_ABORT;
}

void canon_unwind(struct canon_unwinder *unwinder, const struct canon_site *site, bool behind,
                  bool (*each)(void *context, const struct canon_place *place), void *context)
{
    unwinder->site = site;
    unwinder->behind = behind;
    unwinder->each = each;
    unwinder->context = context;
    unwinder->frames = 0;
    dwfl_getthread_frames(unwinder->dwfl, THREAD, tell_frame, unwinder);
    if (!unwinder->frames) { /* nothing could be unwound: the place itself is known */
        struct canon_place place =
            place_of(unwinder->dwfl, site->regs[CANON_REG_RIP], site->regs[CANON_REG_RIP] - behind);
        each(context, &place);
    }
}

/* ---- opening --------------------------------------------------------------------------------------------
 */

static bool report(struct canon_unwinder *unwinder, const char *maps, size_t size)
{
    FILE *file = fmemopen((void *)maps, size, "r");
    bool done = file && dwfl_linux_proc_maps_report(unwinder->dwfl, file) == 0;
    if (file)
        fclose(file);
    dwfl_report_end(unwinder->dwfl, NULL, NULL);
    return done && dwfl_attach_state(unwinder->dwfl, NULL, THREAD, &THREADS, unwinder);
}

struct canon_unwinder *canon_unwinder_open(const char *maps, size_t size)
{
    struct canon_unwinder *unwinder = calloc(1, sizeof *unwinder);
    if (!unwinder)
        return NULL;
    unwinder->dwfl = dwfl_begin(&FILES);
    if (unwinder->dwfl && size && report(unwinder, maps, size))
        return unwinder;
    canon_unwinder_close(unwinder);
    return NULL;
}

void canon_unwinder_close(struct canon_unwinder *unwinder)
{
    if (unwinder && unwinder->dwfl)
        dwfl_end(unwinder->dwfl);
    free(unwinder);
}
