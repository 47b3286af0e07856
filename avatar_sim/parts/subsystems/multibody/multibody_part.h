/* SPDX-License-Identifier: Apache-2.0 */
/* A world in STAR's format as a robot: what the subsystem `multibody` moves. */
#ifndef DOPPEL_SIM_MULTIBODY_PART_H
#define DOPPEL_SIM_MULTIBODY_PART_H

#include <doppel/sim/mechanism.h>
#include <doppel/sim/star_world.h>

struct dpl_arena;
struct dpl_sim_model;

/* In the memory of its model. */
struct dpl_multibody_part {
    struct dpl_sim_mechanism mechanism; /* the same bodies and joints for pictures and sensors; its
                                           joints are those with one coordinate */
    struct dpl_star_world *star;
    const char *file;             /* that it is from */
    const struct dpl_diag *notes; /* [n_notes] of files that show bodies, and of sensors; places
                                     without the file */
    size_t n_notes;
    struct dpl_mb_settings settings;
    double z;        /* m: of its frame over the ground */
    bool is_root;    /* its channels have no name of a robot before */
    int *graph_body; /* [mechanism.n_bodies] number in the graph; 0: the fixed body, the
                        last one, which is there when sensors are at it */
    struct dpl_sim_entry *entries; /* [n_entries] sensors of devices */
    struct dpl_multibody_source {  /* [n_entries] of each */
        const struct dpl_star_device *device;
        const struct dpl_star_sensor *sensor;
    } * sources;
    size_t n_entries;
};

/* Adds its notes of this severity; `file`: its file, in memory that outlives `diags`. */
void dpl__multibody_say(const struct dpl_multibody_part *part, enum dpl_severity severity,
                        const char *file, struct dpl_diags *diags);

/* Tries whether the loops of all such robots close, and describes them. 0, or -EINVAL with errors
 * in diags. *ret_about: lines in the arena; not changed when there is no such robot. Allocates. */
int dpl__multibody_check(struct dpl_arena *arena, const struct dpl_sim_model *model,
                         struct dpl_diags *diags, const char **ret_about);

#endif
