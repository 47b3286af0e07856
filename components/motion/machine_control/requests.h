/* SPDX-License-Identifier: Apache-2.0 */
/* Requests over time for runs without an operator: "t request [x y z roll pitch yaw]; ...". Pure
 * logic. */
#ifndef MACHINE_CONTROL_REQUESTS_H
#define MACHINE_CONTROL_REQUESTS_H

#include <stddef.h>

#include <doppel/math/six.h>

#include "states.h"

#define REQUESTS_MAX    256
#define REQUESTS_ABSURD 1e3 /* m, rad: larger than any pose of a machine */

struct request_row {
    double t_s;
    enum dpl_machine_request_kind request;
    double target[DPL_SIX]; /* of "position": m, rad */
};

struct requests {
    size_t n;
    struct request_row rows[REQUESTS_MAX];
};

struct requests_error {
    size_t offset; /* of the byte in the text */
    const char *what;
};

/* Rows are separated by ';' or line ends; blank rows, and text from '#' to the end of the line, are
 * skipped. Times are seconds, not negative and not decreasing. "position" has six numbers below
 * REQUESTS_ABSURD, other requests have none. A text without rows is valid. Returns 0, or -EINVAL
 * with *reterr set. */
int requests_parse(struct requests *requests, const char *text, struct requests_error *reterr);

#endif
