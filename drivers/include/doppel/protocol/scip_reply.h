/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of SCIP: an incremental parser that takes any received bytes and returns complete,
 * checked replies. From the echo it determines the expected format of a reply, so that late scans,
 * answers to QT and SCIP 1.1 answers can come in any order. Source: the published SCIP protocol. */
#ifndef DPL_PROTOCOL_SCIP_REPLY_H
#define DPL_PROTOCOL_SCIP_REPLY_H

#include <stdbool.h>

#include <doppel/protocol/bytes.h>
#include <doppel/protocol/scip_lines.h>
#include <doppel/protocol/scip_request.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_SCIP_MAX_TEXT_LINES = 16,
};

enum dpl_scip_reply_kind {
    DPL_SCIP_REPLY_STATUS, /* only a status */
    DPL_SCIP_REPLY_TEXT,   /* VV, PP, II, and unknown commands that were answered with lines */
    DPL_SCIP_REPLY_TIME,   /* TM1: stamp_ms */
    DPL_SCIP_REPLY_SCAN,   /* stamp_ms, count, ranges_mm, intensities */
};

enum dpl_scip_fault {
    DPL_SCIP_FAULT_NONE,
    DPL_SCIP_FAULT_LINE_TOO_LONG,
    DPL_SCIP_FAULT_ECHO,          /* not printable, or longer than a request can be */
    DPL_SCIP_FAULT_STATUS,        /* no status line, or its sum is wrong */
    DPL_SCIP_FAULT_SUM,           /* sum of a data, stamp or text line */
    DPL_SCIP_FAULT_CHARACTER,     /* data outside 0x30..0x6f, '&' out of place */
    DPL_SCIP_FAULT_TOO_MUCH_DATA, /* more values, lines or text than the echo requested */
    DPL_SCIP_FAULT_TOO_LITTLE_DATA,
    DPL_SCIP_FAULT_UNEXPECTED_LINE,
};

/* One reply. `kind` determines the valid members after it. */
struct dpl_scip_reply {
    uint64_t offset; /* of the echo in the stream */
    size_t echo_length;
    char echo[DPL_SCIP_MAX_REQUEST + 1];
    char status[3]; /* two characters, or one of SCIP 1.1 ("0", "E") */
    bool is_known;  /* the echo is a valid request, then `request` is valid */
    enum dpl_scip_reply_kind kind;
    struct dpl_scip_request request;
    uint32_t stamp_ms;
    size_t count; /* values; of several echoes of a step the first one is stored */
    uint32_t ranges_mm[DPL_SCIP_MAX_STEPS];
    uint32_t intensities[DPL_SCIP_MAX_STEPS]; /* encoding E, else 0 */
    size_t extra_echoes;                      /* echoes that were not stored */
    size_t lines;
    char text[DPL_SCIP_MAX_TEXT_LINES][DPL_SCIP_MAX_LINE]; /* without ";" and sum */
};

enum dpl_scip_reply_state {
    DPL_SCIP_AT_ECHO,
    DPL_SCIP_AT_STATUS,
    DPL_SCIP_AT_STAMP,
    DPL_SCIP_AT_DATA,
    DPL_SCIP_AT_TEXT,
    DPL_SCIP_AT_END,
    DPL_SCIP_SKIPPING, /* skips to the next empty line */
};

/* Owned by the caller; about 21 kB. The fields under "public" may be read. */
struct dpl_scip_reply_parser {
    /* public */
    struct dpl_scip_reply reply; /* the last one; valid until the next call */
    enum dpl_scip_fault fault;   /* the last one */
    uint64_t fault_offset;       /* stream offset of the faulty line */
    uint64_t replies, faults;    /* since init */
    /* private */
    struct dpl_scip_lines lines;
    enum dpl_scip_reply_state state;
    size_t expected; /* values */
    unsigned digits; /* received characters of the group */
    bool is_extra;   /* the group is another echo of the last step */
    uint32_t group;
};

void dpl_scip_reply_parser_init(struct dpl_scip_reply_parser *parser);

/* Consumes `input` up to the end of the next reply. Returns 1 when `parser->reply` is a complete
 * and checked reply; 0 when all input is consumed; -EBADMSG on a fault (`fault`, `fault_offset`):
 * the parser skips to the next empty line, call again. Never blocks or allocates. */
int dpl_scip_reply_next(struct dpl_scip_reply_parser *parser, struct dpl_byte_view *input);

/* Whether the status is `code` ("00"). */
bool dpl_scip_reply_is(const struct dpl_scip_reply *reply, const char *code);

/* Geometry from a reply to PP. Returns 0; -EBADMSG and the key that is missing, malformed or out of
 * range (static storage or a line of the reply). */
int dpl_scip_reply_geometry(const struct dpl_scip_reply *reply,
                            struct dpl_scip_geometry *ret_geometry, const char **reterr_key);

/* The fault as text, for a log line. */
const char *dpl_scip_fault_text(enum dpl_scip_fault fault);

#ifdef __cplusplus
}
#endif

#endif
