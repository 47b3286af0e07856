/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated wire between two boards: the changes of each of its two ends over time. An end has
 * one writer and one reader (the other board), which may be different threads: every function is
 * lock-free, allocates nothing and never waits. Pure: time is an argument. */
#ifndef DRIVERS_PINS_WIRE_H
#define DRIVERS_PINS_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#define WIRE_KEPT  64  /* newest changes of an end that can be read */
#define WIRE_SLOTS 128 /* more than WIRE_KEPT, for a writer that overtakes a reader */

enum wire_drive {
    WIRE_FLOATS, /* not connected, or an input */
    WIRE_PULLS_UP,
    WIRE_LOW,
    WIRE_HIGH,
    WIRE_ANALOG,
    WIRE_PWM,
};

/* The state of an end from a given time on. */
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

/* Zeroed memory is an end that is not driven and never was. */
struct wire_end {
    atomic_ullong n;     /* changes made so far; the last WIRE_SLOTS of them are in `slot` */
    atomic_llong driven; /* time of the newest drive + 1, with a change or without; 0: never */
    atomic_llong seen;   /* time until which this end's board has read the other end */
    /* Its board is not commanded in time: the end counts as not driven until its board drives it
     * again. The reader sets it. */
    atomic_bool rests;
    const void *board; /* the board of this end; set before threads start, and after they ended */
    struct wire_slot slot[WIRE_SLOTS];
};

struct wire {
    struct wire_end end[2];
};

/* Position of a reader in the changes of the other end. Zeroed: at the first change. */
struct wire_reader {
    uint64_t next;
    struct wire_change last;
};

/* For the writer. `at` must not be before the end's newest change; the caller keeps less than
 * WIRE_KEPT changes ahead of the reader's time. */
void wire_push(struct wire_end *end, const struct wire_change *change);

/* The state of the end at `t`, from its last WIRE_KEPT changes. Any thread. */
struct wire_change wire_at(const struct wire_end *end, dpl_ns t);

/* The newest change, even if it takes effect later. Any thread. */
struct wire_change wire_newest(const struct wire_end *end);

/* Number of the last WIRE_KEPT changes that are after `t`. For the writer. */
unsigned wire_ahead(const struct wire_end *end, dpl_ns t);

/* Takes the next change not after `until`; false: none. Adds the number of changes that were
 * overwritten before they were read to *lost. For the reader; *reader->last is the change
 * before. */
bool wire_next(const struct wire_end *end, struct wire_reader *reader, dpl_ns until,
               struct wire_change *ret_change, unsigned *lost);

/* The level of a wire at `t` whose ends have the states `a` and `b`: the driven level (both driven:
 * the low one wins), otherwise high if one end has a pull-up, otherwise low. */
bool wire_level(const struct wire_change *a, const struct wire_change *b, dpl_ns t);

/* Its mean voltage, 0 to 1: the driven one (both driven: the lower one). */
double wire_ratio(const struct wire_change *a, const struct wire_change *b);

/* Whether the end drives the wire. Two driving ends are a conflict. */
bool wire_is_driven(const struct wire_change *change);

#endif
