/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the Kobuki driver, used on the control thread only: receives feedback, computes
 * odometry and the ramp of the command, and sends base commands. It uses no stream and no device:
 * bytes and times are arguments, and `send` sends bytes. Pure: the caller owns the struct. */
#ifndef WHEEL_CONTROLLER_KOBUKI_IO_H
#define WHEEL_CONTROLLER_KOBUKI_IO_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/drive/device_clock.h>
#include <doppel/drive/wheel_line.h>
#include <doppel/protocol/kobuki.h>

enum kobuki_heading {
    KOBUKI_HEADING_WHEELS,
    KOBUKI_HEADING_GYRO,
};

enum kobuki_stamp {
    KOBUKI_STAMP_DEVICE,
    KOBUKI_STAMP_ARRIVAL,
};

/* The reason for the last stop of the base, but for missing commands. */
enum kobuki_stop {
    KOBUKI_STOP_TOUCH,
    KOBUKI_STOP_EDGE,
    KOBUKI_STOP_WHEEL_DROP,
};

struct kobuki_io_config {
    double tick_rad;
    enum kobuki_heading heading;
    enum kobuki_stamp stamp;
    bool stop_on_bumper;
    int (*send)(void *user, const void *bytes, size_t n);
    void *user;
};

enum kobuki_verdict {
    KOBUKI_FIRMWARE_UNKNOWN, /* not told yet: it stands */
    KOBUKI_FIRMWARE_UNTOLD,  /* it sends feedback and does not answer: it is driven, and asked on */
    KOBUKI_FIRMWARE_GOOD,
    KOBUKI_FIRMWARE_UNTESTED, /* the major version is supported */
    KOBUKI_FIRMWARE_REFUSED,  /* told three times in a row; it is asked again every second */
};

/* The odometry of its sample begins with the first frame. Motion during a lost connection is added
 * when the base returns, unless it was switched off in between: then its counters have restarted.
 * `rolled_m` is that of the wheels also while a gyro gives the heading. */
struct kobuki_io {
    struct kobuki_io_config config;
    struct dpl_wheel_control *control;
    enum kobuki_stop stopped_by;
    struct dpl_kobuki_version firmware, hardware;
    enum kobuki_verdict verdict;
    dpl_ns last_request, opened_at;
    /* private */
    struct dpl_kobuki_parser parser;
    struct dpl_device_clock clock;
    struct dpl_drive_limiter limiter;
    struct dpl_kobuki_core last; /* of the newest frame, and its arrival; 0: none yet */
    dpl_ns last_arrival;
    struct dpl_drive_wheels rolled_m;
    double last_heading_rad;
    bool heading_known, power_sent;
    /* the version of the newest answer that changes the verdict, and how often it came in a row */
    struct dpl_kobuki_version doubted;
    unsigned n_doubted;
};

/* The control is borrowed. */
void kobuki_io_init(struct kobuki_io *io, const struct kobuki_io_config *config,
                    struct dpl_wheel_control *control);

/* A connection is open (after dpl_wheel_control_opened): stops the base, requests the versions. */
void kobuki_io_opened(struct kobuki_io *io, dpl_ns now);

/* Takes bytes; answers each complete frame with a base command. Returns whether a frame came. */
bool kobuki_io_data(struct kobuki_io *io, const uint8_t *bytes, size_t n, dpl_ns now);

/* Call it about every 20 ms: sends base commands during gaps in the feedback, and repeats the
 * request for the firmware's version while it is unknown or refused. */
void kobuki_io_timer(struct kobuki_io *io, dpl_ns now);

/* Stops the base at once, without a ramp. */
void kobuki_io_halt(struct kobuki_io *io, dpl_ns now);

#endif
