/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a world against clients that speak the protocol themselves, well or badly, and
 * against several clients that want the same part. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <zmq.h>

#include "link_codec.h"
#include "link_world.h"

static const char *const part = "avatar";

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

/* ---- clients of our own making ---- */

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

static void say(const struct stranger *stranger, Doppel__Link__ToServer *message)
{
    static struct link_codec out;
    int size = link_pack_to_server(&out, message);
    cr_assert_gt(size, 0);
    cr_assert_eq(zmq_send(stranger->socket, out.out, (size_t)size, 0), size);
}

static void say_hello(const struct stranger *stranger)
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
}

static const Doppel__Link__ToClient *next(const struct stranger *stranger,
                                          Doppel__Link__ToClient__BodyCase kind)
{
    const Doppel__Link__ToClient *message = answer(stranger);
    while (message->body_case != kind) {
        message = answer(stranger);
    }
    return message;
}

/* Its number in the list, which fits into one page. */
static uint32_t channel_number(const struct stranger *stranger, const char *path)
{
    Doppel__Link__List list = DOPPEL__LINK__LIST__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_LIST;
    message.list = &list;
    say(stranger, &message);
    const Doppel__Link__Channels *page =
        next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS)->channels;
    for (uint32_t i = 0; i < page->n_channels; i++) {
        if (strcmp(page->channels[i]->path, path) == 0) {
            return i;
        }
    }
    cr_assert(false, "no channel '%s'", path);
    return 0;
}

static void say_subscribe(const struct stranger *stranger, uint32_t number,
                          const uint32_t *channels, size_t n, bool take_over)
{
    Doppel__Link__Subscribe subscribe = DOPPEL__LINK__SUBSCRIBE__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    uint32_t copy[8];
    memcpy(copy, channels, n * sizeof copy[0]);
    subscribe.number = number;
    subscribe.channels = copy;
    subscribe.n_channels = n;
    subscribe.take_over = take_over;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE;
    message.subscribe = &subscribe;
    say(stranger, &message);
}

enum { SPEED, VELOCITY, PLACE, LASER_ON };

/* Subscription 1 of slot 0 has these four. */
static void join(const struct stranger *stranger)
{
    say_hello(stranger);
    uint32_t channels[] = {
        channel_number(stranger, "avatar/LeftWheel/speed"),
        channel_number(stranger, "avatar/enc_left/velocity"),
        channel_number(stranger, "avatar/place"),
        channel_number(stranger, "avatar/laser/on"),
    };
    say_subscribe(stranger, 1, channels, 4, false);
}

static void say_slot(const struct stranger *stranger, Doppel__Link__SlotCommand *slot)
{
    Doppel__Link__Command command = DOPPEL__LINK__COMMAND__INIT;
    Doppel__Link__ToServer message = DOPPEL__LINK__TO_SERVER__INIT;
    command.n_slots = 1;
    command.slots = &slot;
    message.body_case = DOPPEL__LINK__TO_SERVER__BODY_COMMAND;
    message.command = &command;
    say(stranger, &message);
}

static void say_put(const struct stranger *stranger, uint32_t number, uint32_t index,
                    const void *value, size_t size, uint32_t request)
{
    uint8_t bytes[64];
    Doppel__Link__Put put = DOPPEL__LINK__PUT__INIT, *puts[] = {&put};
    Doppel__Link__SlotCommand slot = DOPPEL__LINK__SLOT_COMMAND__INIT;
    memcpy(bytes, value, size);
    put.index = index;
    put.value = (ProtobufCBinaryData){.len = size, .data = bytes};
    put.request = request;
    slot.number = number;
    slot.n_puts = 1;
    slot.puts = puts;
    say_slot(stranger, &slot);
}

static void say_speed(const struct stranger *stranger, double speed)
{
    say_put(stranger, 1, SPEED, &speed, sizeof speed, 0);
}

static const Doppel__Link__SlotFrame *next_frame(const struct stranger *stranger)
{
    const Doppel__Link__Frame *frame;
    do {
        frame = next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_FRAME)->frame;
    } while (frame->n_slots != 1);
    return frame->slots[0];
}

static double next_velocity(const struct stranger *stranger)
{
    const Doppel__Link__SlotFrame *frame = next_frame(stranger);
    double velocity;
    cr_assert_eq(frame->n_values, 1, "inputs have no value in a frame");
    cr_assert_eq(frame->values[0]->index, VELOCITY);
    cr_assert_eq(frame->values[0]->value.len, sizeof velocity);
    memcpy(&velocity, frame->values[0]->value.data, sizeof velocity);
    return velocity;
}

static const Doppel__Link__Control *next_control(const struct stranger *stranger)
{
    return next(stranger, DOPPEL__LINK__TO_CLIENT__BODY_CONTROL)->control;
}

/* ---- what is no message, or none of ours ---- */

