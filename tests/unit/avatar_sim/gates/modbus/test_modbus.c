/* SPDX-License-Identifier: Apache-2.0 */
/* What masters read and write: values, batches, exceptions. */
#include "master_rig.h"

static struct rig rig;

static void stop(void)
{
    if (rig.server) {
        rig_stop(&rig);
    }
    rig.server = NULL;
}

TestSuite(modbus, .fini = stop);

static void expect_exception(struct rig_answer answer, uint8_t function, uint8_t code)
{
    cr_assert_eq(answer.n, 2);
    cr_assert_eq(answer.bytes[0], function | 0x80);
    cr_assert_eq(answer.bytes[1], code);
}

Test(modbus, registers_are_of_the_newest_step)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_run_ms(&rig, 70000);
    struct rig_answer time = RIG_ASK(&rig, fd, 4, 0, 10, 0, 3);
    const uint8_t expected[] = {4, 6, 0, 1, 0x11, 0x70, 0x11, 0x70}; /* 70000 = 0x11170 */
    cr_assert_eq(time.n, sizeof expected);
    cr_assert_arr_eq(time.bytes, expected, sizeof expected);
    cr_assert_eq(rig_read(&rig, fd, 4, 3), 12);
    struct rig_answer bits = RIG_ASK(&rig, fd, 2, 0, 0, 0, 2);
    cr_assert(bits.n == 3 && bits.bytes[2] == 1, "near is on, the brake is closed");
    close(fd);
}

Test(modbus, a_command_acts_from_the_next_step_on_and_reads_back)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_write(&rig, fd, 0, 500);
    cr_assert_eq(rig_number_at(&rig, "m/rail/velocity"), 0.0);
    rig_run_ms(&rig, 2);
    cr_assert_float_eq(rig_number_at(&rig, "m/rail/velocity"), 0.5, 1e-9);
    cr_assert_eq(rig_read(&rig, fd, 4, 2), 500);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 500);
    rig_run_ms(&rig, 88);
    struct rig_answer position = RIG_ASK(&rig, fd, 4, 0, 0, 0, 2); /* um, high word first */
    int um = position.bytes[2] << 24 | position.bytes[3] << 16 | position.bytes[4] << 8 |
             position.bytes[5];
    cr_assert_float_eq(um, 1e6 * rig_number_at(&rig, "m/rail/position"), 0.51);
    cr_assert_gt(um, 44000);
    rig_write_coil(&rig, fd, 0, true);
    rig_run_ms(&rig, 2);
    cr_assert(rig_flag(&rig, "m/brake/open"));
    struct rig_answer coils = RIG_ASK(&rig, fd, 1, 0, 0, 0, 2);
    cr_assert(coils.n == 3 && coils.bytes[2] == 1);
    close(fd);
}

Test(modbus, a_value_beyond_the_range_of_its_channel_is_held_at_its_end_and_counted)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_write(&rig, fd, 0, 30000);
    rig_run_ms(&rig, 20);
    cr_assert_float_eq(rig_number_at(&rig, "m/rail/velocity"), 2.0, 1e-9);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 30000);
    cr_assert_eq(dpl_sim_modbus_stats(rig.server).saturated, 1);
    rig_write(&rig, fd, 0, 30001);
    cr_assert_eq(dpl_sim_modbus_stats(rig.server).saturated, 1, "it is out of range still");
    close(fd);
}

Test(modbus, many_are_written_at_once_and_read_in_the_same_request)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    struct rig_answer many = RIG_ASK(&rig, fd, 16, 0, 0, 0, 4, 8, 0xFF, 0x38, 0, 1, 0, 5, 0, 6);
    const uint8_t wrote[] = {16, 0, 0, 0, 4};
    cr_assert(many.n == sizeof wrote && memcmp(many.bytes, wrote, sizeof wrote) == 0);
    rig_run_ms(&rig, 2);
    cr_assert_float_eq(rig_number_at(&rig, "m/rail/velocity"), -0.2, 1e-9);
    struct rig_answer both = RIG_ASK(&rig, fd, 23, 0, 1, 0, 3, 0, 1, 0, 1, 2, 0, 9);
    const uint8_t expected[] = {23, 6, 0, 9, 0, 5, 0, 6};
    cr_assert(both.n == sizeof expected && memcmp(both.bytes, expected, sizeof expected) == 0);
    struct rig_answer coils = RIG_ASK(&rig, fd, 15, 0, 0, 0, 2, 1, 3);
    cr_assert(coils.n == 5 && coils.bytes[0] == 15);
    rig_run_ms(&rig, 2);
    cr_assert(rig_flag(&rig, "m/brake/open") && !rig_flag(&rig, "m/near/on"));
    close(fd);
}

