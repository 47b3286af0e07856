/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a world against clients that speak the protocol themselves, well or badly. */
#include <errno.h>
#include <math.h>

#include "link_stranger.h"

TestSuite(link_server, .timeout = 20);

static struct served served;
static struct stranger stranger;

/* A stranger is connected to the server of a world. */
static void begin(struct dpl_sim_server_options options)
{
    serve(&served, options);
    stranger = connect_stranger(served.address);
}

/* It has joined the office. */
static void begin_joined(void)
{
    begin((struct dpl_sim_server_options){0});
    join(&stranger);
}

static struct dpl_sim_server_stats end(void)
{
    leave(&stranger);
    return unserve(&served);
}

Test(link_server, refuses_and_counts_frames_that_are_no_messages)
{
    begin((struct dpl_sim_server_options){0});
    static const char *const bad[] = {"", "\xff\xff\xff", "hello there", "\x08\x02"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        zmq_send(stranger.socket, bad[i], strlen(bad[i]), 0);
        const Doppel__Link__ToClient *message = answer(&stranger);
        cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    }
    zmq_send(stranger.socket, "two", 3, ZMQ_SNDMORE);
    zmq_send(stranger.socket, "frames", 6, 0);
    EVENTUALLY(dpl_sim_server_stats(served.server).malformed == 5);
    cr_assert_eq(end().malformed, 5);
}

Test(link_server, tells_a_stranger_to_say_hello_first)
{
    begin((struct dpl_sim_server_options){0});
    zmq_send(stranger.socket, "\x08\x02\x32\x00", 4, 0); /* a ping */
    const Doppel__Link__ToClient *message = answer(&stranger);
    cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    cr_assert(message->refused->again);
    cr_assert_eq(end().malformed, 0);
}

/* In version 1 of the protocol: a refusal is understood by who is refused. */
Test(link_server, refuses_a_client_of_another_version_by_name)
{
    begin((struct dpl_sim_server_options){0});
    static const uint8_t hello[] = "\x08\x01\x12\x0b\x0a\x05older\x10\x80\x89\x7a";
    static uint8_t frame[LINK_FRAME_MAX];
    zmq_send(stranger.socket, hello, sizeof hello - 1, 0);
    int size = zmq_recv(stranger.socket, frame, sizeof frame, 0);
    cr_assert_gt(size, 0);
    Doppel__Link__ToClient *message = doppel__link__to_client__unpack(NULL, (size_t)size, frame);
    cr_assert_not_null(message);
    cr_assert_eq(message->version, 1);
    cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    cr_assert_str_eq(message->refused->text,
                     "client 'older' speaks version 1 of the link protocol, "
                     "this world speaks version 2");
    cr_assert_not(message->refused->again);
    doppel__link__to_client__free_unpacked(message, NULL);
    end();
}

Test(link_server, refuses_values_that_no_channel_has)
{
    begin_joined();
    static const struct {
        uint32_t index;
        size_t size;
        uint8_t first;
    } bad[] = {
        {SPEED, 7, 0},    /* too short */
        {SPEED, 16, 0},   /* too long */
        {LASER_ON, 1, 2}, /* no flag */
        {VELOCITY, 8, 0}, /* comes out of the world */
        {4, 8, 0},        /* beyond the subscription */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t value[16] = {bad[i].first};
        say_put(&stranger, 1, bad[i].index, value, bad[i].size, 0);
        const Doppel__Link__Refused *refused =
            next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
        cr_assert(refused->again && refused->text[0] != '\0');
        cr_assert_eq(dpl_sim_server_stats(served.server).malformed, i + 1);
    }
    end();
}

