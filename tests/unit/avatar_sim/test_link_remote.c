/* SPDX-License-Identifier: Apache-2.0 */
/* Links to a served world over TCP on this machine: binding by name, moving, losing and finding
 * again, lock-step against the embedded world, frames that are no messages. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <zmq.h>

#include "link_codec.h"
#include "link_embedded.h"
#include "link_world.h"

static const char *const robot_name = "avatar";

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

static double angle_of(struct dpl_link *link, unsigned encoder)
{
    struct dpl_link_encoder reading = {0};
    link->ops->get_encoder(link, encoder, &reading);
    return reading.angle_rad;
}

static uint32_t world_of(struct dpl_link *link)
{
    struct dpl_link_robot robot = {0};
    link->ops->get_robot(link, &robot);
    return robot.world;
}

Test(link_remote, drives_motors_and_reads_encoders_of_a_served_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    dpl_ns epoch = monotonic();
    cr_assert_eq(remote_worlds_start(list, epoch, NULL), 0);
    unsigned motor = find_device(link, DPL_LINK_MOTOR, "LeftWheel");
    unsigned encoder = find_device(link, DPL_LINK_ENCODER, "enc_left");
    link->ops->set_motor(link, motor, 5.0);
    EVENTUALLY(angle_of(link, encoder) > 0.5);
    cr_assert(link->ops->alive(link));
    struct dpl_link_robot robot;
    cr_assert_eq(link->ops->get_robot(link, &robot), 0);
    cr_assert_gt(robot.stamp, 0);
    cr_assert_leq(robot.stamp, monotonic() - epoch + 50 * DPL_MS, "stamps are of the run's clock");
    cr_assert_geq(robot.stamp, monotonic() - epoch - DPL_S);
    link->ops->close(link);
    remote_worlds_destroy(list);
    cr_assert_eq(unserve(&served).malformed, 0);
}

Test(link_remote, brings_scans_once_the_laser_is_on, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    static struct dpl_link_scan scan;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    remote_worlds_start(list, monotonic(), NULL);
    unsigned laser = 9;
    struct dpl_link_laser info;
    cr_assert_eq(link->ops->find(link, DPL_LINK_LASER, "laser", &laser, &info, NULL), 0);
    cr_assert_eq(info.n, 682);
    cr_assert_eq(link->ops->get_scan(link, laser, &scan), -EAGAIN);
    link->ops->enable_laser(link, laser, true);
    EVENTUALLY(link->ops->get_scan(link, laser, &scan) == 0);
    cr_assert_eq(scan.n, 682);
    cr_assert_gt(scan.sequence, 0);
    remote_worlds_destroy(list);
    unserve(&served);
}

/* Room 1 of the office has a desk at (-7.1, 4.6). */
Test(link_remote, puts_the_robot_where_it_fits_and_tells_where_it_does_not, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    cr_assert_eq(remote_worlds_start(list, monotonic(), NULL), 0);
    cr_assert_eq(link->ops->placed(link), 0, "nothing was asked for");
    struct dpl_link_robot before, after;
    struct dpl_pose2 desk = {-7.1, 4.6, 0.0}, corridor = {0.0, 0.0, 1.0};
    EVENTUALLY(link->ops->get_robot(link, &before) == 0);
    link->ops->set_pose(link, &desk);
    EVENTUALLY(link->ops->placed(link) != -EINPROGRESS);
    cr_assert_eq(link->ops->placed(link), -EBUSY);
    cr_assert_eq(link->ops->get_robot(link, &after), 0);
    cr_assert_lt(dpl_pose2_distance(before.pose, after.pose), 1e-3);
    link->ops->set_pose(link, &corridor);
    EVENTUALLY(link->ops->placed(link) == 0);
    cr_assert_eq(link->ops->get_robot(link, &after), 0);
    cr_assert_lt(dpl_pose2_distance(corridor, after.pose), 1e-3);
    unserve(&served);
    EVENTUALLY(!link->ops->alive(link));
    cr_assert_eq(link->ops->placed(link), 0, "that was answered");
    link->ops->set_pose(link, &desk);
    cr_assert_eq(link->ops->placed(link), -ENOTCONN);
    link->ops->close(link);
    remote_worlds_destroy(list);
}

