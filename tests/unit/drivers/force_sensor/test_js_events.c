/* SPDX-License-Identifier: Apache-2.0 */
/* A joystick's events as forces. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "js_events.h"

static struct js_parser parser;
static struct js_map map;
static struct force_error bad;

static void make(uint8_t *record, int16_t value, uint8_t type, uint8_t number)
{
    memset(record, 0x5a, 4);
    memcpy(record + 4, &value, 2);
    record[6] = type;
    record[7] = number;
}

static size_t send(int16_t value, uint8_t type, uint8_t number)
{
    uint8_t record[8];
    make(record, value, type, number);
    return js_parser_feed(&parser, record, sizeof record);
}

static double force(size_t dof)
{
    double wrench[DPL_SIX];
    js_map_apply(&map, &parser, wrench);
    return wrench[dof];
}

Test(js_events, push_the_mapped_degrees_of_freedom)
{
    cr_assert_eq(js_map_parse("0 y -50; 1 x 20; 5 yaw 2", &map, &bad), 0);
    cr_assert_eq(send(32767, 2, 0), 1);
    cr_assert_eq(send(-32767, 2, 1), 1);
    cr_assert_eq(send(-32768, 2, 5), 1);
    cr_assert_eq(force(1), -50.0);
    cr_assert_eq(force(0), -20.0);
    cr_assert_eq(force(5), -2.0);
    cr_assert_eq(force(2), 0.0);
}

Test(js_events, know_the_state_at_opening_as_a_state)
{
    cr_assert_eq(js_map_parse("3 z 10", &map, &bad), 0);
    cr_assert_eq(send(16384, 0x82, 3), 1);
    cr_assert_float_eq(force(2), 5.0, 1e-3);
}

Test(js_events, do_nothing_in_the_dead_zone_and_begin_at_nothing_behind_it)
{
    cr_assert_eq(js_map_parse("0 x 10", &map, &bad), 0);
    map.dead_zone = 0.2;
    send((int16_t)(0.2 * 32767), 2, 0);
    cr_assert_eq(force(0), 0.0);
    send((int16_t)(0.6 * 32767), 2, 0);
    cr_assert_float_eq(force(0), 5.0, 1e-3, "%g", force(0));
    send(-32767, 2, 0);
    cr_assert_float_eq(force(0), -10.0, 1e-12);
}

Test(js_events, come_through_however_the_stream_is_cut)
{
    uint8_t records[24];
    make(records, 1000, 2, 0);
    make(records + 8, 2000, 2, 1);
    make(records + 16, 3000, 2, 2);
    for (size_t cut = 0; cut <= sizeof records; cut++) {
        parser = (struct js_parser){.n = 0};
        size_t n = js_parser_feed(&parser, records, cut);
        n += js_parser_feed(&parser, records + cut, sizeof records - cut);
        cr_assert_eq(n, 3, "cut at %zu", cut);
        cr_assert_float_eq(parser.axes[2], 3000 / 32767.0, 1e-12);
    }
}

Test(js_events, ignore_buttons_and_count_what_they_do_not_know)
{
    cr_assert_eq(send(1, 1, 0), 1);
    cr_assert_eq(parser.n_unknown, 0);
    cr_assert_eq(send(1, 4, 0), 1);
    cr_assert_eq(send(1, 2, JS_AXES_MAX), 1);
    cr_assert_eq(parser.n_unknown, 2);
    cr_assert_eq(parser.n_events, 3);
}

Test(js_events, let_go_when_the_stick_is_gone)
{
    cr_assert_eq(js_map_parse("0 x 10", &map, &bad), 0);
    send(32767, 2, 0);
    js_parser_feed(&parser, (const uint8_t[]){1, 2, 3}, 3);
    js_parser_rest(&parser);
    cr_assert_eq(force(0), 0.0);
    cr_assert_eq(send(32767, 2, 0), 1);
    cr_assert_eq(force(0), 10.0);
    cr_assert_eq(parser.n_events, 2);
}

static void refuse(const char *text, size_t offset)
{
    cr_assert_lt(js_map_parse(text, &map, &bad), 0, "\"%s\" was taken", text);
    cr_assert_eq(bad.offset, offset, "\"%s\": %zu", text, bad.offset);
}

Test(js_events, refuse_bad_maps_and_say_where)
{
    refuse("32 x 1", 2);
    refuse("-1 x 1", 2);
    refuse("0.5 x 1", 3);
    refuse("0 w 1", 2);
    refuse("0 x", 3);
    refuse("0 x 1 2", 6);
    refuse("0 x 2e6", 7);
    char text[512] = "";
    for (int i = 0; i <= JS_ROWS_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "0 x 1;");
    }
    refuse(text, JS_ROWS_MAX * 6);
}
