/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the primary state machine and its steps. */
#include "primary.h"

/* A reset lasts long enough that components with a longer period receive it too. */
#define RESET_HOLD (10 * DPL_MS)

#define ACCEPT(phase)                                                                              \
    {                                                                                              \
        VERDICT_ACCEPT, PHASE_##phase, GUARD_NONE, false, ""                                       \
    }
#define GUARDED(phase, guard_, otherwise)                                                          \
    {                                                                                              \
        VERDICT_ACCEPT, PHASE_##phase, GUARD_##guard_, false, otherwise                            \
    }
#define ALREADY                                                                                    \
    {                                                                                              \
        VERDICT_ALREADY, 0, GUARD_NONE, false, ""                                                  \
    }
#define REFUSE(reason)                                                                             \
    {                                                                                              \
        VERDICT_REFUSE, 0, GUARD_NONE, false, reason                                               \
    }
#define SECONDARY                                                                                  \
    {                                                                                              \
        VERDICT_ACCEPT, PHASE_MOTION, GUARD_NONE, true, ""                                         \
    }

#define BOOTING    "not everything has reported yet"
#define OFF        "the axes are off: enable first"
#define NOT_ON_YET "the axes are not on yet"
#define MOVING     "the machine is not at rest: stop first"
#define FAULTY     "there is a fault: reset first"
#define IN_A_RESET "a reset is under way"
#define UNSEEN     "the axes or the platform's pose are not known"
#define ALL_MOTION(reason)                                                                         \
    [DPL_REQUEST_HOME] = REFUSE(reason), [DPL_REQUEST_POSITION] = REFUSE(reason),                  \
    [DPL_REQUEST_ADMITTANCE] = REFUSE(reason)
#define EVERYWHERE [DPL_REQUEST_NONE] = ALREADY, [DPL_REQUEST_EMERGENCY] = ACCEPT(FAULT)

const struct machine_answer primary_answers[PHASES][DPL_MACHINE_REQUEST_KIND_N] = {
    [PHASE_BOOT] =
        {EVERYWHERE,
         ALL_MOTION(BOOTING), [DPL_REQUEST_RESET] = ALREADY, [DPL_REQUEST_ENABLE] = REFUSE(BOOTING),
         [DPL_REQUEST_DISABLE] = ALREADY, [DPL_REQUEST_STOP] = ALREADY},
    [PHASE_IDLE] = {EVERYWHERE, ALL_MOTION(OFF), [DPL_REQUEST_RESET] = ALREADY,
                    [DPL_REQUEST_ENABLE] = GUARDED(ENABLING, POSE, UNSEEN),
                    [DPL_REQUEST_DISABLE] = ALREADY, [DPL_REQUEST_STOP] = ALREADY},
    [PHASE_ENABLING] =
        {EVERYWHERE,
         ALL_MOTION(NOT_ON_YET), [DPL_REQUEST_RESET] = ALREADY, [DPL_REQUEST_ENABLE] = ALREADY,
         [DPL_REQUEST_DISABLE] = ACCEPT(IDLE), [DPL_REQUEST_STOP] = ALREADY},
    [PHASE_READY] = {EVERYWHERE, [DPL_REQUEST_RESET] = ALREADY, [DPL_REQUEST_ENABLE] = ALREADY,
                     [DPL_REQUEST_DISABLE] = ACCEPT(IDLE), [DPL_REQUEST_HOME] = SECONDARY,
                     [DPL_REQUEST_POSITION] = SECONDARY, [DPL_REQUEST_ADMITTANCE] = SECONDARY,
                     [DPL_REQUEST_STOP] = ALREADY},
    [PHASE_MOTION] = {EVERYWHERE, [DPL_REQUEST_RESET] = ALREADY, [DPL_REQUEST_ENABLE] = ALREADY,
                      [DPL_REQUEST_DISABLE] = REFUSE(MOVING), [DPL_REQUEST_HOME] = SECONDARY,
                      [DPL_REQUEST_POSITION] = SECONDARY, [DPL_REQUEST_ADMITTANCE] = SECONDARY,
                      [DPL_REQUEST_STOP] = SECONDARY},
    [PHASE_FAULT] = {EVERYWHERE, ALL_MOTION(FAULTY),
                     [DPL_REQUEST_RESET] =
                         GUARDED(RESETTING, REST, "it is not yet known to be at rest"),
                     [DPL_REQUEST_ENABLE] = REFUSE(FAULTY), [DPL_REQUEST_DISABLE] = ALREADY,
                     [DPL_REQUEST_STOP] = ALREADY},
    [PHASE_RESETTING] = {EVERYWHERE, ALL_MOTION(IN_A_RESET), [DPL_REQUEST_RESET] = ALREADY,
                         [DPL_REQUEST_ENABLE] = REFUSE(IN_A_RESET), [DPL_REQUEST_DISABLE] = ALREADY,
                         [DPL_REQUEST_STOP] = ALREADY},
};

const char *primary_phase_name(enum machine_phase phase)
{
    static const char *const names[PHASES] = {
        [PHASE_BOOT] = "boot",           [PHASE_IDLE] = "idle",   [PHASE_READY] = "ready",
        [PHASE_MOTION] = "motion",       [PHASE_FAULT] = "fault", [PHASE_ENABLING] = "enabling",
        [PHASE_RESETTING] = "resetting",
    };
    return (unsigned)phase < PHASES ? names[phase] : "unknown";
}

