/* libraries.c: see libraries.h. */
#include "jvm/libraries.h"

#include "base/log.h"
#include "jvm/functions.h"
#include "jvm/transfer.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { LIBRARIES_MAX = 256 };

/* Where the code of those is that are followed. Entries are only added; `count` is written last. */
static struct {
    uintptr_t start, end;
} followed[LIBRARIES_MAX];
static atomic_int followed_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for who adds */

/* The JDK's directory, with a slash; empty: not known. */
static char jdk[PATH_MAX];

static bool is_of_jdk(const char *path)
{
    return *jdk && strncmp(path, jdk, strlen(jdk)) == 0;
}

/* What every program has: the C library, what comes with the compiler, and canon. */
static bool is_of_system(const char *path)
{
    static const char *const NAMES[] = {"libc.so.",  "libm.so.",     "libdl.so.", "libpthread.so.",
                                        "librt.so.", "libgcc_s.so.", "ld-linux-", "libstdc++.so.",
                                        "libcanon-", "linux-vdso"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strncmp(name, NAMES[i], strlen(NAMES[i])) == 0)
            return true;
    return !*name; /* the program itself */
}

static bool follows(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    for (int i = 0; i < atomic_load(&followed_count); i++)
        if (at >= followed[i].start && at < followed[i].end)
            return true;
    return false;
}

/* ---- what a library imports ---------------------------------------------------------------------------- */

/* The parts of a library's dynamic section that tell of that; addresses are as the loader left them. */
struct imports {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t counts[2];
};

static struct imports imports_of(const struct link_map *map)
{
    struct imports found = {0};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB:
            found.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
            break;
        case DT_STRTAB:
            found.names = (const char *)entry->d_un.d_ptr;
            break;
        case DT_JMPREL:
            found.tables[0] = (const ElfW(Rela) *)entry->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            found.counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_RELA:
            found.tables[1] = (const ElfW(Rela) *)entry->d_un.d_ptr;
            break;
        case DT_RELASZ:
            found.counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        default:
            break;
        }
    }
    return found;
}

/* The loader may have made the page read-only when it was done. */
static bool is_writable(uintptr_t page)
{
    bool writable = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long start, end;
    char access[8];
    while (maps && fscanf(maps, "%lx-%lx %4s %*[^\n]", &start, &end, access) == 3)
        if (page >= start && page < end)
            writable = access[1] == 'w';
    if (maps)
        fclose(maps);
    return writable;
}

static void put(void **slot, void *function)
{
    uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(getpagesize() - 1);
    size_t size = (uintptr_t)(slot + 1) - page;
    bool writable = is_writable(page);
    if (!writable && mprotect((void *)page, size, PROT_READ | PROT_WRITE))
        return;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    if (!writable)
        mprotect((void *)page, size, PROT_READ);
}

static void lead_imports(const struct link_map *map)
{
    struct imports imports = imports_of(map);
    for (int t = 0; t < 2 && imports.symbols && imports.names; t++)
        for (size_t i = 0; imports.tables[t] && i < imports.counts[t]; i++) {
            const ElfW(Rela) *entry = &imports.tables[t][i];
            unsigned type = ELF64_R_TYPE(entry->r_info);
            const ElfW(Sym) *symbol = &imports.symbols[ELF64_R_SYM(entry->r_info)];
            bool address = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
                           (type == R_X86_64_64 && !entry->r_addend);
            if (!address || symbol->st_shndx != SHN_UNDEF || !symbol->st_name)
                continue;
            void *function = canon_function_stand_in(imports.names + symbol->st_name);
            if (function)
                put((void **)(map->l_addr + entry->r_offset), function);
        }
}

/* ---- which libraries ------------------------------------------------------------------------------------
 */

static int find_end(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct link_map *map = ((void **)context)[0];
    if (info->dlpi_addr != map->l_addr || strcmp(info->dlpi_name, map->l_name) != 0)
        return 0;
    uintptr_t *end = ((void **)context)[1];
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t last = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && last > *end)
            *end = last;
    }
    return 1;
}

static void follow(struct link_map *map);

/* Those that it needs. */
static void follow_needed(struct link_map *map)
{
    const char *names = imports_of(map).names;
    for (const ElfW(Dyn) *entry = map->l_ld; names && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != DT_NEEDED || is_of_system(names + entry->d_un.d_val))
            continue;
        void *handle = dlopen(names + entry->d_un.d_val, RTLD_NOW | RTLD_NOLOAD);
        struct link_map *needed = NULL;
        if (handle && !dlinfo(handle, RTLD_DI_LINKMAP, &needed))
            follow(needed);
        if (handle)
            dlclose(handle);
    }
}

