/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong with a stream of six values, and when: pure logic. Where nothing is in force a
 * message stays as it is, bit by bit. */
#ifndef FAULT_INJECTOR_FAULTS_H
#define FAULT_INJECTOR_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTS_MAX      64
#define FAULTS_LATE_MAX 255
#define FAULTS_AXES     6

enum fault_kind {
    FAULT_SPIKE,   /* a value is added */
    FAULT_STEP,    /* the same, by its purpose for ever */
    FAULT_DROPOUT, /* nothing is sent */
    FAULT_HOLD,    /* the values stay those that were sent last */
    FAULT_NAN,     /* none of the values is a number */
    FAULT_DELAY,   /* messages come some samples late */
};

struct fault {
    int64_t at_ns; /* begins with the first message from then on */
    enum fault_kind kind;
    int64_t n; /* messages; 0: for ever */
    size_t axis;
    double value;
    size_t late; /* samples */
};

struct fault_list {
    struct fault rows[FAULTS_MAX];
    size_t n;
};

struct fault_message {
    double values[FAULTS_AXES];
    uint64_t sequence, upon; /* of planned poses */
    int64_t stamp_ns;
    bool valid;
};

/* One stream. Zero-initialise. */
struct fault_channel {
    int64_t n_seen[FAULTS_MAX]; /* messages that each fault had */
    struct fault_message sent;  /* the newest one */
    bool has_sent;
    struct fault_message late[FAULTS_LATE_MAX + 1];
    size_t first_late, n_late;
    int64_t n_changed, n_dropped, n_delayed; /* what was done, in messages */
    int64_t n_active;                        /* faults in force at the newest message */
};

/* Why a text was refused: a sentence and the offset of what is wrong. */
struct fault_error {
    const char *what;
    size_t offset;
};

/* Reads rows "t spike n AXIS value", "t step n AXIS value", "t dropout n", "t hold n", "t nan n"
 * and "t delay n samples" (s; n messages, 0: for ever; x y z roll pitch yaw; m, rad, N or N m).
 * Returns 0, or -EINVAL with reterr: a bad row, or more than FAULTS_MAX. */
int faults_parse(const char *text, struct fault_list *ret_list, struct fault_error *reterr);

/* Does to a message what is in force at now_ns, in the order of the rows, delays last. Returns
 * whether there is a message to send: this one changed, or a late one in its place. When a delay is
 * over, what it still held back is dropped. */
bool faults_apply(const struct fault_list *list, struct fault_channel *channel, int64_t now_ns,
                  struct fault_message *inout_message);

#endif
