/* SPDX-License-Identifier: Apache-2.0 */
/* See inputs.h. */
#include "inputs.h"

#include <doppel/component.h>
#include <doppel/msg/motion.h>

#include "../pose6.h"

static bool is_motion(Doppel__MachineState machine)
{
    return machine == DOPPEL__MACHINE_STATE__MACHINE_HOMING ||
           machine == DOPPEL__MACHINE_STATE__MACHINE_POSITION ||
           machine == DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE;
}

void traj_read_order(struct dpl_component *self, const struct dpl_tick *tick,
                     struct traj_order *ret_order)
{
    *ret_order = (struct traj_order){.move = !dpl_port_is_connected(self, PORT_COMMAND)};
    const struct dpl_message *message = dpl_port_latest(self, PORT_COMMAND);
    if (message) {
        const Doppel__MachineCommand *command = message->body;
        ret_order->epoch = command->epoch;
        ret_order->move = command->axes_on && !command->axes_stop && is_motion(command->state);
        if (command->state != DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE && command->target) {
            dpl_pose6_get(command->target, ret_order->target_pose);
            ret_order->target = ret_order->target_pose;
        }
    }
    ret_order->move &= tick->halt == 0;
}

const struct dpl_traj_reference *traj_read_reference(struct dpl_component *self,
                                                     const struct traj_order *order, dpl_ns now,
                                                     struct dpl_traj_reference *reference)
{
    struct traj_state *state = self->state;
    if (order->target) {
        dpl_traj_copy(reference->pose, order->target);
        reference->stamp = now;
    } else {
        const struct dpl_message *message = dpl_port_latest(self, PORT_REFERENCE);
        if (!message) {
            return NULL;
        }
        dpl_pose6_get(((const Doppel__PoseReference *)message->body)->pose, reference->pose);
        reference->stamp = message->stamp;
    }
    dpl_traj_copy(state->out.reference, reference->pose);
    return reference;
}
