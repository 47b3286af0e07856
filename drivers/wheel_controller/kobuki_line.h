/* SPDX-License-Identifier: Apache-2.0 */
/* The line to a Kobuki base: a stream with the wire side (kobuki_io.h), both owned by the control
 * thread, and the exchange with the thread of the calls. Setpoints go in one direction, samples in
 * the other, through dpl_latest, without waiting. */
#ifndef WHEEL_CONTROLLER_KOBUKI_LINE_H
#define WHEEL_CONTROLLER_KOBUKI_LINE_H

#include <doppel/latest.h>
#include <doppel/plugin.h>

#include "kobuki_io.h"

struct kobuki_line_config {
    const char *address; /* of the stream; borrowed until the line is closed */
    uint32_t baud;
    dpl_ns silence;             /* without feedback for this time the base is lost */
    struct kobuki_io_config io; /* `send` and `user` are set by the line */
};

/* The caller owns it, as a part of a device's state, and must not move it in memory. All members
 * are private. */
struct kobuki_line {
    struct dpl_device *device;
    struct dpl_stream *stream; /* NULL: closed */
    struct {
        struct dpl_latest sync;
        struct kobuki_setpoint slot[3];
    } setpoints; /* calls -> control thread */
    struct {
        struct dpl_latest sync;
        struct kobuki_sample slot[3];
    } samples; /* control thread -> calls */
    /* control thread */
    const char *address;
    dpl_ns silence;
    struct kobuki_io io;
    enum kobuki_verdict told;
    uint64_t bumped;
};

/* Before and after the run. From open on the line reports to the device (lost, found, log). */
int kobuki_line_open(struct kobuki_line *line, struct dpl_device *device,
                     const struct kobuki_line_config *config, struct dpl_diag *reterr);
void kobuki_line_close(struct kobuki_line *line);

/* Called on the thread of the calls. */
void kobuki_line_command(struct kobuki_line *line, const struct kobuki_setpoint *setpoint);
/* The newest sample, until the next call; NULL: none since the last one. */
const struct kobuki_sample *kobuki_line_newest(struct kobuki_line *line);

#endif
