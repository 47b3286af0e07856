/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from outside to an input port: who publishes holds the port until he falls silent. */
#include "publications.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/geometry.h>

#include "rig.h"
#include "rig_ports.h"
#include "row_topic.h"

static const struct dpl_port_desc ports[] = {RIG_POSES("in", DPL_PORT_IN)};
static const struct dpl_component_ops calls = {.execute = rig_on_update};
static const struct dpl_component_class class_ = {
    .name = "Node", .ops = &calls, .ports = ports, .n_ports = 1, .state_size = 8};
static struct rig rig;
static struct dpl__topics topics;
static struct dpl__publications *publications;

static struct {
    unsigned n;
    int err;
    char why[256];
} told;

static void hear(void *self, const struct dpl_answer *answer)
{
    (void)self;
    told.n++;
    told.err = answer->err;
    snprintf(told.why, sizeof told.why, "%s", answer->why);
}

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    publications = dpl__publications_create(&rig.runtime, &topics, &rig.diag);
    cr_assert(publications, "%s", rig.diag.text);
}

static void teardown(void)
{
    rig_finish(&rig);
    dpl__publications_destroy(publications);
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
}

TestSuite(publications, .init = setup, .fini = teardown);

/* The owner's thread comes by, then the observer's. */
static void turn(void)
{
    dpl__mailbox_serve(&rig.runtime.executors[0]->mailbox);
    dpl__publications_turn(publications, false);
}

static void publish(const char *port, const char *who, double x, enum dpl_role role)
{
    static const struct dpl_gateway gateway = {.name = "test", .answer = hear};
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    uint8_t bytes[64];
    pose.x = x;
    size_t n = doppel__pose2__pack(&pose, bytes);
    struct dpl_asked asked = {.what = DPL_ASK_PUBLISH,
                              .who = who,
                              .role = role,
                              .name = port,
                              .value = x < 0.0 ? (const void *)"\xff" : bytes,
                              .n_value = x < 0.0 ? 1 : n};
    told.n = 0;
    dpl__publications_ask(publications, (struct dpl__asker){&gateway, NULL, role}, &asked);
    turn();
}

/* What the port has; NAN: nothing. */
static double newest(void)
{
    const struct dpl__port *port = &rig_component(&rig, 0)->ports[0];
    const Doppel__Pose2 *pose = port->newest ? (const void *)port->newest->message.body : NULL;
    return pose ? pose->x : -1.0;
}

Test(publications, reach_the_port_and_their_publisher_is_known_until_he_falls_silent)
{
    cr_assert_str_eq(dpl__publications_controller(publications), "");
    publish("/A/in", "x", 3.0, DPL_ROLE_CONTROL);
    cr_assert_eq(told.n, 1);
    cr_assert_eq(told.err, 0, "%s", told.why);
    cr_assert_eq(newest(), 3.0);
    cr_assert_str_eq(dpl__publications_controller(publications), "x");
    atomic_store(&rig.runtime.sim_now, DPL__SILENCE);
    turn();
    turn();
    cr_assert_eq(newest(), 3.0, "not longer than allowed");
    atomic_store(&rig.runtime.sim_now, DPL__SILENCE + 1);
    turn(); /* asks the owner */
    turn();
    cr_assert_eq(newest(), -1.0, "taken out of the port");
    cr_assert_str_eq(dpl__publications_controller(publications), "");
    cr_assert(strstr(rig_log, "x has published nothing for 0.5 s: stopped"), "%s", rig_log);
}

Test(publications, are_refused_in_words)
{
    static const struct {
        const char *port, *who, *why;
        double x;
        enum dpl_role role;
        int err;
    } rows[] = {
        {"/A/out", "x", "there is no input port '/A/out'", 1.0, DPL_ROLE_CONTROL, -ENOENT},
        {"/A/in", "x", "/A/in: ", -1.0, DPL_ROLE_CONTROL, -EPROTO},
        {"/A/in", "x", "control", 1.0, DPL_ROLE_LOOK, -EACCES},
        {"/A/in", "x", "", 1.0, DPL_ROLE_CONTROL, 0},
        {"/A/in", "y", "/A/in: x publishes to it", 1.0, DPL_ROLE_CONTROL, -EBUSY},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        publish(rows[i].port, rows[i].who, rows[i].x, rows[i].role);
        cr_assert_eq(told.n, 1, "%zu", i);
        cr_assert_eq(told.err, rows[i].err, "%zu: %s", i, told.why);
        cr_assert(strstr(told.why, rows[i].why), "%s", told.why);
    }
    cr_assert_eq(dpl__component_operate(rig_component(&rig, 0), DPL__STOP, 0, &rig.diag), 0);
    publish("/A/in", "x", 1.0, DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, -ESHUTDOWN, "%s", told.why);
}

static void note(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    (void)topic;
    snprintf(user, 256, "%.*s", (int)sample->n, (const char *)sample->data);
}

Test(publications, have_a_list_of_the_ports_for_who_joins_late)
{
    char text[256] = "";
    turn();
    dpl__topics_drain(&topics, 8, note, text);
    cr_assert(strstr(text, "[{\"name\":\"/A/in\",\"type\":\"doppel.Pose2\",\"schema\":\""), "%s",
              text);
    cr_assert(dpl__topics_find(&topics, "/run/inputs")->self.latched);
}
