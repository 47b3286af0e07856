/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in an application what a calibration starts from and where its results go. */
#include "calibration.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/app.h>
#include <doppel/math/geometry.h>

static bool is_of_class(const struct dpl_app_component *component, const char *name)
{
    return component->class_ && strcmp(component->class_->name, name) == 0;
}

static const struct dpl_app_component *find_localizer(const struct dpl_app *app,
                                                      struct dpl_diag *reterr)
{
    const struct dpl_app_component *found = NULL;
    for (size_t i = 0; i < app->n_components; i++) {
        if (!is_of_class(&app->components[i], "Localizer")) {
            continue;
        }
        if (found) {
            dpl_fail(reterr, -EINVAL, app->components[i].place,
                     "the application has more than one Localizer: '%s' and '%s'", found->name,
                     app->components[i].name);
            return NULL;
        }
        found = &app->components[i];
    }
    if (!found) {
        dpl_fail(
            reterr, -EINVAL, (struct dpl_place){.file = app->file},
            "the application has no Localizer; a binding may add it (--bind hil, --bind twin)");
    }
    return found;
}

/* The component that sends to an input port; NULL: none. */
static const struct dpl_app_component *
source_of(const struct dpl_app *app, const struct dpl_app_component *target, const char *port)
{
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind == DPL_PORT_DATA && &app->components[c->target] == target &&
            strcmp(target->class_->ports[c->target_port].name, port) == 0) {
            return &app->components[c->source];
        }
    }
    return NULL;
}

/* A number of a property block, in `unit`; false: there is no such property. */
static bool read_number(const struct dpl_field *fields, size_t n, const void *block,
                        const char *name, const char *unit, double *ret_value)
{
    const struct dpl_field *field = n > 0 ? dpl_field_find(fields, n, name) : NULL;
    if (!field) {
        return false;
    }
    double value = dpl_field_number(field, block);
    *ret_value = value;
    if (field->unit && unit) {
        (void)dpl_unit_convert(value, field->unit, unit, ret_value);
    }
    return true;
}

static bool class_number(const struct dpl_app_component *component, const char *name,
                         const char *unit, double *ret_value)
{
    const struct dpl_component_class *class = component->class_;
    return read_number(class->properties, class->n_properties, component->properties, name, unit,
                       ret_value);
}

static bool device_number(const struct dpl_app_device *device, const char *name, const char *unit,
                          double *ret_value)
{
    return read_number(device->driver->properties, device->driver->n_properties, device->properties,
                       name, unit, ret_value);
}

static const char *device_text(const struct dpl_app_device *device, const char *name)
{
    const struct dpl_field *field =
        dpl_field_find(device->driver->properties, device->driver->n_properties, name);
    return field && field->type == DPL_FIELD_STRING
               ? (const char *)device->properties + field->offset
               : "";
}

/* ---- parts of the target ---- */

static int find_localizer_values(const struct dpl_app_component *localizer,
                                 struct calibration_target *target, struct dpl_diag *reterr)
{
    static const struct {
        enum calibration_parameter parameter;
        const char *name;
    } own[] = {
        {CALIBRATION_TIME_OFFSET, "TimeOffset"},
        {CALIBRATION_RANGE_BIAS, "RangeBias"},
        {CALIBRATION_RANGE_SCALE, "RangeScale"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct calibration_property *property = &target->values[own[i].parameter];
        *property = (struct calibration_property){localizer->name, "", own[i].name, 0.0};
        good &= class_number(localizer, own[i].name, calibration_rows[own[i].parameter].unit,
                             &property->value);
    }
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        good &= class_number(localizer, calibration_rows[i].sigma_property,
                             calibration_rows[i].unit, &target->sigma[i]);
    }
    return good ? 0
                : dpl_fail(reterr, -EINVAL, localizer->place,
                           "the class Localizer on this machine has not the properties of a "
                           "calibration (TimeOffset, SigmaWheel, ...)");
}

