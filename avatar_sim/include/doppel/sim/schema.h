/* SPDX-License-Identifier: Apache-2.0 */
/* XML schemas of worlds, robots and mechanisms, for editors. */
#ifndef DOPPEL_SIM_SCHEMA_H
#define DOPPEL_SIM_SCHEMA_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the schema of files whose root element is `root` ("world", "robot_model", "mechanism",
 * "RigidObject", "test_plan"), as the field tables of the reader describe them. What it accepts,
 * the reader accepts, save for what no schema can say: ranges of numbers that bear a unit, files,
 * names that refer to others. 0; -EINVAL for another root; -EIO. Blocks. */
int dpl_sim_write_schema(FILE *stream, const char *root);

#ifdef __cplusplus
}
#endif

#endif
