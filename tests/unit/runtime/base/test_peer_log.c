/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about peers: how many, and how their names are printed. */
#include <stdarg.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/peer_log.h>

Test(peer_log, lets_a_burst_through_then_a_line_a_second_and_says_what_it_held_back)
{
    struct dpl_peer_log log = {0};
    uint64_t held = 99;
    int n = 0;
    for (int i = 0; i < 1000; i++) {
        n += dpl_peer_log_may(&log, 5 * DPL_S + i * DPL_US, &held);
    }
    cr_assert_eq(n, DPL_PEER_LOG_BURST);
    cr_assert_eq(held, 0);
    for (int i = 1; i <= 1000; i++) {
        n += dpl_peer_log_may(&log, 5 * DPL_S + i * 10 * DPL_MS, &held);
    }
    cr_assert_eq(n, DPL_PEER_LOG_BURST + 10);
    cr_assert_eq(held, 99, "one in a hundred was written");
}

Test(peer_log, has_its_burst_again_after_a_silence)
{
    struct dpl_peer_log log = {0};
    uint64_t held = 0;
    while (dpl_peer_log_may(&log, 0, &held)) {
    }
    cr_assert(dpl_peer_log_may(&log, DPL_S * 60, &held));
    cr_assert_eq(held, 1);
    int n = 1;
    while (dpl_peer_log_may(&log, DPL_S * 60, &held)) {
        n++;
    }
    cr_assert_eq(n, DPL_PEER_LOG_BURST);
}

static bool line(struct dpl_peer_log *log, dpl_ns now, char *text, size_t size, const char *format,
                 ...)
{
    va_list args;
    va_start(args, format);
    bool written = dpl_peer_log_line(log, now, text, size, format, args);
    va_end(args);
    return written;
}

Test(peer_log, writes_lines_with_the_number_of_those_that_were_left_out)
{
    struct dpl_peer_log log = {0};
    char text[80] = "", narrow[8];
    for (int i = 0; i < DPL_PEER_LOG_BURST; i++) {
        cr_assert(line(&log, 0, text, sizeof text, "client %d", i));
    }
    cr_assert_not(line(&log, 0, text, sizeof text, "client %d", 10));
    cr_assert_not(line(&log, 0, text, sizeof text, "client %d", 11));
    cr_assert_str_eq(text, "client 9", "a line that is left out changes nothing");
    cr_assert(line(&log, DPL_S, text, sizeof text, "client %d", 12));
    cr_assert_str_eq(text, "client 12 (2 lines like this were left out)");
    cr_assert_not(line(&log, DPL_S, narrow, sizeof narrow, "client 13"));
    cr_assert(line(&log, 2 * DPL_S, narrow, sizeof narrow, "client 14"));
    cr_assert_str_eq(narrow, "client ", "nothing behind its end");
}

Test(peer_log, prints_what_a_peer_calls_itself_escaped)
{
    char to[32];
    cr_assert_str_eq(dpl_peer_name("doppel[12]", to, sizeof to), "doppel[12]");
    cr_assert_str_eq(dpl_peer_name("a\n\x1b[2J'\\", to, sizeof to), "a\\x0a\\x1b[2J\\x27\\x5c");
    cr_assert_str_eq(dpl_peer_name("\xc3\xa4", to, sizeof to), "\\xc3\\xa4");
}

Test(peer_log, ends_a_name_that_is_too_long_with_dots)
{
    char to[12];
    const char *name = dpl_peer_name("abcdefghijklmnop", to, sizeof to);
    cr_assert_str_eq(name, "abcdefgh...");
    cr_assert_str_eq(dpl_peer_name("\n\n\n\n", to, sizeof to), "\\x0a\\x0a...");
}
