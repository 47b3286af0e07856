/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether enough files and threads are available: see room.h. */
#include "room.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct dpl_place nowhere;

static int check_files(const char *who, unsigned files, struct dpl_diag *reterr)
{
    int taken[DPL_ROOM_FILES_MAX];
    unsigned n = 0;
    int error = 0;
    while (n < files && error == 0) {
        taken[n] = eventfd(0, EFD_CLOEXEC);
        error = taken[n] < 0 ? errno : 0;
        n += error == 0;
    }
    for (unsigned i = 0; i < n; i++) {
        close(taken[i]);
    }
    if (error == 0) {
        return 0;
    }
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    return dpl_fail(reterr, -EMFILE, nowhere,
                    "%s: %u more files must be open, and there is room for %u: this process may "
                    "have %llu (ulimit -n)",
                    who, files, n, (unsigned long long)limit.rlim_cur);
}

static void *wait_for_all(void *arg)
{
    pthread_mutex_t *gate = arg;
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static int check_threads(const char *who, unsigned threads, struct dpl_diag *reterr)
{
    pthread_t taken[DPL_ROOM_THREADS_MAX];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned n = 0;
    int error = 0;
    pthread_mutex_lock(&gate); /* all of them exist until it is unlocked */
    while (n < threads && error == 0) {
        error = pthread_create(&taken[n], NULL, wait_for_all, &gate);
        n += error == 0;
    }
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < n; i++) {
        pthread_join(taken[i], NULL);
    }
    return error == 0 ? 0
                      : dpl_fail(reterr, -EAGAIN, nowhere,
                                 "%s: %u more threads must run, and there is room for %u: see the "
                                 "limits of memory and processes (ulimit -v, ulimit -u)",
                                 who, threads, n);
}

int dpl_room_check(const char *who, unsigned files, unsigned threads, struct dpl_diag *reterr)
{
    assert(files <= DPL_ROOM_FILES_MAX && threads <= DPL_ROOM_THREADS_MAX);
    int r = check_files(who, files, reterr);
    return r < 0 ? r : check_threads(who, threads, reterr);
}
