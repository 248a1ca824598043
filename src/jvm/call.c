/*
 * call.c: an intercepted native is called.
 *
 *   record:  inputs -> real native -> step: inputs, result or exception, what it left behind
 *   replay:  inputs -> step: inputs equal? result or exception, what it left behind -> output shown
 *
 * transfer_inputs() and transfer_outcome() are the one description of the step that both use. While a
 * class is being loaded, FILE rows do not take turns in a strand: their inputs make a key, under which the
 * outcome is stored (role/memo.h).
 */
#include "base/assert.h"
#include "jvm/files.h"
#include "jvm/loads.h"
#include "jvm/natives.h"
#include "jvm/order.h"
#include "jvm/serial.h"
#include "jvm/threads.h"
#include "jvm/transfer.h"
#include "order/lane.h"
#include "role/memo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

enum { TEXTS_MAX = 4 };

/* A call in work. */
struct call {
    struct canon_native *native;
    struct canon_frame *frame;
    JNIEnv *env;
    uint64_t result;
    jthrowable thrown;
    uint32_t check;         /* of what goes in */
    char *texts[TEXTS_MAX]; /* readable inputs */
    int text_count;
    int fd;    /* -1: none */
    int error; /* errno, of functions: before, then after it */
};

static bool is_function(const struct call *call)
{
    return call->native->spec.callee == CANON_CALLEE_FUNCTION;
}

/* Runs the real one. */
static void run(struct call *call)
{
    JNIEnv *env = call->env;
    errno = call->error;
    call->result = canon_native_run(call->native, call->frame);
    call->error = errno;
    if (!is_function(call) && (*env)->ExceptionCheck(env)) {
        call->thrown = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
    }
}

/* ---- operands ------------------------------------------------------------------------------------------ */

static uint64_t arg(const struct call *call, const struct canon_operand *operand)
{
    return canon_frame_arg(call->native, call->frame, operand->value);
}

static jobject arg_object(const struct call *call, const struct canon_operand *operand)
{
    return (jobject)(operand->kind == CANON_OPERAND_THIS ? call->frame->integers[1] : arg(call, operand));
}

/* A length or offset; negative results count as nothing. */
static int64_t amount(const struct call *call, const struct canon_operand *operand)
{
    uint64_t bits = operand->kind == CANON_OPERAND_CONST ? (uint64_t)operand->value
                    : operand->kind == CANON_OPERAND_RET ? call->result
                                                         : arg(call, operand);
    char type = operand->kind == CANON_OPERAND_CONST ? 'J'
                : operand->kind == CANON_OPERAND_RET ? call->native->spec.result
                                                     : call->native->spec.args[operand->value - 1].type;
    int64_t value = type == 'J' ? (int64_t)bits : (int32_t)bits;
    return value > 0 ? value * operand->factor : 0;
}

static jfieldID fd_number(JNIEnv *env)
{
    static jfieldID id;
    if (!id)
        id = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/io/FileDescriptor"), "fd", "I");
    return id;
}

/* The java.io.FileDescriptor that an operand names; NULL if there is none. */
static jobject descriptor(const struct call *call, const struct canon_operand *operand)
{
    if (operand->kind != CANON_OPERAND_THIS_FD)
        return arg_object(call, operand);
    struct canon_native *native = call->native;
    JNIEnv *env = call->env;
    if (!native->owner_fd)
        native->owner_fd = (*env)->GetFieldID(env, native->owner, "fd", "Ljava/io/FileDescriptor;");
    canon_assert(native->owner_fd);
    return (*env)->GetObjectField(env, (jobject)call->frame->integers[1], native->owner_fd);
}

static int fd_of(const struct call *call, const struct canon_operand *operand)
{
    if (operand->kind == CANON_OPERAND_ARG && call->native->spec.args[operand->value - 1].type == 'I')
        return (int32_t)arg(call, operand);
    jobject object = descriptor(call, operand);
    return object ? (*call->env)->GetIntField(call->env, object, fd_number(call->env)) : -1;
}

/* ---- what goes in -------------------------------------------------------------------------------------- */

