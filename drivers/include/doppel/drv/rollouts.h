/* SPDX-License-Identifier: Apache-2.0 */
/* Device class rollouts: what a wheel base would do from now on, and what it would touch, by a
 * simulated world (docs/look-ahead.md). A request has rollouts; each begins where the base is, or
 * beside it, or at a pose of the world, and follows twists over time. The answer comes later. One
 * thread at a time makes the calls (the runtime ensures it). */
#ifndef DOPPEL_DRV_ROLLOUTS_H
#define DOPPEL_DRV_ROLLOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_ROLLOUTS_CLASS      "rollouts"
#define DPL_ROLLOUTS_MAX        32
#define DPL_ROLLOUTS_TWISTS_MAX 256 /* of a request */
#define DPL_ROLLOUTS_POSES_MAX  64  /* of a rollout */
#define DPL_ROLLOUTS_NAME_SIZE  64

extern const struct dpl_device_class dpl_rollouts_class;

enum dpl_rollouts_start {
    DPL_ROLLOUTS_HERE,   /* where the world has the base */
    DPL_ROLLOUTS_OFFSET, /* at `pose` in the frame of the base as it is */
    DPL_ROLLOUTS_AT,     /* at `pose` in the world's frame */
};

struct dpl_rollouts_want {
    double duration_s; /* above 0 */
    enum dpl_rollouts_start start;
    struct dpl_pose2 pose;
    double scale_left, scale_right; /* of the wheels' speeds; 1: as commanded */
};

/* The base is commanded so from `at_s` after the beginning on. */
struct dpl_rollouts_twist {
    double at_s;
    uint32_t rollout;
    struct dpl_twist2 twist;
};

struct dpl_rollouts_request {
    int64_t n;
    double sample_s;                         /* between poses of the answer */
    const struct dpl_rollouts_want *wants;   /* [n]; a rollout ends with its first contact */
    const struct dpl_rollouts_twist *twists; /* [n_twists], of a rollout in the order of time */
    size_t n_twists;
};

struct dpl_rollouts_outcome {
    bool valid;       /* false: something stands where it was to begin; the rest is empty */
    bool touched;     /* a contact that did not exist at the beginning */
    double touched_s; /* after the beginning */
    double x, y, z;   /* of the contact, m, in the world's frame */
    char object[DPL_ROLLOUTS_NAME_SIZE]; /* "": it has no name */
    double clearance_m; /* least distance from what stands, at most 2 m; NAN: not known */
    size_t n_poses;
    struct dpl_pose2
        poses[DPL_ROLLOUTS_POSES_MAX];     /* in the world's frame; the first is the start */
    double pose_s[DPL_ROLLOUTS_POSES_MAX]; /* after the beginning */
};

struct dpl_rollouts_answer {
    uint64_t number; /* of the request, from 1 on */
    dpl_ns stamp;    /* of the state that the rollouts began with, on the run's clock */
    double took_s;   /* real time of the rollouts; 0 on the simulated clock */
    int64_t n;
    struct dpl_rollouts_outcome outcomes[DPL_ROLLOUTS_MAX];
};

enum dpl_rollouts_state {
    DPL_ROLLOUTS_WAITS,  /* the world has not started */
    DPL_ROLLOUTS_WORKS,  /* requests are answered */
    DPL_ROLLOUTS_SILENT, /* a request is not being worked on; it may come back */
    DPL_ROLLOUTS_DEAD,   /* until the end of the run */
};

struct dpl_rollouts_status {
    int64_t state; /* enum dpl_rollouts_state */
};

enum dpl_rollouts_call {
    DPL_DRV_ROLLOUTS_ASK,
    DPL_DRV_ROLLOUTS_ANSWER,
    DPL_DRV_ROLLOUTS_STATUS,
    DPL_DRV_ROLLOUTS_N_CALLS,
};

/* 0; -EBUSY: the request before is not over; -EAGAIN: the world has not started; -EINVAL: a number
 * makes no sense, or there are too many; -ENODEV: nobody answers. Never blocks. */
static inline int dpl_rollouts_ask(struct dpl_device *d, const struct dpl_rollouts_request *request)
{
    return dpl_device_call(d, DPL_DRV_ROLLOUTS_ASK, request, NULL);
}

/* The answer to the newest request, borrowed until the next call of ask or answer. 0;
 * -EINPROGRESS: not yet; -EAGAIN: nothing was asked; -ENODEV: nobody answers. On the simulated
 * clock an answer that is due is waited for; else it never blocks. */
static inline int dpl_rollouts_answer(struct dpl_device *d,
                                      const struct dpl_rollouts_answer **ret_answer)
{
    return dpl_device_call(d, DPL_DRV_ROLLOUTS_ANSWER, NULL, ret_answer);
}

static inline int dpl_rollouts_status(struct dpl_device *d, struct dpl_rollouts_status *ret_status)
{
    return dpl_device_call(d, DPL_DRV_ROLLOUTS_STATUS, NULL, ret_status);
}

#ifdef __cplusplus
}
#endif

#endif