enum dpl_machine_phase primary_told_phase(enum machine_phase phase)
{
    static const enum dpl_machine_phase told[PHASES] = {
        [PHASE_BOOT] = DPL_MACHINE_BOOT,       [PHASE_IDLE] = DPL_MACHINE_IDLE,
        [PHASE_READY] = DPL_MACHINE_READY,     [PHASE_MOTION] = DPL_MACHINE_MOTION,
        [PHASE_FAULT] = DPL_MACHINE_FAULT,     [PHASE_ENABLING] = DPL_MACHINE_IDLE,
        [PHASE_RESETTING] = DPL_MACHINE_FAULT,
    };
    return told[phase];
}

void primary_enter(struct primary *primary, enum machine_phase phase, dpl_ns now)
{
    primary->phase = phase;
    primary->since = now;
    if (phase != PHASE_FAULT && phase != PHASE_RESETTING) {
        primary->fault = FAULT_NONE;
        primary->reaction = REACT_NOT;
        primary->off = false;
    }
}

bool primary_axes_shall_be_on(const struct primary *primary)
{
    switch (primary->phase) {
    case PHASE_ENABLING:
    case PHASE_READY:
    case PHASE_MOTION: return true;
    case PHASE_FAULT: return !primary->off;
    default: return false;
    }
}

bool primary_fail(struct primary *primary, enum machine_fault fault, enum machine_reaction reaction,
                  dpl_ns now)
{
    bool fresh = primary->phase != PHASE_FAULT;
    if (!fresh && (primary->off || reaction <= primary->reaction)) {
        return false;
    }
    if (fresh) {
        /* While the axes are being enabled nothing moves, so no braking is needed. */
        primary->off = primary->phase != PHASE_READY && primary->phase != PHASE_MOTION;
        primary->fault = fault;
        primary_enter(primary, PHASE_FAULT, now);
    }
    primary->reaction = reaction;
    primary->reacting_since = now;
    return true;
}

static bool all_have_reported(const struct machine_sight *s)
{
    return s->axes.ever && s->axes_valid && s->planner.ever && s->path.ever;
}

static bool has_passed(dpl_ns since, dpl_ns timeout, dpl_ns now)
{
    return now - since > timeout;
}

/* A timeout of the state machine itself. */
static enum machine_fault overdue(const struct primary *p, const struct machine_config *config,
                                  const struct primary_view *view, dpl_ns now)
{
    switch (p->phase) {
    case PHASE_ENABLING:
        return has_passed(p->since, config->enable_timeout, now) ? FAULT_ENABLE_TIMEOUT
                                                                 : FAULT_NONE;
    case PHASE_MOTION:
        return view->stopping && has_passed(view->stopping_since, config->stop_timeout, now)
                   ? FAULT_STOP_TIMEOUT
                   : FAULT_NONE;
    case PHASE_FAULT:
        return !p->off && has_passed(p->reacting_since,
                                     p->fault == FAULT_EMERGENCY ? config->emergency_timeout
                                                                 : config->stop_timeout,
                                     now)
                   ? FAULT_STOP_TIMEOUT
                   : FAULT_NONE;
    case PHASE_RESETTING:
        return has_passed(p->since, config->reset_timeout, now) ? FAULT_RESET_FAILED : FAULT_NONE;
    default: return FAULT_NONE;
    }
}

/* In RESETTING an existing fault does not start a new one; it only prevents the end of the
 * phase. */
static enum machine_fault find_fault(const struct primary *p, const struct machine_config *config,
                                     uint32_t seen, const struct primary_view *view, dpl_ns now)
{
    enum machine_fault fault = machine_faults_gravest(seen, p->phase);
    enum machine_fault late = overdue(p, config, view, now);
    if (p->phase == PHASE_RESETTING) {
        return late != FAULT_NONE && fault != FAULT_NONE ? fault : late;
    }
    return fault != FAULT_NONE ? fault : late;
}

static void step_phase(struct primary *p, const struct machine_sight *s,
                       const struct primary_view *view, uint32_t seen)
{
    switch (p->phase) {
    case PHASE_BOOT:
        if (all_have_reported(s)) {
            primary_enter(p, PHASE_IDLE, s->now);
        }
        break;
    case PHASE_ENABLING:
        if (s->axes_mode == DPL_AXES_ON && s->pose_gap == 0) {
            primary_enter(p, PHASE_READY, s->now);
        }
        break;
    case PHASE_MOTION:
        if (view->stopped) {
            primary_enter(p, PHASE_READY, s->now);
        }
        break;
    case PHASE_FAULT: p->off = p->off || view->at_rest; break;
    case PHASE_RESETTING:
        if (has_passed(p->since, RESET_HOLD, s->now) && s->axes_mode == DPL_AXES_OFF &&
            machine_faults_gravest(seen, PHASE_IDLE) == FAULT_NONE) {
            primary_enter(p, PHASE_IDLE, s->now);
        }
        break;
    default: break;
    }
}

enum machine_fault primary_step(struct primary *primary, const struct machine_config *config,
                                const struct machine_sight *sight, const struct primary_view *view)
{
    uint32_t seen = machine_faults_seen(config, sight, view->epoch, view->admittance);
    enum machine_fault fault = find_fault(primary, config, seen, view, sight->now);
    if (fault != FAULT_NONE &&
        primary_fail(primary, fault, machine_fault_rules[fault].reaction, sight->now)) {
        return fault;
    }
    step_phase(primary, sight, view, seen);
    return FAULT_NONE;
}
