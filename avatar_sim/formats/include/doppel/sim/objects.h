/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms from XML: the published format of objects (root RigidObject, or any element that
 * contains such elements) and Doppel's extension of it (root mechanism).
 * docs/reference/mechanisms.md describes both. */
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
    char name[DPL_SIM_NAME_SIZE]; /* "": the file has none */
    struct dpl_sim_mechanism mechanism;
    double step_s;          /* the step for which the mechanism was checked */
    bool default_materials; /* the file has no materials: default materials are used */
    /* Motors and sensors, in the order of the file. Their bodies and joints are those of the
     * mechanism (dpl_mechanism_slots). The mechanism contains what motors add to joints. */
    struct dpl_sim_entry *entries; /* [n_entries] */
    size_t n_entries;
    const struct dpl_sim_modbus *modbus; /* [n_modbus] */
    size_t n_modbus;
    const char *notes; /* lines that list the parts of a file that were left out or changed
                          (import.h); NULL: none */
};

/* Whether the calls below read a file with this root. */
bool dpl_sim_is_objects(const struct dpl_xml_node *root);

/* Reads a file and checks its mechanism (dpl_mechanism_check). Of `options` (doppel/sim/load.h;
 * NULL: none) only the parameters and the classes of entries are used. Errors and warnings go to
 * `diags` with file, line and column. 0 with *ret_objects, all of it in `arena`, if there is no
 * error; otherwise -EINVAL. Allocates; opens files. */
int dpl_sim_read_objects(struct dpl_arena *arena, const char *file,
                         const struct dpl_sim_load_options *options,
                         struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* The same from memory; `name` is the name of the file, also to find meshes beside it. */
int dpl_sim_read_objects_text(struct dpl_arena *arena, const char *name, const void *bytes,
                              size_t n, const struct dpl_sim_load_options *options,
                              struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* Adds the objects as a robot of the subsystem `bullet`. They must outlive the model. Returns as
 * dpl_sim_model_add_robot; also -EINVAL: a part is not supported by the simulation. */
int dpl_sim_model_add_objects(struct dpl_sim_model *model, const char *name, struct dpl_pose2 start,
                              struct dpl_sim_objects *objects, struct dpl_diag *reterr);

/* Describes the objects as text, in the arena: a line with the sums, then a line for each body,
 * joint, motor and sensor. */
const char *dpl_sim_describe_objects(struct dpl_arena *arena,
                                     const struct dpl_sim_objects *objects);

#ifdef __cplusplus
}
#endif

#endif
