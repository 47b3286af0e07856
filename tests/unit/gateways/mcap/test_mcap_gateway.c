/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file_bytes.h"
#include "mcap_gateway.h"
#include "mcap_reader.h"

static int listeners[4];

static void listen(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    listeners[topic->id] += by;
}

static unsigned n_told;

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    n_told++;
    cr_assert_eq(level, DPL_LOG_ERROR);
    cr_assert_str_eq(text, "/dev/full is not written from here on: No space left on device");
}

static const struct dpl_observer_ops ops = {.listen = listen, .tell = tell};
static const struct dpl_topic topics[] = {
    {.id = 1,
     .name = "/A/out",
     .encoding = "json",
     .schema_name = "S",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2,
     .unit = "",
     .summary = ""},
    {.id = 2,
     .name = "/B/out",
     .encoding = "json",
     .schema_name = "S",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2,
     .unit = "mm",
     .summary = ""},
    {.id = 3,
     .name = "/B/log",
     .encoding = "json",
     .schema_name = "L",
     .schema_encoding = "jsonschema",
     .schema = "{}",
     .n_schema = 2,
     .unit = "",
     .summary = ""},
};
static struct dpl_mcap_options options;

static void *start(const char *file)
{
    static struct dpl_gateway_setup setup = {.ops = &ops, .options = &options};
    void *self = NULL;
    dpl_fields_set_defaults(dpl_mcap_gateway.options + 1, dpl_mcap_gateway.n_options - 1, &options);
    snprintf(options.file, sizeof options.file, "%s", file);
    strcpy(options.topics, "/A/* */out");
    cr_assert_eq(dpl_mcap_gateway.open(&setup, &self, NULL), 0);
    for (size_t i = 0; i < 3; i++) {
        dpl_mcap_gateway.advertise(self, &topics[i]);
    }
    return self;
}

static void send(void *self, int topic, uint64_t n)
{
    dpl_ns stamp = (dpl_ns)n * DPL_MS;
    struct dpl_sample sample = {
        .stamp = stamp, .taken = stamp, .sequence = n, .data = "{}", .n = 2};
    dpl_mcap_gateway.message(self, &topics[topic], &sample);
}

Test(mcap_gateway, records_the_topics_that_are_wanted)
{
    char name[] = "/tmp/mcap_gateway.XXXXXX", *bytes;
    size_t n;
    int opened;
    close(mkstemp(name));
    void *self = start(name);
    cr_assert_eq(listeners[1], 1);
    cr_assert_eq(listeners[2], 1);
    cr_assert_eq(listeners[3], 0);
    for (uint64_t i = 0; i < 3500; i++) {
        send(self, 0, i);
        send(self, 1, i);
        send(self, 2, i);
    }
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(dpl_file_bytes(name, 1u << 20, &bytes, &n, &opened), 0);
    struct dpl_mcap_reader *reader;
    struct dpl_mcap_message message;
    cr_assert_eq(dpl_mcap_open(bytes, n, &reader, NULL), 0);
    cr_assert_eq(dpl_mcap_info(reader)->n_chunks, 4, "a chunk is at most a second long");
    size_t count = 0;
    while (dpl_mcap_next(reader, &message) > 0) {
        count++;
    }
    cr_assert_eq(count, 7000);
    dpl_mcap_reader_close(reader);
    free(bytes);
    unlink(name);
}

Test(mcap_gateway, a_full_disk_ends_the_recording_and_is_told_at_the_end)
{
    struct dpl_diag why = {0};
    void *self = start("/dev/full");
    send(self, 0, 0);
    cr_assert_lt(dpl_mcap_gateway.close(self, &why), 0);
    cr_assert_str_eq(why.text, "/dev/full is incomplete: No space left on device");
}

Test(mcap_gateway, a_full_disk_is_told_once_when_it_happens)
{
    void *self = start("/dev/full");
    for (int i = 0; i < 3; i++) {
        send(self, 0, (dpl_ns)i * 2 * DPL_S);
    }
    cr_assert_eq(n_told, 1);
    cr_assert_lt(dpl_mcap_gateway.close(self, NULL), 0);
}

Test(mcap_gateway, names_a_file_that_cannot_be_written)
{
    struct dpl_diag why = {0};
    struct dpl_gateway_setup setup = {.ops = &ops, .options = &options};
    void *self;
    strcpy(options.file, "/nowhere/x.mcap");
    cr_assert_lt(dpl_mcap_gateway.open(&setup, &self, &why), 0);
    cr_assert_str_eq(why.text, "cannot write /nowhere/x.mcap: No such file or directory");
}

Test(mcap_gateway, leaves_the_file_of_another_run_alone)
{
    char name[] = "/tmp/mcap_gateway.XXXXXX", *bytes;
    struct dpl_diag why = {0};
    size_t n, n_before;
    int opened;
    close(mkstemp(name));
    void *self = start(name), *second = NULL;
    struct dpl_gateway_setup setup = {.ops = &ops, .options = &options};
    cr_assert_eq(dpl_file_bytes(name, 1u << 20, &bytes, &n_before, &opened), 0);
    free(bytes);
    cr_assert_eq(dpl_mcap_gateway.open(&setup, &second, &why), -EBUSY);
    cr_assert_not_null(strstr(why.text, " is being recorded by another run"));
    cr_assert_eq(dpl_file_bytes(name, 1u << 20, &bytes, &n, &opened), 0);
    cr_assert_eq(n, n_before);
    free(bytes);
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    unlink(name);
}

Test(mcap_gateway, tells_that_the_file_has_lost_its_name)
{
    char name[] = "/tmp/mcap_gateway.XXXXXX";
    struct dpl_diag why = {0};
    close(mkstemp(name));
    void *self = start(name);
    unlink(name);
    cr_assert_eq(dpl_mcap_gateway.close(self, &why), -ESTALE);
    cr_assert_not_null(strstr(why.text, " is not the recording: it was replaced"));
}
