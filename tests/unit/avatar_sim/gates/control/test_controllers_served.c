/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers and drivers of the link at one served world, which follows the clock. */
#include <arpa/inet.h>
#include <math.h>
#include <sys/socket.h>

#include <doppel/sim/loop_client.h>

#include "doppel_hil.h"
#include "link_world.h"

static const char *const gates[] = {"controllers", "modbus"};

struct driver {
    struct remote_world *list;
    struct dpl_link *link;
    struct dpl_channel speed, velocity;
};

static void begin_driver(struct driver *driver, const struct served *served)
{
    driver->link = open_remote(&driver->list, served->address, "avatar");
    remote_worlds_start(driver->list, monotonic(), NULL);
    driver->speed = find_in(driver->link, "LeftWheel/speed");
    driver->velocity = find_out(driver->link, "enc_left/velocity");
}

/* A free-running controller of the left wheel. */
static struct doppel_hil *connect_controller(const struct served *served)
{
    struct doppel_hil_options options = {
        .port = dpl_sim_server_gate_port(served->server, "controllers"),
        .name = "arm",
        .timeout_ms = 10000,
    };
    struct doppel_hil *hil = doppel_hil_connect(&options);
    cr_assert_not_null(hil);
    doppel_hil_command(hil, "avatar/LeftWheel/speed", "rad/s");
    return hil;
}

Test(controllers_served, a_driver_does_not_get_what_a_controller_commands_until_that_leaves,
     .timeout = 30)
{
    struct served served;
    struct driver driver = {0};
    serve(&served, (struct dpl_sim_server_options){.gates = gates, .n_gates = 1});
    struct doppel_hil *hil = connect_controller(&served);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1, "%s", doppel_hil_error(hil));
    doppel_hil_set(hil, 0, 0, 3.0);
    cr_assert_eq(doppel_hil_send(hil), 0);
    begin_driver(&driver, &served);
    dpl_channel_put_number(driver.speed, -3.0);
    EVENTUALLY(number_of(driver.velocity) > 2.5);
    EVENTUALLY(!dpl_link_alive(driver.link));
    doppel_hil_close(hil);
    EVENTUALLY((dpl_channel_put_number(driver.speed, -3.0), number_of(driver.velocity) < -2.5));
    cr_assert(dpl_link_alive(driver.link));
    hil = connect_controller(&served);
    cr_assert_eq(doppel_hil_begin(hil), -1);
    cr_assert_eq(doppel_hil_code(hil), DOPPEL_HIL_BUSY, "%s", doppel_hil_error(hil));
    doppel_hil_close(hil);
    remote_worlds_destroy(driver.list);
    hil = connect_controller(&served);
    for (int i = 0; i < 20 && doppel_hil_begin(hil) < 0; i++) { /* the server has to hear of it */
        doppel_hil_close(hil);
        hil = connect_controller(&served);
    }
    cr_assert_eq(doppel_hil_code(hil), 0, "%s", doppel_hil_error(hil));
    doppel_hil_close(hil);
    unserve(&served);
}

Test(controllers_served, a_driver_gets_what_no_controller_commands, .timeout = 30)
{
    struct served served;
    struct driver driver = {0}, greedy = {0};
    serve(&served, (struct dpl_sim_server_options){.gates = gates, .n_gates = 1});
    struct doppel_hil *hil = connect_controller(&served);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    driver.link = open_remote(&driver.list, served.address, "avatar");
    remote_worlds_start(driver.list, monotonic(), NULL);
    driver.speed = find_in(driver.link, "RightWheel/speed");
    driver.velocity = find_out(driver.link, "enc_right/velocity");
    EVENTUALLY((dpl_channel_put_number(driver.speed, -3.0), number_of(driver.velocity) < -2.5));
    cr_assert(dpl_link_alive(driver.link));
    /* one more input in the same slot: all or none */
    struct dpl_channel left = find_in(driver.link, "LeftWheel/speed");
    dpl_channel_put_number(left, -3.0);
    EVENTUALLY(!dpl_link_alive(driver.link));
    remote_worlds_destroy(driver.list);
    doppel_hil_close(hil);
    begin_driver(&greedy, &served);
    EVENTUALLY((dpl_channel_put_number(greedy.speed, 3.0), number_of(greedy.velocity) > 2.5));
    /* what a slot has had and has not any more is free */
    remote_worlds_destroy(greedy.list);
    EVENTUALLY((hil = connect_controller(&served),
                doppel_hil_begin(hil) == 0 || (doppel_hil_close(hil), false)));
    doppel_hil_close(hil);
    unserve(&served);
}

/* Writes 0 to holding register 0 of unit 1, the drive's setpoint: 0, or the exception. */
static int write_setpoint(const struct served *served)
{
    const uint8_t request[] = {0, 1, 0, 0, 0, 6, 1, 6, 0, 0, 0, 0};
    uint8_t answer[9];
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons(dpl_sim_server_gate_port(served->server, "modbus")),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    cr_assert_eq(send(fd, request, sizeof request, MSG_NOSIGNAL), (ssize_t)sizeof request);
    cr_assert_eq(recv(fd, answer, sizeof answer, MSG_WAITALL), (ssize_t)sizeof answer);
    close(fd);
    return answer[7] == 6 ? 0 : answer[8];
}

Test(controllers_served, a_modbus_master_does_not_get_what_a_controller_commands, .timeout = 30)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){
                       .world = DOCS "/guides/modbus/rail.xml", .gates = gates, .n_gates = 2});
    struct doppel_hil_options options = {
        .port = dpl_sim_server_gate_port(served.server, "controllers")};
    struct doppel_hil *hil = doppel_hil_connect(&options);
    doppel_hil_command(hil, "cart/drive/setpoint", NULL);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    cr_assert_eq(write_setpoint(&served), 6);
    doppel_hil_close(hil);
    EVENTUALLY(write_setpoint(&served) == 0);
    unserve(&served);
}

Test(controllers_served, the_status_of_a_world_counts_them, .timeout = 30)
{
    struct served served;
    struct dpl_sim_reply reply;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){.gates = gates, .n_gates = 1});
    struct doppel_hil *hil = connect_controller(&served);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1, "%s", doppel_hil_error(hil));
    cr_assert_eq(dpl_sim_loop_say(served.address, "status", 5 * DPL_S, &reply, &error), 0, "%s",
                 error.text);
    cr_assert(reply.controllers.can_join);
    cr_assert_eq(reply.controllers.joined, 1);
    cr_assert_gt(reply.controllers.frames, 0);
    doppel_hil_close(hil);
    unserve(&served);
}

Test(controllers_served, a_stop_does_not_wait_for_a_mute_controller_in_lock_step, .timeout = 30)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.gates = gates, .n_gates = 1});
    struct doppel_hil_options options = {
        .port = dpl_sim_server_gate_port(served.server, "controllers"),
        .lock_step = 1,
        .timeout_ms = 10000,
    };
    struct doppel_hil *hil = doppel_hil_connect(&options);
    cr_assert_eq(doppel_hil_begin(hil), 0, "%s", doppel_hil_error(hil));
    cr_assert_eq(doppel_hil_wait(hil, 5000), 1, "the world waits from now on");
    dpl_ns begin = monotonic();
    unserve(&served);
    cr_assert_lt(monotonic() - begin, 5 * DPL_S);
    doppel_hil_close(hil);
}
