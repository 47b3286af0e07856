/* SPDX-License-Identifier: Apache-2.0 */
/* Streams over real ptys and loopback sockets: bytes, loss, reopening, closing. Each wait is for an
 * event of the loop and ends, as a failure, after two seconds. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>
#include <uv.h>

#include "control.h"
#include "log.h"
#include "runtime.h"
#include "stream.h"
#include "stream_open.h"
#include "stream_queue.h"

#define LINK_TEMPLATE "/tmp/doppel-stream-XXXXXX"

struct seen {
    int n_opened, n_lost, n_timer;
    size_t n;
    uint8_t bytes[8192];
    char why[100];
    bool reopen_on_data, settle_on_open;
};

static struct dpl_runtime runtime;
static struct seen seen;
static struct dpl_stream *stream;
static uv_timer_t guard;
static bool late;

/* A turn of the loop goes on waiting after a timer has fired; what was seen ends it at once. */
static void end_turn(void)
{
    uv_stop(dpl__control_loop(runtime.control));
}

static void on_opened(struct dpl_stream *s, void *user, dpl_ns now)
{
    struct seen *to = user;
    to->n_opened++;
    if (to->settle_on_open) {
        dpl_stream_settled(s);
    }
    end_turn();
}

static void on_data(struct dpl_stream *s, void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct seen *to = user;
    size_t room = sizeof to->bytes - to->n;
    memcpy(to->bytes + to->n, bytes, n < room ? n : room);
    to->n += n < room ? n : room;
    end_turn();
    if (to->reopen_on_data) {
        dpl_stream_reopen(s, "nonsense");
    }
}

static void on_timer(struct dpl_stream *s, void *user, dpl_ns now)
{
    struct seen *to = user;
    to->n_timer++;
    end_turn();
}

static void on_lost(struct dpl_stream *s, void *user, const char *why)
{
    struct seen *to = user;
    to->n_lost++;
    end_turn();
    snprintf(to->why, sizeof to->why, "%s", why);
}

static const struct dpl_stream_ops ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

static void on_guard(uv_timer_t *timer)
{
    late = true;
}

static bool reached(const int *counter, int at_least)
{
    late = false;
    uv_update_time(dpl__control_loop(runtime.control));
    uv_timer_start(&guard, on_guard, 2000, 0);
    while (*counter < at_least && !late) {
        uv_run(dpl__control_loop(runtime.control), UV_RUN_ONCE);
    }
    uv_timer_stop(&guard);
    return !late;
}

static bool received(size_t at_least)
{
    late = false;
    uv_update_time(dpl__control_loop(runtime.control));
    uv_timer_start(&guard, on_guard, 2000, 0);
    while (seen.n < at_least && !late) {
        uv_run(dpl__control_loop(runtime.control), UV_RUN_ONCE);
    }
    uv_timer_stop(&guard);
    return !late;
}

static void begin(void)
{
    runtime.options.log = fopen("/dev/null", "w");
    cr_assert_eq(dpl__log_create(&runtime), 0);
    cr_assert_eq(dpl__control_create(&runtime, NULL), 0);
    uv_timer_init(dpl__control_loop(runtime.control), &guard);
}

static void end(void)
{
    dpl_stream_close(stream);
    dpl__control_destroy(runtime.control);
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
}

static int open_stream(const char *address, uint32_t baud, struct dpl_diag *reterr)
{
    const struct dpl_stream_config config = {
        .address = address,
        .baud = baud,
        .retry_min_ms = 1,
        .retry_max_ms = 8,
        .ops = &ops,
        .user = &seen,
    };
    return dpl__stream_open(&runtime, "Base", &config, &stream, reterr);
}

/* ---- the far ends ---- */

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

static int listen_on(uint16_t port, uint16_t *ret_port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(fd, 4), 0);
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *ret_port = ntohs(address.sin_port);
    return fd;
}

static void tcp_address(uint16_t port, char ret_address[32])
{
    snprintf(ret_address, 32, "tcp://127.0.0.1:%u", port);
}

static size_t read_for_long(int fd, char *to, size_t want)
{
    size_t n = 0;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (n < want && poll(&p, 1, 2000) > 0) {
        ssize_t r = read(fd, to + n, want - n);
        if (r <= 0) {
            break;
        }
        n += (size_t)r;
    }
    return n;
}

TestSuite(stream, .init = begin, .fini = end, .timeout = 20);

