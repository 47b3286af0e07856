/* SPDX-License-Identifier: Apache-2.0 */
/* From a world in STAR's format to a robot of Doppel's: multibody_part.c makes the part,
 * multibody_look.c its bars, multibody_visuals.c its meshes, multibody_entries.c its sensors,
 * world_star.c reads the element of a world. */
#ifndef DOPPEL_SIM_STAR_ROBOT_H
#define DOPPEL_SIM_STAR_ROBOT_H

#include <doppel/sim/model.h>
#include <doppel/sim/star.h>

#include "arena.h"
#include "multibody_part.h"

/* Makes a part in the memory of `model`, which owns the star world from now on, also after an
 * error. `file`: that the world is from. 0, or -EINVAL with reterr: it has more bodies than a world
 * may have. Allocates; reads the meshes that show bodies. */
int dpl__multibody_part_make(struct dpl_sim_model *model, struct dpl_star_world *star,
                             const char *file, struct dpl_multibody_part **ret_part,
                             struct dpl_diag *reterr);

struct dpl_pose3 dpl__multibody_pose(const struct dpl_mb_place *place);

/* Makes the sensors of devices entries of the part; what is wrong with them, and which ones do
 * nothing, is added to its notes. `shown_as`: body of the mechanism for each body of the graph. */
void dpl__multibody_entries(struct dpl_arena *arena, struct dpl_multibody_part *part,
                            const int *shown_as);

/* Gives the bodies of a part the meshes that its file names, from include directories and from
 * beside the file. `shown_as`: body of the mechanism for each body of the graph. What is missing or
 * cannot be read is in part->notes. */
void dpl__multibody_visuals(struct dpl_arena *arena, struct dpl_multibody_part *part,
                            const int *shown_as);

/* Length in m of a mean bar of a mechanism. `scratch`: [2 n_joints + 2]. */
double dpl__multibody_bar(const struct dpl_mb_graph *graph, struct dpl_vector3 *scratch);

/* Solids in the frame of the body, in the arena. `scratch`: as above. */
struct dpl_sim_solid *dpl__multibody_look(struct dpl_arena *arena, const struct dpl_mb_graph *graph,
                                          int body, double bar_length, struct dpl_vector3 *scratch,
                                          size_t *ret_n);

#endif
