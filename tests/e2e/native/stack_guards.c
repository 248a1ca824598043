/* What threads are told of the guards of their stacks: a program may end if there is none. args: in/data.txt
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static size_t guard_of(pthread_t thread)
{
    pthread_attr_t attributes;
    size_t guard;
    if (pthread_getattr_np(thread, &attributes) || pthread_attr_getguardsize(&attributes, &guard))
        abort();
    pthread_attr_destroy(&attributes);
    return guard;
}

static void *work(void *expected)
{
    if (guard_of(pthread_self()) != (size_t)expected)
        abort();
    return NULL;
}

/* A guard of this size, or that of the default; on a stack of the program's own there is none. */
static void run(pthread_attr_t *attributes, size_t expected)
{
    pthread_t thread;
    if (pthread_create(&thread, attributes, work, (void *)expected) || guard_of(thread) != expected)
        abort();
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    enum { OWN = 1 << 18 };
    pthread_attr_t attributes;
    char line[100] = "";
    pthread_attr_init(&attributes);
    run(NULL, 4096);
    for (size_t guard = 0; guard <= 20000; guard += 10000) {
        pthread_attr_setguardsize(&attributes, guard);
        run(&attributes, (guard + 4095) / 4096 * 4096);
    }
    pthread_attr_setstack(&attributes, aligned_alloc(4096, OWN), OWN);
    run(&attributes, 0);
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file || !fgets(line, sizeof line, file))
        return 1;
    printf("guards are as they should be: %s", line);
    return 0;
}
