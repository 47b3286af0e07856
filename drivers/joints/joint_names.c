/* SPDX-License-Identifier: Apache-2.0 */
/* Names of joints in a property: see joint_names.h. */
#include "joint_names.h"

#include <string.h>

#include <doppel/text_check.h>

#define BLANKS " \t\r\n"

static bool has(const struct joint_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++) {
        if (dpl_name_equal(names->name[i], name)) {
            return true;
        }
    }
    return false;
}

/* Takes the name at `at` of `n` bytes; what is wrong with it, or NULL. */
static const char *add(struct joint_names *names, const char *at, size_t n)
{
    char name[JOINT_NAME_SIZE];
    if (names->n == DPL_JOINTS_MAX) {
        return "a device has at most 32 joints";
    }
    if (n >= sizeof name) {
        return "the name of a joint has at most 63 characters";
    }
    memcpy(name, at, n);
    name[n] = '\0';
    if (has(names, name)) {
        return "this joint is there already";
    }
    memcpy(names->name[names->n++], name, n + 1);
    return NULL;
}

/* What is wrong with the text and where, or NULL. */
static const char *parse(const char *text, struct joint_names *names, const char **ret_at)
{
    const char *what = NULL;
    names->n = 0;
    *ret_at = text;
    for (const char *at = text + strspn(text, BLANKS); *at && !what; at += strspn(at, BLANKS)) {
        size_t n = strcspn(at, BLANKS);
        what = add(names, at, n);
        *ret_at = at;
        at += n;
    }
    return names->n == 0 && !what ? "at least one joint is expected" : what;
}

void joint_names_parse(const char *text, struct joint_names *ret_names)
{
    const char *at;
    (void)parse(text, ret_names, &at);
}

int joint_names_check(const char *text, struct dpl_diag *reterr)
{
    struct joint_names names;
    const char *at, *what = parse(text, &names, &at);
    return what ? dpl_check_fail(text, at, what, reterr) : 0;
}