static void follow(struct link_map *map)
{
    int count = atomic_load(&followed_count);
    if (is_of_jdk(map->l_name) || is_of_system(map->l_name) || follows(map->l_ld) || count == LIBRARIES_MAX)
        return;
    uintptr_t end = 0;
    void *context[] = {map, &end};
    if (!dl_iterate_phdr(find_end, context))
        return;
    followed[count].start = map->l_addr;
    followed[count].end = end;
    atomic_store(&followed_count, count + 1);
    canon_log("jvm", CANON_LOG_INFO, "calls of libc by %s are followed", map->l_name);
    lead_imports(map);
    follow_needed(map);
}

static void loaded(void *handle)
{
    struct link_map *map = NULL;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map))
        return;
    pthread_mutex_lock(&lock);
    follow(map);
    pthread_mutex_unlock(&lock);
}

/* A library that is followed has found a function: in another library, or in libc. */
static void *found(void *handle, const char *name, void *address)
{
    if (handle && handle != RTLD_DEFAULT)
        loaded(handle);
    Dl_info place;
    if (!address || !dladdr(address, &place) || !is_of_system(place.dli_fname))
        return address;
    void *function = canon_function_stand_in(name);
    return function ? function : address;
}

void canon_libraries_prepare(void)
{
    static const struct canon_symbol_calls OURS = {loaded, follows, found};
    char *home = NULL;
    if (!(*canon_agent.jvmti)->GetSystemProperty(canon_agent.jvmti, "java.home", &home))
        snprintf(jdk, sizeof jdk, "%s/", home);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)home);
    canon_symbols_interpose_fn interpose =
        (canon_symbols_interpose_fn)dlsym(RTLD_DEFAULT, CANON_SYMBOLS_INTERPOSE);
    if (interpose)
        interpose(&OURS);
}

uint64_t canon_library_entry(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    void *address = (void *)canon_native_run(native, frame);
    jstring name = (jstring)canon_frame_arg(native, frame, 2);
    char *text = address && name ? canon_java_text(env, name) : NULL;
    if (text)
        address = found((void *)canon_frame_arg(native, frame, 1), text, address);
    free(text);
    return (uint64_t)address;
}

/* ---- copies in the trace ---------------------------------------------------------------------------------
 */

/* Where the library that was loaded from `path` is kept. */
static void kept_path(const char *path, char *kept, size_t size)
{
    snprintf(kept, size, "%s/library-%016llx.so", canon_agent.part,
             (unsigned long long)XXH3_64bits(path, strlen(path)));
}

static bool copy(int from, int to)
{
    struct stat status;
    if (from < 0 || to < 0 || fstat(from, &status))
        return false;
    off_t left = status.st_size;
    while (left > 0) {
        ssize_t n = copy_file_range(from, NULL, to, NULL, (size_t)left, 0);
        if (n <= 0)
            break;
        left -= n;
    }
    return left == 0;
}

static void keep(const char *path)
{
    char kept[PATH_MAX + 64];
    kept_path(path, kept, sizeof kept);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool there = from >= 0 && to < 0 && access(kept, R_OK) == 0;
    if (!there && !copy(from, to)) {
        char text[PATH_MAX + 64];
        snprintf(text, sizeof text, "%s could not be kept in the trace: a replay needs it", path);
        canon_role_note(CANON_NOTE_LIMIT, text);
        unlink(kept);
    }
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

static bool is_same(const char *path, const char *kept)
{
    bool same = false;
    struct stat here, there;
    int a = open(path, O_RDONLY | O_CLOEXEC), b = open(kept, O_RDONLY | O_CLOEXEC);
    if (a >= 0 && b >= 0 && !fstat(a, &here) && !fstat(b, &there) && here.st_size == there.st_size) {
        void *x = mmap(NULL, (size_t)here.st_size, PROT_READ, MAP_PRIVATE, a, 0);
        void *y = mmap(NULL, (size_t)there.st_size, PROT_READ, MAP_PRIVATE, b, 0);
        same = x != MAP_FAILED && y != MAP_FAILED && memcmp(x, y, (size_t)here.st_size) == 0;
        if (x != MAP_FAILED)
            munmap(x, (size_t)here.st_size);
        if (y != MAP_FAILED)
            munmap(y, (size_t)there.st_size);
    }
    if (a >= 0)
        close(a);
    if (b >= 0)
        close(b);
    return same;
}

/* The one at its place is better: it finds its neighbours, and a debugger its symbols. */
uint64_t canon_library_load(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    jstring name = (jstring)canon_frame_arg(native, frame, 2);
    char *path = name ? canon_java_text(env, name) : NULL;
    char kept[PATH_MAX + 64] = "";
    bool foreign = path && *path == '/' && !is_of_jdk(path);
    if (foreign)
        kept_path(path, kept, sizeof kept);
    if (foreign && canon_role_now() == CANON_ROLE_REPLAYER && access(kept, R_OK) == 0 && !is_same(path, kept))
        frame->integers[3] = (uint64_t)(*env)->NewStringUTF(env, kept);
    uint64_t result = canon_native_run(native, frame);
    if (foreign && (uint8_t)result && canon_role_now() == CANON_ROLE_RECORDER)
        keep(path);
    free(path);
    return result;
}
