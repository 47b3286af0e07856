/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the witmotion driver: puts packets of acceleration, angular velocity and angles
 * together to measurements. It uses no stream and no device: bytes and times are arguments. Pure:
 * the caller owns the struct. */
#ifndef IMU_WITMOTION_HOST_H
#define IMU_WITMOTION_HOST_H

#include <doppel/time.h>

#include <doppel/protocol/witmotion.h>

struct witmotion_measurement {
    dpl_ns stamp;                                              /* arrival of its first packet */
    double acceleration_m_s2[3], rate_rad_s[3], angles_rad[3]; /* angles: roll, pitch, yaw */
    double temperature_c;
};

struct witmotion_host {
    /* may be read */
    struct dpl_witmotion_parser parser;
    uint64_t measurements;
    /* private */
    struct witmotion_measurement next;
    unsigned seen; /* packets of `next`: bits by type */
};

/* A connection is open: forgets an incomplete measurement and packet; the counters go on. */
void witmotion_host_opened(struct witmotion_host *host);

/* Consumes `input`, which arrived at `now`, up to the end of the next measurement: true, and
 * ret_measurement; call again, there may be more. False: all input is consumed. A measurement ends
 * with its angles, which the sensor sends last; without one of its packets there is none. */
bool witmotion_host_next(struct witmotion_host *host, struct dpl_byte_view *input, dpl_ns now,
                         struct witmotion_measurement *ret_measurement);

/* Why there is no measurement although bytes come, for people. */
const char *witmotion_host_lack(const struct witmotion_host *host);

#endif
