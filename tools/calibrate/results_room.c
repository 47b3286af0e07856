/* SPDX-License-Identifier: Apache-2.0 */
/* See results_room.h. */
#include "results_room.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include <doppel/component.h>
#include <doppel/host/app.h>

#define VALUE_BYTES 14.0 /* of a value in a row of a trace, as measured */
#define OTHER_BYTES 1e6  /* of all files but the trace */
#define PATH_BYTES  4096

static size_t count_traced(const struct dpl_field *exports, size_t n)
{
    size_t traced = 0;
    for (size_t i = 0; i < n; i++) {
        traced += (exports[i].flags & DPL_FIELD_TRACE) != 0;
    }
    return traced;
}

static size_t count_columns(const struct dpl_app_device *device)
{
    size_t n = count_traced(device->driver->exports, device->driver->n_exports);
    for (size_t i = 0; i < device->driver->n_sides; i++) {
        n += count_columns(&device->sides[i]);
    }
    return n;
}

double results_room_of_run(const struct dpl_app *app, double duration_s)
{
    double period_s = (double)INFINITY;
    size_t columns = 1;
    for (size_t i = 0; i < app->n_components; i++) {
        const struct dpl_app_component *component = &app->components[i];
        size_t own = count_traced(component->class_->exports, component->class_->n_exports);
        own += component->device ? count_columns(component->device) : 0;
        columns += own;
        if (own > 0 && component->execution.period > 0) {
            period_s = fmin(period_s, dpl_ns_to_s(component->execution.period));
        }
    }
    return OTHER_BYTES + VALUE_BYTES * (double)columns * duration_s / period_s;
}

int results_room_check(const char *what, const char *path, double bytes, struct dpl_diag *reterr)
{
    char folder[PATH_BYTES];
    struct statvfs disk;
    const char *slash = strrchr(path, '/');
    int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    snprintf(folder, sizeof folder, "%.*s", length, path);
    if (statvfs(path, &disk) < 0 && statvfs(length > 0 ? folder : ".", &disk) < 0) {
        return 0;
    }
    double free_bytes = (double)disk.f_bavail * (double)disk.f_frsize;
    if (disk.f_blocks == 0 || free_bytes >= bytes) { /* a file system of no disk has no blocks */
        return 0;
    }
    return dpl_fail(reterr, -ENOSPC, (struct dpl_place){0},
                    "%s: %.300s: about %.1f MB are needed there, %.1f MB are free: without them "
                    "what the drive shows would be lost",
                    what, path, bytes / 1e6, free_bytes / 1e6);
}
