/*
 * file.c: see racy.h and code.h. What a file says about itself: its build id, and where its code is jumped to
 * by way of data. A byte that is taken for a target and is none does no harm.
 *
 *   switch (x)     a table of distances from its own beginning, which some `lea table(%rip), %reg` loads
 *   goto *label    addresses in data: as they are, or added by the loader (R_X86_64_RELATIVE)
 *   (*function)()  the same; or what some `lea function(%rip), %reg` loads
 *
 * The file is looked at, not the memory: what the program does not need itself would count as its memory.
 */
#include "native/racy.h"

#include <emmintrin.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

struct file {
    const uint8_t *bytes;
    size_t size;
    const ElfW(Phdr) * segments;
    int count;
};

static bool open_file(int fd, struct file *file)
{
    struct stat about;
    if (fd < 0 || canon_raw_syscall(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) || about.st_size < 64)
        return false;
    file->size = (size_t)about.st_size;
    long at = canon_raw_syscall(SYS_mmap, 0, about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at < 0 && at > -4096)
        return false;
    file->bytes = (const uint8_t *)at;
    const ElfW(Ehdr) *header = (const void *)file->bytes;
    uint64_t end = header->e_phoff + (uint64_t)header->e_phnum * sizeof(ElfW(Phdr));
    if (memcmp(header->e_ident, ELFMAG "\2", SELFMAG + 1) != 0 || header->e_phentsize != sizeof(ElfW(Phdr)) ||
        header->e_phoff % 8 || header->e_phoff > file->size || end > file->size) {
        canon_raw_syscall(SYS_munmap, at, about.st_size, 0, 0, 0, 0);
        return false;
    }
    file->segments = (const void *)(file->bytes + header->e_phoff);
    file->count = header->e_phnum;
    return true;
}

static void close_file(const struct file *file)
{
    canon_raw_syscall(SYS_munmap, (long)file->bytes, (long)file->size, 0, 0, 0, 0);
}

/* Whether the segment's bytes are in the file. */
static bool has(const struct file *file, const ElfW(Phdr) * segment)
{
    return segment->p_offset <= file->size && segment->p_filesz <= file->size - segment->p_offset;
}

/* ---- its id -------------------------------------------------------------------------------------------- */

static bool find_id(const uint8_t *at, const uint8_t *end, struct canon_racy_id *id)
{
    while (end - at >= (long)sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const uint8_t *name = at + sizeof note;
        size_t left = (size_t)(end - name), skipped = ((size_t)note.n_namesz + 3) & ~(size_t)3;
        if (skipped > left || note.n_descsz > left - skipped)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
            *id = (struct canon_racy_id){0};
            memcpy(id->bytes, name + skipped, note.n_descsz < CANON_RACY_ID ? note.n_descsz : CANON_RACY_ID);
            return true;
        }
        skipped += ((size_t)note.n_descsz + 3) & ~(size_t)3;
        at = skipped > left ? end : name + skipped;
    }
    return false;
}

bool canon_racy_identify(int fd, struct canon_racy_id *id)
{
    struct file file;
    bool found = false;
    if (!open_file(fd, &file))
        return false;
    for (int i = 0; i < file.count && !found; i++) {
        const ElfW(Phdr) *segment = &file.segments[i];
        if (segment->p_type == PT_NOTE && has(&file, segment))
            found = find_id(file.bytes + segment->p_offset,
                            file.bytes + segment->p_offset + segment->p_filesz, id);
    }
    close_file(&file);
    return found;
}

/* ---- its targets --------------------------------------------------------------------------------------- */

struct search {
    struct canon_object *object;
    const struct file *file;
    const ElfW(Phdr) * code; /* the segment that the object is */
};

/* An address as the file has it. */
static void add_address(const struct search *search, uint64_t address)
{
    uint64_t behind = search->code->p_offset - search->object->offset; /* its page's beginning */
    if (address - search->code->p_vaddr < search->code->p_filesz)
        canon_object_add_target(search->object,
                                search->object->from + behind + (address - search->code->p_vaddr));
}

/* The segment that has an address, if it is of data. */
static const ElfW(Phdr) * data_at(const struct search *search, uint64_t address)
{
    for (int i = 0; i < search->file->count; i++) {
        const ElfW(Phdr) *segment = &search->file->segments[i];
        if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_X) && has(search->file, segment) &&
            address - segment->p_vaddr < segment->p_filesz)
            return segment;
    }
    return NULL;
}

static void add_table(const struct search *search, uint64_t address)
{
    enum { MOST = 4096 };
    const ElfW(Phdr) *segment = data_at(search, address);
    if (!segment || address % 4)
        return;
    const uint8_t *at = search->file->bytes + segment->p_offset + (address - segment->p_vaddr);
    const uint8_t *end = search->file->bytes + segment->p_offset + segment->p_filesz;
    for (int i = 0; i < MOST && end - at >= 4; i++, at += 4) {
        int32_t distance;
        memcpy(&distance, at, 4);
        uint64_t target = address + (uint64_t)(int64_t)distance;
        if (target - search->code->p_vaddr >= search->code->p_filesz)
            break;
        add_address(search, target);
    }
}

enum { LEA = 7 /* bytes */ };

/* If it looks like a lea relative to the instruction. */
static void add_loaded(const struct search *search, const uint8_t *from, size_t i)
{
    if ((from[i] != 0x48 && from[i] != 0x4c) || from[i + 1] != 0x8d || (from[i + 2] & 0xc7) != 5)
        return;
    int32_t distance;
    memcpy(&distance, from + i + 3, 4);
    uint64_t address = search->code->p_vaddr + i + LEA + (uint64_t)(int64_t)distance;
    add_table(search, address);
    add_address(search, address);
}

static void add_tables(const struct search *search)
{
    const uint8_t *from = search->file->bytes + search->code->p_offset;
    size_t i = 0, size = search->code->p_filesz;
    for (; i + 16 + LEA <= size; i += 16) {
        __m128i second = _mm_loadu_si128((const __m128i *)(from + i + 1));
        int found = _mm_movemask_epi8(_mm_cmpeq_epi8(second, _mm_set1_epi8((char)0x8d)));
        for (; found; found &= found - 1)
            add_loaded(search, from, i + (size_t)__builtin_ctz((unsigned)found));
    }
    for (; i + LEA <= size; i++)
        add_loaded(search, from, i);
}

/* Whatever looks like an address; of relocations, too, wherever these are. */
static void add_pointers(const struct search *search)
{
    for (int i = 0; i < search->file->count; i++) {
        const ElfW(Phdr) *segment = &search->file->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_X || !has(search->file, segment))
            continue;
        const uint8_t *at = search->file->bytes + segment->p_offset, *end = at + segment->p_filesz;
        for (; end - at >= 8; at += 4) {
            uint64_t address;
            memcpy(&address, at, 8);
            add_address(search, address);
        }
    }
}

bool canon_object_note_data_jumps(struct canon_object *object)
{
    struct file file;
    if (!open_file(object->file, &file))
        return false;
    struct search search = {.object = object, .file = &file};
    for (int i = 0; i < file.count; i++)
        if (file.segments[i].p_type == PT_LOAD && file.segments[i].p_flags & PF_X &&
            (file.segments[i].p_offset & ~4095ul) == (object->offset & ~4095ul) &&
            has(&file, &file.segments[i]))
            search.code = &file.segments[i];
    if (search.code) {
        add_tables(&search);
        add_pointers(&search);
    }
    close_file(&file);
    return search.code;
}
