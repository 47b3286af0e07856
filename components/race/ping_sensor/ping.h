/* SPDX-License-Identifier: Apache-2.0 */
/* An ultrasonic distance sensor with one signal pin (Parallax Ping and similar): a rising edge
 * triggers; after a hold-off the sensor drives the pin high for the time of flight of the sound to
 * the object and back; then it releases the pin and accepts the next trigger. Pure: time is an
 * argument. */
#ifndef PING_SENSOR_PING_H
#define PING_SENSOR_PING_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

struct ping_config {
    double clock_hz;         /* of the timer that generates the pulse */
    double speed_m_s;        /* of sound at 0 degrees Celsius */
    double speed_per_degree; /* m/s per degree Celsius */
    double temperature_c;
    bool whole_cycles; /* whole cycles per millimetre, as published; otherwise exact */
    dpl_ns hold_off;   /* from the trigger's edge to the echo's edge */
    double max_range_m;
    dpl_ns no_echo; /* width when nothing is in range; 0: no pulse */
};

enum ping_phase {
    PING_ARMED,  /* waits for a rising edge */
    PING_HOLDS,  /* triggered, ignores edges */
    PING_ECHOES, /* drives the pin high, ignores edges */
};

/* Zeroed: armed, no triggers counted. */
struct ping {
    bool answered;         /* rise and fall belong to the newest trigger */
    bool triggered;        /* at least one trigger has come */
    dpl_ns at, rise, fall; /* the newest trigger and its echo */
    int64_t n_triggers, n_echoes, n_ignored;
};

/* An edge from the controller, in the order of time. True: it triggers, and ping_answer must
 * follow. Falling edges, and edges while the sensor is not armed, have no effect. */
bool ping_edge(struct ping *ping, dpl_ns at, bool level);

/* Computes the echo of the newest trigger; `range_m` infinite, not a number, negative or out of
 * range: no object. Returns the width, 0: no pulse. */
dpl_ns ping_answer(struct ping *ping, const struct ping_config *config, double range_m);

/* Shifts the whole echo if it would begin before `earliest`. Returns the shift. */
dpl_ns ping_delay(struct ping *ping, dpl_ns earliest);

enum ping_phase ping_phase_at(const struct ping *ping, dpl_ns t);

/* The echo's width for a distance; 0: no echo. Published: 462 cycles of 80 MHz, that is 5.775 us,
 * per millimetre. */
dpl_ns ping_width(const struct ping_config *config, double range_m);

double ping_speed_m_s(const struct ping_config *config);

/* The controller's evaluation of an echo: half of the path of the sound, metres. `capture` is the
 * time that its timer adds to a pulse's width. */
double ping_range_m(const struct ping_config *config, dpl_ns width, dpl_ns capture);

/* Whether each distance is reproduced within `tolerance` (as a part of it) after conversion to a
 * pulse and back. Returns the first distance that is not, m; 0: all are. */
double ping_self_test(const struct ping_config *config, double tolerance);

#endif
