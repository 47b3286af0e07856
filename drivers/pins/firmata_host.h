/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of Firmata for the driver `firmata`, run on the control thread alone: who the
 * board is and what its pins can do, modes, writes, reports. It knows no stream and no device:
 * bytes and times come as arguments, what it wants sent goes to `send`. Pure: the caller owns the
 * struct. */
#ifndef PINS_FIRMATA_HOST_H
#define PINS_FIRMATA_HOST_H

#include <doppel/drv/pins.h>

#include "protocol/firmata.h"

struct firmata_host_config {
    uint16_t sampling_ms;
    unsigned first_analog; /* the pin of channel 0, as the caller names analog pins */
    int (*send)(void *user, const void *bytes, size_t n);
    /* An input has another level than it had. */
    void (*edge)(void *user, unsigned pin, bool level, dpl_ns at);
    void (*text)(void *user, const char *text); /* of the board */
    void *user;
};

enum firmata_phase {
    FIRMATA_UNKNOWN,    /* nobody has answered */
    FIRMATA_CAPABILITY, /* asked for */
    FIRMATA_MAPPING,    /* asked for */
    FIRMATA_READY,
    FIRMATA_REFUSED, /* see `problem` */
};

struct firmata_host_pin {
    uint16_t modes;   /* bits by enum dpl_firmata_mode */
    uint8_t channel;  /* or DPL_FIRMATA_NO_CHANNEL */
    uint8_t adc_bits; /* resolution of its modes */
    uint8_t pwm_bits;
    bool is_set; /* a mode was asked for */
    enum dpl_pin_mode mode;
    uint8_t wire_mode; /* what the board was told; 0xff: nothing */
    bool pings;        /* its edges are those that the board measured, not those of reports */
    bool known;        /* an input: a report has come */
    bool level;        /* of an input, or written */
    double ratio;      /* of an analog input */
};

struct firmata_host {
    struct firmata_host_config config;
    struct dpl_firmata_parser parser;
    enum firmata_phase phase;
    uint16_t version; /* of the protocol, major << 8 | minor; 0: not told */
    char firmware[64];
    char problem[128];
    size_t n_pins;
    struct firmata_host_pin pins[DPL_PINS_MAX]; /* those beyond do not take part */
    uint64_t restarts;                          /* of a board that was ready */
    dpl_ns heard_at, asked_at;
};

void firmata_host_init(struct firmata_host *host, const struct firmata_host_config *config);

/* A connection is there: asks who it is. Modes that were set come back once the board is ready;
 * what was written does not: outputs are as after a reset. */
void firmata_host_opened(struct firmata_host *host, dpl_ns now);

/* Returns whether anything whole was heard. */
bool firmata_host_data(struct firmata_host *host, const uint8_t *bytes, size_t n, dpl_ns now);

/* Now and then: asks again what was not answered, and a quiet board for a sign of life. */
void firmata_host_timer(struct firmata_host *host, dpl_ns now, dpl_ns patience);

/* Only when ready; -ENOTSUP when the pin cannot do it, -EINVAL for no such pin. */
int firmata_host_set_mode(struct firmata_host *host, unsigned pin, enum dpl_pin_mode mode);
int firmata_host_write(struct firmata_host *host, unsigned pin, bool level);
/* Pulses of 40 to 100 Hz are those of a servo on a pin that has one; others have the frequency of
 * the board. */
int firmata_host_write_pwm(struct firmata_host *host, unsigned pin, double duty,
                           double frequency_hz);

/* Sends a pulse and asks for the length of the answer; its edges come as `edge`, the later one at
 * the time of the message. -EPERM unless the pin is an input. */
int firmata_host_ping(struct firmata_host *host, unsigned pin, dpl_ns trigger, dpl_ns timeout);

/* All outputs off, while inputs go on: levels and PWM low, pulses of servos ended. Modes stay, and
 * the next write of a pin counts again. */
void firmata_host_rest(struct firmata_host *host);

/* All outputs off: resets the board. */
void firmata_host_halt(struct firmata_host *host);

/* Whether a pin with these modes can be used so. PWM_OUT: by PWM or as a servo. */
bool firmata_host_can(uint16_t modes, enum dpl_pin_mode mode);

#endif
