/* SPDX-License-Identifier: Apache-2.0 */
/* The list of formats (check.c), which worlds, checks and schemas walk. */
#ifndef DOPPEL_SIM_FORMATS_H
#define DOPPEL_SIM_FORMATS_H

#include <doppel/sim/format.h>

#include "classes.h"

/* What is built in (gates/list.c); ends with NULL. */
extern const struct dpl_format *const dpl__formats[];

extern const struct dpl_format dpl__world_format, dpl__robot_format, dpl__mechanism_format,
    dpl__object_format, dpl__urdf_format, dpl__sdf_format, dpl__star_format;

/* The format of a file; NULL: none. The arguments are those of is_mine. */
const struct dpl_format *dpl__format_of(const struct dpl_format *const *formats, const char *file,
                                        const char *root, const struct dpl_xml_node *node);

/* dpl_sim_check of a file that its format makes a mechanism of, with the defaults of its settings.
 */
int dpl__format_check(const struct dpl_format *format, struct dpl_arena *arena, const char *file,
                      struct dpl_diags *diags, const char **ret_about);

/* dpl_sim_check of a file of whatever world. */
int dpl__world_check(struct dpl_arena *arena, const char *file,
                     const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                     const char **ret_about);

#endif
