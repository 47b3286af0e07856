/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the Car: properties and published variables, and the configuration of a model from
 * them. */
#include "tables.h"

#include <doppel/text_check.h>

#define P(member_) DPL_MEMBER(struct car_properties, member_)

#define START_MAX_MM   1e8
#define OFFSET_MAX_DEG 3600.0
#define MOUNT_MAX_MM   1e5

/* ---- texts, checked on loading ---- */

static int told(int err, const char *text, const struct car_text_error *bad,
                struct dpl_diag *reterr)
{
    return err < 0 ? dpl_check_fail(text, text + bad->offset, bad->what, reterr) : 0;
}

static int check_start(const char *text, struct dpl_diag *reterr)
{
    struct car_text_error bad;
    double value[3];
    size_t n;
    int err = car_script_numbers(text, 3, START_MAX_MM, value, &n, &bad);
    if (err == 0 && n == 1) {
        return dpl_check_fail(text, text, "expected two numbers, x and y in mm", reterr);
    }
    return told(err, text, &bad, reterr);
}

static int check_offsets(const char *text, struct dpl_diag *reterr)
{
    struct car_text_error bad;
    double value[CAR_SENSORS_MAX];
    size_t n;
    return told(car_script_numbers(text, CAR_SENSORS_MAX, OFFSET_MAX_DEG, value, &n, &bad), text,
                &bad, reterr);
}

static int check_mounts(const char *text, struct dpl_diag *reterr)
{
    struct car_text_error bad;
    double xy[2 * CAR_SENSORS_MAX];
    size_t n;
    return told(car_script_points(text, CAR_SENSORS_MAX, MOUNT_MAX_MM, xy, &n, &bad), text, &bad,
                reterr);
}

static int check_script(const char *text, struct dpl_diag *reterr)
{
    struct car_script script;
    struct car_text_error bad;
    return told(car_script_parse(&script, text, &bad), text, &bad, reterr);
}

/* ---- the tables ---- */

const struct dpl_field car_property_table[] = {
    {
        .name = "Model",
        .type = DPL_FIELD_CHOICE,
        P(model),
        .default_text = "differential",
        .choices = "paper|differential|ackermann",
        .summary = "the published integer car, or a planar body with two driven or steered wheels",
    },
    DPL_TEXT_CHECKED(struct car_properties, start, "Start", "", check_start,
                     "\"x y\" in mm, optionally a heading in deg; none: the start of the track"),
    DPL_NUMBER(struct car_properties, start_heading_deg, "StartHeading", "deg", "90", -360.0, 360,
               "heading at the start, if neither Start nor the track has one"),
    DPL_TEXT_CHECKED(
        struct car_properties, sensor_offsets, "SensorOffsets", "30 0 330 45 135 225 315",
        check_offsets,
        "directions of the sensors, deg from the heading, counter-clockwise; at most 16"),
    DPL_TEXT_CHECKED(
        struct car_properties, sensor_mounts, "SensorMounts", "", check_mounts,
        "where the sensors sit on a body, \"x y; x y ...\" in mm; none: at its reference point"),
    DPL_NUMBER(struct car_properties, sensor_range_m, "SensorRange", "m", "10", 0.01, 1000,
               "line of sight of the sensors"),
    DPL_TEXT_CHECKED(
        struct car_properties, script, "Script", "", check_script,
        "rows \"tick heading velocity\" separated by ';': from that tick's row on, deg and mm/s"),
    DPL_NUMBER(struct car_properties, length_m, "Length", "m", "0.3", 0.01, 10, "of the outline"),
    DPL_NUMBER(struct car_properties, width_m, "Width", "m", "0.18", 0.01, 10, "of the outline"),
    DPL_NUMBER(struct car_properties, behind_m, "RearOverhang", "m", "0.15", 0.0, 10,
               "of the outline behind the reference point: the middle of the driven or rear axle"),
    DPL_NUMBER(struct car_properties, track_width_m, "TrackWidth", "m", "0.16", 0.01, 10,
               "between the wheels of the differential car"),
    DPL_NUMBER(struct car_properties, wheel_base_m, "WheelBase", "m", "0.2", 0.01, 10,
               "between the axles of the ackermann car"),
    DPL_NUMBER(struct car_properties, max_speed_m_s, "MaximumVelocity", "m/s", "1.114", 0.001, 50,
               "of a motor"),
    DPL_NUMBER(struct car_properties, speed_lag_s, "MotorLag", "s", "0.05", 0.0, 10,
               "time constant of a motor's speed"),
    DPL_NUMBER(struct car_properties, max_acceleration_m_s2, "MaximumAcceleration", "m/s^2", "0",
               0.0, 1000, "limit for a motor; 0: none"),
    DPL_NUMBER(struct car_properties, max_steering_deg, "MaximumSteering", "deg", "30", 0.0, 80,
               "of the ackermann car"),
    DPL_NUMBER(struct car_properties, steering_lag_s, "SteeringLag", "s", "0.05", 0.0, 10,
               "time constant of the steering"),
    DPL_NUMBER(struct car_properties, steering_rate_deg_s, "SteeringRate", "deg/s", "0", 0.0, 10000,
               "largest rate of the steering; 0: no limit"),
    DPL_NUMBER(struct car_properties, battery, "Battery", NULL, "1", 0.0, 2,
               "battery level: scale of the motors' speed; a script ignores it"),
    DPL_NUMBER(struct car_properties, silent_after_s, "SilentAfter", "s", "0.5", 0.001, 3600,
               "an actuator without a message for this long has no effect"),
    {
        .name = "Vary",
        .type = DPL_FIELD_BOOL,
        P(vary),
        .default_text = "false",
        .summary = "vary start and battery from the run's seed, evenly within the spreads",
    },
    DPL_NUMBER(struct car_properties, spread_x_m, "StartSpreadX", "m", "0.03", 0.0, 10,
               "with Vary: largest change of the start, to either side"),
    DPL_NUMBER(struct car_properties, spread_y_m, "StartSpreadY", "m", "0.03", 0.0, 10,
               "with Vary: largest change of the start, to either side"),
    DPL_NUMBER(struct car_properties, spread_heading_deg, "StartSpreadHeading", "deg", "5", 0.0,
               180, "with Vary: largest change of the heading at the start, to either side"),
    DPL_NUMBER(struct car_properties, spread_battery, "BatterySpread", NULL, "0.05", 0.0, 1,
               "with Vary: largest change of Battery, to either side"),
};

