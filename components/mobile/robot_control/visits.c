/* SPDX-License-Identifier: Apache-2.0 */
/* Rolling grid of the last visits. */
#include "visits.h"

#include <string.h>

#define FORGET_S 240.0 /* time constant after which a place can be visited again */
#define FAR_CELL 1e8   /* keeps the conversion to an integer defined */

static int32_t cell_of(double metres)
{
    return (int32_t)floor(dpl_clamp(metres / DPL_NAV_VISIT_CELL_M, -FAR_CELL, FAR_CELL));
}

static unsigned slot_of(int32_t cell)
{
    return (unsigned)cell % DPL_NAV_VISIT_CELLS;
}

void dpl_nav_visits_clear(struct dpl_nav_visits *visits)
{
    memset(visits, 0, sizeof *visits);
}

void dpl_nav_visits_mark(struct dpl_nav_visits *visits, double x, double y, double now_s)
{
    int32_t i = cell_of(x), j = cell_of(y);
    visits->cells[slot_of(i)][slot_of(j)] =
        (struct dpl_nav_visit){.i = i, .j = j, .last_s = now_s, .used = true};
}

double dpl_nav_visits_novelty(const struct dpl_nav_visits *visits, double x, double y, double now_s)
{
    int32_t i = cell_of(x), j = cell_of(y);
    const struct dpl_nav_visit *cell = &visits->cells[slot_of(i)][slot_of(j)];
    if (!cell->used || cell->i != i || cell->j != j) {
        return 1.0;
    }
    return 1.0 - exp(-fmax(now_s - cell->last_s, 0.0) / FORGET_S);
}
