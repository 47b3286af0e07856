/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a project from a template: all of its files, or nothing. */
#ifndef TOOLS_NEW_PROJECT_H
#define TOOLS_NEW_PROJECT_H

#include <stdbool.h>

#include "new_words.h"

/* Whether there is a template of this name. */
bool new_project_has(const char *kind);

/* Creates `folder`, which must not exist or must be empty, with the files of template `kind`.
 * -EEXIST when there is something; -ENOENT without a folder above it, or another error of the
 * system, with reterr. On an error the folder is as before. */
int new_project_write(const char *kind, const struct new_words *words, const char *folder,
                      struct dpl_diag *reterr);

#endif
