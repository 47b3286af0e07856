/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sweep plan, run, rerun. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/runtime.h>
#include <doppel/math/random.h>
#include <doppel/output.h>
#include <doppel/system_clock.h>
#include <doppel/time.h>

#include "chunk.h"
#include "commands.h"
#include "common.h"
#include "file_bytes.h"
#include "observe.h"
#include "pool.h"
#include "status_row.h"
#include "sweep.h"
#include "xml_reader.h"

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* ---- plan ---- */

struct probe {
    const struct sweep_subject *subject;
    const struct sweep_row *row;
    struct sweep_outcome outcome;
    bool is_begun;
};

static bool next_probe(void *user, size_t *ret_run)
{
    struct probe *probe = user;
    bool is_first = !probe->is_begun;
    probe->is_begun = true;
    *ret_run = 0;
    return is_first;
}

static void work_probe(void *user, size_t run, void *ret_outcome)
{
    const struct probe *probe = user;
    struct sweep_run first = {probe->row->id, probe->row->seed, probe->row->values};
    (void)run;
    sweep_subject_probe(probe->subject, &first, ret_outcome);
}

static int take_probe(void *user, size_t run, const void *given,
                      const struct sweep_pool_ended *ended)
{
    (void)run;
    sweep_outcome_end(&((struct probe *)user)->outcome, given, ended);
    return 0;
}

/* The first run, for a moment: it can begin, and knows all measures. */
static int probe_first(const struct sweep_table *table, const struct sweep_subject *subject,
                       struct dpl_diags *diags)
{
    struct probe probe = {.subject = subject, .row = &table->rows[0]};
    struct sweep_pool pool = {.n_slots = 1,
                              .time_limit_s = table->study.time_limit_s,
                              .result_size = sizeof(struct sweep_outcome),
                              .next = next_probe,
                              .work = work_probe,
                              .done = take_probe,
                              .user = &probe};
    int err = sweep_pool_run(&pool);
    size_t n_errors = diags->n_errors;
    if (err < 0 || probe.outcome.status != SWEEP_DONE) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, table->study.file_place,
                      "its first run cannot begin: %s",
                      err < 0 ? strerror(-err) : probe.outcome.text);
        return -EINVAL;
    }
    for (size_t i = 0; i < table->study.n_measures; i++) {
        const struct sweep_measure *measure = &table->study.measures[i];
        if (isnan(probe.outcome.measures[i])) {
            dpl_diags_add(diags, DPL_SEVERITY_ERROR, measure->place,
                          "a run gives no number '%.80s'%s", measure->value,
                          diags->n_errors == n_errors ? probe.outcome.text : "");
        }
    }
    return diags->n_errors > n_errors ? -EINVAL : 0;
}

/* Bindings of the command line come after those of the study. */
static int add_binds(struct sweep_table *table, const struct option_list *more)
{
    size_t n = table->study.n_binds;
    const char **binds = dpl_arena_alloc(&table->arena, (n + more->n + 1) * sizeof *binds);
    if (more->n > 0 && table->study.about == SWEEP_WORLD) {
        return -EINVAL;
    }
    memcpy(binds, table->study.binds, n * sizeof *binds);
    memcpy(binds + n, more->items, more->n * sizeof *binds);
    table->study.binds = binds;
    table->study.n_binds = n + more->n;
    return 0;
}

static int make_plan(struct sweep_table *table, struct dpl_catalog *catalog,
                     const struct sweep_values *values, struct dpl_diags *diags)
{
    struct sweep_subject subject = {0};
    int err = add_binds(table, &values->bind);
    if (err < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, table->study.file_place, "a world has no binding");
        return err;
    }
    err = sweep_subject_open(&subject, &table->study, catalog, diags);
    err = err < 0 ? err : sweep_table_make(table, subject.closure);
    err = err < 0 ? err : probe_first(table, &subject, diags);
    sweep_subject_close(&subject);
    return err;
}

