/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a new project, and their places in templates. Pure. */
#ifndef TOOLS_NEW_WORDS_H
#define TOOLS_NEW_WORDS_H

#include <stddef.h>

#include <doppel/diag.h>

#define NEW_NAME_MAX 40

/* In a template:
 * template_name   the name, "lap_timer"
 * TemplateName    the same for classes of components, "LapTimer"
 * TEMPLATE_NAME   the same for macros, "LAP_TIMER"
 * template_class  the device class of a driver, "wheel_controller"
 * TEMPLATE_CLASS  the same for macros */
struct new_words {
    char name[NEW_NAME_MAX + 1], title[NEW_NAME_MAX + 1], upper[NEW_NAME_MAX + 1];
    char device_class[NEW_NAME_MAX + 1], upper_class[NEW_NAME_MAX + 1];
};

/* A name has lower-case letters, digits and single underscores, begins with a letter, and is no
 * keyword of C: then it is a valid identifier, file name and part of a plugin's name. -EINVAL with
 * reterr, which has a valid name if there is a similar one. */
int new_words_init(struct new_words *words, const char *name, const char *device_class,
                   struct dpl_diag *reterr);

/* Copies `text` with all words replaced. The caller frees the result; NULL: out of memory. */
char *new_words_replace(const struct new_words *words, const char *text);

#endif
