/* SPDX-License-Identifier: Apache-2.0 */
/* Order of components, executors they form, and connections that are refused. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/msg/geometry.h>
#include <doppel/msg/wheel_controller.h>

#include "ports.h"
#include "rig.h"
#include "rig_ports.h"

enum { OUT, IN, OTHER_IN, REQUIRES, PROVIDES, MUST };

static const struct dpl_port_desc ports[] = {
    [OUT] = RIG_POSES("out", DPL_PORT_OUT),
    [IN] = RIG_POSES("in", DPL_PORT_IN),
    [OTHER_IN] = PORT_DATA("twist", IN, &doppel__twist2__descriptor),
    [REQUIRES] = RIG_REQUIRES,
    [PROVIDES] = RIG_PROVIDES(NULL),
    [MUST] = RIG_POSES("must", DPL_PORT_IN, .required = true),
};

static const struct dpl_component_class node = {
    .name = "Node", .ports = ports, .n_ports = MUST, .state_size = 8};
static const struct dpl_component_class needy = {
    .name = "Needy", .ports = ports, .n_ports = MUST + 1, .state_size = 8};

static struct rig rig;

static void setup(void)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    rig_init(&rig);
    for (size_t i = 0; i < 4; i++) {
        rig_add(&rig, names[i], &node);
    }
}

static void teardown(void)
{
    rig_finish(&rig);
}

TestSuite(wiring, .init = setup, .fini = teardown);

/* ---- order ---- */

static const char *sorted(void)
{
    static char text[8];
    size_t members[] = {0, 1, 2, 3}, order[4];
    int r = dpl__wiring_sort(&rig.app, members, 4, order, &rig.diag);
    for (size_t i = 0; i < 4 && r == 0; i++) {
        text[i] = (char)('A' + order[i]);
    }
    return r == 0 ? text : "error";
}

/* A step of data, or of `depends`, from one component to another. */
struct edge {
    unsigned from, to;
    bool depends;
};

