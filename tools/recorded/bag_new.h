/* SPDX-License-Identifier: Apache-2.0 */
/* A new recording, message by message: topics are made when their first message comes. The first
 * error stays, and all later calls do nothing. All functions allocate, and block on the file. */
#ifndef DOPPEL_RECORDED_BAG_NEW_H
#define DOPPEL_RECORDED_BAG_NEW_H

#include <doppel/host/gateway.h>
#include <doppel/output.h>
#include <doppel/time.h>

#include "mcap_file_module.h"

struct bag_new_topic;
struct ProtobufCMessage;

/* Zero-initialise. */
struct bag_new {
    const struct mcap_file_module *module;
    const struct dpl_converter *converters; /* NULL: messages are not converted */
    size_t n_converters;
    struct dpl_output output;
    struct dpl_mcap_writer *writer;
    struct bag_new_topic *topics;
    size_t n_topics;
    int err;
};

/* What a topic has. Texts and schema are borrowed during the call. */
struct bag_new_kind {
    const char *name, *encoding, *schema_name, *schema_encoding;
    const void *schema;
    size_t n_schema;
};

/* 0, or -errno with reterr; the file has its name when it is closed (doppel/output.h). */
int bag_new_open(struct bag_new *bag, const char *file, struct dpl_diag *reterr);

/* The number of the topic of this name. */
size_t bag_new_topic(struct bag_new *bag, const struct bag_new_kind *kind);
void bag_new_put(struct bag_new *bag, size_t topic, dpl_ns stamp, const void *data, size_t n);

/* A protobuf message, packed, on topic `name`; `converted`: also what viewers know, as a run does
 * (doppel/host/gateway.h, struct dpl_converter). */
void bag_new_message(struct bag_new *bag, const char *name, const struct ProtobufCMessage *message,
                     dpl_ns stamp, bool converted);

void bag_new_attach(struct bag_new *bag, const struct dpl_kept_file *file);

/* Ends the file, or removes it after an error or when `err` is one: 0, or -errno with reterr. */
int bag_new_close(struct bag_new *bag, int err, struct dpl_diag *reterr);

#endif
