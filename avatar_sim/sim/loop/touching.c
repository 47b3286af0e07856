/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that touch: see touching.h. */
#include "touching.h"

#include <errno.h>
#include <string.h>

#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>
#include <doppel/sim/state.h>

#include "world_state.h"

static const struct dpl_place nowhere;

static int find_body(const struct dpl_world *world, int robot, const char *body,
                     struct touching_object *ret_object, struct dpl_diag *reterr)
{
    const struct dpl_sim_robot *of = &dpl_world_model(world)->robots[robot];
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(of);
    int number = mechanism ? dpl_mechanism_find_body(mechanism, body) : -1;
    if (number < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "robot '%s' has no body '%s'", of->name, body);
    }
    *ret_object =
        (struct touching_object){dpl_world_state(world)->robots[robot].first_body + number, 1};
    return 0;
}

static int find_obstacle(const struct dpl_sim_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_obstacles; i++) {
        if (strcmp(model->obstacles[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int touching_find(const struct dpl_world *world, const char *name,
                  struct touching_object *ret_object, struct dpl_diag *reterr)
{
    char robot[DPL_SIM_NAME_SIZE];
    size_t n = strcspn(name, "/");
    int number = -1, obstacle = find_obstacle(dpl_world_model(world), name);
    if (n < sizeof robot) {
        memcpy(robot, name, n);
        robot[n] = '\0';
        number = dpl_world_find_robot(world, robot);
    }
    if (number >= 0 && name[n] == '/') {
        return find_body(world, number, name + n + 1, ret_object, reterr);
    }
    if (number >= 0) {
        const struct dpl_sim_span *span = &dpl_world_state(world)->robots[number];
        *ret_object = (struct touching_object){span->first_body, (int)span->n_bodies};
        return span->n_bodies > 0 ? 0
                                  : dpl_fail(reterr, -EINVAL, nowhere, "'%s' has no bodies", name);
    }
    if (name[0] != '\0' && obstacle >= 0) {
        *ret_object = (struct touching_object){-1 - obstacle, 1};
        return 0;
    }
    if (strcmp(name, "ground") == 0) {
        *ret_object = (struct touching_object){0};
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, nowhere,
                    "nothing is called '%s': expected ROBOT/BODY, a robot, an obstacle or ground",
                    name);
}

static bool has(struct touching_object object, int number)
{
    return number >= object.first && number < object.first + object.n;
}

static bool on_ground(const struct dpl_world *world, int first, int n)
{
    bool is = false;
    for (size_t i = 0; i < world->n_subsystems && !is; i++) {
        const struct dpl_subsystem_class *class = world->subsystems[i].class;
        is = class->on_ground && class->on_ground(world, first, n);
    }
    return is;
}

bool touching_is(const struct dpl_world *world, struct touching_object a, struct touching_object b)
{
    if (a.n == 0 || b.n == 0) {
        const struct touching_object *other = a.n == 0 ? &b : &a;
        return on_ground(world, other->first, other->n);
    }
    const struct dpl_sim_contacts *contacts = &dpl_world_state(world)->contacts;
    for (size_t i = 0; i < contacts->n; i++) {
        const struct dpl_sim_contact *pair = &contacts->items[i];
        if ((has(a, pair->a) && has(b, pair->b)) || (has(a, pair->b) && has(b, pair->a))) {
            return true;
        }
    }
    return false;
}