static int plan_text(const char *file, const char *bytes, size_t n, struct dpl_catalog *catalog,
                     const struct sweep_values *values)
{
    struct sweep_table table = {0};
    struct dpl_diags diags = {0};
    struct dpl_diag error = {0};
    table.study_file = file;
    int err = sweep_study_read(file, bytes, n, &table.study, &diags);
    err = err < 0 ? err : make_plan(&table, catalog, values, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    int code = err < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    if (err == 0 && sweep_store_write(&table, bytes, n, values->output, &error) < 0) {
        dpl_diag_print(stderr, &error);
        code = DPL_EXIT_BAD_INPUT;
    } else if (err == 0) {
        printf("%zu runs of '%s': %s\n", table.n, table.study.name, values->output);
    }
    sweep_table_finish(&table);
    return code;
}

/* Its name as seen from the root, so that the plan may be used in another folder. */
int sweep_plan(const char *study, const struct sweep_values *values)
{
    struct dpl_diag error = {0};
    struct dpl_catalog *catalog = cli_open_catalog("sweep");
    const char *file = catalog ? cli_find(catalog, "studies", study, &error) : NULL;
    char *bytes = NULL, *path = file ? realpath(file, NULL) : NULL;
    size_t n = 0;
    int opened, code = DPL_EXIT_BAD_INPUT;
    int err = path ? dpl_file_bytes(path, DPL_XML_BYTES_MAX, &bytes, &n, &opened) : -errno;
    if (file && err < 0) {
        dpl_fail(&error, err, (struct dpl_place){.file = file}, "%s", strerror(-err));
    }
    if (error.text[0] != '\0') {
        dpl_diag_print(stderr, &error);
    } else if (path) {
        code = plan_text(path, bytes, n, catalog, values);
    }
    free(bytes);
    free(path);
    dpl_catalog_destroy(catalog);
    return code;
}

/* ---- run ---- */

struct session {
    const struct sweep_table *table;
    const struct sweep_subject *subject;
    struct sweep_chunk chunk;
    size_t *order, n, n_begun, n_done; /* numbers of rows that are missing */
    dpl_ns end;                        /* 0: none */
    bool quiet;
};

static bool next_run(void *user, size_t *ret_run)
{
    struct session *session = user;
    if (session->n_begun == session->n ||
        (session->end > 0 && dpl_monotonic_now() > session->end)) {
        return false;
    }
    *ret_run = session->order[session->n_begun++];
    return true;
}

static void work(void *user, size_t row, void *ret_outcome)
{
    const struct session *session = user;
    const struct sweep_row *at = &session->table->rows[row];
    struct sweep_run run = {at->id, at->seed, at->values};
    sweep_subject_run(session->subject, &run, ret_outcome);
}

static int take(void *user, size_t row, const void *given, const struct sweep_pool_ended *ended)
{
    struct session *session = user;
    struct sweep_outcome outcome;
    if (ended->how == SWEEP_POOL_STOPPED) {
        return 0; /* it is still to be done */
    }
    sweep_outcome_end(&outcome, given, ended);
    session->n_done++;
    if (!session->quiet) {
        status_row_count(session->n_done, session->n, "runs");
    }
    return sweep_chunk_add(&session->chunk, &session->table->rows[row],
                           session->table->study.n_measures, &outcome);
}

static void shuffle(struct session *session)
{
    struct dpl_random rng = dpl_random_seeded((uint64_t)dpl_monotonic_now(), (uint64_t)getpid());
    for (size_t i = session->n; i > 1; i--) {
        size_t k = (size_t)(dpl_random_u64(&rng) % i), kept = session->order[k];
        session->order[k] = session->order[i - 1];
        session->order[i - 1] = kept;
    }
}

/* "3/8": rows are dealt out, so that all parts take as long. */
static bool read_chunk(const char *text, size_t *ret_k, size_t *ret_n)
{
    char *end;
    *ret_k = *ret_n = 1;
    if (!text) {
        return true;
    }
    unsigned long k = strtoul(text, &end, 10), n = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    *ret_k = k;
    *ret_n = n;
    bool is_good = *end == '\0' && k >= 1 && k <= n && n <= SWEEP_RUNS_MAX;
    if (!is_good) {
        fprintf(stderr, "doppel sweep run: --chunk: found '%.40s', expected K/N, K from 1 to N\n",
                text);
    }
    return is_good;
}

static int run_missing(struct session *session, const char *store,
                       const struct sweep_values *values)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = values->jobs > 0 ? values->jobs : processors > 0 ? (size_t)processors : 1;
    struct sweep_pool pool = {.n_slots = n < SWEEP_SLOTS_MAX ? n : SWEEP_SLOTS_MAX,
                              .time_limit_s = session->table->study.time_limit_s,
                              .result_size = sizeof(struct sweep_outcome),
                              .next = next_run,
                              .work = work,
                              .done = take,
                              .same = values->fresh ? NULL : sweep_outcome_same,
                              .user = session,
                              .n_stops = &stopped};
    cli_catch_requests(on_signal, true);
    if (!session->quiet) {
        status_row_begin();
    }
    int err = sweep_pool_run(&pool), closed = sweep_chunk_close(&session->chunk);
    status_row_end();
    err = closed < 0 ? closed : err;
    if (err == -EXDEV) {
        fprintf(stderr,
                "doppel sweep run: a run differs after others in the same process: remove the "
                "results\n  in %s.runs, and use --fresh\n",
                store);
        return DPL_EXIT_FAULT;
    }
    if (err > 0 && !values->quiet) {
        fprintf(stderr, "doppel sweep run: runs differ after others in the same process (a static "
                        "variable in a plugin?): each got a process of its own\n");
    }
    if (err < 0) {
        fprintf(stderr, "doppel sweep run: %s\n", strerror(-err));
        return DPL_EXIT_FAULT;
    }
    if (!values->quiet) {
        printf("%zu runs done, %zu missing here\n", session->n_done, session->n - session->n_done);
    }
    return session->n_done < session->n ? DPL_EXIT_VERDICT : DPL_EXIT_DONE;
}

