/* SPDX-License-Identifier: Apache-2.0 */
/* Byte streams to devices and, as a server, to hosts: a serial port, pty or TCP connection. The
 * control thread does the I/O. A lost stream is reopened, with increasing delays between attempts,
 * until it is closed. All callbacks run on the control thread, never on an executor; a driver
 * passes values to executors with doppel/latest.h. */
#ifndef DOPPEL_STREAM_H
#define DOPPEL_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_stream;

struct dpl_stream_ops {
    void (*opened)(struct dpl_stream *, void *user, dpl_ns now); /* also after each reopening */
    void (*data)(struct dpl_stream *, void *user, const uint8_t *bytes, size_t n, dpl_ns now);
    void (*timer)(struct dpl_stream *, void *user,
                  dpl_ns now); /* every timer_ms or timer_us while open; NULL: no timer */
    void (*lost)(struct dpl_stream *, void *user, const char *why);
};

struct dpl_stream_config {
    /* Forms of the address:
     * - "/dev/ttyUSB0" or any path: a serial port.
     * - "user:NAME": the serial port NAME in the folder of this user's emulated devices; see
     *   doppel/host/pty.h.
     * - "tcp://host:port": a TCP connection.
     * - "can:can0": a CAN interface of the kernel. The bytes are records of 16, one per frame
     *   (Linux' struct can_frame); only complete records may be written. -EAFNOSUPPORT when the
     *   kernel has no SocketCAN.
     * - "pty:PATH", "pty:user:NAME": a pty with this link, for one peer at a time; closing the
     *   stream removes the link.
     * - "listen:PORT": a TCP server on the loopback interface, for one peer at a time;
     *   "tcp-listen:PORT": on all interfaces.
     * - "timer:": no stream, only its timer, for a driver that needs the control thread for nothing
     *   else. `opened` and `lost` are not called, and nothing can be written.
     * A pty or a server opens without a peer; `opened` reports that a peer has connected, `lost`
     * that it has disconnected. */
    const char *address;
    /* serial only; 8N1, raw, no flow control; modem lines are not changed; 0: settings are not
     * changed, and a character device that is not a terminal is allowed */
    uint32_t baud;
    uint32_t timer_ms; /* 0: no timer */
    uint32_t timer_us; /* instead of timer_ms: a periodic timer without drift; missed calls are
                          skipped */
    uint32_t retry_min_ms, retry_max_ms; /* delays between attempts; 0: 100 and 2000 */
    bool settles; /* true: the delays restart at the minimum when the driver calls
                     dpl_stream_settled; false: when bytes arrive */
    const struct dpl_stream_ops *ops;
    void *user;
};

/* Queues bytes; returns 0, -ENOTCONN while lost, -ENOBUFS with 64 KiB pending. Control thread
 * only. */
int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n);

/* Closes the connection and starts to reopen it, as if the peer had disconnected: for a driver
 * whose device does not answer. Calls `lost` with `why`. Control thread only. */
void dpl_stream_reopen(struct dpl_stream *stream, const char *why);

/* What a user can do about a device file that cannot be opened (`err`: a negative errno), as the
 * rest of a message: "; its group ... may: ..." (permission), ": PROGRAM, process N" (busy, if
 * /proc tells), how to go on without it (not there); "" when nothing is known. Returns ret_text.
 * Blocks: not on a cycle path. */
#define DPL_REMEDY_BYTES 512
const char *dpl_open_remedy(const char *path, int err, char *ret_text, size_t size);

/* Reports that the device works as intended. If the connection is lost later, the first attempt
 * comes after the shortest delay. For streams with `settles`. Control thread only. */
void dpl_stream_settled(struct dpl_stream *stream);

/* Writes the queued bytes (for at most 50 ms), closes and frees the stream. Call in the driver's
 * close; after it returns no callback runs. NULL: does nothing. */
void dpl_stream_close(struct dpl_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
