/* SPDX-License-Identifier: Apache-2.0 */
/* Both Firmata drivers over real ptys: `firmata` against `doppel emulate firmata`, and against
 * `firmata_board` as its board. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/pins.h>
#include <doppel/plugin.h>

#include "turned_loop.h"

#define WAIT_MS 5000

extern const struct dpl_plugin host_plugin, board_plugin;

static struct fake_device host, board;

static bool until(bool (*holds)(void), uint64_t ms)
{
    return loop_turn(holds, NULL, 2, ms);
}

#define UNTIL(holds) cr_assert(until(holds, WAIT_MS), #holds " not within %d ms", WAIT_MS)

/* ---- setting up ---- */

/* `sets`: names and values in turn, NULL ends. */
static void open_device(struct fake_device *fake, const struct dpl_plugin *plugin,
                        const char *const *sets)
{
    loop_device_begin(fake, plugin->driver);
    for (; *sets; sets += 2) {
        fake_device_set(fake, sets[0], sets[1]);
    }
    fake_device_open(fake);
}

#define OPEN(fake, plugin, ...) open_device(fake, plugin, (const char *const[]){__VA_ARGS__, NULL})

static double exported(struct fake_device *fake, const char *name)
{
    dpl_pins_execute(&fake->device, NULL);
    return fake_device_export(fake, name);
}

static void end(void)
{
    fake_device_end(&host);
    fake_device_end(&board);
    loop_end();
}

static void start_emulator(void)
{
    loop_start((const char *const[]){"firmata", "--pty", loop.link, "--wire", "8=7", "--wire",
                                     "9=A0", "--wire", "10=A1", "--input", "A2=0.25", "--echo",
                                     "4=5800", NULL});
    UNTIL(loop_link_is_there);
}

/* ---- what is waited for ---- */

static struct {
    struct fake_device *device;
    unsigned pin;
    bool level;
    double ratio, tolerance;
} wanted;

static bool reads_level(void)
{
    bool level;
    return dpl_pins_read(&wanted.device->device, wanted.pin, &level) == 0 && level == wanted.level;
}

static bool reads_ratio(void)
{
    double ratio;
    return dpl_pins_read_analog(&wanted.device->device, wanted.pin, &ratio) == 0 &&
           fabs(ratio - wanted.ratio) <= wanted.tolerance;
}

static bool reads_duty(void)
{
    double duty, frequency;
    return dpl_pins_read_pwm(&wanted.device->device, wanted.pin, &duty, &frequency) == 0 &&
           fabs(duty - wanted.ratio) <= wanted.tolerance;
}

static void expect_level(struct fake_device *fake, unsigned pin, bool level)
{
    wanted.device = fake;
    wanted.pin = pin;
    wanted.level = level;
    cr_assert(until(reads_level, WAIT_MS), "pin %u does not become %d", pin, level);
}

static void expect_number(bool (*reads)(void), struct fake_device *fake, unsigned pin, double ratio,
                          double tolerance)
{
    wanted.device = fake;
    wanted.pin = pin;
    wanted.ratio = ratio;
    wanted.tolerance = tolerance;
    cr_assert(until(reads, WAIT_MS), "pin %u does not become %g", pin, ratio);
}

#define expect_ratio(...) expect_number(reads_ratio, __VA_ARGS__)
#define expect_duty(...)  expect_number(reads_duty, __VA_ARGS__)

static bool host_is_lost(void)
{
    return host.is_lost;
}

static bool host_is_unplugged(void)
{
    return host.is_lost && !strstr(host.newest_why, "lacks");
}

static bool host_lacks_pins(void)
{
    return host.is_lost && strstr(host.newest_why, "lacks");
}

static bool host_is_found(void)
{
    return !host.is_lost && host.n_found > 0;
}

static bool host_knows_its_board(void)
{
    return strstr(host.log, "Firmata 2.5") != NULL;
}

