/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of numbers and names in a model. Each returns 0, or -EINVAL with reterr, which says what
 * is wrong. */
#ifndef DOPPEL_SIM_MODEL_CHECKS_H
#define DOPPEL_SIM_MODEL_CHECKS_H

#include <doppel/diag.h>
#include <doppel/sim/model.h>

#include "names.h"

/* A length of something: 0.1 mm to the extent of a world. */
int dpl__check_size(double value, const char *what, struct dpl_diag *reterr);

/* Within the extent of a world, each. */
int dpl__check_place(const double values[4], struct dpl_diag *reterr);

int dpl__check_range(double value, double low, double high, const char *what,
                     struct dpl_diag *reterr);

/* What is where a robot starts: an obstacle ("": without a name), or a robot. */
struct dpl_start_owner {
    const char *name;
    struct dpl_pose2 at;
    bool is_robot;
};

/* Fills reterr with the message that a robot does not fit there; -EBUSY. */
int dpl__tell_start(const struct dpl_sim_robot *robot, const struct dpl_start_owner *owner,
                    struct dpl_diag *reterr);

struct dpl_sim_owned {
    void (*destroy)(void *item);
    void *item;
    struct dpl_sim_owned *next;
};

/* The model destroys the item when it goes, the newest one first. Ends the process when there is no
 * memory, as an arena does. */
void dpl__model_own(struct dpl_sim_model *model, void (*destroy)(void *item), void *item);

#endif
