/* SPDX-License-Identifier: Apache-2.0 */
/* Gateways: how topics of a run reach those who observe it. A gateway is to observers what a driver
 * is to devices: a const table. It knows neither components nor types of messages. All its
 * functions are called on the observer's thread, which has a loop of its own; they may allocate. */
#ifndef DOPPEL_HOST_GATEWAY_H
#define DOPPEL_HOST_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/log.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uv_loop_s;
struct ProtobufCMessageDescriptor;
struct dpl_bytes;

/* What a topic's messages are made of. */
enum dpl_topic_source {
    DPL_TOPIC_PORT,   /* messages of an output port */
    DPL_TOPIC_VALUES, /* values of a field table: exports, counters */
    DPL_TOPIC_EVENTS, /* log, faults, life cycle: none may be lost */
    /* How the run goes on this computer at present, which is no part of what it does: recordings
     * leave it out, so that a simulated run records the same again. */
    DPL_TOPIC_PRESENT,
};

struct dpl_topic {
    uint32_t id;                 /* from 1, never used again */
    const char *name;            /* "/Base/odometry"; unique */
    const char *encoding;        /* of messages: "protobuf", "json" */
    const char *schema_name;     /* "doppel.Odometry" */
    const char *schema_encoding; /* "protobuf": a FileDescriptorSet; "jsonschema" */
    const void *schema;
    size_t n_schema;
    const char *unit;    /* of the only value; "": none, or each has its own */
    const char *summary; /* one line; "": none */
    enum dpl_topic_source source;
    /* Its newest message holds until the next one: who joins late gets it; of DPL_TOPIC_EVENTS all
     * of them. They come whether somebody listens or not. */
    bool latched;
    const char *publisher;          /* component; "": the run itself */
    const char *const *subscribers; /* [n_subscribers] components */
    size_t n_subscribers;
};

struct dpl_sample {
    dpl_ns stamp;      /* of the measurement, on the run's clock */
    dpl_ns taken;      /* when the observer took it, on the run's clock */
    uint64_t sequence; /* of the publication on its topic, from 0 */
    const void *data;  /* encoded; valid during the call */
    size_t n;
};

/* What a person or a program outside may do. */
enum dpl_role { DPL_ROLE_NONE, DPL_ROLE_LOOK, DPL_ROLE_CONTROL };

/* What can be asked for. */
enum dpl_ask {
    DPL_ASK_GET,     /* parameter `name`, or all when it is "": `answer` is a JSON object */
    DPL_ASK_SET,     /* parameter `name` to `value`, a text as in a profile */
    DPL_ASK_CALL,    /* service `name`, with an encoded request; the answer is encoded */
    DPL_ASK_PUBLISH, /* an encoded message for input port `name`, "/<Component>/<port>" */
    DPL_ASK_ASSET,   /* the bytes of file `name`, a URI */
    DPL_ASK_LEAVE,   /* `who` has gone: what he held is free. No answer */
};

/* The asker's; the texts and values are copied. */
struct dpl_asked {
    enum dpl_ask what;
    const char *who; /* shown to everybody: "127.0.0.1:4711" */
    enum dpl_role role;
    const char *name;
    const void *value;
    size_t n_value;
    uint64_t tag; /* the gateway's, comes back with the answer */
};

/* Comes exactly once for each request. */
struct dpl_answer {
    uint64_t tag;
    int err;         /* 0: done; -EACCES: the role; -ETIMEDOUT: not in time; ... */
    const char *why; /* in words; "": done */
    const void *value;
    size_t n_value;
};

/* What the observer does for gateways. */
struct dpl_observer_ops {
    /* More or fewer listen on a topic: `by` is 1 or -1. */
    void (*listen)(void *observer, const struct dpl_topic *topic, int by);
    void (*ask)(void *observer, void *gateway, const struct dpl_asked *asked);
    dpl_ns (*now)(void *observer); /* the run's time */
    /* Into the run's log, in the gateway's name. `text` is copied. */
    void (*tell)(void *observer, enum dpl_log_level level, const char *text);
};

/* A file that explains the run: its description (run.json), the profiles that it was made of. */
struct dpl_kept_file {
    const char *name, *media_type;
    const void *data;
    size_t n;
};

/* Where a gateway that listens is reached, on this machine. The tokens are those of the two roles.
 */
