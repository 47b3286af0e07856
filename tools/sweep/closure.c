/* SPDX-License-Identifier: Apache-2.0 */
#include "closure.h"

#include <stdbool.h>
#include <stdlib.h>

#include <doppel/device.h>
#include <doppel/host/app.h>
#include <doppel/math/hash.h>

#include "file_bytes.h"

#define FILE_MOST (256u << 20)

static void see(void *user, const char *bytes, size_t n)
{
    struct closure *closure = user;
    uint64_t hash = dpl_hash_more(DPL_HASH_NONE, bytes, n);
    for (size_t i = 0; i < closure->n; i++) {
        if (closure->hashes[i] == hash) {
            return;
        }
    }
    if (closure->n == closure->capacity) {
        size_t larger = closure->capacity * 2 + 64;
        uint64_t *hashes = realloc(closure->hashes, larger * sizeof *hashes);
        if (!hashes) {
            return;
        }
        closure->hashes = hashes;
        closure->capacity = larger;
    }
    closure->hashes[closure->n++] = hash;
}

/* Reading is enough: it is seen. */
static void take_file(const char *file)
{
    char *bytes = NULL;
    size_t n;
    int opened;
    if (file && *file && dpl_file_bytes(file, FILE_MOST, &bytes, &n, &opened) == 0) {
        free(bytes);
    }
}

static void take_fields(const struct dpl_field *fields, size_t n, const void *base)
{
    for (size_t i = 0; i < n; i++) {
        if ((fields[i].flags & DPL_FIELD_FILE) != 0) {
            take_file((const char *)base + fields[i].offset);
        }
    }
}

static void take_device(const struct dpl_app_device *device)
{
    if (device && device->driver) {
        take_fields(device->driver->properties, device->driver->n_properties, device->properties);
        for (size_t i = 0; i < device->driver->n_sides; i++) {
            take_device(&device->sides[i]);
        }
    }
}

static void take_app(const struct dpl_app *app)
{
    take_file(app->world);
    for (size_t i = 0; i < app->n_components; i++) {
        const struct dpl_app_component *component = &app->components[i];
        take_file(dpl_catalog_class_file(app->catalog, component->class_));
        take_fields(component->class_->properties, component->class_->n_properties,
                    component->properties);
        take_device(component->device);
    }
}

void closure_begin(struct closure *closure)
{
    *closure = (struct closure){0};
    dpl_file_bytes_watch(see, closure);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t closure_end(struct closure *closure, const struct dpl_app *app)
{
    take_file("/proc/self/exe");
    if (app) {
        take_app(app);
    }
    dpl_file_bytes_watch(NULL, NULL);
    uint64_t hash = DPL_HASH_NONE;
    if (closure->n > 0) {
        qsort(closure->hashes, closure->n, sizeof *closure->hashes, compare);
        hash = dpl_hash_more(hash, closure->hashes, closure->n * sizeof *closure->hashes);
    }
    free(closure->hashes);
    return hash;
}
