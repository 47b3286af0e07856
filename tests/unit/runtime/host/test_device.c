/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: the order of opening and closing, and whose loss is whose. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "control.h"
#include "device.h"
#include "log.h"
#include "runtime.h"

static struct dpl_runtime runtime;
static char events[256];    /* what the fake driver did, in order */
static const char *failing; /* the device whose open fails; NULL: none */
static const char *lost_at_open;
static int not_vital = -1; /* the side that the upper driver declares so; -1: none */

static int fake_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    strcat(strcat(strcat(events, "+"), device->name), " ");
    if (not_vital >= 0 && device->driver->n_sides > 0) {
        dpl_device_set_side_vital(device, (size_t)not_vital, false);
    }
    if (lost_at_open && strcmp(device->name, lost_at_open) == 0) {
        dpl_device_lost(device, "not there");
    }
    if (failing && strcmp(device->name, failing) == 0) {
        return dpl_fail(reterr, -EIO, (struct dpl_place){0}, "no answer");
    }
    return 0;
}

static void fake_close(struct dpl_device *device)
{
    strcat(strcat(strcat(events, "-"), device->name), " ");
}

static int silent_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    return -ENXIO;
}

static const struct dpl_driver leaf = {
    .name = "leaf",
    .backend = DPL_BACKEND_MOCK,
    .state_size = 8,
    .open = fake_open,
    .close = fake_close,
};
static const struct dpl_driver hardware = {
    .name = "bus",
    .backend = DPL_BACKEND_HARDWARE,
    .open = fake_open,
    .close = fake_close,
};
static const struct dpl_driver silent = {.name = "silent", .open = silent_open};
static const struct dpl_driver_side two_sides[] = {
    {"hardware", "Hardware"},
    {"simulation", "Simulation"},
};
static const struct dpl_driver upper = {
    .name = "upper",
    .backend = DPL_BACKEND_HIL,
    .sides = two_sides,
    .n_sides = 2,
    .open = fake_open,
    .close = fake_close,
};

static const struct dpl_app_device sides[] = {
    {.name = "W.h", .driver = &leaf, .place = {"app.xml", 5, 1}},
    {.name = "W.s", .driver = &leaf, .place = {"app.xml", 6, 1}},
};
static const struct dpl_app_device pair = {.name = "W", .driver = &upper, .sides = sides};
static const struct dpl_app_device single = {
    .name = "L", .driver = &leaf, .place = {"app.xml", 7, 2}};

static void begin(void)
{
    runtime.options.log = fopen("/dev/null", "w");
    runtime.options.log_level = DPL_LOG_DEBUG;
    runtime.options.seed = 1;
    cr_assert_eq(dpl__log_create(&runtime), 0);
}

static void end(void)
{
    dpl__log_destroy(runtime.log);
    dpl_arena_finish(&runtime.arena);
    fclose(runtime.options.log);
}

static struct dpl__device *open_ok(const struct dpl_app_device *model)
{
    struct dpl__device *device = NULL;
    cr_assert_eq(dpl__device_open(&runtime, model, &device, NULL), 0);
    return device;
}

static int halt(void)
{
    return atomic_load(&runtime.lost_devices);
}

static unsigned long long faults(void)
{
    return atomic_load(&runtime.faults);
}

TestSuite(device, .init = begin, .fini = end);

Test(device, opens_sides_first_and_closes_them_last)
{
    struct dpl__device *device = open_ok(&pair);
    cr_assert_str_eq(events, "+W.h +W.s +W ");
    dpl__device_close(device);
    cr_assert_str_eq(events, "+W.h +W.s +W -W -W.s -W.h ");
}

Test(device, is_listed_in_order_of_opening)
{
    open_ok(&pair);
    cr_assert_str_eq(runtime.devices->self.name, "W.h");
    cr_assert_str_eq(runtime.devices->next->self.name, "W.s");
    cr_assert_str_eq(runtime.devices->next->next->self.name, "W");
}

Test(device, closes_only_once)
{
    struct dpl__device *device = open_ok(&single);
    dpl__device_close(device);
    dpl__device_close(device);
    dpl__device_close(NULL);
    cr_assert_str_eq(events, "+L -L ");
}

