/* SPDX-License-Identifier: Apache-2.0 */
/* PidController in whole runs: the same controller over a world's channels, over a mock, and over
 * both at once; what it does when a channel is not there, and that it lets go when it stops. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "bench.h"

static const char *folder;

static void begin(void)
{
    folder = bench_make_folder();
}

static void end(void)
{
    bench_remove_folder(folder);
}

TestSuite(pid_controller, .init = begin, .fini = end, .timeout = 60);

static const char *write_application(void)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/app.xml", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("<package_profile><name>Pid</name><world file='empty.xml'/><subcomponents><subcomponent>"
          "<name>Wheel</name><type>original</type><reference>PidController.xml</reference>"
          "<execution_semantics><type>periodic-shared</type><period>10</period>"
          "</execution_semantics><properties>"
          "<property name='Measured'>enc_left/angle</property>"
          "<property name='Output'>LeftWheel/speed</property>"
          "<property name='Setpoint'>3</property><property name='Kp'>4</property>"
          "<property name='Low'>-5</property><property name='High'>5</property>"
          "</properties></subcomponent></subcomponents></package_profile>\n",
          file);
    fclose(file);
    return path;
}

static struct bench run_of(double duration_s, const char *set_1, const char *set_2)
{
    return (struct bench){.file = write_application(),
                          .sets = {set_1, set_2},
                          .duration_s = duration_s,
                          .out_dir = folder};
}

static double last_measured(void)
{
    char path[256], line[256], last[256] = "";
    double time, measured = (double)NAN;
    snprintf(path, sizeof path, "%s/trace.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        memcpy(last, line, sizeof last);
    }
    fclose(file);
    cr_assert_eq(sscanf(last, "%lf,%lf", &time, &measured), 2, "%s", last);
    return measured;
}

Test(pid_controller, turns_a_wheel_of_a_world_to_an_angle)
{
    struct bench bench = run_of(5.0, "Wheel.ApiName=avatar", NULL);
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert_float_eq(last_measured(), 3.0, 0.01, "%g rad", last_measured());
    cr_assert_eq(bench_summary(folder, "Wheel.missing"), 0.0);
}

Test(pid_controller, does_the_same_over_a_mock_without_another_line)
{
    struct bench bench = run_of(5.0, "Wheel.ApiName=mock", "Wheel.Measured=LeftWheel/speed");
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert_gt(bench_summary(folder, "Wheel.largest_error"), 0.0);
}

Test(pid_controller, writes_to_both_sides_of_hil)
{
    struct bench bench = run_of(1.0, "Wheel.ApiName=hil", NULL);
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert_eq(bench_summary(folder, "devices/Wheel/simulation_errors"), 0.0);
}

Test(pid_controller, reads_an_element_of_a_vector)
{
    struct bench bench = run_of(1.0, "Wheel.ApiName=avatar", "Wheel.Measured=planar[0]");
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert_neq(last_measured(), 0.0);
}

Test(pid_controller, names_the_property_that_is_no_channel_before_the_run)
{
    static const struct {
        const char *set, *text;
    } wrong[] = {
        {"Wheel.Measured=enc_lft/angle", "Measured: there is no channel 'enc_lft/angle' that"},
        {"Wheel.Measured=enc_lft/angle", "enc_left/angle'"},
        {"Wheel.Measured=LeftWheel/speed", "Measured: there is no channel 'LeftWheel/speed' that"},
        {"Wheel.Output=planar", "Output: there is no channel 'planar' that can be written"},
        {"Wheel.Measured=planar[3]", "Measured: there is no channel 'planar[3]' that"},
        {"Wheel.Measured=planar[", "Measured: there is no channel 'planar[' that can be read"},
        {"Wheel.Output=[1]", "Output: there is no channel '[1]' that can be written"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct bench bench = run_of(1.0, "Wheel.ApiName=avatar", wrong[i].set);
        cr_assert_eq(bench_create_error(&bench), -EINVAL, "%s", wrong[i].set);
        cr_assert_not_null(strstr(bench_error(), wrong[i].text), "%s: %s", wrong[i].set,
                           bench_error());
    }
}

Test(pid_controller, refuses_limits_that_cross)
{
    struct bench bench = run_of(1.0, "Wheel.ApiName=avatar", "Wheel.Low=6");
    cr_assert_neq(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "above High"), "%s", bench_error());
}
