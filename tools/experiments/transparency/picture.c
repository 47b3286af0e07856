/* SPDX-License-Identifier: Apache-2.0 */
/* Putting pictures together. */
#include "picture.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

void picture_draw(struct picture *picture, const char *label, const double *x, const double *y,
                  size_t n)
{
    assert(picture->n < PICTURE_CURVES);
    picture->series[picture->n] = (struct series){
        .label = label,
        .color = series_color(picture->n),
        .x = x,
        .y = y,
        .n = n,
        .width = 2.0,
    };
    picture->n++;
}

void picture_dash(struct picture *picture, const char *color)
{
    struct series *newest = &picture->series[picture->n - 1];
    newest->dashed = true;
    newest->width = 1.4;
    newest->color = color;
}

void picture_next_panel(struct picture *picture)
{
    assert(picture->panel + 1 < PICTURE_PANELS);
    picture->panel++;
    picture->panel_from[picture->panel] = picture->n;
}

static void write_panels(FILE *out, const struct picture *picture)
{
    struct panel panels[PICTURE_PANELS];
    size_t n = (size_t)picture->panel + 1;
    for (size_t i = 0; i < n; i++) {
        size_t from = picture->panel_from[i];
        size_t to = i + 1 < n ? picture->panel_from[i + 1] : picture->n;
        panels[i] = (struct panel){picture->chart[i], &picture->series[from], to - from};
    }
    svg_panels(out, panels, n);
}

int picture_save(const struct picture *picture, struct dpl_diag *reterr)
{
    char file[1024];
    struct dpl_place place = {.file = picture->folder};
    snprintf(file, sizeof file, "%s/%s.svg", picture->folder, picture->name);
    FILE *out = fopen(file, "wb");
    if (out == NULL) {
        return dpl_fail(reterr, -errno, place, "cannot write %s.svg: %s", picture->name,
                        strerror(errno));
    }
    if (picture->panel == 0) {
        svg_chart(out, &picture->chart[0], picture->series, picture->n, true);
    } else {
        write_panels(out, picture);
    }
    bool bad = ferror(out) != 0;
    bad |= fclose(out) != 0;
    return bad ? dpl_fail(reterr, -EIO, place, "cannot write %s.svg", picture->name) : 0;
}
