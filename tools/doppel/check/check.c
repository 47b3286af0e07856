/* SPDX-License-Identifier: Apache-2.0 */
/* doppel check: checks profiles, worlds, robots, mechanisms, state machines and studies without
 * running them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/bench_file.h>
#include <doppel/host/runtime.h>
#include <doppel/sim/check.h>
#include <doppel/sim/host.h>
#include <doppel/sim/load.h>
#include <doppel/state_machine.h>

#include "arena.h"
#include "check_output.h"
#include "commands.h"
#include "common.h"
#include "file_bytes.h"
#include "sim_world.h"
#include "status_row.h"
#include "subject.h"
#include "xml_reader.h"

struct values {
    struct option_list bind, set, param;
    const char *format;
    bool resolve, strict, quiet;
};

/* Names that the diagnostics of one file refer to. */
struct checked {
    struct dpl_arena arena;
    struct dpl_app *app;
    struct sweep_study study;
    const char *file;  /* as it was found; NULL: it was not */
    const char *about; /* lines about the file; NULL: none */
};

struct counts {
    size_t errors, warnings;
};

/* Of the worlds of a rehearsal: what is told names a file that is gone with its world. */
static struct {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
} warned;

static void keep_file(struct dpl_diag *inout)
{
    inout->place.file =
        inout->place.file ? dpl_arena_strdup(warned.arena, inout->place.file) : NULL;
}

static void take_warning(const struct dpl_diag *warning)
{
    struct dpl_diag kept = *warning;
    keep_file(&kept);
    dpl_diags_add_diag(warned.diags, &kept);
}

/* What components and drivers have said in a rehearsal, "[    0.000] warn SOURCE: TEXT" a line, are
 * warnings of the application. */
static void take_log(char *log, const char *file, struct dpl_diags *diags)
{
    static const char mark[] = "] warn ";
    for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
        const char *text = strstr(line, mark);
        if (text) {
            dpl_diags_add(diags, DPL_SEVERITY_WARNING, (struct dpl_place){.file = file}, "%s",
                          text + strlen(mark));
        }
    }
}

static int rehearse_with(const struct dpl_app *app, struct dpl_sim_host *host, FILE *log,
                         struct dpl_diag *reterr)
{
    struct dpl_runtime_options options = {
        .seed = 1, .log = log, .log_level = DPL_LOG_WARN, .world = dpl_sim_host_interface(host)};
    return dpl_runtime_rehearse(app, &options, reterr);
}

/* Rehearses a run up to its first cycle: worlds, robots, and checks of components and drivers. What
 * a run would warn of until then is a warning. */
static int rehearse(struct dpl_catalog *catalog, struct checked *checked, struct dpl_diags *diags,
                    struct dpl_diag *reterr)
{
    const struct dpl_app *app = checked->app;
    struct dpl_sim_host_options host_options = {.world = app->world,
                                                .properties = app->world_properties,
                                                .n_properties = app->n_world_properties,
                                                .seed = 1,
                                                .catalog = catalog,
                                                .warn = take_warning};
    char *said = NULL;
    size_t size;
    warned.arena = &checked->arena;
    warned.diags = diags;
    struct dpl_sim_host *host = dpl_sim_host_create(&host_options);
    FILE *log = open_memstream(&said, &size);
    int err = host && log ? rehearse_with(app, host, log, reterr) : -ENOMEM;
    if (log && fclose(log) == 0) {
        take_log(said, checked->file, diags);
    }
    free(said);
    keep_file(reterr);
    dpl_sim_host_destroy(host);
    return err;
}

static int check_state_machine(struct dpl_arena *arena, const char *file, struct dpl_diags *diags)
{
    struct dpl_state_machine *machine = NULL;
    int err = dpl_state_machine_read(dpl_arena_strdup(arena, file), diags, &machine);
    dpl_state_machine_destroy(machine);
    return err;
}

