/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_observed.h"

#include <stdio.h>
#include <string.h>

#include "common.h"

static bool is_recording(const char *text)
{
    size_t n = strlen(text), end = strlen(".mcap");
    return n > end && strcmp(text + n - end, ".mcap") == 0;
}

bool sim_is_observed(struct option_list *record, struct observe_wanted *inout_wanted)
{
    const char **file = &inout_wanted->self.record;
    size_t n = 0;
    for (size_t i = 0; i < record->n; i++) {
        if (!*file && is_recording(record->items[i])) {
            *file = record->items[i];
        } else {
            record->items[n++] = record->items[i];
        }
    }
    record->n = n;
    return *file || inout_wanted->self.view != OBSERVE_NO_PORT || inout_wanted->self.ros2;
}

static int run(const struct dpl_app *app, const struct observe_wanted *wanted,
               struct dpl_observe *observe, const struct dpl_runtime_options *options,
               struct dpl_diag *reterr)
{
    struct dpl_runtime *runtime;
    if (dpl_runtime_create(app, options, &runtime, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int code = observe_tell(wanted, observe, runtime, app) < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    if (code == DPL_EXIT_DONE) {
        cli_stop_on_signals(runtime);
        code = (int)dpl_runtime_run(runtime, reterr);
        cli_stop_on_signals(NULL);
    }
    dpl_runtime_destroy(runtime);
    return code;
}

int sim_run_observed(const struct sim_task *task, const char *world,
                     struct dpl_runtime_options *options, struct dpl_diag *reterr)
{
    const struct dpl_app app = {
        .name = world, .file = task->file, .world = task->file, .catalog = task->catalog};
    struct dpl_observe *observe;
    options->program = cli_program();
    options->seed = task->seed;
    options->log_level = DPL_LOG_INFO;
    if (observe_open(&task->observed, options, &observe) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int code = run(&app, &task->observed, observe, options, reterr);
    dpl_observe_close(observe);
    return code;
}
