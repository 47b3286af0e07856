/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms from XML: the published format of objects (root RigidObject, or any element that holds
 * some) and Doppel's extension of it (root mechanism). docs/mechanisms.md describes both. */
#ifndef DOPPEL_SIM_OBJECTS_H
#define DOPPEL_SIM_OBJECTS_H

#include <doppel/sim/mechanism.h>
#include <doppel/sim/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_MECHANISM_ENTRIES_MAX 4096 /* motors; as many sensors */

struct dpl_diags;
struct dpl_sim_load_options;
struct dpl_xml_node;

struct dpl_sim_objects {
    char name[DPL_SIM_NAME_SIZE]; /* "": the file gives none */
    struct dpl_sim_mechanism mechanism;
    double step_s;          /* for which the mechanism was checked */
    bool default_materials; /* the file has no materials: those used are default ones */
    /* Motors and sensors, in the order of the file: those of a robot whose bodies and joints are
     * the mechanism's (dpl_mechanism_slots). What motors add to joints is in the mechanism. */
    struct dpl_sim_entry *entries; /* [n_entries] */
    size_t n_entries;
    const struct dpl_sim_modbus *modbus; /* [n_modbus] */
    size_t n_modbus;
    const char *notes; /* lines: what of a file was left out or changed (import.h); NULL: none */
};

/* Whether a file with this root is read by the calls below. */
bool dpl_sim_is_objects(const struct dpl_xml_node *root);

/* Reads a file, with the parameters and the classes of entries of `options` (doppel/sim/load.h;
 * NULL: none) and no other option of them, and checks what it describes (dpl_mechanism_check).
 * Findings go to `diags` with file, line and column. 0 with *ret_objects, all of it in `arena`,
 * when there is no error; else -EINVAL. Allocates; opens files. */
int dpl_sim_read_objects(struct dpl_arena *arena, const char *file,
                         const struct dpl_sim_load_options *options,
                         struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* The same from memory; `name` stands for the file, also for finding meshes beside it. */
int dpl_sim_read_objects_text(struct dpl_arena *arena, const char *name, const void *bytes,
                              size_t n, const struct dpl_sim_load_options *options,
                              struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* Adds a robot of the subsystem `bullet` that is what was read, which must outlive the model. 0, or
 * as dpl_sim_model_add_robot; also -EINVAL for a part that is not simulated. */
int dpl_sim_model_add_objects(struct dpl_sim_model *model, const char *name, struct dpl_pose2 start,
                              struct dpl_sim_objects *objects, struct dpl_diag *reterr);

/* What there is, for people: a line with the sums, then a line a body, a joint, a motor and a
 * sensor. In the arena. */
const char *dpl_sim_describe_objects(struct dpl_arena *arena,
                                     const struct dpl_sim_objects *objects);

#ifdef __cplusplus
}
#endif

#endif