/* A study with all that it names. */
static int check_study(struct dpl_catalog *catalog, struct checked *checked,
                       struct dpl_diags *diags)
{
    struct sweep_subject subject = {0};
    char *bytes = NULL;
    size_t n = 0;
    int opened, err = dpl_file_bytes(checked->file, DPL_XML_BYTES_MAX, &bytes, &n, &opened);
    err = err < 0 ? err : sweep_study_read(checked->file, bytes, n, &checked->study, diags);
    err = err < 0 ? err : sweep_subject_open(&subject, &checked->study, catalog, diags);
    sweep_subject_close(&subject);
    free(bytes);
    return err;
}

static bool is_application(const char *root)
{
    return strcmp(root, "package_profile") == 0 || strcmp(root, "application_profile") == 0;
}

/* An application that is not complete, because a binding is missing, cannot be rehearsed: that is
 * an error only if it is to be (`must`). */
static int rehearse_app(struct dpl_catalog *catalog, struct checked *checked,
                        const struct dpl_app_options *options, bool must, struct dpl_diags *diags)
{
    struct dpl_diags again = {0}; /* its warnings were already printed */
    struct dpl_diag error = {0};
    int err = dpl_app_load(checked->file, options, catalog, &checked->app, &again);
    dpl_diags_finish(&again);
    err = err < 0 ? err : rehearse(catalog, checked, diags, &error);
    if (err < 0 && must && error.text[0] != '\0') {
        dpl_diags_add_diag(diags, &error);
    }
    return must ? err : 0;
}

/* The bench, and the application that it repeats. */
static int check_bench(struct dpl_catalog *catalog, const char *file, const struct values *values,
                       struct dpl_diags *diags)
{
    struct dpl_bench *bench;
    struct dpl_diag error = {0};
    int err = dpl_bench_read(file, &bench, diags);
    if (err < 0) {
        return err;
    }
    struct dpl_app_options options = {.bindings = bench->bindings,
                                      .n_bindings = bench->n_bindings,
                                      .sets = bench->sets,
                                      .n_sets = bench->n_sets};
    const char *application = cli_find(catalog, "apps", bench->application, &error);
    if (application) {
        err = dpl_check_profile(application, &options, values->strict ? DPL_CHECK_STRICT : 0,
                                catalog, diags, NULL);
    } else {
        error.place = (struct dpl_place){.file = file, .line = 2, .column = 1};
        dpl_diags_add_diag(diags, &error);
        err = -ENOENT;
    }
    dpl_bench_destroy(bench);
    return err;
}

static int check_one(struct dpl_catalog *catalog, struct checked *checked, const char *name,
                     const struct values *values, struct dpl_diags *diags)
{
    struct dpl_diag error = {0};
    const char *file = cli_find(catalog, NULL, name, &error);
    if (!file) {
        dpl_diags_add_diag(diags, &error);
        return -ENOENT;
    }
    checked->file = file;
    struct dpl_app_options options = {
        .bindings = values->bind.items,
        .n_bindings = values->bind.n,
        .sets = values->set.items,
        .n_sets = values->set.n,
    };
    unsigned flags =
        (values->resolve ? DPL_CHECK_RESOLVE : 0u) | (values->strict ? DPL_CHECK_STRICT : 0u);
    char root[64] = "";
    int err = dpl_sim_knows_file(file, catalog)
                  ? -EMEDIUMTYPE
                  : dpl_check_profile(file, &options, flags, catalog, diags, root);
    if (err == -EMEDIUMTYPE && strcmp(root, "bench") == 0 && values->param.n == 0) {
        return check_bench(catalog, file, values, diags);
    }
    if (err == -EMEDIUMTYPE && strcmp(root, "state_machine") == 0 && values->param.n == 0) {
        return check_state_machine(&checked->arena, file, diags);
    }
    if (err == -EMEDIUMTYPE && strcmp(root, "study") == 0 && values->param.n == 0) {
        return check_study(catalog, checked, diags);
    }
    if (err == -EMEDIUMTYPE) {
        struct dpl_sim_load_options load = {
            .catalog = catalog,
            .params = sim_sets(&checked->arena, "param", &values->param),
            .n_params = values->param.n,
            .absent_is_warning = !values->resolve,
        };
        return dpl_sim_check(&checked->arena, file, root, &load, diags, &checked->about);
    }
    if (values->param.n > 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = file},
                      "is not a world, robot or mechanism: only these have parameters (--param)");
        return -EINVAL;
    }
    return err < 0 || !is_application(root)
               ? err
               : rehearse_app(catalog, checked, &options, values->resolve, diags);
}

