/* SPDX-License-Identifier: Apache-2.0 */
/* Robots and models from other formats: URDF (root `robot`) and SDF (root `sdf`).
 * docs/reference/urdf.md describes which parts of them are read. */
#ifndef DOPPEL_SIM_IMPORT_PUBLIC_H
#define DOPPEL_SIM_IMPORT_PUBLIC_H

#include <doppel/sim/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_IMPORT_MESH_BYTES_MAX (64u << 20) /* of one file */
#define DPL_IMPORT_POINTS_MAX     2000000     /* of all meshes of a robot */

enum dpl_sim_import_drive {
    DPL_IMPORT_DRIVE_AUTO, /* continuous joints: speed; others: position */
    DPL_IMPORT_DRIVE_POSITION,
    DPL_IMPORT_DRIVE_SPEED,
    DPL_IMPORT_DRIVE_EFFORT,
    DPL_IMPORT_DRIVE_NONE,
};

/* Settings that the file does not have. 0 is a good default for all but friction. */
struct dpl_sim_import_options {
    bool fixed_base;     /* the first link is fixed to the world */
    bool self_collision; /* links of one robot collide with each other */
    /* For collision meshes of links that move: true: a convex hull of each connected part; false:
     * one hull of the whole mesh. */
    bool mesh_parts;
    enum dpl_sim_import_drive drive;
    double z;             /* m: height of the robot's frame above the ground */
    double friction;      /* of its shapes, if the file has none */
    const char *packages; /* folders with packages, separated by ':'; NULL or "": none. The folders
                             of the environment variable ROS_PACKAGE_PATH follow */
    const char *joints;   /* "elbow=1.2 wrist=-0.3": positions at the start, rad or m; NULL: 0 */
    struct dpl_place joints_place;
};

#define DPL_SIM_IMPORT_FRICTION 0.8 /* where nobody says anything */

/* Whether the calls below read a file with this root. */
bool dpl_sim_is_import(const struct dpl_xml_node *root);

/* As dpl_sim_read_objects, for a URDF or SDF file. `import` may be NULL. ret_objects->notes lists
 * the parts that were left out or replaced. Opens files, also of meshes. */
int dpl_sim_read_import(struct dpl_arena *arena, const char *file,
                        const struct dpl_sim_import_options *import,
                        struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* The same from memory; `name` is the name of the file, also to find meshes. */
int dpl_sim_read_import_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                             const struct dpl_sim_import_options *import,
                             struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

#ifdef __cplusplus
}
#endif

#endif
