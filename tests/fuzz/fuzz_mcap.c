/* SPDX-License-Identifier: Apache-2.0 */
/* MCAP files from arbitrary bytes: by the index and by a scan, every span that the reader gives
 * lies in memory that is there, and times are in order. */
#include "fuzz.h"
#include "mcap_reader.h"

static volatile unsigned seen;

static void look_at(struct dpl_mcap_span span)
{
    for (size_t i = 0; i < span.n; i++) {
        seen += span.data[i];
    }
}

static void look_at_info(const struct dpl_mcap_info *info)
{
    look_at(info->profile);
    look_at(info->library);
    for (size_t i = 0; i < info->n_channels; i++) {
        look_at(info->channels[i]->topic);
        look_at(info->channels[i]->metadata);
        if (info->channels[i]->schema) {
            look_at(info->channels[i]->schema->data);
        }
    }
    for (size_t i = 0; i < info->n_attachments; i++) {
        look_at(info->attachments[i].data);
    }
    for (size_t i = 0; i < info->n_metadata; i++) {
        look_at(info->metadata[i].pairs);
    }
}

static void read_bytes(const uint8_t *data, size_t size)
{
    struct dpl_mcap_reader *reader;
    struct dpl_mcap_message message;
    if (dpl_mcap_open(data, size, &reader, NULL) < 0) {
        return;
    }
    look_at_info(dpl_mcap_info(reader));
    int n = 0;
    while (n++ < 10000 && dpl_mcap_next(reader, &message) > 0) {
        look_at(message.data);
        look_at(message.channel->topic);
    }
    dpl_mcap_seek(reader, 10, 20, NULL, NULL);
    while (n++ < 20000 && dpl_mcap_next(reader, &message) > 0) {
        require(message.log_time >= 10 && message.log_time <= 20);
    }
    dpl_mcap_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_bytes(data, size);
    if (size > 8) {
        read_bytes(data, size - 8); /* without its end there is no index */
    }
    return 0;
}