Test(link_remote, ramps_motors_in_the_served_world, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link_config config = {
        .world = served.address, .robot = robot_name, .motor_ramp_rad_s2 = 4.0};
    struct dpl_link *link = NULL;
    cr_assert_eq(link_remote_open(&list, &config, NULL, &link, NULL), 0);
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    unsigned motor = find_device(link, DPL_LINK_MOTOR, "LeftWheel");
    unsigned encoder = find_device(link, DPL_LINK_ENCODER, "enc_left");
    link->ops->set_motor(link, motor, 3.0);
    struct dpl_link_encoder reading;
    for (int i = 1; i <= 5; i++) {
        cr_assert_eq(remote_worlds_advance(list, i * 100 * DPL_MS, NULL), 0);
        cr_assert_eq(link->ops->get_encoder(link, encoder, &reading), 0);
        cr_assert_float_eq(reading.velocity_rad_s, 0.4 * i, 0.1, "%g rad/s after %d00 ms",
                           reading.velocity_rad_s, i);
    }
    link->ops->close(link);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, lists_what_there_is_when_a_name_is_unknown, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    unsigned id;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    cr_assert_eq(link->ops->find(link, DPL_LINK_ENCODER, "enc_lef", &id, NULL, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "'enc_left', 'enc_right'; did you mean 'enc_left'?"),
                       "%s", error.text);
    struct dpl_link *stranger = open_remote(&list, served.address, "nobody");
    cr_assert_eq(stranger->ops->find(stranger, DPL_LINK_MOTOR, "m", &id, NULL, &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "no robot 'nobody'; it has: avatar"), "%s", error.text);
    cr_assert(!stranger->ops->alive(stranger));
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, asks_for_patience_while_no_world_answers, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    char address[64];
    memcpy(address, served.address, sizeof address);
    uint16_t port = dpl_sim_server_port(served.server);
    unserve(&served);
    struct dpl_link *link = open_remote(&list, address, robot_name);
    unsigned id;
    struct dpl_link_robot robot;
    cr_assert_eq(link->ops->find(link, DPL_LINK_MOTOR, "LeftWheel", &id, NULL, NULL), -EAGAIN);
    cr_assert_eq(link->ops->get_robot(link, &robot), -EAGAIN);
    cr_assert(!link->ops->alive(link));
    serve(&served, (struct dpl_sim_server_options){.port = port});
    EVENTUALLY(link->ops->alive(link));
    find_device(link, DPL_LINK_MOTOR, "LeftWheel");
    remote_worlds_destroy(list);
    unserve(&served);
}

/* ---- a server that is killed ---- */

/* A process of its own that serves at `port` (0: any) and says its port through the pipe. */
static pid_t spawn_server(uint16_t port, uint16_t *ret_port)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct dpl_sim_server_options options = {.world = LINK_TEST_WORLD, .seed = 1, .port = port};
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

