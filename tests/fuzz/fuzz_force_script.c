/* SPDX-License-Identifier: Apache-2.0 */
/* What the drivers of force sensors read as text: tables of forces, impulses, plans of faults, maps
 * of a joystick, six values. What is taken keeps its promises; what is refused says a place inside
 * the text. The corpus is written by hand. */
#include <math.h>

#include "force_source.h"
#include "fuzz.h"
#include "imperfections.h"
#include "js_events.h"

static void check_place(const char *text, const struct force_error *bad)
{
    require(bad->what && bad->offset <= strlen(text));
}

static void take_rows(const char *text)
{
    struct force_source source = {.n_rows = 0};
    struct force_error bad = {0};
    double wrench[DPL_SIX];
    size_t room = force_rows_room(text);
    struct force_row *rows = calloc(room, sizeof rows[0]);
    if (!rows) {
        return;
    }
    source.rows = rows;
    if (force_rows_parse(text, rows, room, &source.n_rows, &bad) < 0) {
        check_place(text, &bad);
    }
    for (double t_s = -1.0; t_s < 5.0; t_s += 0.3) {
        force_source_at(&source, t_s, wrench);
        for (int i = 0; i < DPL_SIX; i++) {
            require(fabs(wrench[i]) <= 1.0000001e6);
        }
    }
    free(rows);
}

static void take_impulses(const char *text)
{
    struct force_source source = {.n_rows = 0};
    struct force_error bad = {0};
    if (force_impulses_parse(text, &source, &bad) < 0) {
        check_place(text, &bad);
        return;
    }
    require(source.n_impulses <= FORCE_IMPULSES_MAX);
    for (size_t i = 0; i < source.n_impulses; i++) {
        require(source.impulses[i].axis < DPL_SIX && source.impulses[i].width_s > 0.0);
    }
}

static void take_plan(const char *text)
{
    struct fault_plan plan = {.n = 0};
    struct force_error bad = {0};
    if (fault_plan_parse(text, &plan, &bad) < 0) {
        check_place(text, &bad);
        return;
    }
    require(plan.n <= FAULT_PLAN_MAX);
    fault_plan_at(&plan, 1.0);
}

static void take_map(const char *text)
{
    struct js_map map = {.n = 0};
    struct force_error bad = {0};
    if (js_map_parse(text, &map, &bad) < 0) {
        check_place(text, &bad);
    }
    require(map.n <= JS_ROWS_MAX);
    for (size_t i = 0; i < map.n; i++) {
        require(map.rows[i].axis < JS_AXES_MAX && map.rows[i].dof < DPL_SIX);
    }
}

static void take_six(const char *text)
{
    double values[DPL_SIX];
    bool set[DPL_SIX];
    const char *at = NULL;
    if (!dpl_six_read(text, values, &at)) {
        require(at >= text && at <= text + strlen(text));
    }
    if (!dpl_six_read_set(text, set, &at)) {
        require(at >= text && at < text + strlen(text));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take_rows(text);
    take_impulses(text);
    take_plan(text);
    take_map(text);
    take_six(text);
    free(text);
    return 0;
}
