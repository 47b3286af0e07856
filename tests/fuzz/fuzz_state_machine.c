/* SPDX-License-Identifier: Apache-2.0 */
/* State machines from arbitrary bytes: what is read runs, with any values of its channels, without
 * leaving its states, and the same from a copy of its run; what is not read says why. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/state_machine.h>

static void give_values(const struct dpl_state_machine *machine, struct dpl_state_machine_run *run,
                        int i)
{
    for (size_t k = 0; k < dpl_state_machine_n_channels(machine); k++) {
        if (!dpl_state_machine_channel(machine, k)->put) {
            run->values[k] = (double)((i * 7 + (int)k * 5) % 11 - 3) * 0.5;
        }
    }
}

static void run_machine(const struct dpl_state_machine *machine)
{
    struct dpl_state_machine_run run = {.begun = false}, copy;
    struct dpl_state_machine_transition taken, again;
    struct dpl_diag why;
    for (int i = 0; i < 20; i++) {
        give_values(machine, &run, i);
        copy = run;
        int result = dpl_state_machine_step(machine, &run, i * DPL_S / 3, &taken, &why);
        int same = dpl_state_machine_step(machine, &copy, i * DPL_S / 3, &again, &why);
        if (result != same || run.state != copy.state || run.n_transitions != copy.n_transitions ||
            run.state >= dpl_state_machine_n_states(machine)) {
            abort();
        }
        if (result < 0) {
            return;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_diags diags = {0};
    struct dpl_state_machine *machine = NULL;
    int err = dpl_state_machine_read_text("fuzz.xml", data, size, &diags, &machine);
    if ((err != 0) != (diags.n_errors > 0) || (err != 0) != (machine == NULL)) {
        abort();
    }
    if (machine) {
        run_machine(machine);
    }
    dpl_state_machine_destroy(machine);
    dpl_diags_finish(&diags);
    return 0;
}
