/* SPDX-License-Identifier: Apache-2.0 */
#include "grip.h"

#include <errno.h>
#include <string.h>

#include <doppel/math/gravity.h>

static const double fastest = 30.0; /* rad/s, of the spring with what it holds */
static const double calm = 0.1;     /* rad, of that in a step: an explicit one stays stable */
static const double weights = 10.0;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double ret[3])
{
    ret[0] = a[1] * b[2] - a[2] * b[1];
    ret[1] = a[2] * b[0] - a[0] * b[2];
    ret[2] = a[0] * b[1] - a[1] * b[0];
}

/* A bound of 1 / mass of a point beside the centre: 1/m and the trace of -[r] I^-1 [r], which is
 * the largest where the body turns about one axis. Joints only make it less. */
static double mobility(const struct dpl_grip_mass *of, const double point[3])
{
    const double *i = of->inertia;
    const double tensor[3][3] = {{i[0], i[3], i[5]}, {i[3], i[1], i[4]}, {i[5], i[4], i[2]}};
    double r[3], columns[3][3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        r[k] = point[k] - of->centre[k];
        cross(tensor[(k + 1) % 3], tensor[(k + 2) % 3], columns[k]);
    }
    double det = dot(tensor[0], columns[0]);
    for (int k = 0; k < 3; k++) {
        double unit[3] = {0.0}, arm[3];
        unit[k] = 1.0;
        cross(r, unit, arm);
        for (int j = 0; j < 3; j++) {
            sum += det > 0.0 ? arm[j] * dot(columns[j], arm) / det : 0.0;
        }
    }
    return 1.0 / of->mass + (det > 0.0 ? sum : 3.0 / of->mass);
}

static void unlink_push(struct dpl_grip *grip, struct dpl_sim_state *state)
{
    struct dpl_sim_push **at = &state->pushes;
    while (*at && *at != &grip->push) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = grip->push.next;
    }
}

int dpl__grip_put(struct dpl_grip *grip, struct dpl_sim_state *state, int body,
                  const struct dpl_grip_mass *of, const double *numbers)
{
    for (int i = 0; i < DPL_GRIP_NUMBERS; i++) {
        if (!isfinite(numbers[i])) {
            return -EINVAL;
        }
    }
    if (!(of->mass > 0.0) || numbers[6] < 0.0) {
        return -EINVAL;
    }
    if (!grip->is_held) {
        grip->push = (struct dpl_sim_push){.next = state->pushes, .body = body};
        state->pushes = &grip->push;
        grip->is_held = true;
    }
    memcpy(grip->push.point, numbers, sizeof grip->push.point);
    memcpy(grip->to, numbers + 3, sizeof grip->to);
    grip->limit = numbers[6] > 0.0 ? numbers[6] : weights * DPL_STANDARD_GRAVITY_M_S2 * of->mass;
    grip->reduced = 1.0 / mobility(of, numbers);
    return 0;
}

void dpl__grip_release(struct dpl_grip *grip, struct dpl_sim_state *state)
{
    if (grip->is_held) {
        unlink_push(grip, state);
        *grip = (struct dpl_grip){.is_held = false};
    }
}

void dpl__grip_pull(struct dpl_grip *grip, const struct dpl_sim_state *state, double dt)
{
    const struct dpl_sim_bodies *bodies = &state->bodies;
    int body = grip->push.body;
    double rate = fmin(fastest, calm / dt), arm[3], turning[3], force[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = dot(bodies->rotation[body][i], grip->push.point);
    }
    cross(bodies->angular[body], arm, turning);
    for (int i = 0; i < 3; i++) {
        double apart = grip->to[i] - bodies->position[body][i] - arm[i];
        double speed = bodies->velocity[body][i] + turning[i];
        force[i] = grip->reduced * (rate * rate * apart - 4.0 * rate * speed);
    }
    double size = sqrt(dot(force, force)), share = size > grip->limit ? grip->limit / size : 1.0;
    for (int i = 0; i < 3; i++) {
        grip->push.force[i] = share * force[i];
    }
}
