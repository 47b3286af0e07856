/* SPDX-License-Identifier: Apache-2.0 */
#include "diagram.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#define LEAST_M  0.0025
#define DECADE   10.0
#define CELL_PX  8
#define EDGE_PX  60
#define SIDE_PX  (DIAGRAM_CELLS * CELL_PX)
#define PANEL_PX (SIDE_PX + 2 * EDGE_PX)

static double place(double metres)
{
    return dpl_clamp(DECADE * log10(metres / LEAST_M), 0.0, DIAGRAM_CELLS - 1e-6);
}

void diagram_add(struct diagram *diagram, const struct tally_row *row)
{
    if (row->ok) {
        diagram->cell[(int)place(row->level_m)][(int)place(row->error_m)]++;
        diagram->n++;
    }
}

static void write_cells(FILE *out, const struct diagram *diagram, double left)
{
    double most = log1p((double)diagram->n);
    for (int r = 0; r < DIAGRAM_CELLS; r++) {
        for (int c = 0; c < DIAGRAM_CELLS; c++) {
            if (diagram->cell[r][c] > 0) {
                fprintf(out,
                        "<rect x=\"%g\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#223\" "
                        "fill-opacity=\"%.3f\"/>\n",
                        left + c * CELL_PX, EDGE_PX + SIDE_PX - (r + 1) * CELL_PX, CELL_PX, CELL_PX,
                        0.15 + 0.85 * log1p((double)diagram->cell[r][c]) / most);
            }
        }
    }
}

static void write_axes(FILE *out, double left, const char *title, size_t n)
{
    static const double ticks[] = {0.01, 0.1, 1.0, 10.0};
    double limit = place(TALLY_LIMIT_M) * CELL_PX, bottom = EDGE_PX + SIDE_PX;
    fprintf(out,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#fbd5d5\"/>\n"
            "<path d=\"M%g %g l%d %d M%g %d v%d M%g %g h%d\" stroke=\"#a00\"/>\n"
            "<rect x=\"%g\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#000\"/>\n"
            "<text x=\"%g\" y=\"%d\">%s: %zu rows OK</text>\n"
            "<text x=\"%g\" y=\"%g\">true error, m</text>\n",
            left + limit, bottom - limit, SIDE_PX - limit, limit, left, bottom, SIDE_PX, -SIDE_PX,
            left + limit, EDGE_PX, SIDE_PX, left, bottom - limit, SIDE_PX, left, EDGE_PX, SIDE_PX,
            SIDE_PX, left, EDGE_PX - 12, title, n, left + SIDE_PX / 2.0 - 40, bottom + 40);
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        double at = place(ticks[i]) * CELL_PX;
        fprintf(out, "<text x=\"%g\" y=\"%g\">%g</text>\n<text x=\"%g\" y=\"%g\">%g</text>\n",
                left + at - 8, bottom + 18, ticks[i], left - 34, bottom - at + 4, ticks[i]);
    }
}

int diagram_write(const char *file, const struct diagram *diagrams, const char *const *titles,
                  size_t n)
{
    FILE *out = fopen(file, "w");
    if (!out) {
        return -errno;
    }
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<text x=\"4\" y=\"14\">protection level, m, over true error; each cell: rows, "
            "logarithmic</text>\n",
            n * PANEL_PX, PANEL_PX);
    for (size_t i = 0; i < n; i++) {
        double left = (double)(i * PANEL_PX + EDGE_PX);
        write_axes(out, left, titles[i], diagrams[i].n);
        write_cells(out, &diagrams[i], left);
    }
    fprintf(out, "</svg>\n");
    return fclose(out) == 0 ? 0 : -errno;
}
