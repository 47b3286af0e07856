/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of requests and results as values of channels, and how near a robot comes. */
#include <math.h>
#include <string.h>

#include <doppel/sim/state.h>

#include "ahead_parts.h"

int ahead_put(const struct dpl_sim_ahead *ahead, const struct dpl_ahead_put *put)
{
    const struct ahead_channel *channel = &ahead->puts[put->channel];
    union {
        double numbers[DPL_AHEAD_VALUE_MAX];
        int64_t integers[DPL_AHEAD_VALUE_MAX];
        bool flags[DPL_AHEAD_VALUE_MAX];
    } value = {{0}};
    for (uint32_t i = 0; i < channel->desc->size; i++) {
        if (channel->desc->type == &dpl_channel_integer) {
            value.integers[i] = dpl_whole(put->value[i]);
        } else if (channel->desc->type == &dpl_channel_flag) {
            value.flags[i] = put->value[i] != 0.0;
        } else {
            value.numbers[i] = put->value[i];
        }
    }
    return dpl_world_channels_put(ahead->channels, channel->number, &value);
}

void ahead_read(const struct dpl_sim_ahead *ahead, double *ret_elements)
{
    double value[DPL_AHEAD_ELEMENTS_MAX];
    dpl_ns stamp;
    for (size_t i = 0; i < ahead->n_reads; i++) {
        const struct ahead_channel *channel = &ahead->reads[i];
        int err = dpl_world_channels_get(ahead->channels, channel->number, value, &stamp);
        for (uint32_t k = 0; k < channel->desc->size; k++) {
            *ret_elements++ = err < 0 ? (double)NAN : dpl_channel_element(channel->desc, value, k);
        }
    }
}

/* Whether no point of an obstacle can be nearer to the robot than `least`. */
static bool is_far(const struct dpl_footprint *mine, const struct dpl_footprint *other,
                   double least)
{
    double reach = dpl__footprint_reach(mine) + dpl__footprint_reach(other) + least;
    double dx = mine->x - other->x, dy = mine->y - other->y;
    return dx * dx + dy * dy >= reach * reach;
}

double ahead_clearance(const struct dpl_sim_ahead *ahead, double most)
{
    const struct dpl_sim_state *state = dpl_world_state(ahead->world);
    struct dpl_pose2 pose = dpl_sim_body_pose2(state, state->robots[ahead->robot].first_body);
    size_t n = dpl_world_model(ahead->world)->n_obstacles;
    double least = most;
    for (size_t i = 0; i < ahead->n_shapes; i++) {
        struct dpl_footprint mine = dpl__footprint_at(&ahead->robots[i], pose);
        for (size_t k = 0; k < n; k++) {
            if (!is_far(&mine, &ahead->standing[k], least)) {
                least = fmin(least, dpl__footprint_gap(&mine, &ahead->standing[k], NULL));
            }
        }
    }
    return least;
}