static void check_and_add(struct dpl_catalog *catalog, const char *name,
                          const struct values *values, struct check_output *output,
                          struct counts *counts)
{
    struct dpl_diags diags = {0};
    struct checked checked = {0};
    bool says_more = output->format == CHECK_TEXT && !values->quiet;
    int err = check_one(catalog, &checked, name, values, &diags);
    if (err < 0 && diags.n_errors == 0) {
        dpl_diags_add(&diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = name},
                      "cannot be checked: %s", strerror(-err));
    }
    if (diags.n > 0 || checked.about) {
        status_row_hide();
    }
    check_output_add(output, checked.file ? checked.file : name, &diags);
    if (checked.about && says_more) {
        fputs(checked.about, stdout);
    }
    counts->errors += diags.n_errors;
    counts->warnings += diags.n_warnings;
    dpl_diags_finish(&diags);
    dpl_app_destroy(checked.app);
    sweep_study_finish(&checked.study);
    dpl_arena_finish(&checked.arena);
}

static int run(int argc, char **argv)
{
    struct values values = {.format = check_format_names[CHECK_TEXT]};
    int n = options_parse(&command_check, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    size_t n_formats = 0;
    while (check_format_names[n_formats]) {
        n_formats++;
    }
    int format = cli_choose("check --format", values.format, check_format_names, n_formats);
    if (format < 0) {
        return DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("check");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct check_output output = {.format = (enum check_format)format};
    struct counts counts = {0};
    if (n > 1) {
        status_row_begin();
    }
    for (int i = 1; i <= n; i++) {
        status_row_count((size_t)i - 1, (size_t)n, "files checked");
        check_and_add(catalog, argv[i], &values, &output, &counts);
    }
    status_row_end();
    if (format == CHECK_TEXT && !values.quiet) {
        printf("%d file%s: %zu error%s, %zu warning%s\n", n, n == 1 ? "" : "s", counts.errors,
               counts.errors == 1 ? "" : "s", counts.warnings, counts.warnings == 1 ? "" : "s");
    }
    dpl_catalog_destroy(catalog);
    bool bad = counts.errors > 0 || (values.strict && counts.warnings > 0);
    int code = bad ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    if (check_output_finish(&output, code) < 0) {
        fprintf(stderr, "doppel check: the output is not complete: out of memory\n");
        return DPL_EXIT_FAULT;
    }
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0, "check applications under a binding", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0, "check applications with an override", NULL},
    {"param", "NAME=VALUE", OPTION_LIST, V(param), 0, 0,
     "check worlds, robots and mechanisms with this value of a parameter (<Param>) of the file",
     NULL},
    {"resolve", NULL, OPTION_FLAG, V(resolve), 0, 0,
     "require a complete application, as for run: a missing property, file or plugin is an error; "
     "worlds are loaded, hardware is not opened",
     NULL},
    {"strict", NULL, OPTION_FLAG, V(strict), 0, 0, "warnings count as errors", NULL},
    {"format", "FORMAT", OPTION_STRING, V(format), 0, 0,
     "output format: text; gcc (one line for each error, warning and note, for problem matchers); "
     "json (LSP's diagnostics by file); sarif (2.1.0). All formats but text go to stdout",
     "text|gcc|json|sarif"},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0, "print errors and warnings only", NULL},
};

const struct command command_check = {
    .name = "check",
    .operands = "PROFILE...",
    .summary = "checks profiles, worlds, robots, mechanisms, state machines and studies without "
               "running them",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 10000,
    .more = "Exit codes: 0 clean, 1 errors, 2 usage, 3 the output could not be written.\n",
    .run = run,
};
