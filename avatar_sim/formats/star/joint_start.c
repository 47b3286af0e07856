/* SPDX-License-Identifier: Apache-2.0 */
/* How joints begin: displacement, velocity, pitch. */
#include <stdio.h>
#include <string.h>

#include "joints.h"
#include "units.h"

/* `n` numbers, each in the unit of its coordinate. A plain 0 stands for as many. */
static bool read_coordinates(struct dpl__star_reader *reader, struct dpl__star_node node,
                             const double *scales, size_t n, double *ret_values)
{
    if (n == 1) {
        return dpl__star_number(reader, node, scales[0], ret_values);
    }
    if (json_is_number(node.json) && json_number_value(node.json) == 0.0) {
        return true;
    }
    double values[6];
    if (!dpl__star_numbers(reader, node, n, 1.0, values)) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!dpl__star_number(reader, dpl__star_element(reader, node, i), scales[i],
                              &ret_values[i])) {
            return false;
        }
    }
    return true;
}

static bool read_place(struct dpl__star_reader *reader, struct dpl__star_node node,
                       struct dpl_mb_place *ret_place)
{
    if (json_is_number(node.json) && json_number_value(node.json) == 0.0) {
        return true;
    }
    if (!dpl__star_is_object(reader, node)) {
        return false;
    }
    dpl__star_check_keys(reader, node, dpl__star_frame_keys);
    return dpl__star_read_place(reader, node, ret_place);
}

/* A vector, or an object with a rotation. */
static bool read_ball(struct dpl__star_reader *reader, struct dpl__star_node node,
                      struct dpl_mb_joint *joint)
{
    const double scales[3] = {reader->units->angle, reader->units->angle, reader->units->angle};
    if (!json_is_object(node.json)) {
        return read_coordinates(reader, node, scales, 3, joint->displacement);
    }
    struct dpl_mb_place place;
    dpl__star_check_keys(reader, node, dpl__star_frame_keys);
    if (!dpl__star_read_place(reader, node, &place)) {
        return false;
    }
    if (place.position[0] != 0.0 || place.position[1] != 0.0 || place.position[2] != 0.0) {
        dpl__star_error(reader, dpl__star_get(reader, node, "T"),
                        "a spherical joint only turns, it has no T");
        return false;
    }
    dpl__star_rotation_vector(place.rotation, joint->displacement);
    return true;
}

static bool read_displacement(struct dpl__star_reader *reader, struct dpl__star_node node,
                              struct dpl_mb_joint *joint)
{
    double scales[3];
    if (joint->type == DPL_MB_RIGID || joint->type == DPL_MB_FLOAT) {
        return read_place(reader, node, &joint->place);
    }
    if (joint->type == DPL_MB_SPHERICAL) {
        return read_ball(reader, node, joint);
    }
    for (int i = 0; i < 3; i++) {
        scales[i] = dpl__star_coordinate(reader->units, dpl_mb_joint_turns(joint->type, i));
    }
    return read_coordinates(reader, node, scales, (size_t)dpl_mb_joint_freedoms(joint->type),
                            joint->displacement);
}

static bool read_velocity(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint)
{
    double scales[6];
    if (joint->type == DPL_MB_RIGID) {
        if (json_is_number(node.json) && json_number_value(node.json) == 0.0) {
            return true;
        }
        dpl__star_error(reader, node, "a rigid joint does not move");
        return false;
    }
    for (int i = 0; i < 6; i++) {
        scales[i] = dpl__star_rate(reader->units, dpl_mb_joint_turns(joint->type, i));
    }
    return read_coordinates(reader, node, scales, (size_t)dpl_mb_joint_freedoms(joint->type),
                            joint->velocity);
}

static bool read_pitch(struct dpl__star_reader *reader, struct dpl__star_node joint_node,
                       struct dpl_mb_joint *joint)
{
    struct dpl__star_node node = dpl__star_get(reader, joint_node, "pitch");
    if (joint->type == DPL_MB_SCREW && !node.json) {
        dpl__star_error(reader, joint_node, "this has no \"pitch\"");
        return false;
    }
    if (node.json && joint->type != DPL_MB_SCREW) {
        dpl__star_error(reader, node, "only a screw has a pitch");
        return false;
    }
    return !node.json ||
           dpl__star_number(reader, node, reader->units->length / reader->units->angle,
                            &joint->pitch);
}

bool dpl__star_read_start(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_joint *joint)
{
    struct dpl__star_node displacement = dpl__star_get(reader, node, "initial_displacement");
    struct dpl__star_node velocity = dpl__star_get(reader, node, "initial_velocity");
    bool is_good = !displacement.json || read_displacement(reader, displacement, joint);
    is_good = (!velocity.json || read_velocity(reader, velocity, joint)) && is_good;
    return read_pitch(reader, node, joint) && is_good;
}
