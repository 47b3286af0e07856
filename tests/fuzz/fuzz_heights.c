/* SPDX-License-Identifier: Apache-2.0 */
/* Arbitrary bytes as a picture of heights: what is taken has values from 0 to 1 and no more of them
 * than bytes; what is refused says a place inside of the bytes. */
#include "arena.h"
#include "fuzz.h"
#include "height_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl__height_map map;
    struct dpl_diag diag;
    if (dpl__height_map_parse(&arena, data, size, &map, &diag) == 0) {
        size_t n = (size_t)map.columns * map.rows;
        require(map.columns >= 2 && map.rows >= 2 && n <= size);
        for (size_t i = 0; i < n; i++) {
            require(map.values[i] >= 0.0 && map.values[i] <= 1.0);
        }
    } else {
        size_t lines = 1;
        for (size_t i = 0; i < size; i++) {
            lines += data[i] == '\n';
        }
        require(diag.text[0] != '\0' && diag.place.line >= 1 && diag.place.column >= 1);
        require((size_t)diag.place.line <= lines && (size_t)diag.place.column <= size + 1);
    }
    dpl_arena_finish(&arena);
    return 0;
}
