/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the log as a topic with messages foxglove.Log. */
#ifndef DOPPEL_OBSERVE_LOG_TOPIC_H
#define DOPPEL_OBSERVE_LOG_TOPIC_H

#include <doppel/log.h>

#include "row_topic.h"

#define DPL__LOG_ROW_TEXT 240

/* What the writer of the log puts into the topic's tap. */
struct dpl__log_row {
    enum dpl_log_level level;
    char source[128], text[DPL__LOG_ROW_TEXT]; /* any bytes; longer ones are cut */
};

/* 0, or as dpl__row_topic_add. */
int dpl__log_topic_add(struct dpl__topics *topics, const char *name, const char *summary,
                       struct dpl__row_tap **ret_tap, struct dpl_diag *reterr);

#endif
