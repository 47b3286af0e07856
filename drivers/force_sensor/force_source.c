/* SPDX-License-Identifier: Apache-2.0 */
/* Forces over time: parsing tables and impulses, and the sum at a time. */
#include "force_source.h"

#include <math.h>

#define PI        3.14159265358979323846
#define VALUE_MAX 1e6 /* N, N m, s */

static int refuse(struct force_error *reterr, const struct dpl_rows *rows, const char *at,
                  const char *what)
{
    *reterr = (struct force_error){.what = what, .offset = (size_t)(at - rows->text)};
    return -EINVAL;
}

static bool sane(const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(values[i]) <= VALUE_MAX)) {
            return false;
        }
    }
    return true;
}

size_t force_rows_room(const char *text)
{
    size_t n = 1;
    for (const char *c = text; *c; c++) {
        n += *c == ';' || *c == '\n';
    }
    return n < FORCE_ROWS_MAX ? n : FORCE_ROWS_MAX;
}

int force_rows_parse(const char *text, struct force_row *ret_rows, size_t room, size_t *ret_n,
                     struct force_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    size_t n = 0;
    for (;;) {
        double values[1 + DPL_SIX] = {0.0};
        int found = dpl_rows_next(&rows, 2, 1 + DPL_SIX, values);
        if (found == 0) {
            *ret_n = n;
            return 0;
        }
        if (found < 0) {
            return refuse(reterr, &rows, rows.at, "expected a row \"t fx fy fz tx ty tz\"");
        }
        if (n == room) {
            return refuse(reterr, &rows, rows.row, "too many rows (at most 200000)");
        }
        if (!sane(values, sizeof values / sizeof values[0]) ||
            (n > 0 && values[0] < ret_rows[n - 1].t_s)) {
            return refuse(reterr, &rows, rows.row,
                          "a row's time is before that of the row before, or a number is not "
                          "within +-1e6");
        }
        ret_rows[n].t_s = values[0];
        memcpy(ret_rows[n++].wrench, &values[1], DPL_SIX * sizeof values[0]);
    }
}

static bool read_impulse(struct dpl_rows *rows, struct force_impulse *ret_impulse)
{
    struct force_impulse impulse;
    double width_ms;
    if (!dpl_rows_number(rows, &impulse.t_s)) {
        return false;
    }
    dpl_rows_skip_blanks(rows);
    if (!dpl_rows_word(rows, dpl_six_names, DPL_SIX, &impulse.axis) ||
        !dpl_rows_number(rows, &impulse.amplitude)) {
        return false;
    }
    dpl_rows_skip_blanks(rows);
    if (!dpl_rows_number(rows, &width_ms)) {
        return false;
    }
    dpl_rows_skip_blanks(rows);
    impulse.width_s = width_ms * 1e-3;
    *ret_impulse = impulse;
    return dpl_rows_end_of_row(*rows->at);
}

int force_impulses_parse(const char *text, struct force_source *inout_source,
                         struct force_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    inout_source->n_impulses = 0;
    for (;;) {
        dpl_rows_skip_to_row(&rows);
        rows.row = rows.at;
        if (*rows.at == '\0') {
            return 0;
        }
        struct force_impulse impulse;
        if (!read_impulse(&rows, &impulse)) {
            return refuse(reterr, &rows, rows.at,
                          "expected a row \"t AXIS amplitude width\" with AXIS one of x y z roll "
                          "pitch yaw and the width in ms");
        }
        double values[] = {impulse.t_s, impulse.amplitude, impulse.width_s};
        if (!sane(values, sizeof values / sizeof values[0]) || !(impulse.width_s > 0.0)) {
            return refuse(reterr, &rows, rows.row,
                          "a width is not positive, or a number is not within +-1e6");
        }
        if (inout_source->n_impulses == FORCE_IMPULSES_MAX) {
            return refuse(reterr, &rows, rows.row, "too many impulses (at most 64)");
        }
        inout_source->impulses[inout_source->n_impulses++] = impulse;
    }
}

void force_random_make(struct force_source *inout_source, const double rms[DPL_SIX],
                       double bandwidth_hz, struct dpl_random *rng)
{
    for (size_t axis = 0; axis < DPL_SIX; axis++) {
        struct force_random *random = &inout_source->random[axis];
        random->amplitude = rms[axis] * sqrt(2.0 / FORCE_TONES);
        for (size_t i = 0; i < FORCE_TONES; i++) {
            double part = ((double)i + dpl_random_uniform(rng, 0.0, 1.0)) / FORCE_TONES;
            random->tones[i].rate_rad_s = 2.0 * PI * bandwidth_hz * part;
            random->tones[i].phase_rad = dpl_random_uniform(rng, 0.0, 2.0 * PI);
        }
    }
}

/* The first row later than t_s; n_rows: none. */
static size_t row_after(const struct force_source *source, double t_s)
{
    size_t low = 0, high = source->n_rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->rows[middle].t_s > t_s) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void table_at(const struct force_source *source, double t_s, double ret_wrench[DPL_SIX])
{
    memset(ret_wrench, 0, DPL_SIX * sizeof ret_wrench[0]);
    if (source->n_rows == 0) {
        return;
    }
    size_t next = row_after(source, t_s);
    const struct force_row *to = &source->rows[next < source->n_rows ? next : next - 1];
    const struct force_row *from = next > 0 ? &source->rows[next - 1] : to;
    double span_s = to->t_s - from->t_s;
    double part = span_s > 0.0 ? (t_s - from->t_s) / span_s : 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        ret_wrench[i] = from->wrench[i] + part * (to->wrench[i] - from->wrench[i]);
    }
}

void force_source_at(const struct force_source *source, double t_s, double ret_wrench[DPL_SIX])
{
    table_at(source, t_s, ret_wrench);
    for (size_t i = 0; i < source->n_impulses; i++) {
        const struct force_impulse *impulse = &source->impulses[i];
        double part = (t_s - impulse->t_s) / impulse->width_s;
        if (part > 0.0 && part < 1.0) {
            ret_wrench[impulse->axis] += impulse->amplitude * sin(PI * part);
        }
    }
    for (size_t axis = 0; axis < DPL_SIX; axis++) {
        const struct force_random *random = &source->random[axis];
        for (size_t i = 0; random->amplitude > 0.0 && i < FORCE_TONES; i++) {
            const struct force_tone *tone = &random->tones[i];
            ret_wrench[axis] += random->amplitude * sin(tone->rate_rad_s * t_s + tone->phase_rad);
        }
    }
}
