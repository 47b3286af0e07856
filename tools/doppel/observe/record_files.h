/* SPDX-License-Identifier: Apache-2.0 */
/* Options of commands that record: whether there is one file, a series by size or time, or a file
 * for each trigger. */
#ifndef DOPPEL_CLI_RECORD_FILES_H
#define DOPPEL_CLI_RECORD_FILES_H

#include <math.h>

#include "mcap_gateway.h"
#include "record_trigger.h"

/* As they are on the command line. */
struct record_files {
    const char *split;        /* "100MB", "60s"; NULL: not given */
    double before_s, after_s; /* NaN: not given */
    uint64_t most;
    struct option_list on;
};

#define RECORD_FILES_NONE                                                                          \
    {                                                                                              \
        .before_s = (double)NAN, .after_s = (double)NAN                                            \
    }

/* Rows of a command's options, whose struct has the member `files`. */
#define RECORD_FILES_OPTIONS(type)                                                                 \
    {"record-split",                                                                               \
     "SIZE|TIME",                                                                                  \
     OPTION_STRING,                                                                                \
     offsetof(type, files.split),                                                                  \
     0,                                                                                            \
     0,                                                                                            \
     "recordings of that size or time, one after the other: 100MB, 60s",                           \
     NULL},                                                                                        \
        {"record-before",                                                                          \
         "S",                                                                                      \
         OPTION_NUMBER,                                                                            \
         offsetof(type, files.before_s),                                                           \
         0,                                                                                        \
         1e6,                                                                                      \
         "a recording for each trigger, with the S seconds before it (default 10)",                \
         NULL},                                                                                    \
        {"record-after",                                                                           \
         "S",                                                                                      \
         OPTION_NUMBER,                                                                            \
         offsetof(type, files.after_s),                                                            \
         0,                                                                                        \
         1e6,                                                                                      \
         "and S seconds after it (default 5)",                                                     \
         NULL},                                                                                    \
        {"record-on",                                                                              \
         "TRIGGER",                                                                                \
         OPTION_LIST,                                                                              \
         offsetof(type, files.on),                                                                 \
         0,                                                                                        \
         0,                                                                                        \
         "fault, verdict, signal (SIGUSR1; all three by default), event=TEXT, a topic, or a "      \
         "condition: 'RobotControl.nearest_m < 0.3'; may be given again",                          \
         NULL},                                                                                    \
    {                                                                                              \
        "record-files", "N", OPTION_COUNT, offsetof(type, files.most), 0, 999999,                  \
            "keep the newest N recordings that --record-split or triggers make; 0 (default): all", \
            NULL                                                                                   \
    }

/* What they mean. It stays where it is while it is used. */
struct record_plan {
    int64_t split_mb, files;
    double split_s, before_s, after_s;
    bool is_triggered;
    char option[64]; /* for messages of the triggers */
    struct record_triggers triggers;
};

/* 0, or -1 after printing why not. `is_recorded`: the command records at all. */
int record_files_read(const char *command, const struct record_files *files, bool is_recorded,
                      struct record_plan *ret_plan);
void record_plan_apply(const struct record_plan *plan, struct dpl_mcap_options *options);

#endif
