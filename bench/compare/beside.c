/* SPDX-License-Identifier: Apache-2.0
 *
 * Other work on the processors: processes that compute all the time. They end with this program,
 * however it ends.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare/compare.h"

static pid_t busy[COMPARE_MOST_BUSY];
static int count;

static void compute(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned k = 0;; k++) continue;
}

int compare_start_busy(int n) {
    for (; count < n; count++) {
        busy[count] = fork();
        if (busy[count] == 0) compute();
        if (busy[count] < 0) {
            perror("compare: fork");
            compare_stop_busy();
            return -1;
        }
    }
    return 0;
}

void compare_stop_busy(void) {
    for (; count > 0; count--) {
        kill(busy[count - 1], SIGKILL);
        waitpid(busy[count - 1], NULL, 0);
    }
}
