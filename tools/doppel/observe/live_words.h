/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOPPEL_CLI_LIVE_WORDS_H
#define DOPPEL_CLI_LIVE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Prints words for completion that runs know, one a line: "run-names", or verbs and then names for
 * "run-topics", "run-record", "run-parameters", "run-services" and "run-components". The n words
 * are those of the line behind the command; --run among them chooses the run. Without a run none is
 * printed. False: unknown kind. */
bool live_print_words(const char *kind, char **words, size_t n);

#endif