typedef void (*data_fn)(struct call *call, const void *data, size_t size, void *context);

/* Visits the output data that a term names. */
static void visit_data(struct call *call, const struct canon_term *term, data_fn visit, void *context)
{
    JNIEnv *env = call->env;
    const struct canon_operand *operands = term->operands;
    if (term->kind == CANON_TERM_IN) {
        jbyteArray array = arg_object(call, &operands[0]);
        int64_t offset = amount(call, &operands[1]), length = amount(call, &operands[2]);
        if (!array || offset + length > (*env)->GetArrayLength(env, array))
            return;
        char *data = malloc((size_t)length + 1);
        canon_assert(data);
        (*env)->GetByteArrayRegion(env, array, (jsize)offset, (jsize)length, (jbyte *)data);
        visit(call, data, (size_t)length, context);
        free(data);
    } else if (term->kind == CANON_TERM_INMEM) {
        visit(call, (const void *)arg(call, &operands[0]), (size_t)amount(call, &operands[1]), context);
    } else if (term->kind == CANON_TERM_INIOV) {
        const struct iovec *parts = (const struct iovec *)arg(call, &operands[0]);
        for (int64_t i = 0; i < amount(call, &operands[1]); i++)
            visit(call, parts[i].iov_base, parts[i].iov_len, context);
    } else if (term->kind == CANON_TERM_INBYTE) {
        uint8_t byte = (uint8_t)arg(call, &operands[0]);
        visit(call, &byte, 1, context);
    }
}

static void hash_data(struct call *call, const void *data, size_t size, void *context)
{
    (void)call;
    XXH64_hash_t *hash = context;
    *hash = XXH3_64bits_withSeed(data, size, *hash);
}

static void add_text(struct call *call, char *text)
{
    if (call->text_count < TEXTS_MAX)
        call->texts[call->text_count++] = text;
    else
        free(text);
}

static char *bytes_text(JNIEnv *env, jbyteArray array)
{
    jsize length = (*env)->GetArrayLength(env, array);
    char *text = malloc((size_t)length + 1);
    canon_assert(text);
    (*env)->GetByteArrayRegion(env, array, 0, length, (jbyte *)text);
    text[length] = '\0';
    return text;
}

static char *path_text(JNIEnv *env, jobject file)
{
    static jfieldID path;
    if (!path)
        path = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/io/File"), "path", "Ljava/lang/String;");
    jstring string = file ? (*env)->GetObjectField(env, file, path) : NULL;
    return string ? canon_java_text(env, string) : strdup("null");
}

static void collect_texts(struct call *call)
{
    const struct canon_spec *spec = &call->native->spec;
    for (int i = 0; i < spec->arg_count; i++) {
        if (!spec->args[i].is_string)
            continue;
        jstring string = (jstring)canon_frame_arg(call->native, call->frame, i + 1);
        add_text(call, string ? canon_java_text(call->env, string) : strdup("null"));
    }
    for (int i = 0; i < spec->term_count; i++) {
        const struct canon_term *term = &spec->terms[i];
        if (term->kind == CANON_TERM_CSTR) {
            const char *text = (const char *)arg(call, &term->operands[0]);
            add_text(call, strdup(text ? text : "null"));
        } else if (term->kind == CANON_TERM_PATH) {
            add_text(call, path_text(call->env, arg_object(call, &term->operands[0])));
        } else if (term->kind == CANON_TERM_SHOW) {
            jbyteArray array = arg_object(call, &term->operands[0]);
            add_text(call, array ? bytes_text(call->env, array) : strdup("null"));
        }
    }
}

/* What a child writes to our standard output does not pass through here. */
static void note_inherited(struct call *call, const struct canon_operand *operand)
{
    jintArray array = arg_object(call, operand);
    jint fds[3] = {-1, -1, -1};
    if (!array || (*call->env)->GetArrayLength(call->env, array) != 3 ||
        canon_role_now() != CANON_ROLE_RECORDER)
        return;
    (*call->env)->GetIntArrayRegion(call->env, array, 0, 3, fds);
    if (fds[1] == 1 || fds[2] == 2)
        canon_role_note(
            CANON_NOTE_LIMIT,
            "a child process wrote to standard output or error by itself: that is not in the trace");
}

