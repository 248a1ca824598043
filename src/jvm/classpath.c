/* classpath.c: see classpath.h. Places that cannot be read now are passed over. */
#include "jvm/classpath.h"

#include "base/assert.h"
#include "classfile/jar.h"
#include "jvm/agent.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 1 << 24, FIRST_DESCRIPTOR = 900 };

/* Of the class path: a jar or a directory. */
struct place {
    struct canon_jar *jar;
    char *directory;
};

/* Set up once; then only read. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct place *places;
static size_t place_count;

static void add_jar(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR); /* not among the program's */
    if (fd >= 0)
        close(fd);
    struct canon_jar *jar = high < 0 ? NULL : canon_jar_open(high);
    if (jar)
        places[place_count++].jar = jar;
}

static void add_place(const char *path)
{
    struct stat status;
    places = realloc(places, (place_count + 1) * sizeof *places);
    canon_assert(places);
    places[place_count] = (struct place){0};
    if (stat(path, &status))
        return;
    if (S_ISREG(status.st_mode))
        add_jar(path);
    else if (S_ISDIR(status.st_mode) && (places[place_count].directory = strdup(path)))
        place_count++;
}

static void find_places(void)
{
    char *path = NULL, *rest = NULL;
    if ((*canon_agent.jvmti)->GetSystemProperty(canon_agent.jvmti, "java.class.path", &path))
        return;
    for (char *at = strtok_r(path, ":", &rest); at; at = strtok_r(NULL, ":", &rest))
        add_place(at);
    (*canon_agent.jvmti)->Deallocate(canon_agent.jvmti, (unsigned char *)path);
}

static uint8_t *read_file(const char *directory, struct canon_utf8 name, size_t *size)
{
    char *path = NULL;
    struct stat status;
    uint8_t *bytes = NULL;
    if (asprintf(&path, "%s/%.*s.class", directory, (int)name.length, name.text) < 0)
        return NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (fd < 0)
        return NULL;
    if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0 && status.st_size <= FILE_MOST)
        bytes = malloc((size_t)status.st_size);
    if (bytes && read(fd, bytes, (size_t)status.st_size) != status.st_size) {
        free(bytes);
        bytes = NULL;
    }
    close(fd);
    *size = (size_t)status.st_size;
    return bytes;
}

/* The JDK's loaders are asked first: by packages, since jars have other versions of some of its classes. */
static bool may_be_of_jdk(struct canon_utf8 name)
{
    static const char *const STARTS[] = {"java/",    "javax/",   "jdk/",     "sun/",
                                         "com/sun/", "org/w3c/", "org/xml/", "org/ietf/"};
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (name.length > strlen(STARTS[i]) && memcmp(name.text, STARTS[i], strlen(STARTS[i])) == 0)
            return true;
    return false;
}

uint8_t *canon_classpath_read(struct canon_utf8 name, size_t *size)
{
    if (may_be_of_jdk(name))
        return NULL;
    pthread_once(&once, find_places);
    uint8_t *bytes = NULL;
    for (size_t i = 0; i < place_count && !bytes; i++)
        bytes = places[i].jar ? canon_jar_read(places[i].jar, name, size)
                              : read_file(places[i].directory, name, size);
    return bytes;
}
