/* SPDX-License-Identifier: Apache-2.0 */
/* Properties and published variables of the Car component. */
#ifndef CAR_TABLES_H
#define CAR_TABLES_H

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/time.h>

#include "car.h"
#include "car_script.h"

struct car_properties {
    int model; /* enum car_model */
    char start[64];
    double start_heading_deg;
    char sensor_offsets[512];
    char sensor_mounts[1024];
    double sensor_range_m;
    char script[8192];
    double length_m, width_m, behind_m, track_width_m, wheel_base_m;
    double max_speed_m_s, speed_lag_s, max_acceleration_m_s2;
    double max_steering_deg, steering_lag_s, steering_rate_deg_s;
    double battery, silent_after_s;
    bool vary;
    double spread_x_m, spread_y_m, spread_heading_deg, spread_battery;
};

struct car_state {
    struct car car;
    struct car_script script;
    dpl_ns period, now;
    double battery; /* of this run */
    uint32_t next_tick;
    bool over;
    double start_x_mm, start_y_mm, start_heading_deg; /* of this run, with its variation */
    double x_m, y_m, heading_deg, velocity_m_s;
    int outcome; /* enum dpl_car_outcome */
    int64_t ticks, undriven;
};

#define CAR_N_PROPERTIES 25
#define CAR_N_EXPORTS    11
extern const struct dpl_field car_property_table[CAR_N_PROPERTIES];
extern const struct dpl_field car_export_table[CAR_N_EXPORTS];

/* The part of the configuration that does not depend on the track or the period; -EINVAL with
 * reterr. */
int car_config_from(const struct car_properties *props, struct car_config *ret_config,
                    struct dpl_diag *reterr);

/* Parses the property Start, x and y in mm and a heading in deg; returns its count of numbers, 0, 2
 * or 3. If the heading is missing, StartHeading is used. -EINVAL: a text that the check at loading
 * would refuse. */
int car_start_from(const struct car_properties *props, double ret_start[3], size_t *ret_n);

#endif
