/* SPDX-License-Identifier: Apache-2.0 */
/* The table of faults and their detection. */
#include "faults.h"

#include "servo_faults.h"

#define IN(phase)  (1u << PHASE_##phase)
#define WHILE_ON   (IN(READY) | IN(MOTION) | IN(FAULT))
#define AFTER_BOOT (IN(IDLE) | IN(ENABLING) | IN(READY) | IN(MOTION) | IN(FAULT) | IN(RESETTING))

/* Conditions that are checked in FAULT end the braking along the path if they are more serious. An
 * axis' own fault is not checked while it is being reset. */
const struct machine_fault_rule machine_fault_rules[FAULTS] = {
    [FAULT_NONE] = {"none", "nothing is wrong", REACT_NOT, 0},
    [FAULT_EMERGENCY] = {"emergency", "emergency stop", REACT_ALONG_PATH, 0},
    [FAULT_AXES_SILENT] = {"axes_silent", "the axes do not report any more", REACT_AXES_STOP,
                           AFTER_BOOT},
    [FAULT_FOLLOWING] = {"following", "an axis is too far from its reference", REACT_AXES_STOP,
                         AFTER_BOOT & ~IN(RESETTING)},
    [FAULT_REFERENCE] = {"reference", "the servo has no reference that it can follow",
                         REACT_AXES_STOP, AFTER_BOOT & ~IN(RESETTING)},
    [FAULT_AXES] = {"axes", "an axis reports a fault", REACT_AXES_STOP,
                    AFTER_BOOT & ~IN(RESETTING)},
    [FAULT_AXES_LEFT] = {"axes_left", "the axes do not follow any more", REACT_AXES_STOP, WHILE_ON},
    [FAULT_PATH_SILENT] = {"path_silent", "the path does not report any more", REACT_AXES_STOP,
                           AFTER_BOOT},
    [FAULT_UNREACHABLE] = {"unreachable", "the path leads where the axes cannot go",
                           REACT_AXES_STOP, IN(MOTION) | IN(FAULT)},
    [FAULT_STOP_TIMEOUT] = {"stop_timeout", "the machine does not come to rest along its path",
                            REACT_AXES_STOP, 0},
    [FAULT_ENABLE_TIMEOUT] = {"enable_timeout", "the axes cannot be switched on", REACT_AXES_STOP,
                              0},
    [FAULT_HALT] = {"halt", "a device of the application is lost", REACT_ALONG_PATH, AFTER_BOOT},
    [FAULT_PLANNER_SILENT] = {"planner_silent", "the planner does not report any more",
                              REACT_ALONG_PATH, AFTER_BOOT},
    [FAULT_OUTSIDE] = {"outside", "the machine stands outside of the planner's workspace",
                       REACT_ALONG_PATH, IN(MOTION)},
    [FAULT_PLANNER] = {"planner", "the planner has no good reference", REACT_ALONG_PATH,
                       IN(MOTION)},
    [FAULT_POSE_LOST] = {"pose_lost", "the platform's pose is not known while it moves",
                         REACT_ALONG_PATH, IN(MOTION)},
    [FAULT_RESET_FAILED] = {"reset_failed", "the axes do not answer to a reset", REACT_AXES_STOP,
                            0},
    [FAULT_FORCE_LOST] = {"force_lost",
                          "the force that the machine follows is not measured any more",
                          REACT_ALONG_PATH, IN(MOTION)},
};

bool machine_is_heard(struct machine_heard heard, dpl_ns now, dpl_ns timeout)
{
    return heard.ever && now - heard.at <= timeout;
}

static uint32_t bit(bool condition, enum machine_fault fault)
{
    return condition ? 1u << fault : 0u;
}

/* The servo gives the reason why it stopped the axes with its own code. */
static enum machine_fault axes_fault(uint32_t code)
{
    switch (code) {
    case DPL_SERVO_FAULT_FOLLOWING:
    case DPL_DRIVE_FAULT_FOLLOWING: return FAULT_FOLLOWING;
    case DPL_SERVO_FAULT_JUMP:
    case DPL_SERVO_FAULT_MISSING:
    case DPL_SERVO_FAULT_SILENCE: return FAULT_REFERENCE;
    default: return FAULT_AXES;
    }
}

bool machine_force_is_known(const struct machine_config *config, const struct machine_sight *s)
{
    return !s->force_watched || config->force_timeout <= 0 ||
           machine_is_heard(s->force, s->now, config->force_timeout);
}

uint32_t machine_faults_seen(const struct machine_config *config, const struct machine_sight *s,
                             uint64_t epoch, bool admittance)
{
    bool planned = s->planner_epoch == epoch;
    return bit(!machine_is_heard(s->axes, s->now, config->axes_timeout), FAULT_AXES_SILENT) |
           bit(s->axes_mode == DPL_AXES_FAULT, axes_fault(s->axes_fault)) |
           bit(s->axes_mode != DPL_AXES_ON && s->axes_mode != DPL_AXES_FAULT, FAULT_AXES_LEFT) |
           bit(!machine_is_heard(s->path, s->now, config->path_timeout), FAULT_PATH_SILENT) |
           bit(s->unreachable, FAULT_UNREACHABLE) | bit(s->halt, FAULT_HALT) |
           bit(!machine_is_heard(s->planner, s->now, config->planner_timeout),
               FAULT_PLANNER_SILENT) |
           bit(planned && s->planner_mode == DPL_PLANNER_FAULT,
               s->planner_obstacle == DPL_OBSTACLE_START ? FAULT_OUTSIDE : FAULT_PLANNER) |
           bit(s->pose_gap > config->pose_gap_most, FAULT_POSE_LOST) |
           bit(admittance && !machine_force_is_known(config, s), FAULT_FORCE_LOST);
}

enum machine_fault machine_faults_gravest(uint32_t seen, enum machine_phase phase)
{
    for (int fault = FAULT_NONE + 1; fault < FAULTS; fault++) {
        if ((seen & 1u << fault) && (machine_fault_rules[fault].phases & 1u << phase)) {
            return (enum machine_fault)fault;
        }
    }
    return FAULT_NONE;
}
