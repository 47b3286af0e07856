/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the Synchronizer: ports, what can be set, and what is published. */
#include "tables.h"

#include <doppel/msg/mobile.h>
#include <doppel/msg/wheel_controller.h>

const struct dpl_port_desc sync_ports[SYNC_N_PORTS] = {
    [SYNC_PORT_REAL] =
        {
            .name = "Real",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the real robot's base, e.g. WheelController.HardwareService",
        },
    [SYNC_PORT_AVATAR] =
        {
            .name = "Avatar",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the avatar's base, e.g. WheelController.SimulationService",
        },
    [SYNC_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__velocity_command__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary = "the application's command; without it the real robot's motion is followed",
        },
    [SYNC_PORT_REAL_POSE] =
        {
            .name = "real_pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__localized_pose__descriptor,
            .policy = DPL_QUEUE_LAST,
            .summary =
                "where a Localizer finds the real robot in the avatar's world; without it the "
                "avatar follows the real robot's odometry",
        },
    [SYNC_PORT_TRUTH] =
        {
            .name = "Truth",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .summary = "a base that knows the true pose of the real robot, only to measure errors; "
                       "not connected: the base of Real",
        },
};

#define P(member_) DPL_MEMBER(struct sync_properties, member_)

const struct dpl_field sync_property_table[] = {
    DPL_CHOICE(struct sync_properties, strategy, "Strategy", "adaptive",
               "none|fig12|kanayama|adaptive",
               "strategy that keeps the avatar at the real robot's pose"),
    DPL_NUMBER(struct sync_properties, period_ms, "Period", "ms", "100", 1, 2000,
               "time between corrections; at least the component's period, at which it observes"),
    DPL_NUMBER(struct sync_properties, axle_m, "AxleDistance", "m", "0", 0, 10,
               "nominal distance between the wheels; 0: taken from each robot's driver"),
    DPL_NUMBER(struct sync_properties, acceleration_m_s2, "Acceleration", "m/s^2", "0", 0, 100,
               "nominal acceleration of a wheel; 0: taken from each robot's driver"),
    DPL_NUMBER(struct sync_properties, max_velocity_m_s, "MaximumVelocity", "m/s", "0", 0, 20,
               "limit of the real robot; 0: taken from its driver"),
    DPL_NUMBER(struct sync_properties, max_angular_rad_s, "MaximumAngularVelocity", "rad/s", "0", 0,
               50, "limit of both robots; 0: taken from the real robot's driver"),
    DPL_NUMBER(struct sync_properties, avatar_headroom, "AvatarHeadroom", NULL, "1.5", 1, 10,
               "the avatar may be this much faster than the real robot, to catch up"),
    DPL_NUMBER(struct sync_properties, real_noise_m, "RealNoise", "m", "0.002", 0.0, 1,
               "deviation of the real robot's pose"),
    DPL_NUMBER(struct sync_properties, real_noise_deg, "RealNoiseDirection", "deg", "0.2", 0, 45,
               "deviation of the real robot's heading"),
    DPL_NUMBER(struct sync_properties, avatar_noise_m, "AvatarNoise", "m", "0.0003", 0, 1,
               "deviation of the avatar's pose"),
    DPL_NUMBER(struct sync_properties, avatar_noise_deg, "AvatarNoiseDirection", "deg", "0.0286", 0,
               45, "deviation of the avatar's heading"),
    DPL_NUMBER(struct sync_properties, real_delay_ms, "RealDelay", "ms", "0", 0, 1000,
               "known delay of the real robot's pose, where its stamp is the time of receipt"),
    DPL_CHOICE(struct sync_properties, slow_answer, "SlowAnswer", "auto", "poses|commands|auto",
               "the real robot answers 0.2 s or more after a command: its poses are older than "
               "their stamps say, or its commands are that long on the way; auto: commands with a "
               "Localizer, and the interval has room for the other"),
    DPL_NUMBER(struct sync_properties, safe_radius_m, "SafeRadius", "m", "0.3", 0.001, 100,
               "a larger distance between the robots counts as divergence"),
    DPL_NUMBER(struct sync_properties, variance_distance_m, "VarianceDistance", "m", "0.05", 0.0001,
               10, "scale of tracking and fidelity"),
    DPL_NUMBER(struct sync_properties, variance_direction_deg, "VarianceDirection", "deg", "1",
               0.01, 180, "scale of tracking and fidelity (times 5)"),
    DPL_NUMBER(struct sync_properties, warp_ms, "Warp", "ms", "0", 0, 1000,
               "the avatar follows the robot with this delay"),
    DPL_BOOL(struct sync_properties, teleport, "Teleport", "false",
             "place the avatar at the real robot's pose when they diverge"),
    DPL_CHOICE(struct sync_properties, on_return, "OnReturn", "place", "place|drive",
               "if they have diverged while a pose was missing: place the avatar at the real "
               "robot's pose (kanayama, adaptive), or let it drive there"),
    DPL_CHOICE(struct sync_properties, on_lost, "OnLost", "continue", "continue|stop",
               "what the avatar does when the real robot's pose is lost"),
    DPL_CHOICE(struct sync_properties, align, "Align", "align", "align|snap|none",
               "at the start: transform the frames, place the avatar at the robot's pose, or let "
               "it drive there; with a Localizer both have one frame"),
    {
        .name = "AlignSamples",
        .type = DPL_FIELD_INT,
        P(align_samples),
        .default_text = "10",
        .min = 1,
        .max = DPL_SYNC_ALIGN_SAMPLES,
        .summary = "poses of each robot that the alignment takes the median of",
    },
    DPL_NUMBER(struct sync_properties, velocity_step_m_s, "VelocityStep", "m/s", "0.01", 0.0001, 1,
               "fig12: one step"),
    DPL_BOOL(struct sync_properties, accumulate, "Accumulate", "true",
             "fig12: the corrected velocity persists"),
    DPL_CHOICE(struct sync_properties, faster, "Faster", "ahead", "ahead|travelled|speed",
               "fig12: the meaning of \"the avatar is faster\""),
    DPL_NUMBER(struct sync_properties, settle_s, "MeasureFrom", "s", "0", 0, 3600,
               "the first seconds of the run do not count in the true errors"),
};
_Static_assert(DPL_COUNT(sync_property_table) == SYNC_N_PROPERTIES, "count in tables.h");

