/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of MCAP files (mcap_reader.h) as a module "mcap_reader", for programs that do not link
 * its libraries. */
#ifndef DPL_GATEWAYS_MCAP_READER_MODULE_H
#define DPL_GATEWAYS_MCAP_READER_MODULE_H

#include "mcap_reader.h"

/* The functions of mcap_reader.h. */
struct mcap_reader_module {
    size_t bytes; /* of this table */
    int (*open)(const void *data, size_t n, struct dpl_mcap_reader **ret_reader,
                struct dpl_diag *reterr);
    const struct dpl_mcap_info *(*info)(const struct dpl_mcap_reader *reader);
    void (*seek)(struct dpl_mcap_reader *reader, uint64_t start, uint64_t end,
                 bool (*is_wanted)(void *user, const struct dpl_mcap_channel *channel), void *user);
    int (*next)(struct dpl_mcap_reader *reader, struct dpl_mcap_message *ret_message);
    void (*close)(struct dpl_mcap_reader *reader);
};

#endif
