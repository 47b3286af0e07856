/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "value_topic.h"

struct values {
    double x;
};

static const struct dpl_field fields[] = {
    DPL_EXPORT_NUMBER(struct values, x, "x", "mm", 0, "x"),
};

Test(value_topic, gives_the_values_of_each_row_as_json)
{
    struct dpl__topics topics = {0};
    struct dpl__row_tap *tap = NULL;
    struct dpl__value_topic described = {
        .name = "/A/values", .fields = fields, .n_fields = 1, .size = sizeof(struct values)};
    cr_assert_eq(dpl__value_topic_add(&topics, &described, &tap, NULL), 0);
    struct dpl__topic *topic = dpl__topics_find(&topics, "/A/values");
    cr_assert_str_eq(topic->self.unit, "mm");
    dpl__topic_listen(topic, 1);
    struct dpl__row *row = dpl__row_tap_open(tap);
    memcpy(row->data, &(struct values){2.5}, sizeof(struct values));
    dpl__row_tap_send(tap, 40);
    struct dpl_sample sample;
    cr_assert(topic->ops->take(topic->source, &sample));
    cr_assert_eq(sample.stamp, 40);
    cr_assert_eq(sample.n, strlen("{\"x\":2.5}"));
    cr_assert_eq(memcmp(sample.data, "{\"x\":2.5}", sample.n), 0);
    cr_assert_not(topic->ops->take(topic->source, &sample));
    cr_assert_eq(topic->self.source, DPL_TOPIC_VALUES);
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
}

Test(value_topic, of_the_present_comes_without_listeners_for_those_who_join_late)
{
    struct dpl__topics topics = {0};
    struct dpl__row_tap *tap = NULL;
    struct dpl__value_topic described = {.name = "/run/state",
                                         .fields = fields,
                                         .n_fields = 1,
                                         .size = sizeof(struct values),
                                         .is_present = true};
    cr_assert_eq(dpl__value_topic_add(&topics, &described, &tap, NULL), 0);
    struct dpl__topic *topic = dpl__topics_find(&topics, "/run/state");
    cr_assert(topic->self.latched);
    cr_assert_eq(topic->self.source, DPL_TOPIC_PRESENT);
    cr_assert_not_null(dpl__row_tap_open(tap));
    dpl__topic_listen(topic, 1);
    dpl__topic_listen(topic, -1);
    cr_assert_not_null(dpl__row_tap_open(tap));
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
}
