/* SPDX-License-Identifier: Apache-2.0 */
/* The sequence of objects for the set-up of a drive. */
#include "cia402_plan.h"

#include <errno.h>
#include <math.h>

#define DISABLED      0x80000000u /* bit of a PDO's identifier */
#define EVERY_SYNC    1u
#define MAX_LOAD      0.95
#define PDO_BYTES     6u
#define PDOS_AN_AXIS  4u
#define LEAST_PERIODS 4 /* of a timeout: with fewer, each late frame would be a timeout */

const struct dpl_canopen_map cia402_rpdo[2] = {
    {2, {{DPL_CIA402_CONTROLWORD, 0, 16}, {DPL_CIA402_TARGET_POSITION, 0, 32}}},
    {2, {{DPL_CIA402_VELOCITY_OFFSET, 0, 32}, {DPL_CIA402_TORQUE_OFFSET, 0, 16}}},
};
const struct dpl_canopen_map cia402_tpdo[2] = {
    {2, {{DPL_CIA402_STATUSWORD, 0, 16}, {DPL_CIA402_POSITION, 0, 32}}},
    {2, {{DPL_CIA402_VELOCITY, 0, 32}, {DPL_CIA402_TORQUE, 0, 16}}},
};

int32_t cia402_counts(double value, double per_unit)
{
    double counts = nearbyint(value * per_unit);
    if (!(counts > INT32_MIN)) {
        return INT32_MIN;
    }
    return counts < INT32_MAX ? (int32_t)counts : INT32_MAX;
}

static void add(struct cia402_plan *plan, const struct cia402_step *step)
{
    if (plan->n < CIA402_STEPS_MAX) {
        plan->steps[plan->n++] = *step;
    }
}

static void add_write(struct cia402_plan *plan, uint16_t index, uint8_t sub, uint8_t size,
                      uint32_t value, const char *what)
{
    add(plan, &(struct cia402_step){.kind = CIA402_WRITE,
                                    .index = index,
                                    .sub = sub,
                                    .size = size,
                                    .value = value,
                                    .what = what});
}

/* Steps for a PDO: off, its transmission type, its map, on again. `number` counts from 0. */
static void add_pdo(struct cia402_plan *plan, bool is_tpdo, uint8_t number,
                    const struct cia402_settings *settings)
{
    const struct dpl_canopen_map *map = is_tpdo ? &cia402_tpdo[number] : &cia402_rpdo[number];
    uint16_t how = (uint16_t)((is_tpdo ? 0x1800 : 0x1400) + number);
    uint16_t what = (uint16_t)(how + 0x200);
    const char *text = is_tpdo ? "process data to send" : "process data to take";
    uint32_t id =
        dpl_canopen_cob_id(is_tpdo ? DPL_CANOPEN_TPDO : DPL_CANOPEN_RPDO, 0, (uint8_t)(number + 1));
    struct cia402_step cob = {.kind = CIA402_WRITE,
                              .index = how,
                              .sub = 1,
                              .size = 4,
                              .adds_node = true,
                              .value = id | DISABLED,
                              .what = text};
    add(plan, &cob);
    add_write(plan, how, 2, 1, EVERY_SYNC, text);
    if (!is_tpdo && number == 0 && settings->watchdog > 0) {
        add(plan, &(struct cia402_step){.kind = CIA402_WRITE_IF_THERE,
                                        .index = how,
                                        .sub = 5,
                                        .size = 2,
                                        .value = (uint32_t)(settings->watchdog / DPL_MS),
                                        .what = "watchdog of the set-points"});
    }
    add_write(plan, what, 0, 1, 0, text);
    for (uint8_t i = 0; i < map->n; i++) {
        add_write(plan, what, (uint8_t)(i + 1), 4, dpl_canopen_map_word(&map->objects[i]), text);
    }
    add_write(plan, what, 0, 1, map->n, text);
    cob.value = id;
    add(plan, &cob);
}

static void add_motion(struct cia402_plan *plan, const struct cia402_settings *settings)
{
    uint8_t value = 0;
    int8_t power = 0;
    double counts = fabs(settings->counts_per_m);
    dpl_cia402_interpolation(settings->period, &value, &power);
    add_write(plan, DPL_CIA402_MODE, 0, 1, DPL_CIA402_CSP, "the mode");
    add_write(plan, DPL_CIA402_INTERPOLATION, 1, 1, value, "the interpolation period");
    add_write(plan, DPL_CIA402_INTERPOLATION, 2, 1, (uint8_t)power, "the interpolation period");
    add_write(plan, DPL_CIA402_QUICK_STOP_OPTION, 0, 2, DPL_CIA402_QUICK_STOP_AND_STAY,
              "what follows a quick stop");
    add(plan, &(struct cia402_step){.kind = CIA402_WRITE_IF_THERE,
                                    .index = DPL_CIA402_ABORT_OPTION,
                                    .size = 2,
                                    .value = DPL_CIA402_ABORT_QUICK_STOP,
                                    .what = "what follows a lost connection"});
    if (settings->quick_stop_m_s2 > 0.0) {
        add_write(plan, DPL_CIA402_QUICK_STOP_DECELERATION, 0, 4,
                  (uint32_t)cia402_counts(settings->quick_stop_m_s2, counts),
                  "the deceleration of a quick stop");
    }
    if (settings->following_error_m > 0.0) {
        add_write(plan, DPL_CIA402_FOLLOWING_WINDOW, 0, 4,
                  (uint32_t)cia402_counts(settings->following_error_m, counts),
                  "the window of the following error");
    }
    add(plan, &(struct cia402_step){.kind = CIA402_AWAIT,
                                    .index = DPL_CIA402_MODE_DISPLAY,
                                    .value = DPL_CIA402_CSP,
                                    .mask = 0xff,
                                    .what = "it does not take cyclic synchronous position mode"});
}

