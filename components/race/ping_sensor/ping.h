/* SPDX-License-Identifier: Apache-2.0 */
/* An ultrasonic distance sensor with one signal pin, as its controller sees it (Parallax Ping and
 * its kind): a rising edge triggers; after a hold-off the sensor drives the pin high for the time
 * the sound travels there and back, then lets go and is armed again. Pure: time comes as an
 * argument. */
#ifndef PING_SENSOR_PING_H
#define PING_SENSOR_PING_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

struct ping_config {
    double clock_hz;         /* of the timer that makes the pulse */
    double speed_m_s;        /* of sound at 0 degrees Celsius */
    double speed_per_degree; /* m/s per degree Celsius */
    double temperature_c;
    bool whole_cycles; /* whole millimetres of whole cycles, as published; else exact */
    dpl_ns hold_off;   /* from the trigger's edge to the echo's */
    double max_range_m;
    dpl_ns no_echo; /* width when nothing is in range; 0: no pulse at all */
};

enum ping_phase {
    PING_ARMED,  /* waits for a rising edge */
    PING_HOLDS,  /* triggered, ignores edges */
    PING_ECHOES, /* drives the pin high, ignores edges */
};

/* Zeroed: armed, nothing counted. */
struct ping {
    bool answered;         /* rise and fall are of the newest trigger */
    bool triggered;        /* ever */
    dpl_ns at, rise, fall; /* the newest trigger and its echo */
    int64_t n_triggers, n_echoes, n_ignored;
};

/* An edge that the controller made, in the order of time. True: it triggers, and ping_answer must
 * follow. Falling edges and those while the sensor is not armed do nothing. */
bool ping_edge(struct ping *ping, dpl_ns at, bool level);

/* Fixes the echo of the newest trigger; `range_m` infinite, not a number, negative or out of range:
 * nothing there. Returns the width, 0: no pulse. */
dpl_ns ping_answer(struct ping *ping, const struct ping_config *config, double range_m);

/* The echo cannot begin before `earliest`: shifts it as a whole. Returns by how much. */
dpl_ns ping_delay(struct ping *ping, dpl_ns earliest);

enum ping_phase ping_phase_at(const struct ping *ping, dpl_ns t);

/* The echo's width for a distance; 0 where there is no echo. Published: 462 cycles of 80 MHz, that
 * is 5.775 us, a millimetre. */
dpl_ns ping_width(const struct ping_config *config, double range_m);

double ping_speed_m_s(const struct ping_config *config);

/* What a controller makes of an echo: half the way of the sound, metres. `capture` is what its
 * timer adds to a pulse's width. */
double ping_range_m(const struct ping_config *config, dpl_ns width, dpl_ns capture);

/* Whether distances survive the way to a pulse and back within `tolerance` (a part of them).
 * Returns the first distance that does not, m; 0: all do. */
double ping_self_test(const struct ping_config *config, double tolerance);

#endif
