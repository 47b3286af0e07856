/* SPDX-License-Identifier: Apache-2.0 */
/* The controller's calibration. */
#include "sense.h"

#include <doppel/math/geometry.h>

/* Measured at the pin: the voltage as a part of the reference (it decreases with distance) and the
 * distance. */
static const struct {
    double duty, m; /* duty = 1 - ratio */
} points[] = {
    {0.158, 0.080}, {0.316, 0.100}, {0.414, 0.120}, {0.515, 0.150}, {0.615, 0.200},
    {0.679, 0.250}, {0.732, 0.300}, {0.787, 0.400}, {0.824, 0.500}, {0.846, 0.600},
};
enum { N_POINTS = sizeof points / sizeof points[0] };

double sense_infrared_m(double ratio)
{
    double duty = 1.0 - ratio;
    if (!(duty >= points[0].duty * 0.5 && duty <= 0.9)) {
        return 0.0; /* no distance belongs to this value */
    }
    size_t i = 1;
    while (i + 1 < N_POINTS && duty > points[i].duty) {
        i++;
    }
    double part = (duty - points[i - 1].duty) / (points[i].duty - points[i - 1].duty);
    double m = points[i - 1].m + part * (points[i].m - points[i - 1].m);
    return dpl_clamp(m, 0.07, 0.65);
}

void sense_edge(struct sense_echo *echo, int64_t at_ns, bool level)
{
    if (level) {
        echo->rise_ns = at_ns;
    } else if (echo->is_high) {
        echo->width_ns = at_ns - echo->rise_ns;
        echo->is_new = true;
    }
    echo->is_high = level;
}

double sense_echo_m(struct sense_echo *echo, double sound_m_s)
{
    double m = echo->is_new ? (double)echo->width_ns * 1e-9 * sound_m_s / 2.0 : 0.0;
    echo->is_new = false;
    return m;
}