static void kill_server(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

Test(link_remote, binds_again_by_itself_after_the_server_was_killed, .timeout = 30)
{
    struct remote_world *list = NULL;
    uint16_t port, again;
    char address[64];
    pid_t child = spawn_server(0, &port);
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", port);
    struct dpl_link *link = open_remote(&list, address, robot_name);
    remote_worlds_start(list, monotonic(), NULL);
    unsigned motor = find_device(link, DPL_LINK_MOTOR, "RightWheel");
    unsigned encoder = find_device(link, DPL_LINK_ENCODER, "enc_right");
    link->ops->set_motor(link, motor, 4.0);
    EVENTUALLY(angle_of(link, encoder) > 1.0);

    kill_server(child);
    dpl_ns killed = monotonic();
    EVENTUALLY(!link->ops->alive(link));
    cr_assert_lt(monotonic() - killed, DPL_S, "noticed within a second");
    dpl_ns before = monotonic();
    for (int i = 0; i < 100000; i++) {
        link->ops->set_motor(link, motor, 4.0);
        angle_of(link, encoder);
    }
    cr_assert_lt(monotonic() - before, DPL_S, "the user of a dead world never waits");

    cr_assert_eq(world_of(link), 0);
    child = spawn_server(port, &again);
    EVENTUALLY(link->ops->alive(link));
    EVENTUALLY(angle_of(link, encoder) > 0.2 && angle_of(link, encoder) < 1.0);
    cr_assert_eq(world_of(link), 1, "it is another world, and who asks is told");
    remote_worlds_destroy(list);
    kill_server(child);
}

Test(link_remote, notices_a_restart_that_was_too_quick_for_silence, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    static struct dpl_link_scan scan;
    serve(&served, (struct dpl_sim_server_options){0});
    uint16_t port = dpl_sim_server_port(served.server);
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    remote_worlds_start(list, monotonic(), NULL);
    unsigned laser = find_device(link, DPL_LINK_LASER, "laser");
    link->ops->enable_laser(link, laser, true);
    EVENTUALLY(link->ops->get_scan(link, laser, &scan) == 0 && scan.sequence >= 2);
    uint64_t newest = scan.sequence;
    unserve(&served);
    serve(&served, (struct dpl_sim_server_options){.port = port});
    EVENTUALLY(dpl_sim_server_stats(served.server).welcomed == 1);
    EVENTUALLY(link->ops->get_scan(link, laser, &scan) == 0);
    cr_assert_gt(scan.sequence, newest, "sequences go on");
    remote_worlds_destroy(list);
    unserve(&served);
}

/* ---- lock-step ---- */

struct drive_result {
    double left[50], right[50];
    uint64_t scans;
    float range;
};

static void command(struct dpl_link *link, unsigned left, unsigned right, int step)
{
    if (step % 3 == 0) {
        link->ops->set_motor(link, left, 3.0 + 0.1 * step);
        link->ops->set_motor(link, right, 4.0 - 0.07 * step);
    }
}

static void drive_in_steps(struct dpl_link *link, int (*advance)(void *, dpl_ns), void *user,
                           struct drive_result *ret)
{
    static struct dpl_link_scan scan;
    unsigned left = find_device(link, DPL_LINK_MOTOR, "LeftWheel");
    unsigned right = find_device(link, DPL_LINK_MOTOR, "RightWheel");
    unsigned left_encoder = find_device(link, DPL_LINK_ENCODER, "enc_left");
    unsigned right_encoder = find_device(link, DPL_LINK_ENCODER, "enc_right");
    unsigned laser = find_device(link, DPL_LINK_LASER, "laser");
    link->ops->enable_laser(link, laser, true);
    memset(ret, 0, sizeof *ret);
    for (int i = 0; i < 50; i++) {
        command(link, left, right, i);
        cr_assert_eq(advance(user, (i + 1) * 20 * DPL_MS), 0);
        struct dpl_link_encoder reading;
        link->ops->get_encoder(link, left_encoder, &reading);
        cr_assert_eq(reading.stamp, (i + 1) * 20 * DPL_MS);
        ret->left[i] = reading.angle_rad;
        link->ops->get_encoder(link, right_encoder, &reading);
        ret->right[i] = reading.angle_rad;
        if (link->ops->get_scan(link, laser, &scan) == 0) {
            ret->scans = scan.sequence;
            ret->range = scan.ranges_m[300];
        }
    }
}

static int advance_remote(void *user, dpl_ns to)
{
    return remote_worlds_advance(user, to, NULL);
}

static int advance_embedded(void *user, dpl_ns to)
{
    hosted_world_advance(user, to);
    return 0;
}

Test(link_remote, gives_in_lock_step_bit_for_bit_what_the_embedded_world_gives, .timeout = 30)
{
    static struct drive_result far, near;
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    struct dpl_link *link = open_remote(&list, served.address, robot_name);
    struct dpl_diag error = {0};
    cr_assert_eq(remote_worlds_start(list, 0, &error), 0, "%s", error.text);
    drive_in_steps(link, advance_remote, list, &far);
    remote_worlds_destroy(list);
    unserve(&served);

    struct hosted_world *world;
    cr_assert_eq(hosted_world_create(LINK_TEST_WORLD, 1, NULL, &world, &error), 0, "%s",
                 error.text);
    struct dpl_link_config config = {.robot = robot_name};
    cr_assert_eq(link_embedded_open(world, &config, &link, &error), 0, "%s", error.text);
    drive_in_steps(link, advance_embedded, world, &near);
    hosted_world_destroy(world);

    cr_assert_gt(near.left[49], 1.0);
    cr_assert_gt(near.scans, 5);
    cr_assert_eq(memcmp(&far, &near, sizeof far), 0);
}

struct waiting {
    struct remote_world *list;
    struct dpl_diag error;
    int err;
};

static void *grant_a_second(void *argument)
{
    struct waiting *waiting = argument;
    waiting->err = remote_worlds_advance(waiting->list, DPL_S, &waiting->error);
    return NULL;
}

Test(link_remote, lets_the_slowest_of_two_lock_step_clients_decide, .timeout = 30)
{
    struct served served;
    struct waiting fast = {0};
    struct remote_world *slow = NULL;
    pthread_t thread;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true, .clients = 2});
    open_remote(&fast.list, served.address, robot_name);
    struct dpl_link *watched = open_remote(&slow, served.address, robot_name);
    cr_assert_eq(remote_worlds_start(fast.list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_start(slow, 0, NULL), 0);
    cr_assert_eq(pthread_create(&thread, NULL, grant_a_second, &fast), 0);
    for (dpl_ns to = 10 * DPL_MS; to <= 30 * DPL_MS; to += 10 * DPL_MS) {
        struct dpl_link_robot robot;
        cr_assert_eq(remote_worlds_advance(slow, to, NULL), 0);
        cr_assert_eq(watched->ops->get_robot(watched, &robot), 0);
        cr_assert_eq(robot.stamp, to);
    }
    pthread_join(thread, NULL);
    cr_assert_eq(fast.err, -ETIMEDOUT);
    cr_assert_not_null(strstr(fast.error.text, served.address), "%s", fast.error.text);
    cr_assert_not_null(strstr(fast.error.text, "it waits for client '"), "%s", fast.error.text);
    remote_worlds_destroy(fast.list);
    remote_worlds_destroy(slow);
    unserve(&served);
}

