/* SPDX-License-Identifier: Apache-2.0 */
/* The emulated devices, their names and options: see device_list.h. */
#include "device_list.h"

#include <stdlib.h>
#include <string.h>

/* One line for each. */
extern const struct emulated_device emulated_kobuki, emulated_urg, emulated_firmata,
    emulated_cia402, emulated_imu, emulated_range;

const struct emulated_device *const emulated_devices[] = {
    &emulated_kobuki, &emulated_urg, &emulated_firmata, &emulated_cia402, &emulated_imu,
    &emulated_range,  NULL,
};

enum { DEVICES_MAX = 64 };

static size_t count(void)
{
    size_t n = 0;
    while (n < DEVICES_MAX && emulated_devices[n]) {
        n++;
    }
    return n;
}

const struct option_set *devices_set(size_t i)
{
    return i < count() ? &emulated_devices[i]->set : NULL;
}

static void *copy_defaults(const struct option_set *set)
{
    void *values = malloc(set->size + 1); /* a device without options has an address too */
    if (values && set->size > 0) {
        memcpy(values, set->defaults, set->size);
    }
    return values;
}

void **devices_create_values(void)
{
    void **values = calloc(count() + 1, sizeof *values);
    for (size_t i = 0; values && i < count(); i++) {
        values[i] = copy_defaults(&emulated_devices[i]->set);
        if (!values[i]) {
            devices_destroy_values(values);
            return NULL;
        }
    }
    return values;
}

void devices_destroy_values(void **values)
{
    for (size_t i = 0; values && i < count(); i++) {
        free(values[i]);
    }
    free(values);
}

int devices_find(const char *name)
{
    const char *names[DEVICES_MAX] = {0};
    size_t n = count();
    for (size_t i = 0; i < n; i++) {
        names[i] = emulated_devices[i]->set.name;
        if (strcmp(name, names[i]) == 0) {
            return (int)i;
        }
    }
    const char *near = dpl_nearest(name, names, n);
    fprintf(stderr, "doppel emulate: unknown device '%s', expected ", name);
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", names[i]);
    }
    fprintf(stderr, near ? ", did you mean '%s'?\n" : "\n", near);
    return -1;
}

/* An option whose value is not its default; NULL: none. */
static const struct option *changed_option(const struct option_set *set, const char *values)
{
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),
        [OPTION_STRING] = sizeof(const char *),
        [OPTION_LIST] = sizeof(struct option_list),
        [OPTION_NUMBER] = sizeof(double),
        [OPTION_COUNT] = sizeof(uint64_t),
    };
    const char *defaults = set->defaults;
    for (size_t i = 0; i < set->n_options; i++) {
        const struct option *option = &set->options[i];
        if (memcmp(values + option->offset, defaults + option->offset, sizes[option->type]) != 0) {
            return option;
        }
    }
    return NULL;
}

bool devices_refuse_foreign(int device, void *const *values)
{
    for (size_t i = 0; i < count(); i++) {
        const struct option_set *set = &emulated_devices[i]->set;
        const struct option *option = (int)i == device ? NULL : changed_option(set, values[i]);
        if (option) {
            fprintf(stderr, "doppel emulate %s: --%s is of %s\n",
                    emulated_devices[device]->set.name, option->name, set->name);
            return true;
        }
    }
    return false;
}