static bool board_is_lost(void)
{
    return board.is_lost;
}

static bool board_is_found(void)
{
    return !board.is_lost && board.n_found > 0;
}

static bool board_dropped_bytes(void)
{
    return exported(&board, "dropped_bytes") >= 6.0;
}

TestSuite(firmata, .init = loop_begin, .fini = end, .timeout = 30);

/* ---- against the emulated board ---- */

static void set_mode(struct fake_device *fake, unsigned pin, enum dpl_pin_mode mode)
{
    cr_assert_eq(dpl_pins_set_mode(&fake->device, pin, mode), 0, "pin %u, mode %d", pin, mode);
}

Test(firmata, finds_pins_by_name_number_and_analog_channel)
{
    unsigned pin;
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link, "Pins", "SERVO=10, IR3=A1");
    cr_assert_eq(dpl_pins_find(&host.device, "SERVO", &pin), 0);
    cr_assert_eq(pin, 10);
    cr_assert_eq(dpl_pins_find(&host.device, "IR3", &pin), 0);
    cr_assert_eq(pin, 15);
    cr_assert_eq(dpl_pins_find(&host.device, "A5", &pin), 0);
    cr_assert_eq(pin, 19);
    cr_assert_eq(dpl_pins_find(&host.device, "7", &pin), 0);
    cr_assert_eq(pin, 7);
    cr_assert_eq(dpl_pins_find(&host.device, "64", &pin), -ENOENT);
    cr_assert_eq(dpl_pins_find(&host.device, "MOTOR", &pin), -ENOENT);
}

Test(firmata, drives_and_reads_the_pins_of_a_board)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    struct dpl_device *device = &host.device;
    bool level;
    set_mode(&host, 8, DPL_PIN_OUTPUT);
    set_mode(&host, 7, DPL_PIN_INPUT);
    set_mode(&host, 16, DPL_PIN_ANALOG_IN);
    cr_assert_eq(dpl_pins_read(device, 7, &level), -EAGAIN, "no report has come");
    expect_level(&host, 7, false);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), 0);
    expect_level(&host, 7, true);
    cr_assert_eq(dpl_pins_write(device, 8, false, 0), 0);
    expect_level(&host, 7, false);
    struct dpl_pin_edge edges[4];
    size_t n;
    unsigned lost = 0;
    cr_assert_eq(dpl_pins_read_edges(device, 7, edges, 4, &n, &lost), 0);
    cr_assert_eq(n, 2);
    cr_assert(edges[0].level && !edges[1].level && edges[1].at > edges[0].at && lost == 0);
    expect_ratio(&host, 16, 0.25, 0.001);
}

Test(firmata, gives_pulses_and_servo_positions)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    struct dpl_device *device = &host.device;
    set_mode(&host, 9, DPL_PIN_PWM_OUT);
    set_mode(&host, 14, DPL_PIN_ANALOG_IN);
    set_mode(&host, 10, DPL_PIN_PWM_OUT);
    set_mode(&host, 15, DPL_PIN_ANALOG_IN);
    cr_assert_eq(dpl_pins_write_pwm(device, 9, 0.4, 490.0), 0);
    expect_ratio(&host, 14, 0.4, 0.001);
    cr_assert_eq(dpl_pins_write_pwm(device, 10, 0.075, 50.0), 0, "1.5 ms in 20 ms");
    expect_ratio(&host, 15, 0.075, 0.001);
    cr_assert_eq(dpl_pins_write_pwm(device, 10, 0.6, 490.0), 0, "no servo any more");
    expect_ratio(&host, 15, 0.6, 0.001);
}