Test(link_remote, says_when_the_world_is_served_in_the_other_mode, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    open_remote(&list, served.address, robot_name);
    cr_assert_eq(remote_worlds_start(list, 0, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "--lockstep"), "%s", error.text);
    remote_worlds_destroy(list);
    unserve(&served);
}

Test(link_remote, names_a_lock_step_world_that_went_away, .timeout = 30)
{
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_diag error = {0};
    serve(&served, (struct dpl_sim_server_options){.lockstep = true});
    open_remote(&list, served.address, robot_name);
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    cr_assert_eq(remote_worlds_advance(list, 10 * DPL_MS, NULL), 0);
    unserve(&served);
    int err = remote_worlds_advance(list, 20 * DPL_MS, &error);
    cr_assert(err == -ETIMEDOUT || err == -ECONNRESET);
    cr_assert_not_null(strstr(error.text, served.address), "%s", error.text);
    remote_worlds_destroy(list);
}

/* ---- the server against strangers ---- */

struct stranger {
    void *context, *socket;
};

static struct stranger connect_stranger(const char *address)
{
    struct stranger stranger = {.context = zmq_ctx_new()};
    stranger.socket = zmq_socket(stranger.context, ZMQ_DEALER);
    int linger = 0;
    zmq_setsockopt(stranger.socket, ZMQ_LINGER, &linger, sizeof linger);
    cr_assert_eq(zmq_connect(stranger.socket, address), 0);
    return stranger;
}

