/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate kobuki`. */
#include <stdio.h>

#include "devices.h"

#define FRAME_PERIOD (DPL_KOBUKI_PERIOD_MS * DPL_MS)
#define LATEST       (500 * DPL_MS) /* frames that are late by more are omitted */

struct kobuki_device {
    struct session session;
    struct kobuki_base base;
    struct truth *truth;
    struct presses presses;
    struct kobuki_sensors sensors;
    dpl_ns next_frame;
    uint64_t frames;
    bool exits_at_end;
};

static void drive(struct kobuki_device *self, dpl_ns now)
{
    struct kobuki_wheels wheels = kobuki_base_wheels(&self->base, now);
    if (self->truth->ops->drive) {
        self->truth->ops->drive(self->truth, wheels, now);
    }
}

static void on_connected(void *device, dpl_ns now)
{
    (void)now;
    struct kobuki_device *self = device;
    kobuki_base_connected(&self->base);
}

static void on_received(void *device, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct kobuki_device *self = device;
    kobuki_base_receive(&self->base, bytes, n, now);
    drive(self, now);
}

/* The base's own clock times its frames, so that their stamps increase by a constant 20 ms even if
 * this process is late; the sensors are extrapolated to that time. */
static void send_frame(struct kobuki_device *self, dpl_ns stamp, dpl_ns now)
{
    uint8_t frame[DPL_KOBUKI_MAX_FRAME];
    if (self->truth->ops->sense) {
        self->truth->ops->sense(self->truth, stamp, &self->sensors);
    }
    struct kobuki_sensors sensors = kobuki_sensors_at(&self->sensors, stamp);
    presses_apply(&self->presses, stamp, &sensors);
    size_t n = kobuki_base_feedback(&self->base, &sensors, frame);
    session_send(&self->session, frame, n, now);
    self->frames += self->session.connected;
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct kobuki_device *self = device;
    drive(self, now);
    if (now - self->next_frame > LATEST) {
        self->next_frame += FRAME_PERIOD * ((now - self->next_frame) / FRAME_PERIOD);
    }
    while (now >= self->next_frame) {
        send_frame(self, self->next_frame, now);
        self->next_frame += FRAME_PERIOD;
    }
    return self->next_frame;
}

static bool is_over(void *device, dpl_ns now)
{
    const struct kobuki_device *self = device;
    return self->exits_at_end && self->truth->ops->is_over &&
           self->truth->ops->is_over(self->truth, now);
}

static const struct session_device ops = {
    .connected = on_connected,
    .received = on_received,
    .tick = on_tick,
    .is_over = is_over,
};

int emulate_kobuki(const struct emulate_options *options, const struct kobuki_options *own,
                   struct dpl_diag *reterr)
{
    struct kobuki_device self = {
        .exits_at_end = options->exits_at_end,
        .presses = own->presses,
    };
    kobuki_base_init(&self.base, &own->base);
    int err = session_init(&self.session, &ops, &self);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "no event loop: %s", uv_strerror(err));
    }
    self.session.name = "kobuki";
    err = emulate_open(options, TRUTH_BASE, &self.session, &self.truth, reterr);
    if (err == 0) {
        session_run(&self.session);
        fprintf(stderr,
                "doppel emulate kobuki: %llu frames sent, %llu commands, %llu checksum errors, "
                "stopped %llu times for silence\n",
                (unsigned long long)self.frames, (unsigned long long)self.base.commands,
                (unsigned long long)self.base.parser.checksum_errors,
                (unsigned long long)self.base.timeouts);
    }
    session_finish(&self.session);
    truth_destroy(self.truth);
    return err;
}
