/* SPDX-License-Identifier: Apache-2.0 */
/* Poses in space against matrices, and against the planar formulas. */
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/math/pose3.h>
#include <doppel/msg/poses.h>

#define NEAR(a, b)                                                                                 \
    cr_assert_float_eq(a, b, 1e-12, "%s = %.17g, not %.17g", #a, (double)(a), (double)(b))

/* R = Rz(yaw) Ry(pitch) Rx(roll), written out; times v. */
static struct dpl_vector3 turn_by_matrix(double r, double p, double y, struct dpl_vector3 v)
{
    double cr = cos(r), sr = sin(r), cp = cos(p), sp = sin(p), cy = cos(y), sy = sin(y);
    return (struct dpl_vector3){
        cy * cp * v.x + (cy * sp * sr - sy * cr) * v.y + (cy * sp * cr + sy * sr) * v.z,
        sy * cp * v.x + (sy * sp * sr + cy * cr) * v.y + (sy * sp * cr - cy * sr) * v.z,
        -sp * v.x + cp * sr * v.y + cp * cr * v.z,
    };
}

static const double angles[] = {-3.0, -1.2, -0.3, 0.0, 0.7, 1.5, 2.9};
#define N_ANGLES (sizeof angles / sizeof angles[0])

Test(pose3, turns_vectors_as_the_matrix_of_roll_pitch_and_yaw_does)
{
    const struct dpl_vector3 v = {0.3, -1.7, 2.2};
    for (size_t i = 0; i < N_ANGLES * N_ANGLES * N_ANGLES; i++) {
        double r = angles[i % N_ANGLES], p = angles[i / N_ANGLES % N_ANGLES];
        double y = angles[i / N_ANGLES / N_ANGLES];
        struct dpl_vector3 a = dpl_quaternion_turn(dpl_quaternion_from_rpy(r, p, y), v);
        struct dpl_vector3 b = turn_by_matrix(r, p, y, v);
        NEAR(a.x, b.x);
        NEAR(a.y, b.y);
        NEAR(a.z, b.z);
    }
}

Test(pose3, gives_back_roll_pitch_and_yaw)
{
    double r, p, y;
    dpl_quaternion_to_rpy(dpl_quaternion_from_rpy(0.4, -1.1, 2.8), &r, &p, &y);
    NEAR(r, 0.4);
    NEAR(p, -1.1);
    NEAR(y, 2.8);
}

Test(pose3, at_a_pitch_of_a_right_angle_gives_the_same_rotation_back)
{
    const struct dpl_vector3 v = {0.3, -1.7, 2.2};
    struct dpl_quaternion q = dpl_quaternion_from_rpy(0.4, DPL_PI / 2, 1.0);
    double r, p, y;
    dpl_quaternion_to_rpy(q, &r, &p, &y);
    struct dpl_vector3 a = dpl_quaternion_turn(q, v);
    struct dpl_vector3 b = dpl_quaternion_turn(dpl_quaternion_from_rpy(r, p, y), v);
    cr_assert_float_eq(a.x, b.x, 1e-6);
    cr_assert_float_eq(a.y, b.y, 1e-6);
    cr_assert_float_eq(a.z, b.z, 1e-6);
}

Test(pose3, composes_planar_poses_as_the_planar_formula_does)
{
    struct dpl_pose2 a = {1.0, -2.0, 2.5}, b = {0.5, 0.25, 1.9};
    struct dpl_pose2 want = dpl_pose2_compose(a, b);
    struct dpl_pose2 is =
        dpl_pose3_to_planar(dpl_pose3_compose(dpl_pose3_from_planar(a), dpl_pose3_from_planar(b)));
    NEAR(is.x, want.x);
    NEAR(is.y, want.y);
    NEAR(is.theta, want.theta);
}

Test(pose3, relative_undoes_compose)
{
    struct dpl_pose3 a = {{1, 2, 3}, dpl_quaternion_from_rpy(0.1, 0.2, 0.3)};
    struct dpl_pose3 b = {{-1, 0.5, 2}, dpl_quaternion_from_rpy(-1.1, 0.9, 2.3)};
    struct dpl_pose3 is = dpl_pose3_relative(a, dpl_pose3_compose(a, b));
    NEAR(is.position.x, b.position.x);
    NEAR(is.position.y, b.position.y);
    NEAR(is.position.z, b.position.z);
    NEAR(is.orientation.w, b.orientation.w);
    NEAR(is.orientation.z, b.orientation.z);
}

Test(pose3, normalises_what_has_no_length_to_no_rotation)
{
    struct dpl_quaternion q = dpl_quaternion_normalise((struct dpl_quaternion){0});
    NEAR(q.w, 1.0);
    q = dpl_quaternion_normalise((struct dpl_quaternion){.w = (double)NAN});
    NEAR(q.w, 1.0);
    q = dpl_quaternion_normalise((struct dpl_quaternion){2, 2, 2, 2});
    NEAR(q.y, 0.5);
}

Test(pose3, knows_a_pose_that_is_not_finite)
{
    struct dpl_pose3 pose = dpl_pose3_from_planar((struct dpl_pose2){1, 2, 3});
    cr_assert(dpl_pose3_is_finite(pose));
    pose.orientation.y = (double)INFINITY;
    cr_assert_not(dpl_pose3_is_finite(pose));
}

Test(pose3, planar_covariance_keeps_its_places)
{
    const double planar[9] = {1, 2, 3, 2, 5, 6, 3, 6, 9};
    double full[36], back[9];
    dpl_covariance_from_planar(planar, full);
    NEAR(full[0], 1);
    NEAR(full[5], 3);
    NEAR(full[6 * 5 + 1], 6);
    NEAR(full[35], 9);
    NEAR(full[6 * 2 + 2], 0);
    dpl_covariance_to_planar(full, back);
    cr_assert_arr_eq(back, planar, sizeof planar);
}

Test(pose3, goes_through_messages)
{
    Doppel__Pose3 message = DOPPEL__POSE3__INIT;
    Doppel__Twist3 twist = DOPPEL__TWIST3__INIT;
    struct dpl_pose3 pose = {{1, 2, 3}, {0.5, -0.5, 0.5, -0.5}};
    dpl_pose3_set(&message, pose);
    struct dpl_pose3 is = dpl_pose3_get(&message);
    cr_assert_arr_eq(&is, &pose, sizeof pose);
    dpl_twist3_set(&twist, dpl_twist3_from_planar((struct dpl_twist2){0.2, -1.0}));
    NEAR(twist.linear_x, 0.2);
    NEAR(dpl_twist3_to_planar(dpl_twist3_get(&twist)).angular, -1.0);
}

/* Also where one of the four numbers is 0 or next to it: at turns of 180 degrees. */
Test(pose3, quaternion_of_a_matrix_is_the_one_that_made_it)
{
    const double turns[] = {-DPL_PI, -2.0, -1e-9, 0.0, 0.4, DPL_PI / 2, DPL_PI - 1e-9, DPL_PI};
    const size_t n = sizeof turns / sizeof turns[0];
    for (size_t i = 0; i < n * n * n; i++) {
        struct dpl_quaternion q =
            dpl_quaternion_from_rpy(turns[i % n], turns[i / n % n], turns[i / n / n]);
        double m[3][3];
        for (int k = 0; k < 3; k++) {
            struct dpl_vector3 axis =
                dpl_quaternion_turn(q, (struct dpl_vector3){k == 0, k == 1, k == 2});
            m[0][k] = axis.x;
            m[1][k] = axis.y;
            m[2][k] = axis.z;
        }
        struct dpl_quaternion back = dpl_quaternion_from_matrix((const double(*)[3])m);
        double dot = q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z;
        NEAR(fabs(dot), 1.0);
        cr_assert_geq(back.w, 0.0);
    }
}

Test(geometry, whole_numbers_are_the_nearest_within_2_to_the_53)
{
    cr_assert_eq(dpl_whole(2.9999999), 3);
    cr_assert_eq(dpl_whole(-2.5), -3);
    cr_assert_eq(dpl_whole(1e300), (int64_t)1 << 53);
    cr_assert_eq(dpl_whole(-(double)INFINITY), -((int64_t)1 << 53));
    cr_assert_eq(dpl_whole((double)NAN), 0);
}
