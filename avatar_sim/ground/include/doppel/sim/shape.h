/* SPDX-License-Identifier: Apache-2.0 */
/* Simple solids of worlds: obstacles, and the outside of robots. Lengths in m, angles in rad. */
#ifndef DOPPEL_SIM_SHAPE_H
#define DOPPEL_SIM_SHAPE_H

#include <stdbool.h>

enum dpl_sim_kind {
    DPL_SIM_BOX,
    DPL_SIM_SPHERE,
    DPL_SIM_CYLINDER, /* upright */
    DPL_SIM_CAPSULE,  /* upright, or lying along x */
};

/* A solid. Its centre is at (x, y, z), turned by `yaw`. */
struct dpl_sim_shape {
    enum dpl_sim_kind kind;
    double x, y, z, yaw;
    double size_x, size_y, size_z; /* box: full edges */
    double radius;                 /* the others */
    double height;                 /* cylinder: whole; capsule: without the caps */
    bool lying;                    /* capsule */
};

#endif
