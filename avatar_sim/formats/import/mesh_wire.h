/* SPDX-License-Identifier: Apache-2.0 */
/* What the program doppel-mesh (tools/mesh) writes to its standard output, in the byte order of the
 * computer: this header, then either a text, or points (x, y, z as doubles, m) and faces (three
 * numbers of points as uint32_t). Then it ends with code 0.
 *
 * Its arguments are FILE MEGABYTES SECONDS POINTS: most address space and processor time that it
 * takes, and most points and faces that it writes. */
#ifndef DOPPEL_SIM_MESH_WIRE_H
#define DOPPEL_SIM_MESH_WIRE_H

#include <stdint.h>

#define DPL__MESH_WIRE_MAGIC    "DplMesh1" /* without its 0 */
#define DPL__MESH_WIRE_TEXT_MAX 256

struct dpl__mesh_wire {
    char magic[8];
    uint32_t n_text; /* bytes that say why there is no mesh; 0: there is one */
    uint32_t n_points, n_faces;
    uint32_t unused; /* 0 */
};

#endif
