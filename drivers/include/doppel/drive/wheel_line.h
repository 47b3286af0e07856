/* SPDX-License-Identifier: Apache-2.0 */
/* A wheel base on a byte stream: all of a hardware driver of class wheel_controller except the
 * bytes. The driver gives the conversion between bytes and wheel angles (struct
 * dpl_wheel_line_ops). This part has the calls of the class, the motion modes, the odometry, the
 * limits of velocity and acceleration, the stops for cause, and reconnection.
 *
 * Two threads: the calls run on the executor of the device's component; the stream, and with it all
 * functions of the driver, on the control thread. They exchange setpoints and samples without
 * waiting. A driver's state begins with a struct dpl_wheel_line, its table has
 * `.api = dpl_wheel_line_api`. */
#ifndef DOPPEL_DRIVE_WHEEL_LINE_H
#define DOPPEL_DRIVE_WHEEL_LINE_H

#include <doppel/device.h>
#include <doppel/drive/drive_limiter.h>
#include <doppel/drive/wheel_base.h>
#include <doppel/drv/wheel_controller.h>
#include <doppel/latest.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_wheel_line;

/* One measurement of the base. */
struct dpl_wheel_feedback {
    dpl_ns stamp;                   /* when it was taken, on the run's clock */
    struct dpl_drive_wheels angles; /* rad, unwrapped since the connection was opened */
    bool has_bumper, pressed;       /* pressed: the bumper has contact, or the base is at an edge */
};

/* The part of one kind of base. All functions run on the control thread and must not block. */
struct dpl_wheel_line_ops {
    /* A connection was opened: discards old bytes, and sends the commands that start the base. */
    void (*opened)(struct dpl_wheel_line *line, dpl_ns now);
    /* Takes bytes in the order in which they come; calls dpl_wheel_line_feed for each
     * measurement. */
    void (*data)(struct dpl_wheel_line *line, const uint8_t *bytes, size_t n, dpl_ns now);
    /* Sends wheel speeds in rad/s, already limited. `enabled`: the application allows motion; when
     * false the speeds are 0 or decrease to 0. */
    void (*command)(struct dpl_wheel_line *line, struct dpl_drive_wheels speeds_rad_s,
                    bool enabled);
    /* Instead of `command`, for a base that decides when it is commanded: `timer` is called in each
     * period while the base is not silent; `halt` stops it at once, without a ramp. Then `opened`
     * sends the first stop. */
    void (*timer)(struct dpl_wheel_line *line, dpl_ns now);
    void (*halt)(struct dpl_wheel_line *line, dpl_ns now);
    /* Called before the driver closes the connection, after the speeds 0 were sent: sends the
     * commands that leave the base at rest. NULL: none. */
    void (*closing)(struct dpl_wheel_line *line);
    /* For a base without a byte stream (`data` is NULL): takes its messages, in each period. NULL:
     * it is there; else why it is not, and the device is lost. `opened` is called when it comes. */
    const char *(*lack)(struct dpl_wheel_line *line);
};

/* Properties that all such drivers have: the rows of DPL_WHEEL_LINE_FIELDS. */
struct dpl_wheel_line_properties {
    struct dpl_wheel_base_properties base;
    char address[256];
    int64_t baud;
    double silence_ms, stop_m_s2;
    bool stop_on_bumper;
};

/* Rows for a driver's property table; `line` is the struct dpl_wheel_line_properties inside
 * `struct_`. Diameter (m), axle (m), velocity (m/s), address and baud are the driver's defaults, as
 * texts. */
