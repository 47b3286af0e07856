/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files of foreign formats, which the program doppel-mesh reads in a process of its
 * own: whatever a file does to it, this process goes on. */
#ifndef DOPPEL_SIM_MESH_PROCESS_H
#define DOPPEL_SIM_MESH_PROCESS_H

#include <doppel/time.h>

#include "mesh_shelf.h"
#include "mesh_wire.h"

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

struct dpl__mesh_input {
    int file;
    dpl_ns end; /* of dpl_monotonic_now */
};

struct dpl__mesh_answer {
    struct dpl__mesh_file mesh;             /* without its path */
    char text[DPL__MESH_WIRE_TEXT_MAX + 1]; /* why there is none, one line; "": there is one */
};

/* Reads a file to its end, as mesh_wire.h says; *ret is zeroed before. 0; -EPIPE: it ends too
 * early, -EBADMSG: it is no answer, -ETIMEDOUT, another errno of reading. Blocks until the end. */
int dpl__mesh_receive(struct dpl_arena *arena, const struct dpl__mesh_input *from,
                      unsigned points_max, struct dpl__mesh_answer *ret);

#endif
