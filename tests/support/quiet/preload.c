/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a program as it is (LD_PRELOAD): the thread called QUIET_THREAD sleeps QUIET_AFTER
 * times, then its next QUIET_CYCLES sleeps are what is counted; only sleeping is allowed between.
 * The process then ends: 0 when nothing was counted, 1 otherwise, 77 where it cannot be counted.
 * With QUIET_SPOIL set it allocates, locks and enters the kernel once itself: that must be found.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "quiet.h"

/* Past _exit of the program, which takes its call during a run for a fault. */
static _Noreturn void leave(int code)
{
    for (;;) {
        syscall(SYS_exit_group, code);
    }
}

#ifdef QUIET_SANITIZED

static __attribute__((constructor)) void skip(void)
{
    printf("skipped: a sanitizer has its own malloc\n");
    fflush(stdout);
    leave(QUIET_SKIPPED);
}

#else

static const char *thread_name;
static long after, cycles;
static bool spoil;
static atomic_int outcome; /* 1: counted; negative: errno of what was refused */

static __attribute__((constructor)) void prepare(void)
{
    const char *after_text = getenv("QUIET_AFTER"), *cycles_text = getenv("QUIET_CYCLES");
    thread_name = getenv("QUIET_THREAD");
    spoil = getenv("QUIET_SPOIL") != NULL;
    after = after_text ? atol(after_text) : 0;
    cycles = cycles_text ? atol(cycles_text) : 1000;
}

/* The counted thread may not even print: this one does. */
static void *wait_and_report(void *argument)
{
    (void)argument;
    int now;
    while ((now = atomic_load(&outcome)) == 0) {
        usleep(1000);
    }
    if (now < 0) {
        printf("skipped: system calls cannot be trapped here: %s\n", strerror(-now));
    } else {
        printf("%ld cycles of %s: ", cycles, thread_name);
        now = quiet_report() > 0;
    }
    fflush(stdout);
    leave(now < 0 ? QUIET_SKIPPED : now);
}

static void begin(void)
{
    pthread_t reporter;
    int r = -pthread_create(&reporter, NULL, wait_and_report, NULL);
    r = r < 0 ? r : quiet_trap(SYS_clock_nanosleep);
    quiet_counting = r == 0;
    if (r < 0) {
        atomic_store(&outcome, r);
    }
}

static void make_noise(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    void *volatile memory = malloc(1);
    free(memory);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    (void)getppid();
}

static void watch(void)
{
    static _Thread_local long n;
    char name[16];
    if (n == 0 && (!thread_name || pthread_getname_np(pthread_self(), name, sizeof name) != 0 ||
                   strcmp(name, thread_name) != 0)) {
        return;
    }
    n++;
    if (n == after) {
        begin();
    } else if (n == after + 1 && spoil) {
        make_noise();
    } else if (n == after + cycles && quiet_counting) {
        quiet_counting = false;
        atomic_store(&outcome, 1);
    }
}

/* As the C library's, but seen. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    int r = syscall(SYS_clock_nanosleep, clock, flags, until, left) == 0 ? 0 : errno;
    watch();
    return r;
}

#endif
