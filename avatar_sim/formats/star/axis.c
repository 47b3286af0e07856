/* SPDX-License-Identifier: Apache-2.0 */
/* Axes of joints. Joints of a graph move about or along x, y or z of their frames; for all other
 * directions both bodies get one more frame, whose z is the axis. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

static bool read_direction(struct dpl__star_reader *reader, struct dpl__star_node node,
                           double ret_axis[3])
{
    static const char *const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    if (json_is_string(node.json)) {
        int word = dpl__star_word(reader, node, words, 6);
        for (int i = 0; i < 3; i++) {
            ret_axis[i] = word % 3 != i ? 0.0 : word < 3 ? 1.0 : -1.0;
        }
        return word >= 0;
    }
    if (!dpl__star_numbers(reader, node, 3, 1.0, ret_axis)) {
        return false;
    }
    double length = hypot(hypot(ret_axis[0], ret_axis[1]), ret_axis[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        dpl__star_error(reader, node, "an axis has a direction: its numbers are not all 0");
        return false;
    }
    for (int i = 0; i < 3; i++) {
        ret_axis[i] /= length;
    }
    return true;
}

/* 0 to 2: it is x, y or z; -1: another direction. */
static int main_axis(const double axis[3])
{
    for (int i = 0; i < 3; i++) {
        if (axis[i] > 0.0 && axis[(i + 1) % 3] == 0.0 && axis[(i + 2) % 3] == 0.0) {
            return i;
        }
    }
    return -1;
}

static void cross(const double a[3], const double b[3], double ret_product[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        ret_product[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* A rotation whose third column is the axis. */
static void rotation_to(const double axis[3], double ret_rotation[9])
{
    int least = 0;
    for (int i = 1; i < 3; i++) {
        least = fabs(axis[i]) < fabs(axis[least]) ? i : least;
    }
    double other[3] = {0}, u[3], v[3];
    other[least] = 1.0;
    cross(other, axis, u);
    double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int i = 0; i < 3; i++) {
        u[i] /= length;
    }
    cross(axis, u, v);
    for (int i = 0; i < 3; i++) {
        ret_rotation[3 * i] = u[i];
        ret_rotation[3 * i + 1] = v[i];
        ret_rotation[3 * i + 2] = axis[i];
    }
}

static int add_turned(struct dpl__star_reader *reader, struct dpl__star_node node, int frame,
                      const char *joint, int end, const double rotation[9])
{
    const struct dpl_mb_graph *graph = reader->graph;
    struct dpl_mb_frame turned = {.body = graph->frames[frame].body,
                                  .in_body = graph->frames[frame].in_body};
    const double *r = graph->frames[frame].in_body.rotation;
    for (int i = 0; i < 9; i++) {
        const double *row = r + 3 * (i / 3);
        turned.in_body.rotation[i] =
            row[0] * rotation[i % 3] + row[1] * rotation[3 + i % 3] + row[2] * rotation[6 + i % 3];
    }
    char name[DPL_MB_NAME_MAX + 1];
    dpl__star_free_name(graph, DPL_MB_FRAME, turned.body, joint, end == 0 ? "axis_1" : "axis_2",
                        name);
    turned.name = name;
    struct dpl_diag diag;
    int number = dpl_mb_add_frame(reader->graph, &turned, &diag);
    if (number < 0) {
        return dpl__star_refused(reader, node, number, &diag);
    }
    struct dpl__star_said *said = dpl__star_say(reader->source, DPL_MB_FRAME, number);
    if (said) {
        said->is_of_axis = true;
        said->before_axis = frame;
    }
    return number;
}

bool dpl__star_read_axis(struct dpl__star_reader *reader, struct dpl__star_node node,
                         const char *joint, bool is_z_only, int *ret_axis, int inout_frames[2])
{
    double axis[3], rotation[9];
    if (!read_direction(reader, node, axis)) {
        return false;
    }
    *ret_axis = main_axis(axis);
    if (*ret_axis == 2 || (*ret_axis >= 0 && !is_z_only)) {
        return true;
    }
    *ret_axis = 2;
    rotation_to(axis, rotation);
    for (int end = 0; end < 2; end++) {
        inout_frames[end] = add_turned(reader, node, inout_frames[end], joint, end, rotation);
        if (inout_frames[end] < 0) {
            return false;
        }
    }
    return true;
}
