/* SPDX-License-Identifier: Apache-2.0 */
/* What worlds are made of: subsystems, sensors, actuators and signals, from their tables. */
#ifndef DOPPEL_CLI_ENTRIES_H
#define DOPPEL_CLI_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/sim/classes.h>
#include <doppel/sim/format.h>
#include <doppel/sim/gate.h>

#include "arena.h"

/* Those that are built in and those of the catalogue's plugins. */
struct entries {
    struct dpl_arena arena;
    struct dpl_sim_classes classes;
    const struct dpl_format *const *formats;
    const struct dpl_gate *const *gates;
};

/* `diags` (NULL: not wanted) has the plugins that cannot be used. Close it before the catalogue is
 * destroyed. */
void entries_open(struct entries *ret_entries, struct dpl_catalog *catalog,
                  struct dpl_diags *diags);
void entries_close(struct entries *entries);

/* Prints a line for each of a kind ("sensors" is 0; the order of `doppel list`): "sensor/laser" and
 * what it is. */
void entries_list(const struct entries *entries, size_t kind);

/* Prints the names of all kinds, one a line: "sensor/laser". */
void entries_print_names(const struct entries *entries);

/* For a name such as "sensor/range", of which there is none: prints to stderr that there is none,
 * and the nearest name (the one that begins with it, as a file "range.c" may, or a similar one) or
 * all of its kind. False, and nothing printed: it is not of a kind of these. */
bool entries_complain(const struct entries *entries, const char *name);

bool entries_have(const struct entries *entries, const char *name); /* "sensor/laser" */

/* Prints the class "sensor/laser"; false: there is none. */
bool entries_print(const struct entries *entries, const char *name);

#endif
