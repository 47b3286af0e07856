/* SPDX-License-Identifier: Apache-2.0 */
/* The electronics of a Kobuki base: receives frames of commands, sends frames of feedback, and
 * computes wheel speeds. The sensor values are an argument. Pure: times are arguments, the caller
 * owns the struct. */
#ifndef EMULATE_KOBUKI_BASE_H
#define EMULATE_KOBUKI_BASE_H

#include <doppel/time.h>

#include <doppel/protocol/kobuki.h>

struct kobuki_base_config {
    dpl_ns patience; /* it stops after this time without a base command */
    struct dpl_kobuki_version firmware, hardware;
    uint32_t udid[3];
};

/* Values of the sensors. */
struct kobuki_sensors {
    dpl_ns stamp;
    double left_rad, right_rad; /* wheel angles, unwrapped */
    double left_rad_s, right_rad_s;
    double heading_rad, rate_rad_s;
    uint8_t bumper, cliff, wheel_drop, buttons; /* bits of the core block */
};

struct kobuki_wheels {
    double left_rad_s, right_rad_s;
};

struct kobuki_base {
    struct kobuki_base_config config;
    /* may be read */
    uint64_t commands, timeouts, unknown_commands;
    uint16_t output; /* of the last command 12 */
    bool is_driven;  /* by a command that is not older than its patience */
    dpl_ns aimed_at; /* when that came */
    /* private */
    struct dpl_kobuki_parser parser;
    struct dpl_kobuki_base aim;
    uint16_t answers; /* DPL_KOBUKI_REQUEST_ bits to be answered in the next frame */
    bool answer_gains;
    struct dpl_kobuki_gains gains;
    uint8_t gyro_frame;
};

/* Firmware 1.2.0; a patience of 0.35 s, because a real base stands within 0.6 s. */
struct kobuki_base_config kobuki_base_config_default(void);

void kobuki_base_init(struct kobuki_base *base, const struct kobuki_base_config *config);

/* A host has opened the port: an incomplete command of an earlier host is deleted. */
void kobuki_base_connected(struct kobuki_base *base);

/* Processes bytes from the host. Garbage and unknown commands are skipped and counted. Who calls it
 * late does not hide that the base had stopped for silence meanwhile. */
void kobuki_base_receive(struct kobuki_base *base, const uint8_t *bytes, size_t n, dpl_ns now);

/* The wanted wheel speeds now, with the geometry of the firmware; 0 when the host is silent. */
struct kobuki_wheels kobuki_base_wheels(struct kobuki_base *base, dpl_ns now);

/* Extrapolates the sensors to another time, a few ms from their measurement. More than 0.5 s back
 * or 30 ms ahead the wheels are not extrapolated, because they may have stopped. */
struct kobuki_sensors kobuki_sensors_at(const struct kobuki_sensors *sensors, dpl_ns stamp);

/* Writes the next feedback frame, with the answers that are due. Returns its size. */
size_t kobuki_base_feedback(struct kobuki_base *base, const struct kobuki_sensors *sensors,
                            uint8_t frame[DPL_KOBUKI_MAX_FRAME]);

#endif
