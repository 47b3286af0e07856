/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --snapshot. */
#include "sim_picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/number_rows.h>

static const struct dpl_place nowhere;

/* The parts that a list of words names. */
static int read_parts(const char *list, unsigned *ret_parts, struct dpl_diag *reterr)
{
    *ret_parts = 0;
    while (list && *list) {
        char word[16];
        size_t n = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), list);
        int part = picture_part(word);
        if (part < 0) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "--show: found '%.*s', expected shapes, joints, contacts, traces, "
                            "separated by commas",
                            (int)n, list);
        }
        *ret_parts |= (unsigned)part;
        list += n + (list[n] == ',');
    }
    return 0;
}

static int read_view(const char *text, struct picture_view *inout, struct dpl_diag *reterr)
{
    double degrees[2];
    char spaced[64] = "";
    snprintf(spaced, sizeof spaced, "%s", text);
    char *comma = strchr(spaced, ',');
    if (comma) {
        *comma = ' ';
    }
    if (!comma || strlen(text) >= sizeof spaced || !dpl_rows_only(spaced, 2, degrees) ||
        fabs(degrees[0]) > 360.0 || fabs(degrees[1]) > 90.0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "--from: found '%s', expected AZIMUTH,ELEVATION of the eye in degrees, "
                        "-360 to 360 and -90 to 90, such as -60,20",
                        text);
    }
    inout->azimuth_rad = degrees[0] * DPL_PI / 180.0;
    inout->elevation_rad = degrees[1] * DPL_PI / 180.0;
    return 0;
}

static int find_focus(const struct dpl_world *world, const char *robot, int *ret_focus,
                      struct dpl_diag *reterr)
{
    *ret_focus = robot ? dpl_world_find_robot(world, robot) : -1;
    return robot && *ret_focus < 0
               ? dpl_fail(reterr, -EINVAL, nowhere, "--look: the world has no robot '%s'", robot)
               : 0;
}

int sim_picture_begin(struct sim_picture *picture, const struct dpl_world *world,
                      const struct sim_picture_options *options, struct dpl_diag *reterr)
{
    *picture = (struct sim_picture){
        .world = world,
        .file = options->file,
        .view = {.width_px = 900, .height_px = 700},
    };
    if (!options->file) {
        return 0;
    }
    if (!picture_is_file(options->file)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "--snapshot: found '%s', expected a name that ends in .svg or .png",
                        options->file);
    }
    int err = read_parts(options->show ? options->show : "shapes", &picture->parts, reterr);
    err = err ? err : read_view(options->view ? options->view : "-60,22", &picture->view, reterr);
    err = err ? err : find_focus(world, options->look, &picture->focus, reterr);
    if (err == 0 && (picture->parts & PICTURE_TRACES)) {
        picture->traces = picture_traces_create(world);
        picture_traces_take(picture->traces);
    }
    return err;
}

void sim_picture_take(struct sim_picture *picture)
{
    if (picture->traces) {
        picture_traces_take(picture->traces);
    }
}

int sim_picture_write(const struct sim_picture *picture, struct dpl_diag *reterr)
{
    if (!picture->file) {
        return 0;
    }
    struct picture *drawn = picture_create();
    picture_add_world(drawn, picture->world, picture->parts, picture->focus);
    if (picture->traces) {
        picture_add_traces(drawn, picture->traces, picture->focus);
    }
    int err = picture_write(drawn, &picture->view, picture->file, reterr);
    picture_destroy(drawn);
    return err;
}

void sim_picture_end(struct sim_picture *picture)
{
    picture_traces_destroy(picture->traces);
    picture->traces = NULL;
}
