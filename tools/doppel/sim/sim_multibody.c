/* SPDX-License-Identifier: Apache-2.0 */
/* Robots in STAR's format: see sim_multibody.h. */
#include "sim_multibody.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/multibody_world.h>

void sim_print_structures(const struct sim_loaded *loaded)
{
    for (size_t i = 0; i < loaded->model->n_robots; i++) {
        struct dpl_arena arena = {0};
        const struct dpl_mb_graph *graph = NULL;
        const struct dpl_mb_system *system = dpl_world_multibody(loaded->world, (int)i, &graph);
        if (system) {
            printf("\nrobot '%s': %s", loaded->model->robots[i].name,
                   dpl_sim_describe_multibody(&arena, graph, system));
        }
        dpl_arena_finish(&arena);
    }
}

int sim_check_stops(const struct dpl_world *world, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < dpl_world_model(world)->n_robots; i++) {
        double time;
        char path[256];
        struct dpl_place place;
        if (dpl_world_multibody_stopped(world, (int)i, &time, &place, path, sizeof path)) {
            return dpl_fail(reterr, -EDOM, place,
                            "robot '%s': the loop of joint '%s' stopped at %g s, in a singular "
                            "pose or with forces too large for the step; what it did since then is "
                            "no motion. Shorter steps or another integrator may help",
                            dpl_world_model(world)->robots[i].name, path, time);
        }
    }
    return 0;
}

/* One warning for the events of a type. */
static void warn(const struct dpl_world *world, size_t robot, enum dpl_mb_event_type type,
                 const char *what)
{
    double time;
    char path[256];
    struct dpl_diag diag = {.severity = DPL_SEVERITY_WARNING};
    int64_t n =
        dpl_world_multibody_told(world, (int)robot, type, &time, &diag.place, path, sizeof path);
    if (n == 0) {
        return;
    }
    snprintf(diag.text, sizeof diag.text,
             "robot '%s': the loop of joint '%.200s' %s, first at %g s (%lld time%s)",
             dpl_world_model(world)->robots[robot].name, path, what, time, (long long)n,
             n > 1 ? "s" : "");
    dpl_diag_print(stderr, &diag);
}

void sim_warn_of_loops(const struct dpl_world *world)
{
    for (size_t i = 0; i < dpl_world_model(world)->n_robots; i++) {
        warn(world, i, DPL_MB_EVENT_PASSED,
             "went through a singular pose, where other motions begin, and stayed on its own");
        warn(world, i, DPL_MB_EVENT_COARSE,
             "turned too far in a step of the integrator semi_implicit, which does not keep its "
             "energy there, as near a singular pose: rk4 does, shorter steps lose less");
        warn(world, i, DPL_MB_EVENT_INCONSISTENT,
             "does not hold: a joint that did not count at the start is open");
    }
}

/* ---- --save ---- */

int sim_star_robot(const struct sim_loaded *loaded)
{
    int found = -1;
    for (size_t i = 0; i < loaded->model->n_robots; i++) {
        if (dpl_sim_robot_star(&loaded->model->robots[i])) {
            found = found < 0 ? (int)i : -2;
        }
    }
    return found < 0 ? -1 : found;
}

static size_t count(const struct sim_loaded *loaded)
{
    size_t n = 0;
    for (size_t i = 0; i < loaded->model->n_robots; i++) {
        n += dpl_sim_robot_star(&loaded->model->robots[i]) != NULL;
    }
    return n;
}

int sim_star_check(const struct sim_loaded *loaded, const char *option, struct dpl_diag *reterr)
{
    return sim_star_robot(loaded) < 0
               ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "--%s: the world has %zu robots in STAR's format, expected one", option,
                          count(loaded))
               : 0;
}

int sim_save_check(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr)
{
    size_t n = file ? strlen(file) : 0;
    if (file && (n < 6 || strcmp(file + n - 5, ".json") != 0)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--save: found '%s', expected a file that ends in .json", file);
    }
    return file ? sim_star_check(loaded, "save", reterr) : 0;
}

int sim_save(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr)
{
    return file ? dpl_world_save_star(loaded->world, sim_star_robot(loaded), file, reterr) : 0;
}
