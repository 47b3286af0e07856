/* SPDX-License-Identifier: Apache-2.0 */
/* A served world that is killed, started anew, or replaced by another one. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <doppel/sim/host.h>

#include "link_world.h"

static const char *const part = "avatar";

/* A process of its own that serves at the `wanted` port (0: any) and says its port through the
 * pipe. */
static pid_t spawn_world(const char *world, uint16_t wanted, uint16_t *ret_port)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct dpl_sim_server_options options = {.world = world, .seed = 1, .port = wanted};
        struct dpl_sim_server *server;
        if (dpl_sim_server_create(&options, &server, NULL) < 0) {
            _exit(1);
        }
        uint16_t chosen = dpl_sim_server_port(server);
        if (write(ends[1], &chosen, sizeof chosen) != sizeof chosen) {
            _exit(1);
        }
        dpl_sim_server_run(server, NULL);
        _exit(0);
    }
    close(ends[1]);
    cr_assert_eq(read(ends[0], ret_port, sizeof *ret_port), (ssize_t)sizeof *ret_port);
    close(ends[0]);
    return child;
}

static struct remote_world *list;
static pid_t child;
static uint16_t port;
static char address[64];

static void kill_server(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* A server of the office, and a link to it. */
static struct dpl_link *begin(void)
{
    child = spawn_world(PROFILES "/worlds/office.xml", 0, &port);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", port);
    return open_remote(&list, address, part);
}

/* At the same port. */
static void serve_again(const char *world)
{
    uint16_t again;
    child = spawn_world(world, port, &again);
    cr_assert_eq(again, port);
}

Test(link_restart, goes_on_by_itself_after_the_server_was_killed, .timeout = 30)
{
    struct dpl_link *link = begin();
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel speed = find_in(link, "RightWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_right/angle");
    dpl_channel_put_number(speed, 4.0);
    EVENTUALLY(number_of(angle) > 1.0);

    kill_server();
    dpl_ns killed = monotonic();
    EVENTUALLY(!dpl_link_alive(link));
    cr_assert_lt(monotonic() - killed, DPL_S, "noticed within a second");
    char why[200];
    cr_assert_eq(dpl_sim_link_loss(link, why, sizeof why), -ENOTCONN);
    cr_assert_str_eq(why, "no world answers");
    dpl_ns before = monotonic();
    for (int i = 0; i < 100000; i++) {
        cr_assert_eq(dpl_channel_put_number(speed, 4.0), -EAGAIN);
        number_of(angle);
    }
    cr_assert_lt(monotonic() - before, DPL_S, "the user of a dead world never waits");

    cr_assert_eq(dpl_link_restarts(link), 0);
    serve_again(PROFILES "/worlds/office.xml");
    EVENTUALLY(dpl_link_alive(link));
    EVENTUALLY(number_of(angle) > 0.2 && number_of(angle) < 1.0);
    cr_assert_eq(dpl_link_restarts(link), 1, "it is another world, and who asks is told");
    remote_worlds_destroy(list);
    kill_server();
}

Test(link_restart, does_not_repeat_a_request_in_a_world_that_was_started_anew, .timeout = 30)
{
    struct dpl_link *link = begin();
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel place = find_in(link, "place"), x = find_out(link, "x");
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    double start = number_of(x);
    const double corridor[3] = {0.0, 0.0, 1.0};
    cr_assert_eq(dpl_channel_put(place, corridor), 0);
    EVENTUALLY(answer_of(place) == 0);
    cr_assert_lt(fabs(number_of(x)), 1e-3);
    kill_server();
    EVENTUALLY(!dpl_link_alive(link));
    serve_again(PROFILES "/worlds/office.xml");
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_link_restarts(link) == 1);
    for (int i = 0; i < 300; i++) {
        cr_assert_float_eq(number_of(x), start, 1e-3);
        poll(NULL, 0, 1);
    }
    cr_assert_eq(dpl_channel_put(place, corridor), 0, "what is asked of the new world is done");
    EVENTUALLY(answer_of(place) == 0 && fabs(number_of(x)) < 1e-3);
    remote_worlds_destroy(list);
    kill_server();
}

/* Channels are found by their paths in the world that follows; it has other numbers for them. */
Test(link_restart, maps_its_channels_onto_another_world, .timeout = 30)
{
    struct dpl_link *link = begin();
    struct dpl_link *scanner = open_remote(&list, address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel speed = find_in(link, "RightWheel/speed");
    struct dpl_channel angle = find_out(link, "enc_right/angle");
    struct dpl_channel ranges = find_out(scanner, "laser/ranges");
    cr_assert_eq(ranges.desc->size, 682);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    kill_server();
    EVENTUALLY(!dpl_link_alive(link) && !dpl_link_alive(scanner));
    serve_again(UNIT "/avatar_sim/fixtures/two_parts.xml");
    EVENTUALLY(dpl_link_alive(link));
    dpl_channel_put_number(speed, 4.0);
    EVENTUALLY(number_of(angle) > 0.5);
    cr_assert_eq(dpl_link_restarts(link), 1);
    cr_assert(!dpl_link_alive(scanner), "the other world has no laser");
    cr_assert_str_eq(angle.desc->path, "avatar/enc_right/angle", "descriptions stay");
    cr_assert_str_eq(ranges.desc->path, "avatar/laser/ranges");
    remote_worlds_destroy(list);
    kill_server();
}

Test(link_restart, notices_a_restart_that_was_too_quick_for_silence, .timeout = 30)
{
    struct served served;
    static float ranges[682];
    serve(&served, (struct dpl_sim_server_options){0});
    port = dpl_sim_server_port(served.server);
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel scan = find_out(link, "laser/ranges"), on = find_in(link, "laser/on");
    dpl_channel_put_flag(on, true);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0);
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0);
    unserve(&served);
    serve(&served, (struct dpl_sim_server_options){.port = port});
    EVENTUALLY(dpl_sim_server_stats(served.server).welcomed == 1);
    while (dpl_channel_get(scan, ranges, NULL) == 0) {
    }
    EVENTUALLY(dpl_channel_get(scan, ranges, NULL) == 0); /* the laser is on again */
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_link_restarts(link) == 1);
    remote_worlds_destroy(list);
    unserve(&served);
}
