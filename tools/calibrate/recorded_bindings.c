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
#include <doppel/host/app.h>

#include "app_values.h"
#include "bag.h"

#define PATH_BYTES 4096
#define TOLERANCE  2e-6 /* bindings have six digits */

static json_t *read_record(const char *path)
{
    char file[PATH_BYTES];
    struct stat info;
    const char *slash = strrchr(path, '/');
    int folder_bytes = (int)strlen(path);
    struct bag bag;
    if (bag_is(path) && bag_open(path, &bag, NULL) == 0) {
        json_t *record = bag_record(&bag, NULL);
        bag_close(&bag);
        return record;
    }
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

/* ---- warnings ---- */

enum part {
    PART_LOCALIZER,
    PART_PLAN, /* its device */
    PART_LASER,
    PART_WHEELS,
    N_PARTS,
};

/* What a property of the recorded run has to do with the result. */
static const struct matter {
    enum part part;
    const char *name, *effect;
} matters[] = {
    {PART_LOCALIZER, "ScanTime",
     "beams are placed along the robot's way by it: a wrong one shifts the delay of scans and the "
     "laser's mount"},
    {PART_PLAN, "World", "scans are compared with the plan of this world"},
    {PART_LASER, "StampSource", "the delay of scans is that of the recorded stamps"},
    {PART_LASER, "DelayMs", "the delay of scans is that of the recording"},
    {PART_WHEELS, "StampSource",
     "the delay of scans and the latency of the drive are those of the recorded stamps"},
    {PART_WHEELS, "WheelDiameter",
     "the scales of the wheels are those of the recorded diameter: with another one they are wrong "
     "by the ratio of the two"},
    {PART_WHEELS, "TickRad",
     "the scales of the wheels are those of the recorded angle: with another one they are wrong by "
     "the ratio of the two"},
    {PART_WHEELS, "MaximumVelocity", "the fit of the drive limits the recorded commands by it"},
    {PART_WHEELS, "MaximumAngularVelocity",
     "the fit of the drive limits the recorded commands by it"},
    {PART_WHEELS, "Acceleration", "the fit of the drive starts from it"},
};

/* A component, or the device that its measurements come from: over HIL the hardware. */
struct block {
    const char *component, *side;
    const char *driver; /* NULL: of a component */
    const struct dpl_field *fields;
    size_t n;
    const void *values;
    const json_t *recorded; /* NULL: the record has none */
};

static struct block block_of_component(const struct dpl_app_component *component,
                                       const json_t *record)
{
    const struct dpl_component_class *class = component->class_;
    return (struct block){
        .component = component->name,
        .side = "",
        .fields = class->properties,
        .n = class->n_properties,
        .values = component->properties,
        .recorded = find_named(json_object_get(record, "components"), component->name),
    };
}

static const json_t *recorded_device(const json_t *component)
{
    const json_t *device = json_object_get(component, "device");
    const json_t *sides = json_object_get(device, "sides");
    for (size_t i = 0; i < json_array_size(sides); i++) {
        const json_t *side = json_array_get(sides, i);
        const char *name = json_string_value(json_object_get(side, "side"));
        if (name && strcmp(name, "hardware") == 0) {
            return side;
        }
    }
    return device;
}

static struct block block_of_device(const struct dpl_app_component *component, const json_t *record)
{
    const struct dpl_app_device *device = component->device;
    const json_t *recorded = find_named(json_object_get(record, "components"), component->name);
    if (!device) {
        return (struct block){.component = component->name};
    }
    bool is_side =
        device->driver->n_sides > 0 && strcmp(device->driver->sides[0].name, "hardware") == 0;
    device = is_side ? &device->sides[0] : device;
    return (struct block){
        .component = component->name,
        .side = is_side ? "hardware." : "",
        .driver = device->driver->name,
        .fields = device->driver->properties,
        .n = device->driver->n_properties,
        .values = device->properties,
        .recorded = recorded_device(recorded),
    };
}

/* As texts, or as numbers in the unit of the field. */
static bool is_same(const struct dpl_field *field, const char *text, const char *recorded,
                    const char *recorded_unit)
{
    char *text_end, *recorded_end;
    double value = strtod(text, &text_end), was = strtod(recorded, &recorded_end);
    if (text_end == text || recorded_end == recorded || *text_end || *recorded_end) {
        return strcmp(text, recorded) == 0;
    }
    if (field->unit && recorded_unit) {
        (void)dpl_unit_convert(was, recorded_unit, field->unit, &was);
    }
    return fabs(value - was) <= TOLERANCE * fmax(fabs(value), fabs(was));
}

static void compare_property(const struct block *block, const struct matter *matter,
                             const char *path, struct dpl_diags *diags)
{
    char text[PATH_BYTES];
    const struct dpl_field *field =
        block->n > 0 ? dpl_field_find(block->fields, block->n, matter->name) : NULL;
    const json_t *found =
        json_object_get(json_object_get(block->recorded, "properties"), matter->name);
    const char *recorded = json_string_value(json_object_get(found, "value"));
    const char *unit = json_string_value(json_object_get(found, "unit"));
    if (!field || !recorded) {
        return;
    }
    dpl_field_format(field, block->values, text, sizeof text);
    if (is_same(field, text, recorded, unit)) {
        return;
    }
    dpl_diags_add(diags, DPL_SEVERITY_WARNING, (struct dpl_place){.file = path},
                  "it was made with %s.%s%s = '%s'%s%s, the bindings given here have '%s'%s%s: %s",
                  block->component, block->side, matter->name, recorded, unit ? " " : "",
                  unit ? unit : "", text, field->unit ? " " : "", field->unit ? field->unit : "",
                  matter->effect);
}

static void compare_driver(const struct block *block, const char *path, struct dpl_diags *diags)
{
    const char *recorded = json_string_value(json_object_get(block->recorded, "driver"));
    if (recorded && block->driver && strcmp(recorded, block->driver) != 0) {
        dpl_diags_add(diags, DPL_SEVERITY_WARNING, (struct dpl_place){.file = path},
                      "it was made with the driver '%s' of %s.%s, the bindings given here have "
                      "'%s': what is found is of the recorded device",
                      recorded, block->component, block->side[0] ? "hardware" : "device",
                      block->driver);
    }
}

static const struct dpl_app_component *find_component(const struct dpl_app *app, const char *name)
{
    for (size_t i = 0; i < app->n_components; i++) {
        if (strcmp(app->components[i].name, name) == 0) {
            return &app->components[i];
        }
    }
    return NULL;
}

void recorded_bindings_warn(const char *path, const struct dpl_app *app,
                            const struct calibration_target *target, struct dpl_diags *diags)
{
    json_t *record = read_record(path);
    const struct dpl_app_component *localizer = find_component(app, target->localizer);
    const struct dpl_app_component *wheels = find_component(app, target->wheels);
    const struct dpl_app_component *laser =
        localizer ? app_connected(app, localizer, "scan") : NULL;
    if (record && localizer && wheels && laser) {
        const struct block blocks[N_PARTS] = {
            [PART_LOCALIZER] = block_of_component(localizer, record),
            [PART_PLAN] = block_of_device(localizer, record),
            [PART_LASER] = block_of_device(laser, record),
            [PART_WHEELS] = block_of_device(wheels, record),
        };
        for (int i = 0; i < N_PARTS; i++) {
            compare_driver(&blocks[i], path, diags);
        }
        for (size_t i = 0; i < sizeof matters / sizeof *matters; i++) {
            compare_property(&blocks[matters[i].part], &matters[i], path, diags);
        }
    }
    json_decref(record);
}