Test(link_server, refuses_subscriptions_of_what_there_is_not)
{
    begin((struct dpl_sim_server_options){.world = UNIT "/avatar_sim/fixtures/two_parts.xml"});
    say_hello(&stranger);
    say_subscribe(&stranger, 1, (uint32_t[]){60000}, 1, false);
    const Doppel__Link__Refused *refused =
        next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
    cr_assert_not_null(strstr(refused->text, "does not have"), "%s", refused->text);
    uint32_t both[] = {
        channel_number(&stranger, "avatar/LeftWheel/speed"),
        channel_number(&stranger, "first/LeftWheel/speed"),
    };
    say_subscribe(&stranger, 2, both, 2, false);
    refused = next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
    cr_assert_not_null(strstr(refused->text, "two parts"), "%s", refused->text);
    say_subscribe(&stranger, 3, both, 1, false);
    cr_assert_eq(next_frame(&stranger)->number, 3, "the one after that counts");
    cr_assert_eq(end().malformed, 2);
}

/* Its channels are others: the command may be late, or ahead of what was lost. */
Test(link_server, does_nothing_with_a_command_of_another_subscription)
{
    begin_joined();
    double speed = 5.0;
    say_put(&stranger, 2, SPEED, &speed, sizeof speed, 0);
    for (int i = 0; i < 30; i++) {
        double velocity = next_velocity(&stranger);
        cr_assert_lt(fabs(velocity), 1.0, "%g rad/s", velocity);
    }
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    cr_assert_eq(end().malformed, 0);
}

/* The list that the page begins with is all that there is of this world. */
Test(link_server, gives_the_list_in_pages_from_any_channel_on)
{
    begin((struct dpl_sim_server_options){0});
    say_hello(&stranger);
    const Doppel__Link__Welcome *welcome =
        next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME)->welcome;
    uint32_t n = welcome->channels;
    cr_assert_str_eq(welcome->world, "office");
    cr_assert_neq(welcome->fingerprint, 0);
    for (uint32_t first = 0; first <= n + 1; first += n / 2) {
        Doppel__Link__List list = DOPPEL__LINK__LIST__INIT;
        Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
        list.first = first;
        message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LIST;
        message.list = &list;
        say(&stranger, &message);
        const Doppel__Link__Channels *page =
            next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS)->channels;
        cr_assert_eq(page->first, first < n ? first : n);
        cr_assert_eq(page->n_channels, first < n ? n - first : 0);
    }
    end();
}

Test(link_server, answers_a_request_by_its_number)
{
    begin_joined();
    cr_assert_eq(next_frame(&stranger)->n_answers, 0, "nothing was asked for");
    static const double places[][3] = {
        {-7.1, 4.6, 0}, {0, 0, 1}, {1e5, 0, 0}, {0, -1e30, 0}, {0, 0, 0.0 / 0.0}};
    static const Doppel__Link__Result results[] = {
        DOPPEL__LINK__RESULT__BUSY,    DOPPEL__LINK__RESULT__DONE,    DOPPEL__LINK__RESULT__INVALID,
        DOPPEL__LINK__RESULT__INVALID, DOPPEL__LINK__RESULT__INVALID,
    };
    for (uint32_t i = 0; i < 5; i++) {
        say_put(&stranger, 1, PLACE, places[i], sizeof places[i], 70 + i);
        const Doppel__Link__SlotFrame *frame = next_frame(&stranger);
        while (frame->n_answers == 0 || frame->answers[0]->request != 70 + i) {
            frame = next_frame(&stranger);
        }
        cr_assert_eq(frame->answers[0]->index, PLACE);
        cr_assert_eq(frame->answers[0]->result, results[i], "place %u", i);
    }
    end();
}

Test(link_server, releases_what_a_client_has_put_that_falls_silent)
{
    begin_joined();
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    EVENTUALLY(next_velocity(&stranger) < 0.1);
    cr_assert_eq(end().silenced, 1);
}

Test(link_server, releases_what_was_put_into_a_subscription_that_is_replaced)
{
    begin_joined();
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    uint32_t channels[] = {
        channel_number(&stranger, "avatar/RightWheel/speed"),
        channel_number(&stranger, "avatar/enc_left/velocity"),
    };
    say_subscribe(&stranger, 2, channels, 2, false);
    while (next_frame(&stranger)->number != 2) {
    }
    EVENTUALLY(next_velocity(&stranger) < 0.1);
    end();
}