static void leave(struct stranger *stranger)
{
    zmq_close(stranger->socket);
    zmq_ctx_term(stranger->context);
}

static struct link_codec codec;

static const Doppel__Link__ToClient *answer(const struct stranger *stranger)
{
    static uint8_t frame[LINK_FRAME_MAX];
    const Doppel__Link__ToClient *message = NULL;
    const char *why;
    int size = zmq_recv(stranger->socket, frame, sizeof frame, 0);
    cr_assert_geq(size, 0);
    cr_assert_eq(link_unpack_to_client(&codec, frame, (size_t)size, &message, &why), 0);
    return message;
}

Test(link_server, refuses_and_counts_frames_that_are_no_messages, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    static const char *const bad[] = {"", "\xff\xff\xff", "hello there", "\x08\x01"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zmq_send(stranger.socket, bad[i], strlen(bad[i]), 0);
        const Doppel__Link__ToClient *message = answer(&stranger);
        cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    }
    zmq_send(stranger.socket, "two", 3, ZMQ_SNDMORE);
    zmq_send(stranger.socket, "frames", 6, 0);
    EVENTUALLY(dpl_sim_server_stats(served.server).malformed == 5);
    leave(&stranger);
    cr_assert_eq(unserve(&served).malformed, 5);
}

Test(link_server, tells_a_stranger_to_say_hello_first, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    zmq_send(stranger.socket, "\x08\x01\x2a\x00", 4, 0); /* a ping */
    const Doppel__Link__ToClient *message = answer(&stranger);
    cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    cr_assert(message->refused->again);
    leave(&stranger);
    cr_assert_eq(unserve(&served).malformed, 0);
}

static void say(const struct stranger *stranger, Doppel__Link__ToServer *message)
{
    static struct link_codec out;
    int size = link_pack_to_server(&out, message);
    cr_assert_gt(size, 0);
    cr_assert_eq(zmq_send(stranger->socket, out.out, (size_t)size, 0), size);
}

static void say_bind(const struct stranger *stranger, bool take_over)
{
    Doppel__Link__Bind bind = DOPPEL__LINK__BIND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    bind.take_over = take_over;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BIND;
    message.bind = &bind;
    say(stranger, &message);
}

static void say_hello_and_bind(const struct stranger *stranger)
{
    char name[] = "stranger";
    Doppel__Link__Hello hello;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__hello__init(&hello);
    hello.name = name;
    hello.period = 10 * DPL_MS;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
    message.hello = &hello;
    say(stranger, &message);
    say_bind(stranger, false);
}

static double next_velocity(const struct stranger *stranger)
{
    for (;;) {
        const Doppel__Link__ToClient *message = answer(stranger);
        if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_STATE &&
            message->state->n_slots == 1) {
            return message->state->slots[0]->velocities[0];
        }
    }
}

Test(link_server, stops_the_motors_of_a_client_that_falls_silent, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    double speed = 5.0;
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    Doppel__Link__SlotCommand *slots[] = {&slot};
    Doppel__Link__Command command_ = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    slot.motors = 1;
    slot.n_speeds = 1;
    slot.speeds = &speed;
    command_.n_slots = 1;
    command_.slots = slots;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command_;
    say_hello_and_bind(&stranger);
    say(&stranger, &message);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    EVENTUALLY(next_velocity(&stranger) < 0.1);
    leave(&stranger);
    cr_assert_eq(unserve(&served).silenced, 1);
}

/* ---- one controller a robot ---- */

static struct dpl_link *open_taking_over(struct remote_world **list, const char *address)
{
    struct dpl_link_config config = {.world = address, .robot = robot_name, .take_over = true};
    struct dpl_link *link = NULL;
    cr_assert_eq(link_remote_open(list, &config, NULL, &link, NULL), 0);
    return link;
}

