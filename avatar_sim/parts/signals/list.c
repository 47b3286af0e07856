/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that a mechanism may have: one line for each. */
#include "classes.h"

extern const struct dpl_sim_entry_class dpl_button_signal, dpl_compare_signal, dpl_flag_signal,
    dpl_logic_signal, dpl_value_signal, dpl_wire_signal;

const struct dpl_sim_entry_class *const dpl__signals[] = {
    &dpl_button_signal,
    &dpl_compare_signal,
    &dpl_flag_signal,
    &dpl_logic_signal,
    &dpl_value_signal,
    &dpl_wire_signal,
    NULL,
};
