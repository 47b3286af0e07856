/* SPDX-License-Identifier: Apache-2.0 */
/* Poses and twists in space, and conversions to and from planar ones. Orientations are unit
 * quaternions that turn vectors of the child's frame into the parent's; roll, pitch, yaw are R = Rz
 * Ry Rx (REP 103). Header only, no state. */
#ifndef DOPPEL_MATH_POSE3_H
#define DOPPEL_MATH_POSE3_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_vector3 {
    double x, y, z;
};

struct dpl_quaternion {
    double w, x, y, z;
};

/* Position in metres. */
struct dpl_pose3 {
    struct dpl_vector3 position;
    struct dpl_quaternion orientation;
};

/* In the moving frame: m/s, rad/s. */
struct dpl_twist3 {
    struct dpl_vector3 linear, angular;
};

/* ---- quaternions ---- */

static inline struct dpl_quaternion dpl_quaternion_multiply(struct dpl_quaternion a,
                                                            struct dpl_quaternion b)
{
    return (struct dpl_quaternion){
        .w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        .x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        .y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        .z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

static inline struct dpl_quaternion dpl_quaternion_conjugate(struct dpl_quaternion q)
{
    return (struct dpl_quaternion){q.w, -q.x, -q.y, -q.z};
}

/* Scales to length 1. A quaternion of length 0 becomes the identity. */
static inline struct dpl_quaternion dpl_quaternion_normalise(struct dpl_quaternion q)
{
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0.0) || isinf(length)) {
        return (struct dpl_quaternion){.w = 1.0};
    }
    return (struct dpl_quaternion){q.w / length, q.x / length, q.y / length, q.z / length};
}

static inline struct dpl_vector3 dpl_quaternion_turn(struct dpl_quaternion q, struct dpl_vector3 v)
{
    struct dpl_quaternion turned = dpl_quaternion_multiply(
        dpl_quaternion_multiply(q, (struct dpl_quaternion){0.0, v.x, v.y, v.z}),
        dpl_quaternion_conjugate(q));
    return (struct dpl_vector3){turned.x, turned.y, turned.z};
}

static inline struct dpl_quaternion dpl_quaternion_from_rpy(double roll, double pitch, double yaw)
{
    double cr = cos(roll / 2), sr = sin(roll / 2);
    double cp = cos(pitch / 2), sp = sin(pitch / 2);
    double cy = cos(yaw / 2), sy = sin(yaw / 2);
    return (struct dpl_quaternion){
        .w = cr * cp * cy + sr * sp * sy,
        .x = sr * cp * cy - cr * sp * sy,
        .y = cr * sp * cy + sr * cp * sy,
        .z = cr * cp * sy - sr * sp * cy,
    };
}

/* Pitch in [-pi/2, pi/2]. At both limits roll and yaw turn about the same axis; then yaw is 0 and
 * roll has the whole rotation about it. */
static inline void dpl_quaternion_to_rpy(struct dpl_quaternion q, double *ret_roll,
                                         double *ret_pitch, double *ret_yaw)
{
    double s = dpl_clamp(2.0 * (q.w * q.y - q.x * q.z), -1.0, 1.0);
    *ret_pitch = asin(s);
    if (fabs(s) > 1.0 - 1e-12) {
        *ret_roll = dpl_wrap_angle(2.0 * atan2(q.x, q.w));
        *ret_yaw = 0.0;
        return;
    }
    *ret_roll = atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    *ret_yaw = atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
}

/* Of a rotation whose columns are the axes of the turned frame. w is not negative. From the largest
 * of its elements, so that none is lost: Shepperd, "Quaternion from rotation matrix", J. Guidance
 * and Control 1 (1978). */
static inline struct dpl_quaternion dpl_quaternion_from_matrix(const double m[3][3])
{
    double trace = m[0][0] + m[1][1] + m[2][2];
    double q[4] = {1.0 + trace, 1.0 - trace + 2.0 * m[0][0], 1.0 - trace + 2.0 * m[1][1],
                   1.0 - trace + 2.0 * m[2][2]}; /* four times the squares of w x y z */
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        largest = q[i] > q[largest] ? i : largest;
    }
    const double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const double xy = m[1][0] + m[0][1], xz = m[0][2] + m[2][0], yz = m[2][1] + m[1][2];
    const double rows[4][4] = {
        {q[0], wx, wy, wz}, {wx, q[1], xy, xz}, {wy, xy, q[2], yz}, {wz, xz, yz, q[3]}};
    const double *row = rows[largest];
    double sign = row[0] < 0.0 ? -1.0 : 1.0;
    return dpl_quaternion_normalise(
        (struct dpl_quaternion){sign * row[0], sign * row[1], sign * row[2], sign * row[3]});
}

