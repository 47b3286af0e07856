/* SPDX-License-Identifier: Apache-2.0 */
/* Controllers that hang, die, or send what is no message. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "controller_rig.h"
#include "doppel_hil_wire.h"

static const char left_speed[] = "avatar/enc_left/velocity";

/* The left motor runs by the command of this controller, which does not answer any more. */
static void drive_and_hang(struct rig *rig, struct doppel_hil *hil)
{
    for (int i = 0; i < 3000 && rig_number(rig, left_speed) < 4.0; i++) {
        rig_step(rig, 1);
        cr_assert_geq(doppel_hil_wait(hil, 100), 0, "%s", doppel_hil_error(hil));
        doppel_hil_set(hil, 0, 0, 5.0);
        doppel_hil_send(hil);
    }
    cr_assert_geq(rig_number(rig, left_speed), 4.0);
}

static void expect_standstill(struct rig *rig)
{
    rig_step(rig, 3000);
    cr_assert_float_eq(rig_number(rig, left_speed), 0.0, 0.01);
}

Test(controllers_lost, one_that_hangs_is_released_after_its_time_out_and_can_come_back)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil_options options = {.name = "hanger", .timeout_ms = 30};
    struct doppel_hil *hil = rig_join_left(&rig, options);
    drive_and_hang(&rig, hil);
    EVENTUALLY((rig_step(&rig, 1), rig_joined(&rig) == 0));
    cr_assert_eq(atomic_load(&rig.controllers->counts.time_outs), 1);
    expect_standstill(&rig);
    while (doppel_hil_wait(hil, 5000) > 0) { /* frames of before */
    }
    cr_assert_eq(doppel_hil_code(hil), DOPPEL_HIL_TIME_OUT, "%s", doppel_hil_error(hil));
    cr_assert(strstr(doppel_hil_error(hil), "no command came within 30 ms"));
    cr_assert_eq(doppel_hil_send(hil), -1);
    doppel_hil_close(hil);
    options.timeout_ms = 5000;
    hil = rig_join_left(&rig, options);
    drive_and_hang(&rig, hil);
    doppel_hil_close(hil);
    rig_stop(&rig);
    cr_assert(strstr(rig.notices, "'hanger' is out: no command came within 30 ms"), "%s",
              rig.notices);
}

Test(controllers_lost, the_world_waits_for_a_lock_step_one_for_its_time_out_and_no_longer)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil_options options = {.name = "mute", .lock_step = 1, .timeout_ms = 50};
    struct doppel_hil *hil = rig_join_left(&rig, options);
    dpl_ns begin = dpl_monotonic_now();
    rig_step(&rig, 100);
    cr_assert_geq(dpl_monotonic_now() - begin, 50 * DPL_MS);
    cr_assert_eq(dpl_world_now(rig.world->world), 100 * STEP);
    cr_assert_eq(rig_joined(&rig), 0);
    cr_assert_eq(atomic_load(&rig.controllers->counts.time_outs), 1);
    cr_assert_eq(atomic_load(&rig.controllers->counts.frames), 1);
    doppel_hil_close(hil);
    rig_stop(&rig);
}

Test(controllers_lost, a_lost_connection_of_a_lock_step_one_is_not_waited_for)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil_options options = {.name = "dead", .lock_step = 1, .timeout_ms = 10000};
    doppel_hil_close(rig_join_left(&rig, options));
    dpl_ns begin = dpl_monotonic_now();
    rig_step(&rig, 100);
    cr_assert_lt(dpl_monotonic_now() - begin, 5 * DPL_S);
    cr_assert_eq(rig_joined(&rig), 0);
    rig_stop(&rig);
}

Test(controllers_lost, one_that_is_silent_does_not_hold_up_the_stop_of_a_world)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil_options options = {.name = "mute", .lock_step = 1, .timeout_ms = 10000};
    struct doppel_hil *hil = rig_join_left(&rig, options);
    controllers_stop(rig.controllers);
    dpl_ns begin = dpl_monotonic_now();
    rig_step(&rig, 1);
    cr_assert_lt(dpl_monotonic_now() - begin, 5 * DPL_S);
    rig_stop(&rig);
    while (doppel_hil_wait(hil, 5000) > 0) {
    }
    cr_assert_eq(doppel_hil_code(hil), DOPPEL_HIL_ENDED, "%s", doppel_hil_error(hil));
    doppel_hil_close(hil);
}

