/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/emulate/kobuki/presses.h. */
#include "presses.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct kobuki_sensors seen(const struct presses *presses, dpl_ns now)
{
    struct kobuki_sensors sensors = {0};
    presses_apply(presses, now, &sensors);
    return sensors;
}

Test(presses, each_part_sets_its_own_bit)
{
    static const struct {
        const char *name;
        uint8_t bumper, cliff, wheel_drop, buttons;
    } rows[] = {
        {"bumper_left", 4, 0, 0, 0},     {"bumper_centre", 2, 0, 0, 0},
        {"bumper_right", 1, 0, 0, 0},    {"cliff_left", 0, 4, 0, 0},
        {"cliff_centre", 0, 2, 0, 0},    {"cliff_right", 0, 1, 0, 0},
        {"wheel_drop_left", 0, 0, 2, 0}, {"wheel_drop_right", 0, 0, 1, 0},
        {"button0", 0, 0, 0, 1},         {"button1", 0, 0, 0, 2},
        {"button2", 0, 0, 0, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct presses presses = {0};
        cr_assert_eq(presses_add(&presses, rows[i].name, NULL), 0, "%s", rows[i].name);
        struct kobuki_sensors sensors = seen(&presses, 1000 * DPL_S);
        cr_assert_eq(sensors.bumper, rows[i].bumper, "%s", rows[i].name);
        cr_assert_eq(sensors.cliff, rows[i].cliff, "%s", rows[i].name);
        cr_assert_eq(sensors.wheel_drop, rows[i].wheel_drop, "%s", rows[i].name);
        cr_assert_eq(sensors.buttons, rows[i].buttons, "%s", rows[i].name);
    }
}

Test(presses, hold_between_their_seconds_and_add_to_what_the_world_presses)
{
    struct presses presses = {0};
    cr_assert_eq(presses_add(&presses, "bumper_left,3,3.5", NULL), 0);
    cr_assert_eq(presses_add(&presses, "bumper_left,5,6", NULL), 0);
    cr_assert_eq(seen(&presses, 3 * DPL_S - 1).bumper, 0);
    cr_assert_eq(seen(&presses, 3 * DPL_S).bumper, DPL_KOBUKI_LEFT);
    cr_assert_eq(seen(&presses, 3500 * DPL_MS).bumper, 0);
    cr_assert_eq(seen(&presses, 5500 * DPL_MS).bumper, DPL_KOBUKI_LEFT);
    struct kobuki_sensors sensors = {.bumper = DPL_KOBUKI_RIGHT};
    presses_apply(&presses, 3 * DPL_S, &sensors);
    cr_assert_eq(sensors.bumper, DPL_KOBUKI_LEFT | DPL_KOBUKI_RIGHT);
}

Test(presses, what_cannot_be_pressed_is_refused_with_the_names_there_are)
{
    static const char *const wrong[] = {"bumper",
                                        "",
                                        "button3",
                                        "bumper_left,",
                                        "bumper_left,1",
                                        "bumper_left,2,1",
                                        "bumper_left,1,2,3",
                                        "bumper_left,-1,1",
                                        "bumper_lef,1,2"};
    struct presses presses = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dpl_diag diag = {0};
        cr_assert_eq(presses_add(&presses, wrong[i], &diag), -EINVAL, "'%s'", wrong[i]);
        cr_assert_not_null(strstr(diag.text, "--press"), "%s", diag.text);
    }
    cr_assert_eq(presses.n, 0);
    struct dpl_diag diag = {0};
    presses_add(&presses, "bumper", &diag);
    cr_assert_not_null(strstr(diag.text, "wheel_drop_right"), "%s", diag.text);
    for (int i = 0; i < PRESSES_MAX; i++) {
        cr_assert_eq(presses_add(&presses, "button0", NULL), 0);
    }
    cr_assert_eq(presses_add(&presses, "button0", NULL), -EINVAL);
}