/* Before the real native runs: it may change what it was given. */
static void collect_inputs(struct call *call)
{
    const struct canon_spec *spec = &call->native->spec;
    call->fd = -1;
    collect_texts(call);
    if (!spec->has_inputs)
        return;
    XXH64_hash_t hash = 0;
    for (int i = 0; i < spec->arg_count; i++) {
        if (!spec->args[i].compared)
            continue;
        uint64_t bits = canon_frame_arg(call->native, call->frame, i + 1);
        char type = spec->args[i].type;
        bits = type == 'Z' || type == 'B'   ? (uint8_t)bits
               : type == 'C' || type == 'S' ? (uint16_t)bits
               : type == 'I' || type == 'F' ? (uint32_t)bits
                                            : bits;
        hash_data(call, &bits, sizeof bits, &hash);
    }
    for (int i = 0; i < spec->term_count; i++) {
        const struct canon_term *term = &spec->terms[i];
        if (term->kind == CANON_TERM_INHERITS)
            note_inherited(call, &term->operands[0]);
        if (term->kind == CANON_TERM_FD || term->kind == CANON_TERM_CLOSES) {
            call->fd = fd_of(call, &term->operands[0]);
            uint64_t identity = canon_file_identity(call->fd);
            hash_data(call, &identity, sizeof identity, &hash);
        } else {
            visit_data(call, term, hash_data, &hash);
        }
    }
    call->check = (uint32_t)hash;
}

/* "native("text", ...)" for a report. */
static char *describe_inputs(const struct call *call, char *const *texts, int count, uint32_t check)
{
    struct canon_buffer out = {0};
    canon_buffer_put(&out, call->native->name, strlen(call->native->name));
    for (int i = 0; i < count; i++) {
        canon_buffer_put(&out, i ? ", \"" : " \"", i ? 3 : 2);
        canon_buffer_put(&out, texts[i], strlen(texts[i]));
        canon_buffer_put(&out, "\"", 1);
    }
    if (call->native->spec.has_inputs) {
        char tail[48];
        int n = snprintf(tail, sizeof tail, " [arguments and data: %08x]", check);
        canon_buffer_put(&out, tail, (size_t)n);
    }
    canon_buffer_put(&out, "", 1);
    return (char *)out.data;
}

/* The beginning of output data, made printable. */
static void quote_data(struct call *call, const void *data, size_t size, void *context)
{
    (void)call;
    struct canon_buffer *out = context;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size && out->used < 200; i++) {
        char text[8];
        int n = snprintf(text, sizeof text, bytes[i] >= ' ' && bytes[i] < 0x7f ? "%c" : "\\x%02x", bytes[i]);
        canon_buffer_put(out, text, (size_t)n);
    }
}

char *canon_call_text(void)
{
    struct call *call = canon_thread_self()->call;
    if (!call)
        return NULL;
    struct canon_buffer out = {0};
    for (int i = 0; i < call->text_count; i++) {
        canon_buffer_put(&out, i ? ", " : "", i ? 2 : 0);
        canon_buffer_put(&out, call->texts[i], strlen(call->texts[i]));
    }
    for (int i = 0; i < call->native->spec.term_count; i++)
        visit_data(call, &call->native->spec.terms[i], quote_data, &out);
    canon_buffer_put(&out, "", 1);
    return (char *)out.data;
}

static void transfer_inputs(struct call *call, struct canon_step *step, struct canon_strand *strand)
{
    char *expected[TEXTS_MAX] = {0};
    bool same = true;
    for (int i = 0; i < call->text_count; i++) {
        same &= canon_step_check_text(step, call->texts[i], &expected[i]);
        canon_strand_add_check(strand, (uint32_t)XXH3_64bits(call->texts[i], strlen(call->texts[i])));
    }
    uint32_t recorded = call->check;
    if (call->native->spec.has_inputs) {
        canon_step_raw(step, 'c', &recorded, sizeof recorded);
        same &= recorded == call->check;
        canon_strand_add_check(strand, call->check);
    }
    if (!same && !step->in.failed)
        canon_step_mismatch(strand, describe_inputs(call, expected, call->text_count, recorded),
                            describe_inputs(call, call->texts, call->text_count, call->check));
    for (int i = 0; i < call->text_count; i++)
        free(expected[i]);
}

