/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "mcap_file.h"

static struct mcap_file file;
static struct dpl_mcap_reader *reader;

static void teardown(void)
{
    dpl_mcap_reader_close(reader);
    dpl_bytes_finish(&file.bytes);
}

TestSuite(mcap_reader, .fini = teardown);

/* 100 messages in chunks of 250 bytes, times 0, 10, ... in pairs that are swapped. */
static void write_file(int level)
{
    mcap_file_begin(&file, 250, level);
    struct dpl_mcap_new_attachment note = {"note.txt", "text/plain", 5, 6, "hello", 5};
    struct dpl_mcap_pair seed = {"seed", "7"};
    cr_assert_eq(dpl_mcap_add_attachment(file.writer, &note), 0);
    cr_assert_eq(dpl_mcap_add_metadata(file.writer, "run", &seed, 1), 0);
    for (uint64_t i = 0; i < 100; i++) {
        cr_assert_eq(mcap_file_message(&file, i % 3 == 0, 10 * (i ^ 1)), 0);
    }
    cr_assert_eq(dpl_mcap_close(file.writer), 0);
}

static void open_file(size_t n)
{
    struct dpl_diag why = {0};
    dpl_mcap_reader_close(reader);
    reader = NULL;
    cr_assert_eq(dpl_mcap_open(file.bytes.data, n, &reader, &why), 0, "%s", why.text);
}

/* Reads on; the messages must be in order and as they were written. Returns their number. */
static size_t read_all(void)
{
    struct dpl_mcap_message message;
    size_t n = 0;
    int r;
    for (uint64_t last = 0; (r = dpl_mcap_next(reader, &message)) > 0; n++) {
        char text[32];
        snprintf(text, sizeof text, "{\"t\":%d}", (int)message.log_time);
        cr_assert_geq(message.log_time, last);
        last = message.log_time;
        cr_assert_eq(message.publish_time, message.log_time + 1);
        cr_assert_eq(message.sequence, message.log_time);
        cr_assert_eq(message.data.n, strlen(text));
        cr_assert_eq(memcmp(message.data.data, text, message.data.n), 0);
        cr_assert_eq(message.channel->schema->name.data[0], 'S');
    }
    cr_assert_eq(r, 0);
    return n;
}

Test(mcap_reader, reads_what_was_written_in_the_order_of_time)
{
    write_file(3);
    open_file(file.bytes.n);
    const struct dpl_mcap_info *info = dpl_mcap_info(reader);
    cr_assert(info->is_complete);
    cr_assert_eq(info->n_channels, 2);
    cr_assert_eq(memcmp(info->channels[1]->topic.data, "/b", 2), 0);
    cr_assert_gt(info->n_chunks, 10);
    cr_assert_eq(info->start, 0);
    cr_assert_eq(info->end, 990);
    cr_assert_eq(info->n_attachments, 1);
    cr_assert_eq(memcmp(info->attachments[0].data.data, "hello", 5), 0);
    cr_assert_eq(info->n_metadata, 1);
    cr_assert_eq(read_all(), 100);
    cr_assert_eq(info->n_damaged, 0);
}

static bool is_b(void *user, const struct dpl_mcap_channel *channel)
{
    (void)user;
    return channel->topic.data[1] == 'b';
}

Test(mcap_reader, reads_a_part_of_the_time_and_of_the_channels)
{
    write_file(0);
    open_file(file.bytes.n);
    dpl_mcap_seek(reader, 200, 399, NULL, NULL);
    cr_assert_eq(read_all(), 20);
    dpl_mcap_seek(reader, 0, UINT64_MAX, is_b, NULL);
    cr_assert_eq(read_all(), 34);
    dpl_mcap_seek(reader, 991, UINT64_MAX, NULL, NULL);
    cr_assert_eq(read_all(), 0);
}

/* Where each chunk record ends, and the messages up to there. */
static size_t chunk_ends(size_t ends[64], size_t messages[64])
{
    size_t n = 0, at = 8;
    while (file.bytes.data[at] != 0x0F) {
        size_t next = at + 9 + dpl_bytes_get(file.bytes.data + at + 1, 8);
        if (file.bytes.data[at] == 0x06) {
            ends[n] = next;
            open_file(next);
            messages[n++] = read_all();
        }
        at = next;
    }
    return n;
}

