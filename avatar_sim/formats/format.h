/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of files, each a const table: checks and schemas walk their list. */
#ifndef DOPPEL_SIM_FORMAT_H
#define DOPPEL_SIM_FORMAT_H

#include "classes.h"
#include "element.h"

struct dpl_format {
    const char *root; /* element of its files, for what was probably meant */
    /* Whether a file is of this format, by its name and its root. `node`: the root; NULL: the file
     * has not been read yet, or is no XML. */
    bool (*is_mine)(const char *file, const char *root, const struct dpl_xml_node *node);
    /* Reads a file and what it names: as dpl_sim_check. NULL: another format's call does this. */
    int (*check)(struct dpl_arena *arena, const char *file,
                 const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                 const char **ret_about);
    /* Its root with all that may be in it, in the arena. NULL: it has no schema. */
    struct dpl_element_root (*schema)(struct dpl_arena *arena, const struct dpl__classes *classes);
};

/* All formats (gates/list.c); ends with NULL. */
extern const struct dpl_format *const dpl__formats[];

extern const struct dpl_format dpl__world_format, dpl__robot_format, dpl__mechanism_format,
    dpl__object_format, dpl__import_format;

#endif
