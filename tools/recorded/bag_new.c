/* SPDX-License-Identifier: Apache-2.0 */
#include "bag_new.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include "bag.h"
#include "bytes.h"
#include "descriptor_set.h"

struct bag_new_topic {
    char *name;
    uint16_t channel;
    uint32_t sequence;
};

static void note(struct bag_new *bag, int r)
{
    bag->err = bag->err < 0 ? bag->err : r;
}

int bag_new_open(struct bag_new *bag, const char *file, struct dpl_diag *reterr)
{
    struct dpl_mcap_sink sink = {bag_sink_write, &bag->output};
    struct dpl_mcap_settings settings = {.profile = "", .library = "doppel", .level = 3};
    int r = bag_load(&bag->module, reterr);
    r = r < 0 ? r : dpl_converters_load(&bag->converters, &bag->n_converters, reterr);
    r = r < 0 ? r : dpl_output_open(&bag->output, file, reterr);
    if (r == 0 && !(bag->writer = bag->module->create(&sink, &settings))) {
        note(bag, -ENOMEM);
    }
    return r;
}

/* ---- topics ---- */

static size_t find_topic(const struct bag_new *bag, const char *name)
{
    size_t i = 0;
    while (i < bag->n_topics && strcmp(bag->topics[i].name, name) != 0) {
        i++;
    }
    return i;
}

size_t bag_new_topic(struct bag_new *bag, const struct bag_new_kind *kind)
{
    size_t i = find_topic(bag, kind->name);
    if (i < bag->n_topics || bag->err < 0) {
        return i;
    }
    struct bag_new_topic *topics = realloc(bag->topics, (i + 1) * sizeof *topics);
    char *name = strdup(kind->name);
    bag->topics = topics ? topics : bag->topics;
    uint16_t schema = 0;
    int r = topics && name ? 0 : -ENOMEM;
    r = r < 0 ? r
              : bag->module->add_schema(bag->writer, kind->schema_name, kind->schema_encoding,
                                        kind->schema, kind->n_schema, &schema);
    struct dpl_mcap_new_channel channel = {
        .topic = kind->name, .encoding = kind->encoding, .schema = schema};
    uint16_t id = 0;
    r = r < 0 ? r : bag->module->add_channel(bag->writer, &channel, &id);
    note(bag, r);
    if (r < 0) {
        free(name);
    } else {
        bag->topics[bag->n_topics++] = (struct bag_new_topic){name, id, 0};
    }
    return i;
}

void bag_new_put(struct bag_new *bag, size_t topic, dpl_ns stamp, const void *data, size_t n)
{
    if (bag->err == 0) {
        struct bag_new_topic *to = &bag->topics[topic];
        uint64_t time = stamp > 0 ? (uint64_t)stamp : 0;
        struct dpl_mcap_new_message message = {to->channel, to->sequence++, time, time, data, n};
        note(bag, bag->module->add_message(bag->writer, &message));
    }
}

static void put_packed(struct bag_new *bag, const char *name,
                       const ProtobufCMessageDescriptor *type, dpl_ns stamp,
                       const struct dpl_bytes *bytes)
{
    struct dpl_bytes schema = {0};
    size_t topic = find_topic(bag, name);
    if (topic == bag->n_topics) {
        note(bag, dpl__descriptor_set(type, &schema));
        topic = bag_new_topic(bag, &(struct bag_new_kind){name, "protobuf", type->name, "protobuf",
                                                          schema.data, schema.n});
    }
    note(bag, bytes->failed ? -ENOMEM : 0);
    bag_new_put(bag, topic, stamp, bytes->data, bytes->n);
    dpl_bytes_finish(&schema);
}

static void put_converted(struct bag_new *bag, const char *name, const ProtobufCMessage *message,
                          dpl_ns stamp)
{
    const char *port = strrchr(name, '/') + 1;
    for (size_t i = 0; i < bag->n_converters; i++) {
        const struct dpl_converter *by = &bag->converters[i];
        struct dpl_bytes bytes = {0};
        char topic[512];
        snprintf(topic, sizeof topic, "%s%s%s", by->suffix[0] == '/' ? "" : name,
                 by->suffix[0] == '/' ? "" : "/", by->suffix);
        if (strcmp(by->input->name, message->descriptor->name) == 0 &&
            (!by->fits || by->fits(port)) && by->convert(message, stamp, &bytes)) {
            put_packed(bag, topic, by->output, stamp, &bytes);
        }
        dpl_bytes_finish(&bytes);
    }
}

void bag_new_message(struct bag_new *bag, const char *name, const ProtobufCMessage *message,
                     dpl_ns stamp, bool converted)
{
    struct dpl_bytes bytes = {0};
    uint8_t *at = dpl_bytes_extend(&bytes, protobuf_c_message_get_packed_size(message));
    if (at) {
        protobuf_c_message_pack(message, at);
    }
    put_packed(bag, name, message->descriptor, stamp, &bytes);
    dpl_bytes_finish(&bytes);
    if (converted) {
        put_converted(bag, name, message, stamp);
    }
}

void bag_new_attach(struct bag_new *bag, const struct dpl_kept_file *file)
{
    if (bag->err == 0) {
        note(bag, bag->module->add_attachment(
                      bag->writer, &(struct dpl_mcap_new_attachment){.name = file->name,
                                                                     .media_type = file->media_type,
                                                                     .data = file->data,
                                                                     .n = file->n}));
    }
}

int bag_new_close(struct bag_new *bag, int err, struct dpl_diag *reterr)
{
    int ended = bag->writer ? bag->module->end(bag->writer) : 0;
    note(bag, ended);
    for (size_t i = 0; i < bag->n_topics; i++) {
        free(bag->topics[i].name);
    }
    free(bag->topics);
    if (err == 0 && bag->err < 0) {
        err = dpl_fail(reterr, bag->err, (struct dpl_place){.file = bag->output.path},
                       "cannot be written: %s", strerror(-bag->err));
    }
    if (err < 0) {
        dpl_output_abandon(&bag->output);
        return err;
    }
    return dpl_output_close(&bag->output, reterr);
}
