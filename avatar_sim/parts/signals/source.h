/* SPDX-License-Identifier: Apache-2.0 */
/* What a signal reads and writes: channels of its own mechanism, named in an attribute. The reader
 * has checked the names (DPL_ELEMENT_READS and DPL_ELEMENT_PUTS, element.h). */
#ifndef DOPPEL_SIM_SOURCE_H
#define DOPPEL_SIM_SOURCE_H

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>

enum { DPL__SOURCE_TEXT = 512 }; /* of an attribute that names channels */

/* A channel that is a number, an integer or a flag. */
struct dpl__source {
    const struct dpl_channel_row *row; /* NULL: none is named */
    int id;
    bool is_inverted; /* a flag: its name begins with ! */
};

/* Finds the channels that `text` names, divided by blanks, on the robot of the site. Takes memory
 * of the world. 0 with *ret_sources of *ret_n, -ENOMEM, or -EINVAL with reterr. */
int dpl__sources_find(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                      const char *text, bool put, struct dpl__source **ret_sources, size_t *ret_n,
                      struct dpl_diag *reterr);

/* The same for at most one; "" is none. */
int dpl__source_find(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                     const char *text, bool put, struct dpl__source *ret_source,
                     struct dpl_diag *reterr);

/* The same for exactly one: none is an error. */
int dpl__source_need(const struct dpl_sim_site *site, const struct dpl_world_channels *channels,
                     const char *text, bool put, struct dpl__source *ret_source,
                     struct dpl_diag *reterr);

/* The value: of a flag 0 or 1. False: there is none yet. */
bool dpl__source_get(const struct dpl__source *source, const struct dpl_world *world,
                     double *ret_value);

/* Whether a flag is on, or a number is not 0; with ! it is the other way. Without a value, and
 * without a channel, false in any case. */
bool dpl__source_is_on(const struct dpl__source *source, const struct dpl_world *world);

/* Puts a value into an input of any of the three types. */
void dpl__source_put(const struct dpl__source *source, struct dpl_world *world, double value);

#endif
