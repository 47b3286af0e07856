/* SPDX-License-Identifier: Apache-2.0 */
/* A robot of the subsystem `axes`: a machine with six linear axes that move a platform. */
#ifndef DOPPEL_SIM_AXES_H
#define DOPPEL_SIM_AXES_H

#include <doppel/diag.h>
#include <doppel/math/six.h>
#include <doppel/sim/name.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The motor of a linear axis and the mass that it moves. Masses and stiffness are those along the
 * axis. */
struct dpl_sim_drive {
    double motor_mass;      /* kg: rotor and screw */
    double load_mass;       /* kg: on the load side of the screw */
    double lag_s;           /* time constant of the motor's effort; 0: none */
    double coulomb;         /* N of friction at the motor: coulomb * tanh(speed / friction_speed) */
    double friction_speed;  /* m/s */
    double viscous;         /* N s/m of friction at the motor */
    double screw_stiffness; /* N/m between motor and load; 0: rigid */
    double screw_damping;   /* N s/m */
    double max_effort;      /* N; 0: no limit */
    double resolution;      /* m of the encoder at the motor; 0: exact */
    double brake;           /* N of a brake that is on while no user commands the axis; 0: none */
};

/* A linear axis of a machine, and the leg through which it moves the platform. In the machine's
 * frame. */
struct dpl_sim_axis {
    char name[DPL_SIM_NAME_SIZE];
    double joint[3];     /* on the platform, in the frame of its tool centre point */
    double rail[3];      /* place of the slider at position 0 */
    double direction[3]; /* unit vector of the positive direction */
    double branch;       /* +1: the slider is ahead of its joint along the rail; -1: behind */
    double link;         /* length of the link between slider and joint */
    double low, high;    /* positions of the slider's end stops; no rebound */
    struct dpl_sim_drive drive;
};

/* Poses: x y z in m, roll pitch yaw in rad; rotation Rz(yaw) Ry(pitch) Rx(roll). */
struct dpl_sim_machine {
    struct dpl_sim_axis axes[DPL_AXES_N];
    double
        reserve; /* minimum share of a link's length along its rail; below it the machine faults */
    double home[DPL_SIX];
    double half_range[DPL_SIX]; /* semi-axes of the workspace around home */
    double pose[DPL_SIX];       /* at the start */
    double weight_mass;         /* kg of the platform; the axes carry its weight; 0: none */
    double weight_at[3];        /* its centre of mass, in the frame of the tool centre point */
};

/* Checks a machine, and that it reaches its home pose and its start pose. 0, or -EINVAL with
 * reterr. */
int dpl_sim_machine_check(const struct dpl_sim_machine *machine, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