static void add_identity(struct cia402_plan *plan)
{
    for (uint8_t part = CIA402_NAME; part < CIA402_IDENTITY_PARTS; part++) {
        bool is_name = part == CIA402_NAME;
        add(plan, &(struct cia402_step){.kind = CIA402_IDENTIFY,
                                        .index = is_name ? 0x1008 : 0x1018,
                                        .sub = is_name ? 0 : part,
                                        .value = part,
                                        .what = "what it is"});
    }
}

void cia402_plan_make(struct cia402_plan *plan, const struct cia402_settings *settings)
{
    plan->n = 0;
    add(plan, &(struct cia402_step){.kind = CIA402_EXPECT,
                                    .index = 0x1000,
                                    .value = DPL_CIA402_PROFILE,
                                    .mask = 0xffff,
                                    .what = "it is no drive after CiA 402"});
    add(plan, &(struct cia402_step){.kind = CIA402_EXPECT,
                                    .index = DPL_CIA402_SUPPORTED_MODES,
                                    .value = DPL_CIA402_CSP_SUPPORTED,
                                    .mask = DPL_CIA402_CSP_SUPPORTED,
                                    .what = "it has no cyclic synchronous position mode"});
    add(plan, &(struct cia402_step){.kind = CIA402_WRITE_IF_THERE,
                                    .index = 0x1006,
                                    .size = 4,
                                    .value = (uint32_t)(settings->period / DPL_US),
                                    .what = "the communication cycle"});
    for (uint8_t number = 0; number < 2; number++) {
        add_pdo(plan, false, number, settings);
        add_pdo(plan, true, number, settings);
    }
    add_motion(plan, settings);
    add_write(plan, 0x1017, 0, 2, (uint32_t)(settings->heartbeat / DPL_MS), "the heartbeat");
    add_identity(plan);
}

double cia402_bits_per_period(const struct cia402_settings *settings)
{
    const int n = cia402_n_axes(settings);
    double pdos = n * PDOS_AN_AXIS * (double)dpl_can_frame_bits(PDO_BYTES, true);
    double heartbeats = n * (double)dpl_can_frame_bits(1, true) * dpl_ns_to_s(settings->period) /
                        dpl_ns_to_s(settings->heartbeat);
    return dpl_can_frame_bits(0, true) + pdos + heartbeats;
}

static int check_nodes(const struct cia402_settings *settings, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    for (int i = 0; i < cia402_n_axes(settings); i++) {
        if (settings->nodes[i] < 1 || settings->nodes[i] > DPL_CANOPEN_NODE_MAX) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "NodeIds: %u is no node, expected 1 to 127 for each of the %d axes",
                            settings->nodes[i], cia402_n_axes(settings));
        }
        for (int j = 0; j < i; j++) {
            if (settings->nodes[j] == settings->nodes[i]) {
                return dpl_fail(reterr, -EINVAL, nowhere, "NodeIds: node %u is there twice",
                                settings->nodes[i]);
            }
        }
    }
    return 0;
}

static int check_timeouts(const struct cia402_settings *settings, struct dpl_diag *reterr)
{
    const struct {
        const char *name;
        dpl_ns time;
    } timeouts[] = {
        {"SilenceTimeout", settings->silence},
        {"ProcessDataTimeout", settings->process_data},
        {"WatchdogTime", settings->watchdog},
        {"ReferenceTimeout", settings->reference_timeout},
    };
    dpl_ns least = LEAST_PERIODS * settings->period;
    for (size_t i = 0; i < DPL_COUNT(timeouts); i++) {
        if (timeouts[i].time > 0 && timeouts[i].time < least) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                            "%s: %g ms are too few, expected %d times CommunicationPeriod or more",
                            timeouts[i].name, 1e3 * dpl_ns_to_s(timeouts[i].time), LEAST_PERIODS);
        }
    }
    return 0;
}

int cia402_settings_check(const struct cia402_settings *settings, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    uint8_t value;
    int8_t power;
    double period_s = dpl_ns_to_s(settings->period);
    double needs_s = cia402_bits_per_period(settings) / settings->bit_rate;
    int err = check_nodes(settings, reterr);
    if (err < 0) {
        return err;
    }
    if (settings->counts_per_m == 0.0) {
        return dpl_fail(reterr, -EINVAL, nowhere, "%s: expected a number but 0",
                        settings->counts_name ? settings->counts_name : "CountsPerMetre");
    }
    if (dpl_cia402_interpolation(settings->period, &value, &power) < 0) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "CommunicationPeriod: a drive cannot be set to %g ms, expected whole ms, "
                        "or tenths up to 25.5 ms",
                        period_s * 1e3);
    }
    if (needs_s > MAX_LOAD * period_s) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "CommunicationPeriod: the frames of %g ms need %.2f ms of a bus with "
                        "%u bit/s; expected %.1f ms or more",
                        period_s * 1e3, needs_s * 1e3, settings->bit_rate,
                        ceil(needs_s / MAX_LOAD * 1e4) * 0.1);
    }
    return check_timeouts(settings, reterr);
}
