/* SPDX-License-Identifier: Apache-2.0 */
/* What writer and reader of MCAP have in common. */
#ifndef DPL_GATEWAYS_MCAP_RECORDS_H
#define DPL_GATEWAYS_MCAP_RECORDS_H

#define MCAP_MAGIC       "\x89MCAP0\r\n"
#define MCAP_MAGIC_BYTES 8u
#define MCAP_HEAD_BYTES  9u /* of a record: operation and length */
#define MCAP_FOOTER_BODY 20u

enum mcap_op {
    MCAP_HEADER = 1,
    MCAP_FOOTER,
    MCAP_SCHEMA,
    MCAP_CHANNEL,
    MCAP_MESSAGE,
    MCAP_CHUNK,
    MCAP_MESSAGE_INDEX,
    MCAP_CHUNK_INDEX,
    MCAP_ATTACHMENT,
    MCAP_ATTACHMENT_INDEX,
    MCAP_STATISTICS,
    MCAP_METADATA,
    MCAP_METADATA_INDEX,
    MCAP_SUMMARY_OFFSET,
    MCAP_DATA_END,
};

#endif
