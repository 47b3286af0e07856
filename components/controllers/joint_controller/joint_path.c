/* SPDX-License-Identifier: Apache-2.0 */
/* Waypoints and the movements between them: see joint_path.h. */
#include "joint_path.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/number_rows.h>

static int fail(const char *text, const char *at, const char *what, struct waypoints_error *reterr)
{
    *reterr = (struct waypoints_error){.offset = (size_t)(at - text), .what = what};
    return -EINVAL;
}

/* Of a time in s, and of a position in rad or m: sums and products of them stay numbers. */
#define VALUE_MAX 1e6

static bool are_small(const double *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (fabs(row[i]) > VALUE_MAX) {
            return false;
        }
    }
    return true;
}

/* Adds a row of `n` numbers; what is wrong with it, or NULL. */
static const char *add(struct waypoints *list, const double *row, size_t n)
{
    if (list->n == WAYPOINTS_MAX) {
        return "too many waypoints (at most 256)";
    }
    if (!are_small(row, n)) {
        return "a number is at most 1e6: s, rad or m";
    }
    if (list->n > 0 && n - 1 != list->n_joints) {
        return "a waypoint has as many joints as the first one";
    }
    if (row[0] <= (list->n > 0 ? list->t_s[list->n - 1] : 0.0)) {
        return "times must be above 0 and increase: the way to a waypoint takes time";
    }
    list->n_joints = n - 1;
    list->t_s[list->n] = row[0];
    memcpy(list->position[list->n], row + 1, (n - 1) * sizeof *row);
    list->n++;
    return NULL;
}

int waypoints_parse(struct waypoints *ret, const char *text, struct waypoints_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    double row[1 + JOINT_PATH_MAX];
    int n;
    ret->n = ret->n_joints = 0;
    while ((n = dpl_rows_next(&rows, 2, 1 + JOINT_PATH_MAX, row)) > 0) {
        const char *what = add(ret, row, (size_t)n);
        if (what) {
            return fail(text, rows.row, what, reterr);
        }
    }
    return n < 0 ? fail(text, rows.at,
                        rows.surplus ? "a number or the end of the row is expected (at most 32 "
                                       "joints)"
                                     : "a number is expected: a time in s, and a position of each "
                                       "joint",
                        reterr)
                 : 0;
}

/* With h = to - from, T the duration and u = t / T the quintic from (from, v, 0) to (to, 0, 0) is
 * from + v t + (10 h - 6 v T) u^3 + (8 v T - 15 h) u^4 + (6 h - 3 v T) u^5. */
double joint_move_at(const struct joint_move *move, size_t i, double t_s, double *ret_velocity)
{
    double way = move->to[i] - move->from[i], glide = move->velocity[i] * move->duration_s;
    double u = t_s / move->duration_s;
    u = u < 0.0 ? 0.0 : u;
    if (u >= 1.0) { /* exactly there */
        if (ret_velocity) {
            *ret_velocity = 0.0;
        }
        return move->to[i];
    }
    double c3 = 10.0 * way - 6.0 * glide, c4 = 8.0 * glide - 15.0 * way,
           c5 = 6.0 * way - 3.0 * glide;
    if (ret_velocity) {
        double rate = glide + u * u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5));
        *ret_velocity = rate / move->duration_s;
    }
    return move->from[i] + u * (glide + u * u * (c3 + u * (c4 + u * c5)));
}

/* ---- following ---- */

/* The movement to waypoint `target`, from where the one before ended. */
static void aim(struct joint_follower *follower, size_t target, const double *from, dpl_ns began)
{
    const struct waypoints *list = follower->list;
    double before_s = target > 0 ? list->t_s[target - 1] : 0.0;
    size_t bytes = list->n_joints * sizeof(double);
    struct joint_move move = {.n_joints = list->n_joints};
    memcpy(move.from, from, bytes);
    memcpy(move.to, list->position[target], bytes);
    follower->target = target;
    follower->began = began;
    follower->duration = dpl_ns_from_s(list->t_s[target]) - dpl_ns_from_s(before_s);
    follower->duration = follower->duration > 0 ? follower->duration : 1;
    move.duration_s = dpl_ns_to_s(follower->duration);
    follower->move = move;
}

void joint_follower_begin(struct joint_follower *follower, const struct waypoints *list,
                          bool repeats, const double *from, dpl_ns now)
{
    follower->list = list;
    follower->repeats = repeats;
    aim(follower, 0, from, now);
}

void joint_follower_move(struct joint_follower *follower, const struct joint_move *move, dpl_ns now)
{
    *follower = (struct joint_follower){.move = *move, .began = now};
    follower->duration = dpl_ns_from_s(move->duration_s);
}

/* Goes on to the next waypoint; false: there is none. */
static bool go_on(struct joint_follower *follower)
{
    if (!follower->list) {
        return false;
    }
    bool is_last = follower->target + 1 == follower->list->n;
    if (is_last && !follower->repeats) {
        return false;
    }
    double from[JOINT_PATH_MAX];
    memcpy(from, follower->move.to, sizeof from);
    aim(follower, is_last ? 0 : follower->target + 1, from, follower->began + follower->duration);
    return true;
}

bool joint_follower_step(struct joint_follower *follower, dpl_ns at, double *ret_position,
                         double *ret_velocity)
{
    bool moves = true;
    while (moves && at - follower->began >= follower->duration) {
        moves = go_on(follower);
    }
    double t_s = moves ? dpl_ns_to_s(at - follower->began) : follower->move.duration_s;
    for (size_t i = 0; i < follower->move.n_joints; i++) {
        ret_position[i] = joint_move_at(&follower->move, i, t_s, &ret_velocity[i]);
    }
    return moves;
}