static void find_mount(const struct dpl_app_component *laser, struct calibration_target *target)
{
    static const char *const names[] = {"X", "Y", "Yaw"};
    for (int i = 0; i < 3; i++) {
        enum calibration_parameter parameter =
            (enum calibration_parameter)(CALIBRATION_MOUNT_X + i);
        struct calibration_property property = {laser->name, "", names[i], 0.0};
        if (class_number(laser, names[i], calibration_rows[parameter].unit, &property.value)) {
            target->values[parameter] = property;
        }
    }
}

/* The device whose odometry is published: over HIL the hardware. */
static const struct dpl_app_device *odometry_device(const struct dpl_app_component *wheels,
                                                    const char **ret_side)
{
    const struct dpl_app_device *device = wheels->device;
    *ret_side = "";
    if (device && device->driver->n_sides > 0 &&
        strcmp(device->driver->sides[0].name, "hardware") == 0) {
        *ret_side = "hardware.";
        device = &device->sides[0];
    }
    return device;
}

static int find_odometry(const struct dpl_app_component *wheels, struct calibration_target *target,
                         struct dpl_diag *reterr)
{
    static const char *const names[] = {"OdometryScaleLeft", "OdometryScaleRight",
                                        "OdometryAxleScale"};
    const char *side;
    const struct dpl_app_device *device = odometry_device(wheels, &side);
    target->wheels = wheels->name;
    for (int i = 0; i < 3; i++) {
        struct calibration_property property = {wheels->name, side, names[i], 1.0};
        if (!device || !device_number(device, names[i], NULL, &property.value)) {
            return dpl_fail(reterr, -EINVAL, wheels->place,
                            "the odometry of %s cannot be calibrated: its driver '%s' has no "
                            "property %s",
                            wheels->name, device ? device->driver->name : "?", names[i]);
        }
        target->values[CALIBRATION_SCALE_LEFT + i] = property;
    }
    target->drive = (struct drive_config){0.3, 1e3, 1e3, 0.5};
    device_number(device, "AxleDistance", "m", &target->drive.axle_m);
    device_number(device, "MaximumVelocity", "m/s", &target->drive.max_linear);
    device_number(device, "MaximumAngularVelocity", "rad/s", &target->drive.max_angular);
    device_number(device, "Acceleration", "m/s^2", &target->drive.acceleration);
    return 0;
}

/* The avatar's robot, if a world of this process has it. */
static void find_robot(const struct dpl_app *app, const struct dpl_app_component *wheels,
                       struct calibration_target *target)
{
    const struct dpl_app_device *device = wheels->device;
    double none;
    target->robot = NULL;
    if (!device || device->driver->n_sides < 2) {
        target->why_no_robot = "the binding has no avatar beside the robot";
        return;
    }
    const struct dpl_app_device *avatar = &device->sides[1];
    if (*device_text(avatar, "RobotName") == '\0') {
        target->why_no_robot = "the avatar is in no world";
    } else if (*device_text(avatar, "ip") != '\0') {
        target->why_no_robot = "the avatar's world is in another process, whose `doppel sim` "
                               "takes changes";
    } else if (*device_text(avatar, "World") != '\0' || !app->world) {
        target->why_no_robot = "the avatar's world is not the application's";
    } else {
        target->robot = device_text(avatar, "RobotName");
        target->has_acceleration = device_number(avatar, "Acceleration", NULL, &none);
    }
}

int calibration_find(const struct dpl_app *app, struct calibration_target *ret_target,
                     struct dpl_diag *reterr)
{
    *ret_target = (struct calibration_target){0};
    const struct dpl_app_component *localizer = find_localizer(app, reterr);
    if (!localizer) {
        return -EINVAL;
    }
    const struct dpl_app_component *wheels = source_of(app, localizer, "odometry");
    const struct dpl_app_component *laser = source_of(app, localizer, "scan");
    if (!wheels || !laser) {
        return dpl_fail(reterr, -EINVAL, localizer->place, "nothing is connected to '%s' of %s",
                        wheels ? "scan" : "odometry", localizer->name);
    }
    ret_target->localizer = localizer->name;
    ret_target->localizer_class = localizer->class_;
    int err = find_localizer_values(localizer, ret_target, reterr);
    err = err < 0 ? err : find_odometry(wheels, ret_target, reterr);
    if (err == 0) {
        find_mount(laser, ret_target);
        find_robot(app, wheels, ret_target);
    }
    return err;
}
