/* SPDX-License-Identifier: Apache-2.0 */
/* Device class rollouts: predicts with a simulated world how a wheel base would move from now on,
 * and with which objects it would have contact (docs/guides/look-ahead.md). A request has rollouts.
 * Each begins at the pose of the base, relative to it, or at a pose of the world, and follows
 * twists over time. The answer comes later. One thread at a time makes the calls (the runtime
 * ensures it).
 */
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
#define DPL_ROLLOUTS_POSES_MAX  48  /* of a rollout */
#define DPL_ROLLOUTS_NAME_SIZE  64

extern const struct dpl_device_class dpl_rollouts_class;

enum dpl_rollouts_start {
    DPL_ROLLOUTS_HERE,   /* at the pose of the base in the world */
    DPL_ROLLOUTS_OFFSET, /* at `pose`, in the frame of the base at that instant */
    DPL_ROLLOUTS_AT,     /* at `pose` in the world's frame */
};

struct dpl_rollouts_want {
    double duration_s; /* above 0 */
    enum dpl_rollouts_start start;
    struct dpl_pose2 pose;
    double scale_left, scale_right; /* factors for the wheels' speeds; 1: as commanded */
};

/* The command of the base from the time `at_s` after the beginning. */
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
    bool valid;       /* false: an object is at the start pose; the rest is empty */
    bool touched;     /* there was a new contact */
    double touched_s; /* after the beginning */
    double x, y, z;   /* of the contact, m, in the world's frame */
    char object[DPL_ROLLOUTS_NAME_SIZE]; /* "": it has no name */
    double clearance_m; /* least distance from obstacles, at most 2 m; NAN: not known */
    size_t n_poses;
    struct dpl_pose2
        poses[DPL_ROLLOUTS_POSES_MAX];     /* in the world's frame; the first is the start */
    double pose_s[DPL_ROLLOUTS_POSES_MAX]; /* after the beginning */
};

struct dpl_rollouts_answer {
    uint64_t number; /* of the request, from 1 on */
    dpl_ns stamp;    /* of the state at the start of the rollouts, on the run's clock */
    double took_s;   /* real time of the rollouts; 0 on the simulated clock */
    int64_t n;
    struct dpl_rollouts_outcome outcomes[DPL_ROLLOUTS_MAX];
};

enum dpl_rollouts_state {
    DPL_ROLLOUTS_WAITS,  /* the world has not started */
    DPL_ROLLOUTS_WORKS,  /* requests are answered */
    DPL_ROLLOUTS_SILENT, /* there is no progress with a request; it may recover */
    DPL_ROLLOUTS_DEAD,   /* it does not work again in this run */
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

/* Sends a request. 0; -EBUSY: the last request is not finished; -EAGAIN: the world has not started;
 * -EINVAL: a number is not valid, or there are too many; -ENODEV: the worker is silent or dead.
 * Never blocks. */
static inline int dpl_rollouts_ask(struct dpl_device *d, const struct dpl_rollouts_request *request)
{
    return dpl_device_call(d, DPL_DRV_ROLLOUTS_ASK, request, NULL);
}

/* The answer to the newest request, borrowed until the next call of ask or answer. 0; -EINPROGRESS:
 * not ready; -EAGAIN: there was no request; -ENODEV: the worker is silent or dead. On the simulated
 * clock it waits for an answer that is due; otherwise it never blocks. */
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