struct controller {
    struct remote_world *list;
    struct dpl_link *link;
    unsigned motor, encoder;
};

static void begin_control(struct controller *c, struct dpl_link *link, double speed)
{
    c->link = link;
    remote_worlds_start(c->list, monotonic(), NULL);
    c->motor = find_device(link, DPL_LINK_MOTOR, "LeftWheel");
    c->encoder = find_device(link, DPL_LINK_ENCODER, "enc_left");
    link->ops->set_motor(link, c->motor, speed);
}

static double speed_of(const struct controller *c)
{
    struct dpl_link_encoder reading = {0};
    c->link->ops->get_encoder(c->link, c->encoder, &reading);
    return reading.velocity_rad_s;
}

Test(link_server, lets_one_client_control_a_robot_and_the_next_one_when_it_has_left, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_remote(&first.list, served.address, robot_name), 3.0);
    EVENTUALLY(speed_of(&first) > 2.5);
    struct dpl_link *watcher = open_remote(&second.list, served.address, robot_name);
    cr_assert(watcher->ops->alive(watcher), "to watch is allowed");
    begin_control(&second, watcher, -3.0);
    EVENTUALLY(!watcher->ops->alive(watcher));
    for (int i = 0; i < 300; i++) {
        second.link->ops->set_motor(second.link, second.motor, -3.0);
        cr_assert_gt(speed_of(&first), 2.0, "it obeys the first one only");
        cr_assert(first.link->ops->alive(first.link));
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    EVENTUALLY(watcher->ops->alive(watcher));
    EVENTUALLY(fabs(speed_of(&second)) < 0.1);
    second.link->ops->set_motor(second.link, second.motor, -2.0);
    EVENTUALLY(speed_of(&second) < -1.5);
    remote_worlds_destroy(second.list);
    unserve(&served);
}

Test(link_server, lets_a_client_take_a_robot_over_that_asks_for_it, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_taking_over(&first.list, served.address), 3.0);
    EVENTUALLY(speed_of(&first) > 2.5);
    begin_control(&second, open_taking_over(&second.list, served.address), -3.0);
    EVENTUALLY(speed_of(&second) < -2.5);
    EVENTUALLY(!first.link->ops->alive(first.link));
    for (int i = 0; i < 300; i++) {
        first.link->ops->set_motor(first.link, first.motor, 3.0);
        cr_assert_lt(speed_of(&second), -2.0, "it is not taken back");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    for (int i = 0; i < 100; i++) {
        cr_assert_lt(speed_of(&second), -2.0, "who has no control stops nothing when it leaves");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(second.list);
    unserve(&served);
}

static const Doppel__Link__Control *next_control(const struct stranger *stranger)
{
    for (;;) {
        const Doppel__Link__ToClient *message = answer(stranger);
        if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_CONTROL) {
            return message->control;
        }
    }
}

static void say_command(const struct stranger *stranger, Doppel__Link__SlotCommand *slot)
{
    Doppel__Link__SlotCommand *slots[] = {slot};
    Doppel__Link__Command command_ = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    command_.n_slots = 1;
    command_.slots = slots;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command_;
    say(stranger, &message);
}

static void say_speed(const struct stranger *stranger, double speed)
{
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    slot.motors = 1;
    slot.n_speeds = 1;
    slot.speeds = &speed;
    say_command(stranger, &slot);
}

