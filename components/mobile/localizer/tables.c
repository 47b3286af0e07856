/* SPDX-License-Identifier: Apache-2.0 */
/* Ports, properties and exports of the Localizer. */
#include "tables.h"

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/wheel_controller.h>

const struct dpl_port_desc loc_ports[LOC_N_PORTS] = {
    [LOC_PORT_SCAN] =
        {
            .name = "scan",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__scan__descriptor,
            .policy = DPL_QUEUE_LAST,
            .expected = true,
            .summary = "scans of the real robot's laser; without them odometry alone holds the "
                       "pose, and an avatar that follows it: the error grows with the way",
        },
    [LOC_PORT_ODOMETRY] =
        {
            .name = "odometry",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__odometry__descriptor,
            .policy = DPL_QUEUE_FIFO,
            .required = true,
            .summary = "odometry of the real robot: travel of its wheels, turn of its gyro",
        },
    [LOC_PORT_AVATAR] =
        {
            .name = "Avatar",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary =
                "the avatar: its true pose is the start pose, and is compared with the scans",
        },
    [LOC_PORT_TRUTH] =
        {
            .name = "Truth",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary = "a base that knows the true pose of the real robot; only to measure errors",
        },
    [LOC_PORT_POSE] =
        {
            .name = "pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__localized_pose__descriptor,
            .capacity = INTEGRITY_RIVALS,
            .summary = "pose of the real robot in the world, each cycle",
        },
    [LOC_PORT_CALIBRATION] =
        {
            .name = "calibration",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__localizer_calibration__descriptor,
            .capacity = LOCALIZER_N_PARAMETERS,
            .summary = "calibration of odometry and laser, each second",
        },
    [LOC_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "commands of the real robot, for the diagnosis; without them a blocked "
                       "wheel and a wrong encoder look like slip",
        },
    [LOC_PORT_DIAGNOSIS] =
        {
            .name = "diagnosis",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .message = &doppel__diagnosis__descriptor,
            .capacity = LOC_NAME_MAX_BYTES,
            .summary = "a verdict appears or disappears",
        },
};

#define P struct loc_properties

