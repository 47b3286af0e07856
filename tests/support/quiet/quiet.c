/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what a quiet cycle must not do: see quiet.h. */
#include "quiet.h"

#ifndef QUIET_SANITIZED

#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* ---- counting ---- */

_Thread_local bool quiet_counting;
static atomic_int n_allocations, n_locks, n_system_calls, last_system_call;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static void count(atomic_int *counter)
{
    if (quiet_counting) {
        atomic_fetch_add(counter, 1);
    }
}

void *malloc(size_t size)
{
    count(&n_allocations);
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    count(&n_allocations);
    return __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    count(&n_allocations);
    return __libc_realloc(memory, size);
}

void free(void *memory)
{
    count(&n_allocations);
    __libc_free(memory);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*_Atomic next)(pthread_mutex_t *);
    int (*function)(pthread_mutex_t *) = atomic_load(&next);
    if (!function) {
        *(void **)&function = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        atomic_store(&next, function);
    }
    count(&n_locks);
    return function(mutex);
}

/* ---- trapping system calls ---- */

static void on_system_call(int signal, siginfo_t *info, void *context)
{
    atomic_fetch_add(&n_system_calls, 1);
    atomic_store(&last_system_call, info->si_syscall);
}

int quiet_trap(unsigned allowed)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSYS, &action, NULL) != 0) {
        return -errno;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return -errno;
    }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ? -errno : 0;
}

/* ---- the result ---- */

int quiet_report(void)
{
    int allocations = atomic_load(&n_allocations), locks = atomic_load(&n_locks),
        calls = atomic_load(&n_system_calls);
    printf("%d allocations, %d locks, %d system calls", allocations, locks, calls);
    if (calls > 0) {
        printf(" (the last was number %d)", atomic_load(&last_system_call));
    }
    printf("\n");
    return allocations + locks + calls;
}

#endif
