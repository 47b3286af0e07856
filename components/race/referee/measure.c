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

static void add_heading(struct measure *measure, double theta, double t_s)
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

static bool has_both_sides(const struct measure_tick *tick)
{
    return isfinite(tick->left_m) && isfinite(tick->right_m);
}

static bool is_on_the_wrong_side(const struct measure *measure, const struct measure_tick *tick)
{
    return (measure->keep_to == MEASURE_LEFT && tick->left_m > tick->right_m) ||
           (measure->keep_to == MEASURE_RIGHT && tick->right_m > tick->left_m);
}

void measure_add(struct measure *measure, const struct measure_tick *tick)
{
    double x = measure->begun ? measure->pose.x : tick->from_x;
    double y = measure->begun ? measure->pose.y : tick->from_y;
    double t_s = measure->begun ? dpl_ns_to_s(tick->at - measure->at) : 0.0;
    measure->path_m += hypot(tick->pose.x - x, tick->pose.y - y);
    measure->clearance_m = fmin(measure->clearance_m, tick->clearance_m);
    if (t_s > 0.0 && !tick->ends) {
        add_heading(measure, tick->pose.theta, t_s);
    }
    if (has_both_sides(tick)) {
        measure->n_sides++;
        measure->wrong_side_s += is_on_the_wrong_side(measure, tick) ? t_s : 0.0;
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

struct rule {
    const char *name, *what, *unit; /* what: before a value */
    double value, limit;
    bool is_least, is_measured;
    int decimals;
};

/* "; path of 5.00 m, at most 4.50 m expected" */
static void check(struct text *text, const struct rule *rule)
{
    const char *bound = rule->is_least ? "at least" : "at most";
    int n = decimals_of(rule->is_measured ? rule->value : (double)INFINITY, rule->limit,
                        rule->decimals);
    if (!rule->is_measured) {
        say(text, "; %s not measured, %s %.*f %s expected", rule->name, bound, n, rule->limit,
            rule->unit);
    } else if (rule->is_least ? rule->value < rule->limit : rule->value > rule->limit) {
        say(text, "; %s %.*f %s, %s %.*f %s expected", rule->what, n, rule->value, rule->unit,
            bound, n, rule->limit, rule->unit);
    }
}

bool measure_holds(const struct measure *measure, const struct measure_limits *limits,
                   char *ret_text, size_t size)
{
    struct text text = {ret_text, size, 0};
    const struct rule rules[] = {
        {"clearance", "clearance", "mm", measure->clearance_m * 1e3, limits->min_clearance_m * 1e3,
         true, isfinite(measure->clearance_m), 0},
        {"path", "path of", "m", measure->path_m, limits->max_path_m, false, measure->begun, 2},
        {"roughness", "roughness", "rad/s^2", measure->roughness, limits->max_roughness, false,
         measure->n_changes > 0, 2},
        {"wrong side", "on the wrong side for", "s", measure->wrong_side_s,
         limits->max_wrong_side_s, false, measure->n_sides > 0, 2},
    };
    const bool is_asked[] = {limits->min_clearance_m > 0.0, limits->max_path_m > 0.0,
                             limits->max_roughness > 0.0, limits->max_wrong_side_s >= 0.0};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (is_asked[i]) {
            check(&text, &rules[i]);
        }
    }
    if (limits->max_refused >= 0 && measure->refused < 0) {
        say(&text, "; calls refused not counted, at most %lld expected",
            (long long)limits->max_refused);
    } else if (limits->max_refused >= 0 && measure->refused > limits->max_refused) {
        say(&text, "; %lld calls refused, at most %lld expected", (long long)measure->refused,
            (long long)limits->max_refused);
    }
    return text.n == 0;
}
