/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws of restraints. */
#ifndef DOPPEL_STAR_LAWS_H
#define DOPPEL_STAR_LAWS_H

#include "reader.h"

/* What a law is a function of. */
struct dpl__star_argument {
    bool turns;      /* an angle, else a length */
    bool is_of_rate; /* or its rate */
};

/* "coefficients" and "knot_points" of a restraint; the lists are of the reader's arena. False: an
 * error was reported. */
bool dpl__star_read_law(struct dpl__star_reader *reader, struct dpl__star_node node,
                        struct dpl__star_argument argument, struct dpl_mb_piecewise *ret_law);

/* One polynomial whose powers rise, as joints have. */
bool dpl__star_read_rising(struct dpl__star_reader *reader, struct dpl__star_node node,
                           struct dpl__star_argument argument, struct dpl_mb_piecewise *ret_law);

#endif
