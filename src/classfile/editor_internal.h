/*
 * editor_internal.h: what the files of the editor share.
 *
 *     editor.c   collects edits, writes the class          pool.c    constants
 *     method.c   the edits of one method                   layout.c  where everything goes, new code bytes
 *     frames.c   StackMapTable                             tables.c  exception, line, variable tables
 *     clone.c    copies of handlers that release monitors
 *
 * A method is written in two steps: canon_layout_compute gives every original instruction its new
 * offsets; then code and tables are written from those.
 */
#ifndef CANON_CLASSFILE_EDITOR_INTERNAL_H
#define CANON_CLASSFILE_EDITOR_INTERNAL_H

#include "classfile/arena.h"
#include "classfile/code.h"
#include "classfile/editor.h"
#include "classfile/pool.h"

/* Bytes of inserted code, in the arena. */
struct piece {
    const uint8_t *bytes;
    uint32_t length;
};

enum { PLACE_REPLACE = CANON_PLACE_AFTER + 1, PLACE_COUNT };

/* A piece at an instruction; a list in the order of insertion. */
struct insert {
    struct insert *next;
    struct piece piece;
    uint8_t place; /* enum canon_place or PLACE_REPLACE */
};

/* One original instruction, and where it goes. Behind the last one comes an item for the end. */
struct item {
    struct insert *first;
    struct insert *last;
    uint32_t pc;
    uint32_t label;  /* new offset that branches to it get */
    uint32_t start;  /* new offset of the instruction */
    uint32_t end;    /* behind it, in front of what was put AFTER it */
    uint32_t island; /* 1 + the island that a conditional branch takes; 0: none */
    uint8_t opcode;
    bool replaced;
    bool widened; /* goto or jsr that needs its long form */
};

/* A conditional branch has no long form. One that no longer reaches its target goes to an island:
 * a goto_w put behind some instruction in between that control does not run past. The stack map frame
 * there is that of the target. */
struct island {
    uint32_t after;  /* item it stands behind */
    uint32_t target; /* item it leads to */
    uint32_t offset;
};

enum { ISLAND_LENGTH = 5 };

/* A copy of a handler that releases a monitor, without what was inserted there. Compilers make such a
 * handler cover itself; then inserted code in it that throws each time (out of stack, say) would be run
 * again for ever. So from there control goes on to the copy. It stands behind the body. */
struct clone {
    uint32_t first;       /* item: the handler */
    uint32_t last;        /* item: its athrow */
    uint32_t guarded_end; /* item: the handler covers itself up to here */
    uint32_t offset;
    uint32_t length;
};

struct kept_local {
    uint16_t local;
    char type;
};

/* A try/finally around the body. For a synchronized body there is a second handler, which only
 * releases the monitor: it covers exit code that runs while the monitor is still held. Without it an exit
 * helper that throws each time (out of stack, say) would be called again for ever. */
struct wrap {
    struct piece entry;
    uint32_t entry_guarded_from; /* the part of `entry` from here on is inside the try */
    struct piece exit;
    uint32_t exit_guarded; /* the first bytes of `exit`, covered by the second handler */
    struct piece release;  /* the second handler's code; empty: there is none */
    struct piece caught;   /* how the first handler goes on after `exit`; empty: it throws on */
    uint32_t kept_count;   /* fresh locals that are set when the try starts */
    /* layout */
    uint32_t guard_start; /* the try starts here */
    uint32_t exit_offset; /* of `exit`, from where the exit code of a return starts */
    uint32_t handler;
    uint32_t release_handler;
};

enum { WRAP_MAX = 8, KEPT_MAX = 32 };

