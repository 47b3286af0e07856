/* SPDX-License-Identifier: Apache-2.0 */
/* What would not simulate well: see dpl_mechanism_check in doppel/sim/mechanism.h. The limits were
 * measured with Bullet; docs/reference/mechanisms.md names them. */
#include <doppel/sim/mechanism.h>

#include <stdio.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "closure.h"
#include "element.h"
#include "overlap.h"
#include "ratio.h"

static const double overlap_max_m = 1e-5, touch_m = 1e-3;      /* m */
static const double frame_apart_m = 1e-4, frame_turned = 1e-3; /* m, rad */
static const double contact_warn = 40.0, contact_refuse = 400.0;

/* One body rests on another. */
struct contact {
    int upper, lower;
};

struct check {
    const struct dpl_sim_mechanism *mechanism;
    void (*report)(void *user, const struct dpl_mechanism_finding *finding);
    void *user;
    struct dpl_arena scratch;
    struct dpl__list contacts; /* of struct contact */
};

static void report_finding(struct check *check, enum dpl_severity severity, int body, int joint,
                           const char *text)
{
    check->report(check->user, &(struct dpl_mechanism_finding){severity, body, joint, text});
}

/* ---- overlaps and contacts ---- */

static bool is_joined(const struct dpl_sim_mechanism *mechanism, int a, int b)
{
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &mechanism->joints[i];
        if (joint->type != DPL_JOINT_FREE && ((joint->parent == a && joint->child == b) ||
                                              (joint->parent == b && joint->child == a))) {
            return true;
        }
    }
    return false;
}

/* The least gap between two bodies, and whether it is that of their shapes. */
static double body_gap(const struct dpl_sim_body *a, const struct dpl__core *of_a,
                       const struct dpl_sim_body *b, const struct dpl__core *of_b, bool *ret_exact)
{
    double least = (double)INFINITY;
    for (size_t i = 0; i < a->n_solids; i++) {
        for (size_t j = 0; j < b->n_solids; j++) {
            double gap = dpl__core_gap(&of_a[i], &of_b[j]);
            if (gap < least) {
                least = gap;
                *ret_exact = of_a[i].is_exact && of_b[j].is_exact;
            }
        }
    }
    return least;
}

static double height_of(const struct dpl_sim_body *body)
{
    return body->pose.position.z + dpl_quaternion_turn(body->pose.orientation, body->mass.centre).z;
}

static void check_pair(struct check *check, int i, int j, struct dpl__core *const *cores)
{
    const struct dpl_sim_body *a = &check->mechanism->bodies[i], *b = &check->mechanism->bodies[j];
    char text[DPL_DIAG_TEXT_MAX];
    bool exact = false;
    if ((a->is_static && b->is_static) || (a->group != 0 && a->group == b->group)) {
        return;
    }
    double gap = body_gap(a, cores[i], b, cores[j], &exact);
    if (gap > touch_m || is_joined(check->mechanism, i, j)) {
        return;
    }
    if (gap < -overlap_max_m) {
        snprintf(text, sizeof text, "bodies '%s' and '%s' overlap by %.3g mm at the start%s",
                 a->name, b->name, -1e3 * gap, exact ? "" : " (taken as their bounding boxes)");
        report_finding(check, DPL_SEVERITY_WARNING, j, -1, text);
    }
    if (!a->is_static && !b->is_static && height_of(a) != height_of(b)) {
        bool a_is_upper = height_of(a) > height_of(b);
        *(struct contact *)dpl__list_add(&check->scratch, &check->contacts,
                                         sizeof(struct contact)) =
            (struct contact){a_is_upper ? i : j, a_is_upper ? j : i};
    }
}

static void check_own(struct check *check, int number, const struct dpl__core *cores)
{
    const struct dpl_sim_body *body = &check->mechanism->bodies[number];
    char text[DPL_DIAG_TEXT_MAX];
    for (size_t i = 0; i < body->n_solids && body->is_mass_of_solids; i++) {
        for (size_t j = i + 1; j < body->n_solids; j++) {
            double gap = dpl__core_gap(&cores[i], &cores[j]);
            if (gap < -overlap_max_m) {
                bool exact = cores[i].is_exact && cores[j].is_exact;
                snprintf(text, sizeof text,
                         "shapes %zu and %zu of body '%s' overlap by %.3g mm%s: what they share "
                         "counts twice in its mass and inertia",
                         i + 1, j + 1, body->name, -1e3 * gap,
                         exact ? "" : " (taken as bounding boxes)");
                report_finding(check, DPL_SEVERITY_WARNING, number, -1, text);
                return; /* one a body is enough */
            }
        }
    }
}

