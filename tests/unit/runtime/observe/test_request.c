/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "request.h"

static int value;

static int set_value(struct dpl__request *request, struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    int wanted = *(const int *)request->value;
    if (wanted > 10) {
        return dpl_fail(reterr, -ERANGE, nowhere, "%d is above 10", wanted);
    }
    *(int *)request->target = wanted;
    return 0;
}

static const struct dpl__request_kind set = {"set a value", DPL_ROLE_CONTROL, set_value};
static struct dpl__mailbox owner;
static struct dpl__request request;

static int post(const int *wanted, enum dpl_role role)
{
    request.kind = &set;
    request.target = &value;
    request.value = wanted;
    request.deadline = 100;
    strcpy(request.who, "somebody");
    return dpl__request_post(&request, &owner, role);
}

Test(request, is_done_by_the_owner_and_answered_once)
{
    int wanted = 7;
    cr_assert_eq(post(&wanted, DPL_ROLE_CONTROL), 0);
    cr_assert_eq(value, 0);
    cr_assert_not(dpl__request_is_answered(&request, 0));
    cr_assert_not(dpl__request_is_free(&request));
    dpl__mailbox_serve(&owner);
    cr_assert_eq(value, 7);
    cr_assert(dpl__request_is_answered(&request, 0));
    cr_assert_eq(request.result, 0);
    cr_assert_not(dpl__request_is_answered(&request, 200));
    cr_assert(dpl__request_is_free(&request));
}

Test(request, is_refused_in_words_by_the_owner)
{
    int wanted = 11;
    post(&wanted, DPL_ROLE_CONTROL);
    dpl__mailbox_serve(&owner);
    cr_assert(dpl__request_is_answered(&request, 0));
    cr_assert_eq(request.result, -ERANGE);
    cr_assert_str_eq(request.why.text, "11 is above 10");
}

Test(request, of_who_may_only_look_is_not_posted)
{
    int wanted = 7;
    cr_assert_eq(post(&wanted, DPL_ROLE_LOOK), -EACCES);
    cr_assert_str_eq(request.why.text, "somebody may not set a value: that needs the role control");
    dpl__mailbox_serve(&owner);
    cr_assert_eq(value, 0);
    cr_assert(dpl__request_is_free(&request));
}

Test(request, that_was_not_begun_in_time_is_never_done)
{
    int wanted = 7;
    post(&wanted, DPL_ROLE_CONTROL);
    cr_assert_not(dpl__request_is_answered(&request, 99));
    cr_assert(dpl__request_is_answered(&request, 100));
    cr_assert_eq(request.result, -ETIMEDOUT);
    cr_assert_not(dpl__request_is_free(&request), "the owner has it still");
    dpl__mailbox_serve(&owner);
    cr_assert_eq(value, 0);
    cr_assert(dpl__request_is_free(&request));
    cr_assert_not(dpl__request_is_answered(&request, 300));
}
