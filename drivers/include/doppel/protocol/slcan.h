/* SPDX-License-Identifier: Apache-2.0 */
/* slcan: CAN frames as text on a serial line, the protocol of LAWICEL adapters, both directions.
 * From general knowledge of the CAN232 command set: lines end with CR; the adapter answers CR for
 * done and BEL for refused, `z` or `Z` before the CR when it reports a frame as sent; received
 * frames have a stamp of four hexadecimal digits, ms modulo 60000, after the command Z1. Host and
 * adapter use the same parser: no line has two meanings. */
#ifndef DPL_PROTOCOL_SLCAN_H
#define DPL_PROTOCOL_SLCAN_H

#include <doppel/protocol/bytes.h>
#include <doppel/protocol/can_frame.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_SLCAN_LINE_MAX = 32, /* T, id 8, length, data 16, stamp 4, CR: 31 */
    DPL_SLCAN_STAMP_MODULUS = 60000,
    DPL_SLCAN_SPEEDS = 9,
};

enum dpl_slcan_kind {
    DPL_SLCAN_DONE,    /* CR: `value` 0, or the letter 'z' or 'Z' before it */
    DPL_SLCAN_REFUSED, /* BEL */
    DPL_SLCAN_FRAME,   /* t T r R */
    DPL_SLCAN_SPEED,   /* Sn: `value` 0 to 8 */
    DPL_SLCAN_TIMING,  /* sxxyy: `value` has the registers BTR0 and BTR1 of an SJA1000 at 16 MHz */
    DPL_SLCAN_OPEN,    /* O */
    DPL_SLCAN_CLOSE,   /* C */
    DPL_SLCAN_STAMPS,  /* Zn: `value` 0 off, 1 on */
    DPL_SLCAN_ASK_VERSION,
    DPL_SLCAN_ASK_SERIAL,
    DPL_SLCAN_ASK_FLAGS,
    DPL_SLCAN_VERSION, /* Vhhss: `value` has both bytes */
    DPL_SLCAN_SERIAL,  /* Nxxxx: `value` has four characters, the first highest */
    DPL_SLCAN_FLAGS,   /* Fhh */
};

struct dpl_slcan_message {
    enum dpl_slcan_kind kind;
    struct dpl_can_frame frame;
    bool has_stamp;
    uint16_t stamp_ms;
    uint32_t value;
    uint64_t offset; /* of the line's first byte in the stream; set by the parser */
};

/* Incremental parser. The caller owns it; the counters may be read, the rest is private. The same
 * stream gives the same messages for every division into chunks. */
struct dpl_slcan_parser {
    /* counters, since init */
    uint64_t messages;
    uint64_t errors;            /* unknown lines */
    uint64_t dropped_bytes;     /* their bytes, line ends included */
    uint64_t last_error_offset; /* stream offset of the last such line */
    /* private */
    uint64_t offset, line_offset;
    size_t filled;
    bool too_long;
    char line[DPL_SLCAN_LINE_MAX];
};

void dpl_slcan_parser_init(struct dpl_slcan_parser *parser);

/* Consumes `input` up to the end of the next valid line. True with `ret_message`: call again, there
 * may be more. False when all input is consumed. A line that is malformed or too long is skipped
 * up to its CR or BEL and counted. LF is ignored between lines. */
bool dpl_slcan_parser_next(struct dpl_slcan_parser *parser, struct dpl_byte_view *input,
                           struct dpl_slcan_message *ret_message);

/* Writes a message as text with its CR or BEL, no NUL. Returns its size, at most
 * DPL_SLCAN_LINE_MAX. The message must be one that the parser could give. */
size_t dpl_slcan_encode(const struct dpl_slcan_message *message, char text[DPL_SLCAN_LINE_MAX]);

/* bit/s of Sn; 0 when there is no such n. */
uint32_t dpl_slcan_speed(uint32_t n);
/* bit/s of the two timing registers of sxxyy; 0 when it is above 1 Mbit/s, the maximum of CAN. */
uint32_t dpl_slcan_timing_rate(uint32_t registers);
/* n of Sn for a bit rate, or -EINVAL. */
int dpl_slcan_speed_number(uint32_t bit_rate);

#ifdef __cplusplus
}
#endif

#endif
