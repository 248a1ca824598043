/*
 * launch.c: the preload library that puts canon's agent into a JVM, whoever starts it.
 *
 *   java main() -> JLI_Launch -> ... dlsym("JNI_CreateJavaVM") -> JNI_CreateJavaVM(options)
 *                  ^^^^^^^^^^        ^^^^^                         ^^^^^^^^^^^^^^^^
 *                  here: argument    here: ours is                here: the agent is added; recording
 *                  files are already handed out                   writes down the options, replaying
 *                  expanded                                       puts the recorded ones in their place
 *
 * Options given this way reach the JVM without the "Picked up ..." line that environment variables
 * cause, and without a word of it in the program's environment. Replaying runs the same launcher with
 * the recorded arguments. What C code reads before Java runs may be gone, and is served from the trace or
 * made up: the manifest of `-jar`, whether a source file is there, the jars of `-javaagent`.
 */
#include "base/error.h"
#include "base/log.h"
#include "launch/launch_internal.h"
#include "launch/options.h"
#include "launch/protocol.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef jint (*create_vm_fn)(JavaVM **, void **, void *);
typedef int (*launch_fn)(int argc, char **argv, int jargc, const char **jargv, int appclassc,
                         const char **appclassv, const char *fullversion, const char *dotversion,
                         const char *pname, const char *lname, jboolean javaargs, jboolean cpwildcard,
                         jboolean javaw, jint ergo);
typedef void *(*dlsym_fn)(void *, const char *);

EXPORT jint JNI_CreateJavaVM(JavaVM **vm, void **env, void *args);

EXPORT void canon_launch_interpose_image(const struct canon_image_calls *ours,
                                         struct canon_image_calls *replaced);
EXPORT void canon_launch_interpose_symbols(const struct canon_symbol_calls *ours);

static create_vm_fn real_create_vm;
static struct canon_image_calls image; /* libjimage's, or the agent's once it stands in */
static int launcher_argc;              /* as JLI_Launch got them */
static char **launcher_argv;

struct canon_launch canon_launch;

static void *real(const char *name)
{
    void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.34");
    return function ? function : dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
}

static bool mode_is(const char *mode)
{
    const char *value = getenv(CANON_ENV_MODE);
    return value && strcmp(value, mode) == 0;
}

static _Noreturn void give_up(const char *what, const char *why)
{
    canon_say("%s: %s", what, why);
    _exit(CANON_EXIT_FAILURE);
}

static void load_recorded(void)
{
    char problem[512];
    snprintf(canon_launch.part, sizeof canon_launch.part, "%s", getenv(CANON_ENV_TRACE));
    if (canon_launch.recorded.count == 0 &&
        canon_process_load(getenv(CANON_ENV_TRACE), &canon_launch.recorded, problem, sizeof problem))
        give_up("cannot replay", problem);
}

/* ---- the launcher ------------------------------------------------------------------------------ */

EXPORT int JLI_Launch(int argc, char **argv, int jargc, const char **jargv, int appclassc,
                      const char **appclassv, const char *fullversion, const char *dotversion,
                      const char *pname, const char *lname, jboolean javaargs, jboolean cpwildcard,
                      jboolean javaw, jint ergo);

int JLI_Launch(int argc, char **argv, int jargc, const char **jargv, int appclassc, const char **appclassv,
               const char *fullversion, const char *dotversion, const char *pname, const char *lname,
               jboolean javaargs, jboolean cpwildcard, jboolean javaw, jint ergo)
{
    if (mode_is("replay")) {
        load_recorded();
        argv = canon_process_list(&canon_launch.recorded, CANON_PROCESS_ARGUMENTS, &argc);
    }
    canon_launch.in_launcher = getenv(CANON_ENV_MODE) != NULL;
    canon_launch.recording = mode_is("record");
    launcher_argc = argc;
    launcher_argv = calloc((size_t)argc + 1, sizeof *launcher_argv);
    for (int i = 0; launcher_argv && i < argc; i++) /* libjli takes its argv apart */
        launcher_argv[i] = strdup(argv[i]);
    launch_fn launch = (launch_fn)dlsym(RTLD_NEXT, "JLI_Launch");
    return launch(argc, argv, jargc, jargv, appclassc, appclassv, fullversion, dotversion, pname, lname,
                  javaargs, cpwildcard, javaw, ergo);
}

