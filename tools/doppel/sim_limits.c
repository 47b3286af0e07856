/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_limits.h"

#include <stdio.h>

size_t sim_limits_note(const struct dpl_world *world, char (*ret_texts)[DPL_SIM_LIMIT_TEXT],
                       size_t max)
{
    const struct dpl_sim_limit_count *count;
    size_t n = 0;
    for (size_t i = 0; n < max && (count = dpl_world_limit(world, i)); i++) {
        if (dpl_world_limit_matters(world, count)) {
            dpl_world_limit_describe(world, count, ret_texts[n++]);
        }
    }
    return n;
}

void sim_limits_tell(const struct dpl_world *world)
{
    char texts[32][DPL_SIM_LIMIT_TEXT];
    size_t n = sim_limits_note(world, texts, sizeof texts / sizeof *texts);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "note: %s\n", texts[i]);
    }
}

json_t *sim_limits_describe(const struct dpl_world *world)
{
    const struct dpl_sim_limit_count *count;
    json_t *list = json_array();
    for (size_t i = 0; (count = dpl_world_limit(world, i)); i++) {
        if (count->total > 0) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "robot",
                                                  count->robot, "entry", count->entry, "limit",
                                                  count->limit.name, "value", count->limit.value,
                                                  "total_s", dpl_ns_to_s(count->total), "longest_s",
                                                  dpl_ns_to_s(count->stretch), "first_s",
                                                  dpl_ns_to_s(count->first)));
        }
    }
    return list;
}
