/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the Kobuki driver, used on the control thread only: receives feedback, computes
 * odometry and the ramp of the command, and sends base commands. It uses no stream and no device:
 * bytes and times are arguments, and `send` sends bytes. Pure: the caller owns the struct. */
#ifndef WHEEL_CONTROLLER_KOBUKI_IO_H
#define WHEEL_CONTROLLER_KOBUKI_IO_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include <doppel/drive/device_clock.h>
#include <doppel/drive/diff_drive.h>
#include <doppel/drive/drive_limiter.h>
#include <doppel/protocol/kobuki.h>

enum kobuki_heading {
    KOBUKI_HEADING_WHEELS,
    KOBUKI_HEADING_GYRO,
};

enum kobuki_stamp {
    KOBUKI_STAMP_DEVICE,
    KOBUKI_STAMP_ARRIVAL,
};

/* The reason for the last stop of the base. */
enum kobuki_stop {
    KOBUKI_STOP_TOUCH,
    KOBUKI_STOP_EDGE,
    KOBUKI_STOP_WHEEL_DROP,
    KOBUKI_STOP_UNCOMMANDED, /* no command in time, or no commands allowed */
};

struct kobuki_io_config {
    struct dpl_odometry_config odometry; /* with the calibrated geometry */
    struct dpl_drive_geometry nominal;   /* of commands (docs/design/synchronizer.md) */
    struct dpl_drive_limits limits;
    struct dpl_drive_limits braking; /* for a stop for cause */
    double tick_rad;
    enum kobuki_heading heading;
    enum kobuki_stamp stamp;
    bool stop_on_bumper;
    int (*send)(void *user, const void *bytes, size_t n);
    void *user;
};

/* The application's setpoint for the base. */
struct kobuki_setpoint {
    struct dpl_twist2 aim;
    bool enabled;
    bool brakes; /* a stop for cause: with the largest deceleration of the base */
    /* number of the connection for which it is valid: other setpoints do not move the base */
    uint64_t generation;
    uint64_t stops; /* number of stops in the sample that it is based on: a setpoint from before a
                       stop moves nothing */
};

/* Data from the base. */
struct kobuki_sample {
    dpl_ns stamp;
    /* From the first frame on. Motion during a lost connection is added when the base returns,
     * unless it was switched off in between: then its counters have restarted. */
    struct dpl_odometry odometry;
    struct dpl_drive_wheels angles;
    struct dpl_drive_wheels rolled_m; /* also while a gyro gives the odometry's heading */
    bool has_gyro;
    double gyro_rad;     /* unwrapped turn */
    bool valid;          /* a frame has arrived on this connection */
    uint64_t generation; /* number of the connection */
    uint64_t stops; /* by a bumper, a cliff, a wheel drop, or because of missing commands; the last
                       one: */
    enum kobuki_stop stopped_by;
    uint64_t late_stops; /* those because of missing commands */
    uint8_t bumper, cliff, wheel_drop, charger;
    double battery_v;
    uint64_t frames, checksum_errors, dropped_bytes, bad_payloads;
};

enum kobuki_verdict {
    KOBUKI_FIRMWARE_UNKNOWN,
    KOBUKI_FIRMWARE_GOOD,
    KOBUKI_FIRMWARE_UNTESTED, /* the major version is supported */
    KOBUKI_FIRMWARE_REFUSED,  /* told three times in a row; it is asked again every second */
};

struct kobuki_io {
    struct kobuki_io_config config;
    struct kobuki_sample sample;
    struct kobuki_setpoint setpoint;
    struct dpl_kobuki_version firmware, hardware;
    enum kobuki_verdict verdict;
    dpl_ns opened_at, last_frame, last_sent, last_request;
    /* private */
    struct dpl_kobuki_parser parser;
    struct dpl_device_clock clock;
    struct dpl_drive_limiter limiter;
    struct dpl_kobuki_core last; /* of the newest frame, and its arrival; 0: none yet */
    dpl_ns last_arrival;
    double last_heading_rad;
    bool heading_known, power_sent, uncommanded;
    /* the version of the newest answer that changes the verdict, and how often it came in a row */
    struct dpl_kobuki_version doubted;
    unsigned n_doubted;
};

void kobuki_io_init(struct kobuki_io *io, const struct kobuki_io_config *config);

/* A connection is open: a new generation, with the base at rest; requests the versions. */
void kobuki_io_opened(struct kobuki_io *io, dpl_ns now);

/* Takes bytes; answers each complete frame with a base command. Returns whether a frame came. */
bool kobuki_io_data(struct kobuki_io *io, const uint8_t *bytes, size_t n, dpl_ns now);

/* Call it about every 20 ms: sends base commands during gaps in the feedback, and repeats the
 * request for the firmware's version while it is unknown or refused. */
void kobuki_io_timer(struct kobuki_io *io, dpl_ns now);

/* Sets whether commands arrive in time: call it before each of the functions above. When they do
 * not, the base brakes with the largest allowed deceleration, and afterwards only a setpoint with
 * the new number of stops moves it. Returns whether the sample has changed. */
bool kobuki_io_set_commanded(struct kobuki_io *io, bool is_commanded);

/* Stops the base at once, without a ramp. */
void kobuki_io_halt(struct kobuki_io *io, dpl_ns now);

#endif
