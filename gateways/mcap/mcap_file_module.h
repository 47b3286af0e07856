/* SPDX-License-Identifier: Apache-2.0 */
/* Reader and writer of MCAP files (mcap_reader.h, mcap_writer.h) as a module "mcap_file", for
 * programs that do not link their libraries. */
#ifndef DPL_GATEWAYS_MCAP_FILE_MODULE_H
#define DPL_GATEWAYS_MCAP_FILE_MODULE_H

#include "mcap_reader.h"
#include "mcap_writer.h"

/* The functions of these headers. */
struct mcap_file_module {
    size_t bytes; /* of this table */
    int (*open)(const void *data, size_t n, struct dpl_mcap_reader **ret_reader,
                struct dpl_diag *reterr);
    const struct dpl_mcap_info *(*info)(const struct dpl_mcap_reader *reader);
    void (*seek)(struct dpl_mcap_reader *reader, uint64_t start, uint64_t end,
                 bool (*is_wanted)(void *user, const struct dpl_mcap_channel *channel), void *user);
    int (*next)(struct dpl_mcap_reader *reader, struct dpl_mcap_message *ret_message);
    void (*close)(struct dpl_mcap_reader *reader);
    struct dpl_mcap_writer *(*create)(const struct dpl_mcap_sink *sink,
                                      const struct dpl_mcap_settings *settings);
    int (*add_schema)(struct dpl_mcap_writer *writer, const char *name, const char *encoding,
                      const void *data, size_t n, uint16_t *ret_id);
    int (*add_channel)(struct dpl_mcap_writer *writer, const struct dpl_mcap_new_channel *channel,
                       uint16_t *ret_id);
    int (*add_message)(struct dpl_mcap_writer *writer, const struct dpl_mcap_new_message *message);
    int (*add_attachment)(struct dpl_mcap_writer *writer,
                          const struct dpl_mcap_new_attachment *attachment);
    int (*add_metadata)(struct dpl_mcap_writer *writer, const char *name,
                        const struct dpl_mcap_pair *pairs, size_t n);
    int (*end)(struct dpl_mcap_writer *writer);
};

#endif
