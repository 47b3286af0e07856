/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas of worlds, robots and mechanisms, for editors. */
#ifndef DOPPEL_SIM_SCHEMA_H
#define DOPPEL_SIM_SCHEMA_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_catalog;

/* Writes the schema of files whose root element is `root` ("world", "robot_model", "mechanism",
 * "RigidObject", "test_plan"), from the field tables of the reader. A file that fits the schema is
 * accepted by the reader, except for errors that a schema cannot find: ranges of numbers with a
 * unit, missing files, names that refer to other parts. It knows the classes of the catalogue's
 * plugins, too (NULL: none). 0; -EINVAL for another root; -EIO. Blocks. */
int dpl_sim_write_schema(FILE *stream, const char *root, struct dpl_catalog *catalog);

#ifdef __cplusplus
}
#endif

#endif
