/* archive.c: see archive.h. */
#include "launch/archive.h"

#include "launch/protocol.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

uint64_t canon_archive_add_place(uint64_t digest, const char *place)
{
    return XXH3_64bits_withSeed(place, strlen(place), digest);
}

const char *canon_archive_directory(void)
{
    static char path[PATH_MAX];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        snprintf(path, sizeof path, "%s/canon", cache);
    else if (home && home[0] == '/')
        snprintf(path, sizeof path, "%s/.cache/canon", home);
    else
        return NULL;
    return path;
}

/* Adds which file this is to a digest; false if there is none. */
static bool add_file(XXH3_state_t *digest, const char *path)
{
    char resolved[PATH_MAX];
    struct stat about;
    if (!realpath(path, resolved) || stat(resolved, &about))
        return false;
    int64_t facts[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    XXH3_64bits_update(digest, resolved, strlen(resolved) + 1);
    XXH3_64bits_update(digest, facts, sizeof facts);
    return true;
}

bool canon_archive_name(const char *vm_library, const char *home, const struct canon_archive_rules *rules,
                        char *name, size_t size)
{
    char modules[PATH_MAX + 32], agent[PATH_MAX + 32];
    snprintf(agent, sizeof agent, "%s/%s", home, CANON_LIB_JVM); /* it has the rules and the helper classes */
    snprintf(modules, sizeof modules, "%s", vm_library);
    for (int i = 0; i < 2; i++) { /* lib/server/libjvm.so */
        char *slash = strrchr(modules, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    strcat(modules, "/modules");
    XXH3_state_t *digest = XXH3_createState();
    if (!digest || XXH3_64bits_reset(digest))
        return false;
    bool known = add_file(digest, vm_library) && add_file(digest, modules) && add_file(digest, agent);
    XXH3_64bits_update(digest, rules->order, strlen(rules->order) + 1);
    XXH3_64bits_update(digest, &rules->places, sizeof rules->places);
    snprintf(name, size, "%s-%016llx.jsa", rules->role, (unsigned long long)XXH3_64bits_digest(digest));
    XXH3_freeState(digest);
    return known;
}

static bool is_own(const char *path, mode_t kind)
{
    struct stat about;
    return lstat(path, &about) == 0 && (about.st_mode & S_IFMT) == kind && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
}

bool canon_archive_usable(const char *directory, const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    return length > 0 && (size_t)length < sizeof path && is_own(directory, S_IFDIR) && is_own(path, S_IFREG);
}
