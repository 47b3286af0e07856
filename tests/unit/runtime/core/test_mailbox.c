/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks for another thread, here on one; race_tap.c does two. */
#include <criterion/criterion.h>

#include "mailbox.h"

static struct dpl__mailbox mailbox;
static struct dpl__task tasks[3], late;
static char done[8];
static int n;

static void note(struct dpl__task *task)
{
    done[n++] = (char)('0' + (task - tasks));
}

static void post_again(struct dpl__task *task)
{
    task->run = note;
    dpl__mailbox_post(&mailbox, task);
}

Test(mailbox, does_tasks_once_in_the_order_of_posting)
{
    for (int i = 0; i < 3; i++) {
        tasks[i].run = note;
        dpl__mailbox_post(&mailbox, &tasks[i]);
    }
    dpl__mailbox_serve(&mailbox);
    dpl__mailbox_serve(&mailbox);
    cr_assert_str_eq(done, "012");
}

Test(mailbox, leaves_what_a_task_posts_for_the_next_time)
{
    late.run = post_again;
    dpl__mailbox_post(&mailbox, &late);
    dpl__mailbox_serve(&mailbox);
    cr_assert_eq(n, 0);
    dpl__mailbox_serve(&mailbox);
    cr_assert_eq(n, 1);
}
