/* SPDX-License-Identifier: Apache-2.0 */
/* What worlds are made of: subsystems, sensors, actuators and signals, from their tables. */
#ifndef DOPPEL_CLI_ENTRIES_H
#define DOPPEL_CLI_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

/* Their kinds, as `doppel list` has them; NULL past the last one. */
const char *entries_kind(size_t i);

/* Prints a line for each of a kind: "sensor/laser" and what it is. */
void entries_list(size_t kind);

/* Prints the names of all kinds, one a line: "sensor/laser". */
void entries_print_names(void);

/* For a name such as "sensor/range", of which there is none: prints to stderr that there is none,
 * and the nearest name (the one that begins with it, as a file "range.c" may, or a similar one) or
 * all of its kind. False, and nothing printed: it is not of a kind of these. */
bool entries_complain(const char *name);

/* Prints the class "sensor/laser"; false: there is none. */
bool entries_print(const char *name);

#endif
