/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in an application what a calibration starts from and where its results go. */
#include "calibration.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/app.h>
#include <doppel/math/geometry.h>

#include "app_values.h"

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
        good &= app_class_number(localizer, own[i].name, calibration_rows[own[i].parameter].unit,
                                 &property->value);
    }
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        good &= app_class_number(localizer, calibration_rows[i].sigma_property,
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
        if (app_class_number(laser, names[i], calibration_rows[parameter].unit, &property.value)) {
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
        if (!device || !app_device_number(device, names[i], NULL, &property.value)) {
            return dpl_fail(reterr, -EINVAL, wheels->place,
                            "the odometry of %s cannot be calibrated: its driver '%s' has no "
                            "property %s",
                            wheels->name, device ? device->driver->name : "?", names[i]);
        }
        target->values[CALIBRATION_SCALE_LEFT + i] = property;
    }
    target->drive = (struct drive_config){0.3, 1e3, 1e3, 0.5};
    app_device_number(device, "AxleDistance", "m", &target->drive.axle_m);
    if (!(target->drive.axle_m > 0.0)) { /* a robot in a world would tell it, but not here */
        return dpl_fail(reterr, -EINVAL, wheels->place,
                        "the odometry of %s cannot be calibrated: give it %sAxleDistance, the "
                        "nominal one",
                        wheels->name, side);
    }
    app_device_number(device, "MaximumVelocity", "m/s", &target->drive.max_linear);
    app_device_number(device, "MaximumAngularVelocity", "rad/s", &target->drive.max_angular);
    app_device_number(device, "Acceleration", "m/s^2", &target->drive.acceleration);
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
    if (*app_device_text(avatar, "RobotName") == '\0') {
        target->why_no_robot = "the avatar is in no world";
    } else if (*app_device_text(avatar, "ip") != '\0') {
        target->why_no_robot = "the avatar's world is in another process, whose `doppel sim` "
                               "takes changes";
    } else if (*app_device_text(avatar, "World") != '\0' || !app->world) {
        target->why_no_robot = "the avatar's world is not the application's";
    } else {
        target->robot = app_device_text(avatar, "RobotName");
        target->has_acceleration = app_device_number(avatar, "Acceleration", NULL, &none);
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
    const struct dpl_app_component *wheels = app_connected(app, localizer, "odometry");
    const struct dpl_app_component *laser = app_connected(app, localizer, "scan");
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
