/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a plan: the language is that of files (expr.h), with channels in brackets. The
 * channels are found once; the text is computed again each time, which takes about a microsecond.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "plan_parts.h"
#include "xml_value.h"

/* ---- binding ---- */

struct binder {
    struct dpl_arena *arena;
    const struct dpl_world_channels *channels;
    struct dpl__list refs; /* of struct plan_ref */
};

static int bind_ref(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                    struct dpl__expr_error *reterr)
{
    struct binder *binder = user;
    char path[DPL_CHANNEL_PATH_MAX + 16];
    struct plan_ref ref = {.offset = offset};
    struct dpl_diag error = {.text = "the path is too long"};
    int err = -EINVAL;
    if (n < sizeof path) {
        memcpy(path, text, n);
        path[n] = '\0';
        err = dpl__channel_element_find(binder->channels, path, &ref.channel, &ref.element, &error);
    }
    if (err < 0) {
        reterr->offset = 0;
        snprintf(reterr->text, sizeof reterr->text, "%.*s", (int)sizeof reterr->text - 1,
                 error.text);
        return -EINVAL;
    }
    *(struct plan_ref *)dpl__list_add(binder->arena, &binder->refs, sizeof ref) = ref;
    *ret_value = 0.0;
    return 0;
}

int plan_expr_bind(struct dpl_arena *arena, struct plan_expr *expr,
                   const struct dpl_world_channels *channels, const struct dpl__expr_name *names,
                   size_t n_names, struct dpl_diags *diags)
{
    if (!expr->attribute) {
        return 0;
    }
    struct binder binder = {.arena = arena, .channels = channels};
    struct dpl__expr_scope scope = {names, n_names, bind_ref, &binder};
    struct dpl__expr_error error;
    const char *text = expr->attribute->value;
    int err = dpl__expr_check(text, strlen(text), &scope, &error);
    expr->refs = binder.refs.items;
    expr->n_refs = binder.refs.n;
    if (err < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR,
                      dpl__xml_value_place(expr->attribute, error.offset), "%s: %s",
                      expr->attribute->name, error.text);
    }
    return err;
}

/* ---- values ---- */

struct reading {
    struct dpl_plan_run *run;
    const struct plan_expr *expr;
    size_t next; /* probably the ref that comes */
    bool missing;
};

static const struct plan_ref *find_ref(struct reading *reading, size_t offset)
{
    const struct plan_expr *expr = reading->expr;
    for (size_t i = 0; i < expr->n_refs;
         i++) { /* those of branches that do not count are left out */
        const struct plan_ref *ref = &expr->refs[(reading->next + i) % expr->n_refs];
        if (ref->offset == offset) {
            reading->next = (size_t)(ref - expr->refs) + 1;
            return ref;
        }
    }
    return NULL;
}

static int read_ref(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                    struct dpl__expr_error *reterr)
{
    struct reading *reading = user;
    struct dpl_plan_run *run = reading->run;
    const struct plan_ref *ref = find_ref(reading, offset);
    int err = ref ? dpl__channel_element_get(run->channels, ref->channel, ref->element, run->value,
                                             ret_value)
                  : -ENOENT;
    const char *what = "has no value yet";
    reading->missing |= err < 0;
    if (err == 0 && isnan(*ret_value)) { /* it would be left out of a greatest value */
        what = "is not a number";
        err = -EDOM;
    }
    if (err < 0) {
        reterr->offset = 0;
        snprintf(reterr->text, sizeof reterr->text, "[%.*s] %s", (int)(n < 100 ? n : 100), text,
                 what);
    }
    return err;
}

int plan_expr_value(struct dpl_plan_run *run, const struct plan_expr *expr, double *ret_value,
                    struct dpl__expr_error *reterr)
{
    struct reading reading = {.run = run, .expr = expr};
    struct dpl__expr_scope scope = {run->names, run->n_names, read_ref, &reading};
    const char *text = expr->attribute->value;
    int err = dpl__expr_value_in(text, strlen(text), &scope, ret_value, reterr);
    return err < 0 && reading.missing ? -EAGAIN : err;
}

void plan_expr_describe(struct dpl_plan_run *run, const struct plan_expr *expr, char *text,
                        size_t size)
{
    size_t at = strlen(text);
    for (size_t i = 0; i < expr->n_refs && at < size; i++) {
        const struct plan_ref *ref = &expr->refs[i];
        double value;
        if (dpl__channel_element_get(run->channels, ref->channel, ref->element, run->value,
                                     &value) < 0) {
            value = (double)NAN;
        }
        const struct dpl_channel_desc *desc = &run->descs[ref->channel];
        char index[24] = ""; /* one of several elements is named as in the plan */
        if (desc->size > 1) {
            snprintf(index, sizeof index, "[%zu]", ref->element);
        }
        int n = snprintf(text + at, size - at, "%s[%s%s] is %.6g", i ? ", " : "; ", desc->path,
                         index, value);
        at += n > 0 ? (size_t)n : 0;
    }
}
