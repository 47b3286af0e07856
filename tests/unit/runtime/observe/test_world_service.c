/* SPDX-License-Identifier: Apache-2.0 */
/* What those outside put into a world: asked for as a gateway does, of a host that is a fake. */
#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "hands.h"
#include "rig.h"
#include "row_topic.h"
#include "services.h"

static const struct dpl_channel_desc channels[] = {
    {.path = "lift/load/mass",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_IN,
     .unit = "kg",
     .size = 1,
     .max = 1260.0,
     .summary = "that there shall be"},
    {.path = "lift/load/present",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_OUT,
     .unit = "kg",
     .size = 1,
     .summary = ""},
    {.path = "lift/call1/press",
     .type = &dpl_channel_flag,
     .dir = DPL_CHANNEL_SHARED,
     .unit = "",
     .size = 1,
     .summary = "somebody presses it"},
    {.path = "robot/place",
     .type = &dpl_channel_vector,
     .dir = DPL_CHANNEL_REQUEST,
     .unit = "",
     .size = 3,
     .summary = "is put there"},
    {.path = "lift/gear/speed",
     .type = &dpl_channel_number,
     .dir = DPL_CHANNEL_IN,
     .unit = "rad/s",
     .size = 1,
     .summary = ""},
    {.path = "lift/target/set",
     .type = &dpl_channel_integer,
     .dir = DPL_CHANNEL_IN,
     .unit = "",
     .size = 1,
     .summary = ""},
};
enum { MASS, PRESENT, PRESS, PLACE, GEAR, TARGET };

/* The fake world. */
static struct {
    size_t scene, channel;
    double value[3];
    bool on, lets_go;
    dpl_ns hold;
    int state; /* that it answers; -errno: refused */
    unsigned n;
} world;

static int put(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr)
{
    (void)self;
    if (channel == GEAR) {
        return dpl_fail(reterr, -EBUSY, (struct dpl_place){0},
                        "channel 'lift/gear/speed' is commanded by a Modbus master");
    }
    world.scene = i;
    world.channel = channel;
    world.hold = hold;
    world.lets_go = !value;
    world.n++;
    if (value && channel == PRESS) {
        world.on = *(const bool *)value;
    } else if (value) {
        memcpy(world.value, value, dpl_channel_bytes(&channels[channel]));
    }
    return 0;
}

static int hand(void *self, size_t i, size_t channel, struct dpl_diag *reterr)
{
    (void)self;
    (void)i;
    (void)channel;
    return world.state < 0 ? dpl_fail(reterr, world.state, (struct dpl_place){0}, "not there")
                           : world.state;
}

static const char *commander(void *self, size_t i, size_t channel)
{
    (void)self;
    (void)i;
    return channel == GEAR ? "a Modbus master" : NULL;
}

static const struct dpl_world_host_ops host = {.put = put, .hand = hand, .commander = commander};
static struct dpl_scene other = {.world = "hall", .channels = channels, .n_channels = 1};
static struct dpl_scene own = {
    .world = "shaft", .is_own = true, .channels = channels, .n_channels = DPL_COUNT(channels)};

static const struct dpl_component_ops calls = {.execute = rig_on_update};
static const struct dpl_component_class class_ = {.name = "Node", .ops = &calls, .state_size = 8};
static struct rig rig;
static struct dpl__topics topics;
static struct dpl__services services;

static struct {
    unsigned n;
    int err;
    char text[256];
} told;

static void hear(void *self, const struct dpl_answer *answer)
{
    (void)self;
    told.n++;
    told.err = answer->err;
    snprintf(told.text, sizeof told.text, "%.*s%s", (int)answer->n_value,
             answer->n_value > 0 ? (const char *)answer->value : "", answer->why);
}

static void setup(void)
{
    struct dpl_scene *const scenes[] = {&other, &own};
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    rig.runtime.began = true;
    rig.runtime.options.world.ops = &host;
    services = (struct dpl__services){.runtime = &rig.runtime};
    memset(&world, 0, sizeof world);
    cr_assert_eq(dpl__hands_add(&topics, &rig.runtime, scenes, 2, &services.hands, &rig.diag), 0);
    dpl__world_services_add(&services);
}

static void teardown(void)
{
    dpl__services_finish(&services);
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
    rig_finish(&rig);
}

