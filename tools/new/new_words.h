/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a new project, and their places in templates. Pure. */
#ifndef TOOLS_NEW_WORDS_H
#define TOOLS_NEW_WORDS_H

#include <stddef.h>

#include <doppel/diag.h>

#define NEW_NAME_MAX 40

/* Text that follows from the table of a device class. In a template of drivers of any class: */
enum new_part {
    NEW_PART_STATE,     /* template_state in a comment: members of the state */
    NEW_PART_FUNCTIONS, /* template_functions in a comment: the calls */
    NEW_PART_API,       /* template_api in a comment: rows of the table of calls */
    NEW_PART_TABLE,     /* template_table: the calls, for people */
    NEW_PART_USERS,     /* template_users: components with such a device */
    NEW_N_PARTS,
};

/* In a template:
 * template_name   the name, "lap_timer"
 * TemplateName    the same for classes of components, "LapTimer"
 * TEMPLATE_NAME   the same for macros, "LAP_TIMER"
 * template_class  the device class of a driver, "wheel_controller"
 * TEMPLATE_CLASS  the same for macros */
struct new_words {
    char name[NEW_NAME_MAX + 1], title[NEW_NAME_MAX + 1], upper[NEW_NAME_MAX + 1];
    char device_class[NEW_NAME_MAX + 1], upper_class[NEW_NAME_MAX + 1];
    char *parts[NEW_N_PARTS]; /* by new_driver.h; NULL: not known */
};

/* A name has lower-case letters, digits and single underscores, begins with a letter, and is no
 * keyword of C: then it is a valid identifier, file name and part of a plugin's name. -EINVAL with
 * reterr, which has a valid name if there is a similar one. */
int new_words_init(struct new_words *words, const char *name, const char *device_class,
                   struct dpl_diag *reterr);

/* Releases the parts. */
void new_words_finish(struct new_words *words);

/* Copies `text` with all words replaced. The caller frees the result; NULL: out of memory. */
char *new_words_replace(const struct new_words *words, const char *text);

#endif
