/* SPDX-License-Identifier: Apache-2.0 */
/* The emulated adapter and drives as an independent host meets them: text in, text out. */
#include <criterion/criterion.h>
#include <math.h>

#include "can_line.h"

static struct can_line line;
static char said[8192];
static dpl_ns now;

static void on_send(void *user, const uint8_t *bytes, size_t n, dpl_ns at)
{
    size_t have = strlen(said);
    cr_assert_lt(have + n, sizeof said);
    memcpy(said + have, bytes, n);
    said[have + n] = '\0';
}

static void begin(void)
{
    struct cia402_drive_config drives[2] = {
        {.node = 1, .counts_per_m = 1e6, .rated_force_n = 1e3, .start_m = 0.001},
        {.node = 2, .counts_per_m = 1e6, .rated_force_n = 1e3},
    };
    drives[0].motor = drives[1].motor = drive_motor_config_default();
    can_line_init(&line, drives, 2);
    line.send = on_send;
    can_line_power(&line, 0);
}

static void hear(const char *text)
{
    said[0] = '\0';
    can_line_receive(&line, (const uint8_t *)text, strlen(text), now);
}

static void expect(const char *text, const char *answer)
{
    hear(text);
    cr_assert_str_eq(said, answer, "'%s' is answered by '%s'", text, said);
}

static void pass(int ms)
{
    said[0] = '\0';
    for (int i = 0; i < ms; i++) {
        now += DPL_MS;
        can_line_advance(&line, now);
    }
}

TestSuite(can_line, .init = begin);

Test(can_line, the_adapter_answers_each_command)
{
    expect("V\rN\rF\r", "V1013\rNDPL1\rF00\r");
    expect("s0014\rs0000\r", "\r\a");
    expect("S8\rO\r", "\r\r");
    expect("s001C\r", "\a");
    expect("O\rS6\r", "\a\a");
    expect("t0800\r", "z\r");
    expect("T1234567800\r", "\a");
    expect("T123456780\r", "Z\r");
    expect("nonsense\r", "\a");
    expect("C\rC\r", "\r\a");
    expect("t0800\r", "\a");
}

Test(can_line, frames_of_drives_carry_a_stamp_when_that_is_asked_for)
{
    now = 61234 * DPL_MS;
    expect("Z1\rS8\rO\r", "\r\r\r");
    expect("t00028101\r", "z\rt70110004D2\r");
}

