/* Reads a file in two ways, and a directory. args: in/data.txt
 * exit: 3 */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    char line[256];
    struct stat about;
    FILE *file = fopen(argv[argc - 1], "r");
    if (!file || stat(argv[argc - 1], &about))
        return 1;
    while (fgets(line, sizeof line, file))
        printf("line: %s", line);
    fclose(file);
    printf("%ld bytes, modified at %ld.%09ld\n", (long)about.st_size, (long)about.st_mtim.tv_sec,
           about.st_mtim.tv_nsec);
    DIR *directory = opendir("in");
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        printf("entry: %s %lu\n", entry->d_name, (unsigned long)entry->d_ino);
    fprintf(stderr, "inode %lu\n", (unsigned long)about.st_ino);
    return 3;
}
