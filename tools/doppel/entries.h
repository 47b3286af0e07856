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

/* Prints the class "sensor/laser"; false: there is none. */
bool entries_print(const char *name);

#endif
