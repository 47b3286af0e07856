/* SPDX-License-Identifier: Apache-2.0 */
/* What the subsystem `axes` knows of a robot: a machine whose six linear axes push a platform. */
#ifndef DOPPEL_SIM_AXES_H
#define DOPPEL_SIM_AXES_H

#include <doppel/diag.h>
#include <doppel/math/six.h>
#include <doppel/sim/name.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The motor of a linear axis and what it moves. Masses and stiffness as seen along the axis. */
struct dpl_sim_drive {
    double motor_mass;      /* kg: rotor and screw */
    double load_mass;       /* kg: beyond the screw */
    double lag_s;           /* time constant of the motor's effort; 0: none */
    double coulomb;         /* N of friction at the motor: coulomb * tanh(speed / friction_speed) */
    double friction_speed;  /* m/s */
    double viscous;         /* N s/m of friction at the motor */
    double screw_stiffness; /* N/m between motor and load; 0: rigid */
    double screw_damping;   /* N s/m */
    double max_effort;      /* N; 0: no limit */
    double resolution;      /* m of the encoder at the motor; 0: exact */
    double brake;           /* N of a brake that is on while nobody drives the axis; 0: none */
};

/* A linear axis of a machine and the leg of the platform that it pushes. Machine frame. */
struct dpl_sim_axis {
    char name[DPL_SIM_NAME_SIZE];
    double joint[3];     /* on the platform, in the frame of its tool centre point */
    double rail[3];      /* where the slider is at position 0 */
    double direction[3]; /* unit vector of growing position */
    double branch;       /* +1: the slider is ahead of its joint along the rail; -1: behind */
    double link;         /* length of the link between slider and joint */
    double low, high;    /* end stops of the slider, which do not rebound */
    struct dpl_sim_drive drive;
};

/* Poses: x y z in m, roll pitch yaw in rad; rotation Rz(yaw) Ry(pitch) Rx(roll). */
struct dpl_sim_machine {
    struct dpl_sim_axis axes[DPL_AXES_N];
    double
        reserve; /* a link that reaches less than reserve times its length along its rail faults */
    double home[DPL_SIX];
    double half_range[DPL_SIX]; /* semi-axes of the workspace around home */
    double pose[DPL_SIX];       /* where it starts */
    double weight_mass;         /* kg of the platform, whose weight the axes carry; 0: none */
    double weight_at[3];        /* its centre of mass, in the frame of the tool centre point */
};

/* Checks a machine, whether it reaches its home and its start included: 0, or -EINVAL with reterr.
 */
int dpl_sim_machine_check(const struct dpl_sim_machine *machine, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
