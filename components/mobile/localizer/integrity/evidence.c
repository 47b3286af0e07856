/* SPDX-License-Identifier: Apache-2.0 */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#define TEMPERATURE     6.0 /* beams that are one fact */
#define MOVABLE         0.1 /* probability that an object is elsewhere */
#define FIXED           0.02
#define FIXED_M         2.0 /* nobody moves what is so long */
#define HIT             0.7
#define SHORT           0.25
#define RANDOM          0.05
#define NO_RETURN       0.05
#define NOTHING_THERE   0.9
#define DEAD_M          0.025 /* that a surface may be off */
#define SIGMA_M         0.030
#define SIGMA_RANGE     0.012
#define SIGMA_WAY       0.02
#define ROOT_2PI        2.5066282746310002
#define ROUNDS          3
#define KERNEL_SIGMAS   3.0
#define CUT_SIGMAS      12.0
#define LEAST_INCIDENCE 0.17
#define STEP_M          0.15
#define STEP_RAD        0.0524 /* 3 deg */

static uint32_t group_of(struct evidence_plan *plan, const struct dpl_raycast_outline *o)
{
    bool owned = o->owner >= 0 && (size_t)o->owner < plan->match->n_objects;
    return owned ? (uint32_t)o->owner : (uint32_t)plan->n_groups++;
}

bool evidence_plan_init(struct evidence_plan *plan, const struct loc_match *match,
                        const struct dpl_raycast_outline *outlines, size_t n)
{
    *plan = (struct evidence_plan){.match = match, .n_groups = match->n_objects};
    size_t most = match->n_objects + n + 1;
    plan->group = calloc(n + 1, sizeof *plan->group);
    plan->elsewhere = calloc(most, sizeof *plan->elsewhere);
    plan->sum = calloc(most, sizeof *plan->sum);
    if (!plan->group || !plan->elsewhere || !plan->sum) {
        return false;
    }
    for (size_t i = 0; i < most; i++) {
        plan->elsewhere[i] = MOVABLE;
    }
    for (size_t i = 0; i < n; i++) {
        plan->group[i] = group_of(plan, &outlines[i]);
        if (hypot(outlines[i].dx, outlines[i].dy) + 2.0 * outlines[i].radius > FIXED_M) {
            plan->elsewhere[plan->group[i]] = FIXED;
        }
    }
    return true;
}

void evidence_plan_finish(struct evidence_plan *plan)
{
    free(plan->group);
    free(plan->elsewhere);
    free(plan->sum);
}

/* A beam of the local map in the plan, and what it should measure. */
struct cast {
    struct dpl_raycast_ray ray;
    struct dpl_raycast_hit hit;
    double expected, sigma;
};

/* Frames in the plan, for one place. */
struct posed {
    double x, y, c, s, way_m;
};

static struct posed pose_frame(const struct local_map_view *view, size_t k, struct dpl_pose2 place)
{
    struct dpl_pose2 at = dpl_pose2_compose(place, view->frames[k].pose);
    return (struct posed){at.x, at.y, cos(at.theta), sin(at.theta),
                          view->frames[0].way_m - view->frames[k].way_m};
}

static void cast(const struct evidence_plan *plan, const struct local_map_view *view,
                 const struct loc_laser *laser, const struct posed *at, const struct map_beam *beam,
                 struct cast *ret)
{
    ret->ray = (struct dpl_raycast_ray){
        .x = at->x + at->c * beam->x - at->s * beam->y,
        .y = at->y + at->s * beam->x + at->c * beam->y,
        .dx = at->c * beam->dx - at->s * beam->dy,
        .dy = at->s * beam->dx + at->c * beam->dy,
        .max_range = 1.25 * view->range_max,
        .owner = DPL_RAYCAST_NO_OWNER,
    };
    loc_match_ray(plan->match, &ret->ray, &ret->hit);
    ret->expected = laser->bias + (1.0 + laser->scale) * ret->hit.range;
    ret->sigma =
        SIGMA_M + SIGMA_RANGE * fmin(ret->hit.range, view->range_max) + SIGMA_WAY * at->way_m;
}

/* Density of a measured range, per m; of no return a probability. */
static double density(const struct cast *cast, double range, double range_max)
{
    bool there = cast->expected <= range_max;
    if (!(range > 0.0)) {
        return there ? NO_RETURN : NOTHING_THERE;
    }
    double sum = RANDOM / range_max;
    if (range < cast->expected) {
        sum += SHORT / fmin(cast->expected, range_max);
    }
    if (isfinite(cast->expected)) {
        double e = fmax(0.0, fabs(range - cast->expected) - DEAD_M) / cast->sigma;
        sum += HIT / (ROOT_2PI * cast->sigma) * exp(-0.5 * e * e);
    }
    return sum;
}

