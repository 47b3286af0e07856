/* SPDX-License-Identifier: Apache-2.0 */
/* Streams over real ptys: bytes, loss, reopening, timers, closing. */
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>

#include "stream_open.h"
#include "stream_rig.h"

#define LINK_TEMPLATE "/tmp/doppel-stream-XXXXXX"

TestSuite(stream, .init = stream_begin, .fini = stream_end, .timeout = 20);

static int open_master(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert_geq(master, 0);
    cr_assert_eq(grantpt(master), 0);
    cr_assert_eq(unlockpt(master), 0);
    return master;
}

/* A name that leads to the newest pty, as an emulator offers it. */
static void link_to(const char *name, int master)
{
    unlink(name);
    cr_assert_eq(symlink(ptsname(master), name), 0);
}

Test(stream, carries_every_byte_value_over_a_pty_in_both_directions)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    uint8_t all[256];
    for (int i = 0; i < 256; i++) {
        all[i] = (uint8_t)i;
    }
    cr_assert_eq(write(master, all, sizeof all), (ssize_t)sizeof all);
    cr_assert(received(sizeof all));
    cr_assert_arr_eq(seen.bytes, all, sizeof all);
    cr_assert_eq(dpl_stream_write(stream, all, sizeof all), 0);
    char back[256];
    cr_assert_eq(read_for_long(master, back, sizeof back), sizeof back);
    cr_assert_arr_eq(back, all, sizeof all);
    close(master);
}

Test(stream, sets_the_speed_of_a_serial_port)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 57600, NULL), 0);
    struct termios tio;
    cr_assert_eq(tcgetattr(master, &tio), 0);
    cr_assert_eq(cfgetospeed(&tio), B57600);
    close(master);
}

Test(stream, refuses_a_speed_that_is_not_standard)
{
    int master = open_master();
    struct dpl_diag diag;
    cr_assert_eq(open_stream(ptsname(master), 12345, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "12345 baud is not a standard speed"));
    close(master);
}