/* ---- poses ---- */

/* The pose `child`, given in the frame of `parent`, expressed in the frame that `parent` is in. */
static inline struct dpl_pose3 dpl_pose3_compose(struct dpl_pose3 parent, struct dpl_pose3 child)
{
    struct dpl_vector3 moved = dpl_quaternion_turn(parent.orientation, child.position);
    return (struct dpl_pose3){
        .position = {parent.position.x + moved.x, parent.position.y + moved.y,
                     parent.position.z + moved.z},
        .orientation = dpl_quaternion_normalise(
            dpl_quaternion_multiply(parent.orientation, child.orientation)),
    };
}

/* `pose`, given in the same frame as `origin`, expressed in the frame of `origin`. */
static inline struct dpl_pose3 dpl_pose3_relative(struct dpl_pose3 origin, struct dpl_pose3 pose)
{
    struct dpl_quaternion back = dpl_quaternion_conjugate(origin.orientation);
    struct dpl_vector3 d = {pose.position.x - origin.position.x,
                            pose.position.y - origin.position.y,
                            pose.position.z - origin.position.z};
    return (struct dpl_pose3){
        .position = dpl_quaternion_turn(back, d),
        .orientation = dpl_quaternion_normalise(dpl_quaternion_multiply(back, pose.orientation)),
    };
}

static inline bool dpl_pose3_is_finite(struct dpl_pose3 p)
{
    return isfinite(p.position.x) && isfinite(p.position.y) && isfinite(p.position.z) &&
           isfinite(p.orientation.w) && isfinite(p.orientation.x) && isfinite(p.orientation.y) &&
           isfinite(p.orientation.z);
}

/* ---- conversion to and from planar poses ---- */

/* On the ground, z = 0. */
static inline struct dpl_pose3 dpl_pose3_from_planar(struct dpl_pose2 pose)
{
    return (struct dpl_pose3){
        .position = {.x = pose.x, .y = pose.y},
        .orientation = {.w = cos(pose.theta / 2), .z = sin(pose.theta / 2)},
    };
}

/* Projection onto the ground: position and the heading of the x axis. */
static inline struct dpl_pose2 dpl_pose3_to_planar(struct dpl_pose3 pose)
{
    struct dpl_vector3 ahead =
        dpl_quaternion_turn(pose.orientation, (struct dpl_vector3){.x = 1.0});
    return (struct dpl_pose2){pose.position.x, pose.position.y, atan2(ahead.y, ahead.x)};
}

static inline struct dpl_twist3 dpl_twist3_from_planar(struct dpl_twist2 twist)
{
    return (struct dpl_twist3){.linear = {.x = twist.linear}, .angular = {.z = twist.angular}};
}

static inline struct dpl_twist2 dpl_twist3_to_planar(struct dpl_twist3 twist)
{
    return (struct dpl_twist2){twist.linear.x, twist.angular.z};
}

/* ---- covariances of poses ---- */

/* Row by row, in the order x y z roll pitch yaw; planar: x y theta. */
#define DPL_COVARIANCE3_N 36
#define DPL_COVARIANCE2_N 9

static const size_t dpl_planar_rows[3] = {0, 1, 5};

/* Rows that a planar pose does not have are 0. */
static inline void dpl_covariance_from_planar(const double planar[DPL_COVARIANCE2_N],
                                              double ret[DPL_COVARIANCE3_N])
{
    for (size_t i = 0; i < DPL_COVARIANCE3_N; i++) {
        ret[i] = 0.0;
    }
    for (size_t i = 0; i < DPL_COVARIANCE2_N; i++) {
        ret[6 * dpl_planar_rows[i / 3] + dpl_planar_rows[i % 3]] = planar[i];
    }
}

static inline void dpl_covariance_to_planar(const double full[DPL_COVARIANCE3_N],
                                            double ret[DPL_COVARIANCE2_N])
{
    for (size_t i = 0; i < DPL_COVARIANCE2_N; i++) {
        ret[i] = full[6 * dpl_planar_rows[i / 3] + dpl_planar_rows[i % 3]];
    }
}

#ifdef __cplusplus
}
#endif

#endif
