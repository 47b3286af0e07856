/* SPDX-License-Identifier: Apache-2.0 */
/* The plain driver of tracks: walls, finish and start from its properties, without a world. */
#include <errno.h>
#include <math.h>

#include <doppel/drv/track.h>
#include <doppel/math/number_rows.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#define COORDINATE_MAX_MM 1e8
/* length by which the line of FinishY extends beyond the walls on both sides */
#define BEYOND_M          1e3

struct properties {
    char walls[24576];
    char finish[256];
    char finish_y[64];
    char start[128];
};

struct state {
    struct dpl_track track;
};

/* The format of a property's rows. */
struct shape {
    size_t least, most; /* numbers per row */
    const char *expected;
};

/* Reads the next row, in millimetres: returns the count of numbers, 0 at the end, or -EINVAL. */
static int next_row(const struct shape *shape, struct dpl_rows *rows, double *ret_mm,
                    struct dpl_diag *reterr)
{
    int n = dpl_rows_next(rows, shape->least, shape->most, ret_mm);
    if (n < 0) {
        return dpl_check_fail(rows->text, rows->at, shape->expected, reterr);
    }
    for (int i = 0; i < n; i++) {
        if (fabs(ret_mm[i]) > COORDINATE_MAX_MM) {
            return dpl_check_fail(rows->text, rows->row, "a number is not within +-100 km", reterr);
        }
    }
    return n;
}

/* Reads a property of at most one row. */
static int only_row(const struct shape *shape, const char *text, double *ret_mm,
                    struct dpl_diag *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    int n = next_row(shape, &rows, ret_mm, reterr);
    if (n > 0) {
        dpl_rows_skip_to_row(&rows);
    }
    return n > 0 && *rows.at ? dpl_check_fail(text, rows.at, "expected a single row", reterr) : n;
}

static struct dpl_track_segment segment(const double mm[4])
{
    return (struct dpl_track_segment){mm[0] / 1e3, mm[1] / 1e3, mm[2] / 1e3, mm[3] / 1e3};
}

static int read_walls(const char *text, struct dpl_track *track, struct dpl_diag *reterr)
{
    static const struct shape shape = {4, 4, "expected rows \"x1 y1 x2 y2\" in mm"};
    struct dpl_rows rows = dpl_rows_begin(text);
    double mm[4];
    int n;
    while ((n = next_row(&shape, &rows, mm, reterr)) > 0) {
        if (track->n_walls == DPL_TRACK_WALLS_MAX) {
            return dpl_check_fail(text, rows.row, "too many walls (at most 512)", reterr);
        }
        track->walls[track->n_walls++] = segment(mm);
    }
    return n;
}

/* A line at y that extends far beyond all walls, so that a car crosses it at any x. */
static struct dpl_track_segment line_at(double y_m, const struct dpl_track *track)
{
    double low = 0.0, high = 0.0;
    for (size_t i = 0; i < track->n_walls; i++) {
        const struct dpl_track_segment *w = &track->walls[i];
        low = fmin(low, fmin(w->x1, w->x2));
        high = fmax(high, fmax(w->x1, w->x2));
    }
    return (struct dpl_track_segment){low - BEYOND_M, y_m, high + BEYOND_M, y_m};
}

static const struct shape finish_shape = {4, 4, "expected \"x1 y1 x2 y2\" in mm"};
static const struct shape finish_y_shape = {1, 1, "expected one number in mm"};
static const struct shape start_shape = {2, 3,
                                         "expected \"x y\" in mm and, if wanted, a heading in deg"};

static int read_finish(const struct properties *props, struct dpl_track *track,
                       struct dpl_diag *reterr)
{
    double mm[4], y_mm;
    int n = only_row(&finish_shape, props->finish, mm, reterr);
    int m = n < 0 ? n : only_row(&finish_y_shape, props->finish_y, &y_mm, reterr);
    if (n < 0 || m < 0) {
        return -EINVAL;
    }
    if (n > 0 && m > 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "both Finish and FinishY are given; one of them is expected");
    }
    track->has_finish = n > 0 || m > 0;
    if (track->has_finish) {
        track->finish = n > 0 ? segment(mm) : line_at(y_mm / 1e3, track);
    }
    return 0;
}

static int read_start(const char *text, struct dpl_track *track, struct dpl_diag *reterr)
{
    double value[3] = {0.0, 0.0, 90.0};
    int n = only_row(&start_shape, text, value, reterr);
    track->has_start = n > 0;
    if (n > 0) {
        track->start = (struct dpl_pose2){value[0] / 1e3, value[1] / 1e3,
                                          dpl_wrap_angle(dpl_deg_to_rad(value[2]))};
    }
    return n < 0 ? n : 0;
}

/* ---- checks of the texts on loading ---- */

static int check_walls(const char *text, struct dpl_diag *reterr)
{
    struct dpl_track track = {0};
    return read_walls(text, &track, reterr);
}

static int check_row(const struct shape *shape, const char *text, struct dpl_diag *reterr)
{
    double mm[4];
    int n = only_row(shape, text, mm, reterr);
    return n < 0 ? n : 0;
}

static int check_finish(const char *text, struct dpl_diag *reterr)
{
    return check_row(&finish_shape, text, reterr);
}

static int check_finish_y(const char *text, struct dpl_diag *reterr)
{
    return check_row(&finish_y_shape, text, reterr);
}

static int check_start(const char *text, struct dpl_diag *reterr)
{
    return check_row(&start_shape, text, reterr);
}

static int check_together(const void *properties, struct dpl_diag *reterr)
{
    struct dpl_track track = {0};
    return read_finish(properties, &track, reterr);
}

/* ---- the driver ---- */

static int plain_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *props = device->properties;
    struct dpl_track *track = &((struct state *)device->state)->track;
    int err = read_walls(props->walls, track, reterr);
    err = err < 0 ? err : read_finish(props, track, reterr);
    return err < 0 ? err : read_start(props->start, track, reterr);
}

static void plain_close(struct dpl_device *device)
{
    (void)device;
}

static int plain_get(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_track *ret_track = out;
    *ret_track = ((const struct state *)device->state)->track;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_TRACK_N_CALLS] = {
    [DPL_DRV_TRACK_GET] = plain_get,
};

#define TEXT(name_, member_, check_, text_)                                                        \
    DPL_TEXT_CHECKED(struct properties, member_, name_, "", check_, text_)

static const struct dpl_field properties[] = {
    TEXT("Walls", walls, check_walls, "rows \"x1 y1 x2 y2\" separated by ';', mm; at most 512"),
    TEXT("Finish", finish, check_finish, "the finish line \"x1 y1 x2 y2\", mm; none: no finish"),
    TEXT("FinishY", finish_y, check_finish_y, "a finish line along x at this y, mm"),
    TEXT("Start", start, check_start, "\"x y\" in mm and, if wanted, a heading in deg (90)"),
};

static const struct dpl_driver driver = {
    .name = "plain",
    .summary = "a track whose walls, finish and start are properties",
    .device_class = &dpl_track_class,
    .backend = DPL_BACKEND_SIMULATOR,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = plain_open,
    .close = plain_close,
    .check = check_together,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
