/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of host_calls.h, as small as they can be, and a clock that can be moved. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rig.h"

char rig_log[4096];
dpl_ns rig_clock_offset;
unsigned rig_polls;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(const char *source, const char *format, va_list args)
{
    pthread_mutex_lock(&log_lock);
    size_t used = strlen(rig_log);
    if (used + 320 < sizeof rig_log) {
        used += (size_t)snprintf(rig_log + used, 64, "%s: ", source);
        vsnprintf(rig_log + used, 240, format, args);
        strcat(rig_log, "\n");
    }
    pthread_mutex_unlock(&log_lock);
}

void dpl__log_printf(struct dpl__log *log, enum dpl_log_level level, const char *source,
                     const char *format, ...)
{
    if (level == DPL_LOG_DEBUG) {
        return;
    }
    va_list args;
    va_start(args, format);
    keep(source, format, args);
    va_end(args);
}

void dpl__log_event(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (level != DPL_LOG_DEBUG) {
        keep(source, format, args);
    }
    va_end(args);
}

void dpl__runtime_fault(struct dpl_runtime *runtime, const char *source, const char *format, ...)
{
    atomic_fetch_add(&runtime->faults, 1);
    va_list args;
    va_start(args, format);
    keep(source, format, args);
    va_end(args);
}

dpl_ns dpl_monotonic_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (dpl_ns)ts.tv_sec * DPL_S + ts.tv_nsec + rig_clock_offset;
}

void dpl__observer_cycle(struct dpl__watched *watched, dpl_ns now)
{
}

void dpl__recorder_cycle(struct dpl__recorder *recorder, struct dpl__executor *executor, dpl_ns now)
{
}

void dpl__control_poll(struct dpl__control *control)
{
    rig_polls++;
}

void dpl__device_poll(struct dpl__device *device, const struct dpl_tick *tick)
{
    (void)device;
    (void)tick;
}

bool dpl__device_is_open(const struct dpl__device *device)
{
    return ((const struct rig_device *)device)->opened;
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    const struct rig_device *self = device->runtime;
    return atomic_load(&self->lost) != 0;
}
