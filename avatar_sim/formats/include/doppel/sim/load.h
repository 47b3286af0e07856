/* SPDX-License-Identifier: Apache-2.0 */
/* Models from XML: worlds (root `world`) and robots (root `robot_model`). The elements Param,
 * Repeat and If, and {expressions}, are expanded first (docs/reference/worlds.md). Field tables
 * describe the elements and their attributes: those of a world are in world_xml.c, those of a robot
 * in the classes of subsystems, sensors and actuators. Lengths are in metres unless a value names
 * another unit ("35 mm", "90 deg"). */
#ifndef DOPPEL_SIM_LOAD_H
#define DOPPEL_SIM_LOAD_H

#include <doppel/sim/model.h>
#include <doppel/sim/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;
struct dpl_catalog;

/* Reads a world and the files that it names. They are searched beside the world's file, then in the
 * sibling folders `robots` and `worlds`, then in the folders of the catalogue. Errors and warnings
 * go to `diags` with file, line and column; the file names in them are in `arena`. 0 with
 * *ret_model (the caller destroys it) if there is no error; otherwise -EINVAL or -ENOMEM.
 * Allocates; opens files. `options` may be NULL. */
int dpl_sim_read_world(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_sim_model **ret_model,
                       struct dpl_diags *diags);

/* The same from memory; `name` is the name of the file, also to find other files beside it. */
int dpl_sim_read_world_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diags *diags);

/* Reads a robot's file into *ret_robot (named after its model, start at 0), in the arena: 0 or
 * -EINVAL. */
int dpl_sim_read_robot(struct dpl_arena *arena, const char *file, struct dpl_sim_robot *ret_robot,
                       struct dpl_diags *diags);

/* The same with the parameters and the classes of `options` (NULL: none); uses no other option. */
int dpl_sim_read_robot_with(struct dpl_arena *arena, const char *file,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags);

int dpl_sim_read_robot_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags);

/* Reads a world for running it. 0 with *ret_model, or -EINVAL or -ENOMEM with the first error in
 * reterr. The place of the error borrows `file`, or is that of a set or a parameter. If it is in an
 * included file, the catalogue owns the file's name; without a catalogue the text of the error
 * names the place. */
int dpl_sim_load_world_with(const char *file, const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diag *reterr);

/* The same with only this seed and this catalogue as options. */
int dpl_sim_load_world(const char *file, uint64_t seed, struct dpl_catalog *catalog,
                       struct dpl_sim_model **ret_model, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
