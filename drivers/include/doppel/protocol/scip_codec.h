/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP's two encodings: the check character of a line, and numbers as characters of 6 bits each.
 * Source: the published SCIP protocol; tested against an independent implementation. */
#ifndef DPL_PROTOCOL_SCIP_CODEC_H
#define DPL_PROTOCOL_SCIP_CODEC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_SCIP_MAX_REQUEST = 64, /* characters of a request or an echo, without the line end */
    DPL_SCIP_MAX_STEPS = 2400, /* values of a scan; common models have at most 1081 */
    DPL_SCIP_DATA_LINE = 64,   /* data characters of a line, without its sum */
    DPL_SCIP_STAMP_CHARS = 4,
};

/* Check character of `length` characters: the low 6 bits of their sum, plus 0x30. */
char dpl_scip_sum(const char *text, size_t length);

/* Writes `value` as `chars` (1..5) characters, 6 bits each, high first. A value that is too large
 * is saturated. No terminating NUL. */
void dpl_scip_encode(uint32_t value, unsigned chars, char *out);

/* Reads `chars` (1..5) characters. Returns 0, or -EPROTO when one is not in 0x30..0x6f. */
int dpl_scip_decode(const char *text, unsigned chars, uint32_t *ret_value);

#ifdef __cplusplus
}
#endif

#endif
