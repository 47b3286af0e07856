/* SPDX-License-Identifier: Apache-2.0 */
/* Which looks are kept for the report. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "fans.h"

static struct fans fans;
static const double times[2] = {0.0, 1.0};
static const struct dpl_pose2 poses[2] = {{1.0, 2.0, 0.0}, {1.5, 2.0, 0.0}};
static struct outlook_rollout rollouts[2];

static void begin(void)
{
    fans = (struct fans){0};
    for (int i = 0; i < 2; i++) {
        rollouts[i] = (struct outlook_rollout){
            .valid = true, .object = "", .n_poses = 2, .poses = poses, .pose_s = times};
    }
}

TestSuite(fans, .init = begin);

Test(fans, a_contact_is_kept_once_while_it_is_predicted)
{
    for (int i = 0; i < 20; i++) {
        fans_add(&fans, 1.0 + 0.1 * i, i >= 5 && i < 15, rollouts, 2);
    }
    cr_assert_eq(fans.n, 2); /* the first of all, and the contact's first */
    cr_assert_float_eq(fans.fans[1].time_s, 1.5, 1e-9);
    fans_add(&fans, 4.0, true, rollouts, 2);
    cr_assert_eq(fans.n, 3);
}

Test(fans, free_ways_leave_room_for_contacts)
{
    for (int i = 0; i < 2000; i++) {
        fans_add(&fans, i, false, rollouts, 2);
    }
    cr_assert_eq(fans.n, FANS_MAX / 2);
    for (int i = 0; i < FANS_MAX; i++) {
        fans_add(&fans, 3000.0 + i, i % 2 == 0, rollouts, 2);
    }
    cr_assert_eq(fans.n, FANS_MAX);
    cr_assert_eq(fans.left_out, 0);
    fans_add(&fans, 4000.0, true, rollouts, 2);
    cr_assert_eq(fans.left_out, 1);
}

Test(fans, rows_have_the_paths_of_those_that_could_begin)
{
    char *text = NULL;
    size_t size = 0;
    rollouts[0].valid = false;
    rollouts[1].touched = true;
    fans_add(&fans, 1.25, true, rollouts, 2);
    FILE *file = open_memstream(&text, &size);
    fans_write(&fans, file);
    fclose(file);
    cr_assert_str_eq(text, "t,rollout,touched,x,y\n"
                           "1.250,0,1,1.0000,2.0000\n"
                           "1.250,0,1,1.5000,2.0000\n");
    free(text);
}
