/* SPDX-License-Identifier: Apache-2.0 */
/* Firmata 2.5 on the wire, both directions: messages of a command byte (bit 7 set) and data bytes
 * of 7 bits, or system-exclusive frames from F0 to F7. Pure: no I/O, no allocation, no clock.
 * Source: the published Firmata protocol. */
#ifndef DPL_PROTOCOL_FIRMATA_H
#define DPL_PROTOCOL_FIRMATA_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_FIRMATA_PINS_MAX = 128,
    DPL_FIRMATA_CHANNELS_MAX = 16, /* analog channels of short messages */
    DPL_FIRMATA_PORTS_MAX = 16,    /* of 8 digital pins each */
    DPL_FIRMATA_SYSEX_MAX = 2560,  /* data bytes: the capabilities of 128 pins fit */
    DPL_FIRMATA_NO_CHANNEL = 0x7f, /* of a pin without an ADC */
    DPL_FIRMATA_BAUD = 57600,
};

/* Command bytes; in the first four the low 4 bits are a channel or a port. */
enum dpl_firmata_command {
    DPL_FIRMATA_DIGITAL = 0x90,
    DPL_FIRMATA_REPORT_ANALOG = 0xc0,
    DPL_FIRMATA_REPORT_DIGITAL = 0xd0,
    DPL_FIRMATA_ANALOG = 0xe0,
    DPL_FIRMATA_SYSEX = 0xf0,
    DPL_FIRMATA_SET_MODE = 0xf4,
    DPL_FIRMATA_SET_PIN = 0xf5,
    DPL_FIRMATA_SYSEX_END = 0xf7,
    DPL_FIRMATA_VERSION = 0xf9,
    DPL_FIRMATA_RESET = 0xff,
};

enum dpl_firmata_sysex {
    DPL_FIRMATA_MAPPING_QUERY = 0x69,
    DPL_FIRMATA_MAPPING = 0x6a,
    DPL_FIRMATA_CAPABILITY_QUERY = 0x6b,
    DPL_FIRMATA_CAPABILITY = 0x6c,
    DPL_FIRMATA_STATE_QUERY = 0x6d,
    DPL_FIRMATA_STATE = 0x6e,
    DPL_FIRMATA_EXTENDED_ANALOG = 0x6f,
    DPL_FIRMATA_SERVO_CONFIG = 0x70,
    DPL_FIRMATA_STRING = 0x71,
    DPL_FIRMATA_PING = 0x75, /* PingFirmata: pulse out, length of the answering pulse back */
    DPL_FIRMATA_FIRMWARE = 0x79,
    DPL_FIRMATA_SAMPLING = 0x7a,
};

enum dpl_firmata_mode {
    DPL_FIRMATA_MODE_INPUT = 0x00,
    DPL_FIRMATA_MODE_OUTPUT = 0x01,
    DPL_FIRMATA_MODE_ANALOG = 0x02,
    DPL_FIRMATA_MODE_PWM = 0x03,
    DPL_FIRMATA_MODE_SERVO = 0x04,
    DPL_FIRMATA_MODE_PULL_UP = 0x0b,
};

/* A received message. The command determines the valid members. */
struct dpl_firmata_message {
    enum dpl_firmata_command command;
    uint8_t channel;     /* analog channel or digital port; of SET_MODE and SET_PIN the pin */
    uint16_t value;      /* 14 bits, or the one data byte; of VERSION major << 8 | minor */
    bool is_query;       /* VERSION without numbers */
    uint8_t sysex;       /* the id, of SYSEX */
    const uint8_t *data; /* the bytes after the id; borrowed from the parser until its next call */
    size_t n;
};

/* Incremental parser. The caller owns it; the counters may be read, the rest is private. The same
 * stream gives the same messages for every division into chunks. */
struct dpl_firmata_parser {
    /* counters, since init */
    uint64_t messages;
    uint64_t dropped_bytes; /* of no message: garbage, incomplete or too long messages */
    /* private */
    bool from_board;
    uint8_t command; /* 0: between messages */
    size_t wanted;   /* data bytes of a short message */
    size_t filled;
    bool overlong;
    uint8_t buffer[DPL_FIRMATA_SYSEX_MAX + 1]; /* first the id of a sysex */
};

/* `from_board`: the messages are those of a board. They differ in F9, which contains the version
 * then and is a query without data otherwise. */
void dpl_firmata_parser_init(struct dpl_firmata_parser *parser, bool from_board);

/* Consumes `input` up to the end of the next complete message: true, and ret_message is written;
 * call again, there may be more. False: all input is consumed. A command byte in the middle of a
 * message ends that message; its bytes are counted as dropped. */
bool dpl_firmata_parser_next(struct dpl_firmata_parser *parser, struct dpl_byte_view *input,
                             struct dpl_firmata_message *ret_message);

/* Appends messages to a buffer of the caller. When a message does not fit, `overflowed` is set, and
 * this and all later messages are omitted completely. */
struct dpl_firmata_writer {
    uint8_t *data;
    size_t size, n;
    bool overflowed;
};

/* Any message of a command byte and up to two data bytes (7 bits of each are taken). */
void dpl_firmata_put(struct dpl_firmata_writer *writer, uint8_t command, const uint8_t *data,
                     size_t n);
/* DIGITAL or ANALOG, with a channel below 16 and a value of 14 bits. */
void dpl_firmata_put_value(struct dpl_firmata_writer *writer, enum dpl_firmata_command command,
                           uint8_t channel, uint16_t value);
/* A complete frame; data bytes above 127 lose bit 7. */
void dpl_firmata_put_sysex(struct dpl_firmata_writer *writer, enum dpl_firmata_sysex id,
                           const uint8_t *data, size_t n);
/* STRING: each byte of the text as two. Truncated at 120 bytes. */
void dpl_firmata_put_string(struct dpl_firmata_writer *writer, const char *text);
/* FIRMWARE as answer of a board: version and name, truncated at 120 bytes. */
void dpl_firmata_put_firmware(struct dpl_firmata_writer *writer, uint8_t major, uint8_t minor,
                              const char *name);
/* A value for a pin (by its number): the short form for pins below 16 and values of 14 bits,
 * otherwise EXTENDED_ANALOG. */
void dpl_firmata_put_pin_value(struct dpl_firmata_writer *writer, uint8_t pin, uint32_t value);
void dpl_firmata_put_servo_config(struct dpl_firmata_writer *writer, uint8_t pin, uint16_t min_us,
                                  uint16_t max_us);

/* A little-endian number of 7-bit groups, at most five of them. */
uint32_t dpl_firmata_get_groups(const uint8_t *data, size_t n);
/* Writes at least `least` groups, and more if the value needs them; returns their number (at most
 * 5). */
size_t dpl_firmata_put_groups(uint8_t *data, uint32_t value, size_t least);
/* Text of 7-bit pairs, as NUL-terminated bytes; truncated at `size`. Returns its length. An odd
 * last byte is ignored. */
size_t dpl_firmata_get_text(const uint8_t *data, size_t n, char *ret_text, size_t size);

/* Four bytes of a PING message, each a pair, high byte first. `data` holds 8 bytes. */
uint32_t dpl_firmata_get_u32be(const uint8_t *data);
void dpl_firmata_put_u32be(uint8_t *data, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