Test(can_line, a_drive_says_who_it_is_and_refuses_what_it_is_not)
{
    static const char *const rows[][2] = {
        {"t60184000100000000000\r", "z\rt58184300100092010200\r"},
        {"t60184001100000000000\r", "z\rt58184F01100000000000\r"},
        {"t60184064600000000000\r", "z\rt581843646000E8030000\r"},
        {"t60184000700000000000\r", "z\rt58188000700000000206\r"},
        {"t60184005100000000000\r", "z\rt58184305100080000000\r"},
        {"t60184014100000000000\r", "z\rt58184314100081000000\r"},
        {"t60184003100000000000\r", "z\rt58184F03100000000000\r"},
        {"t60182F03100001000000\r", "z\rt58188003100030000906\r"},
        {"t6018407D600100000000\r", "z\rt5818437D600100000000\r"},
        {"t601840F4600000000000\r", "z\rt581843F4600000000000\r"},
        {"t601840C2600300000000\r", "z\rt581880C2600311000906\r"},
        {"t60182F60600001000000\r", "z\rt58188060600030000906\r"},
        {"t60182F60600008000000\r", "z\rt58186060600000000000\r"},
        {"t60184061600000000000\r", "z\rt58184F61600008000000\r"},
        {"t60182364600001000000\r", "z\rt58188064600002000106\r"},
        {"t60182317100001000000\r", "z\rt58188017100012000706\r"},
        {"t601823001A0110004060\r", "z\rt581880001A0141000406\r"},
        {"t60182300160120006460\r", "z\rt58188000160141000406\r"},
        {"t60182300160110007A60\r", "z\rt58188000160141000406\r"},
        {"t60182300160120007A60\r", "z\rt58186000160100000000\r"},
        {"t6018230016022000B160\r", "z\rt58186000160200000000\r"},
        {"t6018230016031000B260\r", "z\rt58186000160300000000\r"},
        {"t60182F00160003000000\r", "z\rt58188000160042000406\r"},
        {"t60182F00160005000000\r", "z\rt58188000160042000406\r"},
        {"t60182F00160002000000\r", "z\rt58186000160000000000\r"},
        {"t60182300160110004060\r", "z\rt58188000160100000106\r"},
        {"t60182100100004000000\r", "z\rt58188000100002000106\r"},
        {"t6018A000100004000000\r", "z\rt58188000100001000405\r"},
        {"t60184018100000000000\r", "z\rt58184F18100004000000\r"},
        {"t60184018100100000000\r", "z\rt58184318100100000000\r"},
        {"t60184018100200000000\r", "z\rt58184318100202040000\r"},
        {"t60184018100300000000\r", "z\rt58184318100300000100\r"},
        {"t60184018100400000000\r", "z\rt58184318100451220600\r"},
        {"t60184009100000000000\r", "z\rt5818410910000B000000\r"},
        {"t60186000000000000000\r", "z\rt5818006E6F2068617264\r"},
        {"t60187000000000000000\r", "z\rt58181777617265000000\r"},
        {"t60182104640009000000\r", "z\rt58186004640000000000\r"},
        {"t60180048582D41203230\r", "z\rt58182000000000000000\r"},
        {"t60181B6B670000000000\r", "z\rt58183000000000000000\r"},
        {"t60184004640000000000\r", "z\rt58184104640009000000\r"},
    };
    hear("S8\rO\r");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect(rows[i][0], rows[i][1]);
    }
}

/* Process data with each SYNC, a watchdog of 50 ms, a target every 4 ms; then operational. */
static const char setup[] = "S8\rO\r"
                            "t60182300140101020080\r"
                            "t60182F00140201000000\r"
                            "t60182B00140532000000\r"
                            "t60182F00160000000000\r"
                            "t60182300160110004060\r"
                            "t60182300160220007A60\r"
                            "t60182F00160002000000\r"
                            "t60182300140101020000\r"
                            "t60182300180181010080\r"
                            "t60182F00180201000000\r"
                            "t60182F001A0000000000\r"
                            "t601823001A0110004160\r"
                            "t601823001A0220006460\r"
                            "t60182F001A0002000000\r"
                            "t60182300180181010000\r"
                            "t60182F60600008000000\r"
                            "t60182FC2600104000000\r"
                            "t00020101\r";

Test(can_line, words_of_control_lead_to_operation_one_a_sync)
{
    hear(setup);
    cr_assert_null(strstr(said, "t58180"), "%s", said); /* nothing is aborted */
    expect("t20160000E8030000\rt0800\r", "z\rz\rt18164002E8030000\r");
    expect("t20160600E8030000\rt0800\r", "z\rz\rt18163102E8030000\r");
    expect("t20160700E8030000\rt0800\r", "z\rz\rt18163302E8030000\r");
    expect("t20160F00E8030000\rt0800\r", "z\rz\rt18163712E8030000\r");
    expect("t20160200E8030000\rt0800\r", "z\rz\rt18161702E8030000\r");
    expect("t20160000E8030000\rt0800\r", "z\rz\rt18164002E8030000\r");
}

