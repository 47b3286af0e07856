/* SPDX-License-Identifier: Apache-2.0 */
/* A recording of a run (`doppel run --record`, MCAP): what it has, and the files that a run writes
 * into the folder of --out, made from its messages. */
#ifndef DOPPEL_RECORDED_BAG_H
#define DOPPEL_RECORDED_BAG_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

#include "mcap_file_module.h"

#define BAG_DAMAGED "it is damaged" /* begins a sentence */

struct bag {
    const char *file; /* borrowed, for messages */
    const struct mcap_file_module *module;
    struct dpl_mcap_reader *reader;
    void *bytes; /* of the file, mapped */
    size_t n;
    char damage[128]; /* which attached file cannot be read, after BAG_DAMAGED; "": all can */
};

/* Whether a file begins as a recording does. */
bool bag_is(const char *file);

/* The recording that a path means: itself, or the one in a folder (*.mcap). 0, or with reterr
 * -ENOENT: the folder has none; -EEXIST: it has several; -ENAMETOOLONG. */
int bag_find(const char *path, char *ret_file, size_t size, struct dpl_diag *reterr);

/* 0, or -errno with reterr. Allocates; loads the module of the format. */
int bag_open(const char *file, struct bag *ret_bag, struct dpl_diag *reterr);
void bag_close(struct bag *bag);

/* The text of run.json or summary.json, as it is in the recording; of trace.csv; or of a file of
 * scans that a ScanRecorder of the run names (scans.csv: also without one, then all scans). Memory
 * of the caller, with a NUL behind its *ret_n bytes. -ENOENT with reterr: the recording has
 * nothing for it. -EINVAL: what it has is damaged. -ENOMEM. Changes what the reader reads. */
int bag_text(struct bag *bag, const char *name, char **ret_text, size_t *ret_n,
             struct dpl_diag *reterr);
/* The same of a file that is opened and closed. */
int bag_text_of(const char *file, const char *name, char **ret_text, size_t *ret_n,
                struct dpl_diag *reterr);

/* What is missing of what was read so far, because the file is cut off or damaged; "": nothing. */
const char *bag_trouble(const struct bag *bag);

#define BAG_EVERY_SCAN  "" /* name of a file with all scans, also with a ScanRecorder */
#define BAG_FIRST_TABLE 2
#define BAG_FIRST_SCANS 3

/* The files that bag_text makes: `number` from 0, from BAG_FIRST_SCANS those of ScanRecorders;
 * false: there are no more. */
bool bag_name(struct bag *bag, size_t number, char *ret_name, size_t size);

/* ---- between the files of this folder ---- */

/* The module of the format: 0, or as dpl_module_load. */
int bag_load(const struct mcap_file_module **ret_module, struct dpl_diag *reterr);
/* A dpl_mcap_sink of a struct dpl_output. */
int bag_sink_write(void *output, const void *data, size_t n);

bool bag_span_is(struct dpl_mcap_span span, const char *text);
const struct dpl_mcap_attachment *bag_attachment(const struct bag *bag, const char *name);
/* Whether it has a file of that name that is damaged. */
bool bag_is_damaged(const struct bag *bag, const char *name);
/* The newest channel of a topic; NULL: none. */
const struct dpl_mcap_channel *bag_topic(const struct bag *bag, const char *topic);
/* The messages of these channels from now on; the list is borrowed. */
struct bag_wanted {
    const struct dpl_mcap_channel *channels[2];
};
void bag_seek(struct bag *bag, const struct bag_wanted *wanted);

struct json_t;
/* run.json; NULL with reterr: it is not there, or not readable. */
struct json_t *bag_record(const struct bag *bag, struct dpl_diag *reterr);

/* trace.csv, by the columns that run.json names. */
int bag_trace(struct bag *bag, char **ret_text, size_t *ret_n, struct dpl_diag *reterr);
/* scans.csv of the ScanRecorder with this file. */
int bag_scans(struct bag *bag, const char *name, char **ret_text, size_t *ret_n,
              struct dpl_diag *reterr);
/* The file of the ScanRecorder of this number, from 0; NULL: there are no more. Borrowed. */
const char *bag_scans_name(const struct json_t *record, size_t number);

#endif
