/* SPDX-License-Identifier: Apache-2.0 */
/* The log's ring: any thread writes (lock-free, bounded, drops are counted), the control thread
 * prints. */
#ifndef DOPPEL_RUNTIME_LOG_H
#define DOPPEL_RUNTIME_LOG_H

#include <stdarg.h>

#include <doppel/log.h>

#include "host_calls.h"

struct dpl_runtime;
struct dpl__log;

int dpl__log_create(struct dpl_runtime *runtime);
void dpl__log_destroy(struct dpl__log *log);
/* As dpl__log_printf. */
void dpl__log_write(struct dpl__log *log, enum dpl_log_level level, const char *source,
                    const char *format, va_list args);
/* Prints "[   12.345] level source: text" lines in order. Control thread. */
void dpl__log_drain(struct dpl__log *log);

#endif
