/* SPDX-License-Identifier: Apache-2.0 */
/* A timer for streams with a better resolution than the milliseconds of the loop: the kernel's
 * timer, on the same clock as the runtime, without drift. Missed times are skipped. */
#ifndef DOPPEL_RUNTIME_STREAM_STEADY_H
#define DOPPEL_RUNTIME_STREAM_STEADY_H

#include <stdint.h>
#include <uv.h>

struct dpl__steady {
    int fd; /* -1: none */
    void (*fire)(void *user);
    void *user;
    uv_poll_t poll;
};

/* 0, or -errno: then nothing must be closed. */
int dpl__steady_open(struct dpl__steady *steady, uv_loop_t *loop);
/* Fires every `period_us` from now on; 0: stops. */
void dpl__steady_start(struct dpl__steady *steady, uint32_t period_us);
/* Calls `closed` after the loop has released the handle, whose data is `user`. */
void dpl__steady_close(struct dpl__steady *steady, uv_close_cb closed);

#endif
