/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a topic of a recording as a table. */
#ifndef DOPPEL_CLI_BAG_CSV_H
#define DOPPEL_CLI_BAG_CSV_H

#include <doppel/diag.h>

/* Writes a CSV: the column t (stamps in s), then one for each field, in the order in which they
 * come first, named by its path ("pose.x", "ranges[3]"); numbers that are not known are "nan",
 * fields that a message has not are empty. *ret_trouble (of BAG_TROUBLE_MAX): what is missing of
 * the recording. 0; -errno with reterr: -ENOENT: no such topic, or it has no message; -EINVAL: a
 * message cannot be decoded; -E2BIG: more than 65536 columns. Reads the file twice; allocates. */
int bag_csv(const char *file, const char *topic, const char *output, char *ret_trouble,
            struct dpl_diag *reterr);

#endif
