/* SPDX-License-Identifier: Apache-2.0 */
/* Byte streams to devices and, as a server, to hosts: a serial port, pty or TCP connection, served
 * by the control thread. A lost stream is reopened with back-off until it is closed. All callbacks
 * run on the control thread, never on an executor; a driver hands values over with doppel/latest.h.
 */
#ifndef DOPPEL_STREAM_H
#define DOPPEL_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

struct dpl_stream;

struct dpl_stream_ops {
    void (*opened)(struct dpl_stream *, void *user, dpl_ns now); /* also after each reopening */
    void (*data)(struct dpl_stream *, void *user, const uint8_t *bytes, size_t n, dpl_ns now);
    void (*timer)(struct dpl_stream *, void *user,
                  dpl_ns now); /* every timer_ms or timer_us while open; NULL: none */
    void (*lost)(struct dpl_stream *, void *user, const char *why);
};

struct dpl_stream_config {
    /* "/dev/ttyUSB0" or any path: serial; "tcp://host:port": TCP. "can:can0": a CAN interface of
     * the kernel; its bytes are records of 16, one a frame (Linux' struct can_frame), and only
     * whole records may be written; -EAFNOSUPPORT where the kernel has no SocketCAN. A peer that
     * comes to us, one at a time: "pty:PATH" is a pty under this link, gone with the stream;
     * "listen:PORT" serves TCP on the loopback interface, "tcp-listen:PORT" on all. Such a stream
     * opens without a peer; `opened` says that one has come, `lost` that it has gone. "timer:" is
     * no stream at all, but its timer, for a driver that has no other hold on the control thread:
     * neither `opened` nor `lost` is called, and nothing can be written. */
    const char *address;
    uint32_t baud; /* serial only; 8N1, raw, no flow control; modem lines are left alone; 0: as it
                    * is, which may then be a character device that is no terminal */
    uint32_t timer_ms; /* 0: no timer */
    uint32_t timer_us; /* instead: a steady timer, without drift; what is missed is skipped */
    uint32_t retry_min_ms, retry_max_ms; /* back-off between attempts; 0: 100 and 2000 */
    bool settles; /* the back-off begins anew when the driver calls dpl_stream_settled; false: as
                   * soon as bytes arrive */
    const struct dpl_stream_ops *ops;
    void *user;
};

/* Queues bytes; returns 0, -ENOTCONN while lost, -ENOBUFS with 64 KiB pending. Control thread only.
 */
int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n);

/* Drops the connection and starts the back-off, as if the peer had gone: for a driver that finds
 * its device silent. `lost` is called with `why`. Control thread only. */
void dpl_stream_reopen(struct dpl_stream *stream, const char *why);

/* The device does what it is there for, not only something: should the connection be lost again,
 * the first attempt comes soon. For streams with `settles`. Control thread only. */
void dpl_stream_settled(struct dpl_stream *stream);

/* Writes what is queued (for at most 50 ms), closes, frees. From the driver's close; after it
 * returns no callback runs. NULL: nothing. */
void dpl_stream_close(struct dpl_stream *stream);

#endif
