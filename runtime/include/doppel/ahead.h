/* SPDX-License-Identifier: Apache-2.0 */
/* Looks ahead in a simulated world: computes what the world would do from now on if certain values
 * were put into its channels. A request has rollouts. Each rollout begins at the state of the world
 * at one instant, and may begin with a robot at another place. It puts values into channels by a
 * schedule. Its result is the contacts, the least clearance and samples of chosen channels. A
 * separate process runs the rollouts (docs/guides/look-ahead.md). The world itself does not wait
 * and does not change.
 *
 * Everything has a fixed size. One thread at a time uses a look-ahead. Only opening it allocates.
 * Only dpl_ahead_answer may wait, and only on the simulated clock. */
#ifndef DOPPEL_AHEAD_H
#define DOPPEL_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/geometry.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_AHEAD_ROLLOUTS_MAX 32
#define DPL_AHEAD_PUTS_MAX     512 /* of a request */
#define DPL_AHEAD_CHANNELS_MAX 16  /* to put, and to read */
#define DPL_AHEAD_ELEMENTS_MAX 32  /* numbers of a sample */
#define DPL_AHEAD_SAMPLES_MAX  512 /* of a rollout */
#define DPL_AHEAD_VALUE_MAX    7   /* elements of a value that is put */
#define DPL_AHEAD_NAME_SIZE    64
#define DPL_AHEAD_CLEAR_M      2.0 /* the largest clearance that is told apart, m */
#define DPL_AHEAD_DURATION_MAX (3600 * DPL_S)

/* What all requests of a user have in common. The texts are used only while it is opened. */
struct dpl_ahead_setup {
    const char *robot; /* the robot whose contacts and clearance are reported; NULL or "": none */
    const char *const *puts; /* [n_puts] paths from the world's root, of numbers, integers, flags,
                                vectors and poses */
    size_t n_puts;
    const char *const *reads; /* [n_reads] the same, for reading */
    size_t n_reads;
    dpl_ns delay;           /* simulated clock: time from the copy of the world to the answer */
    struct dpl_place place; /* for errors */
};

enum dpl_ahead_start {
    DPL_AHEAD_HERE,   /* at the pose of the robot */
    DPL_AHEAD_OFFSET, /* at `pose`, in the frame of the robot at that instant */
    DPL_AHEAD_AT,     /* at `pose` in the world's frame */
};

struct dpl_ahead_rollout {
    dpl_ns duration; /* above 0, rounded up to whole steps of the world */
    enum dpl_ahead_start start;
    struct dpl_pose2 pose;
    bool ends_at_contact; /* the rollout ends with the step of the first contact */
};

/* A value for a channel. `at`: time after the beginning of the rollout. */
struct dpl_ahead_put {
    dpl_ns at;
    uint32_t rollout, channel; /* numbers in the request and in the setup */
    double value[DPL_AHEAD_VALUE_MAX];
};

struct dpl_ahead_request {
    dpl_ns sample; /* time between samples, rounded up to whole steps; 0: the end only */
    size_t n_rollouts, n_puts;
    struct dpl_ahead_rollout rollouts[DPL_AHEAD_ROLLOUTS_MAX];
    struct dpl_ahead_put puts[DPL_AHEAD_PUTS_MAX]; /* those of a rollout in the order of time */
};

/* The result of a rollout. */
struct dpl_ahead_outcome {
    int error;  /* 0; -EBUSY: an object is at the robot's start; -EINVAL: the robot cannot be placed
                   there, or the world refuses a value of a put (after each the rest is empty);
                   -ERANGE: the solver has diverged, and the rest is of the time before */
    dpl_ns ran; /* simulated time */
    /* The first new contact with anything except the ground. */
    bool touched;
    dpl_ns touched_at;                /* after the beginning */
    double point[3];                  /* m, in the world's frame */
    char object[DPL_AHEAD_NAME_SIZE]; /* "": it has no name */
    /* Least horizontal distance between the robot's shapes and obstacles at the same height, at the
     * samples and at the end. NAN: the setup names no robot, or the robot has no shapes. */
    double clearance_m;
    size_t n_samples; /* the first is at the beginning */
    dpl_ns last;      /* time of the last sample; the others are whole multiples of `sample` */
};

struct dpl_ahead_result {
    uint64_t number;   /* of the request; the first has 1 */
    dpl_ns stamp;      /* when the world was copied, by the run's clock */
    dpl_ns world_time; /* the same, by the world's time */
    dpl_ns took;       /* the worker's real time; 0 on the simulated clock, so that runs repeat */
    dpl_ns sample;     /* between samples, in whole steps */
    size_t n_rollouts, n_elements;
    struct dpl_ahead_outcome rollouts[DPL_AHEAD_ROLLOUTS_MAX];
    /* The elements of the channels that are read, one after the other; NAN: not known */
    double samples[DPL_AHEAD_ROLLOUTS_MAX][DPL_AHEAD_SAMPLES_MAX][DPL_AHEAD_ELEMENTS_MAX];
};

/* The state of the worker. */
enum dpl_ahead_state {
    DPL_AHEAD_WAITS,  /* the world has not started yet */
    DPL_AHEAD_WORKS,  /* it answers requests */
    DPL_AHEAD_SILENT, /* it has a request and has made no progress for 0.5 s; it may recover */
    DPL_AHEAD_DEAD,   /* it has ended; it does not start again in this run */
};

struct dpl_ahead;

struct dpl_ahead_ops {
    int (*ask)(struct dpl_ahead *, const struct dpl_ahead_request *);
    int (*answer)(struct dpl_ahead *, const struct dpl_ahead_result **ret_result);
    enum dpl_ahead_state (*state)(const struct dpl_ahead *);
};

struct dpl_ahead {
    const struct dpl_ahead_ops *ops;
};

/* Sends a request. It begins at the next boundary between two steps of the world. 0; -EBUSY: the
 * last request is not finished; -EINVAL: a number of the request is not valid; -ENODEV: the worker
 * is silent or dead; -EAGAIN: the world has not started yet. Never blocks. */
static inline int dpl_ahead_ask(struct dpl_ahead *ahead, const struct dpl_ahead_request *request)
{
    return ahead->ops->ask(ahead, request);
}

/* The result of the last request. It is valid until the next request. 0; -EINPROGRESS: the result
 * is not ready; -EAGAIN: there was no request; -ENOSPC: the world is too large for the memory of
 * copies; -ENODEV: the worker is silent or dead. On the simulated clock the call waits for a result
 * that is due. */
static inline int dpl_ahead_answer(struct dpl_ahead *ahead,
                                   const struct dpl_ahead_result **ret_result)
{
    return ahead->ops->answer(ahead, ret_result);
}

static inline enum dpl_ahead_state dpl_ahead_state(const struct dpl_ahead *ahead)
{
    return ahead->ops->state(ahead);
}

/* For messages: "works". */
static inline const char *dpl_ahead_state_name(enum dpl_ahead_state state)
{
    static const char *const names[] = {"waits", "works", "silent", "dead"};
    return (size_t)state < sizeof names / sizeof names[0] ? names[state] : "?";
}

#ifdef __cplusplus
}
#endif

#endif
