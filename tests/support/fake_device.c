/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_device.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#define SHARED_MAX 8

static struct fake_device *fake_of(const struct dpl_device *device)
{
    cr_assert_not_null(device->runtime, "no device of fake_device_begin");
    return device->runtime;
}

/* ---- what the runtime knows ---- */

struct dpl_device *dpl_device_side(struct dpl_device *device, size_t index)
{
    return NULL;
}

void dpl_device_set_side_vital(struct dpl_device *device, size_t index, bool vital)
{
}

dpl_ns dpl_device_now(const struct dpl_device *device)
{
    const struct fake_device *fake = fake_of(device);
    return fake->clock ? fake->clock() : fake->now;
}

uint64_t dpl_device_seed(const struct dpl_device *device)
{
    return fake_of(device)->seed;
}

bool dpl_device_clock_is_simulated(const struct dpl_device *device)
{
    return fake_of(device)->is_simulated;
}

bool dpl_device_is_commanded(const struct dpl_device *device)
{
    return !fake_of(device)->is_late;
}

bool dpl_device_is_halted(const struct dpl_device *device)
{
    return fake_of(device)->is_halted;
}

int dpl_device_open_link(struct dpl_device *device, const struct dpl_link_config *config,
                         struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    const struct fake_device *fake = fake_of(device);
    cr_assert(fake->open_link, "no world");
    return fake->open_link(device, config, ret_link, reterr);
}

/* Until the end of the program, as that of the runtime is until the end of the run. */
void *dpl_device_share(struct dpl_device *device, const char *key, size_t size)
{
    static struct {
        char key[64];
        void *block;
    } shared[SHARED_MAX];
    size_t i = 0;
    while (i < SHARED_MAX && shared[i].block && strcmp(shared[i].key, key) != 0) {
        i++;
    }
    cr_assert(i < SHARED_MAX && strlen(key) < sizeof shared[i].key, "%s", key);
    if (!shared[i].block) {
        strcpy(shared[i].key, key);
        shared[i].block = calloc(1, size);
    }
    return shared[i].block;
}

/* ---- what the driver says ---- */

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
    struct fake_device *fake = fake_of(device);
    va_list args;
    va_start(args, format);
    vsnprintf(fake->newest_why, sizeof fake->newest_why, format, args);
    va_end(args);
    if (!fake->is_lost) {
        memcpy(fake->why, fake->newest_why, sizeof fake->why);
        fake->n_lost++;
    }
    fake->is_lost = true;
}

void dpl_device_found(struct dpl_device *device)
{
    struct fake_device *fake = fake_of(device);
    fake->n_answers++;
    fake->n_found += fake->is_lost;
    fake->is_lost = false;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    return fake_of(device)->is_lost;
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
    struct fake_device *fake = fake_of(device);
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    size_t used = strlen(fake->log);
    snprintf(fake->log + used, sizeof fake->log - used, "%s\n", line);
    fake->n_logged++;
}

/* ---- for the test ---- */

void fake_device_begin(struct fake_device *fake, const struct dpl_driver *driver)
{
    *fake = (struct fake_device){
        .device = {.name = "device", .driver = driver, .runtime = fake},
        .seed = 1,
    };
    if (driver) {
        void *properties = calloc(1, driver->properties_size + 1);
        void *state = calloc(1, driver->state_size + 1);
        cr_assert(properties && state);
        dpl_fields_set_defaults(driver->properties, driver->n_properties, properties);
        fake->device.name = driver->name;
        fake->device.properties = properties;
        fake->device.state = state;
    }
}

void fake_device_end(struct fake_device *fake)
{
    fake_device_close(fake);
    if (fake->device.driver) {
        free((void *)(uintptr_t)fake->device.properties);
        free(fake->device.state);
    }
    fake->device = (struct dpl_device){.name = NULL};
}

void fake_device_set(struct fake_device *fake, const char *name, const char *text)
{
    const struct dpl_driver *driver = fake->device.driver;
    const struct dpl_field *field = dpl_field_find(driver->properties, driver->n_properties, name);
    struct dpl_field_text value = {.text = text};
    struct dpl_diag error = {.text = ""};
    cr_assert_not_null(field, "%s", name);
    int err = dpl_field_parse(field, &value, (void *)(uintptr_t)fake->device.properties, &error);
    cr_assert_eq(err, 0, "%s", error.text);
}

void fake_device_open(struct fake_device *fake)
{
    struct dpl_diag error = {.text = ""};
    cr_assert_eq(fake->device.driver->open(&fake->device, &error), 0, "%s", error.text);
    fake->is_open = true;
}

void fake_device_refuses(struct fake_device *fake, int err, const char *expected)
{
    struct dpl_diag error = {.text = ""};
    int got = fake->device.driver->open(&fake->device, &error);
    cr_assert_eq(got, err, "%d: %s", got, error.text);
    cr_assert_not_null(strstr(error.text, expected), "'%s', not '%s'", error.text, expected);
}

void fake_device_close(struct fake_device *fake)
{
    if (fake->is_open) {
        fake->device.driver->close(&fake->device);
    }
    fake->is_open = false;
}

double fake_device_export(const struct fake_device *fake, const char *name)
{
    const struct dpl_driver *driver = fake->device.driver;
    const struct dpl_field *field = dpl_field_find(driver->exports, driver->n_exports, name);
    cr_assert_not_null(field, "%s", name);
    return dpl_field_number(field, fake->device.state);
}