/* ---- serial ---- */

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
    cr_assert_str_eq(diag.text, "cannot open '/nowhere/ttyX': No such file or directory");
}

Test(stream, a_name_of_the_user_is_opened_in_its_folder)
{
    struct dpl_diag diag;
    char folder[] = LINK_TEMPLATE, made[64], text[128];
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_RUNTIME_DIR", folder, 1);
    snprintf(made, sizeof made, "%s/doppel", folder);
    snprintf(text, sizeof text, "cannot open '%s/base': No such file or directory", made);
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

/* ---- CAN ---- */

Test(stream, a_can_interface_that_is_not_there_is_an_error_that_helps)
{
    struct dpl_diag diag;
    int err = open_stream("can:doppel-none", 0, &diag);
    cr_assert(err == -EAFNOSUPPORT || err == -ENODEV, "%d", err);
    cr_assert_str_eq(diag.text, err == -ENODEV ? "cannot open 'can:doppel-none': there is no such "
                                                 "CAN interface"
                                               : "cannot open 'can:doppel-none': this kernel has "
                                                 "no SocketCAN; use an slcan adapter");
    cr_assert_lt(open_stream("can:", 0, NULL), 0);
    cr_assert_lt(open_stream("can:a-name-longer-than-any", 0, NULL), 0);
}

/* A datagram socket stands for the interface: it keeps calls apart as that does. */
Test(stream, records_are_written_one_a_call)
{
    static struct dpl__stream_queue queue = {.record = DPL__CAN_RECORD_BYTES};
    uint8_t records[3 * DPL__CAN_RECORD_BYTES], back[100];
    int pair[2];
    memset(records, 7, sizeof records);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair), 0);
    cr_assert_eq(dpl__stream_queue_put(&queue, records, sizeof records), 0);
    cr_assert_eq(dpl__stream_queue_flush(&queue, pair[0]), 0);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(read(pair[1], back, sizeof back), DPL__CAN_RECORD_BYTES);
    }
    cr_assert_eq(read(pair[1], back, sizeof back), -1);
    cr_assert_eq(queue.n, 0);
    close(pair[0]);
    close(pair[1]);
}

/* ---- TCP ---- */

Test(stream, carries_bytes_over_tcp)
{
    uint16_t port;
    char address[32];
    int server = listen_on(0, &port);
    tcp_address(port, address);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    int peer = accept(server, NULL, NULL);
    cr_assert_eq(write(peer, "hello", 5), 5);
    cr_assert(received(5));
    cr_assert_arr_eq(seen.bytes, "hello", 5);
    cr_assert_eq(dpl_stream_write(stream, "VV\n", 3), 0);
    char back[3];
    cr_assert_eq(read_for_long(peer, back, 3), 3);
    cr_assert_arr_eq(back, "VV\n", 3);
    close(peer);
    close(server);
}

Test(stream, reconnects_when_a_server_returns)
{
    uint16_t port;
    char address[32];
    int server = listen_on(0, &port);
    tcp_address(port, address);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    int peer = accept(server, NULL, NULL);
    close(server);
    close(peer);
    cr_assert(reached(&seen.n_lost, 1));
    cr_assert_str_eq(seen.why, "closed by the other end");
    server = listen_on(port, &port);
    cr_assert(reached(&seen.n_opened, 2));
    cr_assert_eq(seen.n_lost, 1);
    close(server);
}

Test(stream, says_why_nobody_answers_at_first)
{
    uint16_t port;
    char address[32], expected[100];
    close(listen_on(0, &port));
    tcp_address(port, address);
    struct dpl_diag diag;
    cr_assert_eq(open_stream(address, 0, &diag), -ECONNREFUSED);
    snprintf(expected, sizeof expected, "cannot open '%s': Connection refused", address);
    cr_assert_str_eq(diag.text, expected);
}

Test(stream, refuses_an_address_without_a_port)
{
    static const char *const wrong[] = {"tcp://host",       "tcp://host:",  "tcp://:80",
                                        "tcp://host:70000", "tcp://host:0", "tcp://host:8x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dpl_diag diag;
        cr_assert_eq(open_stream(wrong[i], 0, &diag), -EINVAL, "%s", wrong[i]);
        cr_assert_not_null(strstr(diag.text, wrong[i]));
    }
}

