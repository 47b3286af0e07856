/* SPDX-License-Identifier: Apache-2.0 */
/* What the drivers of range finders share: the names of their sensors. Pure. */
#ifndef RANGE_NAMES_H
#define RANGE_NAMES_H

#include <doppel/diag.h>
#include <doppel/drv/range.h>
#include <doppel/protocol/range_line.h>

#include "avatar_link.h"

struct range_names {
    char ranges[DPL_RANGE_MAX][DPL_RANGE_ID_SIZE], contacts[DPL_RANGE_MAX][DPL_RANGE_ID_SIZE];
    size_t n_ranges, n_contacts;
};

struct range_properties {
    char ranges[DPL_RANGE_MAX * DPL_RANGE_ID_SIZE], contacts[DPL_RANGE_MAX * DPL_RANGE_ID_SIZE];
};

#define RANGE_NAMES_FIELDS(struct_, member_)                                                       \
    DPL_TEXT_CHECKED(struct_, member_.ranges, "Ranges", "front left right", range_names_check,     \
                     "names of the range finders, in the order in which they are published"),      \
        DPL_TEXT_CHECKED(struct_, member_.contacts, "Contacts", "bumper", range_names_check,       \
                         "names of the bumpers; empty: it has none")

/* At most DPL_RANGE_MAX different names of letters, digits and _, with spaces between: 0, or
 * -EINVAL with reterr. */
int range_names_check(const char *text, struct dpl_diag *reterr);

/* Of texts that were checked. */
struct range_names range_names_of(const char *ranges, const char *contacts);

#define RANGE_WANTS_MAX (3 * DPL_RANGE_MAX)

/* The channels of a world's <range_finder> and <contact> of these names, to be found into the
 * arrays of DPL_RANGE_MAX: how many wants there are. */
size_t range_names_wants(const struct range_names *names, struct dpl_channel *distance,
                         struct dpl_channel *seen, struct dpl_channel *on,
                         struct avatar_want ret_wants[RANGE_WANTS_MAX]);

/* A sample without a measurement. */
struct dpl_range_sample range_names_no_sample(const struct range_names *names);

/* Puts what a line says into the sample. False: it is of a sensor that has no name here. */
bool range_names_apply(const struct range_names *names, const struct dpl_range_line *line,
                       dpl_ns stamp, struct dpl_range_sample *inout);

#endif
