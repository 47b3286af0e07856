/* SPDX-License-Identifier: Apache-2.0 */
/* The log's ring: what is written is printed in order, and nothing else. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "runtime.h"

static struct dpl_runtime runtime;
static char *text;
static size_t size;

static void open_log(enum dpl_log_level level)
{
    memset(&runtime, 0, sizeof runtime);
    runtime.options.simulated = true;
    runtime.options.log_level = level;
    runtime.options.log = open_memstream(&text, &size);
    cr_assert_eq(dpl__log_create(&runtime), 0);
}

static const char *drained(void)
{
    dpl__log_drain(runtime.log);
    fflush(runtime.options.log);
    return text;
}

static void close_log(void)
{
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
    free(text);
}

static size_t count_lines(const char *s)
{
    size_t n = 0;
    for (; *s != '\0'; s++) {
        n += *s == '\n';
    }
    return n;
}

Test(log, prints_time_level_source_and_text)
{
    open_log(DPL_LOG_INFO);
    atomic_store(&runtime.sim_now, 12345 * DPL_MS);
    dpl__log_printf(runtime.log, DPL_LOG_WARN, "Base", "speed %d of %s", 3, "four");
    cr_assert_str_eq(drained(), "[   12.345] warn Base: speed 3 of four\n");
    close_log();
}

Test(log, prints_in_the_order_of_writing)
{
    open_log(DPL_LOG_DEBUG);
    dpl__log_printf(runtime.log, DPL_LOG_DEBUG, "A", "one");
    dpl__log_printf(runtime.log, DPL_LOG_ERROR, "B", "two");
    cr_assert_str_eq(drained(), "[    0.000] debug A: one\n[    0.000] error B: two\n");
    close_log();
}

Test(log, keeps_quiet_below_the_level_of_the_run)
{
    open_log(DPL_LOG_WARN);
    dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "one");
    cr_assert_str_eq(drained(), "");
    close_log();
}

Test(log, drops_and_counts_when_the_ring_is_full)
{
    open_log(DPL_LOG_INFO);
    for (int i = 0; i < 1030; i++) {
        dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "message %d", i);
    }
    const char *printed = drained();
    cr_assert_eq(count_lines(printed), 1025);
    cr_assert_not_null(strstr(printed, "message 1023\n"));
    cr_assert_null(strstr(printed, "message 1024\n"));
    cr_assert_not_null(strstr(printed, "warn log: 6 messages dropped"));
    close_log();
}

Test(log, tells_of_drops_only_once)
{
    open_log(DPL_LOG_INFO);
    for (int i = 0; i < 1025; i++) {
        dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "x");
    }
    size_t before = count_lines(drained());
    cr_assert_eq(count_lines(drained()), before);
    close_log();
}

Test(log, takes_messages_again_after_it_was_full)
{
    open_log(DPL_LOG_INFO);
    for (int i = 0; i < 3000; i++) {
        dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "x");
        if (i % 500 == 0) {
            drained();
        }
    }
    drained();
    dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "the last");
    cr_assert_not_null(strstr(drained(), "the last\n"));
    cr_assert_null(strstr(text, "dropped"));
    close_log();
}

Test(log, cuts_a_long_text)
{
    char longer[400];
    memset(longer, 'x', sizeof longer);
    longer[399] = '\0';
    open_log(DPL_LOG_INFO);
    dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "%s", longer);
    cr_assert_eq(strlen(drained()), strlen("[    0.000] info A: \n") + 239);
    close_log();
}

Test(log, keeps_control_characters_of_a_peer_off_the_terminal)
{
    open_log(DPL_LOG_INFO);
    dpl__log_printf(runtime.log, DPL_LOG_INFO, "A", "a\nb\x1b[31mc");
    cr_assert_str_eq(drained(), "[    0.000] info A: a\\x0ab\\x1b[31mc\n");
    close_log();
}