/* Level, PWM and the pulses of a servo, seen over the board's wires. */
Test(firmata, outputs_rest_while_nobody_commands_in_time)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    struct dpl_device *device = &host.device;
    set_mode(&host, 8, DPL_PIN_OUTPUT);
    set_mode(&host, 7, DPL_PIN_INPUT);
    set_mode(&host, 9, DPL_PIN_PWM_OUT);
    set_mode(&host, 14, DPL_PIN_ANALOG_IN);
    set_mode(&host, 10, DPL_PIN_PWM_OUT);
    set_mode(&host, 15, DPL_PIN_ANALOG_IN);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(device, 9, 0.4, 490.0), 0);
    cr_assert_eq(dpl_pins_write_pwm(device, 10, 0.075, 50.0), 0);
    expect_level(&host, 7, true);
    expect_ratio(&host, 14, 0.4, 0.001);
    expect_ratio(&host, 15, 0.075, 0.001);
    host.is_late = true;
    expect_level(&host, 7, false);
    expect_ratio(&host, 14, 0.0, 0.0);
    expect_ratio(&host, 15, 0.0, 0.0);
    cr_assert_eq(dpl_pins_write_pwm(device, 9, 0.7, 490.0), 0, "taken, but not followed");
    host.is_late = false;
    until(NULL, 100);
    expect_level(&host, 7, false);
    cr_assert_eq(dpl_pins_write_pwm(device, 9, 0.6, 490.0), 0);
    cr_assert_eq(dpl_pins_write_pwm(device, 10, 0.06, 50.0), 0);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), 0);
    expect_ratio(&host, 14, 0.6, 0.002);
    expect_ratio(&host, 15, 0.06, 0.001);
    expect_level(&host, 7, true);
}

Test(firmata, refuses_what_a_board_cannot_do)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    struct dpl_device *device = &host.device;
    double number;
    bool level;
    UNTIL(host_knows_its_board);
    cr_assert_eq(dpl_pins_set_mode(device, 8, DPL_PIN_ANALOG_IN), -ENOTSUP);
    cr_assert_eq(dpl_pins_set_mode(device, 14, DPL_PIN_PWM_OUT), -ENOTSUP);
    cr_assert_eq(dpl_pins_set_mode(device, 8, DPL_PIN_PWM_IN), -ENOTSUP);
    cr_assert_eq(dpl_pins_set_mode(device, 8, DPL_PIN_ANALOG_OUT), -ENOTSUP);
    cr_assert_eq(dpl_pins_set_mode(device, 0, DPL_PIN_OUTPUT), -ENOTSUP, "the serial port");
    cr_assert_eq(dpl_pins_set_mode(device, 20, DPL_PIN_INPUT), -EINVAL);
    set_mode(&host, 8, DPL_PIN_INPUT);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), -EPERM);
    cr_assert_eq(dpl_pins_read_analog(device, 8, &number), -EPERM);
    set_mode(&host, 8, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_write(device, 8, true, dpl_device_now(device) + DPL_S), -ENOTSUP);
    cr_assert_eq(dpl_pins_read(device, 8, &level), 0);
    cr_assert_not(level, "a refused write does nothing");
}

Test(firmata, finds_an_unplugged_board_again_with_its_modes_and_outputs_off)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    struct dpl_device *device = &host.device;
    bool level;
    set_mode(&host, 8, DPL_PIN_OUTPUT);
    set_mode(&host, 7, DPL_PIN_INPUT);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), 0);
    expect_level(&host, 7, true);
    loop_signal(SIGUSR1);
    UNTIL(host_is_lost);
    cr_assert_eq(dpl_pins_read(device, 7, &level), -ENODEV);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), -ENODEV);
    loop_signal(SIGUSR1);
    UNTIL(host_is_found);
    expect_level(&host, 7, false);
    cr_assert_eq(dpl_pins_write(device, 8, true, 0), 0);
    expect_level(&host, 7, true);
    cr_assert_eq(exported(&host, "reconnects"), 1.0);
}

