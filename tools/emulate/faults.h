/* SPDX-License-Identifier: Apache-2.0 */
/* Faults between a device and its host, on demand: messages lost, garbled, late; the device frozen,
 * mute or unplugged for some time. Works on complete messages (a frame, a reply) from the device.
 * Pure: times are arguments, the noise is seeded. */
#ifndef EMULATE_FAULTS_H
#define EMULATE_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/random.h>
#include <doppel/time.h>

enum {
    FAULTS_WINDOWS_MAX = 8,
    FAULTS_MESSAGE_MAX = 20480, /* bytes; the longest SCIP reply is shorter */
    FAULTS_QUEUE_MAX = 128,     /* waiting messages */
};

/* Time windows since the start of the emulator. */
struct faults_windows {
    size_t n;
    struct {
        dpl_ns from, to;
    } items[FAULTS_WINDOWS_MAX];
};

/* Whether `now` is within one of them. */
bool faults_windows_hold(const struct faults_windows *windows, dpl_ns now);

struct faults_config {
    double drop, garble; /* probability of each message */
    dpl_ns delay;        /* of each message */
    dpl_ns jitter;       /* additional delay, uniformly distributed; the order does not change */
    struct faults_windows freeze, mute, unplug;
    uint64_t seed;
};

struct faults;

/* Those that may be switched while the device is there. */
struct faults_switches {
    double drop, garble, delay_ms, jitter_ms;
    bool freeze, mute, unplug; /* now, whatever the windows say */
};

/* Allocates; NULL: out of memory. */
struct faults *faults_create(const struct faults_config *config);
void faults_destroy(struct faults *faults); /* NULL: nothing */

struct faults_switches faults_switches(const struct faults *faults);
void faults_switch(struct faults *faults, const struct faults_switches *switches);

/* Frozen: the device does not receive or send. Mute: it receives. Unplugged: its port does not
 * exist. */
bool faults_is_frozen(const struct faults *faults, dpl_ns now);
bool faults_is_mute(const struct faults *faults, dpl_ns now);
bool faults_is_unplugged(const struct faults *faults, dpl_ns now);

/* Adds a message of the device. False: there is no room, and it is lost. A message that a fault
 * drops counts as added. */
bool faults_push(struct faults *faults, const void *bytes, size_t n, dpl_ns now);

/* The next message that is due; NULL: none. Borrowed until the next call. */
const uint8_t *faults_pop(struct faults *faults, dpl_ns now, size_t *ret_n);

/* The time when faults_pop has a message again, or a window begins or ends; INT64_MAX: never. */
dpl_ns faults_next(const struct faults *faults, dpl_ns now);

/* Deletes waiting messages: the port was closed. */
void faults_clear(struct faults *faults);

/* Adds "FROM,TO" (seconds) to the windows. -EINVAL with reterr names `option`. */
int faults_add_window(struct faults_windows *windows, const char *option, const char *text,
                      struct dpl_diag *reterr);

#endif