static void operate(void)
{
    hear(setup);
    hear("t20160000E8030000\rt0800\rt20160600E8030000\rt0800\rt20160700E8030000\rt0800\rt20160F00E8"
         "030000\rt0800\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED);
}

Test(can_line, a_target_is_reached_one_period_after_its_sync)
{
    operate();
    hear("t20160F00D0070000\rt0800\r");
    pass(40);
    double x = drive_motor_position(&line.drives[0].motor, now);
    cr_assert_float_eq(x, 0.002, 1e-4, "%g m", x);
    cr_assert_float_eq(line.drives[0].motor.reference.position_m, 0.002, 1e-9);
}

Test(can_line, without_set_points_a_drive_says_why_and_stops)
{
    operate();
    hear("t20160F00E8030000\rt0800\r");
    pass(45);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED);
    pass(10);
    cr_assert_str_eq(said, "t08185082010000000000\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_SWITCH_ON_DISABLED, "it stood, and 605Ah is 2");
}

Test(can_line, a_fault_is_an_emergency_a_ramp_and_a_state_until_it_is_reset)
{
    operate();
    said[0] = '\0';
    cia402_drive_fail(&line.drives[0], 0x4310);
    cr_assert_str_eq(said, "t08181043010000000000\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_FAULT_REACTION);
    pass(5);
    expect("t20160F00E8030000\rt0800\r", "z\rz\rt18161802E8030000\r");
    expect("t20168000E8030000\rt0800\r", "z\rz\rt08180000000000000000\rt18164002E8030000\r");
}

Test(can_line, syncs_that_come_all_at_once_are_a_fault)
{
    operate();
    pass(4);
    for (int i = 0; i < 25; i++) {
        hear("t20160F00E8030000\rt0800\r");
    }
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED, "a late host");
    hear("t20160F00E8030000\rt0800\r");
    cr_assert_not_null(strstr(said, "t08180087"), "%s", said);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_FAULT_REACTION);
}

Test(can_line, errors_are_listed_newest_first_until_the_list_is_cleared)
{
    hear("S8\rO\r");
    for (int i = 0; i < 5; i++) {
        cia402_drive_fail(&line.drives[0], (uint16_t)(0x4310 + i));
        line.drives[0].state = DPL_CIA402_SWITCH_ON_DISABLED;
    }
    expect("t60184003100000000000\r", "z\rt58184F03100004000000\r");
    expect("t60184003100100000000\r", "z\rt58184303100114430000\r");
    expect("t60184003100400000000\r", "z\rt58184303100411430000\r");
    expect("t60182F03100000000000\r", "z\rt58186003100000000000\r");
    expect("t60184003100100000000\r", "z\rt58184303100100000000\r");
}

