/* SPDX-License-Identifier: Apache-2.0 */
/* A touch begins once, however often the solver loses it for a moment. */
#include <criterion/criterion.h>

#include "touches.h"

Test(touches, a_contact_that_flickers_is_one_touch)
{
    struct dpl_touches touches = {0};
    cr_assert(dpl__touches_see(&touches, 1, 2, 0));
    for (dpl_ns now = DPL_MS; now < 500 * DPL_MS; now += DPL_MS) {
        dpl__touches_expire(&touches, now);
        if (now % (50 * DPL_MS) == 0) {
            cr_assert_not(dpl__touches_see(&touches, 1, 2, now));
        }
    }
}

Test(touches, a_contact_after_a_pause_is_a_new_touch)
{
    struct dpl_touches touches = {0};
    cr_assert(dpl__touches_see(&touches, 1, 2, 0));
    dpl__touches_expire(&touches, DPL_TOUCHES_PAUSE + 1);
    cr_assert(dpl__touches_see(&touches, 1, 2, DPL_TOUCHES_PAUSE + 1));
}

Test(touches, more_pairs_than_can_be_followed_do_no_harm)
{
    struct dpl_touches touches = {0};
    int begun = 0;
    for (int i = 0; i < DPL_TOUCHES_MAX + 10; i++) {
        begun += dpl__touches_see(&touches, 0, i + 1, 0);
    }
    cr_assert_eq(begun, DPL_TOUCHES_MAX);
}
