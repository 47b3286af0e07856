/* SPDX-License-Identifier: Apache-2.0 */
/* Places: T with R, axis_angle or quaternion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joints.h"
#include "reader.h"

enum { ROTATIONS = 3 };
static const char *const rotations[ROTATIONS] = {"R", "axis_angle", "quaternion"};

bool dpl__star_is_place_key(const char *key)
{
    for (int i = 0; i < ROTATIONS; i++) {
        if (strcmp(key, rotations[i]) == 0) {
            return true;
        }
    }
    return strcmp(key, "T") == 0;
}

static double determinant(const double r[9])
{
    return r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
           r[2] * (r[3] * r[7] - r[4] * r[6]);
}

/* The largest entry of R R^T - 1. */
static double rotation_error(const double r[9])
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double product = 0.0;
            for (int k = 0; k < 3; k++) {
                product += r[3 * i + k] * r[3 * j + k];
            }
            largest = fmax(largest, fabs(product - (i == j ? 1.0 : 0.0)));
        }
    }
    return largest;
}

static bool read_matrix(struct dpl__star_reader *reader, struct dpl__star_node node, double *ret_r)
{
    if (!json_is_array(node.json) || json_array_size(node.json) != 3) {
        dpl__star_error(reader, node, "an array of 3 rows is expected");
        return false;
    }
    double r[9];
    bool is_good = true;
    for (size_t row = 0; row < 3; row++) {
        is_good =
            dpl__star_numbers(reader, dpl__star_element(reader, node, row), 3, 1.0, r + 3 * row) &&
            is_good;
    }
    if (!is_good) {
        return false;
    }
    double error = rotation_error(r);
    if (error > 1e-6) {
        dpl__star_error(reader, node, "no rotation: R R^T differs from 1 by %.3g", error);
        return false;
    }
    if (determinant(r) < 0.0) {
        dpl__star_error(reader, node, "no rotation: it mirrors, since its determinant is negative");
        return false;
    }
    memcpy(ret_r, r, sizeof r);
    return true;
}

/* wxyz, of length 1. */
static void from_quaternion(const double q[4], double ret_r[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[9] = {
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z),       2.0 * (x * z + w * y),
        2.0 * (x * y + w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y),       2.0 * (y * z + w * x),       1.0 - 2.0 * (x * x + y * y),
    };
    memcpy(ret_r, r, sizeof r);
}

static bool read_quaternion(struct dpl__star_reader *reader, struct dpl__star_node node,
                            double *ret_r)
{
    double q[4];
    if (!dpl__star_numbers(reader, node, 4, 1.0, q)) {
        return false;
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= 1e-6)) {
        dpl__star_error(reader, node, "a quaternion has the length 1, not %.9g", length);
        return false;
    }
    for (int i = 0; i < 4; i++) {
        q[i] /= length;
    }
    from_quaternion(q, ret_r);
    return true;
}

static bool read_axis_angle(struct dpl__star_reader *reader, struct dpl__star_node node,
                            double *ret_r)
{
    double v[4];
    if (!dpl__star_numbers(reader, node, 4, 1.0, v)) {
        return false;
    }
    double length = hypot(hypot(v[0], v[1]), v[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        dpl__star_error(reader, node, "an axis has a direction: its numbers are not all 0");
        return false;
    }
    double half = 0.5 * v[3] * reader->units->angle, s = sin(half);
    from_quaternion(
        (const double[4]){cos(half), s * (v[0] / length), s * (v[1] / length), s * (v[2] / length)},
        ret_r);
    return true;
}

bool dpl__star_read_place(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_place *ret_place)
{
    *ret_place = dpl_mb_place_identity;
    struct dpl__star_node position = dpl__star_get(reader, node, "T");
    bool is_good = !position.json || dpl__star_numbers(reader, position, 3, reader->units->length,
                                                       ret_place->position);
    static bool (*const readers[ROTATIONS])(struct dpl__star_reader *, struct dpl__star_node,
                                            double *) = {read_matrix, read_axis_angle,
                                                         read_quaternion};
    int used = -1;
    for (int i = 0; i < ROTATIONS; i++) {
        struct dpl__star_node rotation = dpl__star_get(reader, node, rotations[i]);
        if (rotation.json && used >= 0) {
            dpl__star_error(reader, rotation, "a second rotation: '%s' is there too",
                            rotations[used]);
            is_good = false;
        } else if (rotation.json) {
            used = i;
            is_good = readers[i](reader, rotation, ret_place->rotation) && is_good;
        }
    }
    return is_good;
}

void dpl__star_rotation_vector(const double r[9], double ret_vector[3])
{
    /* The quaternion, from its largest part (Shepperd 1978), then its logarithm. */
    double trace = r[0] + r[4] + r[8], q[4];
    int largest = 0;
    const double diagonal[4] = {trace, r[0], r[4], r[8]};
    for (int i = 1; i < 4; i++) {
        largest = diagonal[i] > diagonal[largest] ? i : largest;
    }
    const double w[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]}; /* 4 w (x, y, z) */
    if (largest == 0) {
        q[0] = 1.0 + trace;
        memcpy(q + 1, w, sizeof w);
    } else {
        int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = w[i];
        q[1 + i] = 1.0 + 2.0 * r[4 * i] - trace;
        q[1 + j] = r[3 * i + j] + r[3 * j + i];
        q[1 + k] = r[3 * i + k] + r[3 * k + i];
    }
    double sine = hypot(hypot(q[1], q[2]), q[3]);
    double angle = 2.0 * atan2(sine, fabs(q[0]));
    for (int i = 0; i < 3; i++) {
        ret_vector[i] = sine > 0.0 ? (q[0] < 0.0 ? -angle : angle) * (q[1 + i] / sine) : 0.0;
    }
}
