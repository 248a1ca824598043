/*
 * agent.c: the life of the agent inside the JVM.
 *
 *   OnLoad     role is started; natives are redirected as the JVM binds them
 *   VMStart    before any Java code: the helper class is defined; the main strand begins
 *   VMInit     the program is about to start: identity hashes switch over
 *   VMDeath    the strands are closed (recorded) or compared (replayed)
 *
 * Options: MODE,OPTION,...:PART  (see src/launch/launch.c)
 */
#include "jvm/agent.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/log.h"
#include "jvm/define.h"
#include "jvm/digest.h"
#include "jvm/hash.h"
#include "jvm/heap.h"
#include "jvm/helpers.h"
#include "jvm/hooks.h"
#include "jvm/image.h"
#include "jvm/inits.h"
#include "jvm/libraries.h"
#include "jvm/memory.h"
#include "jvm/natives.h"
#include "jvm/order.h"
#include "jvm/races.h"
#include "jvm/racy.h"
#include "jvm/refs.h"
#include "jvm/requests.h"
#include "jvm/serial.h"
#include "jvm/services.h"
#include "jvm/threads.h"
#include "launch/process.h"
#include "launch/protocol.h"
#include "order/clock.h"
#include "order/lane.h"
#include "order/serial.h"
#include "trace/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct canon_agent canon_agent;

/* Canon is in the way of nobody: when it cannot record, the program runs without it. */
static void give_up(const char *what)
{
    canon_say("%s", what);
    if (canon_agent.wanted == CANON_ROLE_REPLAYER)
        _exit(CANON_EXIT_FAILURE);
}

static void add_native(const char *pattern)
{
    static size_t count;
    canon_agent.natives = realloc(canon_agent.natives, (count + 2) * sizeof *canon_agent.natives);
    canon_assert(canon_agent.natives);
    canon_agent.natives[count++] = strdup(pattern);
    canon_agent.natives[count] = NULL;
}

static const char *value_of(const char *word, const char *option)
{
    size_t length = strlen(option);
    return strncmp(word, option, length) == 0 ? word + length : NULL;
}

static void parse_order(const char *order)
{
    canon_agent.loops = strcmp(order, CANON_ORDER_LOOPS) == 0;
    canon_agent.serial = canon_agent.loops || strcmp(order, CANON_ORDER_SERIAL) == 0;
    canon_agent.monitors = strcmp(order, CANON_ORDER_MONITORS) == 0;
    canon_agent.vector = canon_agent.monitors || strcmp(order, CANON_ORDER_COMPARED) == 0;
    canon_agent.ordered = canon_agent.serial || canon_agent.vector || strcmp(order, CANON_ORDER_EDGES) == 0;
    canon_agent.edges = canon_agent.ordered && !canon_agent.serial;
}

void canon_agent_options(char *options)
{
    char *part = strchr(options, ':');
    if (part) {
        *part = '\0';
        canon_agent.part = strdup(part + 1);
    }
    char *rest = NULL;
    const char *value;
    for (char *word = strtok_r(options, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (strcmp(word, "record") == 0)
            canon_agent.wanted = CANON_ROLE_RECORDER;
        else if (strcmp(word, "replay") == 0)
            canon_agent.wanted = CANON_ROLE_REPLAYER;
        else if (strcmp(word, CANON_OPTION_QUIET) == 0)
            canon_agent.quiet = true;
        else if (strcmp(word, CANON_OPTION_HEAP_DIGEST) == 0)
            canon_agent.heap_digest = true;
        else if (strcmp(word, CANON_OPTION_UNENFORCED) == 0)
            canon_agent.unenforced = true;
        else if ((value = value_of(word, CANON_OPTION_ORDER)))
            parse_order(value);
        else if (strcmp(word, CANON_OPTION_UNORDERED) == 0)
            canon_agent.unordered = true;
        else if ((value = value_of(word, CANON_OPTION_NATIVE)))
            add_native(value);
        else if (strcmp(word, CANON_OPTION_ARCHIVED) == 0)
            canon_agent.archived = true;
        else if ((value = value_of(word, CANON_OPTION_RACES))) {
            canon_agent.races = true;
            canon_races_into(value);
        } else if ((value = value_of(word, CANON_OPTION_RACY)))
            canon_racy_add(value);
        else if ((value = value_of(word, CANON_OPTION_WATCH)))
            canon_agent.watch = canon_watch_open(value);
    }
}

static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti;
    if (canon_helpers_define(env))
        give_up("this JVM does not take canon's helper classes");
    if (canon_agent.archived)
        canon_define_prepare();
    canon_thread_is_main();
}

