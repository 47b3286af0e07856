/* SPDX-License-Identifier: Apache-2.0 */
/* Joints of a mechanism that follow others, and places with names: see doppel/sim/mechanism.h. */
#include <errno.h>
#include <string.h>

#include <doppel/sim/mechanism.h>

#include "arena.h"
#include "element.h"
#include "names.h"

static const struct dpl_place nowhere;

static void *add(struct dpl_arena *arena, void *items, size_t n, const void *part, size_t size)
{
    struct dpl__list list = {items, n};
    memcpy(dpl__list_add(arena, &list, size), part, size);
    return list.items;
}

/* ---- mimics ---- */

static int check_leading(const struct dpl_sim_mechanism *mechanism, int number,
                         struct dpl_diag *reterr)
{
    if (number < 0 || number >= (int)mechanism->n_joints) {
        return dpl_fail(reterr, -EINVAL, nowhere, "there is no joint %d", number);
    }
    const struct dpl_sim_joint *joint = &mechanism->joints[number];
    if (dpl_sim_joint_freedoms(joint->type) != 1 || joint->cuts_loop) {
        return dpl_fail(reterr, -EINVAL, nowhere, "joint '%s' has not one value to follow or lead",
                        joint->name);
    }
    return 0;
}

int dpl_mechanism_add_mimic(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_mimic *mimic,
                            struct dpl_diag *reterr)
{
    int err = check_leading(mechanism, mimic->leader, reterr);
    err = err ? err : check_leading(mechanism, mimic->follower, reterr);
    if (err == 0 &&
        (mimic->leader == mimic->follower || !isfinite(mimic->ratio) || !isfinite(mimic->offset))) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "joint '%s' follows itself, or has no ratio",
                       mechanism->joints[mimic->follower].name);
    }
    for (size_t i = 0; i < mechanism->n_mimics && err == 0; i++) {
        const struct dpl_sim_mimic *other = &mechanism->mimics[i];
        if (other->follower == mimic->follower || other->follower == mimic->leader ||
            other->leader == mimic->follower) {
            err = dpl_fail(reterr, -EINVAL, nowhere, "joint '%s' follows already, or leads",
                           mechanism->joints[mimic->follower].name);
        }
    }
    if (err == 0) {
        mechanism->mimics =
            add(mechanism->memory, mechanism->mimics, mechanism->n_mimics++, mimic, sizeof *mimic);
    }
    return err;
}

/* ---- frames ---- */

int dpl_mechanism_add_frame(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_frame *frame,
                            struct dpl_diag *reterr)
{
    int err = dpl__check_name(frame->name, "frame", reterr);
    if (err) {
        return err;
    }
    if (mechanism->n_frames == DPL_MECHANISM_BODIES_MAX) {
        return dpl_fail(reterr, -ENOSPC, nowhere, "no room for more than %d frames",
                        DPL_MECHANISM_BODIES_MAX);
    }
    bool is_taken = dpl_mechanism_find_body(mechanism, frame->name) >= 0;
    for (size_t i = 0; i < mechanism->n_frames; i++) {
        is_taken |= dpl_name_equal(mechanism->frames[i].name, frame->name);
    }
    if (is_taken) {
        return dpl_fail(reterr, -EINVAL, nowhere, "there is another body or frame called '%s'",
                        frame->name);
    }
    if (frame->body < 0 || frame->body >= (int)mechanism->n_bodies ||
        !dpl_pose3_is_finite(frame->pose)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "frame '%s' has no body or no pose", frame->name);
    }
    mechanism->frames =
        add(mechanism->memory, mechanism->frames, mechanism->n_frames++, frame, sizeof *frame);
    return 0;
}
