/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#define RETRY_MS 1

enum tag { TAG_GO, TAG_INPUT, TAG_REST };

struct inputs {
    struct dpl_gateway_setup setup;
    const struct dpl_bench *repeat;
    uv_timer_t retry;
    size_t next;
    bool is_known; /* the time at which it stands */
};

static void ask(struct inputs *self, enum dpl_ask what, const char *name, const char *value,
                enum tag tag)
{
    const struct dpl_asked asked = {.what = what,
                                    .who = "the bench",
                                    .role = DPL_ROLE_CONTROL,
                                    .name = name,
                                    .value = value,
                                    .n_value = strlen(value),
                                    .tag = tag};
    self->setup.ops->ask(self->setup.observer, self, &asked);
}

/* As JSON from the text of a channel: "1 2", "true"; "": null. */
static void write_value(const char *text, char *ret_value, size_t size)
{
    size_t n = (size_t)snprintf(ret_value, size, "%s%s%s", strchr(text, ' ') ? "[" : "",
                                *text ? text : "null", strchr(text, ' ') ? "]" : "");
    for (size_t i = 0; i < n && i < size; i++) {
        ret_value[i] = ret_value[i] == ' ' ? ',' : ret_value[i];
    }
}

/* What is put waits for time, which stands: its answer is not waited for. */
static void put(struct inputs *self, const struct dpl_bench_input *input)
{
    char request[1200], value[768], hold[64] = "";
    write_value(input->value, value, sizeof value);
    if (input->hold > 0) {
        snprintf(hold, sizeof hold, ",\"seconds\":%.9f", dpl_ns_to_s(input->hold));
    }
    snprintf(request, sizeof request, "{\"channel\":\"%.300s\",\"value\":%s%s}", input->name, value,
             hold);
    ask(self, DPL_ASK_CALL, "/world/put", request, TAG_REST);
}

/* To the time of the next input, or on to the end. */
static void go_on(struct inputs *self)
{
    const struct dpl_bench *repeat = self->repeat;
    char request[64];
    dpl_ns wait = 1, now = self->setup.ops->now(self->setup.observer);
    while (self->is_known && self->next < repeat->n_inputs &&
           repeat->inputs[self->next].at <= now) {
        const struct dpl_bench_input *input = &repeat->inputs[self->next++];
        if (!input->is_put) {
            ask(self, DPL_ASK_SET, input->name, input->value, TAG_INPUT);
            return;
        }
        put(self, input);
    }
    if (self->is_known && self->next == repeat->n_inputs) {
        ask(self, DPL_ASK_CALL, "/run/resume", "", TAG_REST);
        return;
    }
    wait = self->is_known ? repeat->inputs[self->next].at - now : wait;
    snprintf(request, sizeof request, "{\"seconds\":%.9f}", dpl_ns_to_s(wait));
    ask(self, DPL_ASK_CALL, "/run/run_for", request, TAG_GO);
}

static void on_retry(uv_timer_t *timer)
{
    go_on(timer->data);
}

static void answer(void *user, const struct dpl_answer *given)
{
    struct inputs *self = user;
    char text[DPL_DIAG_TEXT_MAX];
    if (given->tag == TAG_GO && given->err == -EAGAIN) { /* it has not begun */
        uv_timer_start(&self->retry, on_retry, RETRY_MS, 0);
        return;
    }
    if (given->err < 0) {
        snprintf(text, sizeof text, "an input of the bench: %.400s", given->why);
        self->setup.ops->tell(self->setup.observer, DPL_LOG_WARN, text);
    }
    self->is_known = true;
    if (given->tag != TAG_REST && (given->err == 0 || given->tag == TAG_INPUT)) {
        uv_timer_start(&self->retry, on_retry, 0, 0); /* who answers is asked later */
    }
}

static int open_inputs(const struct dpl_gateway_setup *setup, void **ret_self,
                       struct dpl_diag *reterr)
{
    struct inputs *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    }
    self->setup = *setup;
    self->repeat = setup->options;
    uv_timer_init(setup->loop, &self->retry);
    self->retry.data = self;
    uv_timer_start(&self->retry, on_retry, RETRY_MS, 0);
    *ret_self = self;
    return 0;
}

static void advertise(void *self, const struct dpl_topic *topic)
{
    (void)self;
    (void)topic;
}

static void message(void *self, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    (void)self;
    (void)topic;
    (void)sample;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static int close_inputs(void *user, struct dpl_diag *reterr)
{
    struct inputs *self = user;
    (void)reterr;
    uv_close((uv_handle_t *)&self->retry, on_closed);
    return 0;
}

const struct dpl_gateway bench_inputs_gateway = {
    .name = "bench",
    .summary = "does again what was done by hand",
    .options_size = sizeof(struct dpl_bench),
    .open = open_inputs,
    .advertise = advertise,
    .message = message,
    .answer = answer,
    .close = close_inputs,
};
