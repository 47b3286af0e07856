/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that core, stream and record call and that are not theirs: log, control loop,
 * devices, and for the core the recorder. The folders host and record implement them; tests of the
 * core link fakes instead. */
#ifndef DOPPEL_RUNTIME_HOST_CALLS_H
#define DOPPEL_RUNTIME_HOST_CALLS_H

#include <stdbool.h>

#include <doppel/log.h>
#include <doppel/time.h>

struct dpl_runtime;
struct dpl_tick;
struct dpl__control;
struct dpl__device;
struct dpl__executor;
struct dpl__log;
struct dpl__recorder;
struct dpl__watched;
struct uv_loop_s;

/* `source` is the name of a component, port or device; it must outlive the runtime. Levels below
 * the run's level are ignored. Any thread; does not block. */
void dpl__log_printf(struct dpl__log *log, enum dpl_log_level level, const char *source,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for what happens in the life cycle: observers get it whatever its level. */
void dpl__log_event(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Counts a fault and logs it with its source's name. Any thread; does not block. */
void dpl__runtime_fault(struct dpl_runtime *runtime, const char *source, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* End of a cycle, on the executor's thread: copies exports to a preallocated snapshot, and a row
 * into the ring when it is the tracing executor's. No allocation, lock or system call. When the
 * ring is full, the row is dropped and counted. */
void dpl__recorder_cycle(struct dpl__recorder *recorder, struct dpl__executor *executor,
                         dpl_ns now);

/* End of a cycle, on the executor's thread: copies exports that are observed into their taps. No
 * allocation, lock or system call on the real clock; on the simulated one it waits for observers
 * that are behind. */
void dpl__observer_cycle(struct dpl__watched *watched, dpl_ns now);

/* One non-blocking turn with the work of the 100 ms turns, for simulated runs (called at most every
 * few ms). */
void dpl__control_poll(struct dpl__control *control);
/* The loop, for use on the control thread only. */
struct uv_loop_s *dpl__control_loop(struct dpl__control *control);

/* Control thread, when a device cannot be opened: waits a moment if the device may still come
 * (options.device_wait). true: try again; false: it is no such error, the time is over, or a stop
 * was requested. Tells once what it waits for (`why`). */
bool dpl__await_device(struct dpl_runtime *runtime, const char *owner, int err, const char *why);

/* Whether the device is open: a component with a closed device cannot start again. */
bool dpl__device_is_open(const struct dpl__device *device);
/* Calls driver->poll of the device and its sides, to find lost devices again. */
void dpl__device_poll(struct dpl__device *device, const struct dpl_tick *tick);

#endif
