/* A file in memory, private and written to; memory of no file. args: in/data.txt */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    struct stat about;
    int fd = open(argv[argc - 1], O_RDONLY);
    if (fd < 0 || fstat(fd, &about))
        return 1;
    char *file = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (file == MAP_FAILED || memory == MAP_FAILED)
        return 1;
    memcpy(memory, file, (size_t)about.st_size);
    file[0] = '*';
    memory = mremap(memory, 1 << 20, 1 << 26, MREMAP_MAYMOVE);
    printf("%p %p %.*s%.*s", (void *)file, (void *)memory, (int)about.st_size, file, (int)about.st_size,
           memory);
    return munmap(file, (size_t)about.st_size);
}
