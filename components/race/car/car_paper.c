/* SPDX-License-Identifier: Apache-2.0 */
/* The published car with integer arithmetic. */
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

static int64_t slope_of(struct place from, struct place to)
{
    return divide((to.y - from.y) * SLOPE_SCALE, to.x - from.x);
}

/* The point where the line of a ray meets a wall. The intercept and the points are truncated. */
static struct place point_on_ray(struct place from, struct place to,
                                 const struct car_paper_segment *wall)
{
    int64_t slope = slope_of(from, to);
    int64_t intercept = from.y - slope * from.x / SLOPE_SCALE;
    if (wall->x1 == wall->x2) {
        return (struct place){wall->x1, slope * wall->x1 / SLOPE_SCALE + intercept};
    }
    bool vertical = from.x == to.x;
    int64_t x = vertical ? from.x : divide((wall->y1 - intercept) * SLOPE_SCALE, slope);
    return (struct place){x, wall->y1};
}

/* The point where the line of a move meets a wall, relative to the start of the move. */
static struct place point_on_move(struct place from, struct place to,
                                  const struct car_paper_segment *wall)
{
    int64_t slope = slope_of(from, to);
    if (wall->x1 == wall->x2) {
        return (struct place){wall->x1, from.y + slope * (wall->x1 - from.x) / SLOPE_SCALE};
    }
    return (struct place){from.x + divide((wall->y1 - from.y) * SLOPE_SCALE, slope), wall->y1};
}

/* Whether the segment from `from` to `to` reaches the line of the wall. If it does not, nothing is
 * computed: within these bounds no overflow is possible. */
static bool reaches(struct place from, struct place to, const struct car_paper_segment *wall)
{
    return wall->x1 == wall->x2 ? within(wall->x1, from.x, to.x) : within(wall->y1, from.y, to.y);
}

static bool is_on_both(struct place p, struct place from, struct place to,
                       const struct car_paper_segment *wall)
{
    return within(p.x, from.x, to.x) && within(p.y, from.y, to.y) &&
           within(p.x, wall->x1, wall->x2) && within(p.y, wall->y1, wall->y2);
}

static bool crosses(struct place from, struct place to, const struct car_paper_segment *wall)
{
    return reaches(from, to, wall) && is_on_both(point_on_move(from, to, wall), from, to, wall);
}

/* The range to the wall; CAR_PAPER_NO_HIT when the ray does not meet it. */
static int64_t range_of(struct place from, struct place to, const struct car_paper_segment *wall)
{
    if (!reaches(from, to, wall)) {
        return CAR_PAPER_NO_HIT;
    }
    struct place p = point_on_ray(from, to, wall);
    if (!is_on_both(p, from, to, wall)) {
        return CAR_PAPER_NO_HIT;
    }
    int64_t dx = p.x - from.x, dy = p.y - from.y;
    return square_root(dx * dx + dy * dy);
}

static int64_t range(const struct car_paper *car, int64_t deg)
{
    const struct car_paper_config *config = &car->config;
    struct place from = {car->x_mm, car->y_mm};
    struct place to = {from.x + cosine(car, deg) * config->sight_mm / TRIG_SCALE,
                       from.y + sine(car, deg) * config->sight_mm / TRIG_SCALE};
    int64_t nearest = CAR_PAPER_NO_HIT;
    for (size_t i = 0; i < config->n_walls; i++) {
        int64_t distance = range_of(from, to, &config->walls[i]);
        nearest = distance < nearest ? distance : nearest;
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
                config->tick_ms <= 60000 && config->sight_mm >= 0 &&
                config->sight_mm <= CAR_PAPER_WAY_MAX_MM;
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
    way = way < CAR_PAPER_WAY_MAX_MM ? way : CAR_PAPER_WAY_MAX_MM;
    int64_t deg = car->heading_deg + (car->velocity_mm_s <= 0 ? 180 : 0);
    return (struct place){clamp_place(car->x_mm + cosine(car, deg) * way / TRIG_SCALE),
                          clamp_place(car->y_mm + sine(car, deg) * way / TRIG_SCALE)};
}

enum car_paper_outcome car_paper_move(struct car_paper *car)
{
    const struct car_paper_config *config = &car->config;
    struct place from = {car->x_mm, car->y_mm}, to = next_place(car);
    car->x_mm = to.x;
    car->y_mm = to.y;
    for (size_t i = 0; i < config->n_walls; i++) {
        if (crosses(from, to, &config->walls[i])) {
            return CAR_PAPER_HIT;
        }
    }
    if (config->has_finish && crosses(from, to, &config->finish)) {
        return CAR_PAPER_FINISHED;
    }
    sense(car);
    return CAR_PAPER_DRIVES;
}
