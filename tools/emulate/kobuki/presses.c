/* SPDX-License-Identifier: Apache-2.0 */
/* Presses by name and time. */
#include "presses.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "faults.h"

static const struct part {
    const char *name;
    size_t offset; /* of the bits in struct kobuki_sensors */
    uint8_t bit;
} parts[] = {
    {"bumper_left", offsetof(struct kobuki_sensors, bumper), DPL_KOBUKI_LEFT},
    {"bumper_centre", offsetof(struct kobuki_sensors, bumper), DPL_KOBUKI_CENTRE},
    {"bumper_right", offsetof(struct kobuki_sensors, bumper), DPL_KOBUKI_RIGHT},
    {"cliff_left", offsetof(struct kobuki_sensors, cliff), DPL_KOBUKI_LEFT},
    {"cliff_centre", offsetof(struct kobuki_sensors, cliff), DPL_KOBUKI_CENTRE},
    {"cliff_right", offsetof(struct kobuki_sensors, cliff), DPL_KOBUKI_RIGHT},
    {"wheel_drop_left", offsetof(struct kobuki_sensors, wheel_drop), DPL_KOBUKI_DROP_LEFT},
    {"wheel_drop_right", offsetof(struct kobuki_sensors, wheel_drop), DPL_KOBUKI_DROP_RIGHT},
    {"button0", offsetof(struct kobuki_sensors, buttons), 1},
    {"button1", offsetof(struct kobuki_sensors, buttons), 2},
    {"button2", offsetof(struct kobuki_sensors, buttons), 4},
};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

static int find_part(const char *name, size_t length)
{
    for (int i = 0; i < N_PARTS; i++) {
        if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

static int unknown_part(const char *text, size_t length, struct dpl_diag *reterr)
{
    char names[256] = "";
    for (int i = 0; i < N_PARTS; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", parts[i].name);
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "--press: found '%.*s', expected %s",
                    (int)(length < 40 ? length : 40), text, names);
}

int presses_add(struct presses *presses, const char *text, struct dpl_diag *reterr)
{
    size_t length = strcspn(text, ",");
    int part = find_part(text, length);
    if (part < 0) {
        return unknown_part(text, length, reterr);
    }
    if (presses->n == PRESSES_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "--press: given more than %d times",
                        PRESSES_MAX);
    }
    struct faults_windows window = {.n = 0};
    window.items[0].to = INT64_MAX;
    if (text[length] == ',') {
        int err = faults_add_window(&window, "press", text + length + 1, reterr);
        if (err < 0) {
            return err;
        }
    }
    presses->items[presses->n].part = (size_t)part;
    presses->items[presses->n].from = window.items[0].from;
    presses->items[presses->n].to = window.items[0].to;
    presses->n++;
    return 0;
}

void presses_apply(const struct presses *presses, dpl_ns now, struct kobuki_sensors *sensors)
{
    for (size_t i = 0; i < presses->n; i++) {
        if (now >= presses->items[i].from && now < presses->items[i].to) {
            const struct part *part = &parts[presses->items[i].part];
            *((uint8_t *)sensors + part->offset) |= part->bit;
        }
    }
}
