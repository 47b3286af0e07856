/* SPDX-License-Identifier: Apache-2.0 */
#include "observe.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common.h"
#include "fields.h"
#include "record_files.h"

/* Whether a file is to be in the folder, which may be made later. */
static bool is_in(const char *file, const char *folder)
{
    const char *slash = strrchr(file, '/');
    char of_file[4096];
    struct stat a, b;
    snprintf(of_file, sizeof of_file, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
    size_t n = strlen(of_file);
    return (strncmp(of_file, folder, n) == 0 && folder[n + strspn(folder + n, "/")] == '\0') ||
           (stat(of_file, &a) == 0 && stat(folder, &b) == 0 && a.st_dev == b.st_dev &&
            a.st_ino == b.st_ino);
}

/* A run replaces files in the folder of its results: none of them has this end. */
bool observe_may_record(const char *command, const char *record, const char *out)
{
    const char *end = strrchr(record, '.');
    bool is_within = out && is_in(record, out);
    if (!record[0]) {
        fprintf(stderr, "doppel %s: --record: the name of the file is empty\n", command);
        return false;
    }
    if (is_within && (!end || strcmp(end, ".mcap") != 0)) {
        fprintf(stderr, "doppel %s: --record %s: in the folder of --out its name ends in .mcap\n",
                command, cli_clean(record));
        return false;
    }
    return true;
}

int observe_open(const struct observe_wanted *wanted, struct dpl_runtime_options *options,
                 struct dpl_observe **ret_observe)
{
    struct dpl_diag why = {0};
    int r = dpl_observe_open(&wanted->self, options, ret_observe, &why);
    if (r < 0) {
        fprintf(stderr, "doppel %s: %s\n", wanted->command, why.text);
    } else if (wanted->self.record && wanted->plan) { /* its gateway is the first */
        record_plan_apply(wanted->plan, (void *)(uintptr_t)options->gateways[0].options);
    }
    return r;
}

static void complain(const struct observe_wanted *wanted, const struct dpl_diag *why)
{
    fprintf(stderr, "doppel %s: warning: `doppel ps` does not show this run: %s\n", wanted->command,
            why->text);
}

int observe_tell(const struct observe_wanted *wanted, struct dpl_observe *observe,
                 const struct dpl_runtime *runtime, const struct dpl_app *app)
{
    const struct record_plan *plan = wanted->self.record ? wanted->plan : NULL;
    struct dpl_diag why = {0};
    if (plan && record_triggers_check(&plan->triggers) < 0) {
        return -1;
    }
    if (dpl_observe_tell(observe, runtime, app, &why) < 0) {
        complain(wanted, &why);
    }
    return 0;
}

void observe_announce(const struct observe_wanted *wanted, struct dpl_observe *observe,
                      const char *name, const struct dpl_gateway_place *place)
{
    struct dpl_diag why = {0};
    if (dpl_observe_announce(observe, name, place->port, place->control, &why) < 0) {
        complain(wanted, &why);
    }
}
