/* SPDX-License-Identifier: Apache-2.0 */
/* How late the stamps of scans are, from the last seconds alone: the heading that each scan shows
 * is compared with the integrated turn rate some time before its stamp, for a bank of such times.
 * The time at which the difference changes least is the delay (the maximum of a cross-correlation,
 * by its least squares). Any constant difference, such as the direction of the mount, and a
 * constant drift are taken off. Pure; no memory beyond the struct. */
#ifndef SCAN_LAG_H
#define SCAN_LAG_H

#include <stdbool.h>
#include <stddef.h>

#define SCAN_LAGS       26
#define SCAN_LAG_STEP_S 0.02 /* of the bank: 0 to 500 ms */
#define SCAN_LAG_RING   64

struct scan_lag_record {
    double stamp_s;     /* of the scan, as it came */
    double heading_rad; /* unwrapped */
    double turned_rad[SCAN_LAGS];
    bool by_wheels; /* the turn since the record before */
};

struct scan_lag {
    struct scan_lag_record record[SCAN_LAG_RING];
    size_t next, n;
    double said_s, said_since_s; /* a window said this delay first then */
};

void scan_lag_init(struct scan_lag *lag);

/* Forgets the scans, but not what a window said. */
void scan_lag_clear(struct scan_lag *lag);

/* The heading that a scan shows, and by how much the robot has turned since the scan before, by
 * the gyro or by its wheels: turned_rad[i] between the instants that are i * SCAN_LAG_STEP_S before
 * the two stamps. A gyro's error is a drift, and the noise that counts is that of headings. Wheels
 * slip a little all the time: their error is a random walk, whose steps are independent. */
void scan_lag_add(struct scan_lag *lag, double stamp_s, double heading_rad,
                  const double turned_rad[SCAN_LAGS], bool by_wheels);

struct scan_lag_estimate {
    double lag_s;
    double evidence; /* that it is so rather than `expected_s`: twice the logarithm of the ratio
                      * of likelihoods */
};

/* The delay over the last `span_s`; false: there are too few scans, nothing turned, or the scans'
 * headings fit no delay. */
bool scan_lag_estimate(const struct scan_lag *lag, double span_s, double expected_s,
                       struct scan_lag_estimate *ret_estimate);

/* Whether the last two seconds speak for another delay than `expected_s`, by *ret_off_s. A mount or
 * a gyro that goes off within a window can look like a delay, but not in a second window that
 * begins after it: *ret_sure says that an earlier window, of the last 30 s, said the same. */
bool scan_lag_has_changed(struct scan_lag *lag, double expected_s, double *ret_off_s,
                          bool *ret_sure);

#endif
