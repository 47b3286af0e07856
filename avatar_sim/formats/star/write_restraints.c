/* SPDX-License-Identifier: Apache-2.0 */
/* Gears, restraints and devices of the document that is written. */
#include <string.h>

#include "units.h"
#include "writer.h"

static json_t *json_of(const struct dpl__star_writer *writer, enum dpl_mb_kind kind, int number)
{
    const struct dpl__star_said *said = dpl__star_said(writer->source, kind, number);
    return said ? said->json : NULL;
}

/* ---- gears ---- */

static json_t *write_gear(struct dpl__star_writer *writer, int number)
{
    const struct dpl_mb_gear *gear = &writer->graph->gears[number];
    json_t *source = json_of(writer, DPL_MB_GEAR, number);
    json_t *object = dpl__star_new_thing(writer, gear->name), *joints = json_array();
    double units[2];
    for (int i = 0; i < 2; i++) {
        enum dpl_mb_joint_type type = writer->graph->joints[gear->joints[i]].type;
        units[i] = dpl__star_coordinate(writer->units, dpl_mb_joint_turns(type, 0));
        dpl__star_append(
            writer, joints,
            dpl__star_write_path(writer, DPL_MB_JOINT, gear->joints[i], gear->assembly, false));
    }
    dpl__star_put_active(writer, object, gear->is_active, source);
    dpl__star_put(writer, object, "joints", joints);
    dpl__star_put(writer, object, "ratio",
                  dpl__star_write_number(gear->ratio, units[0] / units[1]));
    dpl__star_put_kept(writer, object, source, dpl__star_gear_keys);
    return object;
}

json_t *dpl__star_write_gears(struct dpl__star_writer *writer, int assembly)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_GEAR];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[assembly]; i < groups->starts[assembly + 1]; i++) {
        const struct dpl_mb_gear *gear = &writer->graph->gears[groups->numbers[i]];
        if (!gear->is_removed) {
            dpl__star_put_thing(writer, list, gear->name, write_gear(writer, groups->numbers[i]));
        }
    }
    return list;
}

/* ---- laws ---- */

json_t *dpl__star_write_piece(struct dpl__star_writer *writer, const double *coefficients, size_t n,
                              bool turns, bool is_of_rate, bool rises)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        size_t power = rises ? i : n - 1 - i;
        dpl__star_append(
            writer, array,
            dpl__star_write_number(coefficients[n - 1 - power],
                                   dpl__star_coefficient(writer->units, turns, is_of_rate, power)));
    }
    return array;
}

static void put_law(struct dpl__star_writer *writer, json_t *object,
                    const struct dpl_mb_restraint *restraint, bool turns)
{
    const struct dpl_mb_piecewise *law = &restraint->law;
    bool is_of_rate = restraint->type != DPL_MB_SPRING;
    if (law->n_knots == 0) {
        dpl__star_put(writer, object, "coefficients",
                      dpl__star_write_piece(writer, law->coefficients, law->n_of[0], turns,
                                            is_of_rate, false));
        return;
    }
    double unit = is_of_rate ? dpl__star_rate(writer->units, turns)
                             : dpl__star_coordinate(writer->units, turns);
    dpl__star_put(writer, object, "knot_points",
                  dpl__star_write_numbers(writer, law->knots, law->n_knots, unit));
    json_t *pieces = json_array();
    const double *coefficients = law->coefficients;
    for (size_t i = 0; i <= law->n_knots; i++) {
        dpl__star_append(
            writer, pieces,
            dpl__star_write_piece(writer, coefficients, law->n_of[i], turns, is_of_rate, false));
        coefficients += law->n_of[i];
    }
    dpl__star_put(writer, object, "coefficients", pieces);
}

/* ---- restraints ---- */

const char *dpl__star_joint_key(const struct dpl__star_writer *writer, int number)
{
    const struct dpl_mb_restraint *restraint = &writer->graph->restraints[number];
    const struct dpl__star_said *said = dpl__star_said(writer->source, DPL_MB_RESTRAINT, number);
    bool is_key = writer->is_c && said && said->joint_key && restraint->is_active &&
                  !restraint->is_removed && restraint->law.n_knots == 0;
    return is_key ? said->joint_key : NULL;
}

static void put_where(struct dpl__star_writer *writer, json_t *object,
                      const struct dpl_mb_restraint *restraint)
{
    static const char *const distances[] = {"", "Tx", "Ty", "Tz"};
    if (restraint->joint >= 0) {
        dpl__star_put(writer, object, "joint",
                      dpl__star_write_path(writer, DPL_MB_JOINT, restraint->joint,
                                           restraint->assembly, false));
        return;
    }
    json_t *pair = json_array();
    for (int i = 0; i < 2; i++) {
        dpl__star_append(
            writer, pair,
            dpl__star_write_end(writer, restraint->frames[i], restraint->assembly, writer->is_c));
    }
    dpl__star_put(writer, object, "body_frame_pair", pair);
    if (restraint->distance != DPL_MB_DISTANCE) {
        dpl__star_put(writer, object, "distance_type", json_string(distances[restraint->distance]));
    }
}

