/* SPDX-License-Identifier: Apache-2.0 */
/* Joints and gears of the document that is written. */
#include <math.h>
#include <string.h>

#include "units.h"
#include "writer.h"

/* ---- type and ends ---- */

static void put_type_of_c(struct dpl__star_writer *writer, json_t *object,
                          enum dpl_mb_joint_type type)
{
    if (type > DPL_MB_TZ) {
        dpl__star_put(writer, object, "type", json_string(dpl_mb_joint_words[type]));
        return;
    }
    bool turns = type <= DPL_MB_RZ;
    int of = turns ? type - DPL_MB_RX : type - DPL_MB_TX;
    dpl__star_put(writer, object, "type", json_string(turns ? "revolute" : "prismatic"));
    json_t *axis = json_array();
    for (int i = 0; i < 3; i++) {
        dpl__star_append(writer, axis, json_integer(i == of));
    }
    dpl__star_put(writer, object, "axis", axis);
}

static void put_ends(struct dpl__star_writer *writer, json_t *object,
                     const struct dpl_mb_joint *joint, const int frames[2])
{
    json_t *ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = dpl__star_write_end(writer, frames[i], joint->assembly, writer->is_c);
    }
    if (writer->is_c) {
        dpl__star_put(writer, object, "parent", ends[0]);
        dpl__star_put(writer, object, "child", ends[1]);
        return;
    }
    json_t *pair = json_array();
    dpl__star_append(writer, pair, ends[0]);
    dpl__star_append(writer, pair, ends[1]);
    dpl__star_put(writer, object, "body_frame_pairs", pair);
}

/* Type, axis and ends as they were read, before the axis needed frames of its own. */
static void put_as_read(struct dpl__star_writer *writer, json_t *object,
                        const struct dpl_mb_joint *joint, json_t *source)
{
    int frames[2];
    for (int i = 0; i < 2; i++) {
        frames[i] = dpl__star_said(writer->source, DPL_MB_FRAME, joint->frames[i])->before_axis;
    }
    dpl__star_put_said(writer, object, "type", source);
    dpl__star_put_said(writer, object, "axis", source);
    put_ends(writer, object, joint, frames);
}

static void put_type(struct dpl__star_writer *writer, json_t *object,
                     const struct dpl_mb_joint *joint)
{
    if (writer->is_c) {
        put_type_of_c(writer, object, joint->type);
    } else {
        dpl__star_put(writer, object, "type", json_string(dpl_mb_joint_words[joint->type]));
    }
    put_ends(writer, object, joint, joint->frames);
}

/* ---- the start ---- */

static json_t *write_coordinates(struct dpl__star_writer *writer, const double *values,
                                 const struct dpl_mb_joint *joint, bool is_rate)
{
    int n = dpl_mb_joint_freedoms(joint->type);
    json_t *array = json_array();
    for (int i = 0; i < n; i++) {
        bool turns = dpl_mb_joint_turns(joint->type, i);
        double scale = is_rate ? dpl__star_rate(writer->units, turns)
                               : dpl__star_coordinate(writer->units, turns);
        json_t *number = dpl__star_write_number(values[i], scale);
        if (n == 1) {
            json_decref(array);
            return number;
        }
        dpl__star_append(writer, array, number);
    }
    return array;
}

static bool are_zero(const double *values, int n)
{
    for (int i = 0; i < n; i++) {
        if (values[i] != 0.0 || signbit(values[i])) {
            return false;
        }
    }
    return true;
}

static void put_displacement(struct dpl__star_writer *writer, json_t *object,
                             const struct dpl_mb_joint *joint, const struct dpl__star_said *said)
{
    bool has_place = joint->type == DPL_MB_RIGID || joint->type == DPL_MB_FLOAT;
    if (said && said->json && memcmp(&said->place, &joint->place, sizeof said->place) == 0 &&
        memcmp(said->displacement, joint->displacement, sizeof said->displacement) == 0) {
        dpl__star_put_said(writer, object, "initial_displacement", said->json);
        return;
    }
    if (has_place && memcmp(&joint->place, &dpl_mb_place_identity, sizeof joint->place) != 0) {
        json_t *place = json_object();
        dpl__star_put_place(writer, place, &joint->place);
        dpl__star_put(writer, object, "initial_displacement", place);
    } else if (!has_place && !are_zero(joint->displacement, 3)) {
        dpl__star_put(writer, object, "initial_displacement",
                      write_coordinates(writer, joint->displacement, joint, false));
    }
}

static void put_velocity(struct dpl__star_writer *writer, json_t *object,
                         const struct dpl_mb_joint *joint, const struct dpl__star_said *said)
{
    if (said && said->json && memcmp(said->velocity, joint->velocity, sizeof said->velocity) == 0) {
        dpl__star_put_said(writer, object, "initial_velocity", said->json);
    } else if (!are_zero(joint->velocity, 6)) {
        dpl__star_put(writer, object, "initial_velocity",
                      write_coordinates(writer, joint->velocity, joint, true));
    }
}