Test(device, closes_the_sides_when_the_upper_driver_does_not_open)
{
    struct dpl__device *device = NULL;
    failing = "W";
    cr_assert_eq(dpl__device_open(&runtime, &pair, &device, NULL), -EIO);
    cr_assert_str_eq(events, "+W.h +W.s +W -W.s -W.h ");
    cr_assert_null(device);
}

Test(device, closes_the_first_side_when_the_second_does_not_open)
{
    struct dpl__device *device = NULL;
    struct dpl_diag diag;
    failing = "W.s";
    cr_assert_eq(dpl__device_open(&runtime, &pair, &device, &diag), -EIO);
    cr_assert_str_eq(events, "+W.h +W.s -W.h ");
    cr_assert_str_eq(diag.text, "W.s: no answer");
    cr_assert_eq(diag.place.line, 6);
}

Test(device, names_driver_and_cause_when_the_driver_does_not)
{
    const struct dpl_app_device model = {.name = "D", .driver = &silent, .place = {"a.xml", 9, 4}};
    struct dpl__device *device = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl__device_open(&runtime, &model, &device, &diag), -ENXIO);
    cr_assert_str_eq(diag.text, "D: driver 'silent' cannot be opened: No such device or address");
    cr_assert_eq(diag.place.line, 9);
}

Test(device, refuses_hardware_under_the_simulated_clock)
{
    const struct dpl_app_device model = {
        .name = "D", .driver = &hardware, .place = {"a.xml", 9, 4}};
    struct dpl__device *device = NULL;
    struct dpl_diag diag;
    runtime.options.simulated = true;
    cr_assert_eq(dpl__device_open(&runtime, &model, &device, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "needs the real clock"));
    cr_assert_str_eq(events, "");
}

Test(device, counts_a_loss_once_until_it_is_found)
{
    struct dpl_device *device = &open_ok(&single)->self;
    dpl_device_lost(device, "cable %d", 1);
    dpl_device_lost(device, "cable %d", 1);
    cr_assert(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 1);
    cr_assert_eq(faults(), 1);
    dpl_device_found(device);
    dpl_device_found(device);
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 0);
    dpl_device_lost(device, "cable");
    cr_assert_eq(faults(), 2);
    cr_assert_eq(atomic_load(&runtime.devices->n_losses), 2);
}

Test(device, tells_of_losses_with_the_newest_reason_while_they_last)
{
    char text[96] = "TIMEOUT";
    struct dpl_device *side = dpl_device_side(&open_ok(&pair)->self, 0);
    struct dpl_device *device = &open_ok(&single)->self;
    dpl__devices_tell_losses(&runtime, text, sizeof text);
    cr_assert_str_eq(text, "TIMEOUT");
    dpl_device_lost(side, "silence");
    dpl_device_lost(device, "cable %d", 1);
    dpl_device_found(device);
    dpl_device_lost(device, "cable %d", 2);
    dpl__devices_tell_losses(&runtime, text, sizeof text);
    cr_assert_str_eq(text, "TIMEOUT; W.h is lost: silence; L is lost: cable 2");
    dpl_device_found(device);
    strcpy(text, "HIT");
    dpl__devices_tell_losses(&runtime, text, sizeof text);
    cr_assert_str_eq(text, "HIT; W.h is lost: silence");
}

Test(device, leaves_a_text_without_room_for_a_loss_as_it_is)
{
    char text[20] = "TIMEOUT";
    dpl_device_lost(&open_ok(&single)->self, "cable");
    dpl__devices_tell_losses(&runtime, text, sizeof text);
    cr_assert_str_eq(text, "TIMEOUT");
}

Test(device, is_lost_with_a_vital_side)
{
    struct dpl_device *device = &open_ok(&pair)->self;
    dpl_device_lost(dpl_device_side(device, 0), "silence");
    cr_assert(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 1);
    cr_assert_eq(faults(), 1);
    dpl_device_found(dpl_device_side(device, 0));
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 0);
}

Test(device, goes_on_without_a_side_that_is_not_vital)
{
    not_vital = 1;
    struct dpl_device *device = &open_ok(&pair)->self;
    dpl_device_lost(dpl_device_side(device, 1), "silence");
    cr_assert(dpl_device_is_lost(dpl_device_side(device, 1)));
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 0);
    cr_assert_eq(faults(), 0);
    dpl_device_found(dpl_device_side(device, 1));
    cr_assert_eq(halt(), 0);
}