/* The JVM asks for libjimage's functions before it loads the agent: it gets these two. */
static int64_t image_find(void *file, const char *module, const char *version, const char *name,
                          int64_t *size)
{
    return image.find(file, module, version, name, size);
}

static int64_t image_get(void *file, int64_t place, char *buffer, int64_t size)
{
    return image.get(file, place, buffer, size);
}

/* Who is to stand in, as soon as the JVM has asked. */
static struct {
    const struct canon_image_calls *ours;
    struct canon_image_calls *replaced;
} wanted;

static void interpose_image(void)
{
    if (!wanted.ours || !image.find || !image.get)
        return;
    *wanted.replaced = image;
    image.find = wanted.ours->find;
    image.get = wanted.ours->get;
    wanted.ours = NULL;
}

void canon_launch_interpose_image(const struct canon_image_calls *ours, struct canon_image_calls *replaced)
{
    wanted.ours = ours;
    wanted.replaced = replaced;
    interpose_image();
}

/* What stands in for a function of the library `handle`, of which `found` is the real one. */
static void *stand_in(void *handle, const char *name, void *found)
{
    void *ours = NULL;
    if (!found || !canon_launch.making_vm)
        return found;
    if (strcmp(name, "JIMAGE_FindResource") == 0) {
        image.find = (int64_t(*)(void *, const char *, const char *, const char *, int64_t *))found;
        ours = (void *)image_find;
    } else if (strcmp(name, "JIMAGE_GetResource") == 0) {
        image.module_of = (const char *(*)(void *, const char *))dlsym(handle, "JIMAGE_PackageToModule");
        image.get = (int64_t(*)(void *, int64_t, char *, int64_t))found;
        ours = (void *)image_get;
    }
    interpose_image();
    return ours ? ours : found;
}

static _Atomic(const struct canon_symbol_calls *) symbol_calls;

void canon_launch_interpose_symbols(const struct canon_symbol_calls *ours)
{
    atomic_store(&symbol_calls, ours);
}

/*
 * dlsym must see its real caller's return address (RTLD_NEXT depends on it), so the call of the real one
 * has to be a jump: nothing may follow it, and the compiler must optimise.
 */
EXPORT __attribute__((optimize("O2"))) void *dlsym(void *handle, const char *name)
{
    static dlsym_fn real_dlsym;
    if (!real_dlsym)
        real_dlsym = (dlsym_fn)real("dlsym");
    if (strcmp(name, "JNI_CreateJavaVM") == 0 && handle != RTLD_NEXT && getenv(CANON_ENV_MODE)) {
        real_create_vm = (create_vm_fn)real_dlsym(handle, name);
        return real_create_vm ? (void *)JNI_CreateJavaVM : NULL;
    }
    if (strncmp(name, "JIMAGE_", 7) == 0)
        return stand_in(handle, name, real_dlsym(handle, name));
    if (strcmp(name, "Agent_OnAttach") == 0)
        canon_launch_agent_comes();
    const struct canon_symbol_calls *calls = atomic_load(&symbol_calls);
    if (calls && strcmp(name, "JNI_OnLoad") == 0) /* which the JVM looks for whenever it loads one */
        calls->loaded(handle);
    if (calls && handle != RTLD_NEXT && calls->follows(__builtin_return_address(0)))
        return calls->found(handle, name, real_dlsym(handle, name));
    return real_dlsym(handle, name);
}

/* ---- the VM ------------------------------------------------------------------------------------ */

