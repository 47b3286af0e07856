/* SPDX-License-Identifier: Apache-2.0 */
/* Full collective control. */
#include "elevator_dispatch.h"

#include <criterion/criterion.h>
#include <doppel/math/random.h>

static uint32_t at(unsigned floor)
{
    return (uint32_t)1 << floor;
}

/* Serves all calls, as a car does that jumps; the floors in their order. Returns their number. */
static unsigned serve_all(struct elevator_calls calls, unsigned floor,
                          enum elevator_direction direction, unsigned *ret_floors, unsigned most)
{
    struct elevator_stop stop = {floor, direction};
    unsigned n = 0;
    while (n < most && elevator_next_stop(&calls, stop.floor, stop.direction, &stop)) {
        stop.direction = elevator_leaving(&calls, stop.floor, stop.direction);
        struct elevator_calls served = elevator_served(stop.floor, stop.direction);
        ret_floors[n++] = stop.floor;
        cr_assert((calls.car & served.car) | (calls.up & served.up) | (calls.down & served.down),
                  "doors open for somebody");
        calls.car &= ~served.car;
        calls.up &= ~served.up;
        calls.down &= ~served.down;
    }
    cr_assert(!calls.car && !calls.up && !calls.down);
    return n;
}

Test(elevator_dispatch, serves_in_the_collective_order)
{
    static const struct {
        struct elevator_calls calls;
        unsigned floor;
        enum elevator_direction direction;
        unsigned n, floors[6];
    } rows[] = {
        {{.car = 0x108, .down = 0x20}, 0, ELEVATOR_NO_DIRECTION, 3, {3, 8, 5}},
        {{.car = 0x108, .up = 0x20}, 0, ELEVATOR_NO_DIRECTION, 3, {3, 5, 8}},
        {{.down = 0x0a4}, 0, ELEVATOR_NO_DIRECTION, 3, {7, 5, 2}}, /* towards the nearest */
        {{.down = 0x0a4}, 0, ELEVATOR_UP, 3, {7, 5, 2}},           /* the farthest, then turn */
        {{.up = 0x014}, 9, ELEVATOR_DOWN, 2, {2, 4}},
        {{.car = 0x202}, 5, ELEVATOR_UP, 2, {9, 1}},
        {{.car = 0x202}, 5, ELEVATOR_DOWN, 2, {1, 9}},
        {{.car = 0x010, .down = 0x004}, 2, ELEVATOR_NO_DIRECTION, 2, {2, 4}},
        {{.car = 0x044}, 4, ELEVATOR_NO_DIRECTION, 2, {6, 2}}, /* equally near: above */
        {{.car = 0x80000001}, 31, ELEVATOR_NO_DIRECTION, 2, {31, 0}},
        {{.up = 0x080, .down = 0x080, .car = 0x208}, 5, ELEVATOR_UP, 4, {7, 9, 7, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned floors[16];
        unsigned n = serve_all(rows[i].calls, rows[i].floor, rows[i].direction, floors, 16);
        cr_expect_eq(n, rows[i].n, "row %zu: %u stops", i, n);
        for (unsigned k = 0; k < rows[i].n; k++) {
            cr_expect_eq(floors[k], rows[i].floors[k], "row %zu, stop %u: %u", i, k, floors[k]);
        }
    }
}

Test(elevator_dispatch, no_call_is_no_stop)
{
    const struct elevator_calls none = {0};
    struct elevator_stop stop = {7, ELEVATOR_UP};
    cr_assert(!elevator_next_stop(&none, 3, ELEVATOR_UP, &stop));
    cr_assert(!elevator_next_stop(&none, 3, ELEVATOR_NO_DIRECTION, &stop));
    cr_assert(!elevator_nearest_call(&none, 3, &stop));
    cr_assert_eq(elevator_leaving(&none, 3, ELEVATOR_UP), ELEVATOR_NO_DIRECTION);
    cr_assert_eq(stop.floor, 7);
}

Test(elevator_dispatch, any_calls_are_all_served_in_two_turns_and_no_floor_three_times)
{
    struct dpl_random random = dpl_random_seeded(12, 26);
    for (int k = 0; k < 20000; k++) {
        uint32_t word[3];
        for (int i = 0; i < 3; i++) {
            word[i] = (uint32_t)dpl_random_uniform(&random, 0.0, 4294967295.0) &
                      (uint32_t)dpl_random_uniform(&random, 0.0, 4294967295.0);
        }
        unsigned floors[3 * ELEVATOR_MAX_FLOORS], turns = 0, visits[ELEVATOR_MAX_FLOORS] = {0};
        unsigned n =
            serve_all((struct elevator_calls){word[0], word[1], word[2]},
                      (unsigned)dpl_random_uniform(&random, 0.0, 31.999),
                      (enum elevator_direction)(k % 3 - 1), floors, 3 * ELEVATOR_MAX_FLOORS);
        for (unsigned i = 0; i < n; i++) {
            cr_assert_leq(++visits[floors[i]], 2);
            turns += i >= 2 && (floors[i] > floors[i - 1]) != (floors[i - 1] > floors[i - 2]);
        }
        cr_assert_leq(turns, 2);
    }
}

Test(elevator_dispatch, a_moving_car_takes_only_what_it_can_reach)
{
    const struct elevator_calls calls = {.car = at(8), .up = at(2) | at(5), .down = at(10)};
    struct elevator_stop stop;
    cr_assert(elevator_next_on_the_way(&calls, 0, ELEVATOR_UP, at(8) | at(5) | at(10), &stop));
    cr_assert(stop.floor == 5 && stop.direction == ELEVATOR_UP);
    cr_assert(elevator_next_on_the_way(&calls, 0, ELEVATOR_UP, at(10), &stop));
    cr_assert(stop.floor == 10 && stop.direction == ELEVATOR_DOWN);
    cr_assert(!elevator_next_on_the_way(&calls, 0, ELEVATOR_UP, at(9), &stop));
}

Test(elevator_dispatch, the_nearest_call_is_another_order)
{
    struct elevator_calls calls = {.car = at(8), .down = at(5)};
    struct elevator_stop stop;
    cr_assert(elevator_nearest_call(&calls, 3, &stop) && stop.floor == 5);
    cr_assert(elevator_next_stop(&calls, 3, ELEVATOR_UP, &stop) && stop.floor == 8);
}