#define EXPORT(name_, type_, flags_, member_, unit_, text_)                                        \
    {                                                                                              \
        .name = name_, .type = type_, .flags = flags_, DPL_MEMBER(struct car_state, member_),      \
        .unit = unit_, .summary = text_,                                                           \
    }
#define BOTH (DPL_FIELD_TRACE | DPL_FIELD_SUMMARY)

const struct dpl_field car_export_table[] = {
    EXPORT("ticks", DPL_FIELD_INT, BOTH | DPL_FIELD_STATUS, ticks, NULL, "driven so far"),
    EXPORT("x", DPL_FIELD_DOUBLE, BOTH | DPL_FIELD_STATUS, x_m, "m", "of the reference point"),
    EXPORT("y", DPL_FIELD_DOUBLE, BOTH | DPL_FIELD_STATUS, y_m, "m", "of the reference point"),
    EXPORT("heading", DPL_FIELD_DOUBLE, BOTH, heading_deg, "deg", "counter-clockwise from +x"),
    EXPORT("velocity", DPL_FIELD_DOUBLE, BOTH, velocity_m_s, "m/s", "along the heading"),
    DPL_EXPORT_CHOICE(struct car_state, outcome, "outcome", "drives|finished|hit", BOTH,
                      "how the race went"),
    EXPORT("undriven", DPL_FIELD_INT, DPL_FIELD_SUMMARY, undriven, NULL,
           "ticks in which neither a script nor a controller drove"),
    EXPORT("start_x", DPL_FIELD_DOUBLE, DPL_FIELD_SUMMARY, start_x_mm, "mm", "of this run"),
    EXPORT("start_y", DPL_FIELD_DOUBLE, DPL_FIELD_SUMMARY, start_y_mm, "mm", "of this run"),
    EXPORT("start_heading", DPL_FIELD_DOUBLE, DPL_FIELD_SUMMARY, start_heading_deg, "deg",
           "of this run"),
    EXPORT("battery", DPL_FIELD_DOUBLE, DPL_FIELD_SUMMARY, battery, NULL, "of this run"),
};

int car_start_from(const struct car_properties *props, double ret_start[3], size_t *ret_n)
{
    struct car_text_error bad;
    ret_start[2] = props->start_heading_deg;
    return car_script_numbers(props->start, 3, START_MAX_MM, ret_start, ret_n, &bad);
}

static int read_sensors(const struct car_properties *props, struct car_config *config,
                        struct dpl_diag *reterr)
{
    struct car_text_error bad;
    double mounts[2 * CAR_SENSORS_MAX];
    size_t n_mounts;
    if (car_script_numbers(props->sensor_offsets, CAR_SENSORS_MAX, OFFSET_MAX_DEG,
                           config->sensor_deg, &config->n_sensors, &bad) < 0 ||
        car_script_points(props->sensor_mounts, CAR_SENSORS_MAX, MOUNT_MAX_MM, mounts, &n_mounts,
                          &bad) < 0) {
        return -EINVAL; /* values that were not loaded; loaded ones are checked */
    }
    if (n_mounts > 0 && n_mounts != config->n_sensors) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "SensorMounts places %zu sensors, but SensorOffsets has %zu", n_mounts,
                        config->n_sensors);
    }
    for (size_t i = 0; i < n_mounts; i++) {
        config->mounts[i] = (struct car_point){mounts[2 * i] / 1000.0, mounts[2 * i + 1] / 1000.0};
    }
    config->reach = props->sensor_range_m;
    return 0;
}

static void read_body(const struct car_properties *props, struct car_config *config)
{
    config->model = (enum car_model)props->model;
    config->length = props->length_m;
    config->width = props->width_m;
    config->behind = props->behind_m;
    config->track_width = props->track_width_m;
    config->wheel_base = props->wheel_base_m;
    config->motor = (struct car_lag){
        .time_constant_s = props->speed_lag_s,
        .limit = props->max_speed_m_s,
        .rate = props->max_acceleration_m_s2,
    };
    config->steering = (struct car_lag){
        .time_constant_s = props->steering_lag_s,
        .limit = dpl_deg_to_rad(props->max_steering_deg),
        .rate = dpl_deg_to_rad(props->steering_rate_deg_s),
    };
}

int car_config_from(const struct car_properties *props, struct car_config *ret_config,
                    struct dpl_diag *reterr)
{
    if (props->behind_m > props->length_m) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "RearOverhang (%g m) must not be larger than Length (%g m)",
                        props->behind_m, props->length_m);
    }
    read_body(props, ret_config);
    return read_sensors(props, ret_config, reterr);
}
