/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that a mechanism will have in a world, from its description: so that a file that
 * names one can be checked without a world. */
#ifndef DOPPEL_SIM_CHANNEL_NAMES_H
#define DOPPEL_SIM_CHANNEL_NAMES_H

#include <doppel/channel.h>

#include "object_xml.h"

struct dpl__channel_name {
    const char *path; /* from the robot on, in the arena */
    const struct dpl_channel_type *type;
    enum dpl_channel_dir dir;
};

/* Adds all that the mechanism will have as channels to a list of struct dpl__channel_name. */
void dpl__channel_names(struct dpl_arena *arena, const struct dpl__mechanism_target *target,
                        struct dpl__list *list);

/* The channel of that path, compared as dpl_name_equal does; NULL. */
const struct dpl__channel_name *dpl__channel_name_find(const struct dpl__list *list,
                                                       const char *path);

/* The path that is nearest to one that there is not, for errors; NULL: none is near. */
const char *dpl__channel_name_nearest(struct dpl_arena *arena, const struct dpl__list *list,
                                      const char *path);

#endif