struct dpl_sync_config sync_config_from(const struct sync_properties *p)
{
    struct dpl_sync_config config = dpl_sync_config_default();
    config.strategy = (enum dpl_sync_strategy)p->strategy;
    config.period_s = p->period_ms * 1e-3;
    sync_limits_given(&config, p);
    config.avatar_headroom = p->avatar_headroom;
    config.real_noise_m = p->real_noise_m;
    config.real_noise_rad = dpl_deg_to_rad(p->real_noise_deg);
    config.avatar_noise_m = p->avatar_noise_m;
    config.avatar_noise_rad = dpl_deg_to_rad(p->avatar_noise_deg);
    config.real_delay_s = p->real_delay_ms * 1e-3;
    config.slow_answer = (enum dpl_sync_slow_answer)p->slow_answer;
    config.safe_radius = p->safe_radius_m;
    config.variance_distance = p->variance_distance_m;
    config.variance_direction = dpl_deg_to_rad(p->variance_direction_deg);
    config.warp_s = p->warp_ms * 1e-3;
    config.teleport = p->teleport;
    config.place_on_return = p->on_return == SYNC_ON_RETURN_PLACE;
    config.on_lost = (enum dpl_sync_on_lost)p->on_lost;
    config.align = (enum dpl_sync_align)p->align;
    config.align_samples = (int)p->align_samples;
    config.velocity_step = p->velocity_step_m_s;
    config.fig12_accumulate = p->accumulate;
    config.fig12_faster = (enum dpl_sync_faster)p->faster;
    return config;
}

#define TRACE   DPL_FIELD_TRACE
#define SUMMARY DPL_FIELD_SUMMARY
#define STATUS  DPL_FIELD_STATUS

#define VALUE(name_, member_, flags_, unit_, text_)                                                \
    DPL_EXPORT_NUMBER(struct sync_state, member_, name_, unit_, (flags_), text_)
#define COUNT(name_, member_, flags_, text_)                                                       \
    DPL_EXPORT_INT(struct sync_state, member_, name_, NULL, (flags_), text_)
