/* SPDX-License-Identifier: Apache-2.0 */
/* Triggers: what is in brackets is found once; the text is computed again after each step, which
 * takes about a microsecond. */
#include <doppel/sim/trigger.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel_element.h"
#include "expr.h"
#include "touching.h"

enum { BRACKETS_MAX = 64 };

/* What is in brackets. */
struct bracket {
    size_t offset; /* in the text */
    bool is_touch;
    struct touching_object a, b;
    size_t channel, element;
};

struct dpl_trigger {
    const struct dpl_world *world;
    const struct dpl_world_channels *channels;
    char text[DPL_EXPR_LENGTH_MAX + 1];
    struct bracket brackets[BRACKETS_MAX];
    size_t n;
    bool missing; /* a channel had no value in this round */
    _Alignas(16) unsigned char room[DPL__ELEMENT_BYTES_MAX];
};

static const struct dpl_place nowhere;

/* ---- binding ---- */

/* Cuts the blanks at both ends off. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) {
        text[--n] = '\0';
    }
    return text;
}

/* `text` is "a, b)". */
static int bind_touch(const struct dpl_trigger *trigger, char *text, struct bracket *inout,
                      struct dpl_diag *reterr)
{
    char *comma = strchr(text, ','), *end = text + strlen(text) - 1;
    if (!comma || end <= comma || *end != ')' || strchr(comma + 1, ',')) {
        return dpl_fail(reterr, -EINVAL, nowhere, "expected touch(OBJECT, OBJECT)");
    }
    *comma = *end = '\0';
    inout->is_touch = true;
    int err = touching_find(trigger->world, trim(text), &inout->a, reterr);
    err = err < 0 ? err : touching_find(trigger->world, trim(comma + 1), &inout->b, reterr);
    if (err == 0 && inout->a.n == 0 && inout->b.n == 0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the ground does not touch itself");
    }
    return err;
}

static int bind(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                struct dpl__expr_error *reterr)
{
    static const char function[] = "touch(";
    struct dpl_trigger *trigger = user;
    char copy[DPL_CHANNEL_PATH_MAX + 16];
    struct dpl_diag error = {.text = "this is too long"};
    struct bracket bracket = {.offset = offset};
    int err = -EINVAL;
    if (trigger->n == BRACKETS_MAX) {
        snprintf(error.text, sizeof error.text, "expected at most %d brackets", BRACKETS_MAX);
    } else if (n < sizeof copy) {
        memcpy(copy, text, n);
        copy[n] = '\0';
        char *name = trim(copy);
        err = strncmp(name, function, sizeof function - 1) == 0
                  ? bind_touch(trigger, name + sizeof function - 1, &bracket, &error)
                  : dpl__channel_element_find(trigger->channels, name, &bracket.channel,
                                              &bracket.element, &error);
    }
    if (err < 0) {
        reterr->offset = 0;
        snprintf(reterr->text, sizeof reterr->text, "%.*s", (int)sizeof reterr->text - 1,
                 error.text);
        return -EINVAL;
    }
    trigger->brackets[trigger->n++] = bracket;
    *ret_value = 0.0;
    return 0;
}

int dpl_trigger_create(const struct dpl_world *world, const struct dpl_world_channels *channels,
                       const char *text, struct dpl_trigger **ret_trigger, struct dpl_diag *reterr)
{
    struct dpl_trigger *trigger = calloc(1, sizeof *trigger);
    size_t n = strlen(text);
    if (!trigger) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    if (n > DPL_EXPR_LENGTH_MAX) {
        free(trigger);
        return dpl_fail(reterr, -EINVAL, nowhere, "an expression has at most %d characters",
                        DPL_EXPR_LENGTH_MAX);
    }
    trigger->world = world;
    trigger->channels = channels;
    memcpy(trigger->text, text, n + 1);
    struct dpl__expr_scope scope = {.read = bind, .user = trigger};
    struct dpl__expr_error error;
    if (dpl__expr_check(trigger->text, n, &scope, &error) < 0) {
        free(trigger);
        return dpl_fail(reterr, -EINVAL, nowhere, "at character %zu: %s", error.offset + 1,
                        error.text);
    }
    *ret_trigger = trigger;
    return 0;
}

void dpl_trigger_destroy(struct dpl_trigger *trigger)
{
    free(trigger);
}

/* ---- values ---- */

static int read(void *user, const char *text, size_t n, size_t offset, double *ret_value,
                struct dpl__expr_error *reterr)
{
    struct dpl_trigger *trigger = user;
    const struct bracket *bracket = trigger->brackets;
    while (bracket->offset != offset) { /* all of them were found when it was made */
        bracket++;
    }
    if (bracket->is_touch) {
        *ret_value = touching_is(trigger->world, bracket->a, bracket->b) ? 1.0 : 0.0;
        return 0;
    }
    int err = dpl__channel_element_get(trigger->channels, bracket->channel, bracket->element,
                                       trigger->room, ret_value);
    if (err < 0) {
        trigger->missing = true;
        reterr->offset = 0;
        snprintf(reterr->text, sizeof reterr->text, "[%.*s] has no value yet",
                 (int)(n < 100 ? n : 100), text);
    }
    return err;
}

int dpl_trigger_holds(struct dpl_trigger *trigger, bool *ret_holds, struct dpl_diag *reterr)
{
    struct dpl__expr_scope scope = {.read = read, .user = trigger};
    struct dpl__expr_error error;
    double value = 0.0;
    trigger->missing = false;
    int err = dpl__expr_value_in(trigger->text, strlen(trigger->text), &scope, &value, &error);
    if (err < 0 && !trigger->missing) {
        return dpl_fail(reterr, -EINVAL, nowhere, "at character %zu: %s", error.offset + 1,
                        error.text);
    }
    *ret_holds = err == 0 && value != 0.0;
    return 0;
}
