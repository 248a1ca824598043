/*
 * editor.h: changing a class file.
 *
 * An editor collects edits to one open class, and writes the changed class at the end. The class it
 * reads is never written to. What the edits move is moved with them: branches (widened where they no
 * longer reach), switches, exception ranges, line and variable tables, stack map frames, type annotations.
 *
 * Inserted code is straight-line (snippet.h): it has no branches of its own, and leaves the stack and the
 * program's own local variables as it found them. It may use fresh local variables.
 *
 * Around an original instruction the new code looks like this:
 *
 *        AFTER of the one before, FALLTHROUGH   <- not run by branches to the instruction
 *     label:                                    <- where branches to the instruction land
 *        BEFORE
 *        exit code of wraps, if it is a return
 *        the instruction, or what replaces it
 *     end:                                      <- where exception ranges start or end
 *        AFTER                                  <- not run when the instruction throws
 *
 * An exception range that starts behind an instruction starts at its `end`; so code put AFTER a
 * monitorenter is covered by the handler that releases the monitor, and code put AFTER a monitorexit is
 * not. The JIT compilers insist on that: a method in which something can throw while it holds a monitor that
 * no handler releases stays interpreted. javac covers all of a locked region; other compilers (Kotlin's,
 * Clojure's, javac before 1.4) leave out instructions that cannot throw, like the load in front of a
 * monitorexit. Calls inserted there are right, but cost such a method its compilation.
 *
 * The order of wraps: the first one added is the outermost. The method's entry is
 *     entry of wrap 0, entry of wrap 1, ..., code added by canon_editor_insert_entry, the body.
 *
 * Errors: CANON_E_LIMIT when the result would not fit the format (65535 bytes of code, constants, ...),
 * CANON_E_FORMAT for malformed classes, CANON_E_UNSUPPORTED for methods that cannot be edited that way,
 * CANON_E_INVALID for a pc that is not the start of an instruction and the like. After an error the editor
 * can only be closed.
 */
#ifndef CANON_CLASSFILE_EDITOR_H
#define CANON_CLASSFILE_EDITOR_H

#include "classfile/class.h"
#include "classfile/snippet.h"

struct canon_editor;

/* The class must stay open as long as the editor. */
int canon_editor_open(struct canon_editor **editor, const struct canon_class *cls);
void canon_editor_close(struct canon_editor *editor);

/* Writes the class: 1 and a malloc'd buffer, 0 when nothing was edited (then there is no buffer: use the
 * class as it was), or an error. */
int canon_editor_finish(struct canon_editor *editor, uint8_t **data, size_t *length);

/* With this, a method that would become too big (CANON_E_LIMIT) is left as it was instead of failing
 * the class; canon_editor_left_alone counts them. */
void canon_editor_leave_too_big(struct canon_editor *editor);
uint32_t canon_editor_left_alone(const struct canon_editor *editor);
/* After a failed canon_editor_finish: the method it failed in, or NULL. */
const struct canon_member *canon_editor_failed_method(const struct canon_editor *editor);

/* Constants: the index of an equal one that was added before, or of a new one; or an error. */
int canon_editor_utf8(struct canon_editor *editor, struct canon_utf8 text);
int canon_editor_class(struct canon_editor *editor, struct canon_utf8 name);
int canon_editor_string(struct canon_editor *editor, struct canon_utf8 text);
int canon_editor_int(struct canon_editor *editor, int32_t value);
int canon_editor_long(struct canon_editor *editor, int64_t value);
int canon_editor_name_and_type(struct canon_editor *editor, struct canon_utf8 name,
                               struct canon_utf8 descriptor);
/* `tag` is CANON_CONSTANT_FIELDREF, _METHODREF or _INTERFACE_METHODREF. */
int canon_editor_ref(struct canon_editor *editor, uint8_t tag, struct canon_utf8 owner,
                     struct canon_utf8 name, struct canon_utf8 descriptor);
/* A static method to call from snippets. Make it once a class, it takes five lookups. */
int canon_editor_call(struct canon_editor *editor, const char *owner, const char *name,
                      const char *descriptor, struct canon_call *call);