Test(modbus, what_is_not_mapped_or_only_read_answers_exceptions)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    expect_exception(RIG_ASK(&rig, fd, 3, 0, 2, 0, 3), 3, 2); /* one too far */
    expect_exception(RIG_ASK(&rig, fd, 4, 0, 4, 0, 1), 4, 2); /* a hole */
    expect_exception(RIG_ASK(&rig, fd, 4, 0, 3, 0, 8), 4, 2); /* over the hole */
    expect_exception(RIG_ASK(&rig, fd, 3, 0xFF, 0xFF, 0, 2), 3, 2);
    expect_exception(RIG_ASK(&rig, fd, 6, 0, 10, 0, 1), 6, 2); /* only an input */
    expect_exception(RIG_ASK(&rig, fd, 5, 0, 2, 0xFF, 0), 5, 2);
    expect_exception(RIG_ASK(&rig, fd, 1, 0, 0, 0, 0), 1, 3);
    expect_exception(RIG_ASK(&rig, fd, 3, 0, 0, 0, 126), 3, 3);
    expect_exception(RIG_ASK(&rig, fd, 22, 0, 0, 0, 1, 0, 1), 22, 1);
    rig_send(fd, (const uint8_t[]){3, 0, 0, 0, 1}, 5, 9);
    expect_exception(rig_hear(&rig, fd), 3, 11);
    cr_assert_eq(dpl_sim_modbus_stats(rig.server).exceptions, 10);
    close(fd);
}

Test(modbus, a_batch_with_one_bad_address_writes_nothing)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    expect_exception(RIG_ASK(&rig, fd, 16, 0, 0, 0, 5, 10, 1, 0, 0, 1, 0, 5, 0, 6, 0, 7), 16, 2);
    rig_run_ms(&rig, 2);
    cr_assert_eq(rig_number_at(&rig, "m/rail/velocity"), 0.0);
    cr_assert_eq(rig_read(&rig, fd, 3, 1), 0);
    close(fd);
}

Test(modbus, half_of_a_value_of_32_bits_is_not_written)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    expect_exception(RIG_ASK(&rig, fd, 6, 0, 2, 0, 1), 6, 2);
    expect_exception(RIG_ASK(&rig, fd, 16, 0, 1, 0, 2, 4, 0, 1, 0, 1), 16, 2);
    cr_assert_eq(rig_read(&rig, fd, 3, 2), 0);
    close(fd);
}

Test(modbus, unit_of_which_somebody_else_commands_a_channel_is_busy)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig.is_taken = true;
    expect_exception(RIG_ASK(&rig, fd, 16, 0, 0, 0, 2, 4, 1, 0, 0, 7), 16, 6);
    cr_assert_eq(rig_read(&rig, fd, 3, 1), 0, "nothing of it is written");
    rig_write(&rig, fd, 1, 7);                                   /* stands for no channel */
    expect_exception(RIG_ASK(&rig, fd, 5, 0, 0, 0xFF, 0), 5, 6); /* a unit is one commander */
    cr_assert_eq(rig.n_claims, 0, "all or none");
    rig.is_taken = false;
    rig_write(&rig, fd, 0, 500);
    cr_assert_eq(rig.n_claims, 3, "what its maps write, and nothing else");
    close(fd);
    rig_until_masters(&rig, 0);
    cr_assert_eq(rig.n_claims, 0);
    stop();
    const char *line = strstr(rig.notices, "unit 1 writes channel 'm/drive/setpoint', which "
                                           "another client commands");
    cr_assert(line, "%s", rig.notices);
    cr_assert_null(strstr(line + 1, "is refused"), "told once: %s", rig.notices);
}

Test(modbus, requests_may_come_in_pieces_and_many_at_once)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    const uint8_t bytes[] = {0x12, 0x34, 0, 0, 0, 6, 1, 4, 0, 3, 0, 1,
                             0x12, 0x34, 0, 0, 0, 6, 1, 6, 0, 1, 0, 5,
                             0x12, 0x34, 0, 0, 0, 6, 1, 3, 0, 1, 0, 1};
    for (size_t i = 0; i < 15; i++) {
        cr_assert_eq(send(fd, bytes + i, 1, 0), 1);
        dpl_sim_modbus_boundary(rig.server);
    }
    cr_assert_eq(send(fd, bytes + 15, sizeof bytes - 15, 0), (ssize_t)sizeof bytes - 15);
    cr_assert_eq(rig_hear(&rig, fd).bytes[3], 12);
    cr_assert_eq(rig_hear(&rig, fd).bytes[0], 6);
    cr_assert_eq(rig_hear(&rig, fd).bytes[3], 5, "the write before it was done");
    close(fd);
}

Test(modbus, who_does_not_speak_modbus_is_sent_away_and_told_of_once)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    char byte;
    cr_assert_eq(send(fd, "GET / HTTP/1.1\r\n", 16, 0), 16);
    cr_assert(rig_await(&rig, fd));
    cr_assert_leq(recv(fd, &byte, 1, 0), 0);
    close(fd);
    rig_until_masters(&rig, 0);
    cr_assert_not_null(strstr(rig.notices, "what is not Modbus/TCP"));
}

Test(modbus, sixteen_masters_work_at_once_and_no_more)
{
    rig_start(&rig);
    int fds[DPL_MODBUS_MASTERS_MAX];
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        fds[i] = rig_connect(&rig);
        cr_assert_eq(rig_read(&rig, fds[i], 4, 3), 12);
    }
    int one_more = rig_connect(&rig);
    char byte;
    cr_assert(rig_await(&rig, one_more));
    cr_assert_leq(recv(one_more, &byte, 1, 0), 0);
    for (int i = 0; i < DPL_MODBUS_MASTERS_MAX; i++) {
        rig_write(&rig, fds[i], 1, 100 + i);
        cr_assert_eq(rig_read(&rig, fds[i], 3, 1), 100 + i);
        close(fds[i]);
    }
    close(one_more);
}
