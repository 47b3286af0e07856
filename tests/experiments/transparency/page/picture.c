/* SPDX-License-Identifier: Apache-2.0 */
/* Composes pictures. */
#include "picture.h"

#include <assert.h>

#include <doppel/output.h>

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
    snprintf(file, sizeof file, "%s/%s.svg", picture->folder, picture->name);
    struct dpl_output output;
    int r = dpl_output_open(&output, file, reterr);
    if (r < 0) {
        return r;
    }
    if (picture->panel == 0) {
        svg_chart(output.stream, &picture->chart[0], picture->series, picture->n, true);
    } else {
        write_panels(output.stream, picture);
    }
    return dpl_output_close(&output, reterr);
}
