/* SPDX-License-Identifier: Apache-2.0 */
/* Car.Script: headings and velocities by tick, "0 90 1000; 4 60 1000": each row applies from its
 * tick on. Also the lists of numbers in other properties of the car. Pure logic. */
#ifndef CAR_CAR_SCRIPT_H
#define CAR_CAR_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAR_SCRIPT_ROWS_MAX 512

struct car_script_row {
    uint32_t tick;
    double heading_deg, velocity_mm_s;
};

struct car_script {
    size_t n; /* 0: no script */
    struct car_script_row rows[CAR_SCRIPT_ROWS_MAX];
};

/* The error in a text and the byte offset of it. */
struct car_text_error {
    size_t offset;
    const char *what; /* static text */
};

/* Reads rows "tick heading velocity" (deg, mm/s), separated by ';' or line ends; ticks are whole,
 * not negative and strictly increasing. A text without rows means no script. 0, or -EINVAL with
 * *reterr. */
int car_script_parse(struct car_script *script, const char *text, struct car_text_error *reterr);

/* The row that applies at a tick; NULL before the first. */
const struct car_script_row *car_script_at(const struct car_script *script, uint32_t tick);

/* Reads one row of 1 to `most` numbers; an empty text has none. Each must be within +-`limit`. */
int car_script_numbers(const char *text, size_t most, double limit, double *ret_values,
                       size_t *ret_n, struct car_text_error *reterr);

/* Reads rows "x y" as pairs into ret_xy[2 * i], at most `most` rows; each number within +-`limit`.
 */
int car_script_points(const char *text, size_t most, double limit, double *ret_xy, size_t *ret_n,
                      struct car_text_error *reterr);

#endif
