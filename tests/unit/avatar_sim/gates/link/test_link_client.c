/* SPDX-License-Identifier: Apache-2.0 */
/* The client of a served world against a world of our own making that speaks the protocol badly, or
 * another version of it. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <zmq.h>

#include "link_world.h"
#include "remote_world.h"

/* ---- a world with the channels "part/x" (out), "part/y" (in) and "part/z" (request) ---- */

struct fake {
    void *context, *socket;
    char address[64];
    uint8_t id[32];
    size_t id_size;
    struct link_codec codec;
    uint32_t number; /* of the newest subscription; 0: none */
    int lists;       /* pages that were asked for */
    int hellos;
    dpl_ns now;       /* of its frames */
    uint32_t request; /* the newest that came; 0: none */
    int requests;
};

enum { X, Y, Z, N_CHANNELS };

static struct fake fake;
static struct remote_world *list;

static void begin(void)
{
    fake.context = zmq_ctx_new();
    fake.socket = zmq_socket(fake.context, ZMQ_ROUTER);
    int linger = 0;
    size_t size = sizeof fake.address;
    zmq_setsockopt(fake.socket, ZMQ_LINGER, &linger, sizeof linger);
    cr_assert_eq(zmq_bind(fake.socket, "tcp://127.0.0.1:*"), 0);
    cr_assert_eq(zmq_getsockopt(fake.socket, ZMQ_LAST_ENDPOINT, fake.address, &size), 0);
}

static void end(void)
{
    remote_worlds_destroy(list);
    zmq_close(fake.socket);
    zmq_ctx_term(fake.context);
}

TestSuite(link_client, .init = begin, .fini = end, .timeout = 20);

static void tell(Doppel__Link__ToClient *message)
{
    message->session = 77;
    int size = link_pack_to_client(&fake.codec, message);
    cr_assert_gt(size, 0);
    zmq_send(fake.socket, fake.id, fake.id_size, ZMQ_SNDMORE);
    zmq_send(fake.socket, fake.codec.out, (size_t)size, 0);
}

static void tell_welcome(void)
{
    static char name[] = "fake";
    Doppel__Link__Welcome welcome;
    doppel__link__welcome__init(&welcome);
    welcome.lockstep = true; /* no clocks to compare */
    welcome.world = name;
    welcome.channels = N_CHANNELS;
    welcome.fingerprint = 5;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_WELCOME;
    message.welcome = &welcome;
    tell(&message);
}

/* A page of one channel, which begins at `first`. */
static void tell_page(uint32_t first, size_t channel)
{
    static const struct dpl_channel_desc descs[N_CHANNELS] = {
        {"part/x", &dpl_channel_number, DPL_CHANNEL_OUT, "m", .size = 1, .summary = "out"},
        {"part/y", &dpl_channel_number, DPL_CHANNEL_IN, "m", .size = 1, .summary = "in"},
        {"part/z", &dpl_channel_number, DPL_CHANNEL_REQUEST, "m", .size = 1, .summary = "request"},
    };
    Doppel__Link__Channel one, *channels[] = {&one};
    cr_assert(link_desc_write(&descs[channel], &one));
    Doppel__Link__Channels page = DOPPEL__LINK__CHANNELS__INIT;
    page.first = first;
    page.n_channels = 1;
    page.channels = channels;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_CHANNELS;
    message.channels = &page;
    tell(&message);
}

static void tell_value(uint32_t number, uint32_t index, double value, size_t size)
{
    uint8_t bytes[16] = {0};
    memcpy(bytes, &value, sizeof value);
    Doppel__Link__Value one = DOPPEL__LINK__VALUE__INIT, *values[] = {&one};
    Doppel__Link__SlotFrame slot = DOPPEL__LINK__SLOT_FRAME__INIT, *slots[] = {&slot};
    Doppel__Link__Frame frame = DOPPEL__LINK__FRAME__INIT;
    one.index = index;
    one.value = (ProtobufCBinaryData){.len = size, .data = bytes};
    slot.number = number;
    slot.n_values = size > 0;
    slot.values = values;
    frame.now = fake.now;
    frame.n_slots = 1;
    frame.slots = slots;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_FRAME;
    message.frame = &frame;
    tell(&message);
}

/* ---- what the client says ---- */

static void note_puts(const Doppel__Link__Command *command)
{
    for (size_t i = 0; i < command->n_slots; i++) {
        for (size_t k = 0; k < command->slots[i]->n_puts; k++) {
            uint32_t request = command->slots[i]->puts[k]->request;
            fake.requests += request != 0;
            fake.request = request != 0 ? request : fake.request;
        }
    }
}

