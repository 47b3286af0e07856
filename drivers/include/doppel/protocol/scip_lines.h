/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a stream of bytes into SCIP lines. Replies end their lines with LF; requests may end with
 * LF, CR or both (general knowledge). */
#ifndef DPL_PROTOCOL_SCIP_LINES_H
#define DPL_PROTOCOL_SCIP_LINES_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DPL_SCIP_MAX_LINE = 128 };

struct dpl_scip_line {
    const char *text; /* borrowed until the next call; no line end, no NUL */
    size_t length;
    uint64_t offset; /* of the line's first byte in the stream */
    bool too_long;   /* the line was longer; only its beginning is stored */
};

/* Owned by the caller; private except `offset`. */
struct dpl_scip_lines {
    uint64_t offset; /* bytes consumed so far */
    uint64_t line_offset;
    size_t filled;
    bool cr_ends, after_cr, too_long, delivered;
    char buffer[DPL_SCIP_MAX_LINE];
};

/* `cr_ends`: CR ends a line too, and an LF right after it is skipped. For a device's input. */
void dpl_scip_lines_init(struct dpl_scip_lines *lines, bool cr_ends);

/* Consumes `input` up to the next line end. Returns true and writes `ret_line`, or false when all
 * input is consumed. */
bool dpl_scip_lines_next(struct dpl_scip_lines *lines, struct dpl_byte_view *input,
                         struct dpl_scip_line *ret_line);

#ifdef __cplusplus
}
#endif

#endif
