/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP requests: conversion between text and values. The device side parses a host's request and
 * gets the status for an invalid one; the host side formats, and uses the parser on echoes. From
 * the published SCIP protocol: the commands, their fields, statuses 00, 02, 0E, 0F, 10, 99. General
 * knowledge of the SCIP 2.0 documents: statuses 01..07, 0C, 0D, 0H, 0I as listed below, CR, HS, RT,
 * and that a user string of at most 16 characters may follow the fields after ';'. */
#ifndef DPL_PROTOCOL_SCIP_REQUEST_H
#define DPL_PROTOCOL_SCIP_REQUEST_H

#include <stdbool.h>

#include <doppel/protocol/scip_codec.h>
#include <doppel/protocol/scip_scan.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_scip_command {
    DPL_SCIP_EMPTY,      /* an empty line: a device sends no answer */
    DPL_SCIP_VERSION,    /* VV */
    DPL_SCIP_PARAMETERS, /* PP */
    DPL_SCIP_STATE,      /* II */
    DPL_SCIP_LASER_ON,   /* BM */
    DPL_SCIP_QUIT,       /* QT: laser off, scanning stops */
    DPL_SCIP_RESET,      /* RS */
    DPL_SCIP_RESET_PART, /* RT: a reset that does not change baud rate, motor and clock */
    DPL_SCIP_REBOOT,     /* RB: must come twice */
    DPL_SCIP_TIME,       /* TM, parameter 0 enter, 1 read, 2 leave */
    DPL_SCIP_BAUD,       /* SS, parameter in bit/s */
    DPL_SCIP_MOTOR,      /* CR, parameter 0..10, 99 */
    DPL_SCIP_SENSITIVE,  /* HS, parameter 0, 1 */
    DPL_SCIP_SLEEP,      /* %SL */
    DPL_SCIP_CONDITION,  /* %ST: three digits, for models with SCIP 2.2 */
    DPL_SCIP_SCIP20,     /* SCIP2.0, which leaves SCIP 1.1 */
    DPL_SCIP_SCAN,       /* GD GS GE GF GG, MD.., HD.., ND.. */
};

/* Statuses in a device's answers. */
#define DPL_SCIP_OK               "00"
#define DPL_SCIP_LASER_ON_ALREADY "02"
#define DPL_SCIP_BAD_START        "01"
#define DPL_SCIP_BAD_END          "02"
#define DPL_SCIP_BAD_CLUSTER      "03"
#define DPL_SCIP_OUT_OF_RANGE     "04"
#define DPL_SCIP_END_BEFORE_START "05"
#define DPL_SCIP_BAD_INTERVAL     "06"
#define DPL_SCIP_BAD_COUNT        "07"
#define DPL_SCIP_TOO_SHORT        "0C"
#define DPL_SCIP_TOO_LONG         "0D"
#define DPL_SCIP_UNKNOWN          "0E"
#define DPL_SCIP_UNKNOWN_ETHERNET "0F"
#define DPL_SCIP_STRING_TOO_LONG  "0H"
#define DPL_SCIP_BAD_STRING       "0I"
#define DPL_SCIP_LASER_OFF        "10"
#define DPL_SCIP_STREAM           "99"

/* Fields of a scan request. G and M measure the nearest echo, H and N all echoes; G and H answer
 * once, M and N stream. D has 3 characters per value, S 2 (G and M only), E 3 and 3 for the
 * intensity; F and G have input and output words, which are not supported here. */
struct dpl_scip_scan_fields {
    char family, encoding;
    uint16_t start, end; /* steps, both included */
    uint8_t cluster;     /* steps merged into one value; 0 means 1 */
    uint8_t interval;    /* scans skipped between two that are sent; streams only */
    uint8_t count;       /* scans to send, in an echo the remaining scans; 0: without end */
};

struct dpl_scip_request {
    enum dpl_scip_command command;
    unsigned parameter;
    struct dpl_scip_scan_fields scan; /* for DPL_SCIP_SCAN */
    size_t length;
    char text[DPL_SCIP_MAX_REQUEST + 1]; /* as sent, for the echo; ends with NUL */
};

/* Parses a line without its end. Returns 0, or -EBADMSG: then `reterr_status` gets the two
 * characters for the answer (static storage) and `ret_request` is unchanged. */
int dpl_scip_request_parse(const char *text, size_t length, struct dpl_scip_request *ret_request,
                           const char **reterr_status);

/* Checks a scan request's steps against the range of the device. Returns 0, or -ERANGE and the
 * status for the answer. Other requests are always valid. */
int dpl_scip_request_check(const struct dpl_scip_request *request,
                           const struct dpl_scip_geometry *geometry, const char **reterr_status);

/* Fills `ret_request` with a request, including its text. Returns 0, or -EINVAL for a field that
 * does not fit its digits or a command with other fields. */
int dpl_scip_request_scan(struct dpl_scip_scan_fields fields, struct dpl_scip_request *ret_request);
int dpl_scip_request_plain(enum dpl_scip_command command, unsigned parameter,
                           struct dpl_scip_request *ret_request);

/* Whether the request starts a stream: families M and N. */
bool dpl_scip_is_stream(const struct dpl_scip_request *request);

/* Whether several echoes of a step are separated with '&': families H and N. */
bool dpl_scip_is_multi_echo(const struct dpl_scip_request *request);

/* Values (merged steps) of a scan: at least 1. The fields must have start <= end. */
size_t dpl_scip_scan_values(const struct dpl_scip_scan_fields *fields);

/* Characters of a single range, and of its intensity (0 if there is none). 0 for F and G. */
unsigned dpl_scip_range_chars(char encoding);
unsigned dpl_scip_intensity_chars(char encoding);

/* Whether `echo` answers `request`: the same text, but a stream's echo has the number of remaining
 * scans. */
bool dpl_scip_echo_matches(const struct dpl_scip_request *request, const char *echo, size_t length);

/* Replaces the count in a stream request's text by the number of remaining scans (0..99). */
void dpl_scip_request_set_remaining(struct dpl_scip_request *request, unsigned remaining);

#ifdef __cplusplus
}
#endif

#endif
