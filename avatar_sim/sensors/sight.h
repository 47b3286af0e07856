/* SPDX-License-Identifier: Apache-2.0 */
/* What sensors have in common that look along a ray from a body of a mechanism. They see the other
 * bodies of their mechanism, the obstacles of the world, and the ground from above; not the bodies
 * of other robots. */
#ifndef DOPPEL_SIM_SIGHT_H
#define DOPPEL_SIM_SIGHT_H

#include <doppel/sim/mechanism.h>
#include <doppel/sim/solid.h>

#include <doppel/sim/entry.h>

struct dpl__sight_solid {
    unsigned body; /* of the mechanism */
    struct dpl_sim_solid solid;
};

struct dpl__sight_settings {
    struct dpl_vector3 mount; /* in the body */
    double yaw, pitch;        /* of its x axis, which it looks along */
    char sees[DPL_SIM_NAME_SIZE];
    int only; /* number of the only body that it sees; -1: all */
    struct dpl__sight_solid *solids;
    size_t n_solids;
};

#define DPL__SIGHT_FIELDS(type_, member_)                                                          \
    DPL_NUMBER(type_, member_.mount.x, "x", "m", "0", -1e4, 1e4, "mount, in the body"),            \
        DPL_NUMBER(type_, member_.mount.y, "y", "m", "0", -1e4, 1e4, "mount"),                     \
        DPL_NUMBER(type_, member_.mount.z, "z", "m", "0", -1e4, 1e4, "mount"),                     \
        DPL_NUMBER(type_, member_.yaw, "yaw", "rad", "0", -10.0, 10.0,                             \
                   "direction: from x of the body towards y"),                                     \
        DPL_NUMBER(type_, member_.pitch, "pitch", "rad", "0", -10.0, 10.0,                         \
                   "direction: then downwards"),                                                   \
        DPL_TEXT(type_, member_.sees, "sees", "", "the only body that it sees; empty: all")

/* Finds what it can see, in the memory of the mechanism: 0, or -EINVAL with reterr. */
int dpl__sight_attach(struct dpl__sight_settings *settings,
                      const struct dpl_sim_mechanism *mechanism, struct dpl_diag *reterr);

/* The distance in m, at most `most`, to what is first along a direction of length 1 in the frame of
 * the mount; INFINITY: nothing. */
double dpl__sight_cast(const struct dpl__sight_settings *settings, const struct dpl_sim_site *site,
                       struct dpl_vector3 along, double most);

#endif
