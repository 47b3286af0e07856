/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of controllers as bytes. */
#include "hil_codec.h"

#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

static uint8_t message[HIL_MESSAGE_MAX];
static struct hil_error error;

static size_t make_hello(const char *name)
{
    size_t length = strlen(name);
    memset(message, 0, HIL_HELLO_NAME);
    hil_put_head(message, HIL_HELLO_NAME + length, HIL_HELLO);
    memcpy(message + HIL_HEAD, HIL_MAGIC, 8);
    hil_put(message + HIL_HELLO_VERSION, HIL_VERSION, 2);
    hil_put(message + HIL_HELLO_MODE, HIL_LOCK_STEP, 2);
    hil_put(message + HIL_HELLO_EVERY, 4, 4);
    hil_put(message + HIL_HELLO_TIMEOUT, 100000, 4);
    hil_put(message + HIL_HELLO_NAME_LENGTH, length, 2);
    memcpy(message + HIL_HELLO_NAME, name, length);
    return HIL_HELLO_NAME + length;
}

static size_t add_want(size_t at, const char *path, const char *unit)
{
    hil_put(message + at, strlen(path), 2);
    hil_put(message + at + 2, strlen(unit), 2);
    memcpy(message + at + 4, path, strlen(path));
    memcpy(message + at + 4 + strlen(path), unit, strlen(unit));
    return at + 4 + strlen(path) + strlen(unit);
}

static size_t make_channels(unsigned n_sensors, unsigned n_commands)
{
    memset(message, 0, HIL_CHANNELS_FIRST);
    hil_put(message + HIL_CHANNELS_SENSORS, n_sensors, 2);
    hil_put(message + HIL_CHANNELS_COMMANDS, n_commands, 2);
    return HIL_CHANNELS_FIRST;
}

Test(hil_codec, the_bytes_of_a_hello_are_those_of_the_document)
{
    static const uint8_t expected[] = {
        33,  0,   0,   0,   1,   0,   0,    0,         /* size, kind */
        'D', 'P', 'L', 'H', 'I', 'L', '\r', '\n',      /* magic */
        1,   0,   1,   0,   4,   0,   0,    0,         /* version, mode, every */
        160, 134, 1,   0,   1,   0,   0,    0,    'x', /* 100000 us, length, 0, name */
    };
    struct hil_hello hello;
    cr_assert_eq(make_hello("x"), sizeof expected);
    cr_assert_arr_eq(message, expected, sizeof expected);
    cr_assert_eq(hil_hello_read(expected, sizeof expected, &hello, &error), 0);
    cr_assert_eq(hello.mode, HIL_LOCK_STEP);
    cr_assert_eq(hello.every, 4);
    cr_assert_eq(hello.timeout_us, 100000);
    cr_assert_str_eq(hello.name, "x");
}

Test(hil_codec, a_head_waits_for_eight_bytes_and_knows_four_kinds)
{
    enum hil_kind kind;
    size_t size;
    for (size_t n = 0; n < HIL_HEAD; n++) {
        cr_assert_eq(hil_head_read(message, n, &kind, &size, &error), -EAGAIN);
    }
    for (unsigned i = 0; i < 300; i++) {
        hil_put_head(message, i == HIL_BYE ? HIL_HEAD : 40, (enum hil_kind)i);
        int err = hil_head_read(message, HIL_HEAD, &kind, &size, &error);
        cr_assert_eq(err, i >= HIL_HELLO && i <= HIL_BYE ? 0 : -EINVAL, "kind %u", i);
    }
    hil_put_head(message, HIL_MESSAGE_MAX + 1, HIL_COMMAND);
    cr_assert_eq(hil_head_read(message, HIL_HEAD, &kind, &size, &error), -EINVAL);
    cr_assert_eq(error.offset, 0);
    hil_put_head(message, 15, HIL_COMMAND);
    cr_assert_eq(hil_head_read(message, HIL_HEAD, &kind, &size, &error), -EINVAL);
}

/* A hello with another number at a place must be refused there. */
static void refuse_hello(size_t at, uint64_t value, unsigned bytes, enum hil_code code,
                         size_t offset)
{
    struct hil_hello hello;
    size_t size = make_hello("name");
    hil_put(message + at, value, bytes);
    cr_assert_eq(hil_hello_read(message, size, &hello, &error), -EINVAL, "byte %zu", at);
    cr_assert_eq(error.code, code, "%s", error.text);
    cr_assert_eq(error.offset, offset, "%zu: %s", error.offset, error.text);
}

Test(hil_codec, each_wrong_number_of_a_hello_is_named_with_its_place)
{
    refuse_hello(HIL_HEAD + 6, '\n', 1, HIL_CODE_GARBAGE, HIL_HEAD);
    refuse_hello(HIL_HELLO_VERSION, 2, 2, HIL_CODE_VERSION, HIL_HELLO_VERSION);
    refuse_hello(HIL_HELLO_MODE, 2, 2, HIL_CODE_GARBAGE, HIL_HELLO_MODE);
    refuse_hello(HIL_HELLO_EVERY, 0, 4, HIL_CODE_GARBAGE, HIL_HELLO_EVERY);
    refuse_hello(HIL_HELLO_EVERY, HIL_EVERY_MAX + 1, 4, HIL_CODE_GARBAGE, HIL_HELLO_EVERY);
    refuse_hello(HIL_HELLO_TIMEOUT, 999, 4, HIL_CODE_GARBAGE, HIL_HELLO_TIMEOUT);
    refuse_hello(HIL_HELLO_TIMEOUT, HIL_TIMEOUT_MAX_US + 1, 4, HIL_CODE_GARBAGE, HIL_HELLO_TIMEOUT);
    refuse_hello(HIL_HELLO_NAME_LENGTH, 3, 2, HIL_CODE_GARBAGE, HIL_HELLO_NAME_LENGTH);
    refuse_hello(HIL_HELLO_NAME_LENGTH, 5, 2, HIL_CODE_GARBAGE, HIL_HELLO_NAME_LENGTH);
    refuse_hello(HIL_HELLO_NAME + 1, 0, 1, HIL_CODE_GARBAGE, HIL_HELLO_NAME_LENGTH);
    refuse_hello(HIL_HELLO_ZERO, 1, 2, HIL_CODE_GARBAGE, HIL_HELLO_NAME_LENGTH);
}

