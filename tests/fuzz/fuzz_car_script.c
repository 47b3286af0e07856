/* SPDX-License-Identifier: Apache-2.0 */
/* The car's properties that are rows of numbers, from arbitrary text: what is taken keeps its
 * promises, what is refused says a place inside the text. */
#include <math.h>

#include "car_script.h"
#include "fuzz.h"

static void refused(const struct car_text_error *bad, const char *text)
{
    require(bad->what && bad->offset <= strlen(text));
}

static void take_script(const char *text)
{
    static struct car_script script;
    struct car_text_error bad = {.offset = SIZE_MAX};
    if (car_script_parse(&script, text, &bad) < 0) {
        refused(&bad, text);
        return;
    }
    require(script.n <= CAR_SCRIPT_ROWS_MAX);
    for (size_t i = 0; i < script.n; i++) {
        const struct car_script_row *row = &script.rows[i];
        require(isfinite(row->heading_deg) && isfinite(row->velocity_mm_s));
        require(i == 0 || row->tick > row[-1].tick);
        require(car_script_at(&script, row->tick) == row);
        require(row->tick == 0 || car_script_at(&script, row->tick - 1) != row);
    }
}

static void take_numbers(const char *text)
{
    double value[16];
    size_t n = SIZE_MAX;
    struct car_text_error bad = {.offset = SIZE_MAX};
    if (car_script_numbers(text, 16, 1e6, value, &n, &bad) < 0) {
        refused(&bad, text);
    } else {
        require(n <= 16);
        for (size_t i = 0; i < n; i++) {
            require(fabs(value[i]) <= 1e6);
        }
    }
    n = SIZE_MAX;
    if (car_script_points(text, 8, 1e6, value, &n, &bad) < 0) {
        refused(&bad, text);
    } else {
        require(n <= 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take_script(text);
    take_numbers(text);
    free(text);
    return 0;
}
