/* SPDX-License-Identifier: Apache-2.0 */
#include "errand.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/system_clock.h>

#include "executor.h"

#define ERRANDS_MAX 1024
#define OF_ONE_MAX  64 /* of one client */
#define PATIENCE    (2 * DPL_S)

static void give(struct dpl__asker asker, const struct dpl_answer *answer)
{
    if (asker.gateway->answer) {
        asker.gateway->answer(asker.self, answer);
    }
}

void dpl__asker_tell(struct dpl__asker asker, uint64_t tag, int err, const char *text)
{
    struct dpl_answer answer = {.tag = tag,
                                .err = err,
                                .why = err < 0 ? text : "",
                                .value = err < 0 ? NULL : text,
                                .n_value = err < 0 ? 0 : strlen(text)};
    give(asker, &answer);
}

static size_t count_of(const struct dpl__errands *errands, const char *who)
{
    size_t n = 0;
    for (const struct dpl__errand *at = errands->first; at; at = at->next) {
        n += strncmp(at->request.who, who, sizeof at->request.who - 1) == 0;
    }
    return n;
}

struct dpl__errand *dpl__errand_create(struct dpl__errands *errands, struct dpl__asker asker,
                                       const struct dpl_asked *asked,
                                       const struct dpl__errand_ops *ops, size_t size)
{
    bool has_room = errands->n < ERRANDS_MAX && count_of(errands, asked->who) < OF_ONE_MAX;
    struct dpl__errand *errand = has_room ? calloc(1, size) : NULL;
    if (!errand) {
        dpl__asker_tell(asker, asked->tag, -ENOMEM, "too many requests wait for an answer");
        return NULL;
    }
    errand->ops = ops;
    errand->asker = asker;
    errand->request.kind = &ops->kind;
    errand->request.tag = asked->tag;
    errand->request.deadline = dpl_monotonic_now() + PATIENCE;
    snprintf(errand->request.who, sizeof errand->request.who, "%s", asked->who);
    return errand;
}

void dpl__errand_destroy(struct dpl__errand *errand)
{
    if (errand->ops->finish) {
        errand->ops->finish(errand);
    }
    free(errand);
}

static void answer(struct dpl__errand *errand, int err, const char *why)
{
    struct dpl_bytes bytes = {0};
    if (err == 0 && errand->ops->add_answer) {
        errand->ops->add_answer(errand, &bytes);
    }
    bool failed = bytes.failed;
    struct dpl_answer answered = {.tag = errand->request.tag,
                                  .err = failed ? -ENOMEM : err,
                                  .why = failed ? "no memory" : why,
                                  .value = bytes.data,
                                  .n_value = failed ? 0 : bytes.n};
    errand->is_answered = true;
    give(errand->asker, &answered);
    dpl_bytes_finish(&bytes);
}

void dpl__errand_post_to(struct dpl__errands *errands, struct dpl__errand *errand,
                         struct dpl__mailbox *mailbox, enum dpl_role role)
{
    int r = mailbox ? dpl__request_post(&errand->request, mailbox, role) : -EPERM;
    if (r < 0) {
        answer(errand, r, mailbox ? errand->request.why.text : "no component of this run executes");
        dpl__errand_destroy(errand);
        return;
    }
    errand->next = errands->first;
    errands->first = errand;
    errands->n++;
}

void dpl__errand_post(struct dpl__errands *errands, struct dpl__errand *errand,
                      struct dpl__executor *owner, enum dpl_role role)
{
    dpl__errand_post_to(errands, errand, owner ? &owner->mailbox : NULL, role);
    if (owner) {
        dpl__executor_nudge(owner);
    }
}

static void look(struct dpl__errand *errand, bool all)
{
    struct dpl_diag why = {.text = ""};
    int r = errand->ops->look ? errand->ops->look(errand, &why) : 1;
    if (r == 0 && all) {
        answer(errand, -ECANCELED, "the run has ended");
    } else if (r != 0) {
        answer(errand, r < 0 ? r : 0, why.text);
    }
}

static void turn(struct dpl__errand *errand, bool all)
{
    dpl_ns monotonic = dpl_monotonic_now();
    errand->request.deadline = all ? monotonic : errand->request.deadline;
    if (!errand->is_done && !errand->is_answered &&
        dpl__request_is_answered(&errand->request, monotonic)) {
        errand->is_done = errand->request.result >= 0;
        if (!errand->is_done) {
            answer(errand, errand->request.result, errand->request.why.text);
        }
    }
    if (errand->is_done && !errand->is_answered) {
        look(errand, all);
    }
}

void dpl__errands_turn(struct dpl__errands *errands, bool all)
{
    for (struct dpl__errand **at = &errands->first; *at;) {
        struct dpl__errand *errand = *at;
        turn(errand, all);
        if (errand->is_answered && dpl__request_is_free(&errand->request)) {
            *at = errand->next;
            errands->n--;
            dpl__errand_destroy(errand);
        } else {
            at = &errand->next;
        }
    }
}

void dpl__errands_finish(struct dpl__errands *errands)
{
    while (errands->first) {
        struct dpl__errand *errand = errands->first;
        errands->first = errand->next;
        dpl__errand_destroy(errand);
    }
}