const struct dpl_field loc_property_table[] = {
    DPL_NUMBER(
        P, scan_time_ms, "ScanTime", "ms", "0", 0, 1000,
        "time for one revolution of the laser's mirror; 0: all beams are measured at one instant"),
    DPL_NUMBER(P, map_error_mm, "MapError", "mm", "0", 0, 1000,
               "deviation of the world's surfaces from the real ones; 0: learnt"),
    DPL_NUMBER(
        P, scan_correlation, "ScanCorrelation", NULL, "5", 1, 1000,
        "weight of a scan, as one part in this number: consecutive scans repeat their errors"),
    DPL_CHOICE(P, start, "Start", "world", "world|search",
               "where the search begins: at the avatar's start in the world (without an avatar: "
               "StartX, StartY, StartTheta), or everywhere"),
    DPL_NUMBER(P, start_x_m, "StartX", "m", "0", -10000.0, 10000, "start without an avatar"),
    DPL_NUMBER(P, start_y_m, "StartY", "m", "0", -10000.0, 10000, "start without an avatar"),
    DPL_NUMBER(P, start_theta_rad, "StartTheta", "rad", "0", -6.3, 6.3,
               "heading at the start without an avatar"),
    DPL_NUMBER(P, start_sigma_m, "StartSigma", "m", "0.05", 0.0001, 100,
               "deviation of the robot's place from the given start"),
    DPL_NUMBER(P, start_sigma_deg, "StartSigmaDirection", "deg", "2", 0.001, 180,
               "deviation of the robot's heading from the given start"),
    DPL_CHOICE(P, calibrate, "Calibrate", "on", "on|identify|frozen|off",
               "calibration of odometry and laser: estimated during the whole run, estimated as "
               "constants, taken from the properties here, or taken from the drivers"),
    DPL_NUMBER(P, time_offset_ms, "TimeOffset", "ms", "0", -1000.0, 1000,
               "calibration: stamps of scans are late by this"),
    DPL_NUMBER(P, range_bias_mm, "RangeBias", "mm", "0", -1000.0, 1000,
               "calibration: added to each range by the laser"),
    DPL_NUMBER(P, range_scale, "RangeScale", NULL, "0", -0.5, 0.5,
               "calibration: the laser adds this share to each range"),
    DPL_NUMBER(P, sigma_wheel, "SigmaWheel", NULL, "0.03", 0, 0.5,
               "deviation of a wheel's scale from the driver's calibration"),
    DPL_NUMBER(P, sigma_axle, "SigmaAxle", NULL, "0.03", 0, 0.5,
               "deviation of the axle's scale from the driver's calibration"),
    DPL_NUMBER(P, sigma_time_ms, "SigmaTimeOffset", "ms", "30", 0, 1000, "deviation of TimeOffset"),
    DPL_NUMBER(P, sigma_mount_mm, "SigmaMount", "mm", "20", 0, 1000,
               "deviation of the laser's mount"),
    DPL_NUMBER(P, sigma_mount_deg, "SigmaMountDirection", "deg", "2", 0, 45,
               "deviation of the laser's direction"),
    DPL_NUMBER(P, sigma_bias_mm, "SigmaRangeBias", "mm", "20", 0, 1000, "deviation of RangeBias"),
    DPL_NUMBER(P, sigma_scale, "SigmaRangeScale", NULL, "0.01", 0, 0.5, "deviation of RangeScale"),
    DPL_NUMBER(P, odometry_noise_mm, "OdometryNoise", "mm", "5", 0.01, 1000,
               "deviation of a wheel's travel after 1 m; more if wheels slip"),
    DPL_BOOL(P, gyro, "Gyro", "true", "use the base's gyro, if it has one"),
    DPL_BOOL(P, diagnose, "Diagnose", "true", "report faults by name (docs/guides/diagnosis.md)"),
    DPL_BOOL(P, diagnose_objects, "DiagnoseObjects", "true",
             "with Diagnosis: also report objects that have moved or are missing in the plan; a "
             "person who stands still for 15 s counts as one"),
    DPL_BOOL(
        P, start_trust, "StartTrust", "true",
        "the given start is believed until something contradicts it; false: the place is known "
        "only once scans exclude each other one"),
    DPL_NUMBER(P, measure_from_s, "MeasureFrom", "s", "0", 0, 3600,
               "the first seconds of the run do not count in the true errors"),
};
_Static_assert(DPL_COUNT(loc_property_table) == LOC_N_PROPERTIES, "count in tables.h");

void loc_config_from(const struct loc_properties *p, struct localizer_config *ret_config)
{
    localizer_config_init(ret_config);
    ret_config->revolution_s = p->scan_time_ms * 1e-3;
    ret_config->map_error_m = p->map_error_mm > 0.0 ? p->map_error_mm * 1e-3 : -1.0;
    ret_config->scan_correlation = p->scan_correlation;
    ret_config->calibrate = (enum localizer_calibrate)p->calibrate;
    ret_config->search_at_start = p->start == LOC_START_SEARCH;
    ret_config->start_sigma_m = p->start_sigma_m;
    ret_config->start_sigma_rad = dpl_deg_to_rad(p->start_sigma_deg);
    ret_config->odometry_noise = p->odometry_noise_mm * 1e-3;
    ret_config->use_gyro = p->gyro;
    ret_config->diagnose = p->diagnose;
    ret_config->diagnose_objects = p->diagnose_objects;
    ret_config->start_trust = p->start_trust;
    double *initial = ret_config->initial, *sigma = ret_config->initial_sigma;
    initial[LOCALIZER_TIME_OFFSET] = p->time_offset_ms * 1e-3;
    initial[LOCALIZER_RANGE_BIAS] = p->range_bias_mm * 1e-3;
    initial[LOCALIZER_RANGE_SCALE] = p->range_scale;
    sigma[LOCALIZER_SCALE_LEFT] = sigma[LOCALIZER_SCALE_RIGHT] = p->sigma_wheel;
    sigma[LOCALIZER_AXLE_SCALE] = p->sigma_axle;
    sigma[LOCALIZER_TIME_OFFSET] = p->sigma_time_ms * 1e-3;
    sigma[LOCALIZER_MOUNT_X] = sigma[LOCALIZER_MOUNT_Y] = p->sigma_mount_mm * 1e-3;
    sigma[LOCALIZER_MOUNT_YAW] = dpl_deg_to_rad(p->sigma_mount_deg);
    sigma[LOCALIZER_RANGE_BIAS] = p->sigma_bias_mm * 1e-3;
    sigma[LOCALIZER_RANGE_SCALE] = p->sigma_scale;
}

