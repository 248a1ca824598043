/* A child that computes something, by fork and by a shell. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int ends[2], status;
    char text[64] = "";
    if (pipe(ends))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        int n = snprintf(text, sizeof text, "%d %ld", getpid(), now.tv_nsec);
        if (write(ends[1], text, (size_t)n) != n)
            _exit(1);
        _exit(7);
    }
    if (read(ends[0], text, sizeof text) <= 0 || waitpid(child, &status, 0) != child)
        return 1;
    printf("child %d said %s and ended with %d\n", child, text, WEXITSTATUS(status));
    FILE *shell = popen("date +%N", "r");
    if (!shell || !fgets(text, sizeof text, shell))
        return 1;
    printf("shell: %s", text);
    return pclose(shell);
}
