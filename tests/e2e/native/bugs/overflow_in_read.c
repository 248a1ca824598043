/* overflow: by the system, for the program */
#include "bug.h"
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    int fd = open("/proc/self/exe", O_RDONLY);
    char *buffer = malloc(64);
    long n = read(fd, buffer, volatile_size(65)); /* guilty */
    printf("%ld\n", n);
    free(buffer);
    return 0;
}
