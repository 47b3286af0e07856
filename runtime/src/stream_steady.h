/* SPDX-License-Identifier: Apache-2.0 */
/* A timer for streams that need their instants more exactly than the loop's whole milliseconds:
 * the kernel's, on the same clock as the runtime, without drift. What was missed is skipped. */
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

/* 0, or -errno: then nothing is to be closed. */
int dpl__steady_open(struct dpl__steady *steady, uv_loop_t *loop);
/* Fires every `period_us` from now on; 0: no more. */
void dpl__steady_start(struct dpl__steady *steady, uint32_t period_us);
/* `closed` is called once the loop has let go of the handle, whose data is `user`. */
void dpl__steady_close(struct dpl__steady *steady, uv_close_cb closed);

#endif
