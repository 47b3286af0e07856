/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a new driver's files that follow from the table of its device class. Pure. */
#ifndef TOOLS_NEW_DRIVER_H
#define TOOLS_NEW_DRIVER_H

#include <doppel/device_class.h>

#include "new_words.h"

/* The device classes of Doppel. */
extern const struct dpl_device_class *const new_classes[];
extern const size_t n_new_classes;

/* "a|b|c", for completion and help. */
extern const char new_class_names[];

/* NULL: there is no such class. */
const struct dpl_device_class *new_class_find(const char *name);

/* Writes words->parts: C code of every call that a driver must have, and of optional ones that are
 * nothing if they are missing. `users` names the components that use such a driver, for the README.
 * 0 or -ENOMEM. new_words_finish releases them. */
int new_driver_parts(struct new_words *words, const struct dpl_device_class *class_,
                     const char *users);

#endif
