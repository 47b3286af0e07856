/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse kinematics of the hexaslide: golden values, reach, branches, derivatives. */
#include "hexa_ik.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <doppel/math/random.h>

static const struct dpl_hexa_geometry *const g = &dpl_hexa_reference;

static void draw_pose(struct dpl_random *rng, double scale, double *ret_pose)
{
    for (int j = 0; j < DPL_SIX; j++) {
        double half = scale * g->half_range[j];
        ret_pose[j] = g->home[j] + dpl_random_uniform(rng, -half, half);
    }
}

/* The six joints by a rotation matrix of its own, through the C library. */
static void joints(const double *pose, double ret_joint[DPL_AXES_N][3])
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        double x = g->joint_m[0][i], y = g->joint_m[1][i], z = g->joint_m[2][i], t;
        t = cos(pose[3]) * y - sin(pose[3]) * z;
        z = sin(pose[3]) * y + cos(pose[3]) * z;
        y = t;
        t = cos(pose[4]) * x + sin(pose[4]) * z;
        z = -sin(pose[4]) * x + cos(pose[4]) * z;
        x = t;
        t = cos(pose[5]) * x - sin(pose[5]) * y;
        y = sin(pose[5]) * x + cos(pose[5]) * y;
        ret_joint[i][0] = pose[0] + t;
        ret_joint[i][1] = pose[1] + y;
        ret_joint[i][2] = pose[2] + z;
    }
}

static double worst_link_error(const double *pose, const double *q_m)
{
    double joint[DPL_AXES_N][3], worst = 0.0;
    joints(pose, joint);
    for (int i = 0; i < DPL_AXES_N; i++) {
        double dx = joint[i][0] - g->rail_m[0][i] - q_m[i];
        double dy = joint[i][1] - g->rail_m[1][i], dz = joint[i][2] - g->rail_m[2][i];
        worst = fmax(worst, fabs(sqrt(dx * dx + dy * dy + dz * dz) - g->link_m[i]));
    }
    return worst;
}

Test(hexa_ik, agrees_with_the_golden_poses)
{
    static const double q_home[] = {0.856792452437, -0.699375929539, 0.550247635031,
                                    0.856792452437, -0.699375929539, 0.550247635031};
    static const double q_b[] = {0.875543644828, -0.565201310840, 0.614561179586,
                                 0.945697354849, -0.565880634821, 0.647043811675};
    const double pose_b[] = {
        0.1, -0.05, 0.58, dpl_deg_to_rad(2.0), dpl_deg_to_rad(-3.0), dpl_deg_to_rad(1.0)};
    double q_m[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(q_m[i], q_home[i], 1e-12);
    }
    cr_assert_eq(dpl_hexa_ik(g, pose_b, q_m), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(q_m[i], q_b[i], 1e-12);
    }
}

Test(hexa_ik, keeps_every_link_at_its_length_and_on_its_branch)
{
    struct dpl_random rng = dpl_random_seeded(7, 1);
    for (int k = 0; k < 2000; k++) {
        double pose[DPL_SIX], q_m[DPL_AXES_N];
        draw_pose(&rng, 0.8, pose);
        cr_assert_eq(dpl_hexa_ik(g, pose, q_m), 0);
        cr_assert_lt(worst_link_error(pose, q_m), 1e-15 * 8);
        cr_assert(dpl_hexa_branch_ok(g, pose, q_m));
    }
}

Test(hexa_ik, is_as_exact_for_angles_beyond_the_quarter_of_pi)
{
    static const double turns[] = {0.7853, 0.7855, 1.3, 3.0, -2.4};
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        double pose[] = {0.4, 0.0, 0.05, 0.01, 0.02, turns[k]};
        double q_m[DPL_AXES_N];
        if (dpl_hexa_ik(g, pose, q_m) == 0) {
            cr_assert_lt(worst_link_error(pose, q_m), 1e-15 * 8, "yaw %g", turns[k]);
        } else {
            cr_assert_neq(dpl_hexa_ik_faults(g, pose), 0);
        }
    }
    double pose[] = {0.0, 0.0, 0.05, 0.0, 0.0, 0.9}, q_m[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, pose, q_m), 0, "one of them is within reach");
}

Test(hexa_ik, rails_may_point_anywhere)
{
    /* The reference turned by 30 degrees about z: the same sliders for the turned pose. */
    struct dpl_hexa_geometry turned = *g;
    double c = cos(DPL_PI / 6.0), s = sin(DPL_PI / 6.0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        turned.rail_m[0][i] = c * g->rail_m[0][i] - s * g->rail_m[1][i];
        turned.rail_m[1][i] = s * g->rail_m[0][i] + c * g->rail_m[1][i];
        turned.axis[0][i] = c;
        turned.axis[1][i] = s;
    }
    cr_assert_eq(dpl_hexa_geometry_check(&turned, NULL), 0);
    const double pose[] = {0.1, -0.05, 0.58, 0.03, -0.05, 0.02};
    const double moved[] = {c * 0.1 + s * 0.05,        s * 0.1 - c * 0.05, 0.58, 0.03, -0.05,
                            0.02 + 0.52359877559829887};
    double q_m[DPL_AXES_N], q_turned[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, pose, q_m), 0);
    cr_assert_eq(dpl_hexa_ik(&turned, moved, q_turned), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        cr_assert_float_eq(q_m[i], q_turned[i], 1e-14);
    }
    cr_assert(dpl_hexa_branch_ok(&turned, moved, q_turned));
}

