/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of runtime/observe/errand.h and services.h: each request gets one answer. */
#include "errand.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "executor.h"
#include "services.h"

static struct dpl__executor owner;
static struct dpl__errands errands;

/* The answers that came. */
static struct {
    unsigned n;
    uint64_t tag;
    int err;
    char why[128], value[64];
} told;

static void hear(void *self, const struct dpl_answer *answer)
{
    (void)self;
    told.n++;
    told.tag = answer->tag;
    told.err = answer->err;
    snprintf(told.why, sizeof told.why, "%s", answer->why);
    snprintf(told.value, sizeof told.value, "%.*s", (int)answer->n_value,
             answer->n_value > 0 ? (const char *)answer->value : "");
}

static const struct dpl_gateway gateway = {.name = "test", .answer = hear};
static const struct dpl__asker asker = {&gateway, NULL, DPL_ROLE_CONTROL};

/* ---- an errand ---- */

static int n_runs, n_finished, run_result, look_result;

static int do_it(struct dpl__request *request, struct dpl_diag *reterr)
{
    (void)request;
    n_runs++;
    return run_result < 0 ? dpl_fail(reterr, run_result, (struct dpl_place){0}, "it is broken") : 0;
}

static int look(struct dpl__errand *errand, struct dpl_diag *reterr)
{
    (void)errand;
    return look_result < 0
               ? dpl_fail(reterr, look_result, (struct dpl_place){0}, "it came to nothing")
               : look_result;
}

static void add_answer(struct dpl__errand *errand, struct dpl_bytes *out)
{
    (void)errand;
    dpl_bytes_text(out, "done");
}

static void finish(struct dpl__errand *errand)
{
    (void)errand;
    n_finished++;
}

static const struct dpl__errand_ops ops = {
    {"do it", DPL_ROLE_CONTROL, do_it}, look, add_answer, finish};

static struct dpl__errand *make(uint64_t tag, const char *who)
{
    struct dpl_asked asked = {.who = who, .tag = tag, .name = "/it"};
    return dpl__errand_create(&errands, asker, &asked, &ops, sizeof(struct dpl__errand));
}

static void post(uint64_t tag, enum dpl_role role)
{
    struct dpl__errand *errand = make(tag, "somebody");
    cr_assert_not_null(errand);
    dpl__errand_post(&errands, errand, &owner, role);
}

static void setup(void)
{
    look_result = 1;
}

static void teardown(void)
{
    dpl__errands_finish(&errands);
}

TestSuite(errand, .init = setup, .fini = teardown);

Test(errand, is_done_by_the_owner_and_answered_in_the_next_turn)
{
    post(7, DPL_ROLE_CONTROL);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.n, 0);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.n, 1);
    cr_assert_eq(told.tag, 7);
    cr_assert_eq(told.err, 0);
    cr_assert_str_eq(told.value, "done");
    cr_assert_eq(n_finished, 1);
    cr_assert_eq(errands.n, 0);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.n, 1);
}

Test(errand, waits_until_what_it_began_is_there)
{
    look_result = 0;
    post(7, DPL_ROLE_CONTROL);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.n, 0);
    look_result = 1;
    dpl__errands_turn(&errands, false);
    cr_assert_str_eq(told.value, "done");
    look_result = -ECANCELED;
    post(8, DPL_ROLE_CONTROL);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.err, -ECANCELED);
    cr_assert_str_eq(told.why, "it came to nothing");
    cr_assert_str_eq(told.value, "");
}

Test(errand, is_refused_at_once_without_the_role_or_an_owner)
{
    post(7, DPL_ROLE_LOOK);
    cr_assert_eq(told.err, -EACCES);
    cr_assert_str_eq(told.why, "somebody may not do it: that needs the role control");
    dpl__errand_post(&errands, make(8, "somebody"), NULL, DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, -EPERM);
    cr_assert_eq(told.n, 2);
    cr_assert_eq(n_finished, 2);
    dpl__mailbox_serve(&owner.mailbox);
    cr_assert_eq(n_runs, 0);
}

Test(errand, that_fails_is_answered_in_the_words_of_the_owner)
{
    run_result = -EIO;
    post(7, DPL_ROLE_CONTROL);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.err, -EIO);
    cr_assert_str_eq(told.why, "it is broken");
    cr_assert_str_eq(told.value, "");
}

Test(errand, is_answered_when_the_run_ends_and_not_done_afterwards)
{
    post(7, DPL_ROLE_CONTROL);
    dpl__errands_turn(&errands, true);
    cr_assert_eq(told.n, 1);
    cr_assert_eq(told.err, -ETIMEDOUT);
    cr_assert_eq(n_finished, 0, "the owner has it still");
    dpl__mailbox_serve(&owner.mailbox);
    cr_assert_eq(n_runs, 0);
    dpl__errands_turn(&errands, true);
    cr_assert_eq(n_finished, 1);
    look_result = 0;
    post(8, DPL_ROLE_CONTROL);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, true);
    cr_assert_eq(told.err, -ECANCELED);
    cr_assert_str_eq(told.why, "the run has ended");
}

Test(errand, of_one_client_are_not_more_than_64)
{
    for (uint64_t i = 0; i < 64; i++) {
        post(i, DPL_ROLE_CONTROL);
    }
    cr_assert_null(make(64, "somebody"));
    cr_assert_eq(told.tag, 64);
    cr_assert_str_eq(told.why, "too many requests wait for an answer");
    struct dpl__errand *other = make(65, "somebody else");
    cr_assert_not_null(other);
    dpl__errand_destroy(other);
    dpl__mailbox_serve(&owner.mailbox);
    dpl__errands_turn(&errands, false);
    cr_assert_eq(told.n, 65);
    cr_assert_eq(errands.n, 0);
}

/* ---- services ---- */

static void call(struct dpl__services *services, const struct dpl__service *service,
                 struct dpl__asker from, const struct dpl_asked *asked)
{
    (void)services;
    dpl__asker_tell(from, asked->tag, 0, service->source);
}

Test(errand, services_are_found_by_their_names)
{
    struct dpl__services services = {.runtime = NULL};
    static char names[100][16];
    for (size_t i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "/s%zu", i);
        struct dpl__service one = {.self = {.name = names[i]}, .call = call, .source = names[i]};
        dpl__services_add(&services, &one);
    }
    struct dpl__service again = {.self = {.name = "/s7"}, .call = call, .source = "another"};
    dpl__services_add(&services, &again);
    cr_assert_eq(services.n, 100, "the first of a name stays");
    cr_assert_eq(services.items[99]->self.id, 100);
    dpl__services_call(&services, asker, &(struct dpl_asked){.name = "/s7", .tag = 3});
    cr_assert_str_eq(told.value, "/s7");
    dpl__services_call(&services, asker, &(struct dpl_asked){.name = "/s100", .tag = 4});
    cr_assert_eq(told.err, -ENOENT);
    cr_assert_eq(told.tag, 4);
    cr_assert_str_eq(told.why, "there is no service '/s100'");
    dpl__services_finish(&services);
}
