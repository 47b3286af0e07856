/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the two robots. */
#include "tables.h"

#include <doppel/component.h>
#include <doppel/msg/parameter_methods.h>
#include <doppel/msg/wheel_controller.h>

/* What a driver says; 0: nothing. */
struct drive {
    double velocity, angular, acceleration, axle;
};

/* A driver's limits are equal to what is wanted within this. */
#define ROUNDING 1e-9

void sync_limits_given(struct dpl_sync_config *inout_config, const struct sync_properties *props)
{
    const struct {
        double given;
        double *used;
    } limits[] = {
        {props->axle_m, &inout_config->axle_m},
        {props->acceleration_m_s2, &inout_config->acceleration},
        {props->max_velocity_m_s, &inout_config->max_velocity},
        {props->max_angular_rad_s, &inout_config->max_angular},
    };
    for (size_t i = 0; i < DPL_COUNT(limits); i++) {
        if (limits[i].given > 0.0) {
            *limits[i].used = limits[i].given;
        }
    }
}

static double ask(struct dpl_component *self, unsigned port, const char *name)
{
    static const struct dpl_field number = {
        .name = "value", .type = DPL_FIELD_DOUBLE, .min = 0, .max = 1e6};
    char value[DPL_PARAMETER_VALUE_SIZE] = "";
    Doppel__Parameter request, answer;
    doppel__parameter__init(&request);
    doppel__parameter__init(&answer);
    request.name = (char *)(uintptr_t)name;
    answer.value = value;
    double told = 0.0;
    int err = dpl_wheel_controller_call_get_parameter(self, port, &request, &answer);
    if (err == 0 && value[0] != '\0') {
        err = dpl_field_parse(&number, &(struct dpl_field_text){.text = value}, &told, NULL);
    }
    return err == 0 ? told : 0.0;
}

static struct drive ask_all(struct dpl_component *self, unsigned port)
{
    return (struct drive){
        .velocity = ask(self, port, "MaximumVelocity"),
        .angular = dpl_deg_to_rad(ask(self, port, "MaximumAngularVelocity")), /* told in degrees */
        .acceleration = ask(self, port, "Acceleration"),
        .axle = ask(self, port, "AxleDistance"),
    };
}

/* A given limit wins, then what the driver tells, then what the config has: a guess. */
static void choose(struct dpl_component *self, const char *name, double given, double told,
                   double *inout_used)
{
    if (given > 0.0) {
        return;
    }
    if (told > 0.0) {
        *inout_used = told;
        return;
    }
    dpl_component_log(self, DPL_LOG_WARN,
                      "the real robot's driver has no %s, and no property sets it: %g is used",
                      name, *inout_used);
}

/* The avatar has to be faster than the real robot to catch up, and as quick. */
static void check_avatar(struct dpl_component *self, const struct drive *avatar,
                         const struct dpl_sync_config *config)
{
    double wanted = config->max_velocity * config->avatar_headroom;
    if (avatar->velocity > 0.0 && avatar->velocity < wanted - ROUNDING) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the avatar's MaximumVelocity is %g m/s; to catch up with a real robot "
                          "of %g m/s it needs %g (AvatarHeadroom %g)",
                          avatar->velocity, config->max_velocity, wanted, config->avatar_headroom);
    }
    if (avatar->angular > 0.0 && avatar->angular < config->max_angular - ROUNDING) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the avatar's MaximumAngularVelocity is %g rad/s, less than the real "
                          "robot's of %g",
                          avatar->angular, config->max_angular);
    }
    if (avatar->acceleration > 0.0 && avatar->acceleration < config->acceleration - ROUNDING) {
        dpl_component_log(self, DPL_LOG_WARN,
                          "the avatar's Acceleration is %g m/s^2, less than the real robot's of %g",
                          avatar->acceleration, config->acceleration);
    }
}

void sync_limits_ask(struct dpl_component *self, unsigned real_port, unsigned avatar_port,
                     struct dpl_sync_config *inout_config)
{
    const struct sync_properties *props = self->properties;
    struct dpl_sync_config *used = inout_config;
    struct drive real = ask_all(self, real_port), avatar = ask_all(self, avatar_port);
    choose(self, "MaximumVelocity", props->max_velocity_m_s, real.velocity, &used->max_velocity);
    choose(self, "MaximumAngularVelocity", props->max_angular_rad_s, real.angular,
           &used->max_angular);
    choose(self, "Acceleration", props->acceleration_m_s2, real.acceleration, &used->acceleration);
    choose(self, "AxleDistance", props->axle_m, real.axle, &used->axle_m);
    used->avatar_acceleration = props->acceleration_m_s2 > 0.0 ? 0.0 : avatar.acceleration;
    used->avatar_axle_m = props->axle_m > 0.0 ? 0.0 : avatar.axle;
    dpl_component_log(self, DPL_LOG_INFO,
                      "limits of the real robot: %g m/s, %.4g rad/s, %g m/s^2, axle %g m",
                      used->max_velocity, used->max_angular, used->acceleration, used->axle_m);
    check_avatar(self, &avatar, used);
}