Test(can_line, two_syncs_without_a_target_are_a_fault_if_they_shall_be)
{
    operate();
    hear("t0800\rt0800\rt0800\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED);
    hear("t20160F00E8030000\rt0800\r");
    line.drives[0].config.missing_targets = 2;
    pass(4);
    hear("t0800\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED);
    hear("t20160F00E8030000\rt0800\rt0800\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED, "not two in a row");
    hear("t0800\r");
    cr_assert_eq(line.drives[0].state, DPL_CIA402_FAULT_REACTION);
    cr_assert_not_null(strstr(said, "t08185082"), "%s", said);
}

Test(can_line, a_drive_may_count_missing_targets_by_its_own_clock)
{
    operate();
    line.drives[0].config.late_targets = 2;
    hear("t20160F00E8030000\rt0800\r");
    pass(8);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_ENABLED);
    pass(1);
    cr_assert_eq(line.drives[0].state, DPL_CIA402_FAULT, "it stood");
    cr_assert_not_null(strstr(said, "t08185082"), "%s", said);
}

Test(can_line, a_target_beyond_the_software_limits_is_held_there_and_told)
{
    hear("S8\rO\rt6018237D6001E8030000\rt6018237D6002DC050000\r"); /* 1.0 to 1.5 mm */
    operate();
    hear("t20160F00D0070000\rt0800\r");
    for (int i = 0; i < 10; i++) {
        pass(4);
        hear("t20160F00D0070000\rt0800\r");
    }
    double x = drive_motor_position(&line.drives[0].motor, now);
    cr_assert_float_eq(x, 0.0015, 1e-4, "%g m", x);
    cr_assert_float_eq(line.drives[0].motor.reference.position_m, 0.0015, 1e-9);
    cr_assert_not_null(strstr(said, "t1816371A"), "bit 11: %s", said);
    hear("t20160F0078050000\rt0800\r");
    cr_assert_not_null(strstr(said, "t18163712"), "%s", said);
}

Test(can_line, a_drive_that_is_cut_off_neither_hears_nor_speaks)
{
    operate();
    line.drives[0].cut = true;
    expect("t0800\r", "z\r");
    cr_assert_eq(line.drives[0].syncs, 4);
}

/* One request at a time, the next as soon as the answer is there: faster than the bus at any speed,
 * as a host in the same machine is. */
static void ask_strictly(const char *speed, int n_requests)
{
    const dpl_ns round_trip = 40 * DPL_US;
    hear(speed);
    for (int i = 0; i < n_requests; i++) {
        hear("t60184000100000000000\r");
        cr_assert_eq(said[0], 'z', "request %d", i);
        dpl_ns asked = now;
        while (!strstr(said, "t5818430010009201")) {
            dpl_ns next = can_line_next(&line);
            cr_assert_lt(next, now + 100 * DPL_MS, "request %d is never answered", i);
            now = next > now ? next : now;
            can_line_advance(&line, now);
        }
        cr_assert_lt(now - asked, 60 * DPL_MS, "request %d", i);
        now += round_trip;
    }
    cr_assert_eq(line.lost_frames, 0);
    cr_assert_eq(line.refused_frames, 0);
}

Test(can_line, a_host_that_waits_for_each_answer_gets_each)
{
    ask_strictly("S8\rO\r", 6000);
    double carried_s = (double)line.bits / 1e6, passed_s = dpl_ns_to_s(now);
    cr_assert_float_eq(passed_s, carried_s, 0.025, "%g s for %g s of bus", passed_s, carried_s);
    can_line_connected(&line);
    ask_strictly("S1\rO\r", 600); /* 20 kbit/s */
}

Test(can_line, answers_wait_for_the_bus_in_their_order)
{
    hear("S0\rO\r"); /* 10 kbit/s: a frame of 8 bytes takes 13 ms */
    hear("t60184000100000000000\rt60184005100000000000\r");
    cr_assert_str_eq(said, "z\rz\r", "%s", said);
    pass(5);
    cr_assert_str_eq(said, "", "%s", said);
    pass(10);
    cr_assert_str_eq(said, "t58184300100092010200\r", "%s", said);
    pass(30);
    cr_assert_str_eq(said, "t58184305100080000000\r", "%s", said);
    cr_assert_eq(can_line_next(&line), INT64_MAX);
}

Test(can_line, a_host_that_fills_the_bus_is_refused_and_drives_without_room_are_counted)
{
    hear("S8\rO\r");
    for (int i = 0; i < 2000 && line.refused_frames == 0; i++) {
        hear("t0050\r"); /* nobody listens to it */
    }
    cr_assert_str_eq(said, "\a");
    cr_assert_eq(line.refused_frames, 1);
    cr_assert_eq(line.lost_frames, 0);
    for (int i = 0; i < CAN_LINE_HELD_MAX + 5; i++) {
        cia402_drive_fail(&line.drives[0], 0x4310);
        line.drives[0].state = DPL_CIA402_SWITCH_ON_DISABLED;
    }
    cr_assert_eq(line.lost_frames, 5);
    now += 10 * DPL_S;
    said[0] = '\0';
    line.n_held = 3;
    can_line_advance(&line, now);
    cr_assert_eq(line.n_held, 0);
}

Test(can_line, heartbeats_come_in_their_time)
{
    hear("S8\rO\rt60182B17100014000000\r");
    pass(101);
    cr_assert_str_eq(said, "t70117F\rt70117F\rt70117F\rt70117F\rt70117F\rt70117F\r");
}