struct method_edit {
    const struct canon_member *member;
    uint16_t number;
    uint16_t access;
    struct canon_code code;
    bool has_items;
    bool code_changed;
    uint32_t *item_at; /* pc -> 1 + item; 0 inside an instruction; code.length -> the end item */
    struct item *items;
    uint32_t item_count;
    struct insert *entry_first;
    struct insert *entry_last;
    struct wrap wraps[WRAP_MAX];
    uint32_t wrap_count;
    struct kept_local kept[KEPT_MAX];
    uint32_t kept_count;
    uint32_t max_locals;
    uint32_t extra_stack;
    /* layout */
    struct island *islands; /* by `after` */
    uint32_t island_count;
    struct clone *clones;
    uint32_t clone_count;
    uint32_t prologue_length;
    uint32_t exit_length; /* of all wraps at one return */
    uint32_t body_end;
    uint32_t new_length;
};

/* Bytes inserted at an item, by place. */
static inline void add_insert_lengths(const struct insert *insert, uint32_t lengths[PLACE_COUNT])
{
    for (; insert; insert = insert->next)
        lengths[insert->place] += insert->piece.length;
}

/* A method handle constant of the class that becomes one of a static method. */
struct handle_patch {
    struct handle_patch *next;
    uint32_t offset; /* of the constant */
    uint16_t method;
};

struct canon_editor {
    const struct canon_class *cls;
    struct arena arena;
    struct pool pool;
    struct method_edit **methods; /* NULL where nothing is edited */
    bool any_method;
    struct handle_patch *handles;
    struct canon_buffer new_fields;
    struct canon_buffer new_methods;
    uint32_t new_field_count;
    uint32_t new_method_count;
    int object_class; /* constants that many frames name; 0: not looked up yet */
    int throwable_class;
    bool leave_too_big;
    uint32_t left_alone;
    const struct canon_member *failed;
};

/* Whether a return here is still one, and so gets the exit code of wraps. */
static inline bool item_is_return(const struct item *item)
{
    return canon_opcodes[item->opcode].kind == CANON_KIND_RETURN && !item->replaced;
}

static inline bool item_falls_through(const struct item *item)
{
    return item->replaced || canon_opcode_falls_through(item->opcode);
}

/* A pc that must be the start of an instruction (or the end of the code): its item, or NULL. */
static inline struct item *item_of_pc(const struct method_edit *edit, uint32_t pc)
{
    uint32_t number = pc <= edit->code.length ? edit->item_at[pc] : 0;
    return number ? &edit->items[number - 1] : NULL;
}

/* layout.c: offsets; CANON_E_LIMIT when the code gets too long. */
int canon_layout_compute(struct canon_editor *editor, struct method_edit *edit);
/* Writes edit->new_length bytes. */
void canon_layout_emit(const struct method_edit *edit, uint8_t *to);
/* Where exception ranges that start or end at an item do so now. */
uint32_t canon_layout_boundary(const struct method_edit *edit, const struct item *item);

/* clone.c: which handlers need a copy; the copy that control goes on to when code that was inserted into
 * the handler throws; and where in the copy exception ranges start or end. */
void canon_clone_find(struct canon_editor *editor, struct method_edit *edit);
const struct clone *canon_clone_of(const struct method_edit *edit, const struct item *handler);
uint32_t canon_clone_boundary(const struct method_edit *edit, const struct clone *clone, uint32_t number);
uint8_t *canon_clone_emit(const struct method_edit *edit, const struct clone *clone, uint8_t *to);

/* tables.c: exception table and attributes of Code, counts included. */
int canon_tables_write(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to);

/* frames.c: the contents of a StackMapTable; `old` is the one there was, or NULL. Writes nothing and
 * returns 0 when there is no frame, else returns 1. */
int canon_frames_write(struct canon_editor *editor, struct method_edit *edit,
                       const struct canon_attribute *old, struct canon_buffer *to);

/* method.c */
/* Whether a static method can stand for a method with this descriptor; CANON_E_INVALID if not. */
int canon_method_check_call(struct canon_utf8 descriptor, bool has_receiver, const struct canon_call *call);
int canon_method_write(struct canon_editor *editor, struct method_edit *edit, struct canon_buffer *to);

#endif
