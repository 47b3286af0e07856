/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of a machine whose linear axes move a platform, from a robot model
 * (profiles/robots): for components that compute with it. */
#ifndef DOPPEL_SIM_MACHINE_H
#define DOPPEL_SIM_MACHINE_H

#include <doppel/diag.h>
#include <doppel/math/six.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Leg i: a joint of the platform (frame of the tool centre point), a slider on a straight rail at
 * rail + q * axis, a link of fixed length between them. Machine frame, SI units. */
struct dpl_machine_leg {
    char axis_name[48];  /* of the axis device in a world */
    double joint_m[3];   /* on the platform */
    double rail_m[3];    /* place of the slider at q = 0 */
    double direction[3]; /* unit vector of the direction of positive q */
    double branch;       /* +1: the slider is ahead of its joint along the rail; -1: behind */
    double link_m;
    double low_m, high_m; /* least and greatest q */
};

struct dpl_machine {
    char name[48];
    struct dpl_machine_leg legs[DPL_AXES_N];
    double reserve;             /* minimum share of link_m along the rail; less is a fault */
    double home[DPL_SIX];       /* pose: x y z m, roll pitch yaw rad */
    double half_range[DPL_SIX]; /* semi-axes of the workspace around home: m, rad */
};

/* Reads the machine of a robot model's file. 0; -EINVAL with the place of the first error, which
 * borrows `file`; -ENOTSUP: the model has no such machine. Allocates and blocks: call it in
 * `initialize` of a component, not in a cycle. */
int dpl_sim_read_machine(const char *file, struct dpl_machine *ret_machine,
                         struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
