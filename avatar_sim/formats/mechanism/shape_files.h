/* SPDX-License-Identifier: Apache-2.0 */
/* What shapes and pictures of bodies take from files: meshes and height fields. */
#ifndef DOPPEL_SIM_SHAPE_FILES_H
#define DOPPEL_SIM_SHAPE_FILES_H

#include "object_xml.h"

/* Whether a mesh is replaced by convex hulls. */
enum dpl__convex {
    DPL__CONVEX_AUTO,  /* of a body that moves: PARTS; else it stays a mesh */
    DPL__CONVEX_WHOLE, /* by one */
    DPL__CONVEX_PARTS, /* by one for each connected part */
};

struct dpl__shape_file {
    char file[256];
    double scale;
    int convex;    /* enum dpl__convex */
    double height; /* m: of white in a picture of heights */
};

extern const struct dpl_element_table dpl__visual_table;

/* Gives a hull, a mesh or a height field what its file says; one without a file stays as it is.
 * False after an error, which the reader has. */
bool dpl__shape_file_take(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          struct dpl__mechanism_target *all, const struct dpl__shape_file *from,
                          struct dpl_sim_solid *inout_solid);

/* Adds a solid to its body, a mesh perhaps as convex hulls; then `doppel check` says so. Of a mesh
 * that is closed the mass stays that of the mesh. False after an error. */
bool dpl__shape_add(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                    struct dpl__part *body, const struct dpl__shape_file *from,
                    const struct dpl_sim_solid *solid);

/* Reads a <visual>; reader->target is the body. */
void dpl__visual_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Adds a mesh to what the body looks like; one that cannot be read is a warning at `place`. */
void dpl__visual_add(struct dpl_element_reader *reader, struct dpl_place place,
                     struct dpl__part *body, const char *file, const struct dpl_sim_solid *look,
                     double scale);

/* The notes as lines; NULL: there are none. In the arena. */
const char *dpl__notes_text(struct dpl_arena *arena, const struct dpl__list *notes);

#endif