Test(link_server, refuses_and_counts_frames_that_are_no_messages, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    static const char *const bad[] = {"", "\xff\xff\xff", "hello there", "\x08\x02"};
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
    zmq_send(stranger.socket, "\x08\x02\x32\x00", 4, 0); /* a ping */
    const Doppel__Link__ToClient *message = answer(&stranger);
    cr_assert_eq(message->body_case, DOPPEL__LINK__TO_CLIENT__BODY_REFUSED);
    cr_assert(message->refused->again);
    leave(&stranger);
    cr_assert_eq(unserve(&served).malformed, 0);
}

/* In version 1 of the protocol: a refusal is understood by who is refused. */
Test(link_server, refuses_a_client_of_another_version_by_name, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
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
    leave(&stranger);
    unserve(&served);
}

Test(link_server, refuses_values_that_no_channel_has, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    join(&stranger);
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
    leave(&stranger);
    unserve(&served);
}

Test(link_server, refuses_subscriptions_of_what_there_is_not, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.world = OTHER_TEST_WORLD});
    struct stranger stranger = connect_stranger(served.address);
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
    leave(&stranger);
    cr_assert_eq(unserve(&served).malformed, 2);
}

/* Its channels are others: the command may be late, or ahead of what was lost. */
Test(link_server, does_nothing_with_a_command_of_another_subscription, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    join(&stranger);
    double speed = 5.0;
    say_put(&stranger, 2, SPEED, &speed, sizeof speed, 0);
    for (int i = 0; i < 30; i++) {
        double velocity = next_velocity(&stranger);
        cr_assert_lt(fabs(velocity), 1.0, "%g rad/s", velocity);
    }
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    leave(&stranger);
    cr_assert_eq(unserve(&served).malformed, 0);
}

/* The list that the page begins with is all that there is of this world. */
Test(link_server, gives_the_list_in_pages_from_any_channel_on, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
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
    leave(&stranger);
    unserve(&served);
}

Test(link_server, answers_a_request_by_its_number, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    join(&stranger);
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
    leave(&stranger);
    unserve(&served);
}

Test(link_server, releases_what_a_client_has_put_that_falls_silent, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    join(&stranger);
    say_speed(&stranger, 5.0);
    EVENTUALLY(next_velocity(&stranger) > 3.0);
    EVENTUALLY(next_velocity(&stranger) < 0.1);
    leave(&stranger);
    cr_assert_eq(unserve(&served).silenced, 1);
}

Test(link_server, releases_what_was_put_into_a_subscription_that_is_replaced, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger stranger = connect_stranger(served.address);
    join(&stranger);
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
    leave(&stranger);
    unserve(&served);
}

/* ---- one owner a part ---- */

static struct dpl_link *open_taking_over(struct remote_world **list, const char *address)
{
    struct dpl_link_config config = {.world = address, .part = part, .take_over = true};
    return open_config(list, &config);
}

struct controller {
    struct remote_world *list;
    struct dpl_link *link;
    struct dpl_channel speed, velocity;
};

static void begin_control(struct controller *c, struct dpl_link *link, double speed)
{
    c->link = link;
    remote_worlds_start(c->list, monotonic(), NULL);
    c->speed = find_in(link, "LeftWheel/speed");
    c->velocity = find_out(link, "enc_left/velocity");
    dpl_channel_put_number(c->speed, speed);
}

Test(link_server, lets_one_client_own_a_part_and_the_next_one_when_it_has_left, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_remote(&first.list, served.address, part), 3.0);
    EVENTUALLY(number_of(first.velocity) > 2.5);
    struct dpl_link *watcher = open_remote(&second.list, served.address, part);
    cr_assert(dpl_link_alive(watcher), "to watch is allowed");
    begin_control(&second, watcher, -3.0);
    EVENTUALLY(!dpl_link_alive(watcher));
    for (int i = 0; i < 300; i++) {
        dpl_channel_put_number(second.speed, -3.0);
        cr_assert_gt(number_of(first.velocity), 2.0, "it obeys the first one only");
        cr_assert(dpl_link_alive(first.link));
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    EVENTUALLY(dpl_link_alive(watcher));
    EVENTUALLY(fabs(number_of(second.velocity)) < 0.1);
    dpl_channel_put_number(second.speed, -2.0);
    EVENTUALLY(number_of(second.velocity) < -1.5);
    remote_worlds_destroy(second.list);
    unserve(&served);
}

