/* SPDX-License-Identifier: Apache-2.0 */
/* Verdict of races, and writing of their log. */
#include "judge.h"

#include <inttypes.h>
#include <math.h>

static enum judge_verdict decide(const struct judge *judge, const struct judge_tick *tick)
{
    if (tick->outcome != JUDGE_NONE) {
        return tick->outcome;
    }
    if (judge->silent_after > 0 && tick->at - judge->driven_at >= judge->silent_after) {
        return JUDGE_SILENT;
    }
    return tick->row.tick + 1 >= judge->max_ticks ? JUDGE_TIMEOUT : JUDGE_NONE;
}

enum judge_verdict judge_step(struct judge *judge, const struct judge_tick *tick)
{
    if (judge->verdict != JUDGE_NONE) {
        return judge->verdict;
    }
    if (!judge->begun) {
        judge->begun = true;
        judge->first_at = judge->driven_at = tick->at;
    }
    if (tick->driven) {
        judge->driven_at = tick->at;
    }
    judge->no_finish = tick->no_finish;
    judge->tick = tick->row.tick;
    judge->time_s = dpl_ns_to_s(tick->at - judge->first_at);
    judge->x_mm = tick->end_x_m * 1e3;
    judge->y_mm = tick->end_y_m * 1e3;
    judge->verdict = decide(judge, tick);
    return judge->verdict;
}

const char *judge_word(enum judge_verdict verdict)
{
    static const char *const words[] = {
        [JUDGE_NONE] = "none",       [JUDGE_FINISHED] = "finished", [JUDGE_HIT] = "hit",
        [JUDGE_TIMEOUT] = "timeout", [JUDGE_SILENT] = "silent",     [JUDGE_LIMIT] = "limit",
    };
    return words[verdict];
}

void judge_sentence(const struct judge *judge, char *ret_text, size_t size)
{
    long long x = llround(judge->x_mm), y = llround(judge->y_mm);
    unsigned tick = judge->tick;
    switch (judge->verdict) {
    case JUDGE_FINISHED:
        snprintf(ret_text, size, "FINISH at (%lld,%lld) mm in tick %u, after %.3f s", x, y, tick,
                 judge->time_s);
        break;
    case JUDGE_HIT:
        snprintf(ret_text, size, "HIT a wall at (%lld,%lld) mm in tick %u, after %.3f s", x, y,
                 tick, judge->time_s);
        break;
    case JUDGE_TIMEOUT:
        snprintf(ret_text, size,
                 "TIMEOUT: %s within %u ticks (%.3f s); the car is at (%lld,%lld) mm%s",
                 judge->no_finish ? "no wall" : "neither finish nor wall", judge->max_ticks,
                 judge->time_s, x, y, judge->no_finish ? "; the track has no finish" : "");
        break;
    case JUDGE_SILENT:
        snprintf(ret_text, size,
                 "SILENT: the controller has driven nothing for %.3f s; the car stands at "
                 "(%lld,%lld) mm in tick %u",
                 dpl_ns_to_s(judge->silent_after), x, y, tick);
        break;
    default: snprintf(ret_text, size, "no verdict yet"); break;
    }
}

void judge_write_header(FILE *file, size_t n_ranges)
{
    fputs("tick,x,y,vel,dir", file);
    for (size_t i = 0; i < n_ranges; i++) {
        fprintf(file, ",s%zu", i);
    }
    fputc('\n', file);
}

int judge_format_row(const struct judge_row *row, char *ret_text, size_t size)
{
    int n = snprintf(ret_text, size, "%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
                     row->tick, row->x_mm, row->y_mm, row->velocity_mm_s, row->heading_deg);
    for (size_t i = 0; i < row->n_ranges && n >= 0 && (size_t)n < size; i++) {
        char *to = ret_text + n;
        size_t room = size - (size_t)n;
        n += isfinite(row->ranges_m[i])
                 ? snprintf(to, room, ",%lld", llround(row->ranges_m[i] * 1e3))
                 : snprintf(to, room, ",MAX");
    }
    return n;
}

void judge_write_row(FILE *file, const struct judge_row *row)
{
    char text[JUDGE_ROW_TEXT_MAX];
    judge_format_row(row, text, sizeof text);
    fprintf(file, "%s\n", text);
}
