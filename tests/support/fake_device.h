/* SPDX-License-Identifier: Apache-2.0 */
/* A fake of the runtime for tests of one driver: the calls of doppel/device.h and doppel/stream.h
 * that drivers make. The test says what the runtime knows, is the peer of the device's byte stream,
 * and reads what the driver did. Several devices may be there at a time. For one thread.
 *
 * The byte stream is a fake too (fake_stream.c), or a real one (turned_loop.h). */
#ifndef TESTS_SUPPORT_FAKE_DEVICE_H
#define TESTS_SUPPORT_FAKE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/device.h>

struct fake_device {
    struct dpl_device device; /* has the name of its driver until the test sets another */

    /* What the driver's calls meet. */
    dpl_ns now;            /* also the time of the stream's callbacks */
    dpl_ns (*clock)(void); /* instead of `now` */
    bool is_late;          /* its executor: nobody commands the device in time */
    bool is_halted, is_simulated;
    uint64_t seed; /* 1 at the beginning */
    int (*open_link)(struct dpl_device *device, const struct dpl_link_config *config,
                     struct dpl_link **ret_link, struct dpl_diag *reterr);
    void (*written)(const void *bytes, size_t n); /* to the stream; NULL: nobody listens */

    /* What the driver said of the device. */
    bool is_lost;        /* the test may set it */
    int n_lost, n_found; /* how often it was lost, and found again */
    int n_answers;       /* calls of dpl_device_found, also of a device that was not lost */
    char why[256];       /* it was lost */
    char
        newest_why[256]; /* of the newest call of dpl_device_lost, also of a device that was lost */
    char log[2048];      /* each text with a line feed; what is too much is left out */
    int n_logged;

    /* What it did with the fake stream. */
    struct dpl_stream_config stream; /* as it was opened */
    bool is_connected;               /* to a peer; without one nothing can be written */
    int n_closed, n_settled, n_reopened;
    char reopened_why[256];

    bool is_open;
};

/* Makes everything new: the zeroed fake, and a device with zeroed state and the defaults of its
 * properties. Without a driver (NULL), the test sets the device's state. Allocates. */
void fake_device_begin(struct fake_device *fake, const struct dpl_driver *driver);

/* Closes the device if it is open, and frees what fake_device_begin allocated; again it does
 * nothing. */
void fake_device_end(struct fake_device *fake);

/* Sets a property from its text. The test fails when it is refused. */
void fake_device_set(struct fake_device *fake, const char *name, const char *text);

/* The driver opens the device, which must succeed; or must fail with `err` and `expected` in its
 * words. */
void fake_device_open(struct fake_device *fake);
void fake_device_refuses(struct fake_device *fake, int err, const char *expected);

/* The driver closes the device if it is open. */
void fake_device_close(struct fake_device *fake);

/* Value of an exported number. */
double fake_device_export(const struct fake_device *fake, const char *name);

/* ---- the fake stream: what its peer and its timer do, at `now`. The timer runs while there is a
 * peer; that of "timer:" always. ---- */

void fake_stream_opened(struct fake_device *fake);
void fake_stream_data(struct fake_device *fake, const void *bytes, size_t n);
void fake_stream_timer(struct fake_device *fake);
void fake_stream_lost(struct fake_device *fake, const char *why);

#endif