static void hear(const Doppel__Link__ToServer *message)
{
    switch (message->body_case) {
    case DOPPEL__LINK__TO_SERVER__BODY_HELLO: fake.hellos++; break;
    case DOPPEL__LINK__TO_SERVER__BODY_LIST: fake.lists++; break;
    case DOPPEL__LINK__TO_SERVER__BODY_SUBSCRIBE: fake.number = message->subscribe->number; break;
    case DOPPEL__LINK__TO_SERVER__BODY_COMMAND: note_puts(message->command); break;
    default: break;
    }
}

/* Takes what has come; true for use in EVENTUALLY. */
static bool pump(void)
{
    uint8_t frame[4096];
    int id_size = zmq_recv(fake.socket, fake.id, sizeof fake.id, ZMQ_DONTWAIT);
    while (id_size > 0) {
        const Doppel__Link__ToServer *message;
        const char *why;
        fake.id_size = (size_t)id_size;
        int size = zmq_recv(fake.socket, frame, sizeof frame, 0);
        cr_assert_eq(link_unpack_to_server(&fake.codec, frame, (size_t)size, &message, &why), 0);
        hear(message);
        id_size = zmq_recv(fake.socket, fake.id, sizeof fake.id, ZMQ_DONTWAIT);
    }
    return true;
}

/* Under the lock of the client's thread. */
static bool refusal_has(const char *text)
{
    pthread_mutex_lock(&list->lock);
    bool has = strstr(list->refusal, text) != NULL;
    pthread_mutex_unlock(&list->lock);
    return has;
}

static uint64_t malformed(void)
{
    pthread_mutex_lock(&list->lock);
    uint64_t n = list->malformed;
    pthread_mutex_unlock(&list->lock);
    return n;
}

static struct dpl_link *open_and_list(void)
{
    struct dpl_link *link = open_remote(&list, fake.address, "part");
    EVENTUALLY(pump() && fake.hellos > 0);
    tell_welcome();
    for (uint32_t i = 0; i < N_CHANNELS; i++) {
        int before = fake.lists;
        EVENTUALLY(pump() && fake.lists > before);
        tell_page(i, i);
    }
    EVENTUALLY(pump() && fake.number > 0);
    return link;
}

/* ---- other versions ---- */

Test(link_client, says_which_version_an_older_world_speaks)
{
    static char text[] = "it is of another version of the protocol";
    open_remote(&list, fake.address, "part");
    EVENTUALLY(pump() && fake.hellos > 0);
    Doppel__Link__Refused refused;
    doppel__link__refused__init(&refused);
    refused.text = text;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.version = 1;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    message.refused = &refused;
    tell(&message);
    EVENTUALLY(refusal_has("the world speaks version 1 of the link protocol, "
                           "this program version 2"));
}

static void expect_refusal(const char *address, const char *why)
{
    struct dpl_link_config config = {.world = address, .part = "part"};
    struct dpl_link *link;
    struct dpl_diag error = {0};
    cr_assert_eq(link_remote_open(&list, &config, NULL, &link, &error), -EINVAL, "%s", address);
    cr_assert_not_null(strstr(error.text, why), "%s", error.text);
    cr_assert_null(list);
}

Test(link_client, refuses_an_address_of_no_port_or_of_too_many_characters)
{
    char cut[400]; /* its first 299 characters are an address with another port */
    snprintf(cut, sizeof cut, "tcp://%0*d:5500", 299 - 6 - 3, 0);
    expect_refusal("tcp://127.0.0.1:0", "expected tcp://host:port");
    expect_refusal("tcp://127.0.0.1:99999", "expected tcp://host:port");
    expect_refusal(cut, "at most 299 characters, this one has 301");
}

Test(link_client, says_what_a_newer_world_says_to_it)
{
    static char text[] = "client 'x' speaks version 2 of the link protocol, this world speaks "
                         "version 3";
    open_remote(&list, fake.address, "part");
    EVENTUALLY(pump() && fake.hellos > 0);
    Doppel__Link__Refused refused;
    doppel__link__refused__init(&refused);
    refused.text = text;
    Doppel__Link__ToClient message = DOPPEL__LINK__TO_CLIENT__INIT;
    message.body_case = DOPPEL__LINK__TO_CLIENT__BODY_REFUSED;
    message.refused = &refused;
    tell(&message);
    EVENTUALLY(refusal_has("this world speaks version 3"));
}

/* ---- the list ---- */