static void check_overlaps(struct check *check)
{
    const struct dpl_sim_mechanism *mechanism = check->mechanism;
    int n = (int)mechanism->n_bodies;
    struct dpl__core **cores =
        dpl_arena_alloc(&check->scratch, (mechanism->n_bodies + 1) * sizeof *cores);
    for (int i = 0; i < n; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i];
        cores[i] = dpl_arena_alloc(&check->scratch, (body->n_solids + 1) * sizeof *cores[i]);
        for (size_t k = 0; k < body->n_solids; k++) {
            cores[i][k] = dpl__core_of(&body->solids[k], &body->pose);
        }
        check_own(check, i, cores[i]);
        for (int j = 0; j < i; j++) {
            check_pair(check, j, i, cores);
        }
    }
}

/* The heaviest body that rests on each, through any number of others. */
static int *heaviest_above(struct check *check)
{
    const struct dpl_sim_mechanism *mechanism = check->mechanism;
    const struct contact *contacts = check->contacts.items;
    int *above = dpl_arena_alloc(&check->scratch, (mechanism->n_bodies + 1) * sizeof *above);
    bool changed = true;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        above[i] = (int)i;
    }
    while (changed) { /* ends: masses only grow */
        changed = false;
        for (size_t i = 0; i < check->contacts.n; i++) {
            int upper = above[contacts[i].upper], *lower = &above[contacts[i].lower];
            if (mechanism->bodies[upper].mass.mass > mechanism->bodies[*lower].mass.mass) {
                *lower = upper;
                changed = true;
            }
        }
    }
    return above;
}

static void check_contacts(struct check *check)
{
    const struct dpl_sim_mechanism *mechanism = check->mechanism;
    const int *above = heaviest_above(check);
    char text[DPL_DIAG_TEXT_MAX], crushed[80];
    snprintf(crushed, sizeof crushed, ", above 1:%.0f the light body is crushed or thrown out",
             contact_refuse);
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        const struct dpl_sim_body *body = &mechanism->bodies[i],
                                  *load = &mechanism->bodies[above[i]];
        if (body->is_static || load == body ||
            !(load->mass.mass > contact_warn * body->mass.mass)) {
            continue;
        }
        bool refuse = load->mass.mass > contact_refuse * body->mass.mass;
        snprintf(text, sizeof text,
                 "'%s' (%g kg) carries '%s' (%g kg) by contact, 1:%.0f; contacts hold up to 1:%.0f"
                 "%s: use a joint",
                 body->name, body->mass.mass, load->name, load->mass.mass,
                 load->mass.mass / body->mass.mass, contact_warn, refuse ? crushed : "");
        report_finding(check,
                       refuse && !mechanism->allows_mass_ratios ? DPL_SEVERITY_ERROR
                                                                : DPL_SEVERITY_WARNING,
                       (int)i, -1, text);
    }
}

/* ---- joints ---- */

/* Its z and x, in the mechanism's frame, and the vector from the parent's frame to the child's. */
struct frames {
    struct dpl_vector3 z[2], x[2], apart;
};

static struct frames frames_of(const struct dpl_sim_mechanism *mechanism,
                               const struct dpl_sim_joint *joint)
{
    const struct dpl_pose3 pose[2] = {
        dpl_mechanism_place(mechanism, joint->parent, joint->in_parent),
        dpl_mechanism_place(mechanism, joint->child, joint->in_child)};
    struct frames frames = {.apart = dpl_vector3_minus(pose[1].position, pose[0].position)};
    for (int i = 0; i < 2; i++) {
        frames.z[i] = dpl_quaternion_turn(pose[i].orientation, (struct dpl_vector3){.z = 1.0});
        frames.x[i] = dpl_quaternion_turn(pose[i].orientation, (struct dpl_vector3){.x = 1.0});
    }
    return frames;
}

static double angle_between(struct dpl_vector3 a, struct dpl_vector3 b)
{
    return atan2(dpl_vector3_length(dpl_vector3_cross(a, b)), dpl_vector3_dot(a, b));
}

