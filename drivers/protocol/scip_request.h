/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP requests: text <-> values. The device side parses what a host sent and learns the status to
 * answer when it is wrong; the host side formats, and uses the parser on echoes.
 * From shared/spec/devices.md: the commands, their fields, statuses 00, 02, 0E, 0F, 10, 99. General
 * knowledge of the SCIP 2.0 documents: statuses 01..07, 0C, 0D, 0H, 0I as listed below, CR, HS, RT,
 * and that a user string of at most 16 characters may follow the fields after ';'. */
#ifndef DPL_PROTOCOL_SCIP_REQUEST_H
#define DPL_PROTOCOL_SCIP_REQUEST_H

#include <stdbool.h>

#include "scip_codec.h"
#include "scip_scan.h"

enum dpl_scip_command {
    DPL_SCIP_EMPTY,      /* a bare line end: a device answers nothing */
    DPL_SCIP_VERSION,    /* VV */
    DPL_SCIP_PARAMETERS, /* PP */
    DPL_SCIP_STATE,      /* II */
    DPL_SCIP_LASER_ON,   /* BM */
    DPL_SCIP_QUIT,       /* QT: laser off, scanning stops */
    DPL_SCIP_RESET,      /* RS */
    DPL_SCIP_RESET_PART, /* RT: a reset that leaves baud rate, motor and clock alone */
    DPL_SCIP_REBOOT,     /* RB: has to come twice */
    DPL_SCIP_TIME,       /* TM, parameter 0 enter, 1 read, 2 leave */
    DPL_SCIP_BAUD,       /* SS, parameter in bit/s */
    DPL_SCIP_MOTOR,      /* CR, parameter 0..10, 99 */
    DPL_SCIP_SENSITIVE,  /* HS, parameter 0, 1 */
    DPL_SCIP_SLEEP,      /* %SL */
    DPL_SCIP_CONDITION,  /* %ST: three digits, of models with SCIP 2.2 */
    DPL_SCIP_SCIP20,     /* SCIP2.0, which leaves SCIP 1.1 */
    DPL_SCIP_SCAN,       /* GD GS GE GF GG, MD.., HD.., ND.. */
};

/* Statuses a device answers with. */
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
 * once, M and N stream. D is 3 characters a value, S 2 (G and M only), E 3 with 3 of intensity; F
 * and G carry input and output words, which no writer or reader here handles. */
struct dpl_scip_scan_fields {
    char family, encoding;
    uint16_t start, end; /* steps, both included */
    uint8_t cluster;     /* steps merged into one value; 0 is as good as 1 */
    uint8_t interval;    /* scans left out between two that are sent; streams only */
    uint8_t count;       /* scans to send, in an echo scans that remain; 0 is endless */
};

struct dpl_scip_request {
    enum dpl_scip_command command;
    unsigned parameter;
    struct dpl_scip_scan_fields scan; /* for DPL_SCIP_SCAN */
    size_t length;
    char text[DPL_SCIP_MAX_REQUEST + 1]; /* as sent, for the echo; ends with NUL */
};

/* Parses a line without its end. Returns 0, or -EBADMSG: then `reterr_status` gets the two
 * characters to answer (static storage) and `ret_request` is untouched. */
int dpl_scip_request_parse(const char *text, size_t length, struct dpl_scip_request *ret_request,
                           const char **reterr_status);

/* Checks a scan request's steps against what the device can measure. Returns 0, or -ERANGE and the
 * status to answer. Other requests are fine. */
int dpl_scip_request_check(const struct dpl_scip_request *request,
                           const struct dpl_scip_geometry *geometry, const char **reterr_status);

/* Fills `ret_request` with a request, its text included. Returns 0, or -EINVAL for a field that
 * does not fit its digits or a command whose fields are not those asked for. */
int dpl_scip_request_scan(struct dpl_scip_scan_fields fields, struct dpl_scip_request *ret_request);
int dpl_scip_request_plain(enum dpl_scip_command command, unsigned parameter,
                           struct dpl_scip_request *ret_request);

/* M and N families keep sending. */
bool dpl_scip_is_stream(const struct dpl_scip_request *request);

/* H and N families separate several echoes of a step with '&'. */
bool dpl_scip_is_multi_echo(const struct dpl_scip_request *request);

/* Values (merged steps) of a scan: at least 1. The fields must have start <= end. */
size_t dpl_scip_scan_values(const struct dpl_scip_scan_fields *fields);

/* Characters of a single range, and of its intensity (0 where there is none). 0 for F and G. */
unsigned dpl_scip_range_chars(char encoding);
unsigned dpl_scip_intensity_chars(char encoding);

/* Does `echo` answer `request`? The same text, but a stream's echo counts the scans down. */
bool dpl_scip_echo_matches(const struct dpl_scip_request *request, const char *echo, size_t length);

/* Replaces the count of a stream request's text by the scans that remain (0..99). */
void dpl_scip_request_set_remaining(struct dpl_scip_request *request, unsigned remaining);

#endif
