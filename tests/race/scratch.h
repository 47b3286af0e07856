/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for a test, gone with the process however it ends: by return, by a failed check, or by a
 * signal that nobody can catch. A process apart waits for that and removes it. */
#ifndef TESTS_RACE_SCRATCH_H
#define TESTS_RACE_SCRATCH_H

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct scratch {
    char path[256];
    int alive; /* the end of a pipe that only this process holds open */
    pid_t guard;
};

static inline int scratch_remove_one(const char *path, const struct stat *s, int type,
                                     struct FTW *ftw)
{
    (void)s, (void)type, (void)ftw;
    return remove(path);
}

/* In a session of its own: what is sent to the test's group does not reach it. */
static inline void scratch_guard(const char *path, int watched)
{
    char byte;
    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    fclose(stdout);
    while (read(watched, &byte, 1) > 0) {
    }
    nftw(path, scratch_remove_one, 8, FTW_DEPTH | FTW_PHYS);
    _exit(0);
}

/* Before any thread starts. False: there is no folder. */
static inline bool scratch_make(struct scratch *scratch)
{
    int ends[2];
    const char *under = getenv("TMPDIR");
    snprintf(scratch->path, sizeof scratch->path, "%s/doppel-race-XXXXXX", under ? under : "/tmp");
    if (!mkdtemp(scratch->path)) {
        return false;
    }
    if (pipe(ends) < 0 || (scratch->guard = fork()) < 0) {
        rmdir(scratch->path);
        return false;
    }
    if (scratch->guard == 0) {
        close(ends[1]);
        scratch_guard(scratch->path, ends[0]);
    }
    close(ends[0]);
    scratch->alive = ends[1];
    return true;
}

/* Returns when it is gone. */
static inline void scratch_remove(struct scratch *scratch)
{
    close(scratch->alive);
    waitpid(scratch->guard, NULL, 0);
}

#endif
