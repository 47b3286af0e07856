/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a served world, controlled by a client, while others are connected. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/host.h>
#include <doppel/sim/loop_client.h>

#include "free_port.h"
#include "link_stranger.h"

TestSuite(link_loop, .timeout = 60);

static struct dpl_sim_reply ask(const struct served *served, const char *command)
{
    struct dpl_sim_reply reply = {0};
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_sim_loop_say(served->address, command, 20 * DPL_S, &reply, &error), 0, "%s",
                 error.text);
    return reply;
}

static struct dpl_sim_loop_status tell(const struct served *served, const char *command)
{
    struct dpl_sim_reply reply = ask(served, command);
    cr_assert_eq(reply.result, DPL_SIM_REPLY_DONE, "%s: %s", command, reply.text);
    return reply.status;
}

Test(link_loop, pauses_steps_and_runs_a_served_world)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_sim_loop_status before = tell(&served, "pause");
    cr_assert(before.paused);
    struct dpl_sim_loop_status after = tell(&served, "step 20");
    cr_assert(after.paused);
    cr_assert_eq(after.step, before.step + 20);
    cr_assert_eq(tell(&served, "status").step, before.step + 20, "time stands still");
    after = tell(&served, "for 0.25");
    cr_assert_eq(after.time, before.time + 20 * DPL_MS + 250 * DPL_MS);
    tell(&served, "run");
    EVENTUALLY(tell(&served, "status").step > after.step);
    cr_assert_eq(unserve(&served).malformed, 0);
}

Test(link_loop, runs_a_served_world_faster_than_the_clock)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    tell(&served, "pause");
    cr_assert(isinf(tell(&served, "rate max").rate));
    dpl_ns begin = monotonic();
    struct dpl_sim_loop_status before = tell(&served, "status"), after = tell(&served, "for 15");
    cr_assert_eq(after.time - before.time, 15 * DPL_S);
    cr_assert_lt(monotonic() - begin, 5 * DPL_S);
    cr_assert_eq(after.late_steps, before.late_steps, "nothing is due");
    unserve(&served);
}

Test(link_loop, refuses_with_a_reason_what_is_no_command_or_cannot_be_done)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    static const struct {
        const char *command, *part;
    } bad[] = {
        {"puase", "did you mean 'pause'"},
        {"restore nothing", "no snapshot of that name"},
        {"until avatar/enc_left/velocty > 1", "velocity"},
        {"until avatar/LeftWheel/speed > 1", "cannot be read"},
        {"until avatar/laser/ranges[3] > 1", "cannot be in a condition"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct dpl_sim_reply reply = ask(&served, bad[i].command);
        cr_assert_eq(reply.result, DPL_SIM_REPLY_REFUSED, "%s", bad[i].command);
        cr_assert_not_null(strstr(reply.text, bad[i].part), "%s", reply.text);
    }
    unserve(&served);
}

Test(link_loop, refuses_to_control_a_world_in_lock_step)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_sim_reply reply = ask(&served, "pause");
    cr_assert_eq(reply.result, DPL_SIM_REPLY_REFUSED);
    cr_assert_not_null(strstr(reply.text, "lock-step"), "%s", reply.text);
    cr_assert_eq(ask(&served, "status").result, DPL_SIM_REPLY_REFUSED);
    unserve(&served);
}

Test(link_loop, refuses_to_control_a_world_that_an_emulator_moves)
{
    struct dpl_sim_host *host = dpl_sim_host_create(
        &(struct dpl_sim_host_options){.world = PROFILES "/worlds/office.xml", .seed = 1});
    struct dpl_diag error = {0};
    struct served served;
    int port = dpl_sim_host_serve(host, NULL, NULL, 0, &error);
    cr_assert_gt(port, 0, "%s", error.text);
    struct dpl_world_host interface = dpl_sim_host_interface(host);
    cr_assert_eq(interface.ops->start(interface.self, monotonic(), &error), 0, "%s", error.text);
    snprintf(served.address, sizeof served.address, "tcp://127.0.0.1:%d", port);
    struct dpl_sim_reply reply = ask(&served, "pause");
    cr_assert_eq(reply.result, DPL_SIM_REPLY_REFUSED);
    cr_assert_not_null(strstr(reply.text, "an emulator's"), "%s", reply.text);
    interface.ops->stop(interface.self);
    dpl_sim_host_destroy(host);
}

