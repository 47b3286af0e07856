/* SPDX-License-Identifier: Apache-2.0 */
/* Balances of mechanisms in minimal coordinates: what drives give, dampers take, and what is left.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <doppel/sim/audit.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>

#include "reading.h"

#define HEAD                                                                                       \
    "{'model_parameters': {'star_version': '2.0.1', 'units': {'angle': 'radians', 'length': "      \
    "'meters', 'mass': 'kilograms', 'time': 'seconds'}, 'gravity': [0, 0, -9.81]}, 'assembly': {"
#define INERTIA "'moment_of_inertia': {'Ixx': 0.02, 'Iyy': 0.02, 'Izz': 0.02}"
/* 2 kg at 0.5 m below its joint. */
#define PENDULUM(more, restraints)                                                                 \
    "'arm': {'bodies': {'bar': {'mass': 2, 'center_of_mass': [0, 0, -0.5], " INERTIA "}},"         \
    "'joints': {'hinge': {'type': 'Ry', 'body_frame_pairs': [['fixed', 'origin'], ['bar', "        \
    "'origin']]" more "}}" restraints "}"
#define M_G_L (2.0 * 9.81 * 0.5)

static char file[] = "/tmp/doppel_audit_XXXXXX.json";
static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;
static struct dpl_audit *audit;

