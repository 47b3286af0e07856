/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of infrared sensors from arbitrary text. What is taken keeps its promises and can be
 * looked up both ways; what is refused says a place inside the text. */
#include "fuzz.h"
#include "ir_table.h"

static struct ir_row rows[IR_ROWS_MAX];

static void look_up(const struct ir_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct ir_row *row = &table->rows[i];
        require(row->mm >= 1 && row->mm <= IR_MM_MAX && row->duty >= 1 && row->duty <= IR_DUTY_MAX);
        require(i == 0 || (row->mm > row[-1].mm && row->duty >= row[-1].duty));
        require(ir_table_duty(table, row->mm) == row->duty);
        int back = ir_table_distance(table, row->duty);
        require(back >= table->rows[0].mm && back <= table->rows[table->n - 1].mm);
    }
    require(ir_table_duty(table, table->rows[0].mm - 1) == 0);
    require(ir_table_distance(table, table->rows[0].duty - 0.5) == 0);
    require(ir_table_distance(table, table->rows[table->n - 1].duty + 0.5) == 0);
}

static void take(const char *text)
{
    struct ir_error bad = {0};
    size_t n = 0;
    if (ir_table_parse(text, rows, &n, &bad) < 0) {
        require(bad.what && bad.line >= 1 && bad.column >= 1 && n == 0);
        require((size_t)bad.line + (size_t)bad.column <= strlen(text) + 2);
        return;
    }
    require(n > 0 && n <= IR_ROWS_MAX);
    look_up(&(struct ir_table){rows, n});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take(text);
    free(text);
    return 0;
}
