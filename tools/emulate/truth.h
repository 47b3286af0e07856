/* SPDX-License-Identifier: Apache-2.0 */
/* Where the values of an emulated device come from: a robot in a world (in this process or in
 * another one), a recorded log, or an ideal robot that needs neither. One table of calls; what a
 * source cannot do is NULL. */
#ifndef EMULATE_TRUTH_H
#define EMULATE_TRUTH_H

#include <stdbool.h>

#include <doppel/diag.h>
#include <doppel/link.h>
#include <doppel/time.h>

#include "kobuki_base.h"
#include "robot_link.h"
#include <doppel/protocol/scip.h>

struct truth_options {
    struct robot_link_options robot;
    const char *left_motor, *right_motor, *left_encoder, *right_encoder, *laser;
    bool laser_turns; /* it measures its beams one after the other */
    const char *log;  /* NULL: none */
    double log_speed, log_wheel_radius_m, log_axle_m, log_ticks;
    bool log_loops;
    dpl_ns log_start; /* when it begins to play, on the emulator's clock */
};

/* A turn of the scanner, by the steps of `geometry`. */
struct truth_scan {
    dpl_ns stamp;
    size_t steps;
    uint32_t ranges_mm[DPL_SCIP_MAX_STEPS]; /* index = step */
};

struct truth;

struct truth_ops {
    /* Wheel speeds that the base wants. */
    void (*drive)(struct truth *, struct kobuki_wheels wheels, dpl_ns now);
    /* What the base's sensors see, read about `now`: the stamp says when. -EAGAIN: not known yet.
     */
    int (*sense)(struct truth *, dpl_ns now, struct kobuki_sensors *ret);
    void (*enable_laser)(struct truth *, bool enable);
    /* A turn that is newer than the last one that was given; -EAGAIN: none. */
    int (*measure)(struct truth *, dpl_ns now, const struct dpl_scip_geometry *geometry,
                   struct truth_scan *ret);
    bool (*is_over)(const struct truth *, dpl_ns now); /* nothing new will come; NULL: never */
    /* As `find_world` of a session. NULL: there is none. */
    int (*find_world)(struct truth *, struct dpl_diag *reterr);
    struct robot_link *(*robot)(struct truth *); /* NULL: none */
    void (*destroy)(struct truth *);
};

struct truth {
    const struct truth_ops *ops;
};

enum truth_device {
    TRUTH_BASE,
    TRUTH_SCANNER,
};

/* The source that the options ask for. 0, or -errno with reterr. */
int truth_open(const struct truth_options *options, enum truth_device device,
               struct truth **ret_truth, struct dpl_diag *reterr);

int truth_world_open(const struct truth_options *options, enum truth_device device,
                     struct truth **ret_truth, struct dpl_diag *reterr);
int truth_log_open(const struct truth_options *options, struct truth **ret_truth,
                   struct dpl_diag *reterr);
int truth_ideal_open(struct truth **ret_truth);

static inline int truth_find_world(struct truth *truth, struct dpl_diag *reterr)
{
    return truth->ops->find_world ? truth->ops->find_world(truth, reterr) : 0;
}

static inline struct robot_link *truth_robot(struct truth *truth)
{
    return truth->ops->robot ? truth->ops->robot(truth) : NULL;
}

static inline void truth_destroy(struct truth *truth)
{
    if (truth) {
        truth->ops->destroy(truth);
    }
}

#endif
