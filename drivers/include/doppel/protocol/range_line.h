/* SPDX-License-Identifier: Apache-2.0 */
/* The serial protocol of a board with range finders and bumpers, made for a few lines on an
 * Arduino: one line for each measurement, sent unasked,
 *
 *     R ID METRES*HH    a range finder; METRES: decimal, or - when it sees nothing
 *     B ID 0*HH         a bumper: 1 touched, 0 not
 *
 * ended by LF (a CR before it is allowed). ID: letters, digits and _, at most 15. HH: the exclusive
 * or of all bytes before the *, as two hexadecimal digits, as in NMEA 0183. Pure: no state but the
 * caller's, no allocation. */
#ifndef DPL_PROTOCOL_RANGE_LINE_H
#define DPL_PROTOCOL_RANGE_LINE_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_RANGE_ID_SIZE = 16, DPL_RANGE_LINE_MAX = 48 };

struct dpl_range_line {
    bool is_contact;
    char id[DPL_RANGE_ID_SIZE];
    double value; /* m, from 0; INFINITY: it sees nothing. Of a bumper: 1 or 0 */
};

/* Incremental parser. Zero-initialise. The same stream gives the same lines for every division into
 * chunks. */
struct dpl_range_parser {
    /* may be read */
    uint64_t lines;
    uint64_t checksum_errors;
    uint64_t dropped_bytes; /* bytes that belong to no valid line */
    /* private */
    size_t filled;
    bool too_long; /* the rest of the line is dropped */
    char buffer[DPL_RANGE_LINE_MAX];
};

/* Whether n bytes are an ID. */
bool dpl_range_line_is_id(const char *text, size_t n);

/* Consumes `input` up to the end of the next valid line. True, and ret_line: call again, there may
 * be more. False: all input is consumed. */
bool dpl_range_line_next(struct dpl_range_parser *parser, struct dpl_byte_view *input,
                         struct dpl_range_line *ret_line);

/* Writes a line, to the millimetre, and returns its length, LF included. A range below 0 or NaN
 * becomes 0; one above 9999 m is nothing seen. */
size_t dpl_range_line_write(const struct dpl_range_line *line, char ret_bytes[DPL_RANGE_LINE_MAX]);

#ifdef __cplusplus
}
#endif

#endif
