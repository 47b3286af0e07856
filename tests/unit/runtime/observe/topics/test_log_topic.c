/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "log_topic.h"
#include "standard.pb-c.h"

Test(log_topic, gives_lines_as_viewers_know_them)
{
    struct dpl__topics topics = {0};
    struct dpl__row_tap *tap;
    struct dpl_diag diag;
    cr_assert_eq(dpl__log_topic_add(&topics, "/log", "lines", &tap, &diag), 0);
    struct dpl__topic *topic = dpl__topics_find(&topics, "/log");
    cr_assert_str_eq(topic->self.schema_name, "foxglove.Log");
    dpl__topic_listen(topic, 1);
    struct dpl__row *row = dpl__row_tap_open(tap);
    struct dpl__log_row *line = (void *)row->data;
    *line = (struct dpl__log_row){DPL_LOG_WARN, "Laser", "too hot\x1b[31m"};
    dpl__row_tap_send(tap, 3 * DPL_S + 5);
    struct dpl_sample sample;
    cr_assert(topic->ops->take(topic->source, &sample));
    Foxglove__Log *log = foxglove__log__unpack(NULL, sample.n, sample.data);
    cr_assert_not_null(log);
    cr_assert_eq(log->level, FOXGLOVE__LOG__LEVEL__WARNING);
    cr_assert_str_eq(log->name, "Laser");
    cr_assert_str_eq(log->message, "too hot\\x1b[31m", "what came from outside is cleaned");
    cr_assert_eq(log->timestamp->seconds, 3);
    cr_assert_eq(log->timestamp->nanos, 5);
    foxglove__log__free_unpacked(log, NULL);
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
}
