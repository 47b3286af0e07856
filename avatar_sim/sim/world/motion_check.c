/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a world still moves as it should: dpl_world_check_motion. */
#include <doppel/sim/world.h>

#include <errno.h>
#include <math.h>

#include <doppel/sim/subsystem.h>

#include "world_state.h"

/* Also of what is not a number. Behind a clamp, a speed may be a part of the limit. */
static bool is_at_limit(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(values[i]) < 0.1 * DPL_SIM_SPEED_MAX)) {
            return true;
        }
    }
    return false;
}

static int tell(const struct dpl_world *world, int body, const char *what, struct dpl_diag *reterr)
{
    const struct dpl_sim_state *state = &world->state;
    size_t robot = 0;
    while (robot + 1 < state->n_robots &&
           body >= state->robots[robot].first_body + (int)state->robots[robot].n_bodies) {
        robot++;
    }
    return dpl_fail(
        reterr, -ERANGE, (struct dpl_place){0},
        "robot '%s': the motion of body %d %s at %g s; try shorter steps, and check the model "
        "with `doppel check`",
        world->model->robots[robot].name, body - state->robots[robot].first_body, what,
        dpl_ns_to_s(world->now));
}

static int check_bodies(const struct dpl_world *world, struct dpl_diag *reterr)
{
    const struct dpl_sim_bodies *bodies = &world->state.bodies;
    for (size_t i = 0; i < bodies->n; i++) {
        const double *at = bodies->position[i];
        if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
            return tell(world, (int)i, "is not a number", reterr);
        }
        if (is_at_limit(bodies->velocity[i], 3) || is_at_limit(bodies->angular[i], 3)) {
            return tell(world, (int)i, "is at the largest speed that there is", reterr);
        }
    }
    return 0;
}

static int check_joints(const struct dpl_world *world, struct dpl_diag *reterr)
{
    const struct dpl_sim_state *state = &world->state;
    for (size_t r = 0; r < state->n_robots; r++) {
        const struct dpl_sim_span *span = &state->robots[r];
        if (span->n_joints > 0 &&
            is_at_limit(&state->joints.velocity[span->first_joint], span->n_joints)) {
            return dpl_fail(reterr, -ERANGE, (struct dpl_place){0},
                            "robot '%s': a joint is at the largest speed that there is at %g s; "
                            "try shorter steps, and check the model with `doppel check`",
                            world->model->robots[r].name, dpl_ns_to_s(world->now));
        }
    }
    return 0;
}

int dpl_world_check_motion(const struct dpl_world *world, struct dpl_diag *reterr)
{
    int err = check_bodies(world, reterr);
    err = err ? err : check_joints(world, reterr);
    for (size_t i = 0; i < world->n_subsystems && err == 0; i++) {
        const struct dpl_subsystem_class *class = world->subsystems[i].class;
        int body = class->overturned ? class->overturned(world->subsystems[i].data) : -1;
        if (body >= 0) {
            err = tell(world, body, "is a turn by more than 45 deg in a step", reterr);
        }
    }
    return err;
}
