/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of Firmata for the driver `firmata`, used on the control thread only:
 * identification of the board and the capabilities of its pins, modes, writes, reports. It uses no
 * stream and no device: bytes and times are arguments, and `send` sends bytes. Pure: the caller
 * owns the struct. */
#ifndef PINS_FIRMATA_HOST_H
#define PINS_FIRMATA_HOST_H

#include <doppel/drv/pins.h>

#include <doppel/protocol/firmata.h>

struct firmata_host_config {
    uint16_t sampling_ms;
    unsigned first_analog; /* the pin of channel 0, in the caller's numbering of analog pins */
    int (*send)(void *user, const void *bytes, size_t n);
    /* The level of an input has changed. */
    void (*edge)(void *user, unsigned pin, bool level, dpl_ns at);
    void (*text)(void *user, const char *text); /* of the board */
    void *user;
};

enum firmata_phase {
    FIRMATA_UNKNOWN,    /* no answer yet */
    FIRMATA_CAPABILITY, /* the capability query was sent */
    FIRMATA_MAPPING,    /* the analog mapping query was sent */
    FIRMATA_READY,
    FIRMATA_REFUSED, /* see `problem` */
};

struct firmata_host_pin {
    uint16_t modes;   /* bits by enum dpl_firmata_mode */
    uint8_t channel;  /* or DPL_FIRMATA_NO_CHANNEL */
    uint8_t adc_bits; /* resolution of its modes */
    uint8_t pwm_bits;
    bool is_set; /* a mode was requested */
    enum dpl_pin_mode mode;
    uint8_t wire_mode; /* the mode that was sent to the board; 0xff: none */
    bool pings;        /* its edges are those measured by the board, not those from reports */
    bool known;        /* an input: a report has arrived */
    bool level;        /* of an input, or written */
    double ratio;      /* of an analog input */
};

struct firmata_host {
    struct firmata_host_config config;
    struct dpl_firmata_parser parser;
    enum firmata_phase phase;
    uint16_t version; /* of the protocol, major << 8 | minor; 0: not received */
    char firmware[64];
    char problem[128];
    size_t n_pins;
    struct firmata_host_pin pins[DPL_PINS_MAX]; /* pins with higher numbers are not used */
    uint64_t restarts;                          /* of a board that was ready before */
    dpl_ns heard_at, asked_at;
};

void firmata_host_init(struct firmata_host *host, const struct firmata_host_config *config);

/* Call it when a connection is open: starts the identification. Modes are set again when the board
 * is ready, but writes are not repeated: outputs are as after a reset. */
void firmata_host_opened(struct firmata_host *host, dpl_ns now);

/* Returns whether a complete message was received. */
bool firmata_host_data(struct firmata_host *host, const uint8_t *bytes, size_t n, dpl_ns now);

/* Call it periodically: repeats queries without an answer, and checks whether a quiet board still
 * answers. */
void firmata_host_timer(struct firmata_host *host, dpl_ns now, dpl_ns patience);

/* Only when ready; -ENOTSUP when the pin does not support the mode, -EINVAL for no such pin. */
int firmata_host_set_mode(struct firmata_host *host, unsigned pin, enum dpl_pin_mode mode);
int firmata_host_write(struct firmata_host *host, unsigned pin, bool level);
/* On a pin with a servo, pulses of 40 to 100 Hz are sent as servo pulses; other PWM has the
 * frequency of the board. */
int firmata_host_write_pwm(struct firmata_host *host, unsigned pin, double duty,
                           double frequency_hz);

/* Sends a pulse and requests the length of the answer; its edges are reported through `edge`, the
 * later one at the time of the message. -EPERM unless the pin is an input. */
int firmata_host_ping(struct firmata_host *host, unsigned pin, dpl_ns trigger, dpl_ns timeout);

/* Switches all outputs off, while inputs continue: levels and PWM low, servo pulses end. Modes
 * stay; the next write to a pin drives it again. */
void firmata_host_rest(struct firmata_host *host);

/* Switches all outputs off: resets the board. */
void firmata_host_halt(struct firmata_host *host);

/* Whether a pin with these modes supports `mode`. PWM_OUT: by PWM or as a servo. */
bool firmata_host_can(uint16_t modes, enum dpl_pin_mode mode);

#endif