static json_t *write_restraint(struct dpl__star_writer *writer, int number)
{
    static const char *const types[] = {"spring", "damper", "friction"};
    const struct dpl_mb_restraint *restraint = &writer->graph->restraints[number];
    json_t *source = json_of(writer, DPL_MB_RESTRAINT, number);
    json_t *object = dpl__star_new_thing(writer, restraint->name);
    bool turns = restraint->joint >= 0 &&
                 dpl_mb_joint_turns(writer->graph->joints[restraint->joint].type, 0);
    dpl__star_put_active(writer, object, restraint->is_active, source);
    dpl__star_put(writer, object, "type", json_string(types[restraint->type]));
    put_where(writer, object, restraint);
    put_law(writer, object, restraint, turns);
    if (restraint->type == DPL_MB_FRICTION &&
        (json_object_get(source, "regularization") || restraint->regularization != 1e-3)) {
        dpl__star_put(writer, object, "regularization",
                      dpl__star_write_number(restraint->regularization,
                                             dpl__star_rate(writer->units, turns)));
    }
    dpl__star_put_kept(writer, object, source, dpl__star_restraint_keys);
    return object;
}

json_t *dpl__star_write_restraints(struct dpl__star_writer *writer, int assembly)
{
    const struct dpl__star_groups *groups = &writer->in_assembly[DPL_MB_RESTRAINT];
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = groups->starts[assembly]; i < groups->starts[assembly + 1]; i++) {
        int number = groups->numbers[i];
        const struct dpl_mb_restraint *restraint = &writer->graph->restraints[number];
        if (!restraint->is_removed && !dpl__star_joint_key(writer, number)) {
            dpl__star_put_thing(writer, list, restraint->name, write_restraint(writer, number));
        }
    }
    return list;
}

/* ---- devices ---- */

static bool is_there(const struct dpl__star_writer *writer, const struct dpl_star_sensor *sensor)
{
    const struct dpl_mb_graph *graph = writer->graph;
    return (sensor->frame < 0 || !graph->frames[sensor->frame].is_removed) &&
           (sensor->joint < 0 || !graph->joints[sensor->joint].is_removed);
}

static json_t *write_sensors(struct dpl__star_writer *writer, const struct dpl_star_device *device,
                             json_t *source)
{
    static const char *const own[] = {"name", "frame", "joint", NULL};
    json_t *list = json_array();
    for (size_t i = 0; i < device->n_sensors; i++) {
        const struct dpl_star_sensor *sensor = &device->sensors[i];
        json_t *said = json_is_array(source) ? json_array_get(source, i)
                                             : json_object_get(source, sensor->name);
        if (!is_there(writer, sensor)) {
            continue;
        }
        json_t *object = json_object();
        if (json_is_object(source) || json_object_get(said, "name")) {
            dpl__star_put(writer, object, "name", json_string_nocheck(sensor->name));
        }
        if (sensor->joint >= 0) {
            dpl__star_put(
                writer, object, "joint",
                dpl__star_write_path(writer, DPL_MB_JOINT, sensor->joint, device->assembly, false));
        }
        if (sensor->frame >= 0) {
            dpl__star_put(
                writer, object, "frame",
                dpl__star_write_end(writer, sensor->frame, device->assembly, writer->is_c));
        }
        dpl__star_put_kept(writer, object, said, own);
        dpl__star_append(writer, list, object);
    }
    return list;
}

static json_t *write_device(struct dpl__star_writer *writer, int number)
{
    const struct dpl_star_device *device = &writer->world->devices[number];
    json_t *source = writer->source->devices ? writer->source->devices[number] : NULL;
    json_t *object = dpl__star_new_thing(writer, device->name), *joints = json_array();
    dpl__star_put_active(writer, object, device->is_active, source);
    for (size_t i = 0; i < device->n_joints; i++) {
        if (!writer->graph->joints[device->joints[i]].is_removed) {
            dpl__star_append(writer, joints,
                             dpl__star_write_path(writer, DPL_MB_JOINT, device->joints[i],
                                                  device->assembly, false));
        }
    }
    dpl__star_put_list(writer, object, "joints", joints);
    dpl__star_put_list(writer, object, "sensors",
                       write_sensors(writer, device, json_object_get(source, "sensors")));
    dpl__star_put_kept(writer, object, source, dpl__star_device_keys);
    return object;
}

json_t *dpl__star_write_devices(struct dpl__star_writer *writer, int assembly)
{
    json_t *list = dpl__star_new_list(writer);
    for (size_t i = writer->devices.starts[assembly]; i < writer->devices.starts[assembly + 1];
         i++) {
        int number = writer->devices.numbers[i];
        dpl__star_put_thing(writer, list, writer->world->devices[number].name,
                            write_device(writer, number));
    }
    return list;
}