TestSuite(world_service, .init = setup, .fini = teardown);

static void ask(const char *request, enum dpl_role role)
{
    static const struct dpl_gateway gateway = {.name = "test", .answer = hear};
    struct dpl_asked asked = {.what = DPL_ASK_CALL,
                              .who = "somebody",
                              .role = role,
                              .name = "/world/put",
                              .value = request,
                              .n_value = strlen(request)};
    told.n = 0;
    dpl__services_call(&services, (struct dpl__asker){&gateway, NULL, role}, &asked);
    dpl__errands_turn(&services.errands, false);
}

/* What is refused, and why. */
static const struct {
    const char *request, *why;
    int err;
} refused[] = {
    {"", "the request is no JSON object", -EINVAL},
    {"[]", "the request is no JSON object", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":1e999}", "real number overflow", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":NaN}", "the request is no JSON object", -EINVAL},
    {"{\"value\":1}", "/world/put needs 'channel', a text, and 'value'", -EINVAL},
    {"{\"channel\":\"lift/load/mass\"}", "needs 'channel', a text, and 'value'", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":1,\"a\":1}", "/world/put takes no 'a'", -EINVAL},
    {"{\"channel\":\"lift/laod/mass\",\"value\":1}", "did you mean 'lift/load/mass'?", -ENOENT},
    {"{\"channel\":\"lift/load/present\",\"value\":1}", "is an output of the world", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":1261}", "takes 0 to 1260 kg, found '1261'",
     -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":true}", "takes a number, found 'true'", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":\"1\"}", "value: a number, true or false", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":{}}", "value: a number, true or false", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":[1,2]}", "takes 1 value, found more", -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":[]}", "takes 1 values, found 0", -EINVAL},
    {"{\"channel\":\"lift/target/set\",\"value\":1.5}", "takes a integer, found '1.5'", -EINVAL},
    {"{\"channel\":\"lift/call1/press\",\"value\":2}", "takes a flag, found '2'", -EINVAL},
    {"{\"channel\":\"robot/place\",\"value\":[1,2]}", "takes 3 values, found 2", -EINVAL},
    {"{\"channel\":\"robot/place\",\"value\":[1,null,2]}", "value: a number, true or false",
     -EINVAL},
    {"{\"channel\":\"lift/load/mass\",\"value\":1,\"seconds\":0}", "seconds", -ERANGE},
    {"{\"channel\":\"lift/load/mass\",\"value\":1,\"seconds\":\"1\"}", "seconds", -ERANGE},
    {"{\"channel\":\"lift/gear/speed\",\"value\":1}", "is commanded by a Modbus master", -EBUSY},
    {"{\"channel\":\"hall/robot/place\",\"value\":1}", "there is no channel 'robot/place'",
     -ENOENT},
};

