/* SPDX-License-Identifier: Apache-2.0 */
/* Motors that were at their limits while a world ran (doppel/sim/limits.h). */
#ifndef DOPPEL_CLI_SIM_LIMITS_H
#define DOPPEL_CLI_SIM_LIMITS_H

#include <jansson.h>

#include <doppel/sim/limits.h>

/* Writes those that matter to ret_texts, at most `max`, and returns how many there are in it. */
size_t sim_limits_note(const struct dpl_world *world, char (*ret_texts)[DPL_SIM_LIMIT_TEXT],
                       size_t max);

/* Prints a line "note: ..." to standard error for each that matters. */
void sim_limits_tell(const struct dpl_world *world);

/* All that have acted at all, for a summary: {"robot", "entry", "limit", "value", "total_s",
 * "longest_s", "first_s"}. The caller owns the array. */
json_t *sim_limits_describe(const struct dpl_world *world);

#endif