Test(firmata, loses_a_board_that_hangs)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link, "SilenceTimeout", "200");
    UNTIL(host_knows_its_board);
    until(NULL, 400);
    cr_assert_not(host.is_lost, "a quiet board is asked for a sign of life");
    loop_signal(SIGSTOP);
    UNTIL(host_is_lost);
    loop_signal(SIGCONT);
    UNTIL(host_is_found);
}

Test(firmata, says_when_analog_pins_are_elsewhere)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link, "FirstAnalogPin", "54");
    UNTIL(host_is_lost);
    cr_assert_not_null(strstr(host.newest_why, "pin 14; set FirstAnalogPin"), "%s",
                       host.newest_why);
}

/* ---- as the board ---- */

static struct dpl_pin_edge echo[4];
static size_t n_echo;

static bool echo_is_there(void)
{
    unsigned lost = 0;
    size_t n = 0;
    cr_assert_eq(dpl_pins_read_edges(&host.device, 4, echo + n_echo, 4 - n_echo, &n, &lost), 0);
    n_echo += n;
    return n_echo >= 2;
}

Test(firmata, has_the_board_time_an_answering_pulse)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link);
    UNTIL(host_knows_its_board);
    set_mode(&host, 4, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_ping(&host.device, 4, 5 * DPL_US, 50 * DPL_MS), -EPERM);
    set_mode(&host, 4, DPL_PIN_INPUT);
    cr_assert_eq(dpl_pins_ping(&host.device, 4, 0, 50 * DPL_MS), -EINVAL);
    for (int i = 0; i < 2; i++) {
        n_echo = 0;
        cr_assert_eq(dpl_pins_ping(&host.device, 4, 5 * DPL_US, 50 * DPL_MS), 0);
        UNTIL(echo_is_there);
        cr_assert_eq(n_echo, 2);
        cr_assert(echo[0].level && !echo[1].level);
        cr_assert_eq(echo[1].at - echo[0].at, 5800 * DPL_US);
    }
}

static void join(void)
{
    OPEN(&board, &board_plugin, "Address", loop.pty, "Pins", "SPARE SERVO MOTOR IR BUTTON",
         "SilentAfter", "300");
    UNTIL(loop_link_is_there);
    OPEN(&host, &host_plugin, "Address", loop.link, "FirstAnalogPin", "0", "SilenceTimeout", "200");
    UNTIL(host_knows_its_board);
}

