/* SPDX-License-Identifier: Apache-2.0 */
/* DynamicModel with fakes for the runtime: when it runs, what it takes for a force, its properties.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "fake_runtime.h"

enum { WRENCH, COMMAND, REFERENCE };

#define PERIOD 2500000

static struct dpl_diag why;
static dpl_ns now;

TestSuite(dynamic_model_glue, .init = fake_begin, .fini = fake_end);

static void command(Doppel__MachineState state, uint64_t epoch)
{
    static Doppel__MachineCommand body;
    doppel__machine_command__init(&body);
    body.state = state;
    body.epoch = epoch;
    fake.connected[COMMAND] = true;
    fake_receive(COMMAND, &body, now);
}

/* The reference's x after a cycle; a force that is not a number: no message. */
static double cycle(double force)
{
    Doppel__Wrench wrench = DOPPEL__WRENCH__INIT;
    wrench.force_x = force;
    wrench.valid = true;
    if (!isnan(force)) {
        fake_receive(WRENCH, &wrench, now);
    }
    fake_cycle(now, PERIOD);
    now += PERIOD;
    return fake.poses[REFERENCE].x;
}

static double push(double force, int n)
{
    double x = 0.0;
    for (int i = 0; i < n; i++) {
        x = cycle(force);
    }
    return x;
}

Test(dynamic_model_glue, runs_always_without_a_command)
{
    cr_assert_eq(fake_start(PERIOD, &why), 0, "%s", why.text);
    cr_assert_eq(cycle(100.0), 0.0);
    cr_assert_gt(push(100.0, 20), 1e-3);
    cr_assert_eq(fake.poses[REFERENCE].z, 0.540);
    cr_assert_eq(fake_export("begun"), 1.0);
}

Test(dynamic_model_glue, rests_at_home_until_admittance_is_commanded)
{
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    fake.connected[COMMAND] = true;
    cr_assert_eq(push(100.0, 20), 0.0, "it runs before any command");
    command(DOPPEL__MACHINE_STATE__MACHINE_POSITION, 1);
    cr_assert_eq(push(100.0, 20), 0.0);
    cr_assert_eq(fake.n_sent[REFERENCE], 40);
    command(DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE, 2);
    cr_assert_gt(push(100.0, 20), 1e-3);
    command(DOPPEL__MACHINE_STATE__MACHINE_STOPPING, 3);
    cr_assert_eq(push(100.0, 1), 0.0);
}

Test(dynamic_model_glue, begins_at_rest_in_each_epoch)
{
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    command(DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE, 1);
    cr_assert_gt(push(100.0, 30), 1e-3);
    command(DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE, 2);
    cr_assert_eq(cycle(0.0), 0.0);
    cr_assert_eq(push(0.0, 10), 0.0, "it still swings");
    cr_assert_eq(fake_export("begun"), 2.0);
}

/* Deflected by 100 N, the model swings back as without force when the wrench is not believed. */
Test(dynamic_model_glue, takes_a_wrench_that_is_not_to_be_believed_for_none)
{
    Doppel__Wrench wrench = DOPPEL__WRENCH__INIT;
    double x[2];
    for (int round = 0; round < 2; round++) {
        fake_end();
        fake_begin();
        cr_assert_eq(fake_start(PERIOD, &why), 0);
        push(100.0, 30);
        for (int i = 0; i < 20; i++) {
            wrench.force_x = round == 0 ? 100.0 : 0.0;
            wrench.torque_x = round == 0 && i % 2 == 0 ? (double)NAN : 0.0;
            wrench.valid = round == 1 || i % 2 == 0;
            fake_receive(WRENCH, &wrench, now);
            fake_cycle(now, PERIOD);
            now += PERIOD;
        }
        x[round] = fake.poses[REFERENCE].x;
        cr_assert_eq(fake_export("invalid"), round == 0 ? 20.0 : 0.0);
    }
    cr_assert_eq(x[0], x[1], "%g %g", x[0], x[1]);
}

