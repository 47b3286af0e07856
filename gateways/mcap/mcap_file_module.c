/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_file_module.h"

extern const struct mcap_file_module dpl_module;

const struct mcap_file_module dpl_module = {
    sizeof dpl_module,    dpl_mcap_open,         dpl_mcap_info,           dpl_mcap_seek,
    dpl_mcap_next,        dpl_mcap_reader_close, dpl_mcap_create,         dpl_mcap_add_schema,
    dpl_mcap_add_channel, dpl_mcap_add_message,  dpl_mcap_add_attachment, dpl_mcap_add_metadata,
    dpl_mcap_close,
};
