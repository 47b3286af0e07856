/* SPDX-License-Identifier: Apache-2.0 */
/* Properties at run time: what is read whole or not at all, what reaches one side or both. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "component.h"
#include "device.h"

struct values {
    double gain;
    double fixed;
    char name[32];
};

#define GAIN(flags_, max_)                                                                         \
    {                                                                                              \
        .name = "Gain", .type = DPL_FIELD_DOUBLE, .flags = flags_,                                 \
        DPL_MEMBER(struct values, gain), .min = 0.0, .max = max_,                                  \
    }

static const struct dpl_field wide_fields[] = {
    GAIN(DPL_FIELD_LIVE, 100),
    {.name = "Fixed", .type = DPL_FIELD_DOUBLE, DPL_MEMBER(struct values, fixed)},
    {.name = "Name",
     .type = DPL_FIELD_STRING,
     .flags = DPL_FIELD_LIVE,
     DPL_MEMBER(struct values, name)},
};
static const struct dpl_field narrow_fields[] = {GAIN(DPL_FIELD_LIVE, 10)};
static const struct dpl_field stiff_fields[] = {GAIN(0, 100)};

static const struct dpl_driver wide = {
    .name = "wide", .properties = wide_fields, .n_properties = 3};
static const struct dpl_driver narrow = {
    .name = "narrow", .properties = narrow_fields, .n_properties = 1};
static const struct dpl_driver stiff = {
    .name = "stiff", .properties = stiff_fields, .n_properties = 1};
static const struct dpl_driver_side two_sides[] = {{.name = "hardware"}, {.name = "simulation"}};
static const struct dpl_driver upper = {.name = "upper", .sides = two_sides, .n_sides = 2};

static const struct dpl_component_class class = {.name = "Thing"};

static struct values values[2];
static struct dpl__device sides[2], *side_list[] = {&sides[0], &sides[1]}, device;
static struct dpl__component component;
static struct dpl_diag diag;

static void over(const struct dpl_driver *hardware, const struct dpl_driver *simulation)
{
    const struct dpl_driver *drivers[] = {hardware, simulation};
    for (size_t i = 0; i < 2; i++) {
        values[i] = (struct values){.gain = 1.0, .name = "axle"};
        sides[i].self = (struct dpl_device){.driver = drivers[i], .properties = &values[i]};
        sides[i].self.runtime = &sides[i];
    }
    device =
        (struct dpl__device){.self = {.driver = &upper, .runtime = &device}, .sides = side_list};
    component = (struct dpl__component){
        .self = {.name = "Thing", .class_ = &class, .runtime = &component}, .device = &device.self};
}

static int set(const char *name, const char *text)
{
    memset(&diag, 0, sizeof diag);
    return dpl_component_set_property(&component.self, name, text, &diag);
}

Test(parameter, reaches_both_sides_when_it_names_none)
{
    over(&wide, &narrow);
    cr_assert_eq(set("Gain", "4"), 0, "%s", diag.text);
    cr_assert_eq(values[0].gain, 4.0);
    cr_assert_eq(values[1].gain, 4.0);
}

Test(parameter, reaches_the_side_that_it_names_only)
{
    over(&wide, &narrow);
    cr_assert_eq(set("simulation.Gain", "4"), 0, "%s", diag.text);
    cr_assert_eq(values[0].gain, 1.0);
    cr_assert_eq(values[1].gain, 4.0);
    cr_assert_eq(set("simulation.Name", "wheel"), -ENOENT);
    cr_assert_eq(set("Name", "wheel"), 0, "the only side that has it: %s", diag.text);
    cr_assert_str_eq(values[0].name, "wheel");
}

Test(parameter, reaches_no_side_when_one_refuses_it)
{
    over(&wide, &narrow);
    cr_assert_eq(set("Gain", "50"), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "0..10"), "%s", diag.text);
    cr_assert_eq(values[0].gain, 1.0);
    over(&wide, &stiff);
    cr_assert_eq(set("Gain", "4"), -EPERM);
    cr_assert_eq(values[0].gain, 1.0);
    cr_assert_eq(set("Fixed", "4"), -EPERM);
    cr_assert_eq(set("Nonsense", "4"), -ENOENT);
    cr_assert_eq(set("Gain", NULL), -ENOENT);
    cr_assert_eq(set(NULL, "4"), -ENOENT);
}

Test(parameter, is_read_whole_or_not_at_all)
{
    char text[8] = "before";
    over(&wide, &narrow);
    cr_assert_eq(dpl_component_get_property(&component.self, "Name", text, 4), -ENOSPC);
    cr_assert_str_eq(text, "before");
    cr_assert_eq(dpl_component_get_property(&component.self, "Name", text, 0), -ENOSPC);
    cr_assert_eq(dpl_component_get_property(&component.self, "Name", text, 5), 0);
    cr_assert_str_eq(text, "axle");
    values[1].gain = 0.125;
    cr_assert_eq(dpl_component_get_property(&component.self, "Gain", text, sizeof text), 0);
    cr_assert_str_eq(text, "1", "the first side's");
    cr_assert_eq(dpl_component_get_property(&component.self, "simulation.Gain", text, sizeof text),
                 0);
    cr_assert_str_eq(text, "0.125");
    cr_assert_eq(dpl_component_get_property(&component.self, "Nonsense", text, sizeof text),
                 -ENOENT);
}
