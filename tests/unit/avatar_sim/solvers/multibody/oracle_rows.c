/* SPDX-License-Identifier: Apache-2.0 */
/* Places, twists of two frames, and motions that joints allow. */
#include "oracle_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/linear.h>

void oracle_cross(const double a[3], const double b[3], double ret[3])
{
    const double result[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    memcpy(ret, result, sizeof result);
}

void oracle_turn(const double matrix[9], const double v[3], double ret[3])
{
    const double result[3] = {dpl_dot(matrix, v, 3), dpl_dot(&matrix[3], v, 3),
                              dpl_dot(&matrix[6], v, 3)};
    memcpy(ret, result, sizeof result);
}

void oracle_turn_back(const double matrix[9], const double v[3], double ret[3])
{
    double result[3] = {0.0};
    for (int i = 0; i < 9; i++) {
        result[i % 3] += matrix[i] * v[i / 3];
    }
    memcpy(ret, result, sizeof result);
}

/* ---- places ---- */

struct dpl_mb_place oracle_compose(const struct dpl_mb_place *a, const struct dpl_mb_place *b)
{
    struct dpl_mb_place result;
    for (int i = 0; i < 9; i++) {
        const double column[3] = {b->rotation[i % 3], b->rotation[3 + i % 3],
                                  b->rotation[6 + i % 3]};
        result.rotation[i] = dpl_dot(&a->rotation[3 * (i / 3)], column, 3);
    }
    oracle_turn(a->rotation, b->position, result.position);
    for (int i = 0; i < 3; i++) {
        result.position[i] += a->position[i];
    }
    return result;
}

struct dpl_mb_place oracle_inverse(const struct dpl_mb_place *a)
{
    struct dpl_mb_place result;
    for (int i = 0; i < 9; i++) {
        result.rotation[i] = a->rotation[3 * (i % 3) + i / 3];
    }
    oracle_turn(result.rotation, a->position, result.position);
    for (int i = 0; i < 3; i++) {
        result.position[i] = -result.position[i];
    }
    return result;
}

/* About a vector, by its length (Rodrigues). */
static struct dpl_mb_place turned(double x, double y, double z)
{
    struct dpl_mb_place result = dpl_mb_place_identity;
    double angle = sqrt(x * x + y * y + z * z);
    double one = angle > 1e-8 ? sin(angle) / angle : 1.0;
    double two = angle > 1e-8 ? (1.0 - cos(angle)) / (angle * angle) : 0.5;
    const double v[3] = {x, y, z};
    const double across[9] = {0.0, -z, y, z, 0.0, -x, -y, x, 0.0};
    for (int i = 0; i < 9; i++) {
        double square = v[i / 3] * v[i % 3] - (i % 4 == 0 ? angle * angle : 0.0);
        result.rotation[i] += one * across[i] + two * square;
    }
    return result;
}

struct dpl_mb_place oracle_displaced(const struct dpl_mb_joint *joint)
{
    const double *q = joint->displacement;
    struct dpl_mb_place it = dpl_mb_place_identity, second;
    switch (joint->type) {
    case DPL_MB_RX: return turned(q[0], 0.0, 0.0);
    case DPL_MB_RY: return turned(0.0, q[0], 0.0);
    case DPL_MB_RZ: return turned(0.0, 0.0, q[0]);
    case DPL_MB_TX:
    case DPL_MB_TY:
    case DPL_MB_TZ: it.position[joint->type - DPL_MB_TX] = q[0]; return it;
    case DPL_MB_CYLINDRICAL:
        it = turned(0.0, 0.0, q[1]);
        it.position[2] = q[0];
        return it;
    case DPL_MB_UNIVERSAL:
        it = turned(q[0], 0.0, 0.0);
        second = turned(0.0, q[1], 0.0);
        return oracle_compose(&it, &second);
    case DPL_MB_PLANAR:
        it = turned(0.0, 0.0, q[2]);
        it.position[0] = q[0];
        it.position[1] = q[1];
        return it;
    case DPL_MB_SPHERICAL: return turned(q[0], q[1], q[2]);
    case DPL_MB_SCREW:
        it = turned(0.0, 0.0, q[0]);
        it.position[2] = joint->pitch * q[0];
        return it;
    case DPL_MB_RIGID:
    case DPL_MB_FLOAT:
    case DPL_MB_JOINT_TYPES: break;
    }
    return joint->place;
}

void oracle_place(const struct dpl_mb_graph *graph, struct oracle_body *ret_bodies)
{
    bool *done = calloc(graph->n_bodies, sizeof *done);
    cr_assert_not_null(done);
    memset(ret_bodies, 0, graph->n_bodies * sizeof *ret_bodies);
    for (size_t i = 0; i < graph->n_bodies; i++) {
        ret_bodies[i].place = dpl_mb_place_identity;
    }
    done[0] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < graph->n_joints; i++) {
            const struct dpl_mb_joint *joint = &graph->joints[i];
            const struct dpl_mb_frame *first = &graph->frames[joint->frames[0]];
            const struct dpl_mb_frame *second = &graph->frames[joint->frames[1]];
            if (done[first->body] == done[second->body] ||
                !dpl_mb_is_active(graph, DPL_MB_JOINT, (int)i)) {
                continue;
            }
            struct dpl_mb_place across = oracle_displaced(joint);
            bool is_back = done[second->body];
            const struct dpl_mb_frame *from = is_back ? second : first,
                                      *to = is_back ? first : second;
            across = is_back ? oracle_inverse(&across) : across;
            struct dpl_mb_place it = oracle_compose(&ret_bodies[from->body].place, &from->in_body);
            struct dpl_mb_place inward = oracle_inverse(&to->in_body);
            it = oracle_compose(&it, &across);
            ret_bodies[to->body].place = oracle_compose(&it, &inward);
            done[to->body] = more = true;
        }
    }
    free(done);
}

