/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a look-ahead: what its user, the world's owner, the worker and the watch share. */
#ifndef DOPPEL_SIM_AHEAD_PARTS_H
#define DOPPEL_SIM_AHEAD_PARTS_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

#include <doppel/sim/ahead.h>

#include "footprint.h"

/* Whose turn it is: request and copy belong to that one alone. */
enum ahead_phase {
    AHEAD_FREE,  /* the user's: nothing was asked */
    AHEAD_ASKED, /* the owner's: the world is to be copied */
    AHEAD_TAKEN, /* the worker's */
    AHEAD_DONE,  /* the user's: the result is there */
};

/* Between two processes: mapped by both at the same address. */
struct ahead_shared {
    atomic_int phase;
    atomic_uint beat; /* the worker's: it moves */
    sem_t wake, done;
    int error; /* 0, or why there is no result */
    size_t copied;
    struct dpl_ahead_request request;
    struct dpl_ahead_result result;
    unsigned char copy[]; /* [capacity] */
};

/* A channel that rollouts put or read. */
struct ahead_channel {
    size_t number; /* in the world's list */
    const struct dpl_channel_desc *desc;
};

struct dpl_sim_ahead {
    struct dpl_ahead face; /* first */
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    int robot;                      /* watched; -1: none */
    struct dpl_footprint *robots;   /* [n_shapes] of it, in its frame */
    struct dpl_footprint *standing; /* [n_obstacles] of the model */
    size_t n_shapes;
    struct ahead_channel puts[DPL_AHEAD_CHANNELS_MAX], reads[DPL_AHEAD_CHANNELS_MAX];
    size_t n_puts, n_reads, n_elements;
    dpl_ns delay;
    struct ahead_shared *shared; /* `mapped` bytes */
    size_t mapped, capacity;
    bool simulated;
    _Atomic pid_t worker; /* 0: not started, or ended */
    int pidfd, stop_fd;
    bool watched;
    pthread_t watch;
    atomic_int state; /* enum dpl_ahead_state */
    uint64_t number;  /* of the newest request */
};

/* A look-ahead with nothing in it yet; and the memory of one. */
void ahead_begin(struct dpl_sim_ahead *ahead);
void ahead_free(struct dpl_sim_ahead *ahead);

/* What the request asks for makes sense: 0 or -EINVAL. */
int ahead_check(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_request *request);

/* Runs the shared request from the shared copy on into the shared result. The world is anywhere
 * afterwards. Neither allocates nor calls the system. */
void ahead_run_rollouts(struct dpl_sim_ahead *ahead);

/* The least distance of the robot's shapes from what stands, up to `most`, m. */
double ahead_clearance(const struct dpl_sim_ahead *ahead, double most);

/* Values of channels as numbers, and back. Putting: 0, or -EBUSY or -EINVAL where the world does
 * not take it. */
int ahead_put(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_put *put);
void ahead_read(const struct dpl_sim_ahead *ahead, double *ret_elements);

/* Copies the world: 0 or -ENOSPC. */
int ahead_copy(struct dpl_sim_ahead *ahead, dpl_ns offset);

/* The worker's life, after the fork. */
_Noreturn void ahead_work(struct dpl_sim_ahead *ahead, pid_t parent);

/* A thread that notices a worker that has ended or does not move. 0 or -errno. */
int ahead_watch_start(struct dpl_sim_ahead *ahead);
void ahead_watch_stop(struct dpl_sim_ahead *ahead);

#endif
