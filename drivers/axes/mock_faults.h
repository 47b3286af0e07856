/* SPDX-License-Identifier: Apache-2.0 */
/* When the mock's axes misbehave: a plan of faults over time, "t kind axis duration [value]; ...".
 * Pure logic. */
#ifndef AXES_MOCK_FAULTS_H
#define AXES_MOCK_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#define MOCK_FAULTS_MAX 64
#define MOCK_AXES       6

enum mock_fault_kind {
    MOCK_FAULT_LOST,   /* the device is lost; found again afterwards, if anybody still asks */
    MOCK_FAULT_SILENT, /* no answer; the drives stop on their own and are off afterwards */
    MOCK_FAULT_DRIVE,  /* a drive reports a fault, once */
    MOCK_FAULT_STUCK,  /* the reported position is frozen; the loop does not know */
    MOCK_FAULT_OFFSET, /* the reported position is off by `value`; the loop does not know */
    MOCK_FAULT_KINDS
};

struct mock_fault {
    double from_s, to_s; /* INFINITY: for good */
    enum mock_fault_kind kind;
    int axis; /* 0 to 5; -1: all */
    double value;
};

struct mock_faults {
    size_t n;
    struct mock_fault rows[MOCK_FAULTS_MAX];
};

/* What is wrong at an instant. */
struct mock_faults_now {
    bool lost, silent;
    int drive;             /* the axis whose drive begins to have a fault; -1: none */
    bool stuck[MOCK_AXES]; /* per axis */
    double offset_m[MOCK_AXES];
};

struct mock_faults_error {
    size_t offset; /* of the byte in the text */
    const char *what;
};

/* Rows are separated by ';' or line ends. t and duration in s (0: for good), axis 1 to 6 or 0 for
 * all; `value` in m belongs to "offset" only. Returns 0, or -EINVAL with *reterr set. */
int mock_faults_parse(struct mock_faults *faults, const char *text,
                      struct mock_faults_error *reterr);

/* At `now_s`, when the instant before was `before_s` (negative: there was none). */
void mock_faults_at(const struct mock_faults *faults, double before_s, double now_s,
                    struct mock_faults_now *ret);

#endif
