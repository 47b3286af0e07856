/* SPDX-License-Identifier: Apache-2.0 */
/* Robots and models from the formats of others: URDF (root `robot`) and SDF (root `sdf`).
 * docs/urdf.md says what of them is read. */
#ifndef DOPPEL_SIM_IMPORT_PUBLIC_H
#define DOPPEL_SIM_IMPORT_PUBLIC_H

#include <doppel/sim/objects.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_IMPORT_MESH_BYTES_MAX (64u << 20) /* of one file */
#define DPL_IMPORT_POINTS_MAX     2000000     /* of all meshes of a robot */

enum dpl_sim_import_drive {
    DPL_IMPORT_DRIVE_AUTO, /* continuous joints by speed, others by position */
    DPL_IMPORT_DRIVE_POSITION,
    DPL_IMPORT_DRIVE_SPEED,
    DPL_IMPORT_DRIVE_EFFORT,
    DPL_IMPORT_DRIVE_NONE,
};

/* What the file does not say. Zeroes are good but for friction. */
struct dpl_sim_import_options {
    bool fixed_base;     /* the first link stands still */
    bool self_collision; /* links of one robot touch each other */
    /* A collision mesh of a link that moves is a convex hull of each connected part; else one hull
     * of all. */
    bool mesh_parts;
    enum dpl_sim_import_drive drive;
    double z;             /* m: of the robot's frame over the ground */
    double friction;      /* of its shapes, where the file says nothing */
    const char *packages; /* folders with packages, ':' between; NULL or "": none. Those of the
                             environment variable ROS_PACKAGE_PATH follow */
    const char *joints;   /* "elbow=1.2 wrist=-0.3": positions at the start, rad or m; NULL: 0 */
    struct dpl_place joints_place;
};

#define DPL_SIM_IMPORT_FRICTION 0.8 /* where nobody says anything */

/* Whether a file with this root is read by the calls below. */
bool dpl_sim_is_import(const struct dpl_xml_node *root);

/* As dpl_sim_read_objects, of a URDF or SDF file. `import` may be NULL. What was left out or became
 * something else is in ret_objects->notes. Opens files, also those of meshes. */
int dpl_sim_read_import(struct dpl_arena *arena, const char *file,
                        const struct dpl_sim_import_options *import,
                        struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

/* The same from memory; `name` stands for the file, also for finding meshes. */
int dpl_sim_read_import_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                             const struct dpl_sim_import_options *import,
                             struct dpl_sim_objects *ret_objects, struct dpl_diags *diags);

#ifdef __cplusplus
}
#endif

#endif