Test(hexa_ik, refuses_poses_out_of_reach_and_tells_the_legs)
{
    const double high[] = {0.0, 0.0, 1.2, 0.0, 0.0, 0.0};
    const double aside[] = {0.0, 0.65, 0.54, 0.0, 0.0, 0.0};
    double q_m[DPL_AXES_N] = {42.0};
    cr_assert_eq(dpl_hexa_ik(g, high, q_m), -EDOM);
    cr_assert_eq(dpl_hexa_ik_faults(g, high), 0x3f);
    cr_assert_eq(dpl_hexa_ik(g, aside, q_m), -EDOM);
    unsigned legs = dpl_hexa_ik_faults(g, aside);
    cr_assert_eq(legs & 0x8, 0x8, "leg 4 is on the far side");
    cr_assert_eq(legs & 0x1, 0, "leg 1 is on the near side");
    cr_assert_eq(q_m[0], 42.0, "written without success");
    cr_assert_eq(dpl_hexa_ik_faults(g, g->home), 0);
}

Test(hexa_ik, faults_at_the_reserve_and_not_before)
{
    /* Straight up until the reach of the first leg is reserve * L. */
    double low = 0.54, high = 1.2, q_m[DPL_AXES_N], reach_m[DPL_AXES_N];
    for (int k = 0; k < 60; k++) {
        double pose[] = {0.0, 0.0, 0.5 * (low + high), 0.0, 0.0, 0.0};
        *(dpl_hexa_ik(g, pose, q_m) == 0 ? &low : &high) = pose[2];
    }
    const double last[] = {0.0, 0.0, low, 0.0, 0.0, 0.0};
    double least = 1.0;
    cr_assert_eq(dpl_hexa_reach(g, last, reach_m), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        least = fmin(least, fabs(reach_m[i]) / g->link_m[i]);
    }
    cr_assert_float_eq(least, g->reserve, 1e-9);
}

Test(hexa_ik, refuses_what_is_not_finite)
{
    for (int j = 0; j < DPL_SIX; j++) {
        double pose[DPL_SIX], q_m[DPL_AXES_N], rate[DPL_SIX][DPL_AXES_N];
        memcpy(pose, g->home, sizeof pose);
        pose[j] = (double)NAN;
        cr_assert_eq(dpl_hexa_ik(g, pose, q_m), -EDOM);
        cr_assert_neq(dpl_hexa_ik_faults(g, pose), 0);
        cr_assert_eq(dpl_hexa_jacobian(g, pose, rate), -EDOM);
        cr_assert_eq(dpl_hexa_reach(g, pose, q_m), -EDOM);
        cr_assert_not(dpl_hexa_branch_ok(g, pose, g->home));
        pose[j] = -(double)INFINITY;
        cr_assert_eq(dpl_hexa_ik(g, pose, q_m), -EDOM);
    }
}

Test(hexa_ik, a_slider_on_the_other_side_of_its_joint_is_of_another_branch)
{
    double q_m[DPL_AXES_N], reach_m[DPL_AXES_N];
    cr_assert_eq(dpl_hexa_ik(g, g->home, q_m), 0);
    cr_assert_eq(dpl_hexa_reach(g, g->home, reach_m), 0);
    for (int i = 0; i < DPL_AXES_N; i++) {
        double mirrored[DPL_AXES_N];
        memcpy(mirrored, q_m, sizeof mirrored);
        mirrored[i] += 2.0 * reach_m[i];
        cr_assert_lt(worst_link_error(g->home, mirrored), 1e-14, "it is a pose of the machine");
        cr_assert_not(dpl_hexa_branch_ok(g, g->home, mirrored), "leg %d", i + 1);
    }
}

Test(hexa_ik, jacobian_is_the_derivative_of_the_sliders)
{
    struct dpl_random rng = dpl_random_seeded(7, 2);
    const double h = 1e-6;
    for (int k = 0; k < 200; k++) {
        double pose[DPL_SIX], rate[DPL_SIX][DPL_AXES_N];
        double above[DPL_AXES_N], below[DPL_AXES_N];
        draw_pose(&rng, 0.8, pose);
        cr_assert_eq(dpl_hexa_jacobian(g, pose, rate), 0);
        for (int j = 0; j < DPL_SIX; j++) {
            double kept = pose[j];
            pose[j] = kept + h;
            cr_assert_eq(dpl_hexa_ik(g, pose, above), 0);
            pose[j] = kept - h;
            cr_assert_eq(dpl_hexa_ik(g, pose, below), 0);
            pose[j] = kept;
            for (int i = 0; i < DPL_AXES_N; i++) {
                cr_assert_float_eq(rate[j][i], (above[i] - below[i]) / (2.0 * h), 1e-8);
            }
        }
    }
}
