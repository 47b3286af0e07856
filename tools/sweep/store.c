/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite, and nothing of it elsewhere. */
#include "store.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number.h"
#include "words.h"

enum { PATH_BYTES = 4096 };
#define FORMAT "1" /* of the tables */

static const struct dpl_place nowhere;

static int fail(sqlite3 *db, const char *file, struct dpl_diag *reterr)
{
    int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    return dpl_fail(reterr, code == SQLITE_FULL || code == SQLITE_IOERR ? -EIO : -EINVAL, nowhere,
                    "%s: %s", file, db ? sqlite3_errmsg(db) : "out of memory");
}

static bool execute(sqlite3 *db, const char *text)
{
    return sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* A statement that is stepped once; its values are bound as texts. */
static bool put(sqlite3 *db, const char *key, const void *value, size_t n)
{
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(db, "INSERT OR REPLACE INTO study VALUES (?, ?)", -1, &statement,
                                   NULL) == SQLITE_OK &&
                sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_bind_text(statement, 2, value, (int)n, SQLITE_STATIC) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
}

/* A name of a column in quotation marks. */
static void write_name(FILE *stream, const char *name)
{
    fputs(", \"", stream);
    for (const char *c = name; *c; c++) {
        fprintf(stream, *c == '"' ? "\"\"" : "%c", *c);
    }
    fputc('"', stream);
}

/* "CREATE TABLE runs (...)"; or with `is_update` the statement that fills in a result. The caller
 * frees it. */
static char *write_statement(const struct sweep_study *study, bool is_update)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return NULL;
    }
    if (is_update) {
        fputs("UPDATE runs SET status = ?2, verdict = ?3, duration_s = ?4, text = ?5, run_wall = "
              "?6",
              stream);
        for (size_t i = 0; i < study->n_measures; i++) {
            write_name(stream, study->measures[i].name);
            fprintf(stream, " = ?%zu", i + 7);
        }
        fputs(" WHERE id = ?1", stream);
    } else {
        fputs("CREATE TABLE runs (id INTEGER PRIMARY KEY, point INTEGER, replicate INTEGER, seed "
              "INTEGER, identity TEXT",
              stream);
        for (size_t i = 0; i < study->n_varies; i++) {
            write_name(stream, study->varies[i].path);
        }
        fputs(", status TEXT, verdict TEXT, duration_s REAL, text TEXT, run_wall REAL", stream);
        for (size_t i = 0; i < study->n_measures; i++) {
            write_name(stream, study->measures[i].name);
        }
        fputs(")", stream);
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A number as a number, so that whoever reads the table need not convert it. */
static void bind_value(sqlite3_stmt *statement, int at, const char *value)
{
    double number;
    const char *end = dpl__number_read(value, &number);
    if (end && *end == '\0') {
        sqlite3_bind_double(statement, at, number);
    } else {
        sqlite3_bind_text(statement, at, value, -1, SQLITE_STATIC);
    }
}

static void bind_number(sqlite3_stmt *statement, int at, double value)
{
    if (isfinite(value)) {
        sqlite3_bind_double(statement, at, value);
    } else {
        sqlite3_bind_null(statement, at);
    }
}

static bool insert_rows(sqlite3 *db, const struct sweep_table *table)
{
    char text[128 + 2 * SWEEP_DIMENSIONS_MAX * 2], identity[24];
    size_t n = table->study.n_varies;
    int at = snprintf(text, sizeof text, "INSERT INTO runs VALUES (?, ?, ?, ?, ?");
    for (size_t i = 0; i < n; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, ", ?");
    }
    /* the results: NULL */
    sqlite3_str *all = sqlite3_str_new(db);
    sqlite3_str_appendall(all, text);
    for (size_t i = 0; i < 5 + table->study.n_measures; i++) {
        sqlite3_str_appendall(all, ", NULL");
    }
    sqlite3_str_appendall(all, ")");
    char *sql = sqlite3_str_finish(all);
    sqlite3_stmt *statement = NULL;
    bool done = sql && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    for (size_t i = 0; done && i < table->n; i++) {
        const struct sweep_row *row = &table->rows[i];
        snprintf(identity, sizeof identity, "%016" PRIx64, row->identity);
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)row->id);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)row->point);
        sqlite3_bind_int64(statement, 3, (sqlite3_int64)row->replicate);
        sqlite3_bind_int64(statement, 4, (sqlite3_int64)row->seed);
        sqlite3_bind_text(statement, 5, identity, -1, SQLITE_TRANSIENT);
        for (size_t k = 0; k < n; k++) {
            bind_value(statement, (int)(6 + k), row->values[k]);
        }
        done = sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
    }
    sqlite3_finalize(statement);
    return done;
}

