/* SPDX-License-Identifier: Apache-2.0 */
/* The log's ring: a bounded queue of fixed-size entries. Many threads fill it and the control
 * thread empties it. Each entry has a sequence number with its state (D. Vyukov, "Bounded MPMC
 * queue", 2010): a writer claims an entry with one compare-and-swap, and a full ring refuses at
 * once, so an executor never waits for the printing. */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/text.h>

#include "component.h"
#include "device.h"
#include "log.h"
#include "observer.h"
#include "runtime.h"

#define LOG_TEXT_MAX 240
#define LOG_CAPACITY 1024u /* a power of two */

struct log_entry {
    atomic_size_t sequence; /* = position: free; = position + 1: filled */
    dpl_ns time;
    const char *source;
    enum dpl_log_level level;
    bool is_printed, is_event; /* an event that is not printed is for observers */
    char text[LOG_TEXT_MAX];
};

struct dpl__log {
    const struct dpl_runtime *runtime;
    FILE *stream;
    enum dpl_log_level level;
    atomic_size_t head; /* writers' next position */
    size_t tail;        /* the control thread's next position */
    atomic_ullong n_dropped;
    unsigned long long n_dropped_told;
    struct log_entry entries[LOG_CAPACITY];
};

static const char *const level_names[] = {
    [DPL_LOG_ERROR] = "error",
    [DPL_LOG_WARN] = "warn",
    [DPL_LOG_INFO] = "info",
    [DPL_LOG_DEBUG] = "debug",
};

int dpl__log_create(struct dpl_runtime *runtime)
{
    struct dpl__log *log = calloc(1, sizeof *log);
    if (!log) {
        return -ENOMEM;
    }
    log->runtime = runtime;
    log->stream = runtime->options.log ? runtime->options.log : stderr;
    log->level = runtime->options.log_level;
    for (size_t i = 0; i < LOG_CAPACITY; i++) {
        atomic_init(&log->entries[i].sequence, i);
    }
    runtime->log = log;
    return 0;
}

void dpl__log_destroy(struct dpl__log *log)
{
    if (!log) {
        return;
    }
    dpl__log_drain(log);
    free(log);
}

/* The claimed entry, or NULL when the ring is full. */
static struct log_entry *claim(struct dpl__log *log, size_t *ret_position)
{
    size_t position = atomic_load_explicit(&log->head, memory_order_relaxed);
    for (;;) {
        struct log_entry *entry = &log->entries[position % LOG_CAPACITY];
        size_t sequence = atomic_load_explicit(&entry->sequence, memory_order_acquire);
        intptr_t ahead = (intptr_t)(sequence - position);
        if (ahead < 0) {
            return NULL;
        }
        if (ahead > 0) {
            position = atomic_load_explicit(&log->head, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(&log->head, &position, position + 1,
                                                         memory_order_relaxed,
                                                         memory_order_relaxed)) {
            *ret_position = position;
            return entry;
        }
    }
}

static void write_entry(struct dpl__log *log, enum dpl_log_level level, bool is_event,
                        const char *source, const char *format, va_list args)
{
    if (!log || (level > log->level && !(is_event && log->runtime->observer))) {
        return;
    }
    size_t position;
    struct log_entry *entry = claim(log, &position);
    if (!entry) {
        atomic_fetch_add_explicit(&log->n_dropped, 1, memory_order_relaxed);
        return;
    }
    entry->time = dpl__runtime_now(log->runtime);
    entry->source = source;
    entry->level = level;
    entry->is_printed = level <= log->level;
    entry->is_event = is_event;
    if (vsnprintf(entry->text, sizeof entry->text, format, args) < 0) {
        entry->text[0] = '\0';
    }
    /* Release pairs with the acquire in drain: the text is complete before the entry counts as
     * filled. */
    atomic_store_explicit(&entry->sequence, position + 1, memory_order_release);
}

void dpl__log_write(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, va_list args)
{
    write_entry(log, level, false, source, format, args);
}

void dpl__log_event(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_entry(log, level, true, source, format, args);
    va_end(args);
}

void dpl__log_printf(struct dpl__log *log, enum dpl_log_level level, const char *source,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dpl__log_write(log, level, source, format, args);
    va_end(args);
}

void dpl__runtime_fault(struct dpl_runtime *runtime, const char *source, const char *format, ...)
{
    atomic_fetch_add_explicit(&runtime->faults, 1, memory_order_relaxed);
    va_list args;
    va_start(args, format);
    write_entry(runtime->log, DPL_LOG_ERROR, true, source, format, args);
    va_end(args);
}

static void tell_observer(const struct dpl__observer *observer, const struct log_entry *entry)
{
    struct dpl__observed_line line = {.stamp = entry->time,
                                      .level = entry->level,
                                      .is_printed = entry->is_printed,
                                      .is_event = entry->is_event,
                                      .source = entry->source,
                                      .text = entry->text};
    dpl__observer_line(observer, &line);
}

/* Text from a device or a peer must not break the line or control the terminal. */
static void print_entry(FILE *stream, const struct log_entry *entry)
{
    char source[LOG_TEXT_MAX], text[DPL_TEXT_CLEAN_SIZE(LOG_TEXT_MAX)];
    dpl_text_clean(entry->source, source, sizeof source);
    dpl_text_clean(entry->text, text, sizeof text);
    fprintf(stream, "[%9.3f] %s %s: %s\n", dpl_ns_to_s(entry->time), level_names[entry->level],
            source, text);
}

static void print_drops(struct dpl__log *log)
{
    unsigned long long n = atomic_load_explicit(&log->n_dropped, memory_order_relaxed);
    if (n == log->n_dropped_told) {
        return;
    }
    fprintf(log->stream,
            "[%9.3f] warn log: %llu messages dropped: they came faster than they "
            "could be printed\n",
            dpl_ns_to_s(dpl__runtime_now(log->runtime)), n - log->n_dropped_told);
    log->n_dropped_told = n;
}

void dpl__log_drain(struct dpl__log *log)
{
    bool printed = false;
    for (;;) {
        struct log_entry *entry = &log->entries[log->tail % LOG_CAPACITY];
        size_t sequence = atomic_load_explicit(&entry->sequence, memory_order_acquire);
        if (sequence != log->tail + 1) {
            break;
        }
        if (log->runtime->observer) {
            tell_observer(log->runtime->observer, entry);
        }
        if (entry->is_printed) {
            print_entry(log->stream, entry);
            printed = true;
        }
        atomic_store_explicit(&entry->sequence, log->tail + LOG_CAPACITY, memory_order_release);
        log->tail++;
    }
    print_drops(log);
    if (printed) {
        fflush(log->stream);
    }
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    const struct dpl__component *self = component->runtime;
    va_list args;
    va_start(args, format);
    dpl__log_write(self->runtime->log, level, component->name, format, args);
    va_end(args);
}

void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
{
    const struct dpl__device *self = device->runtime;
    va_list args;
    va_start(args, format);
    dpl__log_write(self->runtime->log, level, device->name, format, args);
    va_end(args);
}
