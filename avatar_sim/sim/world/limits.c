/* SPDX-License-Identifier: Apache-2.0 */
/* See doppel/sim/limits.h. */
#include <doppel/sim/limits.h>

#include <errno.h>
#include <stdio.h>

#include "world_state.h"

static const dpl_ns long_stretch = DPL_S / 2, least_stretch = DPL_S / 10;
static const dpl_ns share_of_time = 10; /* one part of so many */

/* Since the counts began. */
static dpl_ns counted(const struct dpl_world *world)
{
    return world->now - world->limits.since;
}

/* The actuators of a group that have limits. */
static size_t limited_of(const struct dpl__group *group)
{
    return group->class->limits ? group->n : 0;
}

int dpl__limits_build(struct dpl_world *world)
{
    struct dpl__limits *limits = &world->limits;
    size_t n = 0;
    for (size_t g = 0; g < world->n_groups; g++) {
        n += limited_of(&world->groups[g]);
    }
    limits->counts = dpl_world_alloc(world, n * DPL_SIM_LIMITS_MAX, sizeof *limits->counts);
    return limits->counts ? 0 : -ENOMEM;
}

static void count(struct dpl_sim_limit_count *count, const struct dpl_sim_actuator_limit *limit,
                  const struct dpl_world *world)
{
    dpl_ns step = world->model->step;
    count->limit = *limit;
    if (!limit->acts) {
        count->now_stretch = 0;
        return;
    }
    count->first = count->total > 0 ? count->first : counted(world);
    count->total += step;
    count->now_stretch += step;
    count->stretch = count->now_stretch > count->stretch ? count->now_stretch : count->stretch;
}

/* Each actuator has its limits at the same places in every step. */
void dpl__limits_count(struct dpl_world *world)
{
    struct dpl__limits *limits = &world->limits;
    limits->n = 0;
    for (size_t g = 0; g < world->n_groups; g++) {
        const struct dpl__group *group = &world->groups[g];
        for (size_t i = 0; i < limited_of(group); i++) {
            struct dpl_sim_actuator_limit now[DPL_SIM_LIMITS_MAX];
            size_t n = group->class->limits(group->states + i * group->class->state_size, now);
            for (size_t k = 0; k < n; k++) {
                struct dpl_sim_limit_count *at = &limits->counts[limits->n++];
                at->robot = world->model->robots[group->sites[i].robot].name;
                at->entry = group->sites[i].entry->name;
                count(at, &now[k], world);
            }
        }
    }
}

void dpl_world_limits_clear(struct dpl_world *world)
{
    struct dpl__limits *limits = &world->limits;
    for (size_t i = 0; i < limits->n; i++) {
        limits->counts[i] = (struct dpl_sim_limit_count){0};
    }
    limits->n = 0;
    limits->since = world->now;
}

const struct dpl_sim_limit_count *dpl_world_limit(const struct dpl_world *world, size_t i)
{
    return i < world->limits.n ? &world->limits.counts[i] : NULL;
}

bool dpl_world_limit_matters(const struct dpl_world *world, const struct dpl_sim_limit_count *count)
{
    return count->stretch > long_stretch ||
           (count->stretch > least_stretch && count->total > counted(world) / share_of_time);
}

void dpl_world_limit_describe(const struct dpl_world *world,
                              const struct dpl_sim_limit_count *count,
                              char ret_text[DPL_SIM_LIMIT_TEXT])
{
    snprintf(ret_text, DPL_SIM_LIMIT_TEXT,
             "%s/%s was at its limit (%s %.4g %s) for %.4g s of %.4g s, first at %.4g s",
             count->robot, count->entry, count->limit.name, count->limit.value, count->limit.unit,
             dpl_ns_to_s(count->total), dpl_ns_to_s(counted(world)), dpl_ns_to_s(count->first));
}
