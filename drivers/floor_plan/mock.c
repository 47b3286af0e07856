/* SPDX-License-Identifier: Apache-2.0 */
/* A floor plan from a property: segments and circles, without a world. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include <doppel/drv/floor_plan.h>
#include <doppel/math/number_rows.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#define COORDINATE_MAX_M 1e5

enum { OUTLINES_MAX = 256, NAME_SIZE = 24 };

struct properties {
    char outlines[16384];
    double height_m, mount[3];
};

struct state {
    struct dpl_floor_plan_outline outlines[OUTLINES_MAX];
    char texts[OUTLINES_MAX][NAME_SIZE];
    const char *names[OUTLINES_MAX];
    size_t n;
};

/* A row of four numbers is a segment, one of three a circle. */
static int convert_row(const struct dpl_rows *rows, const double *m, int n,
                       struct dpl_floor_plan_outline *ret_outline, struct dpl_diag *reterr)
{
    for (int i = 0; i < n; i++) {
        if (fabs(m[i]) > COORDINATE_MAX_M) {
            return dpl_check_fail(rows->text, rows->row, "a number is not within +-100 km", reterr);
        }
    }
    if (n == 3 && m[2] <= 0.0) {
        return dpl_check_fail(rows->text, rows->row, "a radius above 0 is expected", reterr);
    }
    if (n == 4 && m[0] == m[2] && m[1] == m[3]) {
        return dpl_check_fail(rows->text, rows->row, "the segment ends where it starts", reterr);
    }
    *ret_outline = n == 3 ? (struct dpl_floor_plan_outline){.x = m[0], .y = m[1], .radius = m[2]}
                          : (struct dpl_floor_plan_outline){
                                .x = m[0], .y = m[1], .dx = m[2] - m[0], .dy = m[3] - m[1]};
    return 0;
}

/* Into outlines[OUTLINES_MAX]; returns how many there are, or -EINVAL. */
static int read_outlines(const char *text, struct dpl_floor_plan_outline *outlines,
                         struct dpl_diag *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    double m[4];
    int n, count = 0;
    while ((n = dpl_rows_next(&rows, 3, 4, m)) > 0) {
        if (count == OUTLINES_MAX) {
            return dpl_check_fail(text, rows.row, "too many outlines (at most 256)", reterr);
        }
        if (convert_row(&rows, m, n, &outlines[count], reterr) < 0) {
            return -EINVAL;
        }
        outlines[count].object = count;
        count++;
    }
    return n < 0 ? dpl_check_fail(text, rows.at,
                                  "expected rows \"x1 y1 x2 y2\" or \"x y radius\" in m", reterr)
                 : count;
}

static int check_outlines(const char *text, struct dpl_diag *reterr)
{
    struct dpl_floor_plan_outline outlines[OUTLINES_MAX];
    int n = read_outlines(text, outlines, reterr);
    return n < 0 ? n : 0;
}

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct state *state = device->state;
    int n = read_outlines(props->outlines, state->outlines, reterr);
    if (n < 0) {
        return n;
    }
    state->n = (size_t)n;
    for (int i = 0; i < n; i++) {
        const char *kind = state->outlines[i].radius > 0.0 ? "circle" : "segment";
        snprintf(state->texts[i], NAME_SIZE, "%s %d", kind, i + 1);
        state->names[i] = state->texts[i];
    }
    return 0;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

static int mock_get(struct dpl_device *device, const void *in, void *out)
{
    const struct properties *props = device->properties;
    const struct state *state = device->state;
    *(struct dpl_floor_plan *)out = (struct dpl_floor_plan){
        .outlines = state->outlines,
        .n_outlines = state->n,
        .names = state->names,
        .n_objects = state->n,
        .height_m = props->height_m,
        .has_mount = true,
        .mount = {props->mount[0], props->mount[1], props->mount[2]},
    };
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_FLOOR_PLAN_N_CALLS] = {
    [DPL_DRV_FLOOR_PLAN_GET] = mock_get,
};

static const struct dpl_field properties[] = {
    DPL_TEXT_CHECKED(struct properties, outlines, "Outlines", "", check_outlines,
                     "rows \"x1 y1 x2 y2\" or \"x y radius\" separated by ';', m; at most 256"),
    DPL_NUMBER(struct properties, height_m, "Height", "m", "0.2", 0, 10, "of the plan"),
    DPL_NUMBER(struct properties, mount[0], "MountX", "m", "0", -10, 10, "nominal, of the laser"),
    DPL_NUMBER(struct properties, mount[1], "MountY", "m", "0", -10, 10, "nominal, of the laser"),
    DPL_NUMBER(struct properties, mount[2], "MountYaw", "rad", "0", -10, 10,
               "nominal, of the laser"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "a plan of the segments and circles in its property",
    .device_class = &dpl_floor_plan_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
