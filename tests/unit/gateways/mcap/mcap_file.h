/* SPDX-License-Identifier: Apache-2.0 */
/* MCAP files in memory, for tests. */
#ifndef TEST_MCAP_FILE_H
#define TEST_MCAP_FILE_H

#include <errno.h>
#include <string.h>

#include "bytes.h"
#include "mcap_reader.h"
#include "mcap_writer.h"

struct mcap_file {
    struct dpl_bytes bytes;
    size_t room; /* 0: endless */
    struct dpl_mcap_writer *writer;
    uint16_t schema, channels[2];
};

static inline int mcap_file_write(void *user, const void *data, size_t n)
{
    struct mcap_file *file = user;
    if (file->room > 0 && file->bytes.n + n > file->room) {
        return -ENOSPC;
    }
    dpl_bytes_add(&file->bytes, data, n);
    return 0;
}

/* Two channels, "/a" and "/b", of one schema. */
static inline void mcap_file_begin(struct mcap_file *file, size_t chunk_bytes, int level)
{
    struct dpl_mcap_sink sink = {mcap_file_write, file};
    struct dpl_mcap_settings settings = {"", "test", chunk_bytes, level};
    struct dpl_mcap_pair unit = {"unit", "m"};
    file->writer = dpl_mcap_create(&sink, &settings);
    dpl_mcap_add_schema(file->writer, "S", "jsonschema", "{}", 2, &file->schema);
    for (int i = 0; i < 2; i++) {
        struct dpl_mcap_new_channel channel = {i ? "/b" : "/a", "json", file->schema, &unit, 1};
        dpl_mcap_add_channel(file->writer, &channel, &file->channels[i]);
    }
}

static inline int mcap_file_message(struct mcap_file *file, int channel, uint64_t time)
{
    char text[32];
    int n = snprintf(text, sizeof text, "{\"t\":%d}", (int)time);
    struct dpl_mcap_new_message message = {.channel = file->channels[channel],
                                           .sequence = (uint32_t)time,
                                           .log_time = time,
                                           .publish_time = time + 1,
                                           .data = text,
                                           .n = (size_t)n};
    return dpl_mcap_add_message(file->writer, &message);
}

#endif
