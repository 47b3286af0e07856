/* SPDX-License-Identifier: Apache-2.0 */
/* What a service manager is told, over a real socket; the clock is given. */
#include "service.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct service service;
static int manager = -1;
static char received[512], folder[] = "/tmp/doppel-service-XXXXXX", path[64];

/* Listens at "/path" or "@name" and says so in the environment. */
static void listen_at(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t n = strlen(name);
    memcpy(address.sun_path, name, n);
    address.sun_path[0] = name[0] == '@' ? '\0' : name[0];
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    cr_assert_eq(bind(manager, (struct sockaddr *)&address, size), 0);
    setenv("NOTIFY_SOCKET", name, 1);
}

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/notify", folder);
    listen_at(path);
}

static void end(void)
{
    service_close(&service);
    close(manager);
    unlink(path);
    rmdir(folder);
}

TestSuite(service, .init = begin, .fini = end);

/* The next datagram; "": none. */
static const char *next(void)
{
    ssize_t n = recv(manager, received, sizeof received - 1, 0);
    received[n > 0 ? n : 0] = '\0';
    return received;
}

static void tell(enum dpl_beat beat, const char *text, double at_s)
{
    service_tell(&service, beat, text, dpl_ns_from_s(at_s));
}

Test(service, tells_each_change_once)
{
    cr_assert(service_open(&service));
    cr_assert_null(getenv("NOTIFY_SOCKET"));
    tell(DPL_BEAT_EXECUTES, "", 1.0);
    cr_assert_str_eq(next(), "READY=1\nSTATUS=runs");
    tell(DPL_BEAT_EXECUTES, "", 1.1);
    cr_assert_str_eq(next(), "");
    tell(DPL_BEAT_EXECUTES, "Base lost, Wander failed", 1.2);
    cr_assert_str_eq(next(), "STATUS=halts: Base lost, Wander failed");
    tell(DPL_BEAT_EXECUTES, "", 1.3);
    cr_assert_str_eq(next(), "STATUS=runs");
    tell(DPL_BEAT_STOPS, "", 1.4);
    cr_assert_str_eq(next(), "STOPPING=1\nSTATUS=stops");
    cr_assert_str_eq(next(), "");
}

Test(service, asks_for_patience_each_second_while_it_waits)
{
    cr_assert(service_open(&service));
    tell(DPL_BEAT_WAITS, "no base", 1.0);
    cr_assert_str_eq(next(), "EXTEND_TIMEOUT_USEC=15000000\nSTATUS=waits: no base");
    tell(DPL_BEAT_WAITS, "no base", 1.9);
    cr_assert_str_eq(next(), "");
    tell(DPL_BEAT_WAITS, "no base", 2.0);
    cr_assert_str_eq(next(), "EXTEND_TIMEOUT_USEC=15000000\nSTATUS=waits: no base");
    tell(DPL_BEAT_EXECUTES, "", 2.1);
    cr_assert_str_eq(next(), "READY=1\nSTATUS=runs");
}

Test(service, feeds_the_watchdog_four_times_in_its_time_and_only_in_beats)
{
    setenv("WATCHDOG_USEC", "2000000", 1);
    cr_assert(service_open(&service));
    cr_assert_null(getenv("WATCHDOG_USEC"));
    int n = 0;
    for (int i = 0; i < 40; i++) {
        service_tell(&service, DPL_BEAT_EXECUTES, "", 10 * DPL_S + i * 100 * DPL_MS);
        while (*next()) {
            n += strcmp(received, "WATCHDOG=1") == 0;
        }
    }
    cr_assert_eq(n, 8);
}

Test(service, leaves_the_watchdog_of_another_process_alone)
{
    setenv("WATCHDOG_USEC", "2000000", 1);
    setenv("WATCHDOG_PID", "1", 1);
    cr_assert(service_open(&service));
    tell(DPL_BEAT_EXECUTES, "", 1.0);
    next();
    cr_assert_str_eq(next(), "");
}

Test(service, sends_to_an_abstract_socket)
{
    close(manager);
    char name[40];
    snprintf(name, sizeof name, "@doppel-service-%ld", (long)getpid());
    listen_at(name);
    cr_assert(service_open(&service));
    tell(DPL_BEAT_EXECUTES, "", 1.0);
    cr_assert_str_eq(next(), "READY=1\nSTATUS=runs");
}

Test(service, tells_again_what_nobody_has_received)
{
    cr_assert(service_open(&service));
    close(manager);
    unlink(path);
    tell(DPL_BEAT_EXECUTES, "", 1.0);
    listen_at(path);
    tell(DPL_BEAT_EXECUTES, "", 1.1);
    cr_assert_str_eq(next(), "READY=1\nSTATUS=runs");
}

Test(service, is_none_without_a_socket)
{
    char too_long[300] = "/";
    memset(too_long + 1, 'x', sizeof too_long - 2);
    const char *const names[] = {"", "/", "@", "relative", "vsock:2:1", too_long};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        setenv("NOTIFY_SOCKET", names[i], 1);
        cr_assert_not(service_open(&service), "'%s'", names[i]);
        tell(DPL_BEAT_EXECUTES, "", 1.0);
    }
    unsetenv("NOTIFY_SOCKET");
    cr_assert_not(service_open(&service));
}