Test(link_server, lets_a_client_take_a_part_over_that_asks_for_it, .timeout = 30)
{
    struct served served;
    struct controller first = {0}, second = {0};
    serve(&served, (struct dpl_sim_server_options){0});
    begin_control(&first, open_taking_over(&first.list, served.address), 3.0);
    EVENTUALLY(number_of(first.velocity) > 2.5);
    begin_control(&second, open_taking_over(&second.list, served.address), -3.0);
    EVENTUALLY(number_of(second.velocity) < -2.5);
    EVENTUALLY(!dpl_link_alive(first.link));
    for (int i = 0; i < 300; i++) {
        dpl_channel_put_number(first.speed, 3.0);
        cr_assert_lt(number_of(second.velocity), -2.0, "it is not taken back");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(first.list);
    for (int i = 0; i < 100; i++) {
        cr_assert_lt(number_of(second.velocity), -2.0,
                     "who has no control stops nothing when it leaves");
        poll(NULL, 0, 1);
    }
    remote_worlds_destroy(second.list);
    unserve(&served);
}

Test(link_server, tells_both_when_a_second_client_is_refused, .timeout = 20)
{
    struct served served;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    join(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    join(&second);
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

Test(link_server, tells_who_took_a_part_from_whom, .timeout = 20)
{
    static char notice[200];
    struct served served;
    serve(&served, (struct dpl_sim_server_options){.notice = keep_notice, .notice_user = notice});
    struct stranger first = connect_stranger(served.address);
    struct stranger second = connect_stranger(served.address);
    join(&first);
    say_speed(&first, 1.0);
    cr_assert(next_control(&first)->granted);
    join(&second);
    uint32_t speed = channel_number(&second, "avatar/LeftWheel/speed");
    say_subscribe(&second, 2, &speed, 1, true);
    double one = 1.0;
    say_put(&second, 2, 0, &one, sizeof one, 0);
    const Doppel__Link__Control *control = next_control(&second);
    cr_assert(control->granted);
    cr_assert_not_null(strstr(control->text, "took over part"), "%s", control->text);
    cr_assert_not_null(strstr(control->text, "from client 'stranger'"), "%s", control->text);
    control = next_control(&first);
    cr_assert_not(control->granted);
    cr_assert_not_null(strstr(notice, "client 'stranger' took over part"), "%s", notice);
    cr_assert_not_null(strstr(notice, "from client 'stranger'"), "%s", notice);
    leave(&first);
    leave(&second);
    unserve(&served);
}

/* Two clients may want scans of one laser. */
Test(link_server, lets_everybody_put_shared_flags, .timeout = 20)
{
    struct served served;
    struct remote_world *list = NULL;
    serve(&served, (struct dpl_sim_server_options){0});
    struct stranger owner = connect_stranger(served.address);
    join(&owner);
    say_speed(&owner, 1.0);
    cr_assert(next_control(&owner)->granted);
    struct dpl_link *link = open_remote(&list, served.address, part);
    remote_worlds_start(list, monotonic(), NULL);
    struct dpl_channel on = find_in(link, "laser/on"), scans = find_out(link, "laser/scans");
    dpl_channel_put_flag(on, true);
    EVENTUALLY(whole_of(scans) > 1);
    cr_assert(dpl_link_alive(link));
    remote_worlds_destroy(list);
    leave(&owner);
    unserve(&served);
}

static void *grant_three_seconds(void *argument)
{
    remote_worlds_advance(argument, 3 * DPL_S, NULL);
    return NULL;
}

/* What another one has put into the other wheel does not go on without anybody. */
Test(link_server, releases_what_the_owner_before_has_put_when_it_is_taken_over, .timeout = 30)
{
    struct served served;
    struct remote_world *first = NULL, *second = NULL;
    serve(&served, (struct dpl_sim_server_options){.lockstep = true, .clients = 2});
    struct dpl_link *loser = open_remote(&first, served.address, part);
    struct dpl_channel left = find_in(loser, "LeftWheel/speed");
    struct dpl_channel right = find_in(loser, "RightWheel/speed");
    struct dpl_link *winner = open_taking_over(&second, served.address);
    struct dpl_channel mine = find_in(winner, "LeftWheel/speed");
    struct dpl_channel turns_left = find_out(winner, "enc_left/velocity");
    struct dpl_channel turns_right = find_out(winner, "enc_right/velocity");
    cr_assert_eq(remote_worlds_start(first, 0, NULL), 0);
    cr_assert_eq(remote_worlds_start(second, 0, NULL), 0);
    dpl_channel_put_number(left, 3.0);
    dpl_channel_put_number(right, 3.0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, grant_three_seconds, first), 0);
    cr_assert_eq(remote_worlds_advance(second, DPL_S, NULL), 0);
    cr_assert(number_of(turns_left) > 2.5 && number_of(turns_right) > 2.5);
    dpl_channel_put_number(mine, 2.0); /* once: in lock-step it is not repeated */
    cr_assert_eq(remote_worlds_advance(second, 3 * DPL_S, NULL), 0);
    pthread_join(thread, NULL);
    cr_assert_float_eq(number_of(turns_left), 2.0, 0.3);
    cr_assert_lt(fabs(number_of(turns_right)), 0.1);
    remote_worlds_destroy(first);
    remote_worlds_destroy(second);
    unserve(&served);
}

/* ---- notices ---- */

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
