/* SPDX-License-Identifier: Apache-2.0 */
/* doppel bag: what a recording has; a part of it; the files of its run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/text.h>

#include "bag.h"
#include "bag_csv.h"
#include "bag_folder.h"
#include "bag_ros2.h"
#include "bag_write.h"
#include "closing.h"
#include "commands.h"
#include "common.h"
#include "fields.h"
#include "outputs.h"

#define PATH_BYTES   4096
#define CHANNELS_MAX (UINT16_MAX + 1)

struct values {
    bool json;
    const char *output;
    double from_s, to_s;
    struct option_list topics;
};

/* What a recording has, for `bag info`. */
struct counted {
    struct bag bag;
    uint64_t *counts; /* [CHANNELS_MAX] of messages, by the id of their channel */
    uint64_t n_messages;
};

/* Reads all messages: what a damaged chunk had is not among them. */
static int count_messages(struct counted *counted)
{
    struct bag *bag = &counted->bag;
    struct dpl_mcap_message message;
    int r;
    counted->counts = calloc(CHANNELS_MAX, sizeof *counted->counts);
    while (counted->counts && (r = bag->module->next(bag->reader, &message)) > 0) {
        counted->counts[message.channel->id]++;
        counted->n_messages++;
    }
    return counted->counts ? r : -ENOMEM;
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
static json_t *describe(const struct counted *counted)
{
    const struct bag *bag = &counted->bag;
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    static const struct dpl_mcap_span none;
    double seconds = counted->n_messages > 0 ? (double)(info->end - info->start) / 1e9 : 0.0;
    json_t *topics = json_array(), *files = json_array(), *damaged = json_array();
    for (size_t i = 0; i < info->n_channels; i++) {
        const struct dpl_mcap_channel *channel = info->channels[i];
        json_array_append_new(topics,
                              json_pack("{s:o, s:o, s:o, s:I}", "topic", text(channel->topic),
                                        "encoding", text(channel->encoding), "schema",
                                        text(channel->schema ? channel->schema->name : none),
                                        "messages", (json_int_t)counted->counts[channel->id]));
    }
    for (size_t i = 0; i < info->n_attachments; i++) {
        json_array_append_new(files,
                              json_pack("{s:o, s:I}", "name", text(info->attachments[i].name),
                                        "bytes", (json_int_t)info->attachments[i].data.n));
    }
    for (size_t i = 0; i < info->n_damaged_files; i++) {
        json_array_append_new(damaged, text(info->damaged_files[i]));
    }
    return json_pack(
        "{s:b, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "complete", info->is_complete,
        "bytes", (json_int_t)bag->n, "chunks", (json_int_t)info->n_chunks, "damaged_chunks",
        (json_int_t)(info->n_damaged - info->n_damaged_files), "messages",
        (json_int_t)counted->n_messages, "start_s", (double)info->start / 1e9, "duration_s",
        seconds, "topics", topics, "attachments", files, "damaged_files", damaged);
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
    json_array_foreach(json_object_get(bag, "damaged_files"), i, item)
    {
        printf("file %s is damaged\n", json_string_value(item));
    }
}

static int fail(const struct dpl_diag *why, int code)
{
    char text[DPL_DIAG_TEXT_MAX + PATH_BYTES];
    dpl_diag_format_cause(why, text, sizeof text);
    fprintf(stderr, "doppel bag: %s\n", text);
    return code;
}

/* A file without anything is none, whatever it begins with. */
static int check_any(const struct counted *counted, struct dpl_diag *reterr)
{
    const struct dpl_mcap_info *info = counted->bag.module->info(counted->bag.reader);
    if (counted->n_messages > 0 || (info->is_complete && info->n_damaged == 0)) {
        return 0;
    }
    return dpl_fail(reterr, -EBADMSG, (struct dpl_place){.file = counted->bag.file}, "%s",
                    info->compression.n > 0 ? bag_trouble(&counted->bag)
                    : info->n_damaged > 0   ? "it is damaged, and no message can be read"
                                            : "it is cut off before its first message");
}

static int show(const char *file, const struct values *values)
{
    struct counted counted = {.n_messages = 0};
    struct dpl_diag why = {0};
    int r = bag_open(file, &counted.bag, &why);
    if (r == 0 && (r = count_messages(&counted)) < 0) {
        dpl_fail(&why, r, (struct dpl_place){.file = file}, "%s", strerror(-r));
    }
    if (r == 0) {
        json_t *described = describe(&counted);
        if (values->json) {
            json_dumpf(described, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
            putchar('\n');
        } else {
            print_text(described);
        }
        json_decref(described);
        r = check_any(&counted, &why);
    }
    bag_close(&counted.bag);
    free(counted.counts);
    return r < 0 ? fail(&why, DPL_EXIT_BAD_INPUT) : DPL_EXIT_DONE;
}

/* ---- the command ---- */

static int check_output(const char *verb, const char *file, const struct values *values)
{
    char option[32];
    snprintf(option, sizeof option, "bag %s", verb);
    if (!values->output || !*values->output) {
        fprintf(stderr, "doppel %s: --output is missing: %s\n", option,
                strcmp(verb, "cut") == 0 ? "the file for the new recording"
                                         : "the folder for the files of the run");
        return -1;
    }
    if (values->from_s > values->to_s) {
        fprintf(stderr, "doppel %s: --from %g is later than --to %g\n", option, values->from_s,
                values->to_s);
        return -1;
    }
    const struct cli_path outputs[] = {{"--output", values->output}};
    const struct cli_path inputs[] = {{"FILE", file}};
    return cli_check_outputs(option, outputs, 1, inputs, 1);
}

static bool is_folder_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Whether nobody's files would be replaced but those of a run. */
static bool is_for_results(const char *folder)
{
    DIR *files = opendir(folder);
    bool is_empty = files != NULL;
    for (const struct dirent *file; is_empty && (file = readdir(files));) {
        is_empty = strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0;
    }
    if (files) {
        closedir(files);
    }
    if (!files || is_empty || cli_has_result(folder, "run.json") ||
        cli_has_result(folder, "summary.json")) {
        return true; /* not readable: writing it fails */
    }
    fprintf(stderr,
            "doppel bag convert: --output %s: no run has left the files that are there: a new or "
            "empty folder is needed\n",
            cli_clean(folder));
    return false;
}

/* A recorder has a lock on its file, a run on its folder. */
static bool is_free(const char *verb, bool is_folder, const char *output)
{
    struct stat status;
    if (stat(output, &status) < 0 || S_ISDIR(status.st_mode) != is_folder) {
        return true; /* not there; or writing it fails */
    }
    if (is_folder) {
        return is_for_results(output) && cli_lock_dir("bag convert: --output", output) == 0;
    }
    int file = open(output, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_locked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    if (file >= 0) {
        close(file);
    }
    if (is_locked) {
        fprintf(stderr, "doppel bag %s: --output %s: it is being recorded\n", verb,
                cli_clean(output));
    }
    return !is_locked;
}

enum verb { INFO, CUT, CONVERT };

static void warn(const char *line)
{
    fprintf(stderr, "doppel bag: warning: %s\n", line);
}

/* cut and convert */
static int make(enum verb verb, const char *file, const struct values *values)
{
    struct dpl_diag why = {0};
    char trouble[BAG_TROUBLE_MAX] = "";
    struct bag_cut cut = {values->output, values->from_s, values->to_s, values->topics.items,
                          values->topics.n};
    bool is_table = verb == CONVERT && values->topics.n > 0, is_of_folder = is_folder_there(file);
    bool is_of_ros2 = verb == CONVERT && !is_table && bag_is_ros2(file);
    bool makes_folder = verb == CONVERT && !is_table && !is_of_folder && !is_of_ros2;
    if (!is_free(verb == CUT ? "cut" : "convert", makes_folder, values->output)) {
        return DPL_EXIT_BAD_INPUT;
    }
    int r = verb == CUT    ? bag_cut(file, &cut, trouble, &why)
            : is_table     ? bag_csv(file, values->topics.items[0], values->output, trouble, &why)
            : is_of_ros2   ? bag_from_ros2(file, values->output, warn, &why)
            : makes_folder ? bag_convert(file, values->output, trouble, &why)
                           : bag_from_folder(file, values->output, &why);
    if (r < 0) {
        return fail(&why, (int)cli_code_of_output(r));
    }
    if (trouble[0]) {
        fprintf(stderr, "doppel bag: %s: warning: %s\n", cli_clean(file), trouble);
    }
    return DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {.to_s = (double)INFINITY};
    int n = options_parse(&command_bag, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    static const char *const verbs[] = {"info", "cut", "convert"};
    int verb = cli_choose("bag", argv[1], verbs, 3);
    if (verb < 0 || (verb > INFO && check_output(verbs[verb], argv[2], &values) < 0)) {
        return DPL_EXIT_USAGE;
    }
    if (verb == CONVERT && values.topics.n > 1) {
        fprintf(stderr, "doppel bag convert: --topic: a table has one topic\n");
        return DPL_EXIT_USAGE;
    }
    return verb == INFO ? show(argv[2], &values) : make((enum verb)verb, argv[2], &values);
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"json", NULL, OPTION_FLAG, V(json), 0, 0, "info: as JSON", NULL},
    {"output", "PATH", OPTION_STRING, V(output), 0, 0,
     "cut: the new recording; convert: the folder for the files of the run, the new recording or "
     "the CSV",
     "file"},
    {"from", "S", OPTION_NUMBER, V(from_s), 0, 1e9, "cut: messages from this time of the run on",
     NULL},
    {"to", "S", OPTION_NUMBER, V(to_s), 0, 1e9, "cut: messages until this time", NULL},
    {"topic", "PATTERN", OPTION_LIST, V(topics), 0, 0,
     "cut: these topics only ('/Base/*'); may be given again; convert: a CSV of this topic", NULL},
};

const struct command command_bag = {
    .name = "bag",
    .operands = "info|cut|convert FILE.mcap|FOLDER",
    .summary = "tells what a recording has, cuts it, or makes the files of the run from it",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 2,
    .max_operands = 2,
    .more =
        "A recording is made with `doppel run --record FILE.mcap`. One whose writer was killed is\n"
        "read as far as its chunks are complete. `convert` writes run.json, summary.json, "
        "trace.csv\n"
        "and scans.csv as --out does; of a folder of --out, or a bag of ROS 2 in MCAP, it makes a\n"
        "recording. With --topic it writes a CSV: the messages of that topic, a column for each\n"
        "field.\n"
        "Exit codes: 0 done; 1 no recording, nothing in it for the output, or the output cannot "
        "be\n"
        "written there; 2 usage; 3 the disk is full.\n",
    .run = run,
};
