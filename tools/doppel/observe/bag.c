/* SPDX-License-Identifier: Apache-2.0 */
/* doppel bag info: what a recording has. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/host/module.h>
#include <doppel/text.h>

#include "commands.h"
#include "common.h"
#include "fields.h"
#include "mcap_reader_module.h"

#define CHANNELS_MAX (UINT16_MAX + 1)

struct values {
    bool json;
};

/* A recording in memory. */
struct bag {
    const struct mcap_reader_module *module;
    void *bytes;
    size_t n;
    struct dpl_mcap_reader *reader;
    uint64_t *counts; /* [CHANNELS_MAX] of messages, by the id of their channel */
    uint64_t n_messages;
};

static int map_file(const char *file, struct bag *bag)
{
    struct stat status;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0 || S_ISDIR(status.st_mode)) {
        int err = fd >= 0 && S_ISDIR(status.st_mode) ? -EISDIR : -errno;
        if (fd >= 0) {
            close(fd);
        }
        return err;
    }
    bag->n = (size_t)status.st_size;
    bag->bytes = S_ISREG(status.st_mode) && bag->n > 0
                     ? mmap(NULL, bag->n, PROT_READ, MAP_PRIVATE, fd, 0)
                     : MAP_FAILED;
    int err = bag->bytes != MAP_FAILED                ? 0
              : S_ISREG(status.st_mode) && bag->n > 0 ? -errno
                                                      : -EINVAL;
    close(fd);
    return err;
}

static int open_bag(const char *file, struct bag *bag)
{
    struct dpl_diag why = {0};
    const void *table;
    int r = map_file(file, bag);
    if (r < 0) {
        bag->bytes = NULL;
        fprintf(stderr, "doppel bag: %s: %s\n", cli_clean(file),
                r == -EINVAL ? "it is empty, or no file" : strerror(-r));
        return r;
    }
    r = dpl_module_load("mcap_reader", sizeof *bag->module, &table, &why);
    bag->module = r < 0 ? NULL : table;
    r = r < 0 ? r : bag->module->open(bag->bytes, bag->n, &bag->reader, &why);
    if (r < 0) {
        fprintf(stderr, "doppel bag: %s: %s\n", cli_clean(file), why.text);
    }
    return r;
}

static void close_bag(struct bag *bag)
{
    if (bag->reader) {
        bag->module->close(bag->reader);
    }
    if (bag->bytes) {
        munmap(bag->bytes, bag->n);
    }
    free(bag->counts);
}

/* Reads all messages: what a damaged chunk had is not among them. */
static int count_messages(struct bag *bag)
{
    struct dpl_mcap_message message;
    int r;
    bag->counts = calloc(CHANNELS_MAX, sizeof *bag->counts);
    while (bag->counts && (r = bag->module->next(bag->reader, &message)) > 0) {
        bag->counts[message.channel->id]++;
        bag->n_messages++;
    }
    return bag->counts ? r : -ENOMEM;
}

static json_t *text(struct dpl_mcap_span span)
{
    char *copy = calloc(1, span.n + 1), *clean = malloc(DPL_TEXT_CLEAN_SIZE(span.n + 1));
    json_t *json = json_null();
    if (copy && clean) {
        memcpy(copy, span.data ? (const char *)span.data : "", span.n);
        dpl_text_clean(copy, clean, DPL_TEXT_CLEAN_SIZE(span.n + 1));
        json = json_string(clean);
    }
    free(copy);
    free(clean);
    return json;
}

/* Both kinds of output are made from this. */
static json_t *describe(const struct bag *bag)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    static const struct dpl_mcap_span none;
    double seconds = bag->n_messages > 0 ? (double)(info->end - info->start) / 1e9 : 0.0;
    json_t *topics = json_array(), *files = json_array();
    for (size_t i = 0; i < info->n_channels; i++) {
        const struct dpl_mcap_channel *channel = info->channels[i];
        json_array_append_new(topics,
                              json_pack("{s:o, s:o, s:o, s:I}", "topic", text(channel->topic),
                                        "encoding", text(channel->encoding), "schema",
                                        text(channel->schema ? channel->schema->name : none),
                                        "messages", (json_int_t)bag->counts[channel->id]));
    }
    for (size_t i = 0; i < info->n_attachments; i++) {
        json_array_append_new(files,
                              json_pack("{s:o, s:I}", "name", text(info->attachments[i].name),
                                        "bytes", (json_int_t)info->attachments[i].data.n));
    }
    return json_pack("{s:b, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:o}", "complete", info->is_complete,
                     "bytes", (json_int_t)bag->n, "chunks", (json_int_t)info->n_chunks,
                     "damaged_chunks", (json_int_t)info->n_damaged, "messages",
                     (json_int_t)bag->n_messages, "start_s", (double)info->start / 1e9,
                     "duration_s", seconds, "topics", topics, "attachments", files);
}

static const char *member(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

static long long number(const json_t *object, const char *name)
{
    return (long long)json_integer_value(json_object_get(object, name));
}

static void print_text(const json_t *bag)
{
    double seconds = json_real_value(json_object_get(bag, "duration_s"));
    size_t i;
    json_t *item;
    printf("%lld messages in %.3f s, %lld bytes, %lld chunks%s", number(bag, "messages"), seconds,
           number(bag, "bytes"), number(bag, "chunks"),
           json_is_true(json_object_get(bag, "complete")) ? "" : ", cut off before its end");
    if (number(bag, "damaged_chunks") > 0) {
        printf(", %lld of them damaged", number(bag, "damaged_chunks"));
    }
    printf("\n%10s %9s  %-44s %s\n", "messages", "per s", "topic", "type");
    json_array_foreach(json_object_get(bag, "topics"), i, item)
    {
        long long n = number(item, "messages");
        printf("%10lld %9.1f  %-44s %s\n", n, seconds > 0.0 ? (double)n / seconds : 0.0,
               member(item, "topic"), member(item, "schema"));
    }
    json_array_foreach(json_object_get(bag, "attachments"), i, item)
    {
        printf("file %s, %lld bytes\n", member(item, "name"), number(item, "bytes"));
    }
}

static int show(const char *file, bool json)
{
    struct bag bag = {0};
    int r = open_bag(file, &bag);
    if (r == 0 && (r = count_messages(&bag)) < 0) {
        fprintf(stderr, "doppel bag: %s: %s\n", cli_clean(file), strerror(-r));
    }
    if (r == 0) {
        json_t *described = describe(&bag);
        if (json) {
            json_dumpf(described, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
            putchar('\n');
        } else {
            print_text(described);
        }
        json_decref(described);
        if (bag.n_messages == 0 && bag.module->info(bag.reader)->n_damaged > 0) {
            fprintf(stderr, "doppel bag: %s: it is damaged, and no message can be read\n",
                    cli_clean(file));
            r = -EBADMSG;
        }
    }
    close_bag(&bag);
    return r < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n = options_parse(&command_bag, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    static const char *const verbs[] = {"info"};
    return cli_choose("bag", argv[1], verbs, 1) < 0 ? DPL_EXIT_USAGE : show(argv[2], values.json);
}

static const struct option options[] = {
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_bag = {
    .name = "bag",
    .operands = "info FILE.mcap",
    .summary = "tells what a recording has",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 2,
    .max_operands = 2,
    .more =
        "A recording is made with `doppel run --record FILE.mcap`. One whose writer was killed is\n"
        "read as far as its chunks are complete. Exit codes: 0 done, 1 no recording, 2 usage.\n",
    .run = run,
};
