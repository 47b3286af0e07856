/* SPDX-License-Identifier: Apache-2.0 */
/* What sensors have in common that look along a ray from a body of a mechanism. They see all that
 * there is in the world (scenery.h) but this body; or one other body of their mechanism only. */
#ifndef DOPPEL_SIM_SIGHT_H
#define DOPPEL_SIM_SIGHT_H

#include <doppel/sim/entry.h>
#include <doppel/sim/mechanism.h>

struct dpl__sight_settings {
    struct dpl_vector3 mount; /* in the body */
    double yaw, pitch;        /* of its x axis, which it looks along */
    char sees[DPL_SIM_NAME_SIZE];
    int only; /* number of the only body that it sees; -1: all */
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

/* Finds the body that it sees: 0, or -EINVAL with reterr. */
int dpl__sight_attach(struct dpl__sight_settings *settings,
                      const struct dpl_sim_mechanism *mechanism, struct dpl_diag *reterr);

/* While the world is built: 0 or -ENOMEM. Allocates. */
int dpl__sight_build(const struct dpl_sim_site *site);

/* Before the rays of a step, at its end `now`. */
void dpl__sight_begin(const struct dpl_sim_site *site, dpl_ns now);

/* The distance in m, at most `most`, to what is first along a direction of length 1 in the frame of
 * the mount; INFINITY: nothing. `ret_ground`: it is the ground. */
double dpl__sight_cast(const struct dpl__sight_settings *settings, const struct dpl_sim_site *site,
                       struct dpl_vector3 along, double most, bool *ret_ground);

#endif
