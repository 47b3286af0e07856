/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the mock's axes over time: a plan "t kind axis duration [value]; ...". Pure logic. */
#ifndef AXES_MOCK_FAULTS_H
#define AXES_MOCK_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/math/six.h>

#define MOCK_FAULTS_MAX 64

enum mock_fault_kind {
    MOCK_FAULT_LOST,   /* the device is lost; it is found again afterwards, if its poll is called */
    MOCK_FAULT_SILENT, /* no answer; the drives stop on their own and are off afterwards */
    MOCK_FAULT_DRIVE,  /* a drive reports a fault, once */
    MOCK_FAULT_STUCK,  /* the reported position does not change; the loop uses the true one */
    MOCK_FAULT_OFFSET, /* the reported position differs by `value`; the loop uses the true one */
    MOCK_FAULT_KINDS
};

struct mock_fault {
    double from_s, to_s; /* INFINITY: permanent */
    enum mock_fault_kind kind;
    int axis; /* 0 to 5; -1: all */
    double value;
};

struct mock_faults {
    size_t n;
    struct mock_fault rows[MOCK_FAULTS_MAX];
};

/* The active faults at a time. */
struct mock_faults_now {
    bool lost, silent;
    int drive;              /* the axis whose drive begins to have a fault; -1: none */
    bool stuck[DPL_AXES_N]; /* per axis */
    double offset_m[DPL_AXES_N];
};

struct mock_faults_error {
    size_t offset; /* of the byte in the text */
    const char *what;
};

/* Rows are separated by ';' or line ends. t and duration in s (0: permanent), axis 1 to 6 or 0 for
 * all; `value` in m belongs to "offset" only. Returns 0, or -EINVAL with *reterr set. */
int mock_faults_parse(struct mock_faults *faults, const char *text,
                      struct mock_faults_error *reterr);

/* The faults at `now_s`; `before_s` is the time of the previous call (negative: none). */
void mock_faults_at(const struct mock_faults *faults, double before_s, double now_s,
                    struct mock_faults_now *ret);

#endif
