/* SPDX-License-Identifier: Apache-2.0 */
/* What sensors of mechanisms have in common: noise, bias and drift of a number; latency and lost
 * measurements. A sensor spoils its numbers, makes of them what it gives (rounds, compares), and
 * hands that on; channels read what has arrived. */
#ifndef DOPPEL_SIM_MEASURING_H
#define DOPPEL_SIM_MEASURING_H

#include <doppel/math/signal.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/entry.h>

/* Of a sensor of truths only the last three are used. */
struct dpl__measuring_settings {
    double noise; /* standard deviation, of each measurement by itself */
    double bias;  /* constant error */
    double drift; /* error that grows, per s; its slope is drawn once, from -drift to drift */
    double latency_s;
    double dropout; /* share of the measurements that get lost: the one before stays */
    int64_t seed;   /* of the noise; 0: from the seed of the world */
    double rate_hz; /* measurements a second; 0: one in each step of the sensor */
};

/* Rows of a field table; `row_` is DPL_NUMBER or DPL_NUMBER_OF_JOINT, for the unit. */
#define DPL__SPREAD_FIELDS(row_, type_, member_, unit_)                                            \
    row_(type_, member_.noise, "noise", unit_, "0", 0.0, 1e9,                                      \
         "standard deviation of a measurement"),                                                   \
        row_(type_, member_.bias, "bias", unit_, "0", -1e9, 1e9, "constant error"),                \
        DPL_NUMBER(type_, member_.drift, "drift", NULL, "0", 0.0, 1e9,                             \
                   "error that grows, a second: at most; its slope is drawn once")

#define DPL__DELIVERY_FIELDS(type_, member_)                                                       \
    DPL_NUMBER(type_, member_.latency_s, "latency", "s", "0", 0.0, 10.0,                           \
               "from a measurement to its arrival"),                                               \
        DPL_NUMBER(type_, member_.dropout, "dropout", NULL, "0", 0.0, 1.0,                         \
                   "share of the measurements that get lost"),                                     \
        DPL_INT(type_, member_.seed, "seed", "0", 0, 0, "of its noise; 0: from that of the world")

#define DPL__RATE_FIELD(type_, member_)                                                            \
    DPL_NUMBER(type_, member_.rate_hz, "rate_hz", "Hz", "0", 0.0, 10000.0,                         \
               "measurements a second, at whole steps of the world; 0: each step")

/* The first member of a sensor's state. */
struct dpl__measuring {
    const struct dpl__measuring_settings *settings;
    const struct dpl_sim_site *site;
    struct dpl_spread spread;
    struct dpl_random losses;
    dpl_ns period, latency, taken; /* taken: the newest, lost or not */
    size_t n_values, capacity, at; /* at: place of the newest */
    double *values;                /* [capacity][n_values] */
    dpl_ns *stamps;                /* [capacity] when it was measured; below 0: nothing yet */
};

/* Takes memory from the site's world: 0 or -ENOMEM. Borrows the settings. */
int dpl__measuring_build(struct dpl__measuring *measuring, const struct dpl_sim_site *site,
                         const struct dpl__measuring_settings *settings, size_t n_values);

/* Whether a sensor with the attribute rate_hz measures in this step, which ends at `now`. */
bool dpl__measuring_is_due(const struct dpl__measuring *measuring, dpl_ns now);

/* With bias, drift and noise. */
double dpl__measuring_spoil(struct dpl__measuring *measuring, dpl_ns now, double truth);

/* Hands on a measurement of n_values numbers. Once in each step of the sensor. */
void dpl__measuring_take(struct dpl__measuring *measuring, dpl_ns now, const double *values);

/* What has arrived: the numbers, and when they were measured; NULL: nothing yet. */
const double *dpl__measuring_newest(const struct dpl__measuring *measuring, dpl_ns *ret_stamp);

/* A call that gets number `i_` as a value of a channel, of a class whose state begins with a struct
 * dpl__measuring. */
#define DPL__MEASURING_GET(class_, name_, type_, i_)                                               \
    static int get_##name_(const struct dpl_world *world, int id, void *ret_value,                 \
                           dpl_ns *inout_stamp)                                                    \
    {                                                                                              \
        const double *newest =                                                                     \
            dpl__measuring_newest(dpl_world_entry(world, &(class_), id), inout_stamp);             \
        if (!newest) {                                                                             \
            return -EAGAIN;                                                                        \
        }                                                                                          \
        *(type_ *)ret_value = (type_)newest[i_];                                                   \
        return 0;                                                                                  \
    }

#endif
