/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for what the kernel says, not for time to pass.
 */
#pragma once

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether the thread sleeps; one that has ended does. */
static inline bool t_sleeps(const char *thread) {
    char path[300], line[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
    FILE *file = fopen(path, "r");
    if (file == NULL) return true;
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *name_end = strrchr(line, ')'); /* "TID (NAME) STATE ..." */
    return !read || (name_end != NULL && name_end[2] == 'S');
}

/* Until all other threads of this process sleep. */
static inline void t_until_others_sleep(void) {
    const long own = syscall(SYS_gettid);
    for (bool all = false; !all; sched_yield()) {
        DIR *threads = opendir("/proc/self/task");
        if (threads == NULL) abort();
        all = true;
        for (const struct dirent *entry; (entry = readdir(threads)) != NULL;)
            if (entry->d_name[0] != '.' && atol(entry->d_name) != own)
                all = all && t_sleeps(entry->d_name);
        closedir(threads);
    }
}
