/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of WitMotion sensors. The bytes and numbers are worked out by hand from the formulas of
 * the data sheet WT901 v20-0702, section 5.1; the maker publishes no example. */
#include <doppel/protocol/witmotion.h>

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <doppel/math/geometry.h>

/* 1 g upwards is 32768 / 16 = 2048 = 0x0800; 26.5 degrees C is 2650 = 0x0a5a. */
static const uint8_t at_rest[] = {0x55, 0x51, 0, 0, 0, 0, 0, 8, 0x5a, 0x0a, 0x12};
/* 90 deg/s is 32768 * 90 / 2000 = 1474.56, so 1475 = 0x05c3; minus 90 deg/s 0xfa3d. */
static const uint8_t turning[] = {0x55, 0x52, 0xc3, 0x05, 0x3d, 0xfa, 0, 0, 0x5a, 0x0a, 0x0a};
/* 45 deg is 8192 = 0x2000; minus 90 deg is -16384 = 0xc000; -180 deg is 0x8000. */
static const uint8_t tilted[] = {0x55, 0x53, 0, 0x20, 0, 0xc0, 0, 0x80, 0x02, 0, 0x0a};

static struct dpl_witmotion_parser parser;
static struct dpl_witmotion_packet packet;

static bool next(struct dpl_byte_view *input)
{
    return dpl_witmotion_next(&parser, input, &packet);
}

static void feed(const uint8_t *bytes, size_t n)
{
    struct dpl_byte_view input = {bytes, n};
    cr_assert(next(&input));
    cr_assert_eq(input.size, 0);
}

Test(witmotion, acceleration_is_in_sixteenths_of_g)
{
    double vector[3];
    feed(at_rest, sizeof at_rest);
    cr_assert_eq(packet.type, DPL_WITMOTION_ACCELERATION);
    dpl_witmotion_vector(&packet, vector);
    cr_assert_eq(vector[0], 0.0);
    cr_assert_float_eq(vector[2], 9.80665, 1e-12);
    cr_assert_float_eq(dpl_witmotion_celsius(&packet), 26.5, 1e-12);
}

Test(witmotion, angular_velocity_is_in_parts_of_2000_degrees_a_second)
{
    double vector[3];
    feed(turning, sizeof turning);
    cr_assert_eq(packet.type, DPL_WITMOTION_RATE);
    dpl_witmotion_vector(&packet, vector);
    cr_assert_float_eq(dpl_rad_to_deg(vector[0]), 90.0, 0.5 * 2000.0 / 32768.0);
    cr_assert_float_eq(dpl_rad_to_deg(vector[1]), -90.0, 0.5 * 2000.0 / 32768.0);
    cr_assert_eq(vector[2], 0.0);
}

Test(witmotion, angles_are_in_parts_of_180_degrees)
{
    double vector[3];
    feed(tilted, sizeof tilted);
    cr_assert_eq(packet.type, DPL_WITMOTION_ANGLES);
    dpl_witmotion_vector(&packet, vector);
    cr_assert_float_eq(vector[0], DPL_PI / 4, 1e-12);
    cr_assert_float_eq(vector[1], -DPL_PI / 2, 1e-12);
    cr_assert_float_eq(vector[2], -DPL_PI, 1e-12);
}

Test(witmotion, what_is_written_is_what_the_sensor_sends)
{
    uint8_t bytes[DPL_WITMOTION_PACKET];
    struct dpl_witmotion_packet made =
        dpl_witmotion_of(DPL_WITMOTION_ACCELERATION, (double[]){0.0, 0.0, 9.80665}, 2650);
    dpl_witmotion_write(&made, bytes);
    cr_assert_arr_eq(bytes, at_rest, sizeof at_rest);
    double right = DPL_PI / 2;
    made = dpl_witmotion_of(DPL_WITMOTION_RATE, (double[]){right, -right, 0.0}, 2650);
    dpl_witmotion_write(&made, bytes);
    cr_assert_arr_eq(bytes, turning, sizeof turning);
    made = dpl_witmotion_of(DPL_WITMOTION_ANGLES, (double[]){right / 2, -right, -DPL_PI}, 2);
    dpl_witmotion_write(&made, bytes);
    cr_assert_eq(made.words[2], INT16_MAX, "half a turn is positive, and the last word below it");
}

