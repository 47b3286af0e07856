/* SPDX-License-Identifier: Apache-2.0 */
/* The wire side of the SCIP driver, used on the control thread only: the handshake with a scanner,
 * its continuous stream of scans, and the reaction to errors. It uses no stream and no device:
 * bytes and times are arguments, and `send` sends requests. Pure: the caller owns it. */
#ifndef LASER_SCANNER_SCIP_HOST_H
#define LASER_SCANNER_SCIP_HOST_H

#include <doppel/time.h>

#include <doppel/drive/device_clock.h>
#include <doppel/protocol/scip.h>

struct scip_host_config {
    bool intensity;   /* ME instead of MD */
    uint8_t cluster;  /* steps merged into one range */
    uint8_t interval; /* scans skipped between two */
    dpl_ns silence;   /* a streaming scanner is silent after this time without a scan */
    bool device_stamps;
    int (*send)(void *user, const void *bytes, size_t n);
    void *user;
};

enum scip_step {
    SCIP_QUIT, /* QT: ends the stream of an earlier host */
    SCIP_TO_SCIP20,
    SCIP_LEAVE_TIME, /* TM2: QT was refused because an earlier host has not left the time mode */
    SCIP_VERSION,
    SCIP_PARAMETERS,
    SCIP_ENTER_TIME,
    SCIP_READ_TIME,
    SCIP_EXIT_TIME,
    SCIP_IDLE, /* the scanner is known; the laser is off */
    SCIP_LASER_ON,
    SCIP_STREAM,    /* MD or ME was sent */
    SCIP_STREAMING, /* and was accepted */
    SCIP_LASER_OFF,
};

enum scip_event {
    SCIP_NOTHING,
    SCIP_KNOWN,  /* the handshake is done: geometry, model */
    SCIP_SCAN,   /* scip_host_reply() is a scan, stamped `stamp` */
    SCIP_SILENT, /* no scans arrive; the next scan ends this state */
    SCIP_FAILED, /* close the connection: `why` */
};

struct scip_host {
    struct scip_host_config config;
    enum scip_step step;
    struct dpl_scip_geometry geometry;
    struct dpl_scip_request stream; /* the echo that scans must have */
    dpl_ns stamp;
    const char *why;
    uint64_t scans, restarts, checksum_errors;
    uint64_t wrong_length; /* scans of another number of ranges than asked for: refused */
    char firmware[64];
    /* private */
    struct dpl_scip_reply_parser parser;
    struct dpl_scip_request pending;
    struct dpl_device_clock clock;
    bool is_warm;             /* a scan has arrived on this connection */
    bool is_silent, is_wrong; /* wrong: the newest scan had a wrong length */
    unsigned tries, reads, lag_samples, refusals;
    dpl_ns sent_at, heard_at;
    dpl_ns offset; /* run's clock - device's, from TM1 */
    bool offset_known;
    dpl_ns round_trip; /* of the best TM1 */
    uint32_t offset_ms;
    dpl_ns lag; /* smallest delay from a scan's stamp to its arrival */
};

void scip_host_init(struct scip_host *host, const struct scip_host_config *config);

/* A connection is open: starts the handshake. */
void scip_host_opened(struct scip_host *host, dpl_ns now);

/* Consumes `input` up to the next event. SCIP_NOTHING: all is consumed. */
enum scip_event scip_host_next(struct scip_host *host, struct dpl_byte_view *input, dpl_ns now);

/* Call it about every 20 ms: timeouts. `wanted`: the laser should be on and scanning. */
enum scip_event scip_host_timer(struct scip_host *host, bool wanted, dpl_ns now);

/* Why there are no scans, after SCIP_SILENT. */
const char *scip_host_lack(const struct scip_host *host);

/* Sends the request to stop scanning and to turn the laser off. */
void scip_host_quit(struct scip_host *host);

static inline const struct dpl_scip_reply *scip_host_reply(const struct scip_host *host)
{
    return &host->parser.reply;
}

#endif
