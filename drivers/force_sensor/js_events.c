/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a joystick: parsing them from a stream, and the forces from them. */
#include "js_events.h"

#include <math.h>

#define TYPE_BUTTON 0x01u
#define TYPE_AXIS   0x02u
#define TYPE_INIT   0x80u /* set for events that report the state at opening */
#define FULL        32767.0

static int refuse(struct force_error *reterr, const struct dpl_rows *rows, const char *at,
                  const char *what)
{
    *reterr = (struct force_error){.what = what, .offset = (size_t)(at - rows->text)};
    return -EINVAL;
}

static bool read_row(struct dpl_rows *rows, struct js_row *ret_row)
{
    double axis, scale;
    size_t dof;
    if (!dpl_rows_number(rows, &axis) || axis != floor(axis) || axis < 0.0 || axis >= JS_AXES_MAX) {
        return false;
    }
    dpl_rows_skip_blanks(rows);
    if (!dpl_rows_word(rows, dpl_six_names, DPL_SIX, &dof) || !dpl_rows_number(rows, &scale) ||
        fabs(scale) > 1e6) {
        return false;
    }
    dpl_rows_skip_blanks(rows);
    *ret_row = (struct js_row){(unsigned)axis, dof, scale};
    return dpl_rows_end_of_row(*rows->at);
}

int js_map_parse(const char *text, struct js_map *ret_map, struct force_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    ret_map->n = 0;
    for (;;) {
        dpl_rows_skip_to_row(&rows);
        rows.row = rows.at;
        if (*rows.at == '\0') {
            return 0;
        }
        struct js_row row;
        if (!read_row(&rows, &row)) {
            return refuse(reterr, &rows, rows.at,
                          "expected a row \"JS AXIS scale\" with JS 0 to 31 and AXIS one of x y z "
                          "roll pitch yaw");
        }
        if (ret_map->n == JS_ROWS_MAX) {
            return refuse(reterr, &rows, rows.row, "too many rows (at most 32)");
        }
        ret_map->rows[ret_map->n++] = row;
    }
}

static void apply_record(struct js_parser *parser)
{
    int16_t value;
    memcpy(&value, &parser->record[4], sizeof value);
    unsigned type = parser->record[6] & ~TYPE_INIT, number = parser->record[7];
    parser->n_events++;
    if (type == TYPE_AXIS && number < JS_AXES_MAX) {
        parser->axes[number] = fmax(value / FULL, -1.0);
    } else if (type != TYPE_BUTTON) {
        parser->n_unknown++;
    }
}

size_t js_parser_feed(struct js_parser *parser, const uint8_t *bytes, size_t n)
{
    size_t completed = 0;
    for (size_t i = 0; i < n; i++) {
        parser->record[parser->n++] = bytes[i];
        if (parser->n == JS_EVENT_BYTES) {
            apply_record(parser);
            parser->n = 0;
            completed++;
        }
    }
    return completed;
}

void js_parser_rest(struct js_parser *parser)
{
    parser->n = 0;
    memset(parser->axes, 0, sizeof parser->axes);
}

static double beyond(double deflection, double dead_zone)
{
    double reach = fabs(deflection) - dead_zone;
    return reach > 0.0 ? copysign(reach / (1.0 - dead_zone), deflection) : 0.0;
}

void js_map_apply(const struct js_map *map, const struct js_parser *parser,
                  double ret_wrench[DPL_SIX])
{
    memset(ret_wrench, 0, DPL_SIX * sizeof ret_wrench[0]);
    for (size_t i = 0; i < map->n; i++) {
        const struct js_row *row = &map->rows[i];
        ret_wrench[row->dof] += row->scale * beyond(parser->axes[row->axis], map->dead_zone);
    }
}