Test(stream, names_the_path_that_does_not_exist)
{
    struct dpl_diag diag;
    cr_assert_eq(open_stream("/nowhere/ttyX", 115200, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "cannot open '/nowhere/ttyX': No such file or directory" REMEDY);
}

Test(stream, a_name_of_the_user_is_opened_in_its_folder)
{
    struct dpl_diag diag;
    char folder[] = LINK_TEMPLATE, made[64], text[256];
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_RUNTIME_DIR", folder, 1);
    snprintf(made, sizeof made, "%s/doppel", folder);
    snprintf(text, sizeof text, "cannot open '%s/base': No such file or directory" REMEDY, made);
    cr_assert_eq(open_stream("user:base", 115200, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, text);
    struct dpl_pty pty;
    cr_assert_eq(dpl_pty_open(&pty, "user:base", &diag), 0, "%s", diag.text);
    cr_assert_eq(open_stream("user:base", 115200, &diag), 0, "%s", diag.text);
    cr_assert_eq(write(pty.master, "x", 1), 1);
    cr_assert(received(1));
    dpl_pty_close(&pty);
    rmdir(made);
    rmdir(folder);
}

Test(stream, refuses_what_is_not_a_serial_port)
{
    struct dpl_diag diag;
    cr_assert_eq(open_stream("/dev/null", 115200, &diag), -ENOTTY);
}

Test(stream, refuses_a_port_that_is_in_use)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    struct dpl_stream *first = stream;
    struct dpl_diag diag;
    cr_assert_eq(open_stream(ptsname(master), 115200, &diag), -EBUSY);
    cr_assert_not_null(strstr(diag.text, "another program uses it"));
    stream = first;
    close(master);
}

Test(stream, is_a_timer_alone_where_the_driver_asks_for_no_more)
{
    const struct dpl_stream_config config = {
        .address = "timer:", .timer_ms = 5, .ops = &ops, .user = &seen};
    cr_assert_eq(dpl__stream_open(&runtime, "Pins", &config, &stream, NULL), 0);
    cr_assert_eq(dpl_stream_write(stream, "x", 1), -ENOTCONN);
    dpl_stream_reopen(stream, "nothing to lose");
    while (seen.n_timer < 3 && !late) {
        uv_run(dpl__control_loop(runtime.control), UV_RUN_ONCE);
    }
    cr_assert_eq(seen.n_timer, 3);
    cr_assert_eq(seen.n_opened + seen.n_lost, 0);
}

Test(stream, tells_of_a_closed_pty_and_reopens_the_next_one)
{
    char name[] = LINK_TEMPLATE;
    close(mkstemp(name));
    int master = open_master();
    link_to(name, master);
    cr_assert_eq(open_stream(name, 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    close(master);
    cr_assert(reached(&seen.n_lost, 1));
    cr_assert_eq(dpl_stream_write(stream, "x", 1), -ENOTCONN);
    int next = open_master();
    link_to(name, next);
    cr_assert(reached(&seen.n_opened, 2));
    cr_assert_eq(write(next, "back", 4), 4);
    cr_assert(received(4));
    cr_assert_eq(seen.n_lost, 1);
    close(next);
    unlink(name);
}

Test(stream, reopens_when_the_driver_finds_its_device_silent)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    dpl_stream_reopen(stream, "silence");
    cr_assert_eq(seen.n_lost, 1);
    cr_assert_str_eq(seen.why, "silence");
    cr_assert(reached(&seen.n_opened, 2));
    close(master);
}

/* Eight connections that bring bytes and are given up: 4, 8 ... 512 ms lie between them, or 4 each
 * time. Only that it is longer or shorter than a second is told, for a busy machine. */
static double seconds_of_eight_connections(void)
{
    int master = open_master();
    const struct dpl_stream_config config = {.address = ptsname(master),
                                             .baud = 115200,
                                             .retry_min_ms = 4,
                                             .retry_max_ms = 512,
                                             .settles = true,
                                             .ops = &ops,
                                             .user = &seen};
    seen.reopen_on_data = true;
    cr_assert_eq(dpl__stream_open(&runtime, "Laser", &config, &stream, NULL), 0);
    dpl_ns began = dpl_monotonic_now();
    for (int i = 1; i <= 9; i++) {
        cr_assert(reached(&seen.n_opened, i));
        cr_assert_eq(write(master, "00P", 3), 3);
        cr_assert(reached(&seen.n_lost, i));
    }
    close(master);
    return dpl_ns_to_s(dpl_monotonic_now() - began);
}

Test(stream, backs_off_from_who_says_something_and_does_nothing)
{
    double s = seconds_of_eight_connections();
    cr_assert_gt(s, 1.0, "%g s", s);
}

Test(stream, begins_its_back_off_anew_when_the_driver_is_content)
{
    seen.settle_on_open = true;
    double s = seconds_of_eight_connections();
    cr_assert_lt(s, 1.0, "%g s", s);
}

Test(stream, may_be_reopened_from_its_own_data_callback)
{
    int master = open_master();
    seen.reopen_on_data = true;
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    cr_assert_eq(write(master, "??", 2), 2);
    cr_assert(reached(&seen.n_opened, 2));
    cr_assert_str_eq(seen.why, "nonsense");
    close(master);
}

Test(stream, refuses_more_than_64_kib_that_nobody_reads)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    static const uint8_t block[8192];
    int r = 0;
    int n = 0;
    while (r == 0 && n < 100) {
        r = dpl_stream_write(stream, block, sizeof block);
        n++;
    }
    cr_assert_eq(r, -ENOBUFS);
    cr_assert_gt(n, 8);
    close(master);
}

Test(stream, writes_what_is_queued_before_it_closes)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert_eq(dpl_stream_write(stream, "stop", 4), 0);
    dpl_stream_close(stream);
    stream = NULL;
    char back[4];
    cr_assert_eq(read_for_long(master, back, 4), 4);
    cr_assert_arr_eq(back, "stop", 4);
    cr_assert_eq(seen.n_lost, 0);
    close(master);
}

Test(stream, is_silent_after_closing)
{
    int master = open_master();
    cr_assert_eq(open_stream(ptsname(master), 115200, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    cr_assert_eq(write(master, "late", 4), 4);
    dpl_stream_close(stream);
    stream = NULL;
    close(master);
    dpl__control_poll(runtime.control);
    dpl__control_poll(runtime.control);
    cr_assert_eq(seen.n, 0);
    cr_assert_eq(seen.n_lost, 0);
}

Test(stream, ticks_while_it_is_open)
{
    int master = open_master();
    const struct dpl_stream_config config = {
        .address = ptsname(master), .timer_ms = 2, .ops = &ops, .user = &seen};
    cr_assert_eq(dpl__stream_open(&runtime, "Base", &config, &stream, NULL), 0);
    cr_assert(reached(&seen.n_timer, 3));
    dpl_stream_reopen(stream, "silence");
    int before = seen.n_timer;
    dpl__control_poll(runtime.control);
    cr_assert_eq(seen.n_timer, before);
    close(master);
}

Test(stream, a_steady_timer_keeps_its_instants_and_ends_with_the_connection)
{
    int master = open_master();
    const struct dpl_stream_config config = {
        .address = ptsname(master), .timer_us = 2500, .ops = &ops, .user = &seen};
    cr_assert_eq(dpl__stream_open(&runtime, "Drives", &config, &stream, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    dpl_ns from = dpl_monotonic_now();
    cr_assert(reached(&seen.n_timer, 40));
    double ms = 1e3 * dpl_ns_to_s(dpl_monotonic_now() - from);
    cr_assert_gt(ms, 97.4, "40 times 2.5 ms are not over in %g ms", ms);
    dpl_stream_reopen(stream, "silence");
    int before = seen.n_timer;
    dpl__control_poll(runtime.control);
    cr_assert_eq(seen.n_timer, before);
    close(master);
}
