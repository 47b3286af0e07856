/* SPDX-License-Identifier: Apache-2.0 */
/* What the writer promises beside what the reader reads. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "mcap_file.h"

static struct mcap_file file;

static void teardown(void)
{
    dpl_bytes_finish(&file.bytes);
}

TestSuite(mcap_writer, .fini = teardown);

Test(mcap_writer, begins_and_ends_with_the_magic)
{
    mcap_file_begin(&file, 0, 3);
    cr_assert_eq(dpl_mcap_close(file.writer), 0);
    cr_assert_eq(memcmp(file.bytes.data, "\x89MCAP0\r\n", 8), 0);
    cr_assert_eq(memcmp(file.bytes.data + file.bytes.n - 8, "\x89MCAP0\r\n", 8), 0);
}

Test(mcap_writer, keeps_the_first_error_of_the_sink)
{
    mcap_file_begin(&file, 100, 0);
    file.room = 400;
    int r = 0;
    for (uint64_t i = 0; i < 100 && r == 0; i++) {
        r = mcap_file_message(&file, 0, i);
    }
    cr_assert_eq(r, -ENOSPC);
    file.room = 0;
    cr_assert_eq(mcap_file_message(&file, 0, 1), -ENOSPC);
    size_t n = file.bytes.n;
    cr_assert_eq(dpl_mcap_close(file.writer), -ENOSPC);
    cr_assert_eq(file.bytes.n, n, "it wrote on after an error");
}

Test(mcap_writer, refuses_a_channel_that_is_not_there)
{
    mcap_file_begin(&file, 0, 0);
    file.channels[0] = 3;
    cr_assert_eq(mcap_file_message(&file, 0, 1), -EINVAL);
    cr_assert_eq(mcap_file_message(&file, 1, 1), 0);
    cr_assert_eq(dpl_mcap_close(file.writer), 0);
}

Test(mcap_writer, gives_the_same_bytes_again)
{
    struct dpl_bytes first = {0};
    for (int round = 0; round < 2; round++) {
        file = (struct mcap_file){.room = 0};
        mcap_file_begin(&file, 300, 3);
        for (uint64_t i = 0; i < 50; i++) {
            mcap_file_message(&file, i % 2, i);
        }
        cr_assert_eq(dpl_mcap_close(file.writer), 0);
        if (round == 0) {
            first = file.bytes;
        }
    }
    cr_assert_eq(first.n, file.bytes.n);
    cr_assert_eq(memcmp(first.data, file.bytes.data, first.n), 0);
    dpl_bytes_finish(&first);
}