Test(link_server, tells_both_when_a_second_client_is_refused, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    say_hello_and_bind(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    say_hello_and_bind(&second);
    say_speed(&second, 1.0);
    const Doppel__Link__Control *control = next_control(&second);
    cr_assert_not(control->granted);
    cr_assert_not_null(strstr(control->text, "controlled by client"), "%s", control->text);
    control = next_control(&first);
    cr_assert(control->granted);
    cr_assert_not_null(strstr(control->text, "was refused"), "%s", control->text);
    leave(&first);
    leave(&second);
    unserve(&served);
}

static void keep_notice(void *user, const char *text)
{
    char *kept = user;
    if (strstr(text, "took over")) {
        snprintf(kept, 200, "%s", text);
    }
}

Test(link_server, tells_who_took_a_robot_from_whom, .timeout = 20)
{
    static char notice[200];
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.notice = keep_notice, .notice_user = notice});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    say_hello_and_bind(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    say_hello_and_bind(&second);
    say_bind(&second, true);
    say_speed(&second, 1.0);
    const Doppel__Link__Control *control = next_control(&second);
    cr_assert(control->granted);
    cr_assert_not_null(strstr(control->text, "took over robot"), "%s", control->text);
    cr_assert_not_null(strstr(control->text, "from client 'stranger'"), "%s", control->text);
    control = next_control(&first);
    cr_assert_not(control->granted);
    cr_assert_not_null(strstr(notice, "client 'stranger' took over robot"), "%s", notice);
    cr_assert_not_null(strstr(notice, "from client 'stranger'"), "%s", notice);
    leave(&first);
    leave(&second);
    unserve(&served);
}

Test(link_server, refuses_a_place_beyond_the_extent_of_worlds, .timeout = 20)
{
    static const double bad[][3] = {{1e5, 0, 0}, {0, -1e30, 0}, {0, 0, 1e9}, {0.0 / 0.0, 0, 0}};
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    say_hello_and_bind(&stranger);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
        Doppel__Link__Pose place = DOPPEL__LINK__POSE__INIT;
        place.x = bad[i][0];
        place.y = bad[i][1];
        place.theta = bad[i][2];
        slot.place = &place;
        say_command(&stranger, &slot);
    }
    EVENTUALLY(dpl_sim_server_stats(served.server).malformed == 4);
    leave(&stranger);
    unserve(&served);
}

struct notices {
    size_t bytes;
    bool controls; /* a character that drives a terminal */
};

static void take_notice(void *user, const char *text)
{
    struct notices *notices = user;
    notices->bytes += strlen(text) + 1;
    for (const char *c = text; *c != '\0'; c++) {
        notices->controls = notices->controls || *c < ' ' || *c > '~';
    }
}

Test(link_server, writes_few_lines_about_a_peer_that_comes_and_goes_and_escapes_its_name,
     .timeout = 20)
{
    struct notices notices = {0};
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.notice = take_notice, .notice_user = &notices});
    struct stranger stranger = connect_stranger(served.address);
    char name[] = "\x1b[2Jbell\a\n";
    Doppel__Link__Hello hello;
    Doppel__Link__Bye bye = DOPPEL__LINK__BYE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    doppel__link__hello__init(&hello);
    hello.period = DPL_S;
    hello.name = name;
    for (int i = 0; i < 2000; i++) {
        message.body_case = DOPPEL__LINK__TO_SERVER__BODY_HELLO;
        message.hello = &hello;
        say(&stranger, &message);
        message.body_case = DOPPEL__LINK__TO_SERVER__BODY_BYE;
        message.bye = &bye;
        say(&stranger, &message);
    }
    EVENTUALLY(dpl_sim_server_stats(served.server).welcomed == 2000);
    leave(&stranger);
    unserve(&served);
    cr_assert_not(notices.controls);
    cr_assert(notices.bytes > 0 && notices.bytes < 4000, "%zu bytes", notices.bytes);
}

Test(link_server, names_a_port_in_use, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct dpl_sim_server *second = NULL;
    struct dpl_diag error = {0};
    struct dpl_sim_server_options options = {.world = LINK_TEST_WORLD,
                                             .port = dpl_sim_server_port(served.server)};
    cr_assert_eq(dpl_sim_server_create(&options, &second, &error), -EADDRINUSE);
    cr_assert_not_null(strstr(error.text, "in use"), "%s", error.text);
    cr_assert_null(second);
    unserve(&served);
}
