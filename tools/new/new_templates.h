/* SPDX-License-Identifier: Apache-2.0 */
/* The templates of `doppel new`, built into the program (tools/new/templates, embed.py). */
#ifndef TOOLS_NEW_TEMPLATES_H
#define TOOLS_NEW_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

/* One file. Its path and its text contain the words that new_words.h replaces. */
struct new_template {
    const char *kind; /* the template that it belongs to: folder of tools/new/templates */
    const char *path; /* inside of the project */
    bool executable;
    const char *text;
};

extern const struct new_template new_templates[];
extern const size_t n_new_templates;

#endif
