/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is being recorded. Its first error stays, and all later calls do nothing. */
#ifndef DPL_GATEWAYS_MCAP_OUT_H
#define DPL_GATEWAYS_MCAP_OUT_H

#include <sys/stat.h>

#include <doppel/host/gateway.h>

#include "mcap_gateway.h"
#include "mcap_writer.h"

struct mcap_out_topic {
    const struct dpl_topic *topic;
    uint16_t channel, schema;
};

/* Zero-initialise; then it is closed. */
struct mcap_out {
    char file[1100];
    int fd, err;
    struct stat opened;
    struct dpl_mcap_writer *writer; /* NULL: closed */
    struct mcap_out_topic *topics;  /* [n_topics], in the order in which they were added */
    size_t n_topics, capacity;
    uint64_t n_bytes; /* written */
    dpl_ns flushed;   /* the run's time */
};

/* `is_new`: a file that is there is not replaced (-EEXIST). 0, or -errno with reterr; -EBUSY:
 * another process records to it. */
int mcap_out_open(struct mcap_out *out, const char *file, bool is_new,
                  const struct dpl_mcap_options *options, struct dpl_diag *reterr);
/* Whether its newest message holds until the next one. */
bool mcap_out_holds(const struct dpl_topic *topic);
/* All return the error of the file, or 0. A topic gets the next index from 0. */
int mcap_out_add(struct mcap_out *out, const struct dpl_topic *topic);
int mcap_out_message(struct mcap_out *out, size_t index, const struct dpl_sample *sample);
int mcap_out_attach(struct mcap_out *out, const struct dpl_kept_file *file);
int mcap_out_note(struct mcap_out *out, const char *name, const struct dpl_mcap_pair *pairs,
                  size_t n);
/* 0, or -errno with reterr: not all of it is there under its name. */
int mcap_out_close(struct mcap_out *out, struct dpl_diag *reterr);

#endif
