/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a study, and how they are printed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/hash.h>

#include "number.h"
#include "over_time.h"
#include "store.h"
#include "words.h"

static uint64_t identity_of(uint64_t common, const struct sweep_row *row, size_t n_values)
{
    uint64_t hash = dpl_hash_more(DPL_HASH_NONE, &common, sizeof common);
    hash = dpl_hash_more(hash, &row->seed, sizeof row->seed);
    for (size_t i = 0; i < n_values; i++) {
        hash = dpl_hash_more(hash, row->values[i], strlen(row->values[i]) + 1);
    }
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return dpl_hash_more(hash, text, strlen(text) + 1);
}

/* What all runs have in common, as the study says it. */
static uint64_t hash_study(const struct sweep_study *study, uint64_t closure)
{
    uint64_t hash = dpl_hash_more(DPL_HASH_NONE, &closure, sizeof closure);
    hash = dpl_hash_more(hash, &study->duration_s, sizeof study->duration_s);
    for (size_t i = 0; i < study->n_binds; i++) {
        hash = hash_text(hash, study->binds[i]);
    }
    for (size_t i = 0; i < study->n_sets; i++) {
        hash = hash_text(hash_text(hash, study->sets[i].path), study->sets[i].value);
    }
    for (size_t i = 0; i < study->n_varies; i++) {
        hash = hash_text(hash_text(hash, study->varies[i].path), study->varies[i].unit);
    }
    for (size_t i = 0; i < study->n_measures; i++) {
        const struct sweep_measure *measure = &study->measures[i];
        hash = hash_text(hash, measure->value);
        if (measure->reduce != SWEEP_LAST) {
            hash = dpl_hash_more(hash, &measure->reduce, sizeof measure->reduce);
            hash = dpl_hash_more(hash, &measure->after_s, sizeof measure->after_s);
        }
    }
    for (size_t i = 0; i < study->n_stops; i++) {
        hash = hash_text(hash, study->stops[i].when);
    }
    if (sweep_over_time_matters(study)) {
        hash = dpl_hash_more(hash, &study->every_s, sizeof study->every_s);
    }
    return hash;
}

/* The values of a point, the same texts for its replicates. */
static const char *const *values_of(struct sweep_table *table, const double *points, size_t point)
{
    const struct sweep_study *study = &table->study;
    if (study->design.type == SWEEP_LIST) {
        return study->points + point * study->n_varies;
    }
    const char **values = dpl_arena_alloc(&table->arena, (study->n_varies + 1) * sizeof *values);
    for (size_t i = 0; i < study->n_varies; i++) {
        char text[SWEEP_VALUE_SIZE];
        sweep_value(study, i, points + point * study->n_varies, text);
        values[i] = dpl_arena_strdup(&table->arena, text);
    }
    return values;
}

int sweep_table_make(struct sweep_table *table, uint64_t closure)
{
    const struct sweep_study *study = &table->study;
    size_t n = study->design.n_points;
    uint64_t common = hash_study(study, closure);
    double *points = calloc(n * study->n_varies + 1, sizeof *points);
    int err = !points                            ? -ENOMEM
              : study->design.type == SWEEP_LIST ? 0
                                                 : sweep_design_points(&study->design, points);
    table->closure = closure;
    table->n = err < 0 ? 0 : n * study->replicates;
    table->rows = dpl_arena_alloc(&table->arena, (table->n + 1) * sizeof *table->rows);
    for (size_t i = 0; i < table->n; i++) {
        struct sweep_row *row = &table->rows[i];
        row->id = i + 1;
        row->point = i / study->replicates;
        row->replicate = i % study->replicates;
        row->seed = sweep_seed(study->design.seed, row->id, "run");
        row->values = row->replicate > 0 ? row[-1].values : values_of(table, points, row->point);
        row->identity = identity_of(common, row, study->n_varies);
    }
    free(points);
    return err;
}

void sweep_table_finish(struct sweep_table *table)
{
    sweep_study_finish(&table->study);
    dpl_arena_finish(&table->arena);
    table->rows = NULL;
    table->n = 0;
}

/* ---- CSV ---- */

static void print_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        fprintf(stream, *c == '"' ? "\"\"" : "%c", *c);
    }
    fputc('"', stream);
}

/* Nothing for a value that there is not. */
static void print_number(FILE *stream, double value)
{
    char text[64] = "";
    if (isfinite(value)) {
        dpl__number_write(value, text, sizeof text);
    }
    fprintf(stream, ",%s", text);
}

static void print_result(const struct sweep_table *table, const struct sweep_result *result,
                         FILE *stream)
{
    const char *list = SWEEP_STATUSES;
    char word[DPL__WORD_MAX] = "";
    for (int i = 0; result && i <= (int)result->status; i++) {
        list = dpl__word_next(list, word);
    }
    fprintf(stream, ",%s,", word);
    print_text(stream, result ? result->verdict : "");
    print_number(stream, result ? result->duration_s : (double)NAN);
    for (size_t i = 0; i < table->study.n_measures; i++) {
        print_number(stream, result ? result->measures[i] : (double)NAN);
    }
    fputc(',', stream);
    print_text(stream, result ? result->text : "");
    print_number(stream, result ? result->wall_s : (double)NAN);
    fputc('\n', stream);
}

void sweep_table_print(const struct sweep_table *table, FILE *stream)
{
    const struct sweep_study *study = &table->study;
    fputs("id,point,replicate,seed,identity", stream);
    for (size_t i = 0; i < study->n_varies; i++) {
        fputc(',', stream);
        print_text(stream, study->varies[i].path);
    }
    fputs(",status,verdict,duration_s", stream);
    for (size_t i = 0; i < study->n_measures; i++) {
        fprintf(stream, ",%s", study->measures[i].name);
    }
    fputs(",text,run_wall\n", stream);
    for (size_t i = 0; i < table->n; i++) {
        const struct sweep_row *row = &table->rows[i];
        fprintf(stream, "%llu,%llu,%llu,%llu,%016llx", (unsigned long long)row->id,
                (unsigned long long)row->point, (unsigned long long)row->replicate,
                (unsigned long long)row->seed, (unsigned long long)row->identity);
        for (size_t k = 0; k < study->n_varies; k++) {
            fputc(',', stream);
            print_text(stream, row->values[k]);
        }
        print_result(table, row->result, stream);
    }
}
