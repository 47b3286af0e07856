/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the wheels are suspected to lie, from the surprise of single scans: sooner than a
 * residual over a second can say it. It is no verdict; it lets the pose follow the scans before
 * beams are so far off that they are taken for outliers. Pure. */
#ifndef SUSPICION_H
#define SUSPICION_H

#include <stdbool.h>

struct suspicion {
    double since_s; /* when a scan spoke for it last */
    double nis, surprise[3];
    unsigned n; /* scans since the last clear, but for those beyond the first ones */
};

struct suspicion_scan {
    double stamp_s;
    double nis;         /* of the scan's pose against the predicted one, */
    double surprise[3]; /* which is so much off, m, m, rad in the world */
    bool has_gyro;
    double wheels_gyro_rad; /* turn of the wheels minus turn of the gyro since the scan before */
};

void suspicion_init(struct suspicion *suspicion);

/* Begins anew: after a gap, or at another place. What the first 20 scans contradict then is the
 * pose that the start said, and a calibration that is still being found: not the wheels. */
void suspicion_clear(struct suspicion *suspicion);

/* A scan speaks for it that contradicts the prediction by more than noise does: much at once, or
 * twice in the same direction; not when wheels and gyro agree and only the laser turned. */
void suspicion_add(struct suspicion *suspicion, const struct suspicion_scan *scan);

/* For 0.5 s, or two periods of the laser, after such a scan. */
bool suspicion_holds(const struct suspicion *suspicion, double now_s, double period_s);

#endif
