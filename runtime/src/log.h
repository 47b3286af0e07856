/* SPDX-License-Identifier: Apache-2.0 */
/* The log's ring: any thread writes (lock-free, bounded, drops are counted), the control thread
 * prints. */
#ifndef DOPPEL_RUNTIME_LOG_H
#define DOPPEL_RUNTIME_LOG_H

#include <stdarg.h>

#include <doppel/log.h>

struct dpl_runtime;
struct dpl__log;

int dpl__log_create(struct dpl_runtime *runtime);
void dpl__log_destroy(struct dpl__log *log);
/* `source` is the name of a component, port or device; it must outlive the runtime. Levels below
 * the run's level are ignored. */
void dpl__log_write(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, va_list args);
void dpl__log_printf(struct dpl__log *log, enum dpl_log_level level, const char *source,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Prints "[   12.345] level source: text" lines in order. Control thread. */
void dpl__log_drain(struct dpl__log *log);

#endif