/* The vector of a turn by less than half a turn. */
static void vector_of(const double r[9], double ret[3])
{
    const double twice[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    double sine = 0.5 * sqrt(dpl_dot(twice, twice, 3));
    double angle = atan2(sine, 0.5 * (r[0] + r[4] + r[8] - 1.0));
    for (int i = 0; i < 3; i++) {
        ret[i] = 0.5 * twice[i] * (sine > 1e-8 ? angle / sine : 1.0);
    }
}

/* About one of the axes, which the turn leaves where it is. */
static double angle_about(const double r[9], int axis)
{
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    return atan2(r[3 * k + j], r[3 * j + j]);
}

void oracle_displacement(const struct dpl_mb_joint *joint, const struct dpl_mb_place *place,
                         double ret[3])
{
    const double *r = place->rotation, *p = place->position;
    double result[3] = {0.0};
    switch (joint->type) {
    case DPL_MB_RX:
    case DPL_MB_RY:
    case DPL_MB_RZ: result[0] = angle_about(r, (int)(joint->type - DPL_MB_RX)); break;
    case DPL_MB_TX:
    case DPL_MB_TY:
    case DPL_MB_TZ: result[0] = p[joint->type - DPL_MB_TX]; break;
    case DPL_MB_CYLINDRICAL:
        result[0] = p[2];
        result[1] = angle_about(r, 2);
        break;
    case DPL_MB_UNIVERSAL:
        result[0] = atan2(r[7], r[4]);
        result[1] = atan2(r[2], r[0]);
        break;
    case DPL_MB_PLANAR:
        result[0] = p[0];
        result[1] = p[1];
        result[2] = angle_about(r, 2);
        break;
    case DPL_MB_SPHERICAL: vector_of(r, result); break;
    case DPL_MB_SCREW: result[0] = angle_about(r, 2); break;
    case DPL_MB_RIGID:
    case DPL_MB_FLOAT:
    case DPL_MB_JOINT_TYPES: break;
    }
    memcpy(ret, result, sizeof result);
}

/* ---- two frames ---- */

/* Adds sign * (what a body does at the end of `arm`): its rate, and what its rotation adds. */
static void add_side(const struct oracle_body *body, const double arm[3], double sign,
                     double twist[6], double bias[6])
{
    double speed[3], inward[3];
    oracle_cross(body->angular, arm, speed);
    oracle_cross(body->angular, speed, inward);
    for (int i = 0; i < 3; i++) {
        twist[i] += sign * body->angular[i];
        twist[3 + i] += sign * (body->velocity[i] + speed[i]);
        bias[3 + i] += sign * inward[i];
    }
}

void oracle_pair(const struct dpl_mb_graph *graph, const struct oracle_body *bodies,
                 const int frames[2], struct pair *ret_pair)
{
    struct dpl_mb_place places[2];
    double twist[6] = {0.0}, bias[6] = {0.0}, turning[3], coriolis[3];
    for (int k = 0; k < 2; k++) {
        const struct dpl_mb_frame *frame = &graph->frames[frames[k]];
        ret_pair->bodies[k] = frame->body;
        places[k] = oracle_compose(&bodies[frame->body].place, &frame->in_body);
    }
    memcpy(ret_pair->axes, places[0].rotation, sizeof ret_pair->axes);
    memcpy(ret_pair->at, places[1].position, sizeof ret_pair->at);
    for (int k = 0; k < 2; k++) {
        const struct oracle_body *body = &bodies[ret_pair->bodies[k]];
        for (int i = 0; i < 3; i++) {
            ret_pair->arms[k][i] = ret_pair->at[i] - body->place.position[i];
        }
        add_side(body, ret_pair->arms[k], k ? 1.0 : -1.0, twist, bias);
    }
    const double *first = bodies[ret_pair->bodies[0]].angular; /* its axes turn so */
    oracle_cross(first, twist, turning);
    oracle_cross(first, &twist[3], coriolis);
    for (int i = 0; i < 3; i++) {
        bias[i] -= turning[i];
        bias[3 + i] -= 2.0 * coriolis[i];
    }
    struct dpl_mb_place back = oracle_inverse(&places[0]);
    ret_pair->place = oracle_compose(&back, &places[1]);
    for (int half = 0; half < 6; half += 3) {
        oracle_turn_back(ret_pair->axes, &twist[half], &ret_pair->twist[half]);
        oracle_turn_back(ret_pair->axes, &bias[half], &ret_pair->bias[half]);
    }
}

void oracle_add_row(const struct pair *pair, const double direction[6], double factor,
                    double *inout_row)
{
    double angular[3], linear[3], lever[3];
    oracle_turn(pair->axes, direction, angular);
    oracle_turn(pair->axes, &direction[3], linear);
    for (int k = 0; k < 2; k++) {
        if (pair->bodies[k] == 0) {
            continue;
        }
        double *row = &inout_row[6 * (pair->bodies[k] - 1)], by = k ? factor : -factor;
        oracle_cross(pair->arms[k], linear, lever);
        for (int i = 0; i < 3; i++) {
            row[i] += by * linear[i];
            row[3 + i] += by * (angular[i] + lever[i]);
        }
    }
}

/* ---- joints ---- */

static void set_columns(const struct dpl_mb_joint *joint, const struct pair *pair,
                        struct motion *motion)
{
    double(*s)[6] = motion->columns, q[3];
    switch (joint->type) {
    case DPL_MB_RX:
    case DPL_MB_RY:
    case DPL_MB_RZ: s[0][joint->type - DPL_MB_RX] = 1.0; break;
    case DPL_MB_TX:
    case DPL_MB_TY:
    case DPL_MB_TZ: s[0][3 + joint->type - DPL_MB_TX] = 1.0; break;
    case DPL_MB_CYLINDRICAL: s[0][5] = s[1][2] = 1.0; break;
    case DPL_MB_UNIVERSAL:
        oracle_displacement(joint, &pair->place, q);
        s[0][0] = 1.0;
        s[1][1] = cos(q[0]);
        s[1][2] = sin(q[0]);
        motion->rates[1][1] = -sin(q[0]) * pair->twist[0];
        motion->rates[1][2] = cos(q[0]) * pair->twist[0];
        break;
    case DPL_MB_PLANAR: s[0][3] = s[1][4] = s[2][2] = 1.0; break;
    case DPL_MB_SPHERICAL: s[0][0] = s[1][1] = s[2][2] = 1.0; break;
    case DPL_MB_SCREW:
        s[0][2] = 1.0;
        s[0][5] = joint->pitch;
        break;
    case DPL_MB_FLOAT: /* linear first */
        s[0][3] = s[1][4] = s[2][5] = s[3][0] = s[4][1] = s[5][2] = 1.0;
        break;
    case DPL_MB_RIGID:
    case DPL_MB_JOINT_TYPES: break;
    }
}

void oracle_motion(const struct dpl_mb_joint *joint, const struct pair *pair,
                   struct motion *ret_motion)
{
    *ret_motion = (struct motion){.n = dpl_mb_joint_freedoms(joint->type)};
    set_columns(joint, pair, ret_motion);
    for (int k = 0; k < ret_motion->n; k++) {
        const double *s = ret_motion->columns[k];
        ret_motion->velocity[k] = dpl_dot(s, pair->twist, 6) / dpl_dot(s, s, 6);
    }
}
