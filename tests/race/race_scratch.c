/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a test is gone with it: after its end, after exit, after SIGKILL. */
#include <stdbool.h>
#include <sys/stat.h>

#include "scratch.h"

enum end { RETURNS, EXITS, IS_KILLED };

/* The test whose folder it is: makes it, puts something into it, and ends. */
static void be_a_test(enum end end, int tell)
{
    struct scratch scratch;
    char inner[300];
    if (!scratch_make(&scratch)) {
        _exit(1);
    }
    snprintf(inner, sizeof inner, "%s/inner", scratch.path);
    mkdir(inner, 0700);
    if (write(tell, scratch.path, sizeof scratch.path) != sizeof scratch.path) {
        _exit(1);
    }
    if (end == IS_KILLED) {
        kill(getpid(), SIGKILL);
    } else if (end == RETURNS) {
        scratch_remove(&scratch);
    }
    _exit(0);
}

static bool is_gone_soon(const char *path)
{
    for (int i = 0; i < 500; i++) {
        if (access(path, F_OK) < 0) {
            return true;
        }
        usleep(10000);
    }
    return false;
}

int main(void)
{
    for (enum end end = RETURNS; end <= IS_KILLED; end++) {
        int ends[2];
        char path[sizeof((struct scratch *)NULL)->path];
        if (pipe(ends) < 0) {
            return 1;
        }
        pid_t test = fork();
        if (test == 0) {
            be_a_test(end, ends[1]);
        }
        close(ends[1]);
        bool told = read(ends[0], path, sizeof path) == sizeof path;
        close(ends[0]);
        waitpid(test, NULL, 0);
        if (!told || !is_gone_soon(path)) {
            fprintf(stderr, "end %d: %s is still there\n", (int)end, told ? path : "nothing");
            return 1;
        }
    }
    return 0;
}
