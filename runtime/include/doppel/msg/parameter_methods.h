/* SPDX-License-Identifier: Apache-2.0 */
/* The methods SetParameter and GetParameter of device services, for providers' tables. */
#ifndef DOPPEL_MSG_PARAMETER_METHODS_H
#define DOPPEL_MSG_PARAMETER_METHODS_H

#include <errno.h>

#include <doppel/component.h>
#include <doppel/msg/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes that GetParameter writes: the caller provides so many at the response's `value`
 * (-EINVAL otherwise; -ENOSPC: the value is longer). */
#define DPL_PARAMETER_VALUE_SIZE 64

static inline int dpl_method_set_parameter(struct dpl_component *self, unsigned port,
                                           const void *request, void *response)
{
    (void)port;
    (void)response;
    const Doppel__Parameter *parameter = (const Doppel__Parameter *)request;
    return dpl_component_set_property(self, parameter->name, parameter->value, NULL);
}

/* Writes the value to the storage of the response: see DPL_PARAMETER_VALUE_SIZE. */
static inline int dpl_method_get_parameter(struct dpl_component *self, unsigned port,
                                           const void *request, void *response)
{
    (void)port;
    const Doppel__Parameter *asked = (const Doppel__Parameter *)request;
    Doppel__Parameter *answer = (Doppel__Parameter *)response;
    bool has_room = answer->value && answer->value != (char *)(uintptr_t)protobuf_c_empty_string;
    return has_room ? dpl_component_get_property(self, asked->name, answer->value,
                                                 DPL_PARAMETER_VALUE_SIZE)
                    : -EINVAL;
}

#ifdef __cplusplus
}
#endif

#endif