double evidence_of(const struct evidence_plan *plan, const struct local_map_view *view,
                   const struct loc_laser *laser, struct dpl_pose2 place)
{
    double total = 0.0, flat = log(1.0 / view->range_max);
    memset(plan->sum, 0, (plan->n_groups + 1) * sizeof *plan->sum);
    for (size_t k = 0; k < view->n; k++) {
        struct posed at = pose_frame(view, k, place);
        for (size_t i = 0; i < view->frames[k].n; i++) {
            const struct map_beam *beam = &view->frames[k].beams[i];
            struct cast c;
            cast(plan, view, laser, &at, beam, &c);
            bool met = c.hit.outline >= 0 && c.expected <= view->range_max;
            size_t group = met ? plan->group[c.hit.outline] : plan->n_groups;
            plan->sum[group] += log(density(&c, beam->range, view->range_max)) - flat;
        }
    }
    for (size_t g = 0; g <= plan->n_groups; g++) {
        if (plan->sum[g] != 0.0) {
            double m = plan->elsewhere[g], likely = exp(fmin(plan->sum[g] / TEMPERATURE, 600.0));
            total += log((1.0 - m) * likely + m);
        }
    }
    return total;
}

/* Sums of a least-squares step of a place: x, y, and a turn around the newest laser. */
struct step {
    double a[LOC_DIMS][LOC_DIMS], b[3];
    double x, y;
};

static void add_beam(struct step *step, const struct cast *c, double range)
{
    double incidence = c->hit.nx * c->ray.dx + c->hit.ny * c->ray.dy, e = range - c->expected;
    if (!(range > 0.0) || !isfinite(c->expected) || fabs(incidence) < LEAST_INCIDENCE ||
        fabs(e) > CUT_SIGMAS * c->sigma) {
        return;
    }
    double t = e / (KERNEL_SIGMAS * c->sigma), k = 1.0 / (1.0 + t * t);
    double weight = k * k / (c->sigma * c->sigma);
    double px = c->ray.x + c->hit.range * c->ray.dx - step->x;
    double py = c->ray.y + c->hit.range * c->ray.dy - step->y;
    double j[3] = {-c->hit.nx / incidence, -c->hit.ny / incidence,
                   (c->hit.nx * py - c->hit.ny * px) / incidence};
    for (int r = 0; r < 3; r++) {
        step->b[r] += weight * j[r] * e;
        for (int q = 0; q < 3; q++) {
            step->a[r][q] += weight * j[r] * j[q];
        }
    }
}

static struct dpl_pose2 moved(const struct step *step, const struct local_map_view *view,
                              struct dpl_pose2 place)
{
    double cov[3][3], d[3] = {0.0};
    loc_invert_pose(step->a, cov);
    for (int i = 0; i < 9; i++) {
        d[i / 3] += cov[i / 3][i % 3] * step->b[i % 3];
    }
    struct dpl_pose2 newest = view->frames[0].pose, at = dpl_pose2_compose(place, newest);
    at.x += d[0];
    at.y += d[1];
    at.theta = dpl_wrap_angle(at.theta + d[2]);
    return dpl_pose2_compose(at, dpl_pose2_relative(newest, (struct dpl_pose2){0}));
}

struct dpl_pose2 evidence_refine(const struct evidence_plan *plan,
                                 const struct local_map_view *view, const struct loc_laser *laser,
                                 struct dpl_pose2 place)
{
    for (int round = 0; round < ROUNDS && view->n > 0; round++) {
        struct dpl_pose2 newest = dpl_pose2_compose(place, view->frames[0].pose);
        struct step step = {.x = newest.x, .y = newest.y};
        step.a[0][0] = step.a[1][1] = 1.0 / (STEP_M * STEP_M);
        step.a[2][2] = 1.0 / (STEP_RAD * STEP_RAD);
        for (size_t k = 0; k < view->n; k++) {
            struct posed at = pose_frame(view, k, place);
            for (size_t i = 0; i < view->frames[k].n; i++) {
                struct cast c;
                cast(plan, view, laser, &at, &view->frames[k].beams[i], &c);
                add_beam(&step, &c, view->frames[k].beams[i].range);
            }
        }
        place = moved(&step, view, place);
    }
    return place;
}
