/* SPDX-License-Identifier: Apache-2.0 */
/* Masters that are lost or late, watchdogs, jumps of the world, edges, and the world's pace. */
#include <sys/resource.h>
#include <time.h>

#include <doppel/system_clock.h>

#include "master_rig.h"

static struct rig rig;

static double speed(void)
{
    return rig_number_at(&rig, "m/rail/velocity");
}

static struct dpl_sim_modbus_stats stats(void)
{
    return dpl_sim_modbus_stats(rig.server);
}

/* ---- lost ---- */

Test(modbus_safe, what_a_lost_master_commanded_is_released_and_nothing_of_others)
{
    rig_start(&rig);
    int lost = rig_connect(&rig), other = rig_connect(&rig);
    rig_write_coil(&rig, other, 0, true);
    rig_write(&rig, lost, 0, 500);
    rig_write(&rig, lost, 1, 7);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.5, 1e-9);
    const struct linger at_once = {1, 0}; /* as a process that is killed with bytes unread */
    setsockopt(lost, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(lost);
    rig_until_masters(&rig, 1);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.0, 1e-9);
    cr_assert(rig_flag(&rig, "m/brake/open"));
    cr_assert_eq(rig_read(&rig, other, 3, 0), 0, "a released command reads 0");
    cr_assert_eq(rig_read(&rig, other, 3, 1), 7, "what commands nothing stays");
    cr_assert_eq(stats().lost, 1);
    int back = rig_connect(&rig);
    rig_write(&rig, back, 0, 300);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.3, 1e-9);
    close(back);
    close(other);
    rig_until_masters(&rig, 0);
    cr_assert_not_null(strstr(rig.notices, "is lost: what it commanded is released (1 channels)"),
                       "%s", rig.notices);
    rig_stop(&rig);
}

Test(modbus_safe, who_commanded_last_owns_a_command)
{
    rig_start(&rig);
    int first = rig_connect(&rig), second = rig_connect(&rig);
    rig_write(&rig, first, 0, 500);
    rig_write(&rig, second, 0, 400);
    close(first);
    rig_until_masters(&rig, 1);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.4, 1e-9);
    cr_assert_eq(stats().lost, 0);
    close(second);
    rig_until_masters(&rig, 0);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.0, 1e-9);
    rig_stop(&rig);
}

/* ---- watchdog ---- */

Test(modbus_safe, a_watchdog_that_does_not_change_releases_all_once)
{
    rig_start(&rig);
    int fd = rig_connect(&rig), other = rig_connect(&rig);
    rig_write_coil(&rig, other, 0, true);
    rig_write(&rig, fd, 0, 500);
    rig_write(&rig, fd, 1, 1);
    rig_run_ms(&rig, 98);
    rig_write(&rig, fd, 1, 2);
    rig_run_ms(&rig, 98);
    cr_assert_float_eq(speed(), 0.5, 1e-9);
    rig_write(&rig, fd, 1, 2); /* written, but not changed */
    rig_run_ms(&rig, 4);
    cr_assert_float_eq(speed(), 0.0, 1e-9);
    cr_assert_not(rig_flag(&rig, "m/brake/open"), "of all masters");
    rig_run_ms(&rig, 1000);
    cr_assert_eq(stats().trips, 1);
    rig_write(&rig, fd, 0, 300);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.0, 1e-9, "it acts when the watchdog changes");
    rig_write(&rig, fd, 1, 3);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.3, 1e-9);
    cr_assert_not(rig_flag(&rig, "m/brake/open"), "what was not written again stays released");
    close(fd);
    close(other);
    rig_until_masters(&rig, 0);
    rig_stop(&rig);
    const char *said = strstr(rig.notices, "unit 1 (plc): holding 1 has not changed for 100 ms");
    cr_assert_not_null(said, "%s", rig.notices);
    cr_assert_null(strstr(strchr(said, '\n'), "has not changed"), "%s", rig.notices);
}

Test(modbus_safe, the_watchdog_counts_from_the_first_command_and_only_while_there_is_one)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_run_ms(&rig, 500);
    rig_write(&rig, fd, 0, 500);
    rig_run_ms(&rig, 98);
    cr_assert_float_eq(speed(), 0.5, 1e-9);
    rig_run_ms(&rig, 4);
    cr_assert_float_eq(speed(), 0.0, 1e-9);
    cr_assert_eq(stats().trips, 1);
    close(fd);
    rig_stop(&rig);
}