/* ' stands for ". */
static void begin_with(const char *json)
{
    struct dpl_diag diag = {.text = ""};
    int fd = mkstemps(file, 5);
    cr_assert_geq(fd, 0);
    FILE *out = fdopen(fd, "w");
    for (; *json; json++) {
        fputc(*json == '\'' ? '"' : *json, out);
    }
    cr_assert_eq(fclose(out), 0);
    int err = dpl_sim_read_world(&arena, file, NULL, &model, &diags);
    unlink(file);
    cr_assert_eq(err, 0, "%s", reading_first());
    err = dpl_world_create(model, &world, &diag);
    cr_assert_eq(err, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
    cr_assert_eq(dpl_audit_create(world, &audit), 0);
    cr_assert_eq(dpl_audit_count(audit), 1);
}

static void end(void)
{
    dpl_audit_destroy(audit);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(multibody_audit, .fini = end);

static void put(const char *path, const void *value)
{
    struct dpl_diag diag = {.text = ""};
    int channel = dpl_world_channels_find(
        channels, &(struct dpl_channel_want){.path = path, .put = true}, &diag);
    cr_assert_geq(channel, 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_put(channels, (size_t)channel, value), 0);
}

static struct dpl_audit_balance run(double seconds)
{
    struct dpl_audit_balance balance;
    dpl_ns until = dpl_world_now(world) + dpl_ns_from_s(seconds);
    while (dpl_world_now(world) < until) {
        dpl_world_step(world, 1);
        dpl_audit_step(audit);
    }
    dpl_audit_balance(audit, 0, &balance);
    return balance;
}

static double total(const struct dpl_audit_energy *energy)
{
    return energy->kinetic + energy->potential + energy->springs;
}

Test(multibody_audit, what_a_motor_gives_is_in_the_height_and_at_its_joint)
{
    begin_with(HEAD PENDULUM(", 'motor': {'mode': 'position', 'kp': 200, 'kd': 20}", "") "}}");
    double target = 0.8;
    put("arm/hinge/command/position", &target);
    struct dpl_audit_balance balance = run(5.0);
    double q = target; /* 200 (target - q) = m g l sin q */
    for (int i = 0; i < 50; i++) {
        q = target - M_G_L * sin(q) / 200.0;
    }
    cr_expect(balance.is_minimal);
    cr_expect_float_eq(balance.now.potential - balance.first.potential, M_G_L * (1.0 - cos(q)),
                       1e-6);
    cr_expect_float_eq(balance.work, M_G_L * (1.0 - cos(q)), 1e-3 * M_G_L, "%g", balance.work);
    cr_expect_float_eq(balance.lost, 0.0, 1e-3 * M_G_L, "%g", balance.lost);
    cr_expect_eq(balance.damped, 0.0);
    struct dpl_audit_joint joint;
    cr_assert(dpl_audit_joint(audit, 0, 0, &joint));
    cr_expect_str_eq(joint.joint, "arm:hinge");
    cr_expect_float_eq(joint.work, balance.work, 1e-12);
    cr_expect_not(dpl_audit_joint(audit, 0, 1, &joint));
    cr_expect_not(dpl_audit_fails(audit));
}

Test(multibody_audit, what_a_damper_takes_is_what_is_lost)
{
    begin_with(HEAD PENDULUM(", 'initial_displacement': 1.2",
                             ", 'restraints': {'d': {'type': 'damper', 'joint': 'hinge', "
                             "'coefficients': [0.4, 0]}, 'f': {'type': 'friction', 'joint': "
                             "'hinge', 'coefficients': [0.3], 'regularization': 0.05}}") "}}");
    struct dpl_audit_balance balance = run(3.0);
    cr_expect_gt(balance.lost, 3.0);
    cr_expect_float_eq(balance.damped, balance.lost, 1e-4 * balance.lost, "%g, not %g",
                       balance.damped, balance.lost);
    cr_expect_lt(balance.rise, 1e-6);
    cr_expect_float_eq(balance.lost, total(&balance.first) - total(&balance.now), 1e-12);
}

/* A limit gives back what its spring took, but for its damping. */
Test(multibody_audit, a_limit_takes_by_its_damping_only)
{
    begin_with(HEAD PENDULUM(", 'initial_displacement': 1.2, 'limits': {'lower': -0.3, 'upper': 2, "
                             "'stiffness': 3000, 'damping': 12}",
                             "") "}}");
    struct dpl_audit_balance balance = run(4.0);
    cr_expect_gt(balance.lost, 0.5);
    cr_expect_float_eq(balance.damped, balance.lost, 0.05 * balance.lost, "%g, not %g",
                       balance.damped, balance.lost);
}

#define LOOSE                                                                                      \
    HEAD "'a': {'bodies': {'b': {'mass': 1, 'center_of_mass': [0.1, 0, 0], " INERTIA "}, 'c': "    \
         "{'mass': 3, 'center_of_mass': [0, 0.2, 0], " INERTIA "}}, 'joints': {'loose': {'type': " \
         "'float', 'body_frame_pairs': [['fixed', 'origin'], ['b', 'origin']], "                   \
         "'initial_velocity': [1, 2, 3, 0.5, 1, 2]}, 'hinge': {'type': 'Rx', "                     \
         "'body_frame_pairs': [['b', 'origin'], ['c', 'origin']], 'initial_velocity': 4}}}}}"

Test(multibody_audit, what_floats_keeps_its_momentum)
{
    begin_with(LOOSE);
    struct dpl_audit_balance balance = run(2.0);
    cr_expect(balance.momentum.is_told);
    cr_expect_eq(balance.momentum.until, dpl_ns_from_s(2.0));
    cr_expect_lt(balance.momentum.linear, 1e-10);
    cr_expect_lt(balance.momentum.about, 1e-8, "%g", balance.momentum.about);
    cr_expect_float_eq(balance.lost, 0.0, 1e-7);
}

Test(multibody_audit, a_handle_gives_work_and_ends_the_account_of_momentum)
{
    static const double handle[5] = {0.3, -0.2, 1.0, 40.0, 4.0};
    begin_with(LOOSE);
    run(0.5);
    put("a/b/handle", handle);
    struct dpl_audit_balance balance = run(3.0);
    cr_expect_eq(balance.momentum.until, dpl_ns_from_s(0.5));
    cr_expect_gt(fabs(balance.work), 1.0);
    cr_expect_float_eq(balance.lost, 0.0, 5e-3 * fabs(balance.work), "%g of %g", balance.lost,
                       balance.work);
}

Test(multibody_audit, a_switched_assembly_is_told)
{
    begin_with(HEAD PENDULUM(", 'initial_displacement': 1.2",
                             "") ", 'other': {'bodies': {'b': "
                                 "{'mass': 1, " INERTIA
                                 "}}, 'joints': {'j': {'type': 'Tz', 'body_frame_pairs': "
                                 "[['fixed', 'origin'], ['b', 'origin']]}}}}}");
    cr_expect_not(run(0.1).is_touched);
    bool off = false;
    put("other/switch", &off);
    cr_expect(run(0.1).is_touched);
    cr_expect_not(dpl_audit_fails(audit), "nobody knows");
}

/* 1 kg falls 0.1 m on the ground; its spring is soft enough for many steps in a contact. */
#define BALL(law, start)                                                                           \
    HEAD "'a': {'bodies': {'ball': {'mass': 1, " INERTIA ", 'shapes': [{'type': 'sphere', "        \
         "'radius': 0.1, 'stiffness': 2e4, " law "}]}}, 'joints': {'f': {'type': 'float', "        \
         "'body_frame_pairs': [['fixed', 'origin'], ['ball', 'origin']], " start "}}}}}"

/* What a contact without damping keeps in its spring is neither lost nor from nowhere. */
Test(multibody_audit, the_spring_of_a_contact_gives_back_what_it_took)
{
    begin_with(BALL("'restitution': 1", "'initial_displacement': {'T': [0, 0, 0.2]}"));
    double most = 0.0;
    struct dpl_audit_balance balance;
    for (int i = 0; i < 300; i++) {
        balance = run(1e-3);
        most = fmax(most, balance.now.springs);
        cr_assert_float_eq(balance.lost, 0.0, 2e-3, "%g J at step %d", balance.lost, i);
    }
    cr_expect_gt(most, 0.98, "all of m g h was in the spring");
    cr_expect_lt(balance.rise, 2e-3, "%g", balance.rise);
    cr_expect_float_eq(balance.damped, 0.0, 1e-12);
    cr_expect_not(dpl_audit_fails(audit));
}

Test(multibody_audit, what_contacts_take_is_damped)
{
    begin_with(BALL("'restitution': 0.3", "'initial_displacement': {'T': [0, 0, 0.2]}, "
                                          "'initial_velocity': [1, 0, 0, 0, 0, 0]"));
    struct dpl_audit_balance balance = run(3.0);
    cr_expect_gt(balance.lost, 1.0);
    cr_expect_float_eq(balance.damped, balance.lost, 0.01 * balance.lost, "%g, not %g",
                       balance.damped, balance.lost);
    cr_expect_lt(balance.rise, 1e-3, "%g", balance.rise);
}

Test(multibody_audit, a_contact_ends_the_account_of_momentum)
{
    begin_with(BALL("'restitution': 0.5", "'initial_displacement': {'T': [0, 0, 0.2]}"));
    struct dpl_audit_balance balance = run(1.0);
    cr_expect(balance.momentum.is_told);
    double falls = sqrt(2.0 * 0.1 / 9.81);
    cr_expect_float_eq(dpl_ns_to_s(balance.momentum.until), falls, 2e-3, "%g",
                       dpl_ns_to_s(balance.momentum.until));
    cr_expect_lt(balance.momentum.linear, 1e-10, "%g", balance.momentum.linear);
}