/* ---- what comes out ------------------------------------------------------------------------------------ */

static void transfer_iov(struct call *call, struct canon_step *step, const struct canon_operand *operands)
{
    const struct iovec *parts = (const struct iovec *)arg(call, &operands[0]);
    const struct canon_operand whole = {CANON_OPERAND_RET, 0, 1};
    int64_t left = amount(call, &whole);
    for (int64_t i = 0; left > 0 && i < amount(call, &operands[1]); i++) {
        size_t n = (int64_t)parts[i].iov_len < left ? parts[i].iov_len : (size_t)left;
        canon_step_bytes(step, parts[i].iov_base, n);
        left -= (int64_t)n;
    }
}

/* The native returned a mapping. PUT: its contents. GET: memory with these contents takes its place. */
static void transfer_mapping(struct call *call, struct canon_step *step, int64_t length)
{
    if (length == 0)
        return;
    if (canon_step_gets(step)) {
        void *memory = mmap(NULL, (size_t)length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        canon_assert(memory != MAP_FAILED);
        canon_step_bytes(step, memory, (size_t)length);
        call->result = (uint64_t)memory;
    } else {
        canon_step_bytes(step, (void *)call->result, (size_t)length);
    }
}

static bool is_fixed(const struct call *call)
{
    return canon_frame_arg(call->native, call->frame, 4) & MAP_FIXED;
}

/*
 * The native returned a mapping of a file, at the wanted address, of which there is not more than is in the
 * file: mmap itself.
 */
static void transfer_file(struct call *call, struct canon_step *step, const struct canon_operand *operands)
{
    int64_t wanted = amount(call, &operands[1]), from = amount(call, &operands[2]), length = 0;
    struct stat file;
    if ((void *)call->result == MAP_FAILED)
        return;
    if (!canon_step_gets(step) && call->fd >= 0 && !fstat(call->fd, &file) && file.st_size > from)
        length = file.st_size - from < wanted ? file.st_size - from : wanted;
    canon_step_int(step, &length);
    if (canon_step_gets(step)) {
        void *place = (void *)arg(call, &operands[0]);
        void *memory = mmap(place, (size_t)wanted, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | (is_fixed(call) ? MAP_FIXED : 0), -1, 0);
        canon_assert(memory != MAP_FAILED);
        call->result = (uint64_t)memory;
        length = length < 0 || length > wanted ? 0 : length;
    }
    canon_step_bytes(step, (void *)call->result, (size_t)length);
}

/* The address of a socket, and its length, which the caller sets to what there is room for. */
static void transfer_address(struct canon_step *step, void *address, socklen_t *length)
{
    char data[sizeof(struct sockaddr_storage)] = {0};
    if (!address || !length)
        return;
    int64_t size = *length < sizeof data ? *length : sizeof data, room = size, whole = *length;
    canon_step_int(step, &whole);
    canon_step_int(step, &size);
    size = size < 0 || size > (int64_t)sizeof data ? 0 : size;
    if (!canon_step_gets(step))
        memcpy(data, address, (size_t)size);
    canon_step_bytes(step, data, (size_t)size);
    if (canon_step_gets(step)) {
        memcpy(address, data, (size_t)(size < room ? size : room));
        *length = (socklen_t)whole;
    }
}

static void transfer_fd(struct call *call, struct canon_step *step, const struct canon_operand *operand)
{
    jobject object = descriptor(call, operand);
    if (!object)
        return;
    JNIEnv *env = call->env;
    static jfieldID append;
    if (!append)
        append = (*env)->GetFieldID(env, (*env)->FindClass(env, "java/io/FileDescriptor"), "append", "Z");
    int64_t number = (*env)->GetIntField(env, object, fd_number(env));
    int64_t appends = (*env)->GetBooleanField(env, object, append);
    canon_step_int(step, &number);
    canon_step_int(step, &appends);
    if (canon_step_gets(step)) {
        (*env)->SetIntField(env, object, fd_number(env), (jint)number);
        (*env)->SetBooleanField(env, object, append, appends != 0);
    }
}

static void transfer_term(struct call *call, struct canon_step *step, const struct canon_term *term)
{
    const struct canon_operand *operands = term->operands;
    JNIEnv *env = call->env;
    int64_t length;
    jobject object;
    switch (term->kind) {
    case CANON_TERM_OUT:
        length = amount(call, &operands[2]);
        if (length > 0)
            canon_transfer_region(step, env, arg_object(call, &operands[0]), (jint)amount(call, &operands[1]),
                                  (jint)length);
        break;
    case CANON_TERM_OUTMEM:
        length = amount(call, &operands[1]);
        if (length > 0 && arg(call, &operands[0]))
            canon_step_bytes(step, (void *)arg(call, &operands[0]), (size_t)length);
        break;
    case CANON_TERM_OUTADDR:
        transfer_address(step, (void *)arg(call, &operands[0]), (socklen_t *)arg(call, &operands[1]));
        break;
    case CANON_TERM_RETARG:
        if (canon_step_gets(step) && call->result)
            call->result = arg(call, &operands[0]);
        break;
    case CANON_TERM_OUTIOV:
        transfer_iov(call, step, operands);
        break;
    case CANON_TERM_RETMAP:
        transfer_mapping(call, step, amount(call, &operands[0]));
        break;
    case CANON_TERM_FILEMAP:
        transfer_file(call, step, operands);
        break;
    case CANON_TERM_OUTFD:
        transfer_fd(call, step, &operands[0]);
        break;
    case CANON_TERM_OUTARRAY:
        if ((object = arg_object(call, &operands[0])))
            canon_transfer_array(step, env, object, call->native->spec.args[operands[0].value - 1].element);
        break;
    case CANON_TERM_OUTELEMS:
        if ((object = arg_object(call, &operands[0])))
            canon_transfer_elements(step, env, object);
        break;
    case CANON_TERM_OUTFIELDS:
        if ((object = arg_object(call, &operands[0])))
            canon_transfer_fields(step, env, object);
        break;
    default: /* inputs */
        break;
    }
}

static void transfer_outcome(struct call *call, struct canon_step *step)
{
    const struct canon_spec *spec = &call->native->spec;
    if (canon_step_gets(step) ? canon_step_peek(step) == 'x' : call->thrown != NULL) {
        canon_transfer_exception(step, call->env, &call->thrown);
        return;
    }
    if (spec->result == 'L' || spec->result == '[') {
        jobject object = (jobject)call->result;
        canon_transfer_object(step, call->env, &object);
        call->result = (uint64_t)object;
    } else if (spec->result != 'V') {
        canon_transfer_primitive(step, spec->result, &call->result);
    }
    if (is_function(call)) {
        int64_t error = call->error;
        canon_step_int(step, &error);
        call->error = (int)error;
    }
    for (int i = 0; i < spec->term_count; i++)
        transfer_term(call, step, &spec->terms[i]);
}

static uint64_t text_hash(const char *text)
{
    return XXH3_64bits(text, strlen(text)) | 1;
}

static bool has_term(const struct call *call, enum canon_term_kind kind)
{
    for (int i = 0; i < call->native->spec.term_count; i++)
        if (call->native->spec.terms[i].kind == kind)
            return true;
    return false;
}

static bool closes(const struct call *call)
{
    return has_term(call, CANON_TERM_CLOSES);
}

static bool opens(const struct call *call)
{
    return !closes(call) && (has_term(call, CANON_TERM_RETFD) || has_term(call, CANON_TERM_OUTFD));
}

/* The number of a descriptor that it has opened; negative: it has not. */
static int opened(const struct call *call)
{
    const struct canon_spec *spec = &call->native->spec;
    for (int i = 0; !call->thrown && i < spec->term_count; i++) {
        if (spec->terms[i].kind == CANON_TERM_RETFD)
            return (int)call->result;
        if (spec->terms[i].kind == CANON_TERM_OUTFD)
            return fd_of(call, &spec->terms[i].operands[0]);
    }
    return -1;
}

/*
 * Keeps track of which descriptor is which file. Recorder: before it is closed, since another thread may get
 * the number right then.
 */
static void forget_descriptor(const struct call *call)
{
    if (closes(call))
        canon_file_opened(call->fd, 0);
}

static void follow_descriptor(const struct call *call)
{
    if (opens(call))
        canon_file_opened(opened(call), call->text_count ? text_hash(call->texts[0]) : 0);
}

static void describe(struct call *call, struct canon_step *step, struct canon_strand *strand)
{
    transfer_inputs(call, step, strand);
    transfer_outcome(call, step);
    follow_descriptor(call);
}

/* ---- while a class is being loaded ------------------------------------------------------------------ */

static bool is_seek(const struct call *call)
{
    return has_term(call, CANON_TERM_SEEK);
}

/* What the call asks, whoever asks it. */
static uint64_t question(const struct call *call)
{
    uint64_t state = call->fd < 0 || is_seek(call) ? 0 : canon_file_state(call->fd);
    uint64_t key = XXH3_64bits_withSeed(&state, sizeof state, call->check);
    for (int i = 0; i < call->text_count; i++)
        key = XXH3_64bits_withSeed(call->texts[i], strlen(call->texts[i]), key);
    return XXH3_64bits_withSeed(call->native->name, strlen(call->native->name), key);
}

static void advance_file(struct call *call, uint64_t key)
{
    bool absolute = is_seek(call);
    if (call->fd >= 0)
        canon_file_step(call->fd, absolute ? call->check : key, absolute);
    follow_descriptor(call);
}

static void record_file_call(struct call *call)
{
    collect_inputs(call);
    uint64_t key = question(call);
    forget_descriptor(call);
    run(call);
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    transfer_outcome(call, &step);
    canon_memo_put(key, call->native->id, &items);
    canon_buffer_free(&items);
    advance_file(call, key);
}

/* A descriptor that was opened while loading has a number of its own: the recorded one may be taken. */
static void renumber(struct call *call)
{
    const struct canon_spec *spec = &call->native->spec;
    for (int i = 0; !call->thrown && i < spec->term_count; i++) {
        const struct canon_term *term = &spec->terms[i];
        if (term->kind == CANON_TERM_RETFD)
            call->result = (uint64_t)canon_file_number();
        else if (term->kind == CANON_TERM_OUTFD && fd_of(call, &term->operands[0]) >= 0)
            (*call->env)
                ->SetIntField(call->env, descriptor(call, &term->operands[0]), fd_number(call->env),
                              canon_file_number());
    }
}

static void replay_file_call(struct call *call, struct canon_thread *thread)
{
    collect_inputs(call);
    thread->call = call;
    uint64_t key = question(call);
    struct canon_step step = {.way = CANON_STEP_GET};
    if (!canon_memo_get(key, &step.in)) {
        if (!canon_load_may_fail(thread->load))
            canon_role_unanswered(thread->strand, call->native->name);
        thread->call = NULL;
        call->thrown = canon_load_failure(call->env, thread->load);
        return;
    }
    transfer_outcome(call, &step);
    if (step.in.failed || canon_reader_left(&step.in))
        canon_role_unanswered(thread->strand, call->native->name);
    thread->call = NULL;
    renumber(call);
    advance_file(call, key);
    forget_descriptor(call);
}

/* ---- record and replay --------------------------------------------------------------------------------- */

/* Another thread ends the process: what is not in the trace must not get out any more. */
static _Noreturn void wait_for_the_end(void)
{
    for (;;)
        pause();
}

/*
 * Others may run while the native does, where one runs at a time: it may take long. But for the clock, and
 * for what the world can see: the order of output is that of turns.
 */
static bool let_others_run(const struct call *call, struct canon_thread *thread)
{
    if (!call->native->spec.has_output && call->native->row->policy != CANON_POLICY_CLOCK)
        return canon_turns_pause(thread, false);
    canon_turns_point(thread);
    return false;
}

/* What tells of other threads comes after all that these have done: they are, or are where it says they are.
 */
static void come_after_all(const struct call *call, const struct canon_thread *thread)
{
    struct canon_lane *lane = canon_agent.edges ? thread->lane : NULL;
    if (!lane || call->native->row->policy != CANON_POLICY_THREADS)
        return;
    canon_lane_begin(lane);
    if (canon_role_now() == CANON_ROLE_RECORDER)
        canon_lane_follow(lane, 0, true);
    canon_lane_done(lane);
}

static void record_call(struct call *call, struct canon_thread *thread)
{
    struct canon_native *native = call->native;
    collect_inputs(call);
    bool paused = let_others_run(call, thread);
    thread->depth++;
    canon_thread_steps(thread);
    if (native->spec.has_output && !canon_step_reserve(thread->strand) && !thread->ends_process)
        wait_for_the_end();
    forget_descriptor(call);
    if (closes(call))
        canon_order_closes(thread, call->fd);
    thread->tells = native->row->policy == CANON_POLICY_THREADS;
    run(call);
    thread->tells = false;
    canon_turns_resume(thread, paused);
    if (opens(call))
        canon_order_opens(thread, opened(call));
    come_after_all(call, thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, native->id);
    if (step) {
        describe(call, step, thread->strand);
        canon_step_end(thread->strand, CANON_EVENT_NATIVE, native->id);
    }
    canon_thread_stepped(thread);
    thread->depth--;
}

struct shown {
    int64_t left;
    bool ended; /* with a whole line */
};

static void show_data(struct call *call, const void *data, size_t size, void *context)
{
    struct shown *shown = context;
    size_t n = (int64_t)size < shown->left ? size : (size_t)shown->left;
    shown->left -= (int64_t)n;
    for (const char *at = data; n;) {
        ssize_t written = write(call->fd, at, n);
        if (written <= 0)
            return; /* nobody listens any more: that is the reader's business */
        at += written;
        n -= (size_t)written;
        shown->ended = at[-1] == '\n';
    }
}

/* The terminal on which canon shows progress, if `fd` is one too. */
static struct canon_watch *shared_terminal(int fd)
{
    struct canon_watch *watch = canon_agent.watch;
    return watch && watch->draws && isatty(fd) ? watch : NULL;
}

/* What the recorded call wrote to standard output or error appears again. */
static void show_output(struct call *call)
{
    const struct canon_spec *spec = &call->native->spec;
    if ((call->fd != 1 && call->fd != 2) || call->thrown || canon_agent.quiet)
        return;
    const struct canon_operand whole = {CANON_OPERAND_RET, 0, 1};
    struct canon_watch *terminal = shared_terminal(call->fd);
    struct shown shown = {INT64_MAX, !terminal || !terminal->inside};
    if (spec->result == 'I' || spec->result == 'J')
        shown.left = amount(call, &whole);
    if (terminal)
        canon_watch_output_begins(terminal);
    for (int i = 0; i < spec->term_count; i++)
        visit_data(call, &spec->terms[i], show_data, &shown);
    if (terminal)
        canon_watch_output_ended(terminal, shown.ended);
}

static void replay_call(struct call *call, struct canon_thread *thread)
{
    struct canon_native *native = call->native;
    collect_inputs(call);
    let_others_run(call, thread);
    thread->depth++;
    thread->call = call;
    canon_thread_steps(thread);
    if (opens(call))
        canon_order_opens(thread, -1);
    come_after_all(call, thread);
    struct canon_step *step = canon_step_begin(thread->strand, CANON_EVENT_NATIVE, native->id);
    if (!step)
        wait_for_the_end();
    if (native->row->policy == CANON_POLICY_RERUN)
        canon_native_run(native, call->frame);
    describe(call, step, thread->strand);
    show_output(call);
    canon_step_end(thread->strand, CANON_EVENT_NATIVE, native->id);
    forget_descriptor(call);
    if (closes(call))
        canon_order_closes(thread, -1);
    thread->call = NULL;
    thread->depth--;
    canon_thread_stepped(thread);
}

static uint64_t follow(struct canon_native *native, JNIEnv *env, struct canon_frame *frame,
                       struct canon_thread *thread, bool replaying)
{
    struct call call = {.native = native, .frame = frame, .env = env, .error = errno};
    bool by_content = native->row->policy == CANON_POLICY_FILE && canon_load_by_content(thread->load);
    if (by_content && replaying)
        replay_file_call(&call, thread);
    else if (by_content)
        record_file_call(&call);
    else if (replaying && canon_load_may_fail(thread->load))
        call.thrown = canon_load_failure(env, thread->load);
    else if (replaying)
        replay_call(&call, thread);
    else
        record_call(&call, thread);
    for (int i = 0; i < call.text_count; i++)
        free(call.texts[i]);
    if (call.thrown)
        (*env)->Throw(env, call.thrown);
    errno = call.error;
    return call.result;
}

uint64_t canon_native_record(struct canon_native *native, JNIEnv *env, struct canon_frame *frame)
{
    struct canon_thread *thread = canon_thread_self();
    bool replaying = canon_role_now() == CANON_ROLE_REPLAYER;
    if (thread->strand && !thread->depth)
        return follow(native, env, frame, thread, replaying);
    /* A thread of the JVM's own may look at the clock; it may not touch what is not there. */
    return replaying && native->row->policy != CANON_POLICY_CLOCK ? 0 : canon_native_run(native, frame);
}

static void note_refused(struct canon_native *native)
{
    if (native->noted)
        return;
    native->noted = true;
    char text[1200];
    snprintf(text, sizeof text, "%s: %s", native->name, native->row->spec);
    canon_role_note(CANON_NOTE_REFUSED, text);
}

/*
 * The environment of the thread that called; NULL if canon has nothing to do with it: a library's own thread,
 * or a native that is recorded as a whole.
 */
static JNIEnv *environment(const struct canon_native *native, const struct canon_frame *frame,
                           const struct canon_thread *thread)
{
    JNIEnv *env = NULL;
    if (native->spec.callee != CANON_CALLEE_FUNCTION)
        return (JNIEnv *)frame->integers[0];
    if (!thread->strand || thread->depth)
        return NULL;
    (*canon_agent.vm)->GetEnv(canon_agent.vm, (void **)&env, JNI_VERSION_1_8);
    return env;
}

/* Library code may have an exception pending, or be called by Java code in a way in which it cannot call
 * back. */
static bool may_settle(JNIEnv *env, const struct canon_thread *thread)
{
    const struct canon_lane *lane = (const struct canon_lane *)thread->block.lane;
    return lane && canon_lane_in_work(lane) && !(*env)->ExceptionCheck(env);
}

uint64_t canon_native_entered(uint32_t number, struct canon_frame *frame)
{
    int error = errno;
    struct canon_native *native = canon_native_at(number);
    enum canon_role_kind role = canon_role_now();
    struct canon_thread *thread = canon_thread_self();
    JNIEnv *env = environment(native, frame, thread);
    errno = error;
    if (role == CANON_ROLE_PASSTHROUGH || !env) {
        if (native->spec.has_output && canon_role_is_over() && thread->strand && !thread->ends_process)
            wait_for_the_end();
        return canon_native_run(native, frame);
    }
    if (native->spec.callee != CANON_CALLEE_FUNCTION || may_settle(env, thread))
        canon_order_settle(env, thread);
    errno = error;
    if (native->special)
        return native->special(native, env, frame);
    switch (native->row->policy) {
    case CANON_POLICY_RECORD:
    case CANON_POLICY_FILE:
    case CANON_POLICY_CLOCK:
    case CANON_POLICY_RERUN:
    case CANON_POLICY_THREADS:
        if (native->row->policy == CANON_POLICY_CLOCK && canon_load_ignores_clock(thread->load))
            return canon_native_run(native, frame);
        return canon_native_record(native, env, frame);
    case CANON_POLICY_QUIET:
        return role == CANON_ROLE_REPLAYER ? 0 : canon_native_run(native, frame);
    case CANON_POLICY_REFUSE:
        note_refused(native);
        break;
    default:
        break;
    }
    return canon_native_run(native, frame);
}