/* Gives the environment back its own look. */
static void clean_environment(void)
{
    const char *preload = getenv(CANON_ENV_PRELOAD);
    if (preload && *preload)
        setenv("LD_PRELOAD", preload, 1);
    else
        unsetenv("LD_PRELOAD");
    unsetenv(CANON_ENV_MODE);
    unsetenv(CANON_ENV_TRACE);
    unsetenv(CANON_ENV_HOME);
    unsetenv(CANON_ENV_OPTIONS);
    unsetenv(CANON_ENV_PRELOAD);
    unsetenv(CANON_ENV_ARCHIVES);
}

/* Whether the agent's options say so. */
static bool keeps_order(const char *agent)
{
    return strstr(agent, CANON_OPTION_ORDER CANON_ORDER_EDGES) ||
           strstr(agent, CANON_OPTION_ORDER CANON_ORDER_SERIAL);
}

/* Options that canon needs in both modes; why, is in docs/design.md. */
static const char *const VM_OPTIONS[] = {
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:DisableIntrinsic=_nanoTime,_currentTimeMillis",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:-CheckIntrinsics",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
    "-Xshare:auto",
};
enum { VM_OPTION_COUNT = sizeof VM_OPTIONS / sizeof *VM_OPTIONS };

static const char *vm_library(void)
{
    Dl_info library;
    return dladdr((void *)real_create_vm, &library) ? library.dli_fname : NULL;
}

void *canon_launch_of_vm(const char *name)
{
    static void *handle;
    if (!handle && vm_library())
        handle = dlopen(vm_library(), RTLD_NOW | RTLD_NOLOAD);
    return handle ? dlsym(handle, name) : NULL;
}

/*
 * With the order of threads kept, a virtual thread must not change the thread it runs on: without
 * continuations the JVM gives each one of its own. JVMs before 21 do not know the option, nor virtual
 * threads.
 */
static const char *virtual_threads_option(const char *agent)
{
    return keeps_order(agent) && canon_launch_of_vm("JVM_VirtualThreadStart") ? "-XX:-VMContinuations" : NULL;
}

/* What the JVM has against an archive is nothing that the program should say. */
static void add_archive(JavaVMInitArgs *args, char *archive)
{
    char *option = NULL;
    if (asprintf(&option, "-XX:SharedArchiveFile=%s", archive) < 0)
        give_up("cannot start the JVM", "out of memory");
    args->options[args->nOptions++].optionString = option;
    args->options[args->nOptions++].optionString = (char *)"-Xlog:cds=off";
    if (!canon_launch_of_vm("JVM_NeedsClassInitBarrierForCDS")) /* 24 and later */
        return;
    args->options[args->nOptions++].optionString = (char *)"-Xlog:aot=off";
    /* Threads that do that would take numbers of Java's. */
    args->options[args->nOptions++].optionString = (char *)"-XX:-AOTCacheParallelRelocation";
}

/* The program's options, then canon's: an -XX option given later wins. */
static jint create_vm(JavaVM **vm, void **env, const JavaVMInitArgs *args, const char *agent, char *archive)
{
    JavaVMInitArgs all = *args;
    all.options = calloc((size_t)args->nOptions + VM_OPTION_COUNT + 6, sizeof *all.options);
    if (!all.options)
        give_up("cannot start the JVM", "out of memory");
    all.nOptions = 0;
    for (int i = 0; i < args->nOptions; i++)
        if (canon_option_fate(args->options[i].optionString) != CANON_OPTION_LEFT_OUT)
            all.options[all.nOptions++] = args->options[i];
    for (int i = 0; i < VM_OPTION_COUNT; i++)
        all.options[all.nOptions++].optionString = (char *)VM_OPTIONS[i];
    const char *virtual_threads = virtual_threads_option(agent);
    if (virtual_threads)
        all.options[all.nOptions++].optionString = (char *)virtual_threads;
    if (archive)
        add_archive(&all, archive);
    all.options[all.nOptions++].optionString = (char *)agent;
    clean_environment();
    canon_launch.making_vm = true;
    jint status = real_create_vm(vm, env, &all);
    canon_launch.making_vm = false;
    free(all.options);
    return status;
}