struct dpl_gateway_place {
    int port; /* 0: it does not listen */
    const char *look, *control;
};

/* Makes from a message of type `input` one of a schema that other tools know. */
struct dpl_converter {
    const struct ProtobufCMessageDescriptor *input, *output;
    /* The new topic: what is added to the name of the topic, or, with a '/' in front, the whole
     * name, which then several topics share. */
    const char *suffix;
    bool (*fits)(const char *port); /* whether a port's messages are converted; NULL: of all */
    /* Adds the new message, packed, to `out` (runtime/base/bytes.h). `stamp`: of the measurement,
     * on the run's clock. From some messages none is made: then it adds nothing and returns false.
     */
    bool (*convert)(const void *message, dpl_ns stamp, struct dpl_bytes *out);
};

struct dpl_service_desc {
    uint32_t id;
    const char *name, *type; /* "/Machine/service/Request", "doppel.MachineService.Request" */
    const char *provider;    /* component; "": the run itself */
    /* Of topics: "protobuf" and "protobuf", or "json" and "jsonschema". */
    const char *encoding, *schema_encoding;
    const char *request_schema_name, *response_schema_name;
    const void *request_schema, *response_schema;
    size_t n_request_schema, n_response_schema;
};

/* What a gateway has written of the last time; times of the run. */
struct dpl_saved {
    dpl_ns from, to;
    uint64_t n_messages;
};

struct dpl_gateway_setup {
    const struct dpl_observer_ops *ops;
    void *observer;
    struct uv_loop_s *loop; /* of the observer's thread */
    const void *options;    /* of options_size, checked by the table */
    const char *name;       /* of what is observed: the application */
};

struct dpl_gateway {
    const char *name, *summary;
    const struct dpl_field *options;
    size_t n_options, options_size;
    int (*open)(const struct dpl_gateway_setup *setup, void **ret_self, struct dpl_diag *reterr);
    /* A topic is there. It stays until close. */
    void (*advertise)(void *self, const struct dpl_topic *topic);
    /* A service is there. NULL: the gateway has no services. */
    void (*offer)(void *self, const struct dpl_service_desc *service);
    /* A message of a topic on which this gateway or another one listens. */
    void (*message)(void *self, const struct dpl_topic *topic, const struct dpl_sample *sample);
    /* A file of the run, once: before the first message, or after the last one (summary.json).
     * NULL: the gateway keeps none. */
    void (*keep)(void *self, const struct dpl_kept_file *file);
    /* Writes what it has of the last `seconds` into a new file: 0, or -errno with reterr; -EEXIST:
     * the file is there, and stays. Blocks. NULL: it keeps nothing. */
    int (*save)(void *self, const char *file, double seconds, struct dpl_saved *ret_saved,
                struct dpl_diag *reterr);
    /* NULL: it does not listen. */
    void (*where)(const void *self, struct dpl_gateway_place *ret_place);
    /* NULL: the gateway asks nothing. */
    void (*answer)(void *self, const struct dpl_answer *answer);
    /* 0, or -errno with reterr: not all was kept. Frees `self`. */
    int (*close)(void *self, struct dpl_diag *reterr);
    /* A file of the page that it serves, by its path ("/page.js"); false: no such file. NULL: it
     * serves none. Needs no `self`. */
    bool (*page)(const char *path, struct dpl_kept_file *ret_file);
};

/* A gateway with its options, for a run (doppel/host/runtime.h). */
struct dpl_gateway_use {
    const struct dpl_gateway *gateway;
    const void *options; /* of its options_size */
};

/* What the module of a gateway exports as `dpl_module` (doppel/host/module.h). */
struct dpl_gateway_module {
    size_t bytes; /* of this table */
    const struct dpl_gateway *gateway;
};

/* Loads a gateway ("mcap", "foxglove") that is installed with Doppel: 0; as dpl_module_load. It
 * stays until the end of the process. */
int dpl_gateway_load(const char *name, const struct dpl_gateway **ret_gateway,
                     struct dpl_diag *reterr);

/* What the module of the converters exports as `dpl_module`. */
struct dpl_converter_module {
    size_t bytes; /* of this table */
    const struct dpl_converter *converters;
    size_t n_converters;
};

/* The converters that are installed with Doppel, for the options of a run; as dpl_gateway_load. */
int dpl_converters_load(const struct dpl_converter **ret_converters, size_t *ret_n,
                        struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