static bool fill(sqlite3 *db, const struct sweep_table *table, const void *bytes, size_t n_bytes)
{
    char closure[24], *create = write_statement(&table->study, false);
    snprintf(closure, sizeof closure, "%016" PRIx64, table->closure);
    bool done = create && execute(db, "BEGIN") &&
                execute(db, "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT)") &&
                execute(db, create) && put(db, "format", FORMAT, strlen(FORMAT)) &&
                put(db, "closure", closure, strlen(closure)) &&
                put(db, "file", table->study_file, strlen(table->study_file)) &&
                put(db, "xml", bytes, n_bytes);
    for (size_t i = 0; done && i < table->study.n_binds; i++) {
        char key[32];
        snprintf(key, sizeof key, "bind%zu", i);
        done = put(db, key, table->study.binds[i], strlen(table->study.binds[i]));
    }
    free(create);
    return done && insert_rows(db, table) && execute(db, "COMMIT");
}

int sweep_store_write(const struct sweep_table *table, const void *bytes, size_t n_bytes,
                      const char *file, struct dpl_diag *reterr)
{
    char part[PATH_BYTES];
    sqlite3 *db = NULL;
    if (snprintf(part, sizeof part, "%s.part", file) >= (int)sizeof part) {
        return dpl_fail(reterr, -ENAMETOOLONG, nowhere, "%s: the name is too long", file);
    }
    unlink(part);
    int err = 0;
    if (sqlite3_open(part, &db) != SQLITE_OK || !fill(db, table, bytes, n_bytes)) {
        err = fail(db, part, reterr);
    }
    sqlite3_close(db);
    if (err == 0 && rename(part, file) < 0) {
        err = dpl_fail(reterr, -errno, nowhere, "%s: %s", file, strerror(errno));
    }
    if (err < 0) {
        unlink(part);
    }
    return err;
}

/* ---- reading ---- */

