/* SPDX-License-Identifier: Apache-2.0 */
/* The run's clock for the runtime and its components. Only this file converts the system's
 * monotonic clock or the scheduler's time to the time of the run. */
#include "component.h"
#include "runtime.h"

dpl_ns dpl__runtime_now(const struct dpl_runtime *runtime)
{
    if (runtime->options.simulated) {
        return atomic_load_explicit(&runtime->sim_now, memory_order_acquire);
    }
    if (runtime->real_epoch == 0) {
        return 0; /* the run has not started: a stamp taken now must not be in its future */
    }
    return dpl_monotonic_now() - runtime->real_epoch;
}

dpl_ns dpl_component_now(const struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    return dpl__runtime_now(self->runtime);
}

bool dpl_component_clock_is_simulated(const struct dpl_component *component)
{
    const struct dpl__component *self = component->runtime;
    return self->runtime->options.simulated;
}