/* Claims the next free part directory of the trace; false if the trace cannot be written. */
static bool make_part(const char *trace, char *part, size_t size)
{
    for (int number = 1; number < 10000; number++) {
        snprintf(part, size, "%s/%d", trace, number);
        if (mkdir(part, 0700) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Keeps the jar of a -javaagent option: C code reads its manifest. */
static void keep_agent_jar(struct canon_process *process, const char *part, const char *option, int number)
{
    char path[PATH_MAX], kept[PATH_MAX + 32], buffer[1 << 16];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(option, "="), option);
    snprintf(kept, sizeof kept, "%s/agent-%d.jar", part, number);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to >= 0) {
        for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;)
            if (write(to, buffer, (size_t)n) != n)
                break;
        close(to);
        canon_process_add(process, CANON_PROCESS_AGENT_JAR, path);
    }
    if (from >= 0)
        close(from);
}

static void record_options(struct canon_process *process, const char *part, const JavaVMInitArgs *args)
{
    int agents = 0;
    for (int i = 0; i < args->nOptions; i++) {
        if (args->options[i].extraInfo) /* hooks (vfprintf, exit) are addresses */
            continue;
        const char *text = args->options[i].optionString;
        canon_process_add(process, CANON_PROCESS_VM_OPTIONS, text);
        if (canon_option_fate(text) == CANON_OPTION_LEFT_OUT)
            canon_process_add(process, CANON_PROCESS_LEFT_OUT, text);
        if (strncmp(text, "-javaagent:", 11) == 0)
            keep_agent_jar(process, part, text + 11, ++agents);
    }
}

/* What the user wants recorded; the same goes for the replay. */
static void record_wanted(struct canon_process *process)
{
    const char *options = getenv(CANON_ENV_OPTIONS);
    char *copy = strdup(options ? options : ""), *rest = NULL;
    for (char *word = copy ? strtok_r(copy, ",", &rest) : NULL; word; word = strtok_r(NULL, ",", &rest))
        if (strncmp(word, CANON_OPTION_NATIVE, strlen(CANON_OPTION_NATIVE)) == 0)
            canon_process_add(process, CANON_PROCESS_NATIVE, word + strlen(CANON_OPTION_NATIVE));
        else if (strncmp(word, CANON_OPTION_RACY, strlen(CANON_OPTION_RACY)) == 0)
            canon_process_add(process, CANON_PROCESS_RACY, word + strlen(CANON_OPTION_RACY));
        else if (strncmp(word, CANON_OPTION_ORDER, strlen(CANON_OPTION_ORDER)) == 0)
            canon_process_add(process, CANON_PROCESS_ORDER, word + strlen(CANON_OPTION_ORDER));
    free(copy);
}

static int record_process(const char *part, const JavaVMInitArgs *args)
{
    struct canon_process process = {0};
    char path[PATH_MAX];
    canon_process_add(&process, CANON_PROCESS_KIND, "java");
    snprintf(path, sizeof path, "%d", (int)getpid());
    canon_process_add(&process, CANON_PROCESS_PID, path);
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    canon_process_add(&process, CANON_PROCESS_EXECUTABLE, path);
    for (int i = 0; i < launcher_argc; i++) {
        canon_process_add(&process, CANON_PROCESS_ARGUMENTS, launcher_argv[i]);
        if (i + 1 < launcher_argc && strcmp(launcher_argv[i], "-jar") == 0 &&
            !canon_process_text(&process, CANON_PROCESS_JAR))
            canon_process_add(&process, CANON_PROCESS_JAR, launcher_argv[i + 1]);
    }
    if (getcwd(path, sizeof path))
        canon_process_add(&process, CANON_PROCESS_DIRECTORY, path);
    if (vm_library())
        canon_process_add(&process, CANON_PROCESS_VM_LIBRARY, vm_library());
    record_options(&process, part, args);
    record_wanted(&process);
    for (size_t i = 0; i < canon_launch.found.count; i++)
        canon_process_add(&process, CANON_PROCESS_FILE, canon_launch.found.entries[i].text);
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "CANON_", 6) != 0 && strncmp(*variable, "LD_PRELOAD=", 11) != 0)
            canon_process_add(&process, CANON_PROCESS_ENVIRONMENT, *variable);
    const char *preload = getenv(CANON_ENV_PRELOAD);
    if (preload && *preload) {
        snprintf(path, sizeof path, "LD_PRELOAD=%s", preload);
        canon_process_add(&process, CANON_PROCESS_ENVIRONMENT, path);
    }
    int status = canon_process_save(part, "process", &process);
    canon_process_free(&process);
    return status;
}

