/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a race. */
#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void measure_begin(struct measure *measure, enum measure_side keep_to)
{
    *measure = (struct measure){.keep_to = keep_to, .clearance_m = (double)INFINITY, .refused = -1};
}

static void take_heading(struct measure *measure, double theta, double t_s)
{
    double rate = dpl_wrap_angle(theta - measure->pose.theta) / t_s;
    if (measure->n_headings++ > 0) {
        double change = (rate - measure->rate) / t_s;
        measure->square_sum += change * change;
        measure->n_changes++;
        measure->roughness = sqrt(measure->square_sum / (double)measure->n_changes);
    }
    measure->rate = rate;
}

static bool is_on_the_wrong_side(const struct measure *measure, const struct measure_tick *tick)
{
    if (!isfinite(tick->left_m) || !isfinite(tick->right_m)) {
        return false;
    }
    return (measure->keep_to == MEASURE_LEFT && tick->left_m > tick->right_m) ||
           (measure->keep_to == MEASURE_RIGHT && tick->right_m > tick->left_m);
}

void measure_take(struct measure *measure, const struct measure_tick *tick)
{
    double x = measure->begun ? measure->pose.x : tick->from_x;
    double y = measure->begun ? measure->pose.y : tick->from_y;
    double t_s = measure->begun ? dpl_ns_to_s(tick->at - measure->at) : 0.0;
    measure->path_m += hypot(tick->pose.x - x, tick->pose.y - y);
    measure->clearance_m = fmin(measure->clearance_m, tick->clearance_m);
    if (t_s > 0.0 && !tick->ends) {
        take_heading(measure, tick->pose.theta, t_s);
    }
    if (is_on_the_wrong_side(measure, tick)) {
        measure->wrong_side_s += t_s;
    }
    measure->pose = tick->pose;
    measure->at = tick->at;
    measure->begun = true;
}

struct text {
    char *to;
    size_t size, n;
};

static void __attribute__((format(printf, 2, 3))) say(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t at = text->n < text->size ? text->n : text->size;
    int n = vsnprintf(text->to + at, text->size - at, format, args);
    text->n += n > 0 ? (size_t)n : 0;
    va_end(args);
}

/* Number of decimals with which the limit is printed to a part in a thousand, and value and limit
 * look different. */
static int decimals_of(double value, double limit, int least)
{
    double scale = pow(10.0, least);
    int n = least;
    for (; n < 9; n++, scale *= 10.0) {
        double told = round(limit * scale);
        if (fabs(told / scale - limit) <= 1e-3 * fabs(limit) && round(value * scale) != told) {
            break;
        }
    }
    return n;
}

/* "; path of 5.00 m, at most 4.50 m expected" */
static void say_broken(struct text *text, const char *what, double value, const char *bound,
                       double limit, const char *unit, int decimals)
{
    int n = decimals_of(value, limit, decimals);
    say(text, "; %s %.*f %s, %s %.*f %s expected", what, n, value, unit, bound, n, limit, unit);
}

bool measure_holds(const struct measure *measure, const struct measure_limits *limits,
                   char *ret_text, size_t size)
{
    struct text text = {ret_text, size, 0};
    if (limits->min_clearance_m > 0.0 && measure->clearance_m < limits->min_clearance_m) {
        say_broken(&text, "clearance", measure->clearance_m * 1e3, "at least",
                   limits->min_clearance_m * 1e3, "mm", 0);
    }
    if (limits->max_path_m > 0.0 && measure->path_m > limits->max_path_m) {
        say_broken(&text, "path of", measure->path_m, "at most", limits->max_path_m, "m", 2);
    }
    if (limits->max_roughness > 0.0 && measure->roughness > limits->max_roughness) {
        say_broken(&text, "roughness", measure->roughness, "at most", limits->max_roughness,
                   "rad/s^2", 2);
    }
    if (limits->max_wrong_side_s >= 0.0 && measure->wrong_side_s > limits->max_wrong_side_s) {
        say_broken(&text, "on the wrong side for", measure->wrong_side_s, "at most",
                   limits->max_wrong_side_s, "s", 2);
    }
    if (limits->max_refused >= 0 && measure->refused > limits->max_refused) {
        say(&text, "; %lld calls refused, at most %lld expected", (long long)measure->refused,
            (long long)limits->max_refused);
    }
    return text.n == 0;
}
