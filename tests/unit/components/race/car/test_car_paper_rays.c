/* SPDX-License-Identifier: Apache-2.0 */
/* The rays of the published car against its formula written a second time: every heading, many
 * places and walls; also how far the original's 32 bits reach. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "car_paper.h"

#define SIGHT_MM 10000

/* What the formula says, and its largest intermediate value. */
struct oracle {
    int64_t range, largest;
};

static int64_t trig(int deg, double (*function)(double))
{
    return lround(10000.0 * function(deg * 3.14159265358979323846 / 180.0));
}

static int64_t noted(struct oracle *oracle, int64_t value)
{
    oracle->largest = llabs(value) > oracle->largest ? llabs(value) : oracle->largest;
    return value;
}

static bool between(int64_t v, int64_t a, int64_t b)
{
    return (v >= a && v <= b) || (v >= b && v <= a);
}

/* slope = (s1y - s0y) * 1000 / (s1x - s0x), b = s0y - slope * s0x / 1000, and so on. */
static struct oracle trace(int64_t s0x, int64_t s0y, int deg, const struct car_paper_segment *wall)
{
    struct oracle o = {CAR_PAPER_NO_HIT, 0};
    int64_t s1x = s0x + trig(deg, cos), s1y = s0y + trig(deg, sin);
    int64_t slope = s1x == s0x ? 0 : noted(&o, (s1y - s0y) * 1000) / (s1x - s0x);
    int64_t b = s0y - noted(&o, slope * s0x) / 1000, x, y;
    if (wall->x1 == wall->x2) {
        x = wall->x1;
        y = slope * x / 1000 + b;
    } else {
        y = wall->y1;
        x = s1x == s0x ? s0x : slope == 0 ? 0 : (y - b) * 1000 / slope;
    }
    if (!between(x, s0x, s1x) || !between(y, s0y, s1y) || !between(x, wall->x1, wall->x2) ||
        !between(y, wall->y1, wall->y2)) {
        return o;
    }
    noted(&o, wall->x1 == wall->x2 ? slope * x : (y - b) * 1000);
    int64_t square = noted(&o, (x - s0x) * (x - s0x) + (y - s0y) * (y - s0y));
    o.range = 0;
    for (int64_t bit = 1 << 14; bit > 0; bit /= 2) {
        o.range += (o.range + bit) * (o.range + bit) <= square ? bit : 0;
    }
    return o;
}

static struct car_paper car;

static void init(const struct car_paper_segment *wall)
{
    struct car_paper_config config = {
        .tick_ms = 100, .sight_mm = SIGHT_MM, .n_sensors = 1, .n_walls = 1, .walls = {*wall}};
    size_t bad;
    cr_assert_eq(car_paper_init(&car, &config, &bad), 0);
}

static unsigned next(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* A wall that often lies near the place, also through it, behind it, at the ray's very end. */
static struct car_paper_segment wall_near(unsigned *seed, int64_t x, int64_t y)
{
    static const int64_t steps[] = {0, 1, 2, 100, 2500, 9999, 10000, 10001};
    int64_t step = steps[next(seed, 8)] * (next(seed, 2) ? 1 : -1);
    step += next(seed, 2) ? (int64_t)next(seed, 9000) - 4500 : 0;
    int64_t low = -(int64_t)next(seed, 12000), high = (int64_t)next(seed, 12000);
    return next(seed, 2) ? (struct car_paper_segment){x + step, y + low, x + step, y + high}
                         : (struct car_paper_segment){x + low, y + step, x + high, y + step};
}

Test(car_paper_rays, are_those_of_the_formula_at_every_heading)
{
    unsigned seed = 1;
    int hits = 0, straight = 0, misses = 0;
    for (int round = 0; round < 4000; round++) {
        int64_t x = next(&seed, 2) ? next(&seed, 3000) : next(&seed, 36000);
        int64_t y = next(&seed, 2) ? next(&seed, 3000) : next(&seed, 36000);
        struct car_paper_segment wall = wall_near(&seed, x, y);
        init(&wall);
        for (int deg = 0; deg < 360; deg++) {
            struct oracle o = trace(x, y, deg, &wall);
            car_paper_place(&car, x, y, deg);
            cr_assert_eq(car.ranges_mm[0], o.range, "%d deg from (%" PRId64 ", %" PRId64 ")", deg,
                         x, y);
            hits += o.range != CAR_PAPER_NO_HIT;
            misses += o.range == CAR_PAPER_NO_HIT;
            straight += deg % 90 == 0 && o.range != CAR_PAPER_NO_HIT;
            cr_assert_leq(o.largest, INT32_MAX, "32 bits do not hold at (%" PRId64 ", %" PRId64 ")",
                          x, y);
        }
    }
    cr_assert(hits > 100000 && misses > 100000 && straight > 1000, "%d %d %d", hits, misses,
              straight);
}

/* One degree from upright the slope is 57131: beyond 37 m the original's product wraps. */
Test(car_paper_rays, are_exact_also_where_32_bits_would_wrap)
{
    struct car_paper_segment wall = {30000, 30, 60000, 30};
    init(&wall);
    struct oracle below = trace(37588, 0, 89, &wall), beyond = trace(37589, 0, 89, &wall);
    cr_assert_leq(below.largest, INT32_MAX);
    cr_assert_gt(beyond.largest, INT32_MAX);
    car_paper_place(&car, 37589, 0, 89);
    cr_assert_eq(car.ranges_mm[0], beyond.range);
    cr_assert_float_eq((double)beyond.range, 30.0, 2.0);
}

/* The intercept is truncated, not the way from the car: 1 and 2 mm that a distance relative to the
 * car would not have. */
Test(car_paper_rays, lose_what_the_truncated_intercept_loses)
{
    struct car_paper_segment wall = {2000, 0, 2000, 5000};
    init(&wall);
    car_paper_place(&car, 1234, 567, 30);
    /* slope 577, intercept 567 - 712 = -145; at 2000: 1154 - 145 = 1009 */
    cr_assert_eq(car.ranges_mm[0], 884); /* of 766 and 442 */
    car_paper_place(&car, 1001, 0, 60);
    /* slope 1732, intercept -1733; at 2000: 3464 - 1733 = 1731 */
    cr_assert_eq(car.ranges_mm[0], 1998); /* of 999 and 1731; relative to the car 1730 */
}