/* Puts the recorded options into `args`, keeping the launcher's hooks. */
static void replay_options(JavaVMInitArgs *args)
{
    int count;
    char **options = canon_process_list(&canon_launch.recorded, CANON_PROCESS_VM_OPTIONS, &count);
    JavaVMOption *all = calloc((size_t)args->nOptions + (size_t)count + 1, sizeof *all);
    if (!all)
        give_up("cannot replay", "out of memory");
    jint n = 0;
    for (int i = 0; i < args->nOptions; i++)
        if (args->options[i].extraInfo)
            all[n++] = args->options[i];
    for (int i = 0; i < count; i++)
        if (canon_option_fate(options[i]) == CANON_OPTION_KEPT)
            all[n++].optionString = options[i];
    const char *heap = canon_process_text(&canon_launch.recorded, CANON_PROCESS_MAX_HEAP);
    if (heap && asprintf(&all[n].optionString, "-XX:MaxHeapSize=%lld", atoll(heap) * 2) > 0)
        n++; /* referents live longer in a replay than the collector let them */
    args->options = all;
    args->nOptions = n;
}

jint JNI_CreateJavaVM(JavaVM **vm, void **env, void *init)
{
    if (!real_create_vm) /* a program that is linked against libjvm */
        real_create_vm = (create_vm_fn)dlsym(RTLD_NEXT, "JNI_CreateJavaVM");
    const char *trace = getenv(CANON_ENV_TRACE), *home = getenv(CANON_ENV_HOME);
    if (!trace || !home)
        return real_create_vm(vm, env, init);
    JavaVMInitArgs args = *(JavaVMInitArgs *)init;
    bool replaying = mode_is("replay");
    bool recorded_at_all = true;
    char part[PATH_MAX];
    canon_launch.in_launcher = false;
    if (mode_is("archive")) {
        canon_launch_make_archive(&args, vm_library());
        canon_launch.making_vm = true;
        _exit(real_create_vm(vm, env, &args) ? CANON_EXIT_FAILURE : 0); /* older JVMs end by themselves */
    }
    if (replaying) {
        load_recorded();
        replay_options(&args);
        snprintf(part, sizeof part, "%s", trace);
    } else {
        const char *problem = NULL;
        if (!make_part(trace, part, sizeof part))
            problem = strerror(errno);
        int status = problem ? 0 : record_process(part, &args);
        if (status)
            problem = canon_error_text(status);
        recorded_at_all = !problem;
        if (problem)
            canon_say("cannot write to %s: %s; this program runs without being recorded", trace, problem);
    }
    if (!recorded_at_all) {
        clean_environment();
        return real_create_vm(vm, env, init);
    }
    const char *options = getenv(CANON_ENV_OPTIONS);
    char *agent = NULL, *archive = canon_launch_archive(&args, vm_library(), replaying);
    if (asprintf(&agent, "-agentpath:%s/%s=%s,%s%s:%s", home, CANON_LIB_JVM, replaying ? "replay" : "record",
                 archive ? CANON_OPTION_ARCHIVED "," : "", options ? options : "", part) < 0)
        give_up("cannot start the JVM", "out of memory");
    return create_vm(vm, env, &args, agent, archive);
}