static int run_chunk(const struct sweep_table *table, const struct sweep_subject *subject,
                     const char *store, const struct sweep_values *values)
{
    struct session session = {.table = table, .subject = subject, .quiet = values->quiet};
    struct dpl_diag error = {0};
    size_t k, n;
    if (!read_chunk(values->chunk, &k, &n)) {
        return DPL_EXIT_USAGE;
    }
    if (sweep_chunk_open(&session.chunk, store, k, n, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    session.order = calloc(table->n + 1, sizeof *session.order);
    for (size_t i = 0; session.order && i < table->n; i++) {
        if (!table->rows[i].result && i % n == k - 1) {
            session.order[session.n++] = i;
        }
    }
    if (values->shuffle) {
        shuffle(&session);
    }
    if (values->limit_s > 0.0) {
        session.end = dpl_monotonic_now() + dpl_ns_from_s(values->limit_s);
    }
    int code = session.order ? run_missing(&session, store, values) : DPL_EXIT_FAULT;
    free(session.order);
    return code;
}

int sweep_run(const char *store, const struct sweep_values *values)
{
    struct sweep_table table;
    struct sweep_subject subject = {0};
    struct dpl_catalog *catalog = cli_open_catalog("sweep");
    bool is_ready =
        sweep_read(store, &table, NULL) && catalog && sweep_open(&table, catalog, &subject);
    int code = is_ready ? run_chunk(&table, &subject, store, values) : DPL_EXIT_BAD_INPUT;
    sweep_subject_close(&subject);
    sweep_table_finish(&table);
    dpl_catalog_destroy(catalog);
    return code;
}