Test(device, halts_once_for_two_lost_sides_until_both_are_found)
{
    struct dpl_device *device = &open_ok(&pair)->self;
    dpl_device_lost(dpl_device_side(device, 0), "silence");
    dpl_device_lost(dpl_device_side(device, 1), "silence");
    cr_assert_eq(halt(), 1);
    dpl_device_found(dpl_device_side(device, 0));
    cr_assert(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 1);
    dpl_device_found(dpl_device_side(device, 1));
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 0);
}

Test(device, stays_lost_by_itself_when_its_side_is_found)
{
    struct dpl_device *device = &open_ok(&pair)->self;
    dpl_device_lost(dpl_device_side(device, 0), "silence");
    dpl_device_lost(device, "disagreement");
    dpl_device_found(dpl_device_side(device, 0));
    cr_assert(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 1);
    dpl_device_found(device);
    cr_assert_eq(halt(), 0);
}

Test(device, is_lost_with_a_side_that_was_lost_while_opening)
{
    lost_at_open = "W.h";
    struct dpl_device *device = &open_ok(&pair)->self;
    cr_assert(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 1);
    cr_assert_eq(faults(), 1);
    const struct dpl__device *side = dpl_device_side(device, 0)->runtime;
    cr_assert_eq(atomic_load(&side->n_losses), 1);
}

Test(device, is_not_lost_with_a_side_that_was_lost_before_it_was_declared_not_vital)
{
    lost_at_open = "W.s";
    not_vital = 1;
    struct dpl_device *device = &open_ok(&pair)->self;
    cr_assert_not(dpl_device_is_lost(device));
    cr_assert_eq(halt(), 0);
    cr_assert_eq(faults(), 0, "the same as when it is lost later");
    const struct dpl__device *side = dpl_device_side(device, 1)->runtime;
    cr_assert_eq(atomic_load(&side->n_losses), 1);
    dpl_device_found(dpl_device_side(device, 1));
    cr_assert_eq(halt(), 0);
}

Test(device, has_no_side_beyond_those_of_its_driver)
{
    struct dpl_device *device = &open_ok(&pair)->self;
    cr_assert_null(dpl_device_side(device, 2));
}

Test(device, draws_its_seed_from_the_run_and_its_name)
{
    struct dpl_device *device = &open_ok(&pair)->self;
    uint64_t first = dpl_device_seed(dpl_device_side(device, 0));
    cr_assert_neq(first, dpl_device_seed(dpl_device_side(device, 1)));
    runtime.options.seed = 2;
    cr_assert_neq(first, dpl_device_seed(dpl_device_side(device, 0)));
    runtime.options.seed = 1;
    cr_assert_eq(first, dpl_device_seed(dpl_device_side(device, 0)));
}

Test(device, says_so_when_there_is_no_world_to_link_to)
{
    struct dpl_device *device = &open_ok(&single)->self;
    const struct dpl_link_config config = {.part = "kobuki", .place = {"a.xml", 3, 1}};
    struct dpl_link *link = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_device_open_link(device, &config, &link, &diag), -ENOTSUP);
    cr_assert_not_null(strstr(diag.text, "'kobuki'"));
    cr_assert_eq(diag.place.line, 3);
}

Test(device, shares_one_zeroed_block_with_all_who_ask_for_its_key)
{
    struct dpl__device *one = open_ok(&single);
    struct dpl__device *other = open_ok(&pair);
    unsigned char *block = dpl_device_share(&one->self, "wires", 64);
    cr_assert_not_null(block);
    for (size_t i = 0; i < 64; i++) {
        cr_assert_eq(block[i], 0);
    }
    cr_assert_eq(dpl_device_share(&other->self, "wires", 64), block);
    cr_assert_neq(dpl_device_share(&other->self, "wire", 64), block);
    dpl__device_close(one);
    cr_assert_eq(dpl_device_share(&other->self, "wires", 64), block);
    dpl__device_close(other);
}

Test(device, refuses_a_shared_block_of_another_size)
{
    struct dpl__device *device = open_ok(&single);
    cr_assert_not_null(dpl_device_share(&device->self, "wires", 64));
    cr_assert_null(dpl_device_share(&device->self, "wires", 65));
    cr_assert_not_null(dpl_device_share(&device->self, "nothing", 0));
    dpl__device_close(device);
}