/* How far the frames are apart against what the joint lets move. */
static void apart(const struct dpl_sim_joint *joint, const struct frames *f, double *ret_m,
                  double *ret_rad)
{
    double along = dpl_vector3_dot(f->apart, f->z[0]);
    double across =
        dpl_vector3_length(dpl_vector3_minus(f->apart, dpl_vector3_times(f->z[0], along)));
    double tilt = angle_between(f->z[0], f->z[1]), twist = angle_between(f->x[0], f->x[1]);
    *ret_m = hypot(along, across);
    *ret_rad = 0.0;
    switch (joint->type) {
    case DPL_JOINT_FIXED: *ret_rad = fmax(tilt, twist); return;
    case DPL_JOINT_HINGE: *ret_rad = tilt; return;
    case DPL_JOINT_SLIDER:
        *ret_m = across;
        *ret_rad = fmax(tilt, twist);
        return;
    case DPL_JOINT_UNIVERSAL:
        *ret_rad = fabs(angle_between(f->z[0], f->x[1]) - DPL_PI / 2.0);
        return;
    case DPL_JOINT_CYLINDRICAL:
        *ret_m = across;
        *ret_rad = tilt;
        return;
    case DPL_JOINT_PLANAR:
        *ret_m = fabs(along);
        *ret_rad = tilt;
        return;
    case DPL_JOINT_BALL: return;
    case DPL_JOINT_GEAR:
    case DPL_JOINT_BELT:
    case DPL_JOINT_ROPE:
    case DPL_JOINT_FREE:
    case DPL_JOINT_TYPES: *ret_m = 0.0; return;
    }
}

static void check_frames(struct check *check, int number)
{
    const struct dpl_sim_joint *joint = &check->mechanism->joints[number];
    struct frames frames = frames_of(check->mechanism, joint);
    char text[DPL_DIAG_TEXT_MAX];
    double m, rad;
    apart(joint, &frames, &m, &rad);
    if (m > frame_apart_m || rad > frame_turned) {
        snprintf(text, sizeof text,
                 "the frames of joint '%s' are %.3g mm and %.3g deg apart at the start, against "
                 "what a joint of type %s lets move",
                 joint->name, 1e3 * m, rad * 180.0 / DPL_PI, dpl_sim_joint_words[joint->type]);
        report_finding(check, DPL_SEVERITY_WARNING, -1, number, text);
    }
}

static void check_spring(struct check *check, int number, double step_s)
{
    const struct dpl_sim_joint *joint = &check->mechanism->joints[number];
    size_t at = (size_t)number;
    double damped = dpl_mechanism_spring_rate(check->mechanism, at, step_s) * step_s;
    double springs = dpl_mechanism_spring_rate(check->mechanism, at, 0.0) * step_s;
    bool is_solved = joint->type == DPL_JOINT_BELT && joint->belt.condense != DPL_CONDENSE_NEVER;
    bool has_teeth = joint->teeth[0].is_there || joint->teeth[1].is_there;
    const char *teeth = has_teeth ? ", with the teeth of its motor's backlash," : "";
    char text[DPL_DIAG_TEXT_MAX];
    if (is_solved || (springs <= 1.0 && damped <= 2.0)) {
        return;
    }
    if (springs > 1.0) {
        snprintf(text, sizeof text,
                 "joint '%s': its springs%s have w dt = %.3g with steps of %g ms, expected at most "
                 "1%s",
                 joint->name, teeth, springs, step_s * 1e3,
                 springs > 2.0 ? "; above 2 explicit steps diverge" : "");
    } else {
        snprintf(text, sizeof text,
                 "joint '%s': its dampers%s are too strong for steps of %g ms: (w dt)^2 + 2 c dt/m "
                 "= %.3g, explicit steps diverge above 4",
                 joint->name, teeth, step_s * 1e3, damped * damped);
    }
    report_finding(check, DPL_SEVERITY_WARNING, -1, number, text);
}

void dpl_mechanism_check(const struct dpl_sim_mechanism *mechanism, double step_s,
                         void (*report)(void *user, const struct dpl_mechanism_finding *finding),
                         void *user)
{
    struct check check = {.mechanism = mechanism, .report = report, .user = user};
    check_overlaps(&check);
    check_contacts(&check);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        check_frames(&check, (int)i);
        check_spring(&check, (int)i, step_s);
    }
    dpl__ratio_check(mechanism, &check.scratch, report, user);
    dpl__closure_check(mechanism, &check.scratch, report, user);
    dpl_arena_finish(&check.scratch);
}
