/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of a SCIP device, byte by byte: echo, status, lines with their sums, empty line. Source:
 * the published SCIP protocol. General knowledge: a cluster's value is the smallest distance in it;
 * error codes are ignored unless there is nothing else. */
#ifndef DPL_PROTOCOL_SCIP_WRITER_H
#define DPL_PROTOCOL_SCIP_WRITER_H

#include <stdbool.h>

#include <doppel/protocol/scip_request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to the caller's memory. When it is full, `overflow` is set and nothing more is written:
 * check it at the end. */
struct dpl_scip_writer {
    char *out;
    size_t capacity, length;
    bool overflow;
};

/* Measured values, borrowed. Step s, echo e is element s * echoes + e; an echo after the first with
 * the value 0 ends the echoes of its step. Steps beyond `steps` are sent as 0. */
struct dpl_scip_measurement {
    uint32_t stamp_ms;           /* the low 24 bits are sent */
    const uint32_t *ranges_mm;   /* [steps * echoes] */
    const uint32_t *intensities; /* [steps * echoes], NULL: all 0 */
    size_t steps;
    unsigned echoes;       /* 1 or more */
    uint32_t range_min_mm; /* smaller values are error codes */
};

struct dpl_scip_writer dpl_scip_writer_on(char *out, size_t capacity);

/* Echo (at most DPL_SCIP_MAX_REQUEST characters of it), two-character status with its sum, empty
 * line. For every request without data, and for refusals. */
void dpl_scip_write_status(struct dpl_scip_writer *writer, const char *echo, size_t length,
                           const char *status);

/* A SCIP 1.1 device's answer: echo, one character ('0' or 'E') without a sum, empty line. */
void dpl_scip_write_scip11(struct dpl_scip_writer *writer, const char *echo, size_t length,
                           char status);

/* VV, II: status 00 and `count` lines "KEY:value", each gets ";", its sum. */
void dpl_scip_write_info(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                         const char *const *lines, size_t count);

/* %ST: status 00 and the sensor's condition, three digits. */
void dpl_scip_write_condition(struct dpl_scip_writer *writer,
                              const struct dpl_scip_request *request, const char *condition);

/* PP from a geometry. */
void dpl_scip_write_parameters(struct dpl_scip_writer *writer,
                               const struct dpl_scip_request *request,
                               const struct dpl_scip_geometry *geometry);

/* TM1: status 00 and the stamp. */
void dpl_scip_write_time(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                         uint32_t stamp_ms);

/* A scan. One-shot families: echo, 00. Streams: echo with `remaining` scans (0 when endless), 99.
 * Then stamp and data. Returns 0; -EINVAL for a request that is not a scan or has encoding F or
 * G. */
int dpl_scip_write_scan(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                        unsigned remaining, const struct dpl_scip_measurement *measurement);

/* Sufficient number of bytes for the reply to a scan request with this number of echoes per
 * step. */
size_t dpl_scip_scan_size(const struct dpl_scip_request *request, unsigned echoes);

#ifdef __cplusplus
}
#endif

#endif
