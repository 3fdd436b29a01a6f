/* SPDX-License-Identifier: Apache-2.0
 *
 * taken PROGRAM WORD...: runs a program, its output dropped, and prints the seconds from its start
 * to its end and the most bytes that were resident. The system counts what a process held before it
 * became another one, so a script's own memory would be the least that it measures.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/timing.h"

/* In the child: only returns by exec or exit. */
static void become(char *const *words) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (int k = STDIN_FILENO; nowhere >= 0 && k <= STDERR_FILENO; k++) dup2(nowhere, k);
    execvp(words[0], words);
    _exit(127);
}

int main(int argc, char **argv) {
    struct rusage used;
    int status = 0;
    if (argc < 2) return 64;
    const double start = bench_seconds();
    const pid_t child = fork();
    if (child == 0) become(argv + 1);
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        fprintf(stderr, "taken: cannot run %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    printf("%.9f %.0f\n", bench_seconds() - start, 1024.0 * (double)used.ru_maxrss);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    fprintf(stderr, "taken: %s ended with %s %d\n", argv[1],
            WIFEXITED(status) ? "exit code" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return 1;
}
