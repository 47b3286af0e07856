/* SPDX-License-Identifier: Apache-2.0 */
#include "outlook.h"

#include <math.h>
#include <stdio.h>

#include <doppel/math/linear.h>
#include <doppel/math/random.h>

#define LEAST_VARIANCE 1e-18

static void add_place(struct outlook *outlook, const struct outlook_rollout *rollout)
{
    if (outlook->n_contacts < OUTLOOK_CONTACTS_MAX) {
        struct dpl_pose2 at =
            dpl_pose2_relative(rollout->poses[0], (struct dpl_pose2){rollout->x, rollout->y, 0.0});
        outlook->contacts[outlook->n_contacts][0] = at.x;
        outlook->contacts[outlook->n_contacts++][1] = at.y;
    }
}

/* Way and turn along a rollout, both above 0. */
static void measure_way(const struct outlook_rollout *rollout, double *ret_way, double *ret_turn)
{
    *ret_way = *ret_turn = 0.0;
    for (size_t i = 1; i < rollout->n_poses; i++) {
        const struct dpl_pose2 *a = &rollout->poses[i - 1], *b = &rollout->poses[i];
        *ret_way += dpl_pose2_distance(*a, *b);
        *ret_turn += fabs(dpl_wrap_angle(b->theta - a->theta));
    }
}

static void add_contact(struct outlook *outlook, const struct outlook_rollout *rollout)
{
    add_place(outlook, rollout);
    if (outlook->contact && rollout->touched_s >= outlook->contact_s) {
        return;
    }
    outlook->contact = true;
    outlook->contact_s = rollout->touched_s;
    outlook->x = rollout->x;
    outlook->y = rollout->y;
    measure_way(rollout, &outlook->way_m, &outlook->turn_rad);
    snprintf(outlook->object, sizeof outlook->object, "%s", rollout->object);
}

/* The number of the last pose that all have at the same time; a contact ends a rollout between. */
static size_t last_common(const struct outlook_rollout *rollouts, size_t n)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (rollouts[i].valid) {
            size_t own = rollouts[i].n_poses - 1;
            own -= rollouts[i].touched && own > 0;
            last = own < last ? own : last;
        }
    }
    return last;
}

static void compute_mean(struct outlook *outlook, const struct outlook_rollout *rollouts, size_t n,
                         size_t at)
{
    double x = 0.0, y = 0.0, c = 0.0, s = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (rollouts[i].valid) {
            const struct dpl_pose2 *pose = &rollouts[i].poses[at];
            x += pose->x, y += pose->y, c += cos(pose->theta), s += sin(pose->theta);
            outlook->predicted_s = rollouts[i].pose_s[at];
        }
    }
    double all = (double)outlook->n;
    outlook->predicted = (struct dpl_pose2){x / all, y / all, atan2(s, c)};
}

static void compute_covariance(struct outlook *outlook, const struct outlook_rollout *rollouts,
                               size_t n, size_t at)
{
    for (size_t i = 0; i < n && outlook->n > 1; i++) {
        if (!rollouts[i].valid) {
            continue;
        }
        const struct dpl_pose2 *pose = &rollouts[i].poses[at], *mean = &outlook->predicted;
        double x = pose->x - mean->x, y = pose->y - mean->y,
               t = dpl_wrap_angle(pose->theta - mean->theta);
        const double products[6] = {x * x, x * y, y * y, x * t, y * t, t * t};
        for (int k = 0; k < 6; k++) {
            outlook->covariance[k] += products[k] / (double)(outlook->n - 1);
        }
    }
}

void outlook_make(const struct outlook_rollout *rollouts, size_t n, struct outlook *ret_outlook)
{
    size_t touched = 0;
    *ret_outlook = (struct outlook){.clearance_m = (double)NAN};
    for (size_t i = 0; i < n; i++) {
        if (rollouts[i].valid) {
            ret_outlook->n++;
            ret_outlook->clearance_m = fmin(ret_outlook->clearance_m, rollouts[i].clearance_m);
            if (rollouts[i].touched) {
                touched++;
                add_contact(ret_outlook, &rollouts[i]);
            }
        }
    }
    if (ret_outlook->n > 0) {
        size_t at = last_common(rollouts, n);
        ret_outlook->probability = (double)touched / (double)ret_outlook->n;
        compute_mean(ret_outlook, rollouts, n, at);
        compute_covariance(ret_outlook, rollouts, n, at);
    }
}

#define ON_THE_SPOT_M_S 0.01

double veto_speed(double way, double deceleration, double latency_s)
{
    if (way <= 0.0) {
        return 0.0;
    }
    /* v * latency + v^2 / (2 a) = way */
    double lost = deceleration * latency_s;
    return sqrt(lost * lost + 2.0 * deceleration * way) - lost;
}

static bool slow(double looked_at, double most, double asked, double *ret_value)
{
    bool same_way = looked_at * asked > 0.0;
    if (!same_way || fabs(asked) <= most) {
        return false;
    }
    *ret_value = copysign(most, asked);
    return true;
}

bool veto_command(const struct veto_limits *limits, const struct veto_contact *contact,
                  struct dpl_twist2 asked, struct dpl_twist2 *ret_command)
{
    *ret_command = asked;
    if (fabs(contact->twist.linear) < ON_THE_SPOT_M_S) {
        /* the body's corner has a way of about as many metres as the turn has radians */
        double most = veto_speed(contact->turn_rad - limits->margin_m, limits->deceleration_rad_s2,
                                 limits->latency_s);
        return slow(contact->twist.angular, most, asked.angular, &ret_command->angular);
    }
    double most =
        veto_speed(contact->way_m - limits->margin_m, limits->deceleration_m_s2, limits->latency_s);
    return slow(contact->twist.linear, most, asked.linear, &ret_command->linear);
}

void spread_init(struct spread *spread, size_t n, uint64_t seed)
{
    struct dpl_random rng = dpl_random_named(seed, "look_ahead");
    *spread = (struct spread){.n = n};
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < 5; k++) {
            spread->draws[i][k] = dpl_random_normal(&rng);
        }
    }
}

/* A wheel does not stand or turn back because of a wide sigma. */
static double scale(double sigma, double draw)
{
    return dpl_clamp(1.0 + sigma * draw, 0.5, 1.5);
}

struct spread_start spread_draw(const struct spread *spread, size_t i, const double c[6],
                                const double wheel_sigma[2])
{
    double factor[9] = {c[0], c[1], c[3], c[1], c[2], c[4], c[3], c[4], c[5]};
    const double *z = spread->draws[i];
    dpl_cholesky(factor, 3, LEAST_VARIANCE);
    return (struct spread_start){
        .offset = {factor[0] * z[0], factor[3] * z[0] + factor[4] * z[1],
                   factor[6] * z[0] + factor[7] * z[1] + factor[8] * z[2]},
        .scale_left = scale(wheel_sigma[0], z[3]),
        .scale_right = scale(wheel_sigma[1], z[4]),
    };
}
