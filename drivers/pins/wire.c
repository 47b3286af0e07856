/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of a simulated wire. Each slot is written before the count that includes it is
 * incremented, and every store into a slot is a release after the count has reached its number. So
 * a reader that reads a value of a later round also sees the count of that round, and detects that
 * it was overtaken. */
#include "wire.h"

#include <math.h>

#define DRIVE_BITS 3

static void store(struct wire_slot *slot, const struct wire_change *change)
{
    long long when = (long long)(change->at << DRIVE_BITS) | (long long)change->drive;
    atomic_store_explicit(&slot->when, when, memory_order_release);
    atomic_store_explicit(&slot->ratio, change->ratio, memory_order_release);
    atomic_store_explicit(&slot->frequency_hz, change->frequency_hz, memory_order_release);
}

static struct wire_change load(const struct wire_slot *slot)
{
    long long when = atomic_load_explicit(&slot->when, memory_order_acquire);
    return (struct wire_change){
        .at = when >> DRIVE_BITS,
        .drive = (enum wire_drive)(when & ((1 << DRIVE_BITS) - 1)),
        .ratio = atomic_load_explicit(&slot->ratio, memory_order_acquire),
        .frequency_hz = atomic_load_explicit(&slot->frequency_hz, memory_order_acquire),
    };
}

static uint64_t count(const struct wire_end *end)
{
    return atomic_load_explicit(&end->n, memory_order_acquire);
}

/* While change number `n` is written, the slot of change n - WIRE_SLOTS is lost. */
static bool is_whole(const struct wire_end *end, uint64_t number)
{
    return count(end) - number < WIRE_SLOTS;
}

void wire_push(struct wire_end *end, const struct wire_change *change)
{
    uint64_t n = atomic_load_explicit(&end->n, memory_order_relaxed);
    store(&end->slot[n % WIRE_SLOTS], change);
    atomic_store_explicit(&end->n, n + 1, memory_order_release);
}

/* Reads the end once: false when the writer has overwritten the slot in the meantime. */
static bool try_read(const struct wire_end *end, dpl_ns t, struct wire_change *ret_change)
{
    uint64_t n = count(end);
    uint64_t oldest = n > WIRE_KEPT ? n - WIRE_KEPT : 0;
    struct wire_change change = {0};
    for (uint64_t i = n; i > oldest; i--) {
        change = load(&end->slot[(i - 1) % WIRE_SLOTS]);
        if (change.at <= t) {
            *ret_change = change;
            return is_whole(end, i - 1);
        }
    }
    *ret_change = oldest > 0 ? change : (struct wire_change){0};
    return is_whole(end, oldest);
}

struct wire_change wire_at(const struct wire_end *end, dpl_ns t)
{
    struct wire_change change;
    while (!try_read(end, t, &change)) {
    }
    return change;
}

struct wire_change wire_newest(const struct wire_end *end)
{
    return wire_at(end, INT64_MAX);
}

unsigned wire_ahead(const struct wire_end *end, dpl_ns t)
{
    uint64_t n = atomic_load_explicit(&end->n, memory_order_relaxed);
    uint64_t oldest = n > WIRE_KEPT ? n - WIRE_KEPT : 0;
    unsigned ahead = 0;
    while (n > oldest && load(&end->slot[(n - 1) % WIRE_SLOTS]).at > t) {
        ahead++;
        n--;
    }
    return ahead;
}

bool wire_next(const struct wire_end *end, struct wire_reader *reader, dpl_ns until,
               struct wire_change *ret_change, unsigned *lost)
{
    for (;;) {
        uint64_t n = count(end);
        if (n - reader->next > WIRE_KEPT) {
            *lost += (unsigned)(n - WIRE_KEPT - reader->next);
            reader->next = n - WIRE_KEPT;
        }
        if (reader->next == n) {
            return false;
        }
        struct wire_change change = load(&end->slot[reader->next % WIRE_SLOTS]);
        if (!is_whole(end, reader->next)) {
            continue;
        }
        if (change.at > until) {
            return false;
        }
        *ret_change = change;
        reader->next++;
        return true;
    }
}

bool wire_is_driven(const struct wire_change *change)
{
    return change->drive >= WIRE_LOW;
}

static bool pwm_level(const struct wire_change *change, dpl_ns t)
{
    double period_ns = 1e9 / change->frequency_hz;
    return fmod((double)(t - change->at), period_ns) < change->ratio * period_ns;
}

static bool driven_level(const struct wire_change *change, dpl_ns t)
{
    switch (change->drive) {
    case WIRE_HIGH: return true;
    case WIRE_ANALOG: return change->ratio >= 0.5;
    case WIRE_PWM: return pwm_level(change, t);
    default: return false;
    }
}

static double driven_ratio(const struct wire_change *change)
{
    if (change->drive == WIRE_ANALOG || change->drive == WIRE_PWM) {
        return change->ratio;
    }
    return change->drive == WIRE_HIGH ? 1.0 : 0.0;
}

static bool is_pulled_up(const struct wire_change *a, const struct wire_change *b)
{
    return a->drive == WIRE_PULLS_UP || b->drive == WIRE_PULLS_UP;
}

bool wire_level(const struct wire_change *a, const struct wire_change *b, dpl_ns t)
{
    bool a_drives = wire_is_driven(a), b_drives = wire_is_driven(b);
    if (!a_drives && !b_drives) {
        return is_pulled_up(a, b);
    }
    return (!a_drives || driven_level(a, t)) && (!b_drives || driven_level(b, t));
}

double wire_ratio(const struct wire_change *a, const struct wire_change *b)
{
    bool a_drives = wire_is_driven(a), b_drives = wire_is_driven(b);
    if (!a_drives && !b_drives) {
        return is_pulled_up(a, b) ? 1.0 : 0.0;
    }
    return fmin(a_drives ? driven_ratio(a) : 1.0, b_drives ? driven_ratio(b) : 1.0);
}