Test(modbus_safe, what_was_kept_after_a_trip_waits_until_nobody_else_commands)
{
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_write(&rig, fd, 0, 500);
    rig_write(&rig, fd, 1, 1);
    rig_run_ms(&rig, 200);
    cr_assert_eq(stats().trips, 1);
    rig_write(&rig, fd, 0, 300); /* kept */
    rig.is_taken = true;
    rig_write(&rig, fd, 1, 2);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.0, 1e-9);
    rig.is_taken = false;
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.0, 1e-9, "it acts when the watchdog changes");
    rig_write(&rig, fd, 1, 3);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.3, 1e-9);
    rig_write(&rig, fd, 0, 400);
    rig_run_ms(&rig, 10);
    cr_assert_float_eq(speed(), 0.4, 1e-9, "and so on as ever");
    close(fd);
    rig_until_masters(&rig, 0);
    cr_assert_eq(rig.n_claims, 0);
    rig_stop(&rig);
}

/* ---- no room ---- */

static double processor_s(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

Test(modbus_safe, master_for_whom_there_is_no_file_waits_and_nothing_spins)
{
    struct rlimit limit;
    rig_start(&rig);
    int other = rig_connect(&rig);
    rig_until_masters(&rig, 1);
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    int last = dup(other); /* the lowest number that is free */
    close(last);
    struct rlimit low = {(rlim_t)last + 1, limit.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
    int fd = rig_connect(&rig);
    double begin = processor_s();
    poll(NULL, 0, 1000);
    double used = processor_s() - begin;
    cr_assert_lt(used, 0.2, "%g s of processor time in a second", used);
    cr_assert_eq(rig_read(&rig, other, 4, 3), 12, "others are served");
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    rig_until_masters(&rig, 2);
    cr_assert_eq(rig_read(&rig, fd, 4, 3), 12);
    close(fd);
    close(other);
    rig_until_masters(&rig, 0);
    rig_stop(&rig);
    cr_assert_not_null(strstr(rig.notices, "it cannot be accepted: Too many open files"), "%s",
                       rig.notices);
}

/* ---- jumps ---- */

Test(modbus_safe, what_is_commanded_holds_after_a_restore)
{
    struct dpl_diag error = {0};
    rig_start(&rig);
    int fd = rig_connect(&rig);
    rig_run_ms(&rig, 10);
    cr_assert_eq(dpl_sim_loop_control(rig.loop, "snapshot a", &error), 0, "%s", error.text);
    rig_write(&rig, fd, 0, 500);
    rig_write_coil(&rig, fd, 1, true);
    rig_run_ms(&rig, 90);
    double at = rig_number_at(&rig, "m/rail/position");
    cr_assert_eq(dpl_sim_loop_control(rig.loop, "restore a", &error), 0, "%s", error.text);
    cr_assert_eq(rig_number_at(&rig, "m/rail/position"), 0.0);
    cr_assert(rig_flag(&rig, "m/near/on"));
    rig_run_ms(&rig, 2);
    cr_assert_not(rig_flag(&rig, "m/near/on"), "its fault is wanted still");
    rig_run_ms(&rig, 88);
    cr_assert_float_eq(rig_number_at(&rig, "m/rail/position"), at, 1e-12);
    cr_assert_eq(rig_read(&rig, fd, 3, 0), 500);
    cr_assert_eq(stats().trips, 0, "the watchdog's time begins anew");
    close(fd);
    rig_stop(&rig);
}

/* ---- edges ---- */

Test(modbus_safe, a_coil_with_an_edge_is_on_for_one_step)
{
    static char text[sizeof master_rig_text + 64];
    const char *mark = strstr(master_rig_text, " signal='brake/release'");
    snprintf(text, sizeof text, "%.*s edge='falling'%s", (int)(mark - master_rig_text),
             master_rig_text, mark);
    rig_start_text(&rig, text, 0, 0);
    int fd = rig_connect(&rig);
    rig_write_coil(&rig, fd, 0, true);
    rig_run_ms(&rig, 2);
    cr_assert_not(rig_flag(&rig, "m/brake/open"), "not when it rises");
    rig_write_coil(&rig, fd, 0, false);
    rig_run_ms(&rig, 2);
    cr_assert(rig_flag(&rig, "m/brake/open"));
    rig_run_ms(&rig, 2);
    cr_assert_not(rig_flag(&rig, "m/brake/open"), "for one step");
    rig_write_coil(&rig, fd, 0, false);
    rig_run_ms(&rig, 2);
    cr_assert_not(rig_flag(&rig, "m/brake/open"), "not when it stays");
    close(fd);
    rig_stop(&rig);
}

/* ---- pace ---- */

Test(modbus_safe, a_paced_world_waits_no_longer_than_its_patience)
{
    rig_start_text(&rig, master_rig_text, 10 * DPL_MS, 100 * DPL_MS);
    dpl_ns begin = dpl_monotonic_now();
    rig_run_ms(&rig, 2); /* nobody has ever written: it waits before its first step */
    cr_assert_geq(dpl_monotonic_now() - begin, 100 * DPL_MS);
    cr_assert_eq(stats().time_outs, 1);
    rig_run_ms(&rig, 1000);
    cr_assert_eq(stats().time_outs, 1, "it goes on alone");
    int fd = rig_connect(&rig);
    rig_write(&rig, fd, 0, 500);
    rig_write(&rig, fd, 1, 1);
    rig_run_ms(&rig, 8);
    cr_assert_float_eq(speed(), 0.5, 1e-9);
    rig_run_ms(&rig, 4);
    cr_assert_eq(stats().time_outs, 2);
    cr_assert_float_eq(speed(), 0.0, 1e-9, "what it commanded is released");
    close(fd);
    rig_until_masters(&rig, 0);
    rig_stop(&rig);
    cr_assert_not_null(strstr(rig.notices, "no master has written holding 1 for 0.1 s"), "%s",
                       rig.notices);
}

Test(modbus_safe, nobody_waits_for_a_master_that_paced_and_is_lost)
{
    rig_start_text(&rig, master_rig_text, 10 * DPL_MS, 20 * DPL_S);
    int fd = rig_connect(&rig);
    const uint8_t request[] = {0, 1, 0, 0, 0, 6, 1, 6, 0, 1, 0, 1};
    cr_assert_eq(send(fd, request, sizeof request, 0), (ssize_t)sizeof request);
    close(fd);
    dpl_ns begin = dpl_monotonic_now();
    double end = rig_run_ms(&rig, 1000);
    cr_assert_float_eq(end, 1.0, 1e-9);
    cr_assert_lt(dpl_monotonic_now() - begin, 10 * DPL_S);
    cr_assert_eq(stats().time_outs, 0);
    rig_stop(&rig);
}

/* A master that scans every 10 ms of the world's time, as a control unit does. */
enum { SCANS = 50 };

struct unit {
    int fd;
    uint32_t times[SCANS];
    uint16_t positions[SCANS];
};

static void say(const struct unit *unit, const uint8_t *request, uint8_t *ret_answer, size_t n)
{
    send(unit->fd, request, 12, MSG_NOSIGNAL);
    if (recv(unit->fd, ret_answer, n, MSG_WAITALL) != (ssize_t)n) {
        abort();
    }
}

static uint32_t read_inputs(const struct unit *unit, uint16_t *ret_position)
{
    const uint8_t time[] = {0, 1, 0, 0, 0, 6, 1, 4, 0, 10, 0, 2};
    const uint8_t position[] = {0, 1, 0, 0, 0, 6, 1, 4, 0, 0, 0, 2};
    uint8_t at[13], where[13];
    say(unit, time, at, sizeof at);
    say(unit, position, where, sizeof where);
    *ret_position = (uint16_t)(where[11] << 8 | where[12]);
    return (uint32_t)at[9] << 24 | (uint32_t)at[10] << 16 | (uint32_t)at[11] << 8 | at[12];
}

static void *scan_all(void *argument)
{
    struct unit *unit = argument;
    for (int i = 0; i < SCANS; i++) {
        uint8_t answer[12];
        do {
            unit->times[i] = read_inputs(unit, &unit->positions[i]);
        } while (i > 0 && unit->times[i] - unit->times[i - 1] < 10);
        int setpoint = 1500 - unit->positions[i] / 100;
        const uint8_t drive[] = {
            0, 1, 0, 0, 0, 6, 1, 6, 0, 0, (uint8_t)(setpoint >> 8), (uint8_t)setpoint};
        const uint8_t watchdog[] = {0, 1, 0, 0, 0, 6, 1, 6, 0, 1, 0, (uint8_t)(i + 1)};
        say(unit, drive, answer, sizeof answer);
        say(unit, watchdog, answer, sizeof answer);
    }
    close(unit->fd);
    return NULL;
}

/* The world's position after half a second with a unit. */
static double run_with_unit(struct unit *ret_unit)
{
    pthread_t thread;
    rig_start_text(&rig, master_rig_text, 10 * DPL_MS, 20 * DPL_S);
    ret_unit->fd = rig_connect(&rig);
    cr_assert_eq(pthread_create(&thread, NULL, scan_all, ret_unit), 0);
    rig_run_ms(&rig, 10 * (SCANS - 1));
    double position = rig_number_at(&rig, "m/rail/position");
    rig_run_ms(&rig, 100);
    pthread_join(thread, NULL);
    cr_assert_eq(stats().time_outs, 0);
    rig_stop(&rig);
    return position;
}

Test(modbus_safe, a_paced_world_and_its_master_repeat_exactly)
{
    static struct unit first, second;
    double a = run_with_unit(&first), b = run_with_unit(&second);
    for (int i = 0; i < SCANS; i++) {
        cr_assert_eq(first.times[i], 10u * (unsigned)i, "scan %d at %u ms", i, first.times[i]);
    }
    cr_assert_arr_eq(first.times, second.times, sizeof first.times);
    cr_assert_arr_eq(first.positions, second.positions, sizeof first.positions);
    cr_assert_gt(a, 0.1);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "%.17g %.17g", a, b);
}