#define DPL_WHEEL_LINE_FIELDS(struct_, line, diameter_, axle_, velocity_, address_, baud_)         \
    DPL_WHEEL_BASE_FIELDS(struct_, line.base, diameter_, axle_, velocity_),                        \
        {                                                                                          \
            .name = "Address",                                                                     \
            .aliases = "Device|SerialPort",                                                        \
            .type = DPL_FIELD_STRING,                                                              \
            DPL_MEMBER(struct_, line.address),                                                     \
            .default_text = address_,                                                              \
            .summary = "serial port of the base, or tcp://host:port of a serial server",           \
        },                                                                                         \
        DPL_INT(struct_, line.baud, "Baud", baud_, 0, 4000000,                                     \
                "speed of the serial port; 0: its settings are not changed"),                      \
        DPL_NUMBER(struct_, line.silence_ms, "SilenceTimeout", "ms", "300", 40, 60000,             \
                   "the base is lost after this time without a measurement"),                      \
        DPL_NUMBER(struct_, line.stop_m_s2, "StopDeceleration", "m/s^2", "0", 0, 100,              \
                   "deceleration of a safety stop (lost device, late commander); 0: the speeds "   \
                   "are set to 0 at once"),                                                        \
        DPL_BOOL(struct_, line.stop_on_bumper, "StopOnBumper", "true",                             \
                 "a touch stops the base; it may then drive backward")

/* Counters, for a driver's export table; `line` is the struct dpl_wheel_line inside `struct_`. */
#define DPL_WHEEL_LINE_EXPORTS(struct_, line)                                                      \
    DPL_EXPORT_INT(struct_, line.report.frames, "frames", NULL, DPL_FIELD_SUMMARY,                 \
                   "measurements"),                                                                \
        DPL_EXPORT_INT(struct_, line.report.reconnects, "reconnects", NULL, DPL_FIELD_SUMMARY,     \
                       "connections after the first"),                                             \
        DPL_EXPORT_INT(struct_, line.report.stops, "stops", NULL, DPL_FIELD_SUMMARY,               \
                       "stops by the bumper"),                                                     \
        DPL_EXPORT_INT(struct_, line.report.rejected, "rejected", NULL, DPL_FIELD_SUMMARY,         \
                       "steps that no wheel can make"),                                            \
        DPL_EXPORT_INT(struct_, line.report.pressed, "pressed", NULL, DPL_FIELD_TRACE,             \
                       "1: something touches the bumper")

struct dpl_wheel_line_config {
    const struct dpl_wheel_line_ops *ops;
    const struct dpl_wheel_line_properties *properties; /* borrowed until the line is closed */
    double lead_s;           /* delay from a command to its effect in the feedback */
    double twist_filter_s;   /* time constant of the measured velocity; 0: none */
    double longest_ramp_s;   /* after a gap the ramp continues as after this time; 0: 0.1 */
    uint32_t period_ms;      /* a command is sent at least this often; 0: 20 */
    const char *no_feedback; /* the log's text if no valid data comes; NULL: a general text */
    const char *silent;      /* the log's text if no more data comes; NULL: a general text */
};

/* The application's setpoint for the base: from the thread of the calls to the control thread. */
struct dpl_wheel_line_setpoint {
    struct dpl_twist2 aim;
    bool enabled;
    bool brakes; /* a stop for cause: with the largest deceleration of the base */
    /* Of the sample that it is based on: a setpoint of another connection, or from before a stop,
     * moves nothing. */
    uint64_t generation, stops;
};

/* What is known of the base: from the control thread to the thread of the calls. */
struct dpl_wheel_line_sample {
    dpl_ns stamp;
    struct dpl_odometry odometry;
    struct dpl_drive_wheels angles;
    bool valid; /* a measurement has come on this connection */
    bool has_bumper, pressed, has_gyro;
    double gyro_rad;     /* unwrapped turn */
    uint64_t generation; /* number of the connection */
    uint64_t stops;      /* by a touch and the like, or because of missing commands */
    uint64_t late_stops; /* those because of missing commands */
    uint64_t frames;
    struct { /* what only some bases tell; their bits and numbers */
        int64_t bumper, cliff, wheel_drop, charger, checksum_errors, dropped_bytes;
        double battery_v;
        int64_t counts[4]; /* the driver's own */
    } details;
};

/* The command of the base, on the control thread. Pure: the caller owns the struct, and sets the
 * members before `setpoint`. */
