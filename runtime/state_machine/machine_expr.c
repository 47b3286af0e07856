/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a state machine: the language is that of files (expr.h), with channels in
 * brackets, as in test plans. Channels are found once; the text is computed again each time. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine_parts.h"
#include "xml_value.h"

int machine_channel(struct dpl_state_machine *machine, const char *name, size_t n, bool put,
                    struct dpl_place place)
{
    for (size_t i = 0; i < machine->n_channels; i++) {
        const struct dpl_state_machine_channel *channel = &machine->channels[i];
        if (channel->put == put && strlen(channel->name) == n &&
            memcmp(channel->name, name, n) == 0) {
            return (int)i;
        }
    }
    if (n == 0 || n >= DPL_STATE_MACHINE_CHANNEL_SIZE) {
        return -EINVAL;
    }
    if (machine->n_channels == DPL_STATE_MACHINE_CHANNELS_MAX) {
        return -ENOSPC;
    }
    struct dpl_state_machine_channel *channel = &machine->channels[machine->n_channels];
    *channel = (struct dpl_state_machine_channel){.put = put, .place = place};
    memcpy(channel->name, name, n);
    return (int)machine->n_channels++;
}

/* ---- binding ---- */

enum { REFS_MAX = DPL_EXPR_LENGTH_MAX / 3 }; /* "[a]" is the shortest */

struct binder {
    struct dpl_state_machine *machine;
    const struct dpl_xml_attribute *attribute;
    struct machine_ref refs[REFS_MAX];
    size_t n_refs;
};

static int bind_ref(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                    struct dpl__expr_error *reterr)
{
    struct binder *binder = user;
    int channel = machine_channel(binder->machine, text, n, false,
                                  dpl__xml_value_place(binder->attribute, offset));
    if (channel < 0 || binder->n_refs == REFS_MAX) {
        reterr->offset = 0;
        snprintf(reterr->text, sizeof reterr->text,
                 channel == -EINVAL ? "a channel has a name of 1 to %d bytes"
                                    : "more than %d channels are read and put",
                 channel == -EINVAL ? DPL_STATE_MACHINE_CHANNEL_SIZE - 1
                                    : DPL_STATE_MACHINE_CHANNELS_MAX);
        return -EINVAL;
    }
    binder->refs[binder->n_refs++] = (struct machine_ref){offset, (size_t)channel};
    *ret_value = 0.0;
    return 0;
}

int machine_expr_bind(struct dpl_state_machine *machine, const struct dpl_xml_attribute *attribute,
                      struct machine_expr *ret_expr, struct dpl_diags *diags)
{
    struct binder binder = {.machine = machine, .attribute = attribute};
    const struct dpl__expr_scope scope = {machine->names, machine->n_names, bind_ref, &binder};
    struct dpl__expr_error error;
    int err = dpl__expr_check(attribute->value, strlen(attribute->value), &scope, &error);
    if (err < 0) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, dpl__xml_value_place(attribute, error.offset),
                      "%s: %s", attribute->name, error.text);
        return err;
    }
    size_t size = binder.n_refs * sizeof *binder.refs;
    struct machine_ref *refs = dpl_arena_alloc(&machine->arena, size);
    if (size > 0) {
        memcpy(refs, binder.refs, size);
    }
    *ret_expr = (struct machine_expr){attribute, refs, binder.n_refs};
    return 0;
}

/* ---- values ---- */

struct reading {
    const struct machine_expr *expr;
    const double *values;
};

static int read_ref(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                    struct dpl__expr_error *reterr)
{
    const struct reading *reading = user;
    for (size_t i = 0; i < reading->expr->n_refs; i++) {
        if (reading->expr->refs[i].offset == offset) {
            *ret_value = reading->values[reading->expr->refs[i].channel];
            return 0;
        }
    }
    reterr->offset = 0; /* bind_ref has seen all brackets: does not happen */
    snprintf(reterr->text, sizeof reterr->text, "[%.*s] is not known", (int)(n < 99 ? n : 99),
             text);
    return -EINVAL;
}

int machine_expr_value(const struct machine_expr *expr, const struct dpl__expr_name *names,
                       size_t n_names, const double *values, double *ret_value,
                       struct dpl_diag *reterr)
{
    struct reading reading = {expr, values};
    const struct dpl__expr_scope scope = {names, n_names, read_ref, &reading};
    const struct dpl_xml_attribute *attribute = expr->attribute;
    struct dpl__expr_error error;
    int err =
        dpl__expr_value_in(attribute->value, strlen(attribute->value), &scope, ret_value, &error);
    return err < 0 ? dpl_fail(reterr, -EDOM, dpl__xml_value_place(attribute, error.offset),
                              "%s: %s", attribute->name, error.text)
                   : 0;
}
