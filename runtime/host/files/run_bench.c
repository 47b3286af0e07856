/* SPDX-License-Identifier: Apache-2.0 */
#include "run_bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "runtime.h"
#include "xsd_value.h"

static const struct dpl_place nowhere;

static void write_element(FILE *file, const char *name, const char *text)
{
    fprintf(file, "  <%s>", name);
    dpl__xsd_write_escaped(file, text);
    fprintf(file, "</%s>\n", name);
}

static void write_inputs(FILE *file, const struct dpl__by_hand *by_hand)
{
    for (size_t i = 0; i < by_hand->n; i++) {
        const struct dpl__by_hand_item *item = &by_hand->items[i];
        bool is_set = item->kind == DPL__BY_HAND_SET;
        fprintf(file, "  <%s at=\"%.9f s\" %s=\"", is_set ? "set_at" : "put_at",
                dpl_ns_to_s(item->at), is_set ? "property" : "channel");
        dpl__xsd_write_escaped(file, item->name);
        if (item->hold > 0) {
            fprintf(file, "\" for=\"%.9f s", dpl_ns_to_s(item->hold));
        }
        fputs("\">", file);
        dpl__xsd_write_escaped(file, item->value);
        fprintf(file, "</%s>\n", is_set ? "set_at" : "put_at");
    }
}

/* The values with which the repeated run must end. */
static void write_values(FILE *file, const json_t *values)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)values, name, value)
    {
        char *text = json_is_string(value)
                         ? NULL
                         : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        fputs("  <expect value=\"", file);
        dpl__xsd_write_escaped(file, name);
        fputs("\">", file);
        dpl__xsd_write_escaped(file, json_is_string(value) ? json_string_value(value)
                                     : text                ? text
                                                           : "null");
        fputs("</expect>\n", file);
        free(text);
    }
}

static void write_bench(FILE *file, const struct dpl_runtime *runtime, const char *application,
                        const struct dpl__by_hand *by_hand, const json_t *values)
{
    const struct dpl_app *app = runtime->app;
    dpl_ns now = dpl__runtime_now(runtime); /* the cycles of this time are done */
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<bench application=\"", file);
    dpl__xsd_write_escaped(file, application);
    fprintf(file, "\" seed=\"%llu\" duration=\"%.9f s\">\n",
            (unsigned long long)runtime->options.seed, dpl_ns_to_s(now + 1));
    for (size_t i = 0; i < app->n_bindings; i++) {
        write_element(file, "bind", app->bindings[i]);
    }
    for (size_t i = 0; i < app->n_sets; i++) {
        write_element(file, "set", app->sets[i]);
    }
    write_inputs(file, by_hand);
    write_values(file, values);
    fputs("</bench>\n", file);
}

/* In words why it cannot be repeated; "": it can. */
static void say_why_not(const struct dpl_runtime *runtime, const struct dpl__by_hand *by_hand,
                        char *ret_why, size_t size)
{
    *ret_why = '\0';
    if (!runtime->options.simulated || !runtime->app->file || runtime->options.drive) {
        snprintf(ret_why, size,
                 "only a run of an application on the simulated clock can be repeated");
    } else if (!atomic_load_explicit(&runtime->pacing.paused, memory_order_acquire)) {
        snprintf(ret_why, size, "the bench ends where the run is paused: pause it first");
    } else if (by_hand->is_more) {
        snprintf(ret_why, size, "more than %d things were put by hand", DPL__BY_HAND_MAX);
    }
    for (size_t i = 0; i < by_hand->n && !*ret_why; i++) {
        if (by_hand->items[i].kind == DPL__BY_HAND_OTHER) {
            snprintf(ret_why, size,
                     "a bench cannot repeat what was asked for by hand at %.3f s: %.200s",
                     dpl_ns_to_s(by_hand->items[i].at), by_hand->items[i].name);
        }
    }
}

int dpl__run_bench_write(const struct dpl_runtime *runtime, const struct dpl__by_hand *by_hand,
                         const char *path, struct dpl_diag *reterr)
{
    char why[384];
    say_why_not(runtime, by_hand, why, sizeof why);
    if (*why) {
        return dpl_fail(reterr, -EPERM, nowhere, "%s", why);
    }
    char *application = realpath(runtime->app->file, NULL);
    char *text = dpl_runtime_values(runtime);
    json_t *values = text ? json_loads(text, 0, NULL) : NULL;
    FILE *file = application && values ? fopen(path, "wxe") : NULL;
    int r = file ? 0 : application && !values ? -ENOMEM : -errno;
    if (file) {
        write_bench(file, runtime, application, by_hand, values);
        r = ferror(file) ? -EIO : 0;
        r = fclose(file) == 0 ? r : -errno;
    }
    if (file && r < 0) {
        unlink(path);
    }
    json_decref(values);
    free(text);
    free(application);
    return r < 0 && r != -EEXIST
               ? dpl_fail(reterr, r, nowhere, "cannot write '%s': %s", path, strerror(-r))
               : r;
}
