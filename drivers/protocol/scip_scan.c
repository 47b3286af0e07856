/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP geometry: PP keys, models, angles. */
#include <doppel/protocol/scip_scan.h>

#include <doppel/math/geometry.h>
#include <errno.h>
#include <math.h>
#include <string.h>

struct key_row {
    const char *key;
    size_t offset;
};

static const struct key_row keys[] = {
    {"DMIN:", offsetof(struct dpl_scip_geometry, range_min_mm)},
    {"DMAX:", offsetof(struct dpl_scip_geometry, range_max_mm)},
    {"ARES:", offsetof(struct dpl_scip_geometry, steps_per_turn)},
    {"AMIN:", offsetof(struct dpl_scip_geometry, first_step)},
    {"AMAX:", offsetof(struct dpl_scip_geometry, end_step)},
    {"AFRT:", offsetof(struct dpl_scip_geometry, front_step)},
    {"SCAN:", offsetof(struct dpl_scip_geometry, rpm)},
};

static const struct dpl_scip_geometry models[] = {
    {
        .model = "URG-04LX",
        .range_min_mm = 20,
        .range_max_mm = 5600,
        .steps_per_turn = 1024,
        .first_step = 44,
        .end_step = 725,
        .front_step = 384,
        .rpm = 600,
        .last_step = 768,
    },
    {
        /* general knowledge */
        .model = "UTM-30LX",
        .range_min_mm = 23,
        .range_max_mm = 60000,
        .steps_per_turn = 1440,
        .first_step = 0,
        .end_step = 1080,
        .front_step = 540,
        .rpm = 2400,
        .last_step = 1080,
    },
    {
        /* general knowledge */
        .model = "UST-10LX",
        .range_min_mm = 20,
        .range_max_mm = 30000,
        .steps_per_turn = 1440,
        .first_step = 0,
        .end_step = 1080,
        .front_step = 540,
        .rpm = 2400,
        .last_step = 1080,
    },
};

static bool read_number(const char *text, uint32_t *ret_value)
{
    uint32_t value = 0;
    size_t digits = 0;
    for (; text[digits] != '\0'; digits++) {
        if (text[digits] < '0' || text[digits] > '9' || digits == 9) {
            return false;
        }
        value = value * 10 + (uint32_t)(text[digits] - '0');
    }
    if (digits == 0) {
        return false;
    }
    *ret_value = value;
    return true;
}

static int read_model(struct dpl_scip_geometry *geometry, const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof geometry->model) {
        return -EBADMSG;
    }
    memcpy(geometry->model, text, length + 1);
    return 1;
}

int dpl_scip_geometry_read(struct dpl_scip_geometry *geometry, const char *line)
{
    if (strncmp(line, "MODL:", 5) == 0) {
        return read_model(geometry, line + 5);
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        uint32_t value;
        if (strncmp(line, keys[i].key, 5) != 0) {
            continue;
        }
        if (!read_number(line + 5, &value)) {
            return -EBADMSG;
        }
        memcpy((char *)geometry + keys[i].offset, &value, sizeof value);
        if (keys[i].offset == offsetof(struct dpl_scip_geometry, end_step)) {
            geometry->last_step = value;
        }
        return 1;
    }
    return 0;
}

int dpl_scip_geometry_check(const struct dpl_scip_geometry *geometry, const char **reterr_key)
{
    const struct {
        const char *key;
        bool is_good;
    } rules[] = {
        {"MODL", geometry->model[0] != '\0'},
        {"DMIN", geometry->range_min_mm < 1000000},
        {"DMAX", geometry->range_max_mm > geometry->range_min_mm},
        {"ARES", geometry->steps_per_turn > 0 && geometry->steps_per_turn <= 65535},
        {"AMAX", geometry->end_step < DPL_SCIP_MAX_STEPS},
        {"AMIN", geometry->first_step <= geometry->end_step},
        {"AFRT", geometry->front_step < DPL_SCIP_MAX_STEPS},
        {"SCAN", geometry->rpm > 0 && geometry->rpm <= 60000},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (!rules[i].is_good) {
            *reterr_key = rules[i].key;
            return -ERANGE;
        }
    }
    return 0;
}

const struct dpl_scip_geometry *dpl_scip_geometry_of(const char *model)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        if (strcmp(models[i].model, model) == 0) {
            return &models[i];
        }
    }
    return NULL;
}

double dpl_scip_step_to_rad(const struct dpl_scip_geometry *geometry, double step)
{
    return (step - geometry->front_step) * 2.0 * DPL_PI / geometry->steps_per_turn;
}

int dpl_scip_rad_to_step(const struct dpl_scip_geometry *geometry, double rad)
{
    double bounded = fabs(rad) <= 2000.0 * DPL_PI ? rad : 0.0;
    return (int)lround(bounded * geometry->steps_per_turn / (2.0 * DPL_PI)) +
           (int)geometry->front_step;
}

int64_t dpl_scip_scan_period_ns(const struct dpl_scip_geometry *geometry)
{
    return INT64_C(60000000000) / geometry->rpm;
}

int32_t dpl_scip_stamp_delta_ms(uint32_t from, uint32_t to)
{
    uint32_t later = (to - from) & 0xffffffu;
    return later < 0x800000u ? (int32_t)later : (int32_t)later - 0x1000000;
}

bool dpl_scip_is_range(const struct dpl_scip_geometry *geometry, uint32_t value)
{
    return value >= geometry->range_min_mm && value <= geometry->range_max_mm;
}
