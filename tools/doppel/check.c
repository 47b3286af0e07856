/* SPDX-License-Identifier: Apache-2.0 */
/* doppel check: finds what is wrong with profiles, worlds and robots without running them. */
#include <errno.h>
#include <stdio.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/check.h>
#include <doppel/sim/load.h>

#include "arena.h"
#include "commands.h"
#include "common.h"

struct values {
    struct option_list bind, set;
    bool resolve, strict, quiet;
};

static int check_one(struct dpl_catalog *catalog, struct dpl_arena *arena, const char *name,
                     const struct values *values, struct dpl_diags *diags)
{
    struct dpl_diag error = {0};
    const char *file = cli_find(catalog, NULL, name, &error);
    if (!file) {
        dpl_diags_add_diag(diags, &error);
        return -ENOENT;
    }
    struct dpl_app_options options = {
        .bindings = values->bind.items,
        .n_bindings = values->bind.n,
        .sets = values->set.items,
        .n_sets = values->set.n,
    };
    unsigned flags =
        (values->resolve ? DPL_CHECK_RESOLVE : 0u) | (values->strict ? DPL_CHECK_STRICT : 0u);
    char root[64];
    int err = dpl_check_profile(file, &options, flags, catalog, diags, root);
    struct dpl_sim_load_options load = {.catalog = catalog, .absent_is_warning = !values->resolve};
    return err == -EMEDIUMTYPE ? dpl_sim_check(arena, file, root, &load, diags) : err;
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n = options_parse(&command_check, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("check");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    size_t n_errors = 0, n_warnings = 0;
    for (int i = 1; i <= n; i++) {
        struct dpl_diags diags = {0};
        struct dpl_arena arena = {0}; /* names in the findings */
        int err = check_one(catalog, &arena, argv[i], &values, &diags);
        cli_print_diags(&diags);
        n_errors += diags.n_errors + (err < 0 && diags.n_errors == 0);
        n_warnings += diags.n_warnings;
        dpl_diags_finish(&diags);
        dpl_arena_finish(&arena);
    }
    if (!values.quiet) {
        printf("%d file%s: %zu error%s, %zu warning%s\n", n, n == 1 ? "" : "s", n_errors,
               n_errors == 1 ? "" : "s", n_warnings, n_warnings == 1 ? "" : "s");
    }
    dpl_catalog_destroy(catalog);
    bool bad = n_errors > 0 || (values.strict && n_warnings > 0);
    return bad ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0, "check applications under a binding", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0, "check applications with an override", NULL},
    {"resolve", NULL, OPTION_FLAG, V(resolve), 0, 0,
     "the application must be complete, as for run: what it lacks or this machine lacks is an "
     "error",
     NULL},
    {"strict", NULL, OPTION_FLAG, V(strict), 0, 0, "warnings count as errors", NULL},
    {"quiet", NULL, OPTION_FLAG, V(quiet), 0, 0, "no closing line", NULL},
};

const struct command command_check = {
    .name = "check",
    .operands = "PROFILE...",
    .summary = "checks profiles, worlds and robots without running them",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 10000,
    .more = "Exit codes: 0 clean, 1 errors, 2 usage.\n",
    .run = run,
};
