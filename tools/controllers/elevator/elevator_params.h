/* SPDX-License-Identifier: Apache-2.0 */
/* What a control unit must be told about its elevator. */
#ifndef ELEVATOR_PARAMS_H
#define ELEVATOR_PARAMS_H

struct elevator_params {
    double floors; /* a whole number, 2 to 32 */
    double height_m;
    double speed_m_s, acceleration_m_s2, jerk_m_s3;
    double rated_load_kg, car_kg, counterweight_kg;
    double sheave_radius_m;
    double door_travel_m;
};

/* 12 floors, 630 kg, 1.6 m/s. */
extern const struct elevator_params elevator_params_reference;

/* Names of parameters, a line each, with unit and reference value, for help texts. */
extern const char elevator_params_help[];

/* Sets a parameter by its name. 0; -ENOENT: there is none of that name; -ERANGE: not a value that
 * it can have (`*reterr_what`, static text, says which it can). */
int elevator_params_set(struct elevator_params *params, const char *name, double value,
                        const char **reterr_what);

#endif
