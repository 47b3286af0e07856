/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of MCAP records from bytes that may be cut or wrong: a field that does not fit makes the
 * parser fail, and all that follows is 0 or empty. */
#ifndef DPL_GATEWAYS_MCAP_PARSE_H
#define DPL_GATEWAYS_MCAP_PARSE_H

#include "bytes.h"
#include "mcap_reader.h"
#include "mcap_records.h"

struct parse {
    const uint8_t *at;
    size_t left;
    bool failed;
};

static inline struct dpl_mcap_span parse_bytes(struct parse *parse, uint64_t n)
{
    if (parse->failed || n > parse->left) {
        parse->failed = true;
        return (struct dpl_mcap_span){0};
    }
    struct dpl_mcap_span span = {parse->at, (size_t)n};
    parse->at += n;
    parse->left -= (size_t)n;
    return span;
}

static inline uint64_t parse_number(struct parse *parse, unsigned size)
{
    struct dpl_mcap_span span = parse_bytes(parse, size);
    return span.data ? dpl_bytes_get(span.data, size) : 0;
}

static inline struct dpl_mcap_span parse_text(struct parse *parse)
{
    return parse_bytes(parse, parse_number(parse, 4));
}

/* The next record; false: no complete one is left. */
static inline bool parse_record(struct parse *parse, unsigned *ret_op, struct parse *ret_body)
{
    if (parse->left < MCAP_HEAD_BYTES ||
        dpl_bytes_get(parse->at + 1, 8) > parse->left - MCAP_HEAD_BYTES) {
        return false;
    }
    *ret_op = parse->at[0];
    *ret_body =
        (struct parse){parse->at + MCAP_HEAD_BYTES, (size_t)dpl_bytes_get(parse->at + 1, 8), false};
    parse->at = ret_body->at + ret_body->left;
    parse->left -= MCAP_HEAD_BYTES + ret_body->left;
    return true;
}

#endif