/* What only the running VM knows of itself. */
static void record_vm(JNIEnv *env)
{
    struct canon_process vm = {0};
    char *version = NULL, heap[32];
    if (!(*canon_agent.jvmti)->GetSystemProperty(canon_agent.jvmti, "java.vm.version", &version))
        canon_process_add(&vm, CANON_PROCESS_VM_VERSION, version);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)version);
    jclass runtime = (*env)->FindClass(env, "java/lang/Runtime");
    jmethodID get = (*env)->GetStaticMethodID(env, runtime, "getRuntime", "()Ljava/lang/Runtime;");
    jmethodID max = (*env)->GetMethodID(env, runtime, "maxMemory", "()J");
    canon_thread_self()->depth++;
    snprintf(heap, sizeof heap, "%lld",
             (long long)(*env)->CallLongMethod(env, (*env)->CallStaticObjectMethod(env, runtime, get), max));
    canon_thread_self()->depth--;
    canon_process_add(&vm, CANON_PROCESS_MAX_HEAP, heap);
    size_t places;
    const struct canon_racy *racy = canon_racy_places(&places);
    for (size_t i = 0; canon_agent.ordered && i < places; i++)
        canon_process_add(&vm, CANON_PROCESS_PLACE, racy[i].text);
    canon_process_save(canon_agent.part, "vm", &vm);
    canon_process_free(&vm);
}

/*
 * A replay on another version of the JDK may well diverge: the user should know which is which. (canon itself
 * refuses what has no chance, see cli/cmd_replay.c.)
 */
static void check_vm(const struct canon_process *process)
{
    const char *recorded = canon_process_text(process, CANON_PROCESS_VM_VERSION);
    char *version = NULL;
    (*canon_agent.jvmti)->GetSystemProperty(canon_agent.jvmti, "java.vm.version", &version);
    if (recorded && version && strcmp(recorded, version) != 0) {
        canon_say("recorded with JVM %s, replaying with %s: the replay may diverge", recorded, version);
        canon_agent.recorded_vm = strdup(recorded);
        canon_agent.other_vm = strdup(version);
    }
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)version);
}

/* The places that raced for the canon that recorded; another one may know others. */
static void read_places(const struct canon_process *process)
{
    if (!canon_process_text(process, CANON_PROCESS_PLACE))
        return;
    canon_racy_clear();
    for (size_t i = 0; i < process->count; i++)
        if (process->entries[i].item == CANON_PROCESS_PLACE)
            canon_racy_add(process->entries[i].text);
}

/* What the launch library has written down of this process, or of the recorded one. */
static void read_process(void)
{
    struct canon_process process = {0};
    char problem[512];
    if (canon_agent.part && !canon_process_load(canon_agent.part, &process, problem, sizeof problem)) {
        canon_digest_prepare(&process);
        check_vm(&process); /* in a recording there is nothing to compare with yet */
        read_places(&process);
    }
    canon_process_free(&process);
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    canon_thread_publish(env, thread);
    if (canon_role_now() == CANON_ROLE_RECORDER)
        record_vm(env);
    if (canon_hash_enable(env) || canon_refs_enable(env) ||
        (canon_agent.ordered && canon_order_enable(env)) || (canon_agent.serial && canon_turns_enable(env)) ||
        (canon_agent.races && canon_races_enable(env)) || canon_services_start() || canon_hooks_enable(env))
        give_up("this JVM does not take canon's helper class");
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    canon_thread_ends_process();
}

/*
 * Where the order of threads is kept, each virtual thread has a thread of the system's (launch.c), but the
 * JVM tells of them by events of their own. The headers of JDK 17 know neither these nor what they take.
 */
#define VIRTUAL_THREAD_START ((jvmtiEvent)87)
#define VIRTUAL_THREAD_END ((jvmtiEvent)88)
enum { CAN_SUPPORT_VIRTUAL_THREADS = 44 };
struct callbacks {
    jvmtiEventCallbacks known;
    jvmtiEventThreadStart VirtualThreadStart;
    jvmtiEventThreadEnd VirtualThreadEnd;
};
static_assert(offsetof(struct callbacks, VirtualThreadStart) ==
                  (VIRTUAL_THREAD_START - JVMTI_MIN_EVENT_TYPE_VAL) * sizeof(void *),
              "jvmti.h of newer JDKs");

static int subscribe_virtual(jvmtiEnv *jvmti)
{
    jvmtiCapabilities capabilities = {0};
    ((unsigned char *)&capabilities)[CAN_SUPPORT_VIRTUAL_THREADS / 8] |= 1 << CAN_SUPPORT_VIRTUAL_THREADS % 8;
    return (*jvmti)->AddCapabilities(jvmti, &capabilities) ||
                   (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, VIRTUAL_THREAD_START, NULL) ||
                   (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, VIRTUAL_THREAD_END, NULL)
               ? CANON_E_UNSUPPORTED
               : 0;
}

/* The JVM does not exit for 300 ms while a thread is in native code; so this one counts as blocked. */
static void rest_for_good(void)
{
    jvmtiEnv *jvmti = canon_agent.jvmti;
    jrawMonitorID bed; /* of its own: nobody ever notifies it */
    if ((*jvmti)->CreateRawMonitor(jvmti, "canon: rest", &bed) || (*jvmti)->RawMonitorEnter(jvmti, bed))
        return;
    while (canon_role_now() == CANON_ROLE_REPLAYER)
        (*jvmti)->RawMonitorWait(jvmti, bed, 0);
    (*jvmti)->RawMonitorExit(jvmti, bed);
}

