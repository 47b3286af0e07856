/* SPDX-License-Identifier: Apache-2.0 */
/* MachineService, and the log of its requests and of faults. */
#include <errno.h>
#include <math.h>

#include <doppel/msg/motion.h>

#include "../pose6.h"
#include "tables.h"

/* The next action on the axes, for a message: axes that got the command "off" may still be on. */
static const char *what_follows(const struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    if (!machine->primary.off) {
        return machine->primary.reaction == REACT_ALONG_PATH ? "braking along the path"
                                                             : "the axes stop on their own";
    }
    if (!s->axes_valid || !machine_is_heard(s->axes, s->now, machine->config.axes_timeout)) {
        return "the axes were switched off, but have not confirmed it";
    }
    return s->axes_mode == DPL_AXES_OFF ? "the axes are off" : "the axes are being switched off";
}

void machine_component_log_fault(struct dpl_component *self, enum machine_fault fault)
{
    const struct machine_component *state = self->state;
    const struct machine_fault_rule *rule = &machine_fault_rules[fault];
    const char *how = what_follows(&state->machine);
    if (state->sight.axes_mode == DPL_AXES_FAULT) {
        dpl_component_log(self, DPL_LOG_ERROR, "fault %s: %s (code 0x%x); %s", rule->name,
                          rule->what, (unsigned)state->sight.axes_fault, how);
    } else {
        dpl_component_log(self, DPL_LOG_ERROR, "fault %s: %s; %s", rule->name, rule->what, how);
    }
}

int machine_component_ask(struct dpl_component *self, enum dpl_machine_request_kind request,
                          const double target[DPL_SIX], const char *from)
{
    struct machine_component *state = self->state;
    int64_t before = state->machine.n_faults[FAULT_EMERGENCY];
    struct machine_answer answer = machine_ask(&state->machine, request, target);
    state->n_requests++;
    if (answer.verdict == VERDICT_REFUSE) {
        state->n_refused++;
        dpl_component_log(self, DPL_LOG_WARN, "%s asks for %s: refused, %s", from,
                          machine_request_name(request), answer.why);
        return -EPERM;
    }
    dpl_component_log(self, DPL_LOG_INFO, "%s asks for %s: %s", from, machine_request_name(request),
                      answer.verdict == VERDICT_ALREADY ? "it is in this state already"
                                                        : "accepted");
    if (state->machine.n_faults[FAULT_EMERGENCY] != before) {
        machine_component_log_fault(self, FAULT_EMERGENCY);
    }
    return 0;
}

static int request(struct dpl_component *self, unsigned port, const void *request_, void *response)
{
    (void)port;
    (void)response;
    const Doppel__MachineRequest *asked = request_;
    const Doppel__Pose6 *pose = asked->target;
    double target[DPL_SIX] = {0};
    if (pose) {
        dpl_pose6_get(pose, target);
        for (int i = 0; i < DPL_SIX; i++) {
            if (!(fabs(target[i]) < REQUESTS_ABSURD)) {
                return -EINVAL;
            }
        }
    }
    return machine_component_ask(self, (enum dpl_machine_request_kind)asked->kind,
                                 pose ? target : NULL, "a component");
}

static int get_status(struct dpl_component *self, unsigned port, const void *request_,
                      void *response)
{
    (void)port;
    (void)request_;
    const struct machine_component *state = self->state;
    Doppel__MachineStatus *status = response;
    const struct machine *machine = &state->machine;
    status->phase = (Doppel__MachinePhase)primary_told_phase(machine->primary.phase);
    status->state = (Doppel__MachineState)secondary_state(machine->secondary.row);
    status->fault = (uint32_t)machine->primary.fault;
    status->force_known = machine_force_is_known(&machine->config, &machine->sight);
    return 0;
}

const dpl_service_method machine_service[] = {request, get_status};