#define TRACE   DPL_FIELD_TRACE
#define SUMMARY DPL_FIELD_SUMMARY
#define STATUS  DPL_FIELD_STATUS

#define VALUE(name_, member_, flags_, unit_, text_)                                                \
    DPL_EXPORT_NUMBER(struct loc_state, view.member_, name_, unit_, (flags_), text_)
#define COUNT(name_, member_, flags_, text_)                                                       \
    DPL_EXPORT_INT(struct loc_state, member_, name_, NULL, (flags_), text_)
#define CALIBRATED(name_, index_, unit_, text_)                                                    \
    VALUE(name_, value[index_], TRACE | SUMMARY, unit_, text_),                                    \
        VALUE(name_ "_sigma", sigma[index_], SUMMARY, unit_, "its deviation")

const struct dpl_field loc_export_table[] = {
    DPL_EXPORT_CHOICE(struct loc_state, view.state, "state",
                      "INIT|TRACKING|DEGRADED|COASTING|AMBIGUOUS|LOST|MAP_WRONG",
                      TRACE | SUMMARY | STATUS, "state of the localization"),
    DPL_EXPORT_CHOICE(struct loc_state, view.held_by, "held_by", "odometry|scans", SUMMARY | STATUS,
                      "what holds the pose: odometry alone, or scans, too"),
    VALUE("x", x, TRACE, "m", "localized pose"),
    VALUE("y", y, TRACE, "m", "localized pose"),
    VALUE("theta", theta, TRACE, "rad", "localized heading"),
    VALUE("sigma_mm", sigma_mm, TRACE | STATUS, "mm", "deviation of the place"),
    VALUE("sigma_deg", sigma_deg, TRACE, "deg", "deviation of the heading"),
    VALUE("doubt_mm", doubt_mm, TRACE | SUMMARY, "mm",
          "part of it that is not noise: what the scans cannot distinguish"),
    VALUE("protection_mm", protection_mm, TRACE | STATUS, "mm",
          "the place is farther off once in 1000 times"),
    DPL_EXPORT_CHOICE(struct loc_state, view.basis, "basis", "none|told|proven|followed",
                      TRACE | SUMMARY | STATUS, "on what a known place rests"),
    DPL_EXPORT_CHOICE(struct loc_state, view.reason, "reason",
                      "none|start|moved|relocated|outranked|returned|no_place|no_scans|untested|"
                      "fit|drift|rival|accuracy",
                      TRACE | SUMMARY | STATUS, "why the integrity monitor withholds the pose"),
    VALUE("agreement", agreement, TRACE | STATUS, NULL,
          "share of the beams that fit the world; null without a fresh scan"),
    VALUE("short", short_share, TRACE, NULL,
          "share of the beams that ended early; null without a fresh scan"),
    VALUE(
        "long", long_share, TRACE, NULL,
        "share of the beams that passed through a surface of the plan; null without a fresh scan"),
    VALUE("nis", nis, TRACE, NULL,
          "normalized innovation squared of the newest scan; null if the scan is old"),
    VALUE("map_error_mm", map_error_mm, TRACE | SUMMARY, "mm",
          "learnt deviation of the world's surfaces"),
    DPL_EXPORT_BOOL(struct loc_state, view.unobservable, "unobservable", TRACE,
                    "the scan does not determine one direction"),
    COUNT("hypotheses", view.hypotheses, TRACE, "poses that are still possible"),
    COUNT("relocations", view.relocations, TRACE | SUMMARY, "times the pose jumped"),
    VALUE("avatar_agreement", avatar_agreement, TRACE, NULL,
          "share of the beams that fit from the avatar's true pose; null without a fresh scan"),
    VALUE("scan_distance_mm", scan_distance_mm, TRACE | STATUS, "mm",
          "distance of avatar and robot by the residuals of the scan; saturates; null without a "
          "fresh "
          "scan"),
    VALUE("true_mm", true_mm, TRACE, "mm", "true error of the place"),
    VALUE("true_heading_deg", true_heading_deg, TRACE, "deg", "true error of the heading"),
    VALUE("true_rms_mm", true_rms_mm, SUMMARY, "mm", "true error of the place, RMS"),
    VALUE("true_max_mm", true_max_mm, SUMMARY, "mm", "true error of the place, largest"),
    VALUE("true_heading_rms_deg", true_heading_rms_deg, SUMMARY, "deg", "true heading error, RMS"),
    VALUE("nees", nees, SUMMARY, NULL, "true error over the published one, squared; 1 is exact"),
    VALUE("inside_95", inside, SUMMARY, NULL, "share of true errors inside of the published 95 %"),
    DPL_EXPORT_CHOICE(struct loc_state, verdict, "verdict",
                      "NONE|SLIP|BLOCKED|ENCODER|RADIUS|LASER|LATENCY|PUSH|KIDNAP|GYRO|NO_LASER|"
                      "FROZEN_LASER|MAP_CHANGED|UNKNOWN_OBJECT|AVATAR",
                      TRACE, "current verdict of the diagnosis"),
    COUNT("verdicts", n_verdicts, SUMMARY, "number of verdicts"),
    COUNT("scans", n_scans, SUMMARY, "scans that came"),
    COUNT("lost_cycles", n_lost, SUMMARY, "cycles while lost or ambiguous"),
    COUNT("coasting_cycles", n_coasting, SUMMARY, "cycles while the pose followed odometry"),
    COUNT("moved_objects", n_moved, SUMMARY, "objects that are not where the world has them"),
    VALUE("forgot_from_s", forgot_from_s, SUMMARY, "s",
          "estimates from this time of the run on are not valid; null: from the start"),
    VALUE("forgot_until_s", forgot_until_s, SUMMARY, "s",
          "end of that time, when the robot was found in another place, or turned; null: never"),
    CALIBRATED("scale_left", LOCALIZER_SCALE_LEFT, NULL, "true over measured travel, left wheel"),
    CALIBRATED("scale_right", LOCALIZER_SCALE_RIGHT, NULL,
               "true over measured travel, right wheel"),
    CALIBRATED("axle_scale", LOCALIZER_AXLE_SCALE, NULL, "true over nominal axle"),
    CALIBRATED("time_offset_s", LOCALIZER_TIME_OFFSET, "s", "stamps of scans are late by this"),
    CALIBRATED("mount_x", LOCALIZER_MOUNT_X, "m", "correction of the laser's mount"),
    CALIBRATED("mount_y", LOCALIZER_MOUNT_Y, "m", "correction of the laser's mount"),
    CALIBRATED("mount_yaw", LOCALIZER_MOUNT_YAW, "rad", "correction of the laser's direction"),
    CALIBRATED("range_bias", LOCALIZER_RANGE_BIAS, "m", "added to each range"),
    CALIBRATED("range_scale", LOCALIZER_RANGE_SCALE, NULL, "share of each range that is added"),
};
_Static_assert(DPL_COUNT(loc_export_table) == LOC_N_EXPORTS, "count in tables.h");
