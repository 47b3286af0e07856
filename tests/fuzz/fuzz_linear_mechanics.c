/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of a linear model from a text, and the model that comes of them. The corpus is written
 * by hand: the paper's model, a singular and a far too fast one, rows too many, too few and bad. */
#include "fuzz.h"
#include "linear_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_linear_mechanics mechanics;
    struct dpl_linear_system system;
    struct dpl_linear_model model;
    struct dpl_linear_state state = {0};
    const double wrench[DPL_SIX] = {1.0, -1.0, 1.0, -1.0, 1.0, -1.0};
    double output[DPL_SIX];
    int line = 0, column = 0;
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    if (dpl_linear_mechanics_parse(text, &mechanics, &line, &column) != 0) {
        require(line > 0 && column > 0 && (size_t)line + (size_t)column <= strlen(text) + 2);
    } else if (dpl_linear_system_from_mechanics(&mechanics, &system) == 0 &&
               dpl_linear_model_init(&model, &system, 2.5e-3, DPL_HOLD_FIRST) == 0) {
        dpl_linear_model_step(&model, &state, wrench, output);
    }
    free(text);
    return 0;
}