Test(mcap_reader, recovers_all_complete_chunks_of_a_file_that_is_cut_anywhere)
{
    size_t ends[64], messages[64];
    write_file(3);
    size_t n = chunk_ends(ends, messages);
    cr_assert_eq(messages[n - 1], 100);
    for (size_t cut = 8; cut < file.bytes.n; cut += 7) {
        uint8_t *copy = malloc(cut); /* a sanitizer sees what is read beyond */
        memcpy(copy, file.bytes.data, cut);
        size_t whole = 0;
        for (size_t i = 0; i < n; i++) {
            whole = ends[i] <= cut ? messages[i] : whole;
        }
        dpl_mcap_reader_close(reader);
        reader = NULL;
        cr_assert_eq(dpl_mcap_open(copy, cut, &reader, NULL), 0);
        cr_assert_not(dpl_mcap_info(reader)->is_complete);
        cr_assert_eq(read_all(), whole, "cut at %zu", cut);
        dpl_mcap_reader_close(reader);
        reader = NULL;
        free(copy);
    }
}

Test(mcap_reader, leaves_out_a_damaged_chunk_and_says_so)
{
    size_t ends[64], messages[64];
    write_file(3);
    size_t n = chunk_ends(ends, messages);
    cr_assert_gt(n, 4);
    file.bytes.data[ends[3] - 3] ^= 0x55;
    open_file(file.bytes.n);
    cr_assert(dpl_mcap_info(reader)->is_complete, "the index is whole");
    cr_assert_eq(read_all(), 100 - (messages[3] - messages[2]));
    cr_assert_eq(dpl_mcap_info(reader)->n_damaged, 1);
}

Test(mcap_reader, names_an_attachment_that_is_damaged)
{
    size_t at = 0;
    write_file(3);
    while (memcmp(file.bytes.data + at, "hello", 5) != 0) {
        at++;
    }
    file.bytes.data[at] ^= 0x55;
    for (size_t cut = 0; cut < 2; cut++) { /* by the index, and without */
        open_file(file.bytes.n - 10 * cut);
        const struct dpl_mcap_info *info = dpl_mcap_info(reader);
        cr_assert_eq(info->n_attachments, 0);
        cr_assert_eq(info->n_damaged, 1);
        cr_assert_eq(info->n_damaged_files, 1);
        cr_assert_eq(memcmp(info->damaged_files[0].data, "note.txt", 8), 0);
    }
}

Test(mcap_reader, names_a_compression_that_it_does_not_know)
{
    write_file(3);
    size_t n = 0;
    for (size_t i = 0; i + 4 < file.bytes.n; i++) {
        if (memcmp(file.bytes.data + i, "zstd", 4) == 0) {
            memcpy(file.bytes.data + i, "lz4f", 4);
            n++;
        }
    }
    cr_assert_gt(n, 4);
    for (size_t cut = 0; cut < 2;
         cut++) { /* by the index, whose checksum is wrong now, and without */
        open_file(file.bytes.n - 100 * cut);
        cr_assert_eq(read_all(), 0);
        const struct dpl_mcap_info *info = dpl_mcap_info(reader);
        cr_assert_gt(info->n_damaged, 4);
        cr_assert_eq(info->compression.n, 4);
        cr_assert_eq(memcmp(info->compression.data, "lz4f", 4), 0);
    }
}

Test(mcap_reader, reads_a_file_whose_index_is_damaged_without_it)
{
    write_file(3);
    file.bytes.data[file.bytes.n - 60] ^= 0x55;
    open_file(file.bytes.n);
    cr_assert_not(dpl_mcap_info(reader)->is_complete);
    cr_assert_eq(read_all(), 100);
}

Test(mcap_reader, refuses_what_is_no_mcap_file)
{
    struct dpl_diag why = {0};
    cr_assert_eq(dpl_mcap_open("t,x\n0,1\n", 8, &reader, &why), -EINVAL);
    cr_assert_eq(dpl_mcap_open("", 0, &reader, &why), -EINVAL);
    cr_assert_null(reader);
}
