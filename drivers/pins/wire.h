/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated wire between two boards: what each of its two ends does to it over time. An end has
 * one writer and one reader (the other board), which may be threads of their own: every function
 * is lock-free, allocates nothing and never waits. Pure: time comes as an argument. */
#ifndef DRIVERS_PINS_WIRE_H
#define DRIVERS_PINS_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#define WIRE_KEPT  64  /* newest changes of an end that can be asked for */
#define WIRE_SLOTS 128 /* more than WIRE_KEPT: room for a writer that overtakes a reader */

enum wire_drive {
    WIRE_FLOATS, /* nobody there, or an input */
    WIRE_PULLS_UP,
    WIRE_LOW,
    WIRE_HIGH,
    WIRE_ANALOG,
    WIRE_PWM,
};

/* What an end does from an instant on. */
struct wire_change {
    dpl_ns at; /* of the run's clock, 0 to 2^60 */
    enum wire_drive drive;
    double ratio;        /* analog: of the reference; PWM: duty, 0 to 1 */
    double frequency_hz; /* PWM; its period begins at `at` */
};

struct wire_slot {
    atomic_llong when; /* at * 8 + drive */
    _Atomic double ratio, frequency_hz;
};

/* Zeroed memory is an end that floats and was never driven. */
struct wire_end {
    atomic_ullong n;     /* changes made so far; the last WIRE_SLOTS of them are in `slot` */
    atomic_llong driven; /* instant of the newest drive + 1, changed or not; 0: never */
    atomic_llong seen;   /* until when this end's board has looked at the other end */
    /* Its board is not commanded in time: until it drives the end again, the end drives nothing.
     * Set by who reads it. */
    atomic_bool rests;
    const void *board; /* who has this end; set before threads start, and after they ended */
    struct wire_slot slot[WIRE_SLOTS];
};

struct wire {
    struct wire_end end[2];
};

/* Where a reader is in the changes of the other end. Zeroed: at their beginning. */
struct wire_reader {
    uint64_t next;
    struct wire_change last;
};

/* Writer. `at` must not lie before that of the end's newest change; the caller keeps less than
 * WIRE_KEPT changes ahead of the reader's time. */
void wire_push(struct wire_end *end, const struct wire_change *change);

/* What the end does at `t`, of its last WIRE_KEPT changes. Any thread. */
struct wire_change wire_at(const struct wire_end *end, dpl_ns t);

/* The newest change, whenever it takes effect. Any thread. */
struct wire_change wire_newest(const struct wire_end *end);

/* How many of the last WIRE_KEPT changes lie after `t`. Writer. */
unsigned wire_ahead(const struct wire_end *end, dpl_ns t);

/* Takes the next change not after `until`; false: none. Adds the changes that came too fast to be
 * kept to *lost. Reader; *reader->last is the change before. */
bool wire_next(const struct wire_end *end, struct wire_reader *reader, dpl_ns until,
               struct wire_change *ret_change, unsigned *lost);

/* The level of a wire whose ends do `a` and `b`, at `t`: what an end drives (both: the low one
 * wins), else high where one pulls up, else low. */
bool wire_level(const struct wire_change *a, const struct wire_change *b, dpl_ns t);

/* Its mean voltage, 0 to 1: the driven one (both: the lower one). */
double wire_ratio(const struct wire_change *a, const struct wire_change *b);

/* Whether the end drives the wire; when both do, they fight. */
bool wire_is_driven(const struct wire_change *change);

#endif
