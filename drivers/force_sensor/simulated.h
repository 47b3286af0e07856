/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the drivers `sim` and `mock`: a sensor with a scripted force and the errors of a real
 * sensor. */
#ifndef FORCE_SENSOR_SIMULATED_H
#define FORCE_SENSOR_SIMULATED_H

#include <doppel/drv/force_sensor.h>

#include "force_source.h"
#include "imperfections.h"

/* The first member of a driver's properties. */
struct simulated_properties {
    char source[8192];
    char file[512];
    char impulses[2048];
    char random_force[160];
    double random_bandwidth_hz;
    char offset[160], drift[160], hum[160], noise[160], range[160], resolution[160];
    double hum_hz;
    int64_t seed;
    bool vary;
    double vary_delay_s, vary_force;
    char vary_noise[160];
};

/* Checks of text properties, for `check` of field tables. */
int simulated_check_size(const char *text, struct dpl_diag *reterr);  /* 0 or above */
int simulated_check_value(const char *text, struct dpl_diag *reterr); /* of either sign */
int simulated_check_source(const char *text, struct dpl_diag *reterr);
int simulated_check_impulses(const char *text, struct dpl_diag *reterr);

/* Checks that exactly one table is given, for `check` of a driver whose properties begin with
 * these. */
int simulated_check(const void *properties, struct dpl_diag *reterr);

#define SIMULATED_SIX(member_, name_, check_, summary_)                                            \
    DPL_TEXT_CHECKED(struct simulated_properties, member_, name_, "0", check_,                     \
                     summary_ ": N and N m; one number, two (x y z, roll pitch yaw) or six")

#define SIMULATED_PROPERTIES                                                                       \
    DPL_TEXT_CHECKED(                                                                              \
        struct simulated_properties, source, "Source", "", simulated_check_source,                 \
        "the force: rows \"t fx fy fz tx ty tz\" separated by ';' (s, N, N m), linear "            \
        "between them; what is left out is 0"),                                                    \
        DPL_FILE(struct simulated_properties, file, "File", "",                                    \
                 "instead of Source: a file with such rows, one a line"),                          \
        DPL_TEXT_CHECKED(                                                                          \
            struct simulated_properties, impulses, "Impulses", "", simulated_check_impulses,       \
            "half sines on top: rows \"t AXIS amplitude width\" separated by ';' (s, x y z "       \
            "roll pitch yaw, N or N m, ms)"),                                                      \
        SIMULATED_SIX(random_force, "RandomForce", simulated_check_size,                           \
                      "root mean square of a random force"),                                       \
        DPL_NUMBER(struct simulated_properties, random_bandwidth_hz, "RandomBandwidth", "Hz",      \
                   "10", 0.01, 1000, "of the random force, from 0"),                               \
        SIMULATED_SIX(offset, "Offset", simulated_check_value, "added to each reading"),           \
        SIMULATED_SIX(drift, "DriftPerSecond", simulated_check_value,                              \
                      "added more with each second"),                                              \
        SIMULATED_SIX(hum, "HumAmplitude", simulated_check_size, "of the pick-up from the mains"), \
        DPL_NUMBER(struct simulated_properties, hum_hz, "HumFrequency", "Hz", "50", 1, 1000,       \
                   "of the pick-up"),                                                              \
        SIMULATED_SIX(noise, "Noise", simulated_check_size, "standard deviation of a reading"),    \
        SIMULATED_SIX(range, "Range", simulated_check_size,                                        \
                      "largest magnitude of a reading; 0: no limit"),                              \
        SIMULATED_SIX(resolution, "Resolution", simulated_check_size,                              \
                      "resolution of a reading; 0: exact"),                                        \
        DPL_INT(struct simulated_properties, seed, "Seed", "1", 0, 4294967295,                     \
                "seed of its random numbers, together with the run's seed"),                       \
        DPL_BOOL(struct simulated_properties, vary, "Vary", "false",                               \
                 "vary the force from the run's seed: later, stronger or weaker, noisier"),        \
        DPL_NUMBER(struct simulated_properties, vary_delay_s, "VaryDelay", "s", "0.1", 0, 3600,    \
                   "with Vary: largest delay of Source and Impulses"),                             \
        DPL_NUMBER(struct simulated_properties, vary_force, "VaryForce", NULL, "0.05", 0, 1,       \
                   "with Vary: each axis of the force times 1 +- up to this"),                     \
        DPL_TEXT_CHECKED(struct simulated_properties, vary_noise, "VaryNoise", "0.2 0.02",         \
                         simulated_check_size,                                                     \
                         "with Vary: standard deviation of a reading at least: N and N m; one "    \
                         "number, two or six")

struct simulated {
    struct force_source source;
    struct force_imperfections imperfections;
    struct force_row *rows; /* owned */
    struct dpl_random rng;
    double late_s, factor[DPL_SIX]; /* of the force, from the property Vary */
    double zero[DPL_SIX];           /* of tare */
    double raw[DPL_SIX];
    struct dpl_force_sample sample;
};

/* Parses the properties; allocates. Returns 0; -EINVAL or the errno of reading the file, with
 * reterr; then nothing must be closed. */
int simulated_open(struct dpl_device *device, const struct simulated_properties *properties,
                   struct simulated *simulated, struct dpl_diag *reterr);
void simulated_close(struct simulated *simulated);

/* Writes a measurement for the time `now` to simulated->sample. */
void simulated_measure(struct simulated *simulated, dpl_ns now);

/* -EAGAIN: no measurement yet. */
int simulated_tare(struct simulated *simulated);

#endif