#define FLAG(name_, member_, flags_, text_)                                                        \
    DPL_EXPORT_BOOL(struct sync_state, member_, name_, (flags_), text_)
#define ROBOT(prefix_, member_, who_)                                                              \
    VALUE(prefix_ "_x", view.member_.x, TRACE, "m", who_ ": estimated pose, avatar's world"),      \
        VALUE(prefix_ "_y", view.member_.y, TRACE, "m", who_ ": estimated pose"),                  \
        VALUE(prefix_ "_theta", view.member_.theta, TRACE, "rad", who_ ": estimated heading"),     \
        VALUE(prefix_ "_age_s", view.member_.pose_age_s, TRACE, "s",                               \
              who_ ": age of its pose; since the start while none came"),                          \
        VALUE(prefix_ "_latency_s", view.member_.latency_s, TRACE | SUMMARY, "s",                  \
              who_ ": estimated delay of commands"),                                               \
        VALUE(prefix_ "_lag_s", view.member_.lag_s, TRACE | SUMMARY, "s",                          \
              who_ ": estimated first-order lag"),                                                 \
        VALUE(prefix_ "_m11", view.member_.m11, TRACE | SUMMARY, NULL,                             \
              who_ ": linear gain; null while its motion does not show it"),                       \
        VALUE(prefix_ "_m12", view.member_.m12, TRACE | SUMMARY, "m",                              \
              who_ ": cross gain; null while not known"),                                          \
        VALUE(prefix_ "_m21", view.member_.m21, TRACE | SUMMARY, "1/m",                            \
              who_ ": cross gain; null while not known"),                                          \
        VALUE(prefix_ "_m22", view.member_.m22, TRACE | SUMMARY, NULL,                             \
              who_ ": turn gain; null while not known"),                                           \
        VALUE(prefix_ "_m11_sigma", view.member_.m11_sigma, TRACE | SUMMARY, NULL,                 \
              who_ ": deviation of m11; null while clamped"),                                      \
        VALUE(prefix_ "_m12_sigma", view.member_.m12_sigma, TRACE | SUMMARY, "m",                  \
              who_ ": deviation of m12; null while clamped"),                                      \
        VALUE(prefix_ "_m21_sigma", view.member_.m21_sigma, TRACE | SUMMARY, "1/m",                \
              who_ ": deviation of m21; null while clamped"),                                      \
        VALUE(prefix_ "_m22_sigma", view.member_.m22_sigma, TRACE | SUMMARY, NULL,                 \
              who_ ": deviation of m22; null while clamped"),                                      \
        FLAG(prefix_ "_clamped", view.member_.clamped, TRACE | SUMMARY,                            \
             who_ ": gain or lag at the limit of the search: the true value may be outside"),      \
        VALUE(prefix_ "_scale_left", view.member_.scale_left, SUMMARY, NULL,                       \
              who_ ": scale of the left wheel"),                                                   \
        VALUE(prefix_ "_scale_right", view.member_.scale_right, SUMMARY, NULL,                     \
              who_ ": scale of the right wheel"),                                                  \
        VALUE(prefix_ "_axle_m", view.member_.axle_m, SUMMARY, "m", who_ ": effective axle"),      \
        VALUE(prefix_ "_dv", view.member_.dv, TRACE, "m/s", who_ ": unexplained velocity"),        \
        VALUE(prefix_ "_dw", view.member_.dw, TRACE, "rad/s", who_ ": unexplained turning"),       \
        VALUE(prefix_ "_slip", view.member_.slip, TRACE, NULL, who_ ": slip ratio"),               \
        VALUE(prefix_ "_nis", view.member_.nis, TRACE, NULL, who_ ": average NIS"),                \
        FLAG(prefix_ "_pressed", view.member_.pressed, TRACE, who_ ": its bumper is pressed"),     \
        FLAG(prefix_ "_blocked", view.member_.blocked, TRACE, who_ ": does not follow commands"),  \
        COUNT(prefix_ "_rejected", view.member_.rejected, SUMMARY, who_ ": poses rejected"),       \
        COUNT(prefix_ "_outliers", view.member_.outliers, SUMMARY, who_ ": outliers"),             \
        COUNT(prefix_ "_jumps", view.member_.jumps, SUMMARY, who_ ": genuine jumps")

