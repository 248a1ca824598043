/* files.c: see files.h. */
#include "jvm/files.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIRST_NUMBER = 1 << 20 }; /* above any real descriptor */

struct file {
    int fd;
    uint64_t path;
    uint64_t state;
};

/* Protects everything below; leaf lock. Few files are open at a time: a list is enough. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files;
static size_t file_count, capacity;
static int next_number = FIRST_NUMBER;

static struct file *find(int fd)
{
    for (size_t i = 0; i < file_count; i++)
        if (files[i].fd == fd)
            return &files[i];
    return NULL;
}

void canon_file_opened(int fd, uint64_t path_hash)
{
    if (fd < 0)
        return;
    pthread_mutex_lock(&lock);
    struct file *file = find(fd);
    if (!path_hash) {
        if (file)
            *file = files[--file_count];
    } else {
        if (!file) {
            if (file_count == capacity) {
                capacity = capacity ? capacity * 2 : 64;
                files = realloc(files, capacity * sizeof *files);
                canon_assert(files);
            }
            file = &files[file_count++];
        }
        *file = (struct file){fd, path_hash, path_hash};
    }
    pthread_mutex_unlock(&lock);
}

uint64_t canon_file_identity(int fd)
{
    pthread_mutex_lock(&lock);
    const struct file *file = find(fd);
    uint64_t identity = file ? file->path : (uint64_t)(uint32_t)fd;
    pthread_mutex_unlock(&lock);
    return identity;
}

uint64_t canon_file_state(int fd)
{
    pthread_mutex_lock(&lock);
    const struct file *file = find(fd);
    uint64_t state = file ? file->state : (uint64_t)(uint32_t)fd;
    pthread_mutex_unlock(&lock);
    return state;
}

void canon_file_step(int fd, uint64_t step_hash, int absolute)
{
    pthread_mutex_lock(&lock);
    struct file *file = find(fd);
    if (file)
        file->state = XXH3_64bits_withSeed(&step_hash, sizeof step_hash, absolute ? file->path : file->state);
    pthread_mutex_unlock(&lock);
}

int canon_file_number(void)
{
    pthread_mutex_lock(&lock);
    int number = next_number++;
    pthread_mutex_unlock(&lock);
    return number;
}