Test(hil_codec, channels_come_one_after_the_other_sensors_first)
{
    size_t size = make_channels(1, 2);
    size = add_want(size, "a/b", "rad");
    size_t second = size;
    size = add_want(size, "c", "");
    size = add_want(size, "d", "N m");
    struct hil_wants wants = {.message = message, .size = size};
    struct hil_want want;
    cr_assert_eq(hil_wants_next(&wants, &want, &error), 1);
    cr_assert_str_eq(want.path, "a/b");
    cr_assert_str_eq(want.unit, "rad");
    cr_assert_not(want.command);
    cr_assert_eq(hil_wants_next(&wants, &want, &error), 1);
    cr_assert_str_eq(want.path, "c");
    cr_assert_str_eq(want.unit, "");
    cr_assert(want.command);
    cr_assert_eq(want.offset, second);
    cr_assert_eq(hil_wants_next(&wants, &want, &error), 1);
    cr_assert_eq(hil_wants_next(&wants, &want, &error), 0);
}

Test(hil_codec, channels_that_are_cut_short_or_too_long_are_refused_with_their_place)
{
    struct hil_want want;
    size_t size = add_want(make_channels(1, 0), "path", "m");
    for (size_t n = HIL_CHANNELS_FIRST; n < size; n++) {
        struct hil_wants wants = {.message = message, .size = n};
        cr_assert_eq(hil_wants_next(&wants, &want, &error), -EINVAL, "%zu bytes", n);
        cr_assert_eq(error.offset, HIL_CHANNELS_FIRST);
    }
    struct hil_wants longer = {.message = message, .size = size + 2};
    cr_assert_eq(hil_wants_next(&longer, &want, &error), 1);
    cr_assert_eq(hil_wants_next(&longer, &want, &error), -EINVAL);
    cr_assert_eq(error.offset, size);
    make_channels(HIL_CHANNELS_MAX + 1, 0);
    struct hil_wants many = {.message = message, .size = size};
    cr_assert_eq(hil_wants_next(&many, &want, &error), -EINVAL);
    char path[HIL_PATH_MAX + 2];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    size = add_want(make_channels(1, 0), path, "");
    struct hil_wants wide = {.message = message, .size = size};
    cr_assert_eq(hil_wants_next(&wide, &want, &error), -EINVAL);
}

static void round_trip(const struct dpl_channel_type *type, const void *value, uint32_t n)
{
    struct dpl_channel_desc desc = {.type = type, .size = n, .unit = ""};
    uint8_t cells[64] = {0};
    _Alignas(8) uint8_t back[64] = {0};
    cr_assert_leq(hil_cells_bytes(&desc), sizeof cells);
    hil_cells_write(&desc, value, cells);
    hil_cells_read(&desc, cells, back);
    cr_assert_arr_eq(back, value, dpl_channel_bytes(&desc), "%s", type->name);
}

Test(hil_codec, values_of_every_type_come_back_with_every_bit)
{
    round_trip(&dpl_channel_number, (double[]){-0.1}, 1);
    round_trip(&dpl_channel_number, (double[]){(double)-INFINITY}, 1);
    round_trip(&dpl_channel_integer, (int64_t[]){INT64_MAX}, 1);
    round_trip(&dpl_channel_integer, (int64_t[]){-1}, 1);
    round_trip(&dpl_channel_flag, (bool[]){true}, 1);
    round_trip(&dpl_channel_vector, (double[]){1e-300, -0.0, 3.0}, 3);
    round_trip(&dpl_channel_pose, (double[]){1, 2, 3, 0.5, 0.5, 0.5, 0.5}, 7);
    round_trip(&dpl_channel_block, (float[]){0.1f, -3e38f}, 2);
}

Test(hil_codec, a_value_that_is_not_there_is_not_a_number_or_the_smallest_one)
{
    struct dpl_channel_desc number = {.type = &dpl_channel_number, .size = 1};
    struct dpl_channel_desc flag = {.type = &dpl_channel_flag, .size = 1};
    uint8_t cell[8];
    hil_cells_clear(&number, cell);
    cr_assert(isnan(hil_f64(cell)));
    hil_cells_clear(&flag, cell);
    cr_assert_eq((int64_t)hil_u64(cell), INT64_MIN);
}

Test(hil_codec, an_error_tells_its_code_the_place_in_all_bytes_and_a_text)
{
    hil_fail(&error, HIL_CODE_CHANNEL, 7, "no channel '%s'", "a");
    size_t size = hil_error_write(message, &error, 1007);
    cr_assert_eq(size, HIL_ERROR_TEXT + 14);
    cr_assert_eq(hil_u32(message), size);
    cr_assert_eq(hil_u16(message + 4), HIL_ERROR);
    cr_assert_eq(hil_u16(message + HIL_ERROR_CODE), HIL_CODE_CHANNEL);
    cr_assert_eq(hil_u64(message + HIL_ERROR_OFFSET), 1007);
    cr_assert_arr_eq(message + HIL_ERROR_TEXT, "no channel 'a'", 14);
}
