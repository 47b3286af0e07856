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
    if (level == DPL_LOG_INFO) {
        return; /* a trigger's */
    }
    cr_assert_eq(level, DPL_LOG_ERROR);
    cr_assert_str_eq(text, "/dev/full is not written from here on: No space left on device");
}

static dpl_ns run_now; /* the run's time */

static dpl_ns now(void *observer)
{
    (void)observer;
    return run_now;
}

static const struct dpl_observer_ops ops = {.listen = listen, .now = now, .tell = tell};
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
    struct dpl_mcap_options wanted = options;
    dpl_fields_set_defaults(dpl_mcap_gateway.options + 1, dpl_mcap_gateway.n_options - 1, &options);
    options.split_s = wanted.split_s;
    options.files = wanted.files;
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
    cr_assert_str_eq(why.text, "cannot write '/nowhere/x.mcap': No such file or directory");
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

/* ---- series ---- */

static char folder[] = "/tmp/mcap_gateway-XXXXXX";

static void *start_series(void)
{
    char name[64];
    if (folder[strlen(folder) - 1] == 'X') {
        cr_assert(mkdtemp(folder));
    }
    snprintf(name, sizeof name, "%s/a.mcap", folder);
    return start(name);
}

static void end_series(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

/* What a file of the series has. */
static struct found {
    size_t n;
    uint64_t first, last;
    size_t n_attachments;
} look(int number)
{
    struct found found = {.n = 0};
    char name[64], *bytes;
    size_t n;
    int opened;
    struct dpl_mcap_reader *reader;
    struct dpl_mcap_message message;
    snprintf(name, sizeof name, "%s/a-%04d.mcap", folder, number);
    if (dpl_file_bytes(name, 1u << 24, &bytes, &n, &opened) < 0) {
        return found;
    }
    cr_assert_eq(dpl_mcap_open(bytes, n, &reader, NULL), 0);
    cr_assert(dpl_mcap_info(reader)->is_complete);
    found.n_attachments = dpl_mcap_info(reader)->n_attachments;
    while (dpl_mcap_next(reader, &message) > 0) {
        found.first = found.n++ == 0 ? message.log_time : found.first;
        found.last = message.log_time;
    }
    dpl_mcap_reader_close(reader);
    free(bytes);
    return found;
}

TestSuite(mcap_series_of_files, .fini = end_series);

Test(mcap_series_of_files, are_split_by_time_and_the_oldest_go)
{
    static const struct dpl_kept_file record = {"run.json", "application/json", "{}", 2};
    options.split_s = 1.0;
    options.files = 3;
    void *self = start_series();
    dpl_mcap_gateway.keep(self, &record);
    for (uint64_t i = 0; i < 4500; i++) {
        send(self, 0, 1000000 + i); /* of a run that goes on for long */
    }
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(look(1).n + look(2).n, 0);
    for (int i = 3; i < 5; i++) {
        cr_assert_eq(look(i).n, 1000);
        cr_assert_eq(look(i).n_attachments, 1);
    }
    cr_assert_eq(look(5).n, 500);
    self = start_series();
    send(self, 0, 1);
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(look(6).n, 1, "the next run replaces none");
    cr_assert_eq(look(3).n, 0);
}

Test(mcap_series_of_files, have_numbers_that_rise)
{
    options.split_s = 1.0;
    options.files = 1;
    void *self = start_series();
    for (uint64_t i = 0; i < 3000; i++) {
        send(self, 0, i);
    }
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(look(1).n, 0);
    cr_assert_eq(look(3).n, 1000);
}

static bool wants(void *user, const struct dpl_topic *topic)
{
    (void)user;
    return topic->id == 3;
}

/* Each message of the third topic, which is not recorded. */
static const char *holds(void *user, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    (void)user;
    (void)sample;
    return topic->id == 3 ? "it" : NULL;
}

static const struct dpl_mcap_trigger trigger = {wants, holds, NULL};

static void send_until(void *self, uint64_t *at, uint64_t end)
{
    for (; *at < end; ++*at) {
        run_now = (dpl_ns)*at * DPL_MS;
        send(self, 0, *at);
    }
}

Test(mcap_series_of_files, has_one_for_each_trigger_with_the_time_before_and_after)
{
    uint64_t at = 1;
    options.trigger = &trigger;
    void *self = start_series();
    cr_assert_eq(listeners[3], 1);
    send_until(self, &at, 20000);
    send(self, 2, at);
    send_until(self, &at, 22000);
    send(self, 2, at); /* again, within its time */
    send_until(self, &at, 60000);
    send(self, 2, at);
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(n_told, 2);
    cr_assert_eq(look(1).first, 10000 * DPL_MS);
    cr_assert_eq(look(1).last, 27000 * DPL_MS);
    cr_assert_eq(look(1).n, 17001);
    cr_assert_eq(look(2).first, 50000 * DPL_MS);
    cr_assert_eq(look(2).n, 10000);
    cr_assert_eq(look(3).n, 0);
}

/* Topics come in turns, and behind the run. */
Test(mcap_series_of_files, have_what_comes_late)
{
    options.trigger = &trigger;
    void *self = start_series();
    run_now = 30000 * DPL_MS;
    for (uint64_t i = 1; i < 30000; i++) {
        send(self, 0, i);
    }
    send(self, 2, 20000);
    for (uint64_t i = 1; i < 30000; i++) {
        send(self, 1, i);
    }
    cr_assert_eq(dpl_mcap_gateway.close(self, NULL), 0);
    cr_assert_eq(look(1).n, 2 * 15001);
    cr_assert_eq(look(1).first, 10000 * DPL_MS);
    cr_assert_eq(look(1).last, 25000 * DPL_MS);
}
