/* SPDX-License-Identifier: Apache-2.0 */
/* The looks ahead of a run (looks.csv): a fan of paths each, red where it ends in a contact. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "map_series.h"

enum { TIME, ROLLOUT, TOUCHED, X, Y, N_COLUMNS };

static bool find_columns(const struct table *table, int ret_columns[N_COLUMNS])
{
    static const char *const names[N_COLUMNS] = {"t", "rollout", "touched", "x", "y"};
    for (int i = 0; i < N_COLUMNS; i++) {
        ret_columns[i] = table_column(table, names[i]);
        if (ret_columns[i] < 0) {
            return false;
        }
    }
    return true;
}

/* Whether a row goes on with the path of the row before. */
static bool goes_on(const struct table *table, size_t row, const int columns[N_COLUMNS])
{
    return row > 0 &&
           table_at(table, row, columns[TIME]) == table_at(table, row - 1, columns[TIME]) &&
           table_at(table, row, columns[ROLLOUT]) == table_at(table, row - 1, columns[ROLLOUT]);
}

/* Paths with breaks between them: up to two points a row. */
static size_t collect_paths(const struct table *table, const int columns[N_COLUMNS], bool touched,
                            double *x, double *y)
{
    size_t n = 0;
    for (size_t row = 0; row < table->n_rows; row++) {
        if ((table_at(table, row, columns[TOUCHED]) > 0.0) != touched) {
            continue;
        }
        if (n > 0 && !goes_on(table, row, columns)) {
            x[n] = (double)NAN, y[n++] = (double)NAN;
        }
        x[n] = table_at(table, row, columns[X]);
        y[n++] = table_at(table, row, columns[Y]);
    }
    return n;
}

static void add_paths(struct map *map, const struct table *table, const int columns[N_COLUMNS],
                      bool touched)
{
    size_t most = 2 * table->n_rows + 1;
    double *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);
    size_t n = x && y ? collect_paths(table, columns, touched, x, y) : 0;
    const char *label = touched ? "looks ahead that end in a contact" : "looks ahead";
    struct series *series = map_add(map, n > 0 ? label : NULL, x, y, n);
    series->color = touched ? "#d93025" : "#80868b";
    series->width = 0.9;
}

void map_add_looks(struct map *map)
{
    char path[4096];
    struct table table;
    int columns[N_COLUMNS];
    snprintf(path, sizeof path, "%s/looks.csv", map->result->folder);
    if (table_read(path, &table, NULL) < 0) {
        return;
    }
    if (find_columns(&table, columns) && table.n_rows > 0) {
        add_paths(map, &table, columns, false);
        add_paths(map, &table, columns, true);
        map->has_looks = true;
    }
    table_finish(&table);
}
