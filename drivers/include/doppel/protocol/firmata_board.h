/* SPDX-License-Identifier: Apache-2.0 */
/* The board's side of Firmata: pins, modes, capabilities and reports of StandardFirmata 2.5, and
 * PING_READ of PingFirmata. Received bytes are arguments, `send` sends bytes, and time is an
 * argument. The external signals on the wires of the pins are set with `drive`; `output` reads the
 * board's. Pure: the caller owns the struct; nothing allocates, blocks or reads a clock. */
#ifndef DPL_PROTOCOL_FIRMATA_BOARD_H
#define DPL_PROTOCOL_FIRMATA_BOARD_H

#include <doppel/time.h>

#include <doppel/protocol/firmata.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_FIRMATA_ADC_BITS = 10,
    DPL_FIRMATA_PWM_BITS = 8,
    DPL_FIRMATA_SERVO_BITS = 14,
    DPL_FIRMATA_SAMPLING_MS = 19,    /* default, until the host sets another */
    DPL_FIRMATA_SERVO_MIN_US = 544,  /* lower values are angles in degrees */
    DPL_FIRMATA_SERVO_MAX_US = 2400, /* of 180 degrees */
};

#define DPL_FIRMATA_PWM_HZ   490.0
#define DPL_FIRMATA_SERVO_HZ 50.0

/* The abilities of a pin; it has an ADC when its channel is not DPL_FIRMATA_NO_CHANNEL. */
enum dpl_firmata_ability {
    DPL_FIRMATA_CAN_DIGITAL = 1 << 0,
    DPL_FIRMATA_CAN_PWM = 1 << 1,
    DPL_FIRMATA_CAN_SERVO = 1 << 2,
    DPL_FIRMATA_CAN_PING = 1 << 3,
};

struct dpl_firmata_pin_kind {
    uint8_t abilities;
    uint8_t channel; /* below 16, or DPL_FIRMATA_NO_CHANNEL */
};

struct dpl_firmata_board_config {
    const char *firmware; /* its name; borrowed */
    uint8_t major, minor; /* its version */
    size_t n_pins;        /* at most DPL_FIRMATA_PINS_MAX */
    struct dpl_firmata_pin_kind pins[DPL_FIRMATA_PINS_MAX];
    /* Sends one complete message to the host. */
    void (*send)(void *user, const uint8_t *bytes, size_t n, dpl_ns now);
    /* The board has changed its output level on the wire of a pin. NULL: not needed. */
    void (*edge)(void *user, unsigned pin, bool level, dpl_ns at);
    /* The host sent a text. NULL: not needed. */
    void (*text)(void *user, const char *text);
    void *user;
};

struct dpl_firmata_board_pin {
    uint8_t mode; /* enum dpl_firmata_mode, or 0x7f: a pin without abilities */
    /* the value that the host has written; for an input whether the pull-up is on */
    uint32_t state;
    uint16_t servo_min_us, servo_max_us;
    dpl_ns told_at; /* time of the host's last value for it, even an equal one; negative: never */
    /* external signal on the wire */
    bool driven;
    double ratio; /* mean voltage, as a part of the reference */
    bool level;
};

/* An active PING_READ: the pulse was sent and the answer has not ended. */
struct dpl_firmata_ping {
    bool active, risen;
    bool value; /* the level to be measured */
    dpl_ns deadline, risen_at;
};

struct dpl_firmata_board {
    struct dpl_firmata_board_config config;
    struct dpl_firmata_board_pin pins[DPL_FIRMATA_PINS_MAX];
    struct dpl_firmata_parser parser;
    uint64_t refused; /* complete messages that this board does not support */
    /* private */
    uint32_t analog_reports, digital_reports; /* bits by channel and port */
    uint8_t told_ports[DPL_FIRMATA_PORTS_MAX];
    dpl_ns sampling, next_sample;
    struct dpl_firmata_ping pings[DPL_FIRMATA_PINS_MAX];
};

/* The board's output on the wire of a pin. */
enum dpl_firmata_output_kind {
    DPL_FIRMATA_OPEN, /* nothing: an input */
    DPL_FIRMATA_PULLED_UP,
    DPL_FIRMATA_LEVEL,
    DPL_FIRMATA_PULSES, /* PWM or servo */
};

struct dpl_firmata_output {
    enum dpl_firmata_output_kind kind;
    bool level;
    double duty;         /* 0 to 1: the mean voltage; for a level 0 or 1 */
    double frequency_hz; /* 0 without pulses */
};

/* The state after power-on, with no signals on its wires. Copies the config. */
void dpl_firmata_board_init(struct dpl_firmata_board *board,
                            const struct dpl_firmata_board_config *config);

/* A host has connected: the board restarts, as an Arduino does when its port is opened, and sends
 * version and firmware. The signals on the wires stay. */
void dpl_firmata_board_connected(struct dpl_firmata_board *board, dpl_ns now);

/* The host has disconnected: all outputs are switched off. */
void dpl_firmata_board_disconnected(struct dpl_firmata_board *board, dpl_ns now);

/* Processes bytes from the host. Garbage is skipped and counted in `parser`. */
void dpl_firmata_board_receive(struct dpl_firmata_board *board, const uint8_t *bytes, size_t n,
                               dpl_ns now);

/* Sends the analog reports that are due and ends pings without an answer. Returns the time for the
 * next call. */
dpl_ns dpl_firmata_board_tick(struct dpl_firmata_board *board, dpl_ns now);

/* Sets the external signal on the wire of a pin: a level, from the time `at` on (for the length of
 * pulses), or a mean voltage, or no signal. Changes of digital inputs are reported at once.
 * -EINVAL: no such pin or a ratio outside 0 to 1. */
int dpl_firmata_board_drive(struct dpl_firmata_board *board, unsigned pin, bool level, dpl_ns at);
int dpl_firmata_board_drive_ratio(struct dpl_firmata_board *board, unsigned pin, double ratio,
                                  dpl_ns now);
int dpl_firmata_board_release(struct dpl_firmata_board *board, unsigned pin, dpl_ns now);

/* `pin` below n_pins. */
struct dpl_firmata_output dpl_firmata_board_output(const struct dpl_firmata_board *board,
                                                   unsigned pin);

/* The level on a pin's wire: the board's own, otherwise the external one, otherwise the
 * pull-up's. */
bool dpl_firmata_board_level(const struct dpl_firmata_board *board, unsigned pin);

#ifdef __cplusplus
}
#endif

#endif
