/* SPDX-License-Identifier: Apache-2.0 */
#include "record_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

static bool read_split(const char *text, struct record_plan *plan)
{
    static const struct {
        const char *unit;
        double mb, s;
    } units[] = {{"MB", 1.0, 0.0}, {"GB", 1000.0, 0.0}, {"s", 0.0, 1.0}, {"min", 0.0, 60.0}};
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; i < DPL_COUNT(units); i++) {
        if (strcmp(end, units[i].unit) == 0 && number >= 1.0 && number <= 1e6) {
            plan->split_mb = (int64_t)(number * units[i].mb);
            plan->split_s = number * units[i].s;
            return true;
        }
    }
    return false;
}

static int complain(const char *command, const char *text)
{
    fprintf(stderr, "doppel %s: %s\n", command, text);
    return -1;
}

int record_files_read(const char *command, const struct record_files *files, bool is_recorded,
                      struct record_plan *ret_plan)
{
    bool is_triggered = isfinite(files->before_s) || isfinite(files->after_s) || files->on.n > 0;
    *ret_plan = (struct record_plan){.before_s = isfinite(files->before_s) ? files->before_s : 10.0,
                                     .after_s = isfinite(files->after_s) ? files->after_s : 5.0,
                                     .files = (int64_t)files->most,
                                     .is_triggered = is_triggered};
    if ((files->split || is_triggered || files->most > 0) && !is_recorded) {
        return complain(command, "--record-split, --record-before, --record-after, --record-on and "
                                 "--record-files need --record");
    }
    if (files->split && is_triggered) {
        return complain(command, "--record-split: each trigger of --record-on and --record-before "
                                 "has its own file");
    }
    if (files->most > 0 && !files->split && !is_triggered) {
        return complain(command, "--record-files: there is one file without --record-split and "
                                 "--record-before");
    }
    if (files->split && !read_split(files->split, ret_plan)) {
        fprintf(stderr,
                "doppel %s: --record-split: found '%s', expected a size (100MB, 2GB) or a time "
                "(60s, 10min), at least 1\n",
                command, cli_clean(files->split));
        return -1;
    }
    snprintf(ret_plan->option, sizeof ret_plan->option, "%s: --record-on", command);
    return is_triggered ? record_triggers_parse(&ret_plan->triggers, ret_plan->option, &files->on)
                        : 0;
}

void record_plan_apply(const struct record_plan *plan, struct dpl_mcap_options *options)
{
    options->split_mb = plan->split_mb;
    options->split_s = plan->split_s;
    options->files = plan->files;
    options->before_s = plan->before_s;
    options->after_s = plan->after_s;
    options->trigger = plan->is_triggered ? &plan->triggers.gateway : NULL;
}
