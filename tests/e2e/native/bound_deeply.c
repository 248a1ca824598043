/*
 * A library that finds libc's functions before those of anybody who stands in front of them (RTLD_DEEPBIND,
 * as PHP loads its extensions): what it allocates is freed by the program.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    void *library = dlopen("libjansson.so.4", RTLD_NOW | RTLD_DEEPBIND);
    if (!library)
        return 1;
    void *(*integer)(long long) = (void *(*)(long long))dlsym(library, "json_integer");
    char *(*dumps)(const void *, size_t) = (char *(*)(const void *, size_t))dlsym(library, "json_dumps");
    struct timespec now;
    for (int i = 0; i < 100; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        char *text = dumps(integer(now.tv_sec * 1000000000LL + now.tv_nsec), 0x200); /* JSON_ENCODE_ANY */
        puts(text);
        free(text);
    }
    return 0;
}