Test(dynamic_model_glue, holds_the_newest_wrench_for_its_timeout)
{
    fake_set("WrenchTimeout", "10");
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    push(100.0, 10);
    push((double)NAN, 4);
    cr_assert_eq(fake_export("invalid"), 0.0);
    push((double)NAN, 3);
    cr_assert_eq(fake_export("invalid"), 3.0);
}

Test(dynamic_model_glue, moves_the_axes_that_respond_only)
{
    fake_set("Axes", "y yaw");
    cr_assert_eq(fake_start(PERIOD, &why), 0);
    cr_assert_eq(push(100.0, 30), 0.0);
    Doppel__Wrench wrench = DOPPEL__WRENCH__INIT;
    wrench.valid = true;
    wrench.torque_z = 5.0;
    for (int i = 0; i < 30; i++) {
        fake_receive(WRENCH, &wrench, now);
        fake_cycle(now, PERIOD);
    }
    cr_assert_gt(fake.poses[REFERENCE].yaw, 1e-3);
}

static void expect_refused(const char *name, const char *text, const char *expected)
{
    fake_set(name, text);
    why.text[0] = '\0';
    cr_assert_lt(fake_start(PERIOD, &why), 0, "%s=%s was taken", name, text);
    cr_assert_not_null(strstr(why.text, expected), "%s", why.text);
    fake_end();
    fake_begin();
}

Test(dynamic_model_glue, says_what_is_wrong_with_its_properties)
{
    fake_refuses("Stiffness", "1 2 3", "Stiffness: character 1 (\"1 2 3\"): expected one number");
    fake_refuses("Stiffness", "0", "0 of x is out of range, expected 1e-06..1e+12");
    fake_refuses("DampingRatio", "0.2 x", "character 5");
    fake_refuses("Axes", "x q", "Axes: character 3");
    fake_refuses("Home", "0 0", "six numbers");
    expect_refused("MatrixFile", "/nonexistent/matrices", "cannot open");
    expect_refused("NaturalFrequency", "1e6", "too fast");
}

static void expect_matrices(const char *text, const char *expected, int line, int column)
{
    char path[] = "/tmp/doppel-matrices-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    fake_set("MatrixFile", path);
    why = (struct dpl_diag){.text = ""};
    int err = fake_start(PERIOD, &why);
    unlink(path);
    if (!expected) {
        cr_assert_eq(err, 0, "%s", why.text);
        return;
    }
    cr_assert_lt(err, 0);
    cr_assert_not_null(strstr(why.text, expected), "%s", why.text);
    cr_assert_eq(why.place.line, line, "%d", why.place.line);
    cr_assert_eq(why.place.column, column, "%d", why.place.column);
    fake_end();
    fake_begin();
}

static const char *diagonal(const char *mass, const char *damping, const char *stiffness)
{
    static char text[4096];
    const char *const values[] = {mass, damping, stiffness};
    text[0] = '\0';
    for (int row = 0; row < 18; row++) {
        for (int column = 0; column < 6; column++) {
            strcat(text, column == row % 6 ? values[row / 6] : "0");
            strcat(text, column == 5 ? "\n" : " ");
        }
    }
    return text;
}

Test(dynamic_model_glue, takes_a_model_from_matrices_and_says_where_they_are_wrong)
{
    expect_matrices("1 0 0 0 0 0\n0 1 0 x 0 0\n", "18 rows", 2, 7);
    expect_matrices(diagonal("0", "1", "1"), "singular", 0, 0);
    expect_matrices(diagonal("14", "-1", "5000"), "damping of x is -1", 0, 0);
    expect_matrices(diagonal("-14", "106", "5000"), "grows e-fold every", 0, 0);
    expect_matrices(diagonal("-14", "106", "5000"), "the mass of x is -14", 0, 0);
    expect_matrices(diagonal("14.072387", "106.103295", "5000"), NULL, 0, 0);
    push(1.0, 41);
    cr_assert_float_eq(5000.0 * fake.poses[REFERENCE].x, 1.0522585595, 1e-6);
}