struct dpl_wheel_control {
    struct dpl_drive_geometry nominal;   /* of commands (docs/design/synchronizer.md) */
    struct dpl_odometry_config odometry; /* with the calibrated geometry */
    struct dpl_drive_limits limits;
    struct dpl_drive_limits braking; /* for a stop for cause */
    double longest_ramp_s;
    struct dpl_wheel_line_setpoint setpoint;
    struct dpl_wheel_line_sample sample;
    bool blocked; /* by what is in front: it may drive backward and turn */
    bool barred;  /* it must not move */
    /* private */
    struct dpl_drive_limiter limiter;
    dpl_ns last_sent;
    bool uncommanded;
};

/* A connection is open: a new generation, with the base at rest. */
void dpl_wheel_control_opened(struct dpl_wheel_control *control, dpl_ns now);

/* Sets whether commands arrive in time. When they do not, the base brakes with the largest allowed
 * deceleration, and afterwards only a setpoint with the new number of stops moves it. Returns
 * whether the sample has changed. */
bool dpl_wheel_control_set_commanded(struct dpl_wheel_control *control, bool is_commanded);

/* The velocity to send at `now`: the allowed part of the setpoint, within the limits. */
struct dpl_twist2 dpl_wheel_control_step(struct dpl_wheel_control *control, dpl_ns now);

/* The velocity 0 is sent at `now`, without a ramp. */
void dpl_wheel_control_halt(struct dpl_wheel_control *control, dpl_ns now);

/* The caller owns it, as the first member of a device's state, and must not move it in memory. All
 * members are private, except that exports read `report` and `newest.details`, and the functions of
 * dpl_wheel_line_ops use `device` and `control`. */
struct dpl_wheel_line {
    struct dpl_device *device;
    const struct dpl_wheel_line_properties *properties;
    /* thread of the calls */
    struct dpl_wheel_base base;
    struct dpl_pose2 frame;
    bool brakes;
    struct dpl_wheel_line_sample newest;
    struct {
        int64_t frames, reconnects, stops, rejected, pressed;
    } report;
    struct {
        struct dpl_latest sync;
        struct dpl_wheel_line_setpoint slot[3];
    } setpoints;
    struct {
        struct dpl_latest sync;
        struct dpl_wheel_line_sample slot[3];
    } samples;
    /* control thread */
    const struct dpl_wheel_line_ops *ops;
    const char *no_feedback, *silent;
    struct dpl_stream *stream;
    struct dpl_wheel_control control;
    struct dpl_drive_wheels last; /* angles of this connection */
    dpl_ns silence, last_feed, now;
    bool is_reached; /* of a base without a byte stream; its functions may read it */
};

/* Opens the stream of the properties; in the driver's `open`. May allocate. 0; -EINVAL for a
 * geometry that is not valid, or the error of dpl_device_open_stream, with reterr. From then on the
 * line reports to the device: lost, found, log. */
int dpl_wheel_line_open(struct dpl_wheel_line *line, struct dpl_device *device,
                        const struct dpl_wheel_line_config *config, struct dpl_diag *reterr);

/* Stops the base and closes the stream; in the driver's `close`. Never fails. */
void dpl_wheel_line_close(struct dpl_wheel_line *line);

/* Control thread: takes a measurement. Stamps that are not newer than the last one are ignored. */
void dpl_wheel_line_feed(struct dpl_wheel_line *line, const struct dpl_wheel_feedback *feedback);

/* Control thread, for a base that writes `control.sample` itself: passes it to the calls. `works`:
 * the base can be used. */
void dpl_wheel_line_heard(struct dpl_wheel_line *line, bool works);

/* Control thread: sends bytes. 0, or the error of dpl_stream_write. */
int dpl_wheel_line_write(struct dpl_wheel_line *line, const void *bytes, size_t n);

/* The calls of the class, for the table of a driver whose state begins with a struct
 * dpl_wheel_line. */
extern const dpl_device_call_fn dpl_wheel_line_api[DPL_DRV_WHEEL_CONTROLLER_N_CALLS];

#ifdef __cplusplus
}
#endif

#endif
