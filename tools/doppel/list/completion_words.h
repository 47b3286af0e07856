/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOPPEL_CLI_COMPLETION_WORDS_H
#define DOPPEL_CLI_COMPLETION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/host/catalog.h>

/* Prints words for completion, one a line: "classes", "drivers", "entries" (sensors, actuators,
 * signals and subsystems of worlds), a kind of profiles ("apps"), or "properties":
 * "Component.Property=" of the application that the n words of the command line name, with the
 * bindings there. False: unknown kind. */
bool completion_print_words(struct dpl_catalog *catalog, const char *kind, char **words, size_t n);

#endif