static void *stop_soon(void *controllers)
{
    usleep(20000);
    controllers_stop(controllers);
    return NULL;
}

/* The world has not ended yet, and takes some more steps. */
Test(controllers_lost, one_that_answers_while_the_world_ends_is_told_that_it_ends)
{
    struct rig rig;
    rig_start(&rig);
    struct doppel_hil_options options = {.name = "slow", .lock_step = 1, .timeout_ms = 10000};
    struct doppel_hil *hil = rig_join_left(&rig, options);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, stop_soon, rig.controllers), 0);
    rig_step(&rig, 3); /* the first waits for an answer until the world is stopped */
    pthread_join(thread, NULL);
    cr_assert_gt(doppel_hil_wait(hil, 5000), 0, "%s", doppel_hil_error(hil));
    doppel_hil_set(hil, 0, 0, 5.0);
    doppel_hil_send(hil);
    rig_step(&rig, 3);
    rig_stop(&rig);
    while (doppel_hil_wait(hil, 5000) > 0) {
    }
    cr_assert_eq(doppel_hil_code(hil), DOPPEL_HIL_ENDED, "%s", doppel_hil_error(hil));
    doppel_hil_close(hil);
}

/* ---- garbage ---- */

static int connect_raw(struct rig *rig)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(rig->controllers->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 5};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static size_t write_hello(uint8_t *bytes, enum hil_mode mode)
{
    memset(bytes, 0, HIL_HELLO_NAME);
    hil_put_head(bytes, HIL_HELLO_NAME + 3, HIL_HELLO);
    memcpy(bytes + HIL_HEAD, HIL_MAGIC, 8);
    hil_put(bytes + HIL_HELLO_VERSION, HIL_VERSION, 2);
    hil_put(bytes + HIL_HELLO_MODE, mode, 2);
    hil_put(bytes + HIL_HELLO_EVERY, 1, 4);
    hil_put(bytes + HIL_HELLO_TIMEOUT, 5000000, 4);
    hil_put(bytes + HIL_HELLO_NAME_LENGTH, 3, 2);
    memcpy(bytes + HIL_HELLO_NAME, "raw", 3);
    return HIL_HELLO_NAME + 3;
}

/* No sensors, no commands. */
static size_t write_channels(uint8_t *bytes)
{
    memset(bytes, 0, HIL_CHANNELS_FIRST);
    hil_put_head(bytes, HIL_CHANNELS_FIRST, HIL_CHANNELS);
    return HIL_CHANNELS_FIRST;
}

/* Reads messages until the connection is closed; the last one must be an ERROR like this. */
static void expect_error(int fd, enum hil_code code, uint64_t offset, const char *text)
{
    static uint8_t bytes[1 << 20];
    size_t n = 0, at = 0, last = 0;
    ssize_t got;
    while ((got = recv(fd, bytes + n, sizeof bytes - n, 0)) > 0) {
        n += (size_t)got;
    }
    cr_assert_eq(got, 0, "the connection is not closed");
    while (at < n) {
        last = at;
        at += hil_u32(bytes + at);
    }
    const uint8_t *message = bytes + last;
    cr_assert(n > 0 && hil_u16(message + 4) == HIL_ERROR, "the last message is no ERROR");
    char said[HIL_ERROR_TEXT_MAX + 1] = "";
    memcpy(said, message + HIL_ERROR_TEXT, hil_u16(message + HIL_ERROR_LENGTH));
    cr_assert_eq(hil_u16(message + HIL_ERROR_CODE), code, "%s", said);
    cr_assert_eq(hil_u64(message + HIL_ERROR_OFFSET), offset, "byte %llu: %s",
                 (unsigned long long)hil_u64(message + HIL_ERROR_OFFSET), said);
    cr_assert(strstr(said, text), "%s", said);
    close(fd);
}

