/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sweep rerun: one run of a study as a command of its own, which is printed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>

#include "commands.h"
#include "common.h"
#include "observe.h"
#include "sweep.h"

enum { WORDS_MAX = 512, PATH_BYTES = 4096 };

struct line {
    struct dpl_arena arena;
    char *words[WORDS_MAX + 1];
    int n;
};

static void add(struct line *line, const char *word)
{
    if (word && line->n < WORDS_MAX) {
        line->words[line->n++] = dpl_arena_strdup(&line->arena, word);
    }
}

static void add_pair(struct line *line, const char *option, const char *value)
{
    if (value) {
        add(line, option);
        add(line, value);
    }
}

/* As a shell reads them. */
static void print_line(const struct line *line)
{
    printf("doppel");
    for (int i = 0; i < line->n; i++) {
        const char *word = line->words[i];
        bool is_plain = *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS"
                                                   "TUVWXYZ0123456789_-+=./:,%@")] == '\0';
        printf(is_plain ? " %s" : " '%s'", word);
    }
    printf("\n");
    fflush(stdout);
}

/* Values of a world are given by a binding: the command line has none for them. */
static int write_binding(const struct sweep_table *table, const struct sweep_row *row,
                         const char *file, struct dpl_diag *reterr)
{
    const struct sweep_study *study = &table->study;
    struct dpl_output output = {0};
    int err = dpl_output_open(&output, file, reterr);
    if (err < 0) {
        return err;
    }
    fprintf(output.stream,
            "<binding_profile>\n  <name>run_%llu</name>\n  <description>A run of a study, by "
            "doppel sweep rerun</description>\n  <world_properties>\n",
            (unsigned long long)row->id);
    for (size_t i = 0; i < study->n_sets + study->n_varies; i++) {
        bool is_set = i < study->n_sets;
        const struct sweep_vary *vary = is_set ? NULL : &study->varies[i - study->n_sets];
        const char *path = is_set ? study->sets[i].path : vary->path;
        const char *text = is_set ? study->sets[i].value : row->values[i - study->n_sets];
        const char *dot = strrchr(path, '.');
        if ((is_set ? study->sets[i].target : vary->target) != SWEEP_TO_WORLD) {
            continue;
        }
        fprintf(output.stream, "    <property entry=\"%.*s\" name=\"%s\">%s%s%s</property>\n",
                (int)(dot - path), path, dot + 1, text, vary && *vary->unit ? " " : "",
                vary ? vary->unit : "");
    }
    fprintf(output.stream, "  </world_properties>\n</binding_profile>\n");
    return dpl_output_close(&output, reterr);
}

static bool changes_world(const struct sweep_study *study)
{
    bool changes = false;
    for (size_t i = 0; i < study->n_varies; i++) {
        changes = changes || study->varies[i].target == SWEEP_TO_WORLD;
    }
    for (size_t i = 0; i < study->n_sets; i++) {
        changes = changes || study->sets[i].target == SWEEP_TO_WORLD;
    }
    return changes;
}

/* As options of the command: --set, or --param. */
static void add_values(struct line *line, const struct sweep_study *study,
                       const struct sweep_row *row)
{
    bool is_world = study->about == SWEEP_WORLD;
    for (size_t i = 0; i < study->n_sets; i++) {
        const struct sweep_set *set = &study->sets[i];
        if (is_world || set->target == SWEEP_TO_PROPERTY) {
            add(line, set->target == SWEEP_TO_PARAM ? "--param" : "--set");
            add(line, dpl_arena_printf(&line->arena, "%s=%s", set->path, set->value));
        }
    }
    for (size_t i = 0; i < study->n_varies; i++) {
        const struct sweep_vary *vary = &study->varies[i];
        if (is_world || vary->target == SWEEP_TO_PROPERTY) {
            add(line, vary->target == SWEEP_TO_PARAM ? "--param" : "--set");
            add(line, sweep_set_text(&line->arena, vary, row->values[i]));
        }
    }
}

/* A run that was stopped ended after the cycle of that time: one without stops goes as far. */
static double duration_of(const struct sweep_study *study, const struct sweep_row *row)
{
    bool was_stopped = row->result && strcmp(row->result->verdict, SWEEP_STOPPED) == 0;
    return was_stopped ? row->result->duration_s + 1e-9 : study->duration_s;
}

static int repeat(const struct sweep_table *table, const struct sweep_row *row,
                  const struct sweep_subject *subject, const char *store,
                  const struct sweep_values *values)
{
    const struct sweep_study *study = &table->study;
    static const struct command *const commands_of[] = {[SWEEP_APPLICATION] = &command_run,
                                                        [SWEEP_BENCH] = &command_bench,
                                                        [SWEEP_WORLD] = &command_sim};
    const struct command *command = commands_of[study->about];
    struct line line = {0};
    struct dpl_diag error = {0};
    char *binding =
        dpl_arena_printf(&line.arena, "%s.run%llu.xml", store, (unsigned long long)row->id);
    add(&line, command->name);
    add(&line, subject->file);
    for (size_t i = 0; i < study->n_binds; i++) {
        add_pair(&line, "--bind", study->binds[i]);
    }
    if (study->about != SWEEP_WORLD) {
        add_pair(&line, "--clock", "sim");
        if (changes_world(study)) {
            if (write_binding(table, row, binding, &error) < 0) {
                dpl_diag_print(stderr, &error);
                return DPL_EXIT_BAD_INPUT;
            }
            add_pair(&line, "--bind",
                     strchr(binding, '/') ? binding
                                          : dpl_arena_printf(&line.arena, "./%s", binding));
        }
    }
    add_values(&line, study, row);
    add_pair(&line, "--seed", dpl_arena_printf(&line.arena, "%llu", (unsigned long long)row->seed));
    double duration_s = duration_of(study, row);
    if (duration_s > 0.0) {
        add_pair(&line, study->about == SWEEP_WORLD ? "--run" : "--duration",
                 dpl_arena_printf(&line.arena, "%.12g", duration_s));
    }
    add_pair(&line, "--out", values->out);
    add_pair(&line, "--record", values->record);
    if (values->view != OBSERVE_NO_PORT) {
        add_pair(&line, "--view", dpl_arena_printf(&line.arena, "%d", values->view));
    }
    print_line(&line);
    cli_keep_command(line.n, line.words);
    return command->run(line.n, line.words);
}

int sweep_rerun(const char *store, const char *id, const struct sweep_values *values)
{
    struct sweep_table table;
    struct sweep_subject subject = {0};
    struct dpl_catalog *catalog = cli_open_catalog("sweep");
    char *end;
    unsigned long long number = strtoull(id, &end, 10);
    bool is_ready =
        sweep_read(store, &table, NULL) && catalog && sweep_open(&table, catalog, &subject);
    int code = DPL_EXIT_BAD_INPUT;
    if (is_ready && (*end != '\0' || number < 1 || number > table.n)) {
        fprintf(stderr, "doppel sweep rerun: found run '%.40s', expected 1 to %zu\n", id, table.n);
    } else if (is_ready) {
        code = repeat(&table, &table.rows[number - 1], &subject, store, values);
    }
    sweep_subject_close(&subject);
    sweep_table_finish(&table);
    dpl_catalog_destroy(catalog);
    return code;
}
