/* SPDX-License-Identifier: Apache-2.0 */
/* The wall follower. Forward it steers to the side with more room, more strongly the nearer the
 * wall ahead is. When a wall is directly ahead, it drives backwards, turns to the open side, and
 * tries again. */
#include "follow.h"

#include <math.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

static double seen(double range, double otherwise)
{
    return isfinite(range) && range > 0.0 ? fmin(range, otherwise) : otherwise;
}

/* 0 with the wall at `near` or farther, 1 at the wall. */
static double push(double range, double near)
{
    return 1.0 - seen(range, near) / near;
}

static struct follow_demand forward(const struct follow_config *config,
                                    const double ranges[FOLLOW_SENSORS])
{
    double left = seen(ranges[FOLLOW_LEFT], config->reach);
    double right = seen(ranges[FOLLOW_RIGHT], config->reach);
    double front = seen(ranges[FOLLOW_FRONT], config->brake);
    double room = front / config->brake;
    double yaw = config->gain * (left - right) / (left + right) * (2.0 - room);
    yaw += push(ranges[FOLLOW_SIDE_RIGHT], config->near);
    yaw -= push(ranges[FOLLOW_SIDE_LEFT], config->near);
    yaw = dpl_clamp(yaw, -1.0, 1.0);
    double speed = dpl_clamp(room, config->least, 1.0) * (1.0 - 0.4 * fabs(yaw));
    return (struct follow_demand){.speed = speed, .yaw = yaw};
}

static int open_side(const struct follow_config *config, const double ranges[FOLLOW_SENSORS])
{
    double left =
        seen(ranges[FOLLOW_LEFT], config->reach) + seen(ranges[FOLLOW_SIDE_LEFT], config->near);
    double right =
        seen(ranges[FOLLOW_RIGHT], config->reach) + seen(ranges[FOLLOW_SIDE_RIGHT], config->near);
    return left >= right ? 1 : -1;
}

static bool room_behind(const struct follow_config *config, const double ranges[FOLLOW_SENSORS])
{
    return seen(ranges[FOLLOW_REAR_LEFT], config->near) >= 0.85 * config->near &&
           seen(ranges[FOLLOW_REAR_RIGHT], config->near) >= 0.85 * config->near;
}

/* Whether there is a wall ahead, or one that a corner of the car would touch, or a corner of the
 * lane. */
static bool is_blocked(const struct follow_config *config, const double ranges[FOLLOW_SENSORS])
{
    double left = seen(ranges[FOLLOW_LEFT], config->brake);
    double right = seen(ranges[FOLLOW_RIGHT], config->brake);
    double side_left = seen(ranges[FOLLOW_SIDE_LEFT], config->brake);
    double side_right = seen(ranges[FOLLOW_SIDE_RIGHT], config->brake);
    return seen(ranges[FOLLOW_FRONT], config->brake) < config->stuck ||
           fmin(left, right) < config->stuck || fmin(side_left, side_right) < config->stuck ||
           (side_left < 1.4 * config->stuck && side_right < 1.4 * config->stuck);
}

struct follow_demand follow_step(struct follow *self, const struct follow_config *config,
                                 const double ranges[FOLLOW_SENSORS], double period_s)
{
    if (self->state == FOLLOW_BACKWARD) {
        self->backward_s += period_s;
        if (self->backward_s < config->backward_s && room_behind(config, ranges)) {
            return (struct follow_demand){.speed = -config->least, .yaw = self->turn_back};
        }
        self->state = FOLLOW_FORWARD;
        self->blocked_s = 0.0;
    }
    bool blocked = is_blocked(config, ranges);
    self->blocked_s = blocked ? self->blocked_s + period_s : 0.0;
    if (self->blocked_s >= config->stuck_s && room_behind(config, ranges)) {
        self->state = FOLLOW_BACKWARD;
        self->backward_s = 0.0;
        self->turn_back = open_side(config, ranges);
        return (struct follow_demand){0};
    }
    return blocked ? (struct follow_demand){0} : forward(config, ranges);
}

/* The controller's calibration of infrared sensors, measured at the pin: the voltage as a part of
 * the reference (it decreases with distance) and the distance. */
static const struct {
    double duty, m; /* duty = 1 - ratio */
} points[] = {
    {0.158, 0.080}, {0.316, 0.100}, {0.414, 0.120}, {0.515, 0.150}, {0.615, 0.200},
    {0.679, 0.250}, {0.732, 0.300}, {0.787, 0.400}, {0.824, 0.500}, {0.846, 0.600},
};
enum { N_POINTS = sizeof points / sizeof points[0] };

double sense_infrared_m(double ratio)
{
    double duty = 1.0 - ratio;
    if (!(duty >= points[0].duty * 0.5 && duty <= 0.9)) {
        return 0.0; /* no distance belongs to this value */
    }
    size_t i = 1;
    while (i + 1 < N_POINTS && duty > points[i].duty) {
        i++;
    }
    double part = (duty - points[i - 1].duty) / (points[i].duty - points[i - 1].duty);
    double m = points[i - 1].m + part * (points[i].m - points[i - 1].m);
    return dpl_clamp(m, 0.07, 0.65);
}

void sense_edge(struct sense_echo *echo, int64_t at_ns, bool level)
{
    if (level) {
        echo->rise_ns = at_ns;
    } else if (echo->is_high) {
        echo->width_ns = at_ns - echo->rise_ns;
        echo->is_new = true;
    }
    echo->is_high = level;
}

double sense_echo_m(struct sense_echo *echo, double sound_m_s)
{
    double m = echo->is_new ? (double)echo->width_ns * 1e-9 * sound_m_s / 2.0 : 0.0;
    echo->is_new = false;
    return m;
}