Test(link_loop, command_that_another_one_ends_is_answered_as_cancelled)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    say_hello(&stranger);
    char text[] = "for 1000";
    Doppel__Link__LoopCommand loop;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__loop_command__init(&loop);
    loop.number = 17;
    loop.text = text;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LOOP;
    message.loop = &loop;
    say(&stranger, &message);
    EVENTUALLY(tell(&served, "status").has_goal);
    cr_assert_not(tell(&served, "run").has_goal);
    const Doppel__Link__LoopAnswer *answer =
        next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_LOOP)->loop;
    cr_assert_eq(answer->number, 17);
    cr_assert_eq(answer->result, DOPPEL__LINK__LOOP_RESULT__LOOP_CANCELLED);
    leave(&stranger);
    unserve(&served);
}

/* A driver that holds a speed, and reads its wheel and its laser, while the world goes back. */
Test(link_loop, what_a_client_holds_and_reads_goes_on_after_a_reset_and_a_restore)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, "avatar");
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel velocity = find_out(link, "enc_left/velocity");
    struct dpl_channel scan_on = find_in(link, "laser/on");
    struct dpl_channel scan = find_out(link, "laser/ranges");
    static float ranges[4096];
    struct dpl_diag error = {0};
    cr_assert_eq(remote_worlds_start(list, monotonic(), &error), 0, "%s", error.text);
    bool on = true;
    dpl_channel_put(scan_on, &on);
    static const char *const commands[] = {"snapshot s", "reset", "restore s"};
    for (int i = 0; i < 3; i++) {
        tell(&served, commands[i]);
        dpl_ns stamp = 0, first = 0;
        EVENTUALLY((dpl_channel_put_number(speed, 3.0), fabs(number_of(velocity) - 3.0) < 0.5));
        dpl_link_refresh(link, NULL);
        dpl_channel_get(scan, ranges, &first);
        EVENTUALLY((dpl_link_refresh(link, NULL),
                    dpl_channel_get(scan, ranges, &stamp) == 0 && stamp > first));
    }
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Nobody answers any more for what a robot was told when the snapshot was made. */
Test(link_loop, robot_of_a_snapshot_stands_still_when_its_driver_has_left)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, "avatar");
    struct dpl_channel speed = find_in(link, "LeftWheel/speed");
    struct dpl_channel velocity = find_out(link, "enc_left/velocity");
    struct dpl_diag error = {0};
    cr_assert_eq(remote_worlds_start(list, monotonic(), &error), 0, "%s", error.text);
    EVENTUALLY((dpl_channel_put_number(speed, 3.0), fabs(number_of(velocity) - 3.0) < 0.5));
    tell(&served, "snapshot driving");
    remote_worlds_destroy(list);
    tell(&served, "for 2");
    tell(&served, "restore driving");
    tell(&served, "rate max");
    tell(&served, "for 2");
    list = NULL;
    link = open_remote(&list, served.address, "avatar");
    velocity = find_out(link, "enc_left/velocity");
    cr_assert_eq(remote_worlds_start(list, monotonic(), &error), 0, "%s", error.text);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    cr_assert_lt(fabs(number_of(velocity)), 0.05);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_loop, tells_who_says_a_command_to_nobody)
{
    struct dpl_sim_reply reply;
    struct dpl_diag error = {0};
    static const char *const wrong[] = {"office",
                                        "tcp://",
                                        "tcp://:5500",
                                        "tcp://127.0.0.1",
                                        "tcp://127.0.0.1:",
                                        "tcp://127.0.0.1:0",
                                        "tcp://127.0.0.1:-1",
                                        "tcp://127.0.0.1:99999",
                                        "tcp://127.0.0.1:18446744073709557116",
                                        "tcp://127.0.0.1:5500x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_eq(dpl_sim_loop_say(wrong[i], "pause", 0, &reply, &error), -EINVAL, "%s",
                     wrong[i]);
        cr_assert_not_null(strstr(error.text, "tcp://host:port"), "%s", error.text);
    }
    cr_assert_eq(dpl_sim_loop_say("tcp://127.0.0.1:1", "pause", 0, &reply, &error), -ETIMEDOUT);
    cr_assert_not_null(strstr(error.text, "no world answers"), "%s", error.text);
    dpl_ns begin = monotonic();
    cr_assert_eq(dpl_sim_loop_say("tcp://127.0.0.1:1", "pause", DPL_MS, &reply, &error),
                 -ETIMEDOUT);
    cr_assert_not_null(strstr(error.text, "no world answers"), "%s", error.text);
    cr_assert_lt(monotonic() - begin, 2 * DPL_S, "it waits no longer than it was told");
}
