/* SPDX-License-Identifier: Apache-2.0 */
/* Velocity tables and lists of waypoints from arbitrary text. What is taken keeps its promises
 * (limits, finite numbers, increasing times); what is refused says a place inside the text. */
#include <math.h>

#include "fuzz.h"
#include "script.h"
#include "waypoints.h"

static void take_script(const char *text)
{
    static struct script script;
    struct script_error bad = {0};
    if (script_parse(&script, text, &bad) < 0) {
        require(bad.what && bad.offset <= strlen(text) && bad.line >= 1 && bad.column >= 1);
        return;
    }
    require(script.n > 0 && script.n <= SCRIPT_ROWS_MAX);
    for (size_t i = 0; i < script.n; i++) {
        const struct script_row *row = &script.rows[i];
        require(isfinite(row->t_s) && isfinite(row->linear_m_s) && isfinite(row->angular_rad_s));
        require(row->t_s >= 0.0 && (i == 0 || row->t_s > row[-1].t_s));
        require(script_at(&script, row->t_s, true).linear_m_s == row->linear_m_s);
    }
    require(script_end_s(&script) == script.rows[script.n - 1].t_s);
}

static void take_waypoints(const char *text)
{
    static struct dpl_nav_route_config route;
    size_t offset = SIZE_MAX;
    if (dpl_nav_waypoints_parse(&route, text, &offset) < 0) {
        require(offset <= strlen(text));
        return;
    }
    require(route.count <= DPL_NAV_MAX_WAYPOINTS);
    for (size_t i = 0; i < (size_t)route.count; i++) {
        require(isfinite(route.waypoints[i].x) && isfinite(route.waypoints[i].y));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take_script(text);
    take_waypoints(text);
    free(text);
    return 0;
}
