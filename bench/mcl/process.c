/* SPDX-License-Identifier: Apache-2.0
 *
 * Running a program; see mcl.h.
 */
#define _GNU_SOURCE
#include "mcl/mcl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/timing.h"

/* In the child: only returns by exec or exit. */
static void become(char *const *words) {
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    execvp(words[0], words);
    _exit(127);
}

int mcl_run(mcl_taken *taken, char *const *words) {
    struct rusage used;
    int status = 0;
    const double start = bench_seconds();
    const pid_t child = fork();
    if (child == 0) become(words);
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        fprintf(stderr, "mcl: cannot run %s: %s\n", words[0], strerror(errno));
        return -1;
    }
    taken->seconds = bench_seconds() - start;
    taken->bytes = 1024.0 * (double)used.ru_maxrss;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    fprintf(stderr, "mcl: %s ended with %s %d\n", words[0],
            WIFEXITED(status) ? "exit code" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return -1;
}

bool mcl_is_there(const char *program) {
    char path[4096];
    const char *folders = getenv("PATH");
    if (strchr(program, '/') != NULL) return access(program, X_OK) == 0;
    while (folders != NULL && *folders != '\0') {
        const int length = (int)strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", length, folders, program);
        if (access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}
