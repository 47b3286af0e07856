/* SPDX-License-Identifier: Apache-2.0 */
#include "scan_lag.h"

#include <math.h>

#include <doppel/math/geometry.h>

#define LEAST_SCANS 12
#define NOISE_RAD   (0.2 * DPL_PI / 180.0) /* of a heading: never believed to be less */
#define MISFIT_RAD  (0.7 * DPL_PI / 180.0) /* more is no delay */
#define PARTS       2                      /* of the distance between two lags of the bank */
#define EVIDENCE    16.0
#define SPAN_S      2.0
#define KEEP_S      30.0
#define SAME_S      0.02

void scan_lag_init(struct scan_lag *lag)
{
    scan_lag_clear(lag);
    lag->said_s = 0.0;
    lag->said_since_s = -(double)INFINITY;
}

void scan_lag_clear(struct scan_lag *lag)
{
    lag->next = lag->n = 0;
}

/* Record number i back from the newest. */
static const struct scan_lag_record *back(const struct scan_lag *lag, size_t i)
{
    return &lag->record[(lag->next + SCAN_LAG_RING - 1 - i) % SCAN_LAG_RING];
}

void scan_lag_add(struct scan_lag *lag, double stamp_s, double heading_rad,
                  const double turned_rad[SCAN_LAGS], bool by_wheels)
{
    struct scan_lag_record record = {stamp_s, heading_rad, .by_wheels = by_wheels};
    if (lag->n > 0) {
        const struct scan_lag_record *before = back(lag, 0);
        record.heading_rad =
            before->heading_rad + dpl_wrap_angle(heading_rad - before->heading_rad);
        for (int i = 0; i < SCAN_LAGS; i++) {
            record.turned_rad[i] = before->turned_rad[i] + turned_rad[i];
        }
    }
    lag->record[lag->next] = record;
    lag->next = (lag->next + 1) % SCAN_LAG_RING;
    lag->n += lag->n < SCAN_LAG_RING;
}

/* Heading of the scan beyond the turn at `lag_s` before its stamp. */
static double difference(const struct scan_lag_record *record, double lag_s)
{
    double place = dpl_clamp(lag_s / SCAN_LAG_STEP_S, 0.0, SCAN_LAGS - 1.0);
    int i = (int)fmin(floor(place), SCAN_LAGS - 2.0);
    double part = place - i;
    return record->heading_rad -
           ((1.0 - part) * record->turned_rad[i] + part * record->turned_rad[i + 1]);
}

/* Sum of squares of the steps of the differences around their mean: that of a random walk. */
static double misfit_of_steps(const struct scan_lag *lag, size_t n, double lag_s)
{
    double later = difference(back(lag, 0), lag_s), sum = 0.0, squares = 0.0;
    for (size_t i = 1; i < n; i++) {
        double earlier = difference(back(lag, i), lag_s), step = later - earlier;
        sum += step;
        squares += step * step;
        later = earlier;
    }
    return fmax(squares - sum * sum / ((double)n - 1.0), 0.0);
}

/* Sum of squares of the differences around their straight line in time: that of a drift. */
static double misfit_of_line(const struct scan_lag *lag, size_t n, double lag_s)
{
    double end_s = back(lag, 0)->stamp_s, first = difference(back(lag, 0), lag_s);
    double t = 0.0, y = 0.0, tt = 0.0, ty = 0.0, yy = 0.0;
    for (size_t i = 0; i < n; i++) {
        double ti = back(lag, i)->stamp_s - end_s, yi = difference(back(lag, i), lag_s) - first;
        t += ti;
        y += yi;
        tt += ti * ti;
        ty += ti * yi;
        yy += yi * yi;
    }
    double m = (double)n;
    double var_t = tt - t * t / m, cov = ty - t * y / m;
    return fmax(yy - y * y / m - cov * cov / var_t, 0.0);
}

static double misfit(const struct scan_lag *lag, size_t n, double lag_s)
{
    bool by_wheels = false;
    for (size_t i = 0; i + 1 < n; i++) {
        by_wheels = by_wheels || back(lag, i)->by_wheels;
    }
    return by_wheels ? misfit_of_steps(lag, n, lag_s) : misfit_of_line(lag, n, lag_s);
}

static size_t scans_within(const struct scan_lag *lag, double span_s)
{
    size_t n = 0;
    while (n < lag->n && back(lag, 0)->stamp_s - back(lag, n)->stamp_s <= span_s) {
        n++;
    }
    return n;
}

bool scan_lag_estimate(const struct scan_lag *lag, double span_s, double expected_s,
                       struct scan_lag_estimate *ret_estimate)
{
    size_t n = scans_within(lag, span_s);
    if (n < LEAST_SCANS) {
        return false;
    }
    double best = (double)INFINITY, best_s = 0.0;
    for (int i = 0; i <= PARTS * (SCAN_LAGS - 1); i++) {
        double lag_s = i * SCAN_LAG_STEP_S / PARTS, sum = misfit(lag, n, lag_s);
        if (sum < best) {
            best = sum;
            best_s = lag_s;
        }
    }
    double variance = best / ((double)n - 3.0);
    if (variance > MISFIT_RAD * MISFIT_RAD) {
        return false;
    }
    ret_estimate->lag_s = best_s;
    ret_estimate->evidence =
        (misfit(lag, n, expected_s) - best) / fmax(variance, NOISE_RAD * NOISE_RAD);
    return true;
}

bool scan_lag_has_changed(struct scan_lag *lag, double expected_s, double *ret_off_s,
                          bool *ret_sure)
{
    struct scan_lag_estimate e;
    *ret_sure = false;
    if (!scan_lag_estimate(lag, SPAN_S, expected_s, &e) || e.evidence < EVIDENCE) {
        return false;
    }
    double now_s = back(lag, 0)->stamp_s, since_s = now_s - lag->said_since_s;
    *ret_off_s = e.lag_s - expected_s;
    bool agrees = fabs(e.lag_s - lag->said_s) < SAME_S && since_s < KEEP_S;
    if (agrees) {
        *ret_sure = since_s > SPAN_S;
    } else {
        lag->said_s = e.lag_s;
        lag->said_since_s = now_s;
    }
    return true;
}