/* Members. */
int canon_editor_add_field(struct canon_editor *editor, uint16_t access, const char *name,
                           const char *descriptor);
/* `code` must end in a return; `locals` counts the parameters' slots too. */
int canon_editor_add_method(struct canon_editor *editor, uint16_t access, const char *name,
                            const char *descriptor, const struct canon_snippet *code, uint16_t locals);
int canon_editor_change_access(struct canon_editor *editor, uint16_t method, uint16_t clear, uint16_t set);

/* Code. `method` is a position in the class's methods, `pc` an instruction of the original code. */
enum canon_place { CANON_PLACE_BEFORE, CANON_PLACE_FALLTHROUGH, CANON_PLACE_AFTER };

/* Several at one place stay in the order in which they were added. Nothing can be put AFTER an
 * instruction that never continues with the next one. */
int canon_editor_insert(struct canon_editor *editor, uint16_t method, uint32_t pc, enum canon_place place,
                        const struct canon_snippet *snippet);
int canon_editor_replace(struct canon_editor *editor, uint16_t method, uint32_t pc,
                         const struct canon_snippet *snippet);
/* Replaces an invoke by a call of a static method with the same stack effect: a receiver becomes the
 * first parameter. */
int canon_editor_redirect(struct canon_editor *editor, uint16_t method, uint32_t pc,
                          const struct canon_call *call);
/* The same for a method handle constant (what `Owner::name` is in lambdas): it becomes a handle of the static
 * method. Handles of fields, constructors and super methods are CANON_E_UNSUPPORTED. */
int canon_editor_redirect_handle(struct canon_editor *editor, uint32_t index, const struct canon_call *call);
int canon_editor_insert_entry(struct canon_editor *editor, uint16_t method,
                              const struct canon_snippet *snippet);
int canon_editor_insert_before_returns(struct canon_editor *editor, uint16_t method,
                                       const struct canon_snippet *snippet);

/* A local variable of the inserted code; `type` as in a descriptor: I J F D, or L for any reference
 * (java/lang/Object). Returns its number.
 *
 * A kept one holds its value through the whole body, and so appears in every stack map frame: it must be
 * set by the entry code of the wrap that is added next, or by canon_editor_insert_entry when no wrap
 * follows. One that is not kept is only good within one snippet. */
int canon_editor_fresh_local(struct canon_editor *editor, uint16_t method, char type, bool kept);

/* entry; try { body } finally { exit }: `exit` runs before each return and when an exception leaves the
 * body, which is then thrown on. Neither is covered by handlers of the body, nor `entry` by the
 * finally. Not for constructors. */
int canon_editor_wrap(struct canon_editor *editor, uint16_t method, const struct canon_snippet *entry,
                      const struct canon_snippet *exit);

/* The same with `entered`, which runs first of all in the try; and with `caught`, which gets the exception on
 * the stack once `exit` has run, and must end in a return: it may throw the exception on by a helper. */
int canon_editor_wrap_catching(struct canon_editor *editor, uint16_t method,
                               const struct canon_snippet *entry, const struct canon_snippet *entered,
                               const struct canon_snippet *exit, const struct canon_snippet *caught);

/* Turns a synchronized method into one that locks by itself, with code around each step; NULL for none.
 * `lock` is a kept fresh local of type L, to be added right before: the lock object is stored there
 * first of all, so all four may load it. If `before_exit` throws, the monitor is still released.
 *
 * `identity`, when there is one, is a method (Object)Object that returns its argument; the lock object goes
 * through it. Then a synchronized(this) inside the body stays something else to the JIT compilers, which
 * refuse methods that lock what they already hold. */
struct canon_monitor_code {
    const struct canon_call *identity;
    const struct canon_snippet *before_enter;
    const struct canon_snippet *after_enter;
    const struct canon_snippet *before_exit;
    const struct canon_snippet *after_exit;
};
int canon_editor_wrap_synchronized(struct canon_editor *editor, uint16_t method, uint16_t lock,
                                   const struct canon_monitor_code *around);

#endif
