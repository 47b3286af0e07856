/* SPDX-License-Identifier: Apache-2.0 */
/* The electronics of a Hokuyo scanner: receives SCIP requests, sends replies and scans. The
 * measured ranges are an argument. Pure: times are arguments, `send` sends complete replies. */
#ifndef EMULATE_URG_SCANNER_H
#define EMULATE_URG_SCANNER_H

#include <doppel/protocol/scip.h>
#include <doppel/time.h>

/* What each model reports of itself. */
struct urg_identity {
    const char *name;    /* name for dpl_scip_geometry_of */
    const char *model;   /* of PP and II */
    const char *vendor;  /* of VV */
    const char *product; /* of VV */
    const char *firmware;
    const char *protocol;
    const char *serial;
    const char *healthy; /* of II: the text when there is no error */
    const char *line;    /* of II: name of its interface; over TCP always Ethernet */
    bool has_echoes;     /* supports the H and N families */
    bool tells_state;    /* supports %ST */
};

/* Static storage; NULL for an unknown model. */
const struct urg_identity *urg_identity_of(const char *name);

struct urg_config {
    struct dpl_scip_geometry geometry;
    const struct urg_identity *identity;
    bool is_ethernet; /* without a baud rate */
    bool is_scip11;   /* starts with SCIP 1.1, until the command SCIP2.0 */
    void (*send)(void *user, const void *bytes, size_t n, dpl_ns now);
    void *user;
};

struct urg_scanner {
    struct urg_config config;
    /* may be read */
    uint64_t requests, refusals, scans_sent;
    bool is_laser_on;
    /* private */
    struct dpl_scip_lines lines;
    bool is_scip11, is_time_mode, is_reboot_asked, is_laser_borrowed, is_asleep;
    unsigned baud, motor;
    dpl_ns clock_zero;
    struct dpl_scip_request stream, once;
    bool is_streaming, is_once_asked;
    unsigned remaining, to_skip;
    bool has_scan;
    dpl_ns stamp;
    uint32_t ranges_mm[DPL_SCIP_MAX_STEPS], intensities[DPL_SCIP_MAX_STEPS];
    size_t steps;
};

void urg_init(struct urg_scanner *urg, const struct urg_config *config);

/* A host has connected or disconnected: an incomplete request and the stream are deleted; the laser
 * does not change. */
void urg_connected(struct urg_scanner *urg);

/* Bytes from the host. */
void urg_receive(struct urg_scanner *urg, const uint8_t *bytes, size_t n, dpl_ns now);

/* A turn was measured: ranges of the steps from 0 on (index = step), and its time. Sends the scans
 * that wait for it. */
void urg_measured(struct urg_scanner *urg, const uint32_t *ranges_mm, size_t steps, dpl_ns stamp,
                  dpl_ns now);

#endif
