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

bool sim_is_observed(const struct option_list *record, struct observe_wanted *inout_wanted)
{
    for (size_t i = 0; i < record->n && !inout_wanted->record; i++) {
        inout_wanted->record = is_recording(record->items[i]) ? record->items[i] : NULL;
    }
    return inout_wanted->record || inout_wanted->port != OBSERVE_NO_PORT;
}

static int run(const struct dpl_app *app, struct observe *observe,
               const struct dpl_runtime_options *options)
{
    struct dpl_runtime *runtime;
    struct dpl_diag error = {0};
    int err = dpl_runtime_create(app, options, &runtime, &error);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    cli_stop_on_signals(runtime);
    enum dpl_exit code = observe_tell(observe, runtime, app, options->simulated) < 0
                             ? DPL_EXIT_BAD_INPUT
                             : dpl_runtime_run(runtime, &error);
    cli_stop_on_signals(NULL);
    if (code != DPL_EXIT_DONE && error.text[0]) {
        dpl_diag_print(stderr, &error);
    }
    dpl_runtime_destroy(runtime);
    return (int)code;
}

int sim_run_observed(const struct dpl_app *app, const struct observe_wanted *wanted,
                     struct dpl_runtime_options *options)
{
    struct observe observe = {.n = 0};
    options->program = cli_program();
    options->process_start = 0;
    int code = observe_open(&observe, wanted, options) < 0 ? DPL_EXIT_BAD_INPUT
                                                           : run(app, &observe, options);
    observe_close(&observe);
    return code;
}
