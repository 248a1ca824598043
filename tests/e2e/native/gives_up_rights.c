/* A server that begins as root: its process becomes another user's, and starts threads then. args:
 * in/data.txt */
#include "trail.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long seen;

static void *work(void *number)
{
    for (int i = 0; i < 500; i++) {
        pthread_mutex_lock(&mutex);
        seen = trail_add(seen, (unsigned long)number);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int file = open(argv[argc - 1], O_RDONLY), status = 0;
    if (fork() == 0) {
        if (getuid() == 0 && (setgid(65534) || setuid(65534)))
            return 1;
        if (read(file, line, sizeof line - 1) <= 0)
            return 2;
        crew_run(work);
        printf("user %s, %s%lx\n", getuid() == 0 ? "root" : "another", line, seen);
        return 0;
    }
    wait(&status);
    printf("status %d\n", status);
    return 0;
}