/* An index would mean another channel. */
Test(link_server, refuses_a_number_for_a_second_subscription)
{
    begin_joined();
    next_frame(&stranger);
    uint32_t other[] = {channel_number(&stranger, "avatar/RightWheel/speed")};
    say_subscribe(&stranger, 1, other, 1, false);
    const Doppel__Link__Refused *refused =
        next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
    cr_assert_not_null(strstr(refused->text, "used twice"), "%s", refused->text);
    say_subscribe(&stranger, 5, other, 1, false);
    while (next_frame(&stranger)->number != 5) {
    }
    say_subscribe(&stranger, 4, other, 1, false);
    refused = next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
    cr_assert_not_null(strstr(refused->text, "grow"), "%s", refused->text);
    cr_assert_eq(end().malformed, 2);
}

/* A program that died without a word and was started again under the same routing id. */
Test(link_server, begins_with_nothing_after_a_second_hello)
{
    begin_joined();
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    say_hello(&stranger);
    uint32_t channels[] = {
        channel_number(&stranger, "avatar/RightWheel/speed"),
        channel_number(&stranger, "avatar/enc_left/velocity"),
    };
    say_subscribe(&stranger, 1, channels, 2, false);
    EVENTUALLY(fabs(next_velocity(&stranger)) < 0.1);
    say_speed(&stranger, 5.0); /* of the right wheel now */
    for (int i = 0; i < 30; i++) {
        cr_assert_lt(fabs(next_velocity(&stranger)), 1.0);
    }
    end();
}

Test(link_server, puts_nothing_of_a_command_that_it_refuses)
{
    begin_joined();
    double speed = 5.0;
    Doppel__Link__Put good = DOPPEL__LINK__PUT__INIT, bad = DOPPEL__LINK__PUT__INIT;
    Doppel__Link__Put *goods[] = {&good}, *bads[] = {&bad};
    Doppel__Link__SlotCommand first = DOPPEL__LINK__SLOT_COMMAND__INIT, second = first;
    Doppel__Link__SlotCommand *slots[] = {&first, &second};
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    good.index = SPEED;
    good.value = (ProtobufCBinaryData){.len = sizeof speed, .data = (uint8_t *)&speed};
    bad.index = VELOCITY;
    bad.value = good.value;
    first.number = second.number = 1;
    first.n_puts = second.n_puts = 1;
    first.puts = goods;
    second.puts = bads;
    command.slots = slots;
    command.n_slots = 2;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    say(&stranger, &message);
    next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    for (int i = 0; i < 30; i++) {
        cr_assert_lt(fabs(next_velocity(&stranger)), 1.0);
    }
    double place[3] = {0};
    say_put(&stranger, 1, PLACE, place, sizeof place, 0);
    const Doppel__Link__Refused *refused =
        next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED)->refused;
    cr_assert_not_null(strstr(refused->text, "from 1 on"), "%s", refused->text);
    end();
}

/* As far as a client may grant: others are heard meanwhile, and it can be stopped. */
Test(link_server, hears_others_while_time_moves_far)
{
    begin((struct dpl_sim_server_options){.lockstep = true});
    say_hello(&stranger);
    next(&stranger, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME);
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    command.grant = true;
    command.until = LINK_TIME_MAX;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    say(&stranger, &message);
    struct stranger other = connect_stranger(served.address);
    say_hello(&other);
    next(&other, DOPPEL__LINK__TO_CLIENT__BODY_WELCOME);
    leave(&other);
    end();
}

Test(link_server, names_a_port_in_use)
{
    begin((struct dpl_sim_server_options){0});
    struct dpl_sim_server *second = NULL;
    struct dpl_diag error = {0};
    struct dpl_sim_server_options options = {.world = PROFILES "/worlds/office.xml",
                                             .port = dpl_sim_server_port(served.server)};
    cr_assert_eq(dpl_sim_server_create(&options, &second, &error), -EADDRINUSE);
    cr_assert_not_null(strstr(error.text, "in use"), "%s", error.text);
    cr_assert_null(second);
    end();
}
