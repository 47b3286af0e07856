/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_reader_module.h"

extern const struct mcap_reader_module dpl_module;

const struct mcap_reader_module dpl_module = {
    sizeof dpl_module, dpl_mcap_open, dpl_mcap_info,
    dpl_mcap_seek,     dpl_mcap_next, dpl_mcap_reader_close,
};
