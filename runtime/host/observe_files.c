/* SPDX-License-Identifier: Apache-2.0 */
#include "observe_files.h"

#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "run_record.h"
#include "runtime.h"

#define FILES_MAX 512
#define FILE_MOST ((size_t)16 << 20)

struct names {
    const char *items[FILES_MAX]; /* of the app: it outlives them */
    size_t n;
};

static void add(struct names *names, const char *file)
{
    for (size_t i = 0; i < names->n; i++) {
        if (!file || strcmp(names->items[i], file) == 0) {
            return;
        }
    }
    if (file && names->n < FILES_MAX) {
        names->items[names->n++] = file;
    }
}

static void add_device(struct names *names, const struct dpl_app_device *device)
{
    if (device) {
        add(names, device->place.file);
        for (size_t i = 0; i < device->driver->n_sides; i++) {
            add_device(names, &device->sides[i]);
        }
    }
}

/* The profile, its composites, its bindings and the world: all that places of the app name. */
static void find(struct names *names, const struct dpl_app *app)
{
    add(names, app->file);
    add(names, app->world);
    for (size_t i = 0; i < app->n_components; i++) {
        add(names, app->components[i].place.file);
        add_device(names, app->components[i].device);
    }
    for (size_t i = 0; i < app->n_connections; i++) {
        add(names, app->connections[i].place.file);
    }
    for (size_t i = 0; i < app->n_world_properties; i++) {
        add(names, app->world_properties[i].place.file);
    }
}

/* The last parts of the path, as many as needed that no other file ends so: "apps/NAME.xml". */
static const char *name_of(const struct names *names, size_t i)
{
    const char *whole = names->items[i], *at = whole + strlen(whole);
    for (size_t parts = 0, same = 1; at > whole && (parts < 2 || same > 1);) {
        for (at--; at > whole && at[-1] != '/'; at--) {
        }
        parts++;
        same = 0;
        for (size_t k = 0; k < names->n; k++) {
            size_t n = strlen(names->items[k]), tail = strlen(at);
            same += n >= tail && strcmp(names->items[k] + n - tail, at) == 0;
        }
    }
    return at + (*at == '/');
}

void dpl__observe_files(const struct dpl_runtime *runtime,
                        void (*keep)(void *self, const struct dpl_kept_file *file), void *self)
{
    char *record = dpl__run_record_text(runtime);
    if (record) {
        keep(self, &(struct dpl_kept_file){"run.json", "application/json", record, strlen(record)});
    }
    free(record);
    struct names names = {.n = 0};
    find(&names, runtime->app);
    for (size_t i = 0; i < names.n; i++) {
        char *bytes;
        size_t n;
        int opened;
        if (dpl_file_bytes(names.items[i], FILE_MOST, &bytes, &n, &opened) == 0) {
            keep(self, &(struct dpl_kept_file){name_of(&names, i), "application/xml", bytes, n});
            free(bytes);
        }
    }
}
