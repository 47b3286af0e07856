/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of floors as bits: ahead of the car, nearest first. */
#include "elevator_dispatch.h"

static uint32_t bit(unsigned floor)
{
    return (uint32_t)1 << floor;
}

static uint32_t above(unsigned floor)
{
    return floor + 1 < ELEVATOR_MAX_FLOORS ? UINT32_MAX << (floor + 1) : 0;
}

static uint32_t below(unsigned floor)
{
    return bit(floor) - 1;
}

static uint32_t ahead(unsigned floor, enum elevator_direction direction)
{
    return direction == ELEVATOR_UP ? above(floor) : below(floor);
}

static unsigned lowest(uint32_t floors)
{
    unsigned floor = 0;
    while (!(floors & bit(floor))) {
        floor++;
    }
    return floor;
}

static unsigned highest(uint32_t floors)
{
    unsigned floor = ELEVATOR_MAX_FLOORS - 1;
    while (!(floors & bit(floor))) {
        floor--;
    }
    return floor;
}

static enum elevator_direction opposite(enum elevator_direction direction)
{
    return (enum elevator_direction)(-(int)direction);
}

static uint32_t landing_calls(const struct elevator_calls *calls, enum elevator_direction direction)
{
    return direction == ELEVATOR_UP ? calls->up : calls->down;
}

/* Among some floors that lie ahead (or here). */
static bool next_among(const struct elevator_calls *calls, uint32_t floors,
                       enum elevator_direction direction, struct elevator_stop *ret_stop)
{
    bool is_up = direction == ELEVATOR_UP;
    uint32_t with = (calls->car | landing_calls(calls, direction)) & floors;
    uint32_t against = landing_calls(calls, opposite(direction)) & floors;
    if (with) {
        *ret_stop = (struct elevator_stop){is_up ? lowest(with) : highest(with), direction};
    } else if (against) {
        *ret_stop =
            (struct elevator_stop){is_up ? highest(against) : lowest(against), opposite(direction)};
    }
    return with || against;
}

bool elevator_nearest_call(const struct elevator_calls *calls, unsigned floor,
                           struct elevator_stop *ret_stop)
{
    uint32_t all = calls->car | calls->up | calls->down;
    for (unsigned way = 0; way < ELEVATOR_MAX_FLOORS; way++) {
        if (floor + way < ELEVATOR_MAX_FLOORS && (all & bit(floor + way))) {
            *ret_stop = (struct elevator_stop){floor + way, ELEVATOR_NO_DIRECTION};
            return true;
        }
        if (floor >= way && (all & bit(floor - way))) {
            *ret_stop = (struct elevator_stop){floor - way, ELEVATOR_NO_DIRECTION};
            return true;
        }
    }
    return false;
}

bool elevator_next_stop(const struct elevator_calls *calls, unsigned floor,
                        enum elevator_direction direction, struct elevator_stop *ret_stop)
{
    if (direction == ELEVATOR_NO_DIRECTION) {
        struct elevator_stop nearest;
        if (!elevator_nearest_call(calls, floor, &nearest)) {
            return false;
        }
        if (nearest.floor == floor) {
            *ret_stop = (struct elevator_stop){
                floor, elevator_leaving(calls, floor, ELEVATOR_NO_DIRECTION)};
            return true;
        }
        direction = nearest.floor > floor ? ELEVATOR_UP : ELEVATOR_DOWN;
    }
    for (int turn = 0; turn < 2; turn++) {
        if (next_among(calls, ahead(floor, direction) | bit(floor), direction, ret_stop)) {
            return true;
        }
        direction = opposite(direction);
    }
    return false;
}

bool elevator_next_on_the_way(const struct elevator_calls *calls, unsigned floor,
                              enum elevator_direction direction, uint32_t reachable,
                              struct elevator_stop *ret_stop)
{
    uint32_t floors = (ahead(floor, direction) | bit(floor)) & reachable;
    return next_among(calls, floors, direction, ret_stop);
}

static bool is_needed(const struct elevator_calls *calls, unsigned floor,
                      enum elevator_direction direction)
{
    uint32_t all = calls->car | calls->up | calls->down;
    return (landing_calls(calls, direction) & bit(floor)) || (all & ahead(floor, direction));
}

enum elevator_direction elevator_leaving(const struct elevator_calls *calls, unsigned floor,
                                         enum elevator_direction direction)
{
    enum elevator_direction first = direction == ELEVATOR_DOWN ? ELEVATOR_DOWN : ELEVATOR_UP;
    if (direction == ELEVATOR_NO_DIRECTION && !(calls->up & bit(floor)) &&
        (calls->down & bit(floor))) {
        first = ELEVATOR_DOWN; /* whoever waits here comes first */
    }
    if (is_needed(calls, floor, first)) {
        return first;
    }
    return is_needed(calls, floor, opposite(first)) ? opposite(first) : ELEVATOR_NO_DIRECTION;
}

struct elevator_calls elevator_served(unsigned floor, enum elevator_direction direction)
{
    return (struct elevator_calls){
        .car = bit(floor),
        .up = direction == ELEVATOR_DOWN ? 0 : bit(floor),
        .down = direction == ELEVATOR_UP ? 0 : bit(floor),
    };
}
