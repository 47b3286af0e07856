/* SPDX-License-Identifier: Apache-2.0 */
/* The referee's judgement: which verdict when, its sentence, and the rows of the log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "judge.h"

static struct judge judge;

static enum judge_verdict step(uint32_t tick, enum judge_verdict outcome, bool driven)
{
    struct judge_tick t = {
        .row = {.tick = tick, .x_mm = 10, .y_mm = 100 * tick},
        .at = (dpl_ns)tick * 100 * DPL_MS + 7 * DPL_S,
        .outcome = outcome,
        .end_x_m = 0.9404,
        .end_y_m = outcome == JUDGE_NONE ? 0.1 * tick + 0.05 : 0.56,
        .driven = driven,
    };
    return judge_step(&judge, &t);
}

static void expect_sentence(const char *part)
{
    char text[192];
    judge_sentence(&judge, text, sizeof text);
    cr_assert_not_null(strstr(text, part), "%s", text);
}

Test(judge, takes_over_what_the_car_did)
{
    judge = (struct judge){.max_ticks = 100};
    cr_assert_eq(step(0, JUDGE_NONE, true), JUDGE_NONE);
    cr_assert_eq(step(1, JUDGE_HIT, true), JUDGE_HIT);
    expect_sentence("HIT a wall at (940,560) mm in tick 1, after 0.100 s");
    cr_assert_str_eq(judge_word(judge.verdict), "hit");
}

Test(judge, lets_the_first_verdict_stand)
{
    judge = (struct judge){.max_ticks = 2};
    cr_assert_eq(step(0, JUDGE_FINISHED, true), JUDGE_FINISHED);
    cr_assert_eq(step(1, JUDGE_HIT, false), JUDGE_FINISHED);
    cr_assert_eq(judge.tick, 0);
    expect_sentence("FINISH at (940,560)");
}

Test(judge, calls_time_after_the_last_tick)
{
    judge = (struct judge){.max_ticks = 100};
    for (uint32_t tick = 0; tick < 99; tick++) {
        cr_assert_eq(step(tick, JUDGE_NONE, true), JUDGE_NONE);
    }
    cr_assert_eq(step(99, JUDGE_NONE, true), JUDGE_TIMEOUT);
    expect_sentence("within 100 ticks (9.900 s); the car is at (940,9950) mm");
}

Test(judge, lets_the_finish_in_the_last_tick_count)
{
    judge = (struct judge){.max_ticks = 1};
    cr_assert_eq(step(0, JUDGE_FINISHED, true), JUDGE_FINISHED);
}

Test(judge, calls_a_controller_silent_after_its_time)
{
    judge = (struct judge){.max_ticks = 100, .silent_after = 500 * DPL_MS};
    cr_assert_eq(step(0, JUDGE_NONE, true), JUDGE_NONE);
    for (uint32_t tick = 1; tick < 5; tick++) {
        cr_assert_eq(step(tick, JUDGE_NONE, false), JUDGE_NONE);
    }
    cr_assert_eq(step(5, JUDGE_NONE, true), JUDGE_NONE);
    for (uint32_t tick = 6; tick < 10; tick++) {
        cr_assert_eq(step(tick, JUDGE_NONE, false), JUDGE_NONE);
    }
    cr_assert_eq(step(10, JUDGE_NONE, false), JUDGE_SILENT);
    expect_sentence("driven nothing for 0.500 s; the car stands at (940,1050) mm in tick 10");
}

Test(judge, counts_the_silence_of_a_controller_that_never_began)
{
    judge = (struct judge){.max_ticks = 100, .silent_after = 300 * DPL_MS};
    for (uint32_t tick = 0; tick < 3; tick++) {
        cr_assert_eq(step(tick, JUDGE_NONE, false), JUDGE_NONE);
    }
    cr_assert_eq(step(3, JUDGE_NONE, false), JUDGE_SILENT);
}

Test(judge, bears_silence_where_it_is_no_verdict)
{
    judge = (struct judge){.max_ticks = 1000};
    for (uint32_t tick = 0; tick < 999; tick++) {
        cr_assert_eq(step(tick, JUDGE_NONE, false), JUDGE_NONE);
    }
}

Test(judge, writes_rows_of_whole_numbers)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct judge_row row = {7, 1010, -490, 1000, 135, 3, {0.0104999, (double)INFINITY, 1.9996}};
    judge_write_header(file, 3);
    judge_write_row(file, &row);
    row.n_ranges = 0;
    judge_write_row(file, &row);
    fclose(file);
    cr_assert_str_eq(text, "tick,x,y,vel,dir,s0,s1,s2\n"
                           "7,1010,-490,1000,135,10,MAX,2000\n"
                           "7,1010,-490,1000,135\n");
    free(text);
}

Test(judge, says_that_nobody_can_finish_without_a_finish)
{
    judge = (struct judge){.max_ticks = 1};
    struct judge_tick t = {.no_finish = true, .driven = true};
    cr_assert_eq(judge_step(&judge, &t), JUDGE_TIMEOUT);
    expect_sentence("TIMEOUT: no wall within 1 ticks");
    expect_sentence("mm; the track has no finish");
}

Test(judge, has_a_word_for_every_verdict_and_sentences_that_fit)
{
    for (enum judge_verdict v = JUDGE_NONE; v <= JUDGE_SILENT; v++) {
        judge = (struct judge){.verdict = v,
                               .max_ticks = UINT32_MAX,
                               .tick = UINT32_MAX,
                               .time_s = -1e9,
                               .x_mm = -1e12,
                               .y_mm = -1e12,
                               .silent_after = INT64_MAX};
        char text[192];
        judge_sentence(&judge, text, sizeof text);
        cr_assert(strlen(text) > 5 && strlen(text) < sizeof text - 1, "%s", text);
        cr_assert_gt(strlen(judge_word(v)), 2);
    }
}
