/* SPDX-License-Identifier: Apache-2.0 */
/* Who may connect, and in which role. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "foxglove_access.h"

static struct foxglove_access access_of_8765 = {.port = 8765};

static enum dpl_role knock(const char *host, const char *token, const char *protocols)
{
    char path[80];
    const char *why;
    snprintf(path, sizeof path, "/%s", token);
    struct foxglove_knock wanted = {host, path, protocols};
    return foxglove_access_role(&access_of_8765, &wanted, &why);
}

static void setup(void)
{
    cr_assert_eq(foxglove_access_init(&access_of_8765), 0);
}

TestSuite(foxglove_access, .init = setup);

#define V1 "foxglove.websocket.v1"

Test(foxglove_access, gives_the_role_of_the_token)
{
    cr_assert_eq(knock("127.0.0.1:8765", access_of_8765.look, V1), DPL_ROLE_LOOK);
    cr_assert_eq(knock("localhost:8765", access_of_8765.control, V1), DPL_ROLE_CONTROL);
    cr_assert_eq(knock("127.0.0.1:8765", access_of_8765.look, "x, foxglove.sdk.v1"), DPL_ROLE_LOOK);
    cr_assert_str_neq(access_of_8765.look, access_of_8765.control);
}

Test(foxglove_access, refuses_a_host_that_is_not_exactly_ours)
{
    static const char *const hosts[] = {"",
                                        "127.0.0.1",
                                        "127.0.0.1:87651",
                                        "127.0.0.1:8765.evil.example",
                                        "evil.example:8765",
                                        "LOCALHOST.evil:8765",
                                        "127.0.0.1:8766",
                                        "[::1]:8765"};
    for (size_t i = 0; i < DPL_COUNT(hosts); i++) {
        cr_assert_eq(knock(hosts[i], access_of_8765.control, V1), DPL_ROLE_NONE, "%s", hosts[i]);
    }
}

Test(foxglove_access, refuses_without_the_token_and_the_protocol)
{
    char near[FOXGLOVE_TOKEN_MAX + 1];
    snprintf(near, sizeof near, "%s0", access_of_8765.look);
    cr_assert_eq(knock("127.0.0.1:8765", near, V1), DPL_ROLE_NONE);
    near[31] = near[31] == '0' ? '1' : '0';
    near[32] = '\0';
    cr_assert_eq(knock("127.0.0.1:8765", near, V1), DPL_ROLE_NONE);
    cr_assert_eq(knock("127.0.0.1:8765", "", V1), DPL_ROLE_NONE);
    cr_assert_eq(knock("127.0.0.1:8765", access_of_8765.look, "foxglove.websocket.v2"),
                 DPL_ROLE_NONE);
    cr_assert_eq(knock("127.0.0.1:8765", access_of_8765.look, ""), DPL_ROLE_NONE);
}
