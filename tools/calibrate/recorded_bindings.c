/* SPDX-License-Identifier: Apache-2.0 */
/* See recorded_bindings.h. */
#include "recorded_bindings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jansson.h>

#include <doppel/field.h>

#define PATH_BYTES 4096
#define TOLERANCE  2e-6 /* bindings have six digits */

static json_t *read_record(const char *path)
{
    char file[PATH_BYTES];
    struct stat info;
    const char *slash = strrchr(path, '/');
    int folder_bytes = (int)strlen(path);
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        folder_bytes = slash ? (int)(slash - path) : 0;
    }
    int n = snprintf(file, sizeof file, "%.*s%srun.json", folder_bytes, path,
                     folder_bytes > 0 ? "/" : "");
    return n > 0 && (size_t)n < sizeof file ? json_load_file(file, 0, NULL) : NULL;
}

static const char *name_of(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    return name ? name : "";
}

static const json_t *find_named(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (strcmp(name_of(entry), name) == 0) {
            return entry;
        }
    }
    return NULL;
}

/* The value and unit of a property of the component, or of its device on that side. */
static const json_t *find_property(const json_t *record, const struct calibration_property *wanted)
{
    char side[256];
    const json_t *component = find_named(json_object_get(record, "components"), wanted->component);
    const json_t *device = json_object_get(component, "device");
    if (wanted->side[0] != '\0') {
        snprintf(side, sizeof side, "%s.%s", wanted->component, wanted->side);
        side[strlen(side) - 1] = '\0'; /* a dot */
        device = find_named(json_object_get(device, "sides"), side);
    }
    const json_t *found = json_object_get(json_object_get(device, "properties"), wanted->name);
    return found || wanted->side[0] != '\0'
               ? found
               : json_object_get(json_object_get(component, "properties"), wanted->name);
}

static int compare(const json_t *record, const char *path,
                   const struct calibration_property *wanted, const char *unit,
                   struct dpl_diag *reterr)
{
    const json_t *found = find_property(record, wanted);
    const char *text = json_string_value(json_object_get(found, "value"));
    const char *recorded_unit = json_string_value(json_object_get(found, "unit"));
    double value = text ? strtod(text, NULL) : wanted->value;
    if (unit && recorded_unit && dpl_unit_convert(value, recorded_unit, unit, &value) < 0) {
        return 0;
    }
    if (fabs(value - wanted->value) <= TOLERANCE * fmax(1.0, fabs(value))) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = path},
                    "it was made with %s.%s%s = %.6g%s%s, the bindings given here have %.6g: give "
                    "those of the recorded run",
                    wanted->component, wanted->side, wanted->name, value, unit ? " " : "",
                    unit ? unit : "", wanted->value);
}

int recorded_bindings_check(const char *path, const struct calibration_target *target,
                            struct dpl_diag *reterr)
{
    json_t *record = read_record(path);
    const struct calibration_property axle = {target->wheels,
                                              target->values[CALIBRATION_SCALE_LEFT].side,
                                              "AxleDistance", target->drive.axle_m};
    int err = record ? compare(record, path, &axle, "m", reterr) : 0;
    for (int i = 0; i < CALIBRATION_N_PARAMETERS && record && err == 0; i++) {
        const struct calibration_property *property = &target->values[i];
        if (property->name && !calibration_rows[i].is_absolute) {
            err = compare(record, path, property, calibration_rows[i].unit, reterr);
        }
    }
    json_decref(record);
    return err;
}
