/* SPDX-License-Identifier: Apache-2.0 */
/* The device classes of Doppel: the build gives their names (device_classes in meson.build). */
#include <stddef.h>
#include <string.h>

#include "new_driver.h"

#define NEW_CLASS(name_) extern const struct dpl_device_class dpl_##name_##_class;
NEW_CLASSES
#undef NEW_CLASS

#define NEW_CLASS(name_) &dpl_##name_##_class,
const struct dpl_device_class *const new_classes[] = {NEW_CLASSES};
const size_t n_new_classes = DPL_COUNT(new_classes);

const char new_class_names[] = NEW_CLASS_NAMES;

const struct dpl_device_class *new_class_find(const char *name)
{
    for (size_t i = 0; i < n_new_classes; i++) {
        if (strcmp(new_classes[i]->name, name) == 0) {
            return new_classes[i];
        }
    }
    return NULL;
}
