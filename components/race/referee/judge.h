/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a race from the states of its car: pure logic. Also the rows of the log. */
#ifndef REFEREE_JUDGE_H
#define REFEREE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doppel/time.h>

#define JUDGE_RANGES_MAX   16
#define JUDGE_ROW_TEXT_MAX (128 + 24 * JUDGE_RANGES_MAX)

enum judge_verdict {
    JUDGE_NONE,
    JUDGE_FINISHED,
    JUDGE_HIT,
    JUDGE_TIMEOUT,
    JUDGE_SILENT,
    JUDGE_LIMIT, /* the race had the expected end, but a measure is outside of its limit */
};

/* A row of the log: the values before the tick's move. */
struct judge_row {
    uint32_t tick;
    int64_t x_mm, y_mm, velocity_mm_s, heading_deg;
    size_t n_ranges;
    double ranges_m[JUDGE_RANGES_MAX]; /* infinite: no wall */
};

/* Data of a tick: its row, and its result. */
struct judge_tick {
    struct judge_row row;
    dpl_ns at;
    enum judge_verdict outcome; /* none, finished or hit */
    double end_x_m, end_y_m;    /* position of the car after the tick's move */
    bool driven;
    bool no_finish; /* the track has none */
};

struct judge {
    uint32_t max_ticks;
    dpl_ns silent_after; /* 0: silence gives no verdict */

    enum judge_verdict verdict;
    uint32_t tick;     /* of the verdict */
    double time_s;     /* of that tick, from the first tick */
    double x_mm, y_mm; /* of the car then */
    dpl_ns first_at, driven_at;
    bool begun, no_finish;
};

/* Processes the next tick; returns the verdict so far. A verdict is final. */
enum judge_verdict judge_step(struct judge *judge, const struct judge_tick *tick);

/* The verdict as a word ("finished") and as a sentence of at most `size` bytes. */
const char *judge_word(enum judge_verdict verdict);
void judge_sentence(const struct judge *judge, char *ret_text, size_t size);

/* The log: "tick,x,y,vel,dir,s0,..." and rows of whole numbers, mm, mm/s and deg; MAX: no hit. */
void judge_write_header(FILE *file, size_t n_ranges);
/* As judge_write_header for a row, without the end of line, as snprintf; JUDGE_ROW_TEXT_MAX is
 * always enough. */
int judge_format_row(const struct judge_row *row, char *ret_text, size_t size);
void judge_write_row(FILE *file, const struct judge_row *row);

#endif
