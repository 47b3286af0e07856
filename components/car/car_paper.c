/* SPDX-License-Identifier: Apache-2.0 */
/* The published integer car. */
#include "car_paper.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/geometry.h>

#define TRIG_SCALE  10000
#define SLOPE_SCALE 1000

struct place {
    int64_t x, y;
};

static int64_t divide(int64_t a, int64_t b)
{
    return b == 0 ? 0 : a / b;
}

static int64_t whole_turn(int64_t deg)
{
    int64_t rest = deg % 360;
    return rest < 0 ? rest + 360 : rest;
}

static int64_t sine(const struct car_paper *car, int64_t deg)
{
    return car->sine[whole_turn(deg)];
}

static int64_t cosine(const struct car_paper *car, int64_t deg)
{
    return car->sine[whole_turn(deg + 90)];
}

/* The largest integer whose square is not above n; n is not negative and below 2^62. */
static int64_t square_root(int64_t n)
{
    int64_t root = (int64_t)sqrt((double)n);
    while (root * root > n) {
        root--;
    }
    while ((root + 1) * (root + 1) <= n) {
        root++;
    }
    return root;
}

static bool within(int64_t value, int64_t a, int64_t b)
{
    return a < b ? value >= a && value <= b : value >= b && value <= a;
}

/* Where the segment from `from` to `to` meets a wall. The bounds that the formula does not touch
 * come first: within them it cannot overflow. */
static bool meet(struct place from, struct place to, const struct car_paper_segment *wall,
                 struct place *ret_where)
{
    int64_t slope = divide((to.y - from.y) * SLOPE_SCALE, to.x - from.x);
    struct place p = {wall->x1, wall->y1};
    if (wall->x1 == wall->x2) {
        if (!within(p.x, from.x, to.x)) {
            return false;
        }
        p.y = from.y + slope * (p.x - from.x) / SLOPE_SCALE;
    } else {
        if (!within(p.y, from.y, to.y)) {
            return false;
        }
        p.x = from.x + divide((p.y - from.y) * SLOPE_SCALE, slope);
    }
    *ret_where = p;
    return within(p.x, from.x, to.x) && within(p.y, from.y, to.y) &&
           within(p.x, wall->x1, wall->x2) && within(p.y, wall->y1, wall->y2);
}

static int64_t range(const struct car_paper *car, int64_t deg)
{
    const struct car_paper_config *config = &car->config;
    struct place from = {car->x_mm, car->y_mm}, p;
    struct place to = {from.x + cosine(car, deg) * config->sight_mm / TRIG_SCALE,
                       from.y + sine(car, deg) * config->sight_mm / TRIG_SCALE};
    int64_t nearest = CAR_PAPER_NO_HIT;
    for (size_t i = 0; i < config->n_walls; i++) {
        if (meet(from, to, &config->walls[i], &p)) {
            int64_t dx = p.x - from.x, dy = p.y - from.y;
            int64_t distance = square_root(dx * dx + dy * dy);
            nearest = distance < nearest ? distance : nearest;
        }
    }
    return nearest;
}

static void sense(struct car_paper *car)
{
    for (size_t i = 0; i < car->config.n_sensors; i++) {
        car->ranges_mm[i] = range(car, car->heading_deg + car->config.sensor_deg[i]);
    }
}

static bool limited(int64_t value)
{
    return value >= -CAR_PAPER_LIMIT_MM && value <= CAR_PAPER_LIMIT_MM;
}

static bool usable(const struct car_paper_segment *s)
{
    return limited(s->x1) && limited(s->y1) && limited(s->x2) && limited(s->y2) &&
           (s->x1 == s->x2 || s->y1 == s->y2);
}

int car_paper_init(struct car_paper *car, const struct car_paper_config *config, size_t *ret_wall)
{
    bool fits = config->n_walls <= CAR_PAPER_WALLS_MAX &&
                config->n_sensors <= CAR_PAPER_SENSORS_MAX && config->tick_ms > 0 &&
                config->tick_ms <= 60000 && config->sight_mm >= 0 && limited(config->sight_mm);
    if (!fits) {
        *ret_wall = config->n_walls + 1;
        return -EINVAL;
    }
    for (size_t i = 0; i < config->n_walls; i++) {
        if (!usable(&config->walls[i])) {
            *ret_wall = i;
            return -EINVAL;
        }
    }
    if (config->has_finish && !usable(&config->finish)) {
        *ret_wall = config->n_walls;
        return -EINVAL;
    }
    *car = (struct car_paper){.config = *config};
    for (int deg = 0; deg < 360; deg++) {
        car->sine[deg] = lround(TRIG_SCALE * sin(dpl_deg_to_rad(deg)));
    }
    return 0;
}

static int64_t clamp_place(int64_t mm)
{
    return mm < 0 ? 0 : mm > CAR_PAPER_LIMIT_MM ? CAR_PAPER_LIMIT_MM : mm;
}

void car_paper_place(struct car_paper *car, int64_t x_mm, int64_t y_mm, int64_t heading_deg)
{
    car->x_mm = clamp_place(x_mm);
    car->y_mm = clamp_place(y_mm);
    car->heading_deg = whole_turn(heading_deg);
    car->velocity_mm_s = 0;
    sense(car);
}

void car_paper_command(struct car_paper *car, int64_t heading_deg, int64_t velocity_mm_s)
{
    int64_t most = CAR_PAPER_LIMIT_MM;
    car->heading_deg = whole_turn(heading_deg);
    car->velocity_mm_s = velocity_mm_s < -most  ? -most
                         : velocity_mm_s > most ? most
                                                : velocity_mm_s;
}

static struct place next_place(const struct car_paper *car)
{
    int64_t speed = car->velocity_mm_s < 0 ? -car->velocity_mm_s : car->velocity_mm_s;
    int64_t way = speed * car->config.tick_ms / 1000;
    int64_t deg = car->heading_deg + (car->velocity_mm_s <= 0 ? 180 : 0);
    return (struct place){clamp_place(car->x_mm + cosine(car, deg) * way / TRIG_SCALE),
                          clamp_place(car->y_mm + sine(car, deg) * way / TRIG_SCALE)};
}

enum car_paper_outcome car_paper_move(struct car_paper *car)
{
    const struct car_paper_config *config = &car->config;
    struct place from = {car->x_mm, car->y_mm}, to = next_place(car), where;
    car->x_mm = to.x;
    car->y_mm = to.y;
    for (size_t i = 0; i < config->n_walls; i++) {
        if (meet(from, to, &config->walls[i], &where)) {
            return CAR_PAPER_HIT;
        }
    }
    if (config->has_finish && meet(from, to, &config->finish, &where)) {
        return CAR_PAPER_FINISHED;
    }
    sense(car);
    return CAR_PAPER_DRIVES;
}
