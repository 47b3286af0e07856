/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files of foreign formats, which the program doppel-mesh reads in a process of its
 * own: whatever a file does to it, this process goes on. */
#ifndef DOPPEL_SIM_MESH_PROCESS_H
#define DOPPEL_SIM_MESH_PROCESS_H

#include <doppel/time.h>

#include "import.h"

#define DPL__MESH_PROGRAM "DOPPEL_MESH" /* environment variable: the path of doppel-mesh */

struct dpl__mesh_limits {
    dpl_ns time;         /* until all is read */
    unsigned cpu_s;      /* of processor time, and ... */
    unsigned megabytes;  /* ... of address space: doppel-mesh limits itself */
    unsigned points_max; /* and faces */
};

/* Points and faces as they are in a file; each face has numbers of three points. 0, or with reterr,
 * which has no place: -EINVAL, -ENOENT (no doppel-mesh), -ETIMEDOUT, another errno of starting
 * it. Allocates from the arena; blocks until the program has ended. Any thread. */
int dpl__mesh_ask(struct dpl_arena *arena, const char *path, const struct dpl__mesh_limits *limits,
                  struct dpl__mesh_file *ret_mesh, struct dpl_diag *reterr);

#endif