Test(stream, does_not_lose_the_last_command_when_it_closes_with_unread_input)
{
    uint16_t port;
    char address[32];
    int server = listen_on(0, &port);
    tcp_address(port, address);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert(reached(&seen.n_opened, 1));
    int peer = accept(server, NULL, NULL);
    cr_assert_eq(write(peer, "a scan", 6), 6);
    cr_assert_eq(dpl_stream_write(stream, "QT\n", 3), 0);
    dpl_stream_close(stream);
    stream = NULL;
    char back[3];
    cr_assert_eq(read_for_long(peer, back, 3), 3);
    cr_assert_arr_eq(back, "QT\n", 3);
    close(peer);
    close(server);
}

/* ---- listening ---- */

static void make_name(char ret_name[64])
{
    snprintf(ret_name, 64, "/tmp/doppel-listen-%ld", (long)getpid());
    unlink(ret_name);
}

static int open_slave(const char *name)
{
    int fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    cr_assert_geq(fd, 0, "%s", strerror(errno));
    return fd;
}

Test(stream, serves_one_peer_after_another_on_a_pty_of_its_own)
{
    char name[64], address[80], back[3];
    make_name(name);
    snprintf(address, sizeof address, "pty:%s", name);
    cr_assert_eq(open_stream(address, 0, NULL), 0);
    cr_assert_eq(dpl_stream_write(stream, "x", 1), -ENOTCONN, "nobody is there");
    for (int i = 1; i <= 2; i++) {
        int slave = open_slave(name);
        cr_assert(reached(&seen.n_opened, i), "peer %d", i);
        seen.n = 0;
        cr_assert_eq(write(slave, "\0\r\xff", 3), 3);
        cr_assert(received(3));
        cr_assert_arr_eq(seen.bytes, "\0\r\xff", 3);
        cr_assert_eq(dpl_stream_write(stream, "\n\3\xff", 3), 0);
        cr_assert_eq(read_for_long(slave, back, 3), 3);
        cr_assert_arr_eq(back, "\n\3\xff", 3);
        cr_assert_eq(dpl_stream_write(stream, "old", 3), 0, "not read by this peer");
        close(slave);
        cr_assert(reached(&seen.n_lost, i), "peer %d", i);
    }
    dpl_stream_close(stream);
    stream = NULL;
    cr_assert_eq(access(name, F_OK), -1, "the link is left behind");
}

Test(stream, serves_one_peer_after_another_on_a_port)
{
    static const char *const schemes[] = {"listen", "tcp-listen"};
    uint16_t port;
    char address[32], back[2];
    close(listen_on(0, &port));
    for (int i = 0; i < 2; i++) {
        snprintf(address, sizeof address, "%s:%u", schemes[i], port);
        cr_assert_eq(open_stream(address, 0, NULL), 0, "%s", address);
        for (int j = 1; j <= 2; j++) {
            struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
            to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int peer = socket(AF_INET, SOCK_STREAM, 0);
            cr_assert_eq(connect(peer, (struct sockaddr *)&to, sizeof to), 0);
            cr_assert(reached(&seen.n_opened, 2 * i + j));
            seen.n = 0;
            cr_assert_eq(write(peer, "hi", 2), 2);
            cr_assert(received(2));
            cr_assert_eq(dpl_stream_write(stream, "ho", 2), 0);
            cr_assert_eq(read_for_long(peer, back, 2), 2);
            cr_assert_arr_eq(back, "ho", 2);
            close(peer);
            cr_assert(reached(&seen.n_lost, 2 * i + j));
        }
        dpl_stream_close(stream);
        stream = NULL;
    }
}

Test(stream, says_why_it_cannot_listen)
{
    struct dpl_diag diag;
    uint16_t port;
    char name[64], address[80];
    int server = listen_on(0, &port);
    snprintf(address, sizeof address, "listen:%u", port);
    cr_assert_eq(open_stream(address, 0, &diag), -EADDRINUSE);
    cr_assert_not_null(strstr(diag.text, address), "%s", diag.text);
    close(server);
    cr_assert_eq(open_stream("listen:70000", 0, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "expected listen:PORT"), "%s", diag.text);
    cr_assert_eq(open_stream("pty:", 0, &diag), -EINVAL);
    make_name(name);
    close(open(name, O_CREAT | O_WRONLY, 0600));
    snprintf(address, sizeof address, "pty:%s", name);
    cr_assert_eq(open_stream(address, 0, &diag), -EEXIST, "a file is not replaced");
    unlink(name);
}
