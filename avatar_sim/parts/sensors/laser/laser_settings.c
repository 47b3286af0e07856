/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a laser scanner in a robot's model, and what a world's <robot> changes of them. */
#include <errno.h>
#include <math.h>

#include <doppel/math/number_rows.h>

#include "element.h"
#include "laser_state.h"
#include "model_checks.h"

static const struct dpl_place nowhere;

enum { ELEVATIONS_SIZE = 1024 };

struct laser_settings {
    struct dpl_sim_laser laser; /* first: what others read */
    int64_t steps, first, last, front, layers;
    double scan_time_ms, lowest, highest;
    char elevations[ELEVATIONS_SIZE];
};

/* The numbers of a text; below 0: it has others, too many, or a line above. */
static int read_elevations(const char *text, double *ret_deg)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    int n = 0;
    dpl_rows_skip_blanks(&rows);
    while (*rows.at != '\0') {
        double value;
        if (n == DPL_SIM_LAYERS_MAX || !dpl_rows_number(&rows, &value) || fabs(value) > 90.0) {
            return -1;
        }
        ret_deg[n++] = value;
        dpl_rows_skip_blanks(&rows);
    }
    return n;
}

static int check_elevations(const char *text, struct dpl_diag *reterr)
{
    double deg[DPL_SIM_LAYERS_MAX];
    return read_elevations(text, deg) >= 0
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere,
                          "expected at most %d numbers from -90 to 90, such as '-15 -5 5 15'",
                          DPL_SIM_LAYERS_MAX);
}

static const struct dpl_field laser_fields[] = {
    DPL_TEXT(struct laser_settings, laser.name, "name", NULL, "name of the laser"),
    DPL_NUMBER(struct laser_settings, laser.x, "x", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_settings, laser.y, "y", "m", "0", -10.0, 10.0, "mount"),
    DPL_NUMBER(struct laser_settings, laser.z, "z", "m", NULL, 0.0, 10.0,
               "height of its plane over the ground"),
    DPL_NUMBER(struct laser_settings, laser.yaw, "yaw", "rad", "0", -10.0, 10.0,
               "direction of its front"),
    DPL_INT(struct laser_settings, steps, "steps", NULL, 1.0, 100000.0, "steps of a whole turn"),
    DPL_INT(struct laser_settings, first, "first", "0", 0.0, 100000.0, "first step measured"),
    DPL_INT(struct laser_settings, last, "last", NULL, 0.0, 100000.0, "last step measured"),
    DPL_INT(struct laser_settings, front, "front", NULL, 0.0, 100000.0, "step that points ahead"),
    DPL_NUMBER(struct laser_settings, laser.min_range, "min_range", "m", "0.02", 0.0, 100.0,
               "shortest valid range"),
    DPL_NUMBER(struct laser_settings, laser.max_range, "max_range", "m", NULL, 0.01, 1000.0,
               "longest valid range"),
    DPL_NUMBER(struct laser_settings, laser.resolution, "resolution", "m", "0.001", 0.0, 1.0,
               "step of a range; 0: exact"),
    DPL_NUMBER(struct laser_settings, laser.noise, "noise_m", "m", "0", 0.0, 1.0,
               "standard deviation of a range"),
    DPL_NUMBER(struct laser_settings, laser.dropout, "dropout", NULL, "0", 0.0, 1.0,
               "probability that a beam gives nothing"),
    DPL_NUMBER(struct laser_settings, laser.rate_hz, "rate_hz", "Hz", "10", 0.1, 1000.0,
               "scans a second"),
    DPL_NUMBER(struct laser_settings, scan_time_ms, "scan_time_ms", "ms", "0", 0.0, 10000.0,
               "of a whole turn: each beam is measured at its own instant; 0: all at once"),
    DPL_NUMBER(struct laser_settings, laser.range_bias, "range_bias_m", "m", "0", -1.0, 1.0,
               "added to a range"),
    DPL_NUMBER(struct laser_settings, laser.range_scale, "range_scale", NULL, "0", -0.5, 0.5,
               "share of a range that is added to it"),
    DPL_INT(struct laser_settings, layers, "layers", "0", 0.0, DPL_SIM_LAYERS_MAX,
            "evenly from lowest to highest; 0: a planar laser, level at the height z"),
    DPL_NUMBER(struct laser_settings, lowest, "lowest", "rad", "0", -1.571, 1.571,
               "elevation of the first layer"),
    DPL_NUMBER(struct laser_settings, highest, "highest", "rad", "0", -1.571, 1.571,
               "elevation of the last layer"),
    DPL_TEXT_CHECKED(struct laser_settings, elevations, "elevations_deg", "", check_elevations,
                     "in place of layers: that of each layer, in degrees"),
    DPL_NUMBER(struct laser_settings, laser.pitch, "pitch", "rad", "0", -10.0, 10.0,
               "of a laser with layers: downwards, after the yaw"),
    DPL_NUMBER(struct laser_settings, laser.roll, "roll", "rad", "0", -10.0, 10.0,
               "of a laser with layers: then about its front"),
};