static void say(int fd, const void *bytes, size_t size)
{
    cr_assert_eq(send(fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

Test(controllers_lost, what_is_no_message_is_answered_with_its_place_and_closed)
{
    struct rig rig;
    uint8_t bytes[256];
    rig_start(&rig);
    int fd = connect_raw(&rig);
    say(fd, "GET / HTTP/1.1\r\n\r\n", 18);
    expect_error(fd, HIL_CODE_GARBAGE, 4, "not a message of this protocol");

    fd = connect_raw(&rig);
    size_t n = write_hello(bytes, HIL_FREE_RUNNING);
    hil_put(bytes + HIL_HELLO_VERSION, 7, 2);
    say(fd, bytes, n);
    expect_error(fd, HIL_CODE_VERSION, HIL_HELLO_VERSION, "version 7");

    fd = connect_raw(&rig);
    n = write_hello(bytes, HIL_FREE_RUNNING);
    hil_put_head(bytes + n, 16, HIL_COMMAND);
    say(fd, bytes, n + 16);
    expect_error(fd, HIL_CODE_GARBAGE, n + 4, "expected HELLO, then CHANNELS");
    cr_assert_eq(rig_joined(&rig), 0);
    rig_stop(&rig);
}

/* A controller that has joined by the bytes that a test writes. */
static int join_raw(struct rig *rig, enum hil_mode mode, size_t *ret_sent)
{
    uint8_t bytes[256];
    int fd = connect_raw(rig);
    size_t n = write_hello(bytes, mode);
    n += write_channels(bytes + n);
    say(fd, bytes, n);
    EVENTUALLY(rig_joined(rig) == 1);
    *ret_sent = n;
    return fd;
}

Test(controllers_lost, garbage_in_place_of_a_command_ends_the_connection_and_not_the_world)
{
    struct rig rig;
    uint8_t bytes[64] = {0};
    size_t sent;
    rig_start(&rig);
    int fd = join_raw(&rig, HIL_FREE_RUNNING, &sent);
    memset(bytes, 0xff, sizeof bytes);
    say(fd, bytes, sizeof bytes);
    EVENTUALLY((rig_step(&rig, 1), rig_joined(&rig) == 0));
    expect_error(fd, HIL_CODE_GARBAGE, sent + 4, "kind 65535");

    fd = join_raw(&rig, HIL_FREE_RUNNING, &sent);
    hil_put_head(bytes, HIL_COMMAND_CELLS + 8, HIL_COMMAND);
    say(fd, bytes, HIL_COMMAND_CELLS + 8);
    EVENTUALLY((rig_step(&rig, 1), rig_joined(&rig) == 0));
    expect_error(fd, HIL_CODE_GARBAGE, sent, "has 16 bytes, found 24");

    fd = join_raw(&rig, HIL_LOCK_STEP, &sent);
    hil_put_head(bytes, HIL_COMMAND_CELLS, HIL_COMMAND);
    hil_put(bytes + HIL_COMMAND_FRAME, 9, 8);
    say(fd, bytes, HIL_COMMAND_CELLS);
    EVENTUALLY((rig_step(&rig, 1), rig_joined(&rig) == 0));
    expect_error(fd, HIL_CODE_GARBAGE, sent + 8, "answers frame 9");
    rig_stop(&rig);
}

Test(controllers_lost, a_command_in_pieces_is_a_command)
{
    struct rig rig;
    uint8_t bytes[HIL_COMMAND_CELLS] = {0};
    size_t sent;
    rig_start(&rig);
    int fd = join_raw(&rig, HIL_FREE_RUNNING, &sent);
    rig_turn(&rig); /* frame 1 */
    hil_put_head(bytes, sizeof bytes, HIL_COMMAND);
    hil_put(bytes + HIL_COMMAND_FRAME, 1, 8);
    for (size_t i = 0; i < sizeof bytes; i++) {
        say(fd, bytes + i, 1);
        rig_turn(&rig);
    }
    struct controller *controller = &rig.controllers->all[0];
    EVENTUALLY((rig_turn(&rig), controller->answered == 1));
    cr_assert_eq(rig_joined(&rig), 1);
    close(fd);
    rig_stop(&rig);
}
