/* SPDX-License-Identifier: Apache-2.0 */
/* Applications that a test loads, and what they say of a component and of a device. */
#ifndef TEST_PROFILE_APP_FIXTURE_H
#define TEST_PROFILE_APP_FIXTURE_H

#include "fixture.h"

static inline const struct dpl_app_component *component(const char *name)
{
    for (size_t i = 0; i < fixture.app->n_components; i++) {
        if (strcmp(fixture.app->components[i].name, name) == 0) {
            return &fixture.app->components[i];
        }
    }
    cr_assert_fail("no component %s", name);
    return NULL;
}

static inline double class_number(const char *name, const char *property)
{
    const struct dpl_app_component *c = component(name);
    const struct dpl_field *field =
        dpl_field_find(c->class_->properties, c->class_->n_properties, property);
    cr_assert_not_null(field, "%s", property);
    return dpl_field_number(field, c->properties);
}

static inline double device_number(const struct dpl_app_device *device, const char *property)
{
    const struct dpl_driver *driver = device->driver;
    const struct dpl_field *field =
        dpl_field_find(driver->properties, driver->n_properties, property);
    cr_assert_not_null(field, "%s", property);
    return dpl_field_number(field, device->properties);
}

static inline void assert_text(const struct dpl_field *fields, size_t n, const void *base,
                               const char *property, const char *expected)
{
    char text[64];
    dpl_field_format(dpl_field_find(fields, n, property), base, text, sizeof(text));
    cr_assert_str_eq(text, expected);
}

static inline void load_clean(const char *file, const char *binding, const char *set)
{
    int error = load(file, binding, set);
    print_diags();
    cr_assert_eq(error, 0);
    cr_assert_eq(fixture.diags.n, 0);
}

#endif
