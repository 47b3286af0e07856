/* SPDX-License-Identifier: Apache-2.0 */
#include "rotation.h"

#include <doppel/math/pose3.h>

void dpl__mb_axes_of_quaternion(const double q[4], struct dpl__mb_frame *ret_frame)
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double scale = 2.0 / (w * w + x * x + y * y + z * z);
    double axes[3][4] = {
        {1.0 - scale * (y * y + z * z), scale * (x * y + w * z), scale * (x * z - w * y), 0.0},
        {scale * (x * y - w * z), 1.0 - scale * (x * x + z * z), scale * (y * z + w * x), 0.0},
        {scale * (x * z + w * y), scale * (y * z - w * x), 1.0 - scale * (x * x + y * y), 0.0}};
    memcpy(ret_frame->axes, axes, sizeof axes);
}

void dpl__mb_quaternion_of_axes(const struct dpl__mb_frame *frame, double ret_q[4])
{
    double rows[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            rows[i][j] = frame->axes[j][i];
        }
    }
    struct dpl_quaternion q = dpl_quaternion_from_matrix((const double(*)[3])rows);
    ret_q[0] = q.w;
    ret_q[1] = q.x;
    ret_q[2] = q.y;
    ret_q[3] = q.z;
}

void dpl__mb_rotation(const double vector[3], struct dpl__mb_frame *ret_frame)
{
    double angle = sqrt(dpl__dot3(vector, vector));
    double factor = angle > 1e-9 ? sin(0.5 * angle) / angle : 0.5;
    double q[4] = {cos(0.5 * angle), factor * vector[0], factor * vector[1], factor * vector[2]};
    dpl__mb_axes_of_quaternion(q, ret_frame);
}

void dpl__mb_rotation_vector(const struct dpl__mb_frame *frame, double ret_vector[3])
{
    double q[4];
    dpl__mb_quaternion_of_axes(frame, q);
    double length = sqrt(dpl__dot3(q + 1, q + 1));
    double factor = length > 1e-9 ? 2.0 * atan2(length, q[0]) / length : 2.0;
    for (int i = 0; i < 3; i++) {
        ret_vector[i] = factor * q[i + 1];
    }
}

void dpl__mb_set_chart(struct dpl__mb *m, const struct dpl__mb_joint *joint,
                       const struct dpl__mb_frame *turned)
{
    bool flipped = joint->sign < 0.0;
    const struct dpl__mb_frame *base = &joint->frames[flipped ? 1 : 0];
    struct dpl__mb_frame *seat = &m->seat[flipped ? joint->link - 2 : joint->link];
    for (int j = 0; j < 3; j++) {
        dpl__turn(base, turned->axes[j], seat->axes[j]);
    }
}
