/* SPDX-License-Identifier: Apache-2.0 */
/* Logging for components, drivers and the runtime. A message has a level and a source (component,
 * port or device by its full name). On an executor the message is formatted into a preallocated
 * ring, and the control thread prints it: no allocation, lock or system call. When the ring is
 * full, the message is dropped and counted. */
#ifndef DOPPEL_LOG_H
#define DOPPEL_LOG_H

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_log_level {
    DPL_LOG_ERROR,
    DPL_LOG_WARN,
    DPL_LOG_INFO,
    DPL_LOG_DEBUG,
};

struct dpl_component;
struct dpl_device;

/* Text beyond 240 bytes is cut. */
void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));
void dpl_device_log(struct dpl_device *device, enum dpl_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