Test(world_service, refuses_in_words)
{
    for (size_t i = 0; i < DPL_COUNT(refused); i++) {
        ask(refused[i].request, DPL_ROLE_CONTROL);
        cr_assert_eq(told.n, 1, "%s", refused[i].request);
        cr_assert_eq(told.err, refused[i].err, "%s: %d %s", refused[i].request, told.err,
                     told.text);
        cr_assert(strstr(told.text, refused[i].why), "%s: %s", refused[i].request, told.text);
    }
    ask("{\"channel\":\"lift/load/mass\",\"value\":1}", DPL_ROLE_LOOK);
    cr_assert_eq(told.err, -EACCES);
    cr_assert(strstr(told.text, "may not put values into a world"), "%s", told.text);
    rig.runtime.began = false;
    ask("{\"channel\":\"lift/load/mass\",\"value\":1}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, -EAGAIN);
    cr_assert_eq(world.n, 0, "nothing of it came to the world");
}

Test(world_service, puts_what_fits_and_answers_when_the_world_has_it)
{
    ask("{\"channel\":\"lift/load/mass\",\"value\":300.5}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.n, 0, "the world has not taken it");
    cr_assert_eq(world.scene, 1);
    cr_assert_eq(world.channel, MASS);
    cr_assert_eq(world.value[0], 300.5);
    cr_assert_eq(world.hold, 0);
    world.state = DPL_HAND_HOLDS;
    dpl__errands_turn(&services.errands, false);
    cr_assert_eq(told.n, 1);
    cr_assert(strstr(told.text, "{\"ok\":true"), "%s", told.text);
    ask("{\"channel\":\"/world/lift/call1/press\",\"value\":true,\"seconds\":0.3}",
        DPL_ROLE_CONTROL);
    cr_assert(world.on && world.hold == 300 * DPL_MS);
    world.state = DPL_HAND_FREE;
    ask("{\"channel\":\"robot/place\",\"value\":[1,2.5,-1e-3]}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, 0, "%s", told.text);
    cr_assert(world.value[0] == 1.0 && world.value[1] == 2.5 && world.value[2] == -1e-3);
    ask("{\"channel\":\"hall/lift/load/mass\",\"value\":7}", DPL_ROLE_CONTROL);
    cr_assert(world.scene == 0 && world.value[0] == 7.0, "the world of that name");
    world.state = -EBUSY;
    ask("{\"channel\":\"robot/place\",\"value\":[1,2,3]}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, -EBUSY);
    cr_assert(strstr(told.text, "not there"), "%s", told.text);
}

Test(world_service, says_what_is_pending_while_time_stands)
{
    world.state = DPL_HAND_WAITS;
    ask("{\"channel\":\"robot/place\",\"value\":[1,2,3]}", DPL_ROLE_CONTROL);
    for (int i = 0; i < 3000 && told.n == 0; i++) {
        poll(NULL, 0, 2);
        dpl__errands_turn(&services.errands, false);
    }
    cr_assert_eq(told.err, 0, "it will be done: %s", told.text);
    cr_assert(strstr(told.text, "{\"ok\":true,\"pending\":true"), "%s", told.text);
}

static char list[2048], held[512];

static void note(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    bool is_list = strcmp(topic->self.name, "/run/world_inputs") == 0;
    (void)user;
    snprintf(is_list ? list : held, is_list ? sizeof list : sizeof held, "%.*s", (int)sample->n,
             (const char *)sample->data);
}

static const char *turn(void)
{
    dpl__hands_turn(services.hands);
    dpl__topics_drain(&topics, 100, note, NULL);
    return held;
}

Test(world_service, tells_what_may_be_put_and_what_is_held)
{
    cr_assert_str_eq(turn(), "[]");
    cr_assert(strstr(list, "{\"channel\":\"lift/load/mass\",\"type\":\"number\",\"kind\":\"input\","
                           "\"size\":1,\"unit\":\"kg\",\"min\":0,\"max\":1260,\"summary\":"
                           "\"that there shall be\",\"commander\":\"\"}"),
              "%s", list);
    cr_assert(strstr(list, "\"commander\":\"a Modbus master\""), "%s", list);
    cr_assert(strstr(list, "\"channel\":\"hall/lift/load/mass\""), "%s", list);
    cr_assert(!strstr(list, "present"), "an output: %s", list);
    world.state = DPL_HAND_HOLDS;
    ask("{\"channel\":\"lift/load/mass\",\"value\":300}", DPL_ROLE_CONTROL);
    ask("{\"channel\":\"lift/call1/press\",\"value\":true}", DPL_ROLE_CONTROL);
    cr_assert_str_eq(turn(),
                     "[{\"channel\":\"lift/load/mass\",\"value\":300,\"who\":\"somebody\"},"
                     "{\"channel\":\"lift/call1/press\",\"value\":true,\"who\":\"somebody\"}]");
    ask("{\"channel\":\"lift/load/mass\",\"value\":null}", DPL_ROLE_CONTROL);
    cr_assert(world.lets_go && told.n == 0, "it is held still");
    world.state = DPL_HAND_FREE;
    dpl__errands_turn(&services.errands, false);
    cr_assert_eq(told.n, 1);
    cr_assert_eq(told.err, 0, "%s", told.text);
    cr_assert_str_eq(turn(), "[]");
}

Test(world_service, is_not_there_where_no_world_takes_anything)
{
    struct dpl__topics none = {0};
    struct dpl__hands *hands = services.hands;
    cr_assert_eq(dpl__hands_add(&none, &rig.runtime, NULL, 0, &hands, &rig.diag), 0);
    cr_assert_null(hands);
    dpl__hands_turn(hands);
    cr_assert_eq(none.n, 0);
    dpl__topics_finish(&none);
}
