/* SPDX-License-Identifier: Apache-2.0 */
/* CSV tables of reports from arbitrary text: every cell that the table says it has can be read. */
#include "fuzz.h"
#include "table.h"

static volatile double seen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct table table;
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    if (table_parse(text, &table) == 0) {
        for (size_t row = 0; row < table.n_rows; row++) {
            size_t n = table.start[row + 1] - table.start[row];
            for (size_t i = 0; i <= n; i++) {
                seen = table_at(&table, row, (int)i);
            }
        }
        for (size_t i = 0; i < table.n_names; i++) {
            if (table_column(&table, table.names[i]) > (int)i) {
                abort();
            }
        }
        table_finish(&table);
    }
    free(text);
    return 0;
}