Test(link_client, asks_again_for_a_page_that_does_not_come_or_is_another)
{
    struct dpl_channel_desc descs[N_CHANNELS];
    struct dpl_link *link = open_remote(&list, fake.address, "part");
    EVENTUALLY(pump() && fake.hellos > 0);
    tell_welcome();
    EVENTUALLY(pump() && fake.lists >= 3); /* the first two are lost */
    tell_page(1, 1);                       /* not what was asked for */
    int before = fake.lists;
    EVENTUALLY(pump() && fake.lists > before);
    cr_assert_eq(dpl_link_describe(link, 0, NULL, 0), 0, "it is not known yet");
    for (uint32_t i = 0; i < N_CHANNELS; i++) {
        tell_page(i, i);
        tell_page(i, i); /* twice */
    }
    EVENTUALLY(dpl_link_describe(link, 0, descs, N_CHANNELS) == N_CHANNELS);
    cr_assert_str_eq(descs[Y].path, "part/y");
    cr_assert_eq(malformed(), 0);
}

/* ---- frames ---- */

Test(link_client, refuses_frames_whose_values_no_channel_has)
{
    struct dpl_link *link = open_and_list();
    struct dpl_channel x = find_out(link, "x"), y = find_in(link, "y");
    uint32_t before = fake.number;
    EVENTUALLY(pump() && fake.number > before); /* one subscription more, for both */
    EVENTUALLY(pump() && fake.number == before + 2);
    static const struct {
        uint32_t index;
        double value;
        size_t size;
    } bad[] = {{X, 1.0, 7}, {X, 1.0, 16}, {Y, 1.0, 8}, {2, 1.0, 8}, {X, (double)NAN, 8}};
    for (uint64_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tell_value(fake.number, bad[i].index, bad[i].value, bad[i].size);
        EVENTUALLY(malformed() == i + 1);
        cr_assert_eq(dpl_link_refresh(link, NULL), -EAGAIN);
        cr_assert_not(dpl_link_alive(link));
    }
    double value;
    EVENTUALLY((tell_value(fake.number, X, 2.5, 8), /* again: an old one does not keep it alive */
                dpl_link_refresh(link, NULL) == 0 && dpl_link_alive(link)));
    cr_assert_eq(dpl_channel_get(x, &value, NULL), 0);
    cr_assert_eq(value, 2.5);
    tell_value(fake.number, X, 0.0, 0); /* a frame without a value */
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_channel_get(x, &value, NULL) == -EAGAIN);
    cr_assert_eq(dpl_channel_put_number(y, 1.0), 0);
}

Test(link_client, takes_no_values_of_an_older_subscription)
{
    struct dpl_link *link = open_and_list();
    uint32_t first = fake.number;
    tell_value(first, X, 0.0, 0);
    EVENTUALLY(dpl_link_alive(link));
    struct dpl_channel x = find_out(link, "x");
    EVENTUALLY(pump() && fake.number > first);
    uint32_t second = fake.number;
    tell_value(first, X, 1.0, 8);
    tell_value(second, X, 2.0, 8);
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0);
    cr_assert_eq(number_of(x), 2.0);
    tell_value(first, X, 1.0, 8);
    tell_value(second, X, 3.0, 8);
    EVENTUALLY(number_of(x) != 2.0);
    cr_assert_eq(number_of(x), 3.0);
    cr_assert_eq(malformed(), 0);
}

/* In lock-step nothing is said without a grant. */
static void *grant(void *argument)
{
    *(int *)argument = remote_worlds_advance(list, DPL_MS, NULL);
    return NULL;
}

Test(link_client, says_a_request_once)
{
    struct dpl_link *link = open_and_list();
    uint32_t before = fake.number;
    struct dpl_channel z = find_in(link, "z");
    EVENTUALLY(pump() && fake.number > before);
    tell_value(fake.number, X, 0.0, 0);
    EVENTUALLY(dpl_link_alive(link));
    cr_assert_eq(dpl_channel_put_number(z, 1.0), 0);
    cr_assert_eq(dpl_channel_put_number(z, 2.0), 0);
    pthread_t thread;
    int result = -1;
    pthread_create(&thread, NULL, grant, &result);
    EVENTUALLY(pump() && fake.requests > 0);
    cr_assert_eq(fake.request, 2, "the last one wins");
    for (int i = 0; i < 100; i++) {
        pump();
        poll(NULL, 0, 1);
    }
    cr_assert_eq(fake.requests, 1);
    cr_assert_eq(answer_of(z), -EINPROGRESS);
    fake.now = DPL_MS;
    tell_value(fake.number, X, 0.0, 0);
    pthread_join(thread, NULL);
    cr_assert_eq(result, 0);
}
