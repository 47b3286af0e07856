/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the Kobuki driver, run on the control thread alone: feedback in, odometry, the
 * ramp of the command, base commands out. It knows no stream and no device: bytes and times come
 * as arguments, and what it wants sent goes to `send`. Pure: the caller owns the struct. */
#ifndef WHEEL_CONTROLLER_KOBUKI_IO_H
#define WHEEL_CONTROLLER_KOBUKI_IO_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include "device_clock.h"
#include "diff_drive.h"
#include "drive_limiter.h"
#include "protocol/kobuki.h"

enum kobuki_heading {
    KOBUKI_HEADING_WHEELS,
    KOBUKI_HEADING_GYRO,
};

enum kobuki_stamp {
    KOBUKI_STAMP_DEVICE,
    KOBUKI_STAMP_ARRIVAL,
};

/* What last stopped the base. */
enum kobuki_stop {
    KOBUKI_STOP_TOUCH,
    KOBUKI_STOP_EDGE,
    KOBUKI_STOP_WHEEL_DROP,
    KOBUKI_STOP_UNCOMMANDED, /* nobody commands the base in time, or nobody may */
};

struct kobuki_io_config {
    struct dpl_odometry_config odometry;
    struct dpl_drive_limits limits;
    struct dpl_drive_limits braking; /* of a stop for cause */
    double tick_rad;
    enum kobuki_heading heading;
    enum kobuki_stamp stamp;
    bool stop_on_bumper;
    int (*send)(void *user, const void *bytes, size_t n);
    void *user;
};

/* What the application wants of the base. */
struct kobuki_setpoint {
    struct dpl_twist2 aim;
    bool enabled;
    bool brakes;         /* a stop for cause: to a stand as hard as the base allows */
    uint64_t generation; /* of the connection that it is meant for: others do not move the base */
    uint64_t stops; /* of the sample that it knows: what was meant before a stop moves nothing */
};

/* What the base has said. */
struct kobuki_sample {
    dpl_ns stamp;
    /* From the first frame on. What the base did while its connection was lost is added when it is
     * back, unless it was switched off meanwhile: then its counters began anew. */
    struct dpl_odometry odometry;
    struct dpl_drive_wheels angles;
    bool valid;          /* a frame has come on this connection */
    uint64_t generation; /* counts connections */
    uint64_t stops; /* by a bumper, a cliff, a wheel drop, or for want of commands; the last: */
    enum kobuki_stop stopped_by;
    uint64_t late_stops; /* those for want of commands */
    uint8_t bumper, cliff, wheel_drop, charger;
    double battery_v;
    uint64_t frames, checksum_errors, dropped_bytes, bad_payloads;
};

enum kobuki_verdict {
    KOBUKI_FIRMWARE_UNKNOWN,
    KOBUKI_FIRMWARE_GOOD,
    KOBUKI_FIRMWARE_UNTESTED, /* the major is right */
    KOBUKI_FIRMWARE_REFUSED,
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
    struct dpl_kobuki_core last; /* the newest frame's, and when it arrived; 0: none yet */
    dpl_ns last_arrival;
    double last_heading_rad;
    bool heading_known, power_sent, uncommanded;
};

void kobuki_io_init(struct kobuki_io *io, const struct kobuki_io_config *config);

/* A connection is there: a new generation, with the base standing; asks for the versions. */
void kobuki_io_opened(struct kobuki_io *io, dpl_ns now);

/* Takes bytes; answers each whole frame with a base command. Returns whether a frame came. */
bool kobuki_io_data(struct kobuki_io *io, const uint8_t *bytes, size_t n, dpl_ns now);

/* About every 20 ms: keeps the base command going where feedback has gaps, asks again for the
 * firmware's version while it is unknown. */
void kobuki_io_timer(struct kobuki_io *io, dpl_ns now);

/* Whether somebody commands the base in time: ask before each of the calls above. While nobody does
 * the base brakes as hard as it may, and afterwards only a setpoint that knows of this stop moves
 * it. Returns whether the sample has changed. */
bool kobuki_io_set_commanded(struct kobuki_io *io, bool is_commanded);

/* Stops the base at once, without a ramp. */
void kobuki_io_halt(struct kobuki_io *io, dpl_ns now);

#endif