Test(wiring, sorts_components_by_data_then_by_profile)
{
    static const struct {
        const char *name;
        struct edge edges[3];
        size_t n;
        const char *order;
    } rows[] = {
        {"keeps profile order among equals", {{0}}, 0, "ABCD"},
        {"follows the data flow", {{3, 0}, {2, 3}}, 2, "BCDA"},
        {"follows depends", {{3, 1, true}}, 1, "ACDB"},
        /* A is fed by the cycle and not on it */
        {"opens a data cycle at the first in profile order", {{1, 2}, {2, 1}, {2, 0}}, 3, "DBCA"},
        {"lets depends decide where a data cycle opens", {{1, 2}, {2, 1}, {2, 1, true}}, 3, "ADCB"},
        {"ignores a component that feeds itself", {{0, 0}}, 1, "ABCD"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        teardown();
        setup();
        for (size_t k = 0; k < rows[i].n; k++) {
            const struct edge *edge = &rows[i].edges[k];
            if (edge->depends) {
                rig_depends(&rig, edge->from, edge->to);
            } else {
                rig_connect(&rig, edge->from, OUT, edge->to, IN);
            }
        }
        const char *order = sorted();
        cr_expect_str_eq(order, rows[i].order, "%s: %s", rows[i].name, order);
    }
}

/* A loop of eight with feedback from its end to its middle, as a machine's control has it. */
static const char *sorted_machine(const size_t chain[8])
{
    static const unsigned edges[][2] = {{0, 1}, {0, 2}, {1, 2}, {7, 2}, {2, 3}, {7, 3},
                                        {4, 3}, {6, 3}, {3, 4}, {7, 4}, {6, 4}, {4, 5},
                                        {7, 5}, {5, 6}, {5, 7}, {3, 7}, {4, 7}, {6, 7}};
    static char text[9];
    size_t members[8], order[8];
    for (size_t i = 0; i < 4; i++) {
        rig_add(&rig, "more", &node);
    }
    for (size_t i = 0; i < DPL_COUNT(edges); i++) {
        rig_connect(&rig, chain[edges[i][0]], OUT, chain[edges[i][1]], IN);
    }
    for (size_t i = 0; i < 8; i++) {
        members[i] = i;
    }
    cr_assert_eq(dpl__wiring_sort(&rig.app, members, 8, order, &rig.diag), 0);
    for (size_t i = 0; i < 8; i++) {
        text[i] = (char)('A' + order[i]);
    }
    return text;
}

Test(wiring, opens_a_loop_where_the_profile_enters_it_and_keeps_the_order_of_its_chain)
{
    cr_assert_str_eq(sorted_machine((const size_t[]){0, 1, 2, 3, 4, 5, 6, 7}), "ABCDEFGH");
    teardown();
    setup();
    /* The end of the chain is listed first, then what feeds the loop last. */
    cr_assert_str_eq(sorted_machine((const size_t[]){7, 6, 1, 2, 3, 4, 5, 0}), "HGABCDEF");
}

Test(wiring, refuses_a_cycle_of_depends_and_names_it)
{
    rig_depends(&rig, 0, 1);
    rig_depends(&rig, 1, 0);
    cr_assert_str_eq(sorted(), "error");
    cr_assert(strstr(rig.diag.text, "B runs after A"), "%s", rig.diag.text);
    cr_assert_eq(rig.diag.place.line, 200);
    cr_assert_eq(rig_wire(&rig), -ELOOP);
}

/* ---- executors ---- */

Test(wiring, groups_components_by_execution)
{
    rig.components[1].execution.priority = 5;
    rig_execution(&rig, 2, DPL_EXECUTION_PERIODIC, 10 * DPL_MS);
    rig_execution(&rig, 3, DPL_EXECUTION_PASSIVE, 0);
    size_t e = rig_add(&rig, "E", &node);
    size_t f = rig_add(&rig, "F", &node);
    rig_execution(&rig, f, DPL_EXECUTION_APERIODIC, 5 * DPL_MS);
    cr_assert_eq(rig_wire(&rig), 0, "%s", rig.diag.text);
    cr_assert_eq(rig.runtime.n_executors, 4);
    static const char *const names[] = {"periodic 10 ms", "periodic 10 ms #2", "periodic 10 ms C",
                                        "aperiodic F"};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_str_eq(rig.runtime.executors[i]->name, names[i]);
    }
    cr_assert_eq(rig_component(&rig, 0)->executor, rig_component(&rig, e)->executor);
    cr_assert_null(rig_component(&rig, 3)->executor);
    cr_assert_eq(rig_component(&rig, f)->executor->tick.period, 0);
}

Test(wiring, refuses_a_periodic_component_without_a_period)
{
    rig.components[2].execution.period = 0;
    cr_assert_eq(rig_wire(&rig), -EINVAL);
    cr_assert_str_eq(rig.diag.text, "C: a periodic component needs a period");
}

/* ---- connections ---- */

static void refuses(const char *name, int code, const char *text)
{
    cr_assert_eq(rig_wire(&rig), code, "%s: %s", name, rig.diag.text);
    cr_assert(strstr(rig.diag.text, text), "%s: %s", name, rig.diag.text);
}

Test(wiring, refuses_connections_of_ports_that_do_not_fit)
{
    static const struct {
        const char *name;
        unsigned source_port, target_port;
        const char *said;
    } rows[] = {
        {"different types", OUT, OTHER_IN,
         "A.out is of type doppel.Pose2, but B.twist of type doppel.Twist2"},
        {"the wrong direction", IN, OUT, "A.in -> B.out goes in the wrong direction"},
        {"different kinds", OUT, PROVIDES, "different kinds"},
        {"a port that does not exist", OUT, 77, "does not exist"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        teardown();
        setup();
        rig_connect(&rig, 0, rows[i].source_port, 1, rows[i].target_port);
        refuses(rows[i].name, -EINVAL, rows[i].said);
        cr_assert_eq(rig.diag.place.line, 101, "%s", rows[i].name);
    }
}

Test(wiring, refuses_a_second_provider)
{
    rig_connect(&rig, 0, REQUIRES, 1, PROVIDES);
    rig_connect(&rig, 0, REQUIRES, 2, PROVIDES);
    refuses("a second provider", -EEXIST, "A.base is connected to B.wheels already");
}

Test(wiring, refuses_a_required_port_left_open)
{
    rig_add(&rig, "E", &needy);
    refuses("an open port", -ENOTCONN, "E.must must be connected");
}