static void complete_layers(struct laser_settings *read)
{
    struct dpl_sim_laser *laser = &read->laser;
    int listed = read_elevations(read->elevations, laser->elevation);
    laser->layers = listed > 0 ? listed : (int)read->layers;
    for (int i = 0; i < laser->layers; i++) {
        double share = laser->layers > 1 ? (double)i / (laser->layers - 1) : 0.0;
        laser->elevation[i] = listed > 0 ? laser->elevation[i] * DPL_PI / 180.0
                                         : read->lowest + share * (read->highest - read->lowest);
    }
}

static void complete(void *settings)
{
    struct laser_settings *read = settings;
    complete_layers(read);
    read->laser.steps = (int)read->steps;
    read->laser.first = (int)read->first;
    read->laser.last = (int)read->last;
    read->laser.front = (int)read->front;
    read->laser.scan_time = 1e-3 * read->scan_time_ms;
}

/* A turn ends before the next one. */
static int check_turn(const struct dpl_sim_laser *l, struct dpl_diag *reterr)
{
    double most = l->rate_hz > 0.0 ? (1.0 + 1e-9) / l->rate_hz : 0.0;
    if (l->scan_time >= 0.0 && l->scan_time <= most) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, nowhere,
                    "laser '%s' has scan_time_ms %g, expected 0 to the %g ms from scan to scan",
                    l->name, 1e3 * l->scan_time, 1e3 * most);
}

static int check_layers(const struct dpl_sim_laser *l, struct dpl_diag *reterr)
{
    int rc = dpl__check_range(l->layers, 0.0, DPL_SIM_LAYERS_MAX, "layers of a laser", reterr);
    for (int i = 0; i < l->layers && rc == 0; i++) {
        rc = dpl__check_range(l->elevation[i], -1.5708, 1.5708, "elevation of a laser", reterr);
    }
    if (rc == 0 && l->layers == 0 && (l->pitch != 0.0 || l->roll != 0.0)) {
        rc = dpl_fail(reterr, -EINVAL, nowhere,
                      "laser '%s' has a %s, which needs layers: a planar one is level", l->name,
                      l->pitch != 0.0 ? "pitch" : "roll");
    }
    return rc;
}