/* The text of a key, in the arena; NULL: there is none. */
static const char *get(sqlite3 *db, struct dpl_arena *arena, const char *key)
{
    sqlite3_stmt *statement = NULL;
    const char *found = NULL;
    if (sqlite3_prepare_v2(db, "SELECT value FROM study WHERE key = ?", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        found = dpl_arena_strdup(arena, text ? text : "");
    }
    sqlite3_finalize(statement);
    return found;
}

/* Of the rows only what identifies them: seeds and values are computed anew, and compared. */
static bool agrees(sqlite3 *db, const struct sweep_table *table)
{
    sqlite3_stmt *statement = NULL;
    size_t n = 0;
    char identity[24];
    bool same = sqlite3_prepare_v2(db, "SELECT identity FROM runs ORDER BY id", -1, &statement,
                                   NULL) == SQLITE_OK;
    while (same && sqlite3_step(statement) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        snprintf(identity, sizeof identity, "%016" PRIx64,
                 n < table->n ? table->rows[n].identity : 0);
        same = text && strcmp(text, identity) == 0;
        n++;
    }
    sqlite3_finalize(statement);
    return same && n == table->n;
}

/* The bindings of the plan: those of its command line are among them. */
static void read_binds(sqlite3 *db, struct sweep_table *table)
{
    const char **binds = dpl_arena_alloc(&table->arena, 33 * sizeof *binds), *bind;
    char key[32] = "bind0";
    size_t n = 0;
    while (n < 32 && (bind = get(db, &table->arena, key))) {
        binds[n++] = bind;
        snprintf(key, sizeof key, "bind%zu", n);
    }
    table->study.binds = binds;
    table->study.n_binds = n;
}

static int read_plan(sqlite3 *db, const char *file, struct sweep_table *table,
                     struct dpl_diags *diags)
{
    struct dpl_place place = {.file = dpl_arena_strdup(&table->arena, file)};
    const char *format = get(db, &table->arena, "format"), *xml = get(db, &table->arena, "xml");
    const char *closure = get(db, &table->arena, "closure");
    table->study_file = get(db, &table->arena, "file");
    if (!format || strcmp(format, FORMAT) != 0 || !xml || !closure || !table->study_file) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, place,
                      "is no plan of `doppel sweep plan` of this version");
        return -EINVAL;
    }
    int err = sweep_study_read(table->study_file, xml, strlen(xml), &table->study, diags);
    read_binds(db, table);
    err = err < 0 ? err : sweep_table_make(table, strtoull(closure, NULL, 16));
    if (err == 0 && !agrees(db, table)) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, place,
                      "its runs are not those of its study: plan again");
        return -EINVAL;
    }
    return err;
}

int sweep_store_read(const char *file, struct sweep_table *ret_table, struct dpl_diags *diags)
{
    sqlite3 *db = NULL;
    struct dpl_diag error = {0};
    *ret_table = (struct sweep_table){.study_file = ""};
    if (access(file, R_OK) < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR,
                      (struct dpl_place){.file = dpl_arena_strdup(&ret_table->arena, file)},
                      "%s: `doppel sweep plan STUDY --output DB` makes it", strerror(errno));
        return -EINVAL;
    }
    int err = sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
                  ? 0
                  : fail(db, file, &error);
    if (err < 0) {
        dpl_diags_add_diag(diags, &error);
    }
    err = err < 0 ? err : read_plan(db, file, ret_table, diags);
    sqlite3_close(db);
    return err;
}

/* ---- results ---- */

static bool update_row(sqlite3_stmt *statement, const struct sweep_row *row, size_t n_measures)
{
    const struct sweep_result *result = row->result;
    const char *list = SWEEP_STATUSES;
    char word[DPL__WORD_MAX] = "";
    for (int i = 0; i <= (int)result->status; i++) {
        list = dpl__word_next(list, word);
    }
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)row->id);
    sqlite3_bind_text(statement, 2, word, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 3, result->verdict, -1, SQLITE_STATIC);
    bind_number(statement, 4, result->duration_s);
    sqlite3_bind_text(statement, 5, result->text, -1, SQLITE_STATIC);
    bind_number(statement, 6, result->wall_s);
    for (size_t i = 0; i < n_measures; i++) {
        bind_number(statement, (int)(7 + i), result->measures[i]);
    }
    return sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
}

int sweep_store_collect(const struct sweep_table *table, const char *file, struct dpl_diag *reterr)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    char *sql = write_statement(&table->study, true);
    bool done = sql && sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                sqlite3_busy_timeout(db, 10000) == SQLITE_OK && execute(db, "BEGIN IMMEDIATE") &&
                sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK;
    for (size_t i = 0; done && i < table->n; i++) {
        if (table->rows[i].result) {
            done = update_row(statement, &table->rows[i], table->study.n_measures);
        }
    }
    sqlite3_finalize(statement);
    done = done && execute(db, "COMMIT");
    int err = done ? 0 : fail(db, file, reterr);
    sqlite3_close(db);
    free(sql);
    return err;
}
