/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a stream of six values over time: pure logic. While no fault is active, a message stays
 * unchanged, bit by bit. */
#ifndef FAULT_INJECTOR_FAULTS_H
#define FAULT_INJECTOR_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/math/six.h>

#define FAULTS_MAX      64
#define FAULTS_LATE_MAX 255

enum fault_kind {
    FAULT_SPIKE,   /* a value is added */
    FAULT_STEP,    /* the same; meant to be permanent */
    FAULT_DROPOUT, /* no message is sent */
    FAULT_HOLD,    /* the values stay equal to the last sent ones */
    FAULT_NAN,     /* all values are NaN */
    FAULT_DELAY,   /* messages are sent some samples late */
};

struct fault {
    int64_t at_ns; /* begins with the first message from this time on */
    enum fault_kind kind;
    int64_t n; /* messages; 0: all further ones */
    size_t axis;
    double value;
    size_t late; /* samples */
};

struct fault_list {
    struct fault rows[FAULTS_MAX];
    size_t n;
};

struct fault_message {
    double values[DPL_SIX];
    uint64_t sequence, upon; /* of planned poses */
    int64_t stamp_ns;
    bool valid;
};

/* One stream. Zero-initialise. */
struct fault_channel {
    int64_t n_seen[FAULTS_MAX]; /* messages that each fault has acted on */
    struct fault_message sent;  /* the newest one */
    bool has_sent;
    struct fault_message late[FAULTS_LATE_MAX + 1];
    size_t first_late, n_late;
    int64_t n_changed, n_dropped, n_delayed; /* number of messages */
    int64_t n_active;                        /* faults active at the newest message */
};

/* Error of a text: a sentence and the offset of the error. */
struct fault_error {
    const char *what;
    size_t offset;
};

/* Reads rows "t spike n AXIS value", "t step n AXIS value", "t dropout n", "t hold n", "t nan n"
 * and "t delay n samples" (s; n messages, 0: all further ones; x y z roll pitch yaw; m, rad, N or N
 * m). Returns 0, or -EINVAL with reterr: a bad row, or more than FAULTS_MAX. */
int faults_parse(const char *text, struct fault_list *ret_list, struct fault_error *reterr);

/* Applies the active faults at now_ns to a message, in the order of the rows, delays last. Returns
 * whether there is a message to send: this one, changed, or a delayed one instead. At the end of a
 * delay the messages that still wait are dropped. */
bool faults_apply(const struct fault_list *list, struct fault_channel *channel, int64_t now_ns,
                  struct fault_message *inout_message);

#endif
