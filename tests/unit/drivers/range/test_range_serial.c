/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `serial` of range finders: what comes on the line, what is read, and when the board is
 * lost. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/range.h>
#include <doppel/plugin.h>
#include <doppel/protocol/range_line.h>

#include "fake_device.h"
#include "range_names.h"

static struct fake_device fake;
static struct dpl_device *const device = &fake.device;

static void begin(void)
{
    fake_device_begin(&fake, dpl_plugin.driver);
    fake_device_open(&fake);
    fake_stream_opened(&fake);
}

static void end(void)
{
    fake_device_end(&fake);
}

TestSuite(range_serial, .init = begin, .fini = end);

static void send_line(const char *id, bool is_contact, double value, dpl_ns now)
{
    struct dpl_range_line line = {.is_contact = is_contact, .value = value};
    char bytes[DPL_RANGE_LINE_MAX];
    snprintf(line.id, sizeof line.id, "%s", id);
    fake.now = now;
    fake_stream_data(&fake, bytes, dpl_range_line_write(&line, bytes));
}

static void run_timer(dpl_ns now)
{
    fake.now = now;
    fake_stream_timer(&fake);
}

static struct dpl_range_sample read_sample(void)
{
    struct dpl_range_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_range_execute(device, &tick), 0);
    cr_assert_eq(dpl_range_read(device, &sample), 0);
    return sample;
}

Test(range_serial, reads_the_newest_of_each_sensor_by_its_name)
{
    struct dpl_range_sample sample = read_sample();
    cr_assert_eq(sample.n_ranges, 3);
    cr_assert_eq(sample.n_contacts, 1);
    cr_assert_lt(sample.range_stamps[0], 0);
    send_line("left", false, 0.5, 10);
    send_line("right", false, (double)INFINITY, 20);
    send_line("bumper", true, 1.0, 30);
    send_line("left", false, 0.25, 40);
    sample = read_sample();
    cr_assert_lt(sample.range_stamps[0], 0, "front has not measured");
    cr_assert_eq(sample.ranges_m[1], 0.25);
    cr_assert_eq(sample.range_stamps[1], 40);
    cr_assert(isinf(sample.ranges_m[2]));
    cr_assert_eq(sample.range_stamps[2], 20);
    cr_assert_eq(sample.contacts[0], 1.0);
    cr_assert_eq(fake_device_export(&fake, "measurements"), 4.0);
}

Test(range_serial, counts_what_is_no_line_and_goes_on)
{
    fake.now = 5;
    fake_stream_data(&fake, "\x55\x51\n", 3);
    fake_stream_data(&fake, "R left 0.5*00\n", 14);
    send_line("left", false, 0.5, 10);
    cr_assert_eq(read_sample().ranges_m[1], 0.5);
    cr_assert_eq(fake_device_export(&fake, "checksum_errors"), 1.0);
    cr_assert_eq(fake_device_export(&fake, "dropped_bytes"), 17.0);
}

Test(range_serial, tells_once_of_a_sensor_without_a_name)
{
    send_line("rear", false, 0.5, 10);
    send_line("rear", false, 0.5, 20);
    cr_assert_not_null(strstr(fake.log, "the board has a range finder 'rear' that Ranges does not"),
                       "%s", fake.log);
    cr_assert_eq(fake.n_logged, 1);
    (void)read_sample();
    cr_assert_eq(fake_device_export(&fake, "foreign"), 2.0);
}

Test(range_serial, is_lost_when_the_board_is_silent_and_found_when_it_speaks)
{
    send_line("front", false, 0.5, 10);
    run_timer(10 + 500 * DPL_MS);
    cr_assert_not(fake.is_lost, "500 ms are allowed");
    run_timer(11 + 500 * DPL_MS);
    cr_assert(fake.is_lost);
    cr_assert_not_null(strstr(fake.why, "/dev/ranges: the board has stopped sending"), "%s",
                       fake.why);
    struct dpl_range_sample sample;
    const struct dpl_tick tick = {0};
    cr_assert_eq(dpl_range_execute(device, &tick), -ENODEV);
    cr_assert_eq(dpl_range_read(device, &sample), -ENODEV);
    fake.now = DPL_S;
    fake_stream_opened(&fake);
    send_line("front", false, 0.75, DPL_S + 1);
    cr_assert_not(fake.is_lost);
    cr_assert_eq(read_sample().ranges_m[0], 0.75);
    cr_assert_eq(fake_device_export(&fake, "reconnects"), 1.0);
}

Test(range_serial, says_that_a_board_sends_what_is_no_line)
{
    send_line("front", false, 0.5, 10);
    fake_stream_data(&fake, "R front 0.5*00\n", 15);
    run_timer(DPL_S);
    cr_assert_not_null(strstr(fake.why, "sends are no lines R ID METRES*CHECK any more"), "%s",
                       fake.why);
}

Test(range_serial, says_why_there_is_nothing)
{
    run_timer(DPL_S);
    cr_assert_not_null(strstr(fake.newest_why, "nothing comes on this port"), "%s",
                       fake.newest_why);
    fake_stream_opened(&fake);
    fake_stream_data(&fake, "\x01\x02\x03", 3);
    run_timer(2 * DPL_S);
    cr_assert_not_null(strstr(fake.newest_why, "no lines R ID METRES*CHECK"), "%s",
                       fake.newest_why);
    fake.now = 2 * DPL_S;
    fake_stream_opened(&fake);
    send_line("rear", false, 0.5, 2 * DPL_S);
    run_timer(3 * DPL_S);
    cr_assert_not_null(strstr(fake.newest_why, "no sensor that Ranges or Contacts names"), "%s",
                       fake.newest_why);
}

static const struct {
    const char *text, *expected; /* NULL: good */
} names[] = {
    {"", NULL},
    {" front \t left_2 ", NULL},
    {"a b c d e f g h", NULL},
    {"a b c d e f g h i", "character 17 (\"i\"): more than 8 names"},
    {"front,left", "character 1 (\"front,left\"): a name has letters"},
    {"a_name_of_16_let", "at most 15"},
    {"left right left", "character 12 (\"left\"): the name is there twice"},
};

Test(range_serial, names_are_words)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct dpl_diag diag = {0};
        int err = range_names_check(names[i].text, &diag);
        cr_assert_eq(err, names[i].expected ? -EINVAL : 0, "%s", names[i].text);
        cr_assert(!names[i].expected || strstr(diag.text, names[i].expected), "%s", diag.text);
    }
}
