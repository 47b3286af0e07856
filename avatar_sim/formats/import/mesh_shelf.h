/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files (STL, OBJ, DAE) as solids: mesh.c reads them, mesh_shelf.c keeps those that
 * were read and scales them, mesh_parts.c makes convex solids of them. */
#ifndef DOPPEL_SIM_MESH_SHELF_H
#define DOPPEL_SIM_MESH_SHELF_H

#include <doppel/sim/solid.h>

#include "element.h"

#define DPL__MESH_PARTS_MAX 256 /* hulls of one mesh */

/* A mesh as it is in a file, in metres as the file has them. */
struct dpl__mesh_file {
    const char *path;
    struct dpl_vector3 *points;
    size_t n_points;
    unsigned (*faces)[3];
    size_t n_faces;
};

/* Meshes that were read, each once. Zero-initialise; what it holds is the arena's. */
struct dpl__mesh_shelf {
    struct dpl__list files; /* of struct dpl__mesh_file */
    size_t n_points;        /* of all */
};

/* Whether a name ends as those of files that dpl__mesh_read reads. */
bool dpl__mesh_is_format(const char *path);

/* Reads a mesh (STL, OBJ, DAE) into the arena. 0; or with reterr, which has no place: -EINVAL,
 * -ENOENT, -EFBIG, -ETIMEDOUT or the errno of starting a process. Blocks until doppel-mesh, which
 * reads it, has ended: 60 s at most. */
int dpl__mesh_read(struct dpl_arena *arena, const char *path, struct dpl__mesh_file *ret_mesh,
                   struct dpl_diag *reterr);

/* A mesh from a file, scaled along x, y and z (none of them 0; a mirror keeps its outside), as a
 * solid at the origin, which may have more points than dpl_sim_solid_check takes. As
 * dpl__mesh_read; -EFBIG also when the shelf is full (DPL_IMPORT_POINTS_MAX). */
int dpl__mesh_take(struct dpl_arena *arena, struct dpl__mesh_shelf *shelf, const char *path,
                   const double scale[3], struct dpl_sim_solid *ret_solid, struct dpl_diag *reterr);

/* Corners of the convex hull of points: of more than `most` those that are furthest along
 * directions that are spread evenly. Writes their number. -EINVAL with reterr: they are in one
 * plane. In the arena. */
int dpl__mesh_hull(struct dpl_arena *arena, const struct dpl_vector3 *points, size_t n, size_t most,
                   struct dpl_vector3 **ret_points, size_t *ret_n, struct dpl_diag *reterr);

/* Adds the convex hulls of a mesh to a list of struct dpl_sim_solid; each keeps what else the
 * mesh's solid says. `by_parts`: one of each connected part, in the order of their first points;
 * faces are connected by points that they share. Parts that lie in a plane are left out and
 * counted. -EINVAL with reterr: all are flat, or there are more than DPL__MESH_PARTS_MAX. In the
 * arena. */
int dpl__mesh_hulls(struct dpl_arena *arena, const struct dpl_sim_solid *mesh, bool by_parts,
                    struct dpl__list *inout_solids, size_t *ret_flat, struct dpl_diag *reterr);

#endif