const struct dpl_field sync_export_table[] = {
    DPL_EXPORT_CHOICE(struct sync_state, strategy, "strategy", "none|fig12|kanayama|adaptive",
                      SUMMARY, "strategy of the run"),
    DPL_EXPORT_CHOICE(struct sync_state, view.state, "state",
                      "INIT|OK|STALE|DEGRADED|DIVERGED|LOST|UNKNOWN", TRACE | SUMMARY | STATUS,
                      "state of the synchronization"),
    VALUE("true_mm", truth.distance_mm, TRACE, "mm", "true distance of the robots now"),
    VALUE("true_heading_deg", truth.heading_deg, TRACE, "deg",
          "true heading difference now, signed: the real robot turned against the avatar"),
    VALUE("true_rms_mm", truth.rms_mm, SUMMARY, "mm", "true distance, RMS"),
    VALUE("true_max_mm", truth.max_mm, SUMMARY, "mm", "true distance, largest"),
    VALUE("true_final_mm", truth.final_mm, SUMMARY, "mm", "true distance at the end"),
    VALUE("true_heading_rms_deg", truth.heading_rms_deg, SUMMARY, "deg", "true heading, RMS"),
    VALUE("true_heading_max_deg", truth.heading_max_deg, SUMMARY, "deg",
          "true heading difference, largest"),
    VALUE("distance_mm", view.distance_mm, TRACE | STATUS, "mm",
          "measured distance now; it and all that follows from it are null while a pose is missing "
          "or the avatar is being placed"),
    VALUE("heading_deg", view.heading_deg, TRACE, "deg",
          "measured heading difference now, signed as true_heading_deg"),
    VALUE("measured_rms_mm", view.rms_mm, SUMMARY, "mm",
          "measured distance, RMS; not of the time in which distance_mm is null or the Localizer "
          "does not know where the real robot is"),
    VALUE("measured_max_mm", view.max_mm, SUMMARY, "mm",
          "measured distance, largest, of the same time as measured_rms_mm"),
    VALUE("measured_heading_max_deg", view.heading_max_deg, SUMMARY, "deg",
          "measured heading difference, largest, of the same time"),
    VALUE("safe_radius_mm", safe_radius_mm, SUMMARY, "mm", "of the property SafeRadius"),
    VALUE("rms_5s_mm", view.rms_5s_mm, TRACE, "mm",
          "measured distance, RMS of 5 s, of the same time"),
    VALUE("ex", view.ex, TRACE, "m", "the real robot ahead of the avatar"),
    VALUE("ey", view.ey, TRACE, "m", "the real robot left of the avatar"),
    VALUE("et_deg", view.et_deg, TRACE, "deg", "the real robot turned against the avatar"),
    VALUE("tracking", view.tracking, TRACE | SUMMARY | STATUS, NULL,
          "how well the measured pose is tracked, 1 is best; null while a pose is missing"),
    VALUE("min_tracking", view.min_tracking, SUMMARY, NULL,
          "the lowest of the run; it falls to 0 while a pose is lost"),
    VALUE("fidelity", view.fidelity, TRACE | SUMMARY | STATUS, NULL,
          "how well the avatar represents the robot, 1 is best; null without a Localizer and while "
          "a pose is missing"),
    VALUE("min_fidelity", view.min_fidelity, SUMMARY, NULL, "the lowest of the run"),
    DPL_EXPORT_CHOICE(
        struct sync_state, view.fidelity_cause, "fidelity_cause",
        "none|distance|heading|unsure_position|unsure_heading|scan", TRACE | SUMMARY,
        "what takes most from the fidelity, or from the tracking where there is none"),
    VALUE("fidelity_covariance", view.fidelity_covariance, TRACE, NULL,
          "part of the fidelity: certainty of the localized pose"),
    VALUE("fidelity_agreement", view.fidelity_agreement, TRACE, NULL,
          "part of the fidelity: how well the scan fits at the avatar, relative to the localized "
          "pose; null without a scan"),
    VALUE("scan_age_s", view.scan_age_s, TRACE, "s", "age of the newest scan that was used"),
    VALUE("error_sigma_mm", view.error_sigma_mm, TRACE, "mm",
          "deviation of distance_mm, by the covariance of the localized pose"),
    VALUE("error_limit_mm", view.error_limit_mm, TRACE | SUMMARY, "mm",
          "the true distance is beyond it once in 1000 times: distance_mm, the Localizer's "
          "protection level, and what has grown since"),
    VALUE("interval_held", interval_held, SUMMARY, NULL,
          "share of corrections whose interval, as far above distance_mm as below it up to "
          "error_limit_mm, held the true distance"),
    COUNT("interval_judged", n_judged, SUMMARY,
          "number of corrections from which interval_held is computed"),
    DPL_EXPORT_CHOICE(struct sync_state, view.pose_source, "pose_source", "odometry|localizer",
                      TRACE | SUMMARY, "source of the real robot's pose"),
    DPL_EXPORT_CHOICE(struct sync_state, view.localizer, "localizer", SYNC_LOCALIZER_CHOICES,
                      TRACE | SUMMARY, "state of the Localizer; none: no message that can be used"),
    COUNT("localizer_refused", view.localizer_refused, TRACE | SUMMARY,
          "corrections whose newest message of the Localizer was refused: its numbers cannot be"),
    COUNT("relocations", view.relocations, TRACE | SUMMARY,
          "times that the Localizer found the real robot in another pose than it had followed: in "
          "another place, or turned"),
    COUNT("strayed", view.strayed, TRACE | SUMMARY,
          "times that the odometry was farther from the Localizer's pose than the safe radius"),
    FLAG("contact_mismatch", view.contact_mismatch, TRACE,
         "one of the robots is held back for 0.3 s and the other is not: its bumper is pressed "
         "(where "
         "both have one), or it does less than 30 % of its commands"),
    COUNT("contact_mismatch_ticks", view.contact_mismatch_ticks, SUMMARY,
          "corrections with a contact mismatch"),
    VALUE("drive_v", view.drive_v, TRACE, "m/s", "velocity sent to the avatar; 0: none"),
    VALUE("drive_w", view.drive_w, TRACE, "rad/s", "sent to the avatar"),
    FLAG("warn", view.warn, TRACE, "fidelity, or tracking without a Localizer, is low"),
    FLAG("saturated", view.saturated, TRACE, "the avatar's limit is reached"),
    FLAG("fallback", view.fallback, TRACE, "adaptive works as kanayama"),
    COUNT("ticks", view.ticks, SUMMARY, "corrections"),
    COUNT("warn_ticks", view.warn_ticks, SUMMARY, "corrections with a warning"),
    COUNT("diverged_ticks", view.diverged_ticks, SUMMARY, "corrections while diverged"),
    COUNT("diverged_heading_ticks", view.diverged_heading_ticks, SUMMARY,
          "corrections of these in which the heading alone was too far off"),
    COUNT("lost_ticks", view.lost_ticks, SUMMARY, "corrections while a pose was lost"),
    COUNT("unknown_ticks", view.unknown_ticks, SUMMARY,
          "corrections while the Localizer did not know where the real robot was, or said nothing "
          "usable"),
    COUNT("placing_ticks", view.placing_ticks, TRACE | SUMMARY,
          "corrections while the avatar was being placed; they do not count as errors"),
    COUNT("fallback_ticks", view.fallback_ticks, SUMMARY, "corrections as kanayama"),
    COUNT("teleports", view.teleports, TRACE | SUMMARY, "times the avatar was placed"),
    COUNT("rejoins", view.rejoins, TRACE | SUMMARY,
          "times the avatar was placed because its world was restarted"),
    COUNT("refused_places", view.refused_places, TRACE | SUMMARY,
          "times it could not be placed: something is in the way, or its base cannot be placed"),
    COUNT("overruns", view.overruns, TRACE | SUMMARY, "corrections that came late"),
    COUNT("refused", refused, SUMMARY, "commands that the avatar refused"),
    ROBOT("real", real, "real robot"),
    ROBOT("avatar", avatar, "avatar"),
};
_Static_assert(DPL_COUNT(sync_export_table) == SYNC_N_EXPORTS, "count in tables.h");