/* ---- limits and motor ---- */

static void put_number(struct dpl__star_writer *writer, json_t *object, const char *key, double si,
                       double scale)
{
    if (si != 0.0) {
        dpl__star_put(writer, object, key, dpl__star_write_number(si, scale));
    }
}

static void put_limit(struct dpl__star_writer *writer, json_t *object,
                      const struct dpl_mb_joint *joint, json_t *source)
{
    static const char *const keys[] = {"lower", "upper", "stiffness", "damping", NULL};
    const struct dpl_mb_limit *limit = &joint->limit;
    if (!limit->is_there) {
        return;
    }
    bool turns = dpl_mb_joint_turns(joint->type, 0);
    double unit = dpl__star_coordinate(writer->units, turns);
    json_t *limits = json_object();
    if (isfinite(limit->lower)) {
        dpl__star_put(writer, limits, "lower", dpl__star_write_number(limit->lower, unit));
    }
    if (isfinite(limit->upper)) {
        dpl__star_put(writer, limits, "upper", dpl__star_write_number(limit->upper, unit));
    }
    put_number(writer, limits, "stiffness", limit->stiffness,
               dpl__star_coefficient(writer->units, turns, false, 1));
    put_number(writer, limits, "damping", limit->damping,
               dpl__star_coefficient(writer->units, turns, true, 1));
    dpl__star_put_kept(writer, limits, json_object_get(source, "limits"), keys);
    dpl__star_put(writer, object, "limits", limits);
}

static void put_motor(struct dpl__star_writer *writer, json_t *object,
                      const struct dpl_mb_joint *joint, json_t *source)
{
    static const char *const keys[] = {"mode", "kp", "kd", "max", NULL};
    static const char *const modes[] = {"", "force", "velocity", "position"};
    if (joint->motor.mode == DPL_MB_MOTOR_NONE) {
        return;
    }
    bool turns = dpl_mb_joint_turns(joint->type, 0);
    json_t *motor = json_object();
    dpl__star_put(writer, motor, "mode", json_string(modes[joint->motor.mode]));
    put_number(writer, motor, "kp", joint->motor.kp,
               dpl__star_coefficient(writer->units, turns, false, 1));
    put_number(writer, motor, "kd", joint->motor.kd,
               dpl__star_coefficient(writer->units, turns, true, 1));
    put_number(writer, motor, "max", joint->motor.max, dpl__star_effort(writer->units, turns));
    dpl__star_put_kept(writer, motor, json_object_get(source, "motor"), keys);
    dpl__star_put(writer, object, "motor", motor);
}

/* ---- joints ---- */

/* Restraints that dialect C has as keys of their joints. */
static void put_joint_keys(struct dpl__star_writer *writer, json_t *object, int number)
{
    const struct dpl_mb_graph *graph = writer->graph;
    bool turns = dpl_mb_joint_turns(graph->joints[number].type, 0);
    for (int i = 0; i < 2; i++) {
        int of = writer->joint_restraints[2 * number + i];
        if (of >= 0) {
            const struct dpl_mb_restraint *restraint = &graph->restraints[of];
            dpl__star_put(writer, object, dpl__star_joint_key(writer, of),
                          dpl__star_write_piece(writer, restraint->law.coefficients,
                                                restraint->law.n_of[0], turns,
                                                restraint->type != DPL_MB_SPRING, true));
        }
    }
}

static json_t *write_joint(struct dpl__star_writer *writer, int number)
{
    const struct dpl_mb_joint *joint = &writer->graph->joints[number];
    const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_JOINT, number);
    json_t *source = said ? said->json : NULL;
    json_t *object = dpl__star_new_thing(writer, joint->name);
    dpl__star_put_active(writer, object, joint->is_active, source);
    if (writer->keeps_axes && said && said->has_axis) {
        put_as_read(writer, object, joint, source);
    } else {
        put_type(writer, object, joint);
    }
    if (joint->type == DPL_MB_SCREW) {
        dpl__star_put(
            writer, object, "pitch",
            dpl__star_write_number(joint->pitch, writer->units->length / writer->units->angle));
    }
    put_displacement(writer, object, joint, said);
    put_velocity(writer, object, joint, said);
    if (joint->is_held || json_object_get(source, "hold")) {
        dpl__star_put(writer, object, "hold", json_boolean(joint->is_held));
    }
    put_limit(writer, object, joint, source);
    put_motor(writer, object, joint, source);
    put_joint_keys(writer, object, number);
    dpl__star_put_kept(writer, object, source, dpl__star_joint_keys);
    return object;
}

json_t *dpl__star_write_joints(struct dpl__star_writer *writer, int assembly)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_JOINT];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[assembly]; i < groups->starts[assembly + 1]; i++) {
        const struct dpl_mb_joint *joint = &writer->graph->joints[groups->numbers[i]];
        if (!joint->is_removed) {
            dpl__star_put_thing(writer, list, joint->name, write_joint(writer, groups->numbers[i]));
        }
    }
    return list;
}
