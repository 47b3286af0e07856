/* SPDX-License-Identifier: Apache-2.0 */
/* Looking ahead in a simulated world: what it would do from now on if these channels were put. A
 * request has rollouts; each begins at the world's state of one instant, may begin with a robot at
 * another place, puts channels by a schedule, and ends with contacts, the least clearance and
 * samples of chosen channels. A process of its own runs them (docs/look-ahead.md), so the world
 * itself neither waits nor changes.
 *
 * Everything has a fixed size. One thread at a time uses a look-ahead; no call but opening it
 * allocates. Only dpl_ahead_answer may wait, and only on the simulated clock. */
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

/* What all looks of a user have in common. The texts are used by opening only. */
struct dpl_ahead_setup {
    const char *robot;       /* whose contacts and clearance are watched; NULL or "": none */
    const char *const *puts; /* [n_puts] paths from the world's root, of numbers, integers, flags,
                                vectors and poses */
    size_t n_puts;
    const char *const *reads; /* [n_reads] the same, for reading */
    size_t n_reads;
    dpl_ns delay; /* simulated clock: the answer comes so long after the world was copied */
    struct dpl_place place; /* for errors */
};

enum dpl_ahead_start {
    DPL_AHEAD_HERE,   /* where the robot is */
    DPL_AHEAD_OFFSET, /* at `pose` in the frame of the robot as it is */
    DPL_AHEAD_AT,     /* at `pose` in the world's frame */
};

struct dpl_ahead_rollout {
    dpl_ns duration; /* above 0, rounded up to whole steps of the world */
    enum dpl_ahead_start start;
    struct dpl_pose2 pose;
    bool ends_at_contact; /* with the step of the first contact */
};

/* A value for a channel, `at` this time after the beginning of the rollout. */
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

/* What came of a rollout. */
struct dpl_ahead_outcome {
    int error;  /* 0; -EBUSY: something stands where the robot was to begin, -EINVAL: it cannot be
                   put there: the rest is empty; the same for a value that the world does not take,
                   -ERANGE: the solver lost its numbers: the rest is of until then */
    dpl_ns ran; /* simulated time */
    /* The first contact that did not exist at the beginning, but for the ground. */
    bool touched;
    dpl_ns touched_at;                /* after the beginning */
    double point[3];                  /* m, in the world's frame */
    char object[DPL_AHEAD_NAME_SIZE]; /* "": it has no name */
    /* Least distance of the robot's shapes from obstacles that they share a height with, seen from
     * above, at the samples and at the end; NAN: no robot is watched, or it has no shapes. */
    double clearance_m;
    size_t n_samples; /* the first is of the beginning */
    dpl_ns last;      /* time of the last sample; the others are whole multiples of `sample` */
};

struct dpl_ahead_result {
    uint64_t number;   /* 1: of the first request */
    dpl_ns stamp;      /* when the world was copied, on the run's clock */
    dpl_ns world_time; /* the same, of the world */
    dpl_ns took;       /* the worker's real time; 0 on the simulated clock, so that runs repeat */
    dpl_ns sample;     /* between samples, in whole steps */
    size_t n_rollouts, n_elements;
    struct dpl_ahead_outcome rollouts[DPL_AHEAD_ROLLOUTS_MAX];
    /* The elements of the channels that are read, one after the other; NAN: not known */
    double samples[DPL_AHEAD_ROLLOUTS_MAX][DPL_AHEAD_SAMPLES_MAX][DPL_AHEAD_ELEMENTS_MAX];
};

/* How it is with the worker. */
enum dpl_ahead_state {
    DPL_AHEAD_WAITS,  /* the world has not started yet */
    DPL_AHEAD_WORKS,  /* it answers */
    DPL_AHEAD_SILENT, /* it has a request and has not moved for half a second; it may come back */
    DPL_AHEAD_DEAD,   /* it has ended and does not come back in this run */
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

/* Asks for a look from the world's next boundary between steps on. 0; -EBUSY: the one before is not
 * over; -EINVAL: a number of the request makes no sense; -ENODEV: the worker is silent or dead;
 * -EAGAIN: the world has not started yet. Never blocks. */
static inline int dpl_ahead_ask(struct dpl_ahead *ahead, const struct dpl_ahead_request *request)
{
    return ahead->ops->ask(ahead, request);
}

/* The result of the last request, which stays until the next one. 0; -EINPROGRESS: it is not there
 * yet; -EAGAIN: nothing was asked; -ENOSPC: the world had grown beyond the room for copies;
 * -ENODEV: the worker is silent or dead. On the simulated clock an answer that is due is waited
 * for. */
static inline int dpl_ahead_answer(struct dpl_ahead *ahead,
                                   const struct dpl_ahead_result **ret_result)
{
    return ahead->ops->answer(ahead, ret_result);
}

static inline enum dpl_ahead_state dpl_ahead_state(const struct dpl_ahead *ahead)
{
    return ahead->ops->state(ahead);
}

/* For people: "works". */
static inline const char *dpl_ahead_state_name(enum dpl_ahead_state state)
{
    static const char *const names[] = {"waits", "works", "silent", "dead"};
    return (size_t)state < sizeof names / sizeof names[0] ? names[state] : "?";
}

#ifdef __cplusplus
}
#endif

#endif
