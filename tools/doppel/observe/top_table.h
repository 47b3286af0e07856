/* SPDX-License-Identifier: Apache-2.0 */
/* The table of `doppel top`, from what was seen in the last second. Pure. */
#ifndef DOPPEL_CLI_TOP_TABLE_H
#define DOPPEL_CLI_TOP_TABLE_H

#include <jansson.h>

#include "bytes.h"

/* Lines, each with its end, of
 * {"run", "state": {of /run/state}, "executors": [{"name", of /executors/NAME}],
 *  "components": [of /run/components], "topics": [{"name", "rate_hz", "bytes_per_s"}],
 *  "devices": [{"name", "values": {}}], "told", "log": {of /log}}; what is not there is left out.
 */
void top_table(const json_t *seen, struct dpl_bytes *out);

/* `rows` lines from the one at `first` on (0: the first), each cut to `columns`; when there are
 * more, the last row says so. Each line ends with `end`. Returns the number of all lines. */
size_t top_table_cut(const struct dpl_bytes *table, size_t first, size_t rows, size_t columns,
                     const char *end, struct dpl_bytes *out);

#endif
