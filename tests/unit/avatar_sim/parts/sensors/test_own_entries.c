/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor and an actuator of a program's own in a mechanism: the examples of `doppel new`. */
#include <errno.h>

#include "entry_scene.h"

TestSuite(own_entries, .fini = reading_end);

extern const struct dpl_sim_entry_class own_sensor, own_actuator;
static const struct dpl_sim_entry_class *const own[] = {&own_sensor, &own_actuator, NULL};
static const struct dpl_sim_load_options options = {.entries = own};

static const char text[] =
    SCENE("<Sensor name='tilt' type='template_name' body='arm' zero='1 deg'/>"
          "<Motor joint='rail' type='template_name' damping='20'/>");

Test(own_entries, sensor_measures_what_its_formula_says)
{
    double lean;
    dpl_ns stamp;
    scene_make_with(text, &options);
    cr_assert_eq(get("m/tilt/lean", &lean, &stamp), -EAGAIN);
    state->bodies.rotation[0][2][2] = cos(0.3);
    dpl_world_step(world, 1);
    cr_assert_eq(get("m/tilt/lean", &lean, &stamp), 0);
    NEAR(lean, 0.3 + DPL_PI / 180.0, 1e-12);
    cr_assert_eq(stamp, DPL_MS);
}

Test(own_entries, actuator_gives_what_its_formula_says_and_is_safe_when_released)
{
    scene_make_with(text, &options);
    size_t command = channel_of("m/rail/command", true);
    cr_assert_eq(dpl_world_channels_put(channels, command, &(double){0.5}), 0);
    state->joints.velocity[1] = -3.0;
    dpl_world_step(world, 1);
    NEAR(state->joints.push[1], 30.0, 1e-12);
    dpl_world_channels_release(channels, command);
    dpl_world_step(world, 1);
    NEAR(state->joints.push[1], 60.0, 1e-12);
}

Test(own_entries, class_that_is_not_given_is_unknown)
{
    cr_assert_eq(scene_read(text), -EINVAL);
    cr_assert_not_null(strstr(diags.items[0].text, "type: "), "%s", diags.items[0].text);
    cr_assert_eq(diags.n, 2);
}
