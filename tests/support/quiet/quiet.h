/* SPDX-License-Identifier: Apache-2.0 */
/* Counts allocations, locks and system calls of one thread. Who links quiet.c gets its malloc and
 * friends and its pthread_mutex_lock; both only count and pass on. */
#ifndef DOPPEL_TESTS_QUIET_H
#define DOPPEL_TESTS_QUIET_H

#include <stdbool.h>

/* A sanitizer has its own malloc: nothing can be counted. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QUIET_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define QUIET_SANITIZED 1
#endif
#endif

/* The exit code of a skipped test. */
#define QUIET_SKIPPED 77

/* Whether allocations and locks of the calling thread count now. */
extern _Thread_local bool quiet_counting;

/* For the calling thread, from here on and for ever: only the return from a signal handler, the end
 * of the process and one more system call (`allowed`) pass; anything else is counted and fails.
 * 0, or a negative errno where seccomp is refused. */
int quiet_trap(unsigned allowed);

/* Prints the counts and returns their sum. */
int quiet_report(void);

#endif