Test(witmotion, what_is_beyond_the_range_is_its_end)
{
    const double far[3] = {1e9, -1e9, (double)NAN};
    for (int type = DPL_WITMOTION_ACCELERATION; type <= DPL_WITMOTION_RATE; type++) {
        struct dpl_witmotion_packet made = dpl_witmotion_of((enum dpl_witmotion_type)type, far, 0);
        cr_assert_eq(made.words[0], INT16_MAX);
        cr_assert_eq(made.words[1], INT16_MIN);
        cr_assert_eq(made.words[2], 0);
    }
    const double endless[3] = {(double)INFINITY, -(double)INFINITY, 0.0};
    struct dpl_witmotion_packet made = dpl_witmotion_of(DPL_WITMOTION_RATE, endless, 0);
    cr_assert_eq(made.words[0], INT16_MAX);
    cr_assert_eq(made.words[1], INT16_MIN);
    made = dpl_witmotion_of(DPL_WITMOTION_ANGLES, (double[]){3.0 * DPL_PI / 2.0, 0.0, 0.0}, 0);
    cr_assert_eq(made.words[0], -16384, "three quarters of a turn are a quarter back");
}

Test(witmotion, a_stream_gives_the_same_packets_for_every_division)
{
    uint8_t stream[3 * DPL_WITMOTION_PACKET];
    memcpy(stream, at_rest, sizeof at_rest);
    memcpy(stream + 11, turning, sizeof turning);
    memcpy(stream + 22, tilted, sizeof tilted);
    for (size_t chunk = 1; chunk <= sizeof stream; chunk++) {
        unsigned types = 0;
        parser = (struct dpl_witmotion_parser){0};
        for (size_t at = 0; at < sizeof stream; at += chunk) {
            size_t left = sizeof stream - at;
            struct dpl_byte_view input = {stream + at, left < chunk ? left : chunk};
            while (next(&input)) {
                types = types << 4 | (packet.type & 15u);
            }
        }
        cr_assert_eq(types, 0x123, "chunks of %zu", chunk);
        cr_assert_eq(parser.dropped_bytes, 0);
    }
}

Test(witmotion, finds_a_packet_behind_garbage_and_a_false_header)
{
    uint8_t stream[6 + 2 * DPL_WITMOTION_PACKET] = {1, 2, 0x55, 0x51, 0x55, 0x55};
    memcpy(stream + 6, tilted, sizeof tilted);
    memcpy(stream + 17, at_rest, sizeof at_rest);
    struct dpl_byte_view input = {stream, sizeof stream};
    cr_assert(next(&input));
    cr_assert_eq(packet.type, DPL_WITMOTION_ANGLES);
    cr_assert_eq(packet.offset, 6);
    cr_assert(next(&input));
    cr_assert_eq(packet.offset, 17);
    cr_assert_not(next(&input));
    cr_assert_eq(parser.packets, 2);
    cr_assert_eq(parser.dropped_bytes, 6);
    cr_assert_geq(parser.checksum_errors, 1);
}

Test(witmotion, a_wrong_check_is_counted_and_its_packet_left_out)
{
    uint8_t stream[2 * DPL_WITMOTION_PACKET];
    memcpy(stream, at_rest, sizeof at_rest);
    memcpy(stream + 11, turning, sizeof turning);
    stream[7] ^= 1u;
    struct dpl_byte_view input = {stream, sizeof stream};
    cr_assert(next(&input));
    cr_assert_eq(packet.type, DPL_WITMOTION_RATE);
    cr_assert_eq(parser.checksum_errors, 1);
    cr_assert_eq(parser.dropped_bytes, DPL_WITMOTION_PACKET);
}
