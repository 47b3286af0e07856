/* SPDX-License-Identifier: Apache-2.0 */
#include "early_end.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/runtime.h>

#include "component.h"
#include "going_down.h"
#include "log.h"
#include "runtime.h"

static const char no_return[] = " did not return\n";

void dpl__early_end_say(const struct dpl__component *component, const char *what)
{
    const char *callback = component ? atomic_load(&component->callback) : NULL;
    const char *const parts[] = {
        "\nerror: ", component ? component->self.name : "a component or driver",
        callback ? " in " : "", callback ? callback : "", what};
    char text[512]; /* written at once: other threads write lines, too */
    size_t n = 0;
    for (size_t i = 0; i < DPL_COUNT(parts); i++) {
        for (const char *c = parts[i]; *c && n < sizeof text; c++) {
            text[n++] = *c;
        }
    }
    ssize_t written = write(STDERR_FILENO, text, n);
    (void)written;
}

void dpl__early_end_no_return(const struct dpl__component *component)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told)) {
        dpl__early_end_say(component, no_return);
    }
}

void dpl__early_end_write(const struct dpl_runtime *runtime, const struct dpl__component *component,
                          const char *what)
{
    if (!runtime->options.out_dir) {
        return;
    }
    struct dpl_diag why = {.severity = DPL_SEVERITY_ERROR};
    const char *callback = component ? atomic_load(&component->callback) : NULL;
    snprintf(why.text, sizeof why.text, "%s%s%s%s",
             component ? component->self.name : "a component or driver", callback ? " in " : "",
             callback ? callback : "", what);
    why.text[strcspn(why.text, "\n")] = '\0';
    struct dpl_failure failure = {
        .code = DPL_EXIT_FAULT,
        .application = runtime->app->name,
        .duration = dpl__runtime_now(runtime),
        .faults = atomic_load(&runtime->faults) + 1,
        .why = &why,
    };
    dpl_results_write_failure(runtime->options.out_dir, &failure, NULL);
}

void dpl__early_end_leave(struct dpl_runtime *runtime, const struct dpl__component *component)
{
    dpl__log_drain(runtime->log);
    dpl__early_end_no_return(component);
    dpl__early_end_write(runtime, component, no_return);
    dpl__going_down_leave();
}
