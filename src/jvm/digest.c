/* digest.c: see digest.h. By name, in the memo: who loads which class when is nobody's order. */
#include "jvm/digest.h"

#include "role/memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char NAME[] = "java/lang/ClassLoader.defineClass"; /* what `canon dump` calls it */
static _Atomic(char *) changed;

/* Whether the boot loader has classes that are not the JDK's: those are not worth the space. */
static bool boot_loader_has_others;

void canon_digest_prepare(const struct canon_process *process)
{
    char *appended = NULL;
    if (!(*canon_agent.jvmti)->GetSystemProperty(canon_agent.jvmti, "jdk.boot.class.path.append", &appended))
        boot_loader_has_others = appended && *appended;
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)appended);
    for (size_t i = 0; i < process->count; i++) /* of patches the JVM tells nothing */
        boot_loader_has_others |= process->entries[i].item == CANON_PROCESS_VM_OPTIONS &&
                                  strncmp(process->entries[i].text, "--patch-module", 14) == 0;
}

/* A hidden class has no name that means anything. */
static bool is_followed(jobject loader, const char *name)
{
    return name && (loader || boot_loader_has_others);
}

/* The first one counts: the others may differ because of it. */
static void remember(const char *name)
{
    char *none = NULL, *copy = strdup(name);
    if (!atomic_compare_exchange_strong(&changed, &none, copy))
        free(copy);
}

void canon_digest_class(jobject loader, const char *name, const unsigned char *data, size_t size)
{
    static _Atomic uint64_t id;
    enum canon_role_kind role = canon_role_now();
    if (role == CANON_ROLE_PASSTHROUGH || !is_followed(loader, name))
        return;
    uint64_t key = XXH3_64bits_withSeed(name, strlen(name), XXH3_64bits(NAME, strlen(NAME)));
    uint32_t checksum = (uint32_t)XXH3_64bits(data, size);
    struct canon_buffer items = {0};
    struct canon_step step = {.way = CANON_STEP_PUT, .out = &items};
    if (role == CANON_ROLE_REPLAYER) {
        step.way = CANON_STEP_GET;
        if (canon_memo_get(key, &step.in) && !canon_step_check(&step, checksum))
            remember(name);
    } else {
        canon_step_check(&step, checksum);
        canon_memo_put(key, canon_role_name_kept(NAME, &id), &items);
    }
    canon_buffer_free(&items);
}

const char *canon_digest_changed(void)
{
    return atomic_load(&changed);
}
