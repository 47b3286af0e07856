/* SPDX-License-Identifier: Apache-2.0 */
/* Values of properties of a loaded application, by name. */
#ifndef DOPPEL_CALIBRATE_APP_VALUES_H
#define DOPPEL_CALIBRATE_APP_VALUES_H

#include <stdbool.h>

#include <doppel/host/app.h>

/* A number, a choice (its index) or a truth (0 or 1) of a component's class, in `unit` (NULL: as
 * the table has it). false: there is no such property; *ret_value stays. */
bool app_class_number(const struct dpl_app_component *component, const char *name, const char *unit,
                      double *ret_value);

/* The same of a device's driver. */
bool app_device_number(const struct dpl_app_device *device, const char *name, const char *unit,
                       double *ret_value);

/* A text of a device's driver; "": there is no such property, or it is empty. Borrowed. */
const char *app_device_text(const struct dpl_app_device *device, const char *name);

/* The component that sends to a data port, or provides the service of a service port; NULL: none.
 */
const struct dpl_app_component *app_connected(const struct dpl_app *app,
                                              const struct dpl_app_component *component,
                                              const char *port);

#endif