/* The bench hangs: its sensors show nothing, and nothing of what the controller does is lost. */
Test(firmata, board_lets_its_wires_go_while_nobody_commands_in_time)
{
    enum { SPARE, SERVO, MOTOR, IR, BUTTON };
    join();
    set_mode(&board, BUTTON, DPL_PIN_OUTPUT);
    set_mode(&board, IR, DPL_PIN_PWM_OUT);
    set_mode(&board, MOTOR, DPL_PIN_INPUT);
    set_mode(&host, BUTTON, DPL_PIN_INPUT);
    set_mode(&host, IR, DPL_PIN_ANALOG_IN);
    set_mode(&host, MOTOR, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_write(&board.device, BUTTON, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(&board.device, IR, 0.3, 1000.0), 0);
    expect_level(&host, BUTTON, true);
    expect_ratio(&host, IR, 0.3, 0.001);
    board.is_late = true;
    expect_level(&host, BUTTON, false);
    expect_ratio(&host, IR, 0.0, 0.0);
    cr_assert_eq(dpl_pins_write(&host.device, MOTOR, true, 0), 0);
    expect_level(&board, MOTOR, true);
    board.is_late = false;
    until(NULL, 50);
    expect_level(&host, BUTTON, false);
    cr_assert_eq(dpl_pins_write(&board.device, BUTTON, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(&board.device, IR, 0.2, 1000.0), 0);
    expect_level(&host, BUTTON, true);
    expect_ratio(&host, IR, 0.2, 0.001);
}

Test(firmata, poses_as_the_board_of_a_controller)
{
    enum { SPARE, SERVO, MOTOR, IR, BUTTON };
    unsigned pin;
    dpl_ns at;
    join();
    cr_assert_eq(dpl_pins_find(&board.device, "IR", &pin), 0);
    cr_assert_eq(pin, IR);
    set_mode(&board, BUTTON, DPL_PIN_OUTPUT);
    set_mode(&board, IR, DPL_PIN_PWM_OUT);
    set_mode(&board, SERVO, DPL_PIN_PWM_IN);
    set_mode(&board, MOTOR, DPL_PIN_INPUT);
    set_mode(&host, BUTTON, DPL_PIN_INPUT);
    set_mode(&host, IR, DPL_PIN_ANALOG_IN);
    set_mode(&host, SERVO, DPL_PIN_PWM_OUT);
    set_mode(&host, MOTOR, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_last_driven(&board.device, MOTOR, &at), -EAGAIN);
    cr_assert_eq(dpl_pins_write(&board.device, BUTTON, true, 0), 0);
    cr_assert_eq(dpl_pins_write_pwm(&board.device, IR, 0.3, 1000.0), 0);
    expect_level(&host, BUTTON, true);
    expect_ratio(&host, IR, 0.3, 0.001);
    cr_assert_eq(dpl_pins_write_pwm(&host.device, SERVO, 0.075, 50.0), 0);
    expect_duty(&board, SERVO, 0.075, 1e-4);
    cr_assert_eq(dpl_pins_write(&host.device, MOTOR, true, 0), 0);
    expect_level(&board, MOTOR, true);
    cr_assert_eq(dpl_pins_last_driven(&board.device, MOTOR, &at), 0);
    cr_assert_leq(at, dpl_device_now(&board.device));
    struct dpl_pin_edge edges[4];
    size_t n;
    unsigned lost = 0;
    cr_assert_eq(dpl_pins_read_edges(&board.device, MOTOR, edges, 4, &n, &lost), 0);
    cr_assert_eq(n, 1);
    cr_assert(edges[0].level);
}

Test(firmata, is_lost_on_a_board_that_lacks_pins_and_names_them)
{
    OPEN(&board, &board_plugin, "Address", loop.pty, "Pins", "A B C D E F");
    UNTIL(loop_link_is_there);
    OPEN(&host, &host_plugin, "Address", loop.link, "FirstAnalogPin", "0", "Pins",
         "IN=2 SERVO=7 MOTOR=A8");
    set_mode(&host, 2, DPL_PIN_INPUT);
    set_mode(&host, 7, DPL_PIN_PWM_OUT);
    set_mode(&host, 8, DPL_PIN_PWM_OUT);
    set_mode(&host, 9, DPL_PIN_OUTPUT);
    UNTIL(host_is_lost);
    cr_assert_str_eq(host.newest_why, "the board has 6 pins and lacks SERVO (7), MOTOR (8), 9");
    fake_device_end(&board);
    UNTIL(host_is_unplugged);
    OPEN(&board, &board_plugin, "Address", loop.pty, "Pins", "A B C D E F G H");
    UNTIL(host_lacks_pins);
    cr_assert_str_eq(host.newest_why, "the board has 8 pins and lacks MOTOR (8), 9");
    cr_assert_eq(host.n_found, 0, "a board without its pins was found");
}

Test(firmata, is_lost_on_a_board_whose_pins_cannot_do_what_they_are_for)
{
    start_emulator();
    OPEN(&host, &host_plugin, "Address", loop.link, "Pins", "SERVO=A0");
    set_mode(&host, 14, DPL_PIN_PWM_OUT);
    set_mode(&host, 1, DPL_PIN_OUTPUT);
    UNTIL(host_is_lost);
    cr_assert_str_eq(host.newest_why, "pins of this board do not support their use: 1, SERVO (14)");
}

/* A program in the board's place that answers as far as it is told to. */
static void answer_only(const char *bytes, size_t n, const char *expected)
{
    OPEN(&host, &host_plugin, "Address", loop.pty, "BootTimeout", "300");
    UNTIL(loop_link_is_there);
    int fd = open(loop.link, O_RDWR | O_NOCTTY | O_NONBLOCK);
    cr_assert_geq(fd, 0);
    until(NULL, 30);
    cr_assert_eq(write(fd, bytes, n), (ssize_t)n);
    UNTIL(host_is_lost);
    cr_assert_not_null(strstr(host.newest_why, expected), "%s", host.newest_why);
    close(fd);
    fake_device_end(&host);
}

#define VERSION    "\xf9\x02\x05"
#define FIRMWARE   "\xf0\x79\x02\x05\xf7"
#define CAPABILITY "\xf0\x6c\x00\x01\x01\x01\x7f\xf7"

Test(firmata, says_which_answer_of_a_board_is_missing)
{
    answer_only("hello", 5, "nothing on this port speaks Firmata");
    answer_only(VERSION, 3, "does not answer the firmware query");
    answer_only(VERSION FIRMWARE, 8, "does not answer the capability query");
    answer_only(VERSION FIRMWARE CAPABILITY, 16, "does not answer the analog mapping query");
}

Test(firmata, tells_a_pulse_for_later_at_its_instants)
{
    join();
    set_mode(&host, 0, DPL_PIN_INPUT);
    expect_level(&host, 0, false);
    dpl_ns now = dpl_device_now(&board.device);
    set_mode(&board, 0, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_write(&board.device, 0, true, now + 50 * DPL_MS), 0);
    cr_assert_eq(dpl_pins_write(&board.device, 0, false, now + 150 * DPL_MS), 0);
    set_mode(&board, 0, DPL_PIN_INPUT);
    expect_level(&host, 0, true);
    cr_assert_geq(dpl_device_now(&host.device), now + 50 * DPL_MS);
    expect_level(&host, 0, false);
    cr_assert_geq(dpl_device_now(&host.device), now + 150 * DPL_MS);
}

Test(firmata, loses_a_controller_that_goes_and_finds_the_next)
{
    bool level;
    join();
    set_mode(&board, 2, DPL_PIN_INPUT);
    set_mode(&host, 2, DPL_PIN_OUTPUT);
    cr_assert_eq(dpl_pins_write(&host.device, 2, true, 0), 0);
    expect_level(&board, 2, true);
    fake_device_end(&host);
    UNTIL(board_is_lost);
    cr_assert_not_null(strstr(board.newest_why, "the controller has disconnected"), "%s",
                       board.newest_why);
    cr_assert_eq(dpl_pins_read(&board.device, 2, &level), -ENODEV);
    OPEN(&host, &host_plugin, "Address", loop.link, "FirstAnalogPin", "0");
    UNTIL(board_is_found);
    expect_level(&board, 2, false);
    cr_assert_eq(exported(&board, "connections"), 2.0);
}

Test(firmata, loses_a_controller_that_only_talks_nonsense)
{
    OPEN(&board, &board_plugin, "Address", loop.pty, "SilentAfter", "100");
    UNTIL(loop_link_is_there);
    int fd = open(loop.link, O_RDWR | O_NOCTTY | O_NONBLOCK);
    cr_assert_geq(fd, 0);
    until(NULL, 30);
    cr_assert_eq(write(fd, "\x01\x02\xf7\xfe\x90\x01\x91", 7), 7);
    UNTIL(board_dropped_bytes);
    UNTIL(board_is_lost);
    cr_assert_not_null(strstr(board.newest_why, "sent no valid message for 100 ms: "), "%s",
                       board.newest_why);
    cr_assert_not_null(strstr(board.newest_why, " invalid bytes"), "%s", board.newest_why);
    cr_assert_eq(write(fd, "\xf9", 1), 1);
    UNTIL(board_is_found);
    close(fd);
}