static int check(const void *settings, struct dpl_diag *reterr)
{
    const struct dpl_sim_laser *l = settings;
    if (l->steps < 1 || l->steps > 100000 || l->first < 0 || l->last < l->first ||
        l->last >= l->steps + l->first || dpl_sim_laser_beams(l) > DPL_SIM_BEAMS_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "laser '%s' has steps %d, first %d, last %d; expected at most one turn and "
                        "%d beams",
                        l->name, l->steps, l->first, l->last, DPL_SIM_BEAMS_MAX);
    }
    int rc = dpl__check_place((double[4]){l->x, l->y, l->z, l->yaw}, reterr);
    rc = rc ? rc : dpl__check_range(l->max_range, 0.01, 1000.0, "max_range of a laser", reterr);
    rc =
        rc ? rc : dpl__check_range(l->min_range, 0.0, l->max_range, "min_range of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->resolution, 0.0, 1.0, "resolution of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->noise, 0.0, 1.0, "noise of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->dropout, 0.0, 1.0, "dropout of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->range_bias, -1.0, 1.0, "range_bias of a laser", reterr);
    rc = rc ? rc : dpl__check_range(l->range_scale, -0.5, 0.5, "range_scale of a laser", reterr);
    rc = rc ? rc : check_turn(l, reterr);
    rc = rc ? rc : check_layers(l, reterr);
    return rc ? rc : dpl__check_range(l->rate_hz, 0.1, 1000.0, "rate_hz of a laser", reterr);
}

/* Beams, and three arrays of ranges. */
static size_t reserve(const void *settings)
{
    size_t a_range = sizeof(struct dpl_vector3) + sizeof(double) + 2 * sizeof(float);
    return dpl_sim_laser_ranges(settings) * a_range;
}

/* Values that replace the model's, where they are given; those of the mount are added to it. */
struct laser_changes {
    double noise, dropout, scan_time_ms, range_bias, range_scale;
    double off_x, off_y, off_yaw;
};

static const struct dpl_field change_fields[] = {
    DPL_NUMBER_OPTIONAL(struct laser_changes, noise, "laser_noise_m", "m", 0.0, 1.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, dropout, "laser_dropout", NULL, 0.0, 1.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, scan_time_ms, "laser_scan_time_ms", "ms", 0.0,
                        10000.0, "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, range_bias, "laser_range_bias_m", "m", -1.0, 1.0,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, range_scale, "laser_range_scale", NULL, -0.5, 0.5,
                        "in place of the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, off_x, "laser_dx", "m", -1.0, 1.0,
                        "true mount minus the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, off_y, "laser_dy", "m", -1.0, 1.0,
                        "true mount minus the model's"),
    DPL_NUMBER_OPTIONAL(struct laser_changes, off_yaw, "laser_dyaw", "rad", -3.2, 3.2,
                        "true mount minus the model's"),
};

/* NAN: not given. */
#define NOT_GIVEN (double)NAN
static const struct laser_changes no_changes = {NOT_GIVEN, NOT_GIVEN, NOT_GIVEN, NOT_GIVEN,
                                                NOT_GIVEN, 0.0,       0.0,       0.0};

static void replace(double *value, double change)
{
    *value = isnan(change) ? *value : change;
}

static void change(void *settings, const void *changes)
{
    struct dpl_sim_laser *laser = settings;
    const struct laser_changes *wanted = changes;
    replace(&laser->noise, wanted->noise);
    replace(&laser->dropout, wanted->dropout);
    replace(&laser->scan_time, 1e-3 * wanted->scan_time_ms);
    replace(&laser->range_bias, wanted->range_bias);
    replace(&laser->range_scale, wanted->range_scale);
    laser->off_x += wanted->off_x;
    laser->off_y += wanted->off_y;
    laser->off_yaw += wanted->off_yaw;
}

const struct dpl_sim_entry_class dpl_laser = {
    .name = "laser",
    .summary = "a laser scanner, planar or with layers",
    .phase = DPL_SIM_SENSOR,
    .element = "laser",
    .settings = {laser_fields, DPL_COUNT(laser_fields), sizeof(struct laser_settings), NULL},
    .changes = {change_fields, DPL_COUNT(change_fields), sizeof(struct laser_changes), &no_changes},
    .complete = complete,
    .change = change,
    .check = check,
    .reserve = reserve,
    .state_size = sizeof(struct laser),
    .build = dpl__laser_build,
    .step = dpl__laser_step,
    .channels = &dpl__laser_channels,
    .type = "laser",
};