/* The current thread's recording stops here. */
static void resting(void)
{
    struct canon_thread *thread = canon_thread_self();
    canon_turns_rest(thread);
    if (thread->lane)
        atomic_fetch_add(&thread->lane->still, 1);
    if (!thread->service)
        canon_services_resting();
    if (!canon_trace_is_torn(canon_role_trace()))
        rest_for_good();
}

static int subscribe(jvmtiEnv *jvmti)
{
    static const jvmtiEvent EVENTS[] = {
        JVMTI_EVENT_VM_START,      JVMTI_EVENT_VM_INIT,
        JVMTI_EVENT_VM_DEATH,      JVMTI_EVENT_NATIVE_METHOD_BIND,
        JVMTI_EVENT_THREAD_START,  JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, /* last */
    };
    /* With the early hook the JVM would not take the archive: define.h. */
    size_t count = sizeof EVENTS / sizeof *EVENTS - canon_agent.archived;
    jvmtiCapabilities capabilities = {
        .can_generate_native_method_bind_events = 1,
        .can_generate_early_vmstart = 1,
        .can_get_line_numbers = 1,
        .can_get_bytecodes = 1,
        .can_get_constant_pool = 1,
        .can_generate_all_class_hook_events = 1,
        .can_generate_early_class_hook_events = !canon_agent.archived,
    };
    struct callbacks callbacks = {
        .known =
            {
                .VMStart = on_start,
                .VMInit = on_init,
                .VMDeath = on_death,
                .NativeMethodBind = canon_native_bound,
                .ThreadStart = canon_thread_started,
                .ThreadEnd = canon_thread_ended,
                .ClassFileLoadHook = canon_hooks_class,
                .ClassPrepare = canon_hash_class,
            },
        .VirtualThreadStart = canon_thread_started,
        .VirtualThreadEnd = canon_thread_ended,
    };
    bool knows_virtual = canon_agent.version >= 21;
    if ((*jvmti)->AddCapabilities(jvmti, &capabilities) ||
        (*jvmti)->SetEventCallbacks(jvmti, &callbacks.known,
                                    knows_virtual ? sizeof callbacks : sizeof callbacks.known))
        return CANON_E_UNSUPPORTED;
    for (size_t i = 0; i < count; i++)
        if ((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, EVENTS[i], NULL))
            return CANON_E_UNSUPPORTED;
    return canon_agent.ordered && knows_virtual ? subscribe_virtual(jvmti) : 0;
}

static int vm_version(jvmtiEnv *jvmti)
{
    char *text = NULL;
    int version = 0;
    if (!(*jvmti)->GetSystemProperty(jvmti, "java.vm.specification.version", &text))
        version = atoi(text);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)text);
    return version;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    canon_agent.vm = vm;
    canon_racy_add_known();
    canon_agent_options(options);
    if (canon_agent.unenforced)
        return 0;
    if ((*vm)->GetEnv(vm, (void **)&canon_agent.jvmti, JVMTI_VERSION_9) != JNI_OK) {
        give_up("this JVM has no JVMTI");
        return 0;
    }
    canon_agent.version = vm_version(canon_agent.jvmti);
    read_process();
    canon_agent.races &=
        canon_agent.ordered && !canon_agent.serial && canon_agent.wanted == CANON_ROLE_REPLAYER;
    if (canon_agent.races)
        canon_clocks_keep();
    if (canon_hooks_prepare(canon_agent.wanted == CANON_ROLE_REPLAYER))
        give_up("the rules of rewriting are not right");
    if (canon_hash_find())
        give_up("this JVM does not show how it makes identity hash codes");
    char problem[512] = "no trace given";
    bool started = false;
    struct canon_role_config config = {
        .kind = canon_agent.wanted,
        .part = canon_agent.part,
        .diverged = canon_report_divergence,
        .resting = resting,
        .ending = canon_heap_at_end,
        .watch = canon_agent.watch,
    };
    if (canon_agent.ordered && (canon_order_find() || canon_requests_find()))
        give_up("this JVM does not show how it waits");
    if (canon_agent.ordered &&
        (canon_agent.serial ? canon_serial_start : canon_order_start)(!canon_agent.unordered))
        give_up("no memory for the order of threads");
    if (!canon_agent.part || canon_role_start(&config, problem, sizeof problem))
        give_up(problem);
    else if (subscribe(canon_agent.jvmti))
        give_up("this JVM does not offer what canon needs of JVMTI");
    else
        started = true;
    /* From here on classes call the helpers, which only a started role defines. Those of an archive do so
     * anyway, and others must fit them; until VMInit, which canon then does not hear of, the calls do
     * nothing. */
    if (started || canon_agent.archived)
        canon_image_prepare();
    if (started) {
        canon_memory_prepare();
        canon_libraries_prepare();
    }
    if (canon_role_now() == CANON_ROLE_REPLAYER)
        canon_threads_prepare();
    if (canon_agent.ordered && canon_role_now() == CANON_ROLE_REPLAYER)
        canon_inits_load();
    if (canon_agent.ordered && !canon_agent.serial && canon_role_now() == CANON_ROLE_REPLAYER)
        canon_requests_load();
    return 0;
}
