/* SPDX-License-Identifier: Apache-2.0 */
/* What avatar links read of a robot in a model. This file goes, and the members that it fills, when
 * links use channels only. */
#include <doppel/sim/mobile.h>

#include "arena.h"
#include "laser.h"
#include "machine_xml.h"
#include "mobile_state.h"
#include "robot_xml.h"

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static void view_lasers(struct dpl_arena *memory, struct dpl_sim_robot *robot)
{
    struct dpl_sim_laser *lasers = dpl_arena_alloc(memory, DPL_SIM_LASERS_MAX * sizeof *lasers);
    robot->n_lasers = 0;
    for (size_t i = 0; i < robot->n_entries && robot->n_lasers < DPL_SIM_LASERS_MAX; i++) {
        if (robot->entries[i].class == &dpl_laser) {
            lasers[robot->n_lasers++] = *(const struct dpl_sim_laser *)robot->entries[i].settings;
        }
    }
    robot->lasers = lasers;
}

void dpl__robot_view(struct dpl_arena *memory, struct dpl_sim_robot *robot)
{
    robot->is_machine = robot->subsystem == &dpl_axes_subsystem;
    if (robot->is_machine) {
        robot->machine = *(const struct dpl_sim_machine *)robot->part;
    }
    const struct dpl_sim_mobile *base = dpl__mobile_part(robot);
    robot->wheels = base ? base->wheels : NULL;
    robot->n_wheels = base ? at_most(base->n_wheels, DPL_SIM_WHEELS_MAX) : 0;
    view_lasers(memory, robot);
}
