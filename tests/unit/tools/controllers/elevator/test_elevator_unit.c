/* SPDX-License-Identifier: Apache-2.0 */
/* The unit against an elevator along one line: it passes all steps of its plan, and each mistake
 * that it can be given fails the step that looks for it, and no other. */
#include "elevator_unit.h"

#include <criterion/criterion.h>

#include "elevator_steps.h"

Test(elevator_unit, passes_every_step_with_ten_seeds)
{
    for (unsigned seed = 1; seed <= 10; seed++) {
        for (int step = 1; step <= ELEVATOR_N_STEPS; step++) {
            char said[160] = "";
            cr_expect(elevator_step_passes(step, ELEVATOR_NO_MISTAKE, seed, said),
                      "seed %u, step %d: %s", seed, step, said);
        }
    }
}

Test(elevator_unit, each_mistake_fails_its_step_and_no_other)
{
    static const int fails[ELEVATOR_N_MISTAKES] = {
        [ELEVATOR_NO_RELEVEL] = 7,    [ELEVATOR_HALF_CURTAIN] = 9,
        [ELEVATOR_LATE_OVERLOAD] = 8, [ELEVATOR_DOOR_CONTACT_AT_START_ONLY] = 12,
        [ELEVATOR_NEAREST_CALL] = 11,
    };
    for (int mistake = 1; mistake < ELEVATOR_N_MISTAKES; mistake++) {
        for (int step = 1; step <= ELEVATOR_N_STEPS; step++) {
            char said[160] = "";
            bool passes = elevator_step_passes(step, (enum elevator_mistake)mistake, 1, said);
            cr_expect_eq(passes, step != fails[mistake], "%s, step %d %s",
                         elevator_mistake_name((enum elevator_mistake)mistake), step, said);
        }
    }
}
