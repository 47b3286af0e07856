/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "topics.h"

struct fake {
    char heard[8];
    int n_left;
};

static void listen(void *self, bool on)
{
    strcat(((struct fake *)self)->heard, on ? "+" : "-");
}

static bool take(void *self, struct dpl_sample *ret_sample)
{
    struct fake *fake = self;
    ret_sample->stamp = fake->n_left;
    return fake->n_left-- > 0;
}

static uint64_t dropped(void *self)
{
    (void)self;
    return 0;
}

static const struct dpl__source_ops ops = {listen, take, dropped};
static struct dpl__topics topics;
static struct fake fakes[2];
static const struct dpl_topic plain = {.name = "/a", .encoding = "json"};

static void teardown(void)
{
    dpl__topics_finish(&topics);
}

TestSuite(topics, .fini = teardown);

static void count(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    (void)sample;
    ++((int *)user)[topic->self.id - 1];
}

Test(topics, have_unique_names_and_ids)
{
    struct dpl_diag why = {0};
    struct dpl__topic *a = dpl__topics_add(&topics, &plain, &ops, &fakes[0], &why);
    cr_assert_not_null(a);
    cr_assert_eq(a->self.id, 1);
    cr_assert_str_eq(a->self.unit, "");
    cr_assert_null(dpl__topics_add(&topics, &plain, &ops, &fakes[0], &why));
    cr_assert_str_eq(why.text, "two topics have the name /a");
    cr_assert_eq(dpl__topics_find(&topics, "/a"), a);
    cr_assert_null(dpl__topics_find(&topics, "/b"));
}

Test(topics, listen_when_the_first_comes_and_end_when_the_last_goes)
{
    struct dpl__topic *a = dpl__topics_add(&topics, &plain, &ops, &fakes[0], NULL);
    dpl__topic_listen(a, 1);
    dpl__topic_listen(a, 1);
    dpl__topic_listen(a, -1);
    cr_assert_str_eq(fakes[0].heard, "+");
    dpl__topic_listen(a, -1);
    cr_assert_str_eq(fakes[0].heard, "+-");
}

Test(topics, a_fast_topic_does_not_keep_the_others)
{
    struct dpl_topic other = plain;
    other.name = "/b";
    int n[2] = {0};
    dpl__topics_add(&topics, &plain, &ops, &fakes[0], NULL);
    dpl__topics_add(&topics, &other, &ops, &fakes[1], NULL);
    fakes[0].n_left = 100;
    fakes[1].n_left = 1;
    cr_assert_eq(dpl__topics_drain(&topics, 10, count, n), 11);
    cr_assert_eq(n[0], 10);
    cr_assert_eq(n[1], 1);
}
