/* SPDX-License-Identifier: Apache-2.0 */
/* A motor that is a table: the torque for a current, optionally for several speeds
 * (motion/drive/motor_table.h), behind a gear. */
#include <errno.h>

#include <doppel/sim/world.h>

#include "gear.h"
#include "motor_table.h"
#include "setpoint.h"

extern const struct dpl_sim_entry_class dpl_table_motor;

struct settings {
    struct dpl__gear gear; /* first: see gear.h */
    struct dpl__setpoint_settings setpoint;
    struct dpl_motor_table table;
};

static const struct dpl_field fields[] = {
    DPL__SETPOINT_FIELDS(DPL_NUMBER, struct settings, setpoint, "A"),
};

static const struct settings unset = {.gear = DPL__GEAR_UNSET};

/* ---- reading --------------------------------------------------------------------------------- */

struct row {
    double current_a, torque_nm, speed_rad_s;
};

static const struct dpl_field row_fields[] = {
    DPL_NUMBER(struct row, current_a, "current", "A", NULL, 0.0, 1e6,
               "the first row of a speed: 0; then growing"),
    DPL_NUMBER(struct row, torque_nm, "torque", "N m", NULL, -1e9, 1e9, "at the shaft"),
    DPL_NUMBER(struct row, speed_rad_s, "speed", "rad/s", "0", -1e6, 1e6,
               "of the shaft; rows of one speed are together, speeds grow"),
};

static void read_row(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct settings *settings = reader->target;
    struct row row = {0};
    const char *why;
    if (dpl_element_fields(reader, node, row_fields, DPL_COUNT(row_fields), &row) &&
        dpl_motor_table_add(&settings->table, row.current_a, row.torque_nm, row.speed_rad_s,
                            &why)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "<row>: %s", why);
    }
}

static const struct dpl_element_table row_table = DPL_ELEMENT_TABLE(row_fields);

static const struct dpl_element_kind children[] = {
    {"row", read_row, 0, &row_table, "a row of the motor's table; of type table"},
    DPL__GEAR_KINDS,
};

static int check(const void *of, struct dpl_diag *reterr)
{
    const struct settings *settings = of;
    const char *why;
    if (dpl_motor_table_finish(&settings->table, &why)) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "motor of type table: %s", why);
    }
    return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

struct motor {
    struct dpl__setpoint setpoint; /* first: see setpoint.h */
    const struct dpl_sim_site *site;
    double speed_before; /* of the joint */
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct motor *motor = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    motor->site = site;
    motor->speed_before = site->state->joints.velocity[site->joint];
    return dpl__setpoint_build(&motor->setpoint, site, &settings->setpoint);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct motor *motor = state;
    const struct dpl_sim_site *site = motor->site;
    const struct settings *settings = site->entry->settings;
    const struct dpl_sim_joints *joints = &site->state->joints;
    double speed = joints->velocity[site->joint];
    double current = dpl__setpoint_next(&motor->setpoint);
    double ratio = settings->gear.ratio;
    struct dpl__gear_step now = {
        .effort = ratio * dpl_motor_torque(&settings->table, current, ratio * speed),
        .speed = speed,
        .speed_before = motor->speed_before,
        .dt = tick->dt,
    };
    joints->push[site->joint] = now.effort;
    joints->share[site->joint] = dpl__gear_share(&settings->gear, &now);
    joints->driven[site->joint] = true;
    motor->speed_before = speed;
}

static size_t limits(const void *state,
                     struct dpl_sim_actuator_limit ret_limits[DPL_SIM_LIMITS_MAX])
{
    const struct motor *motor = state;
    return dpl__setpoint_limit(&motor->setpoint, "A", ret_limits, 0);
}

DPL__SETPOINT_CALLS(dpl_table_motor)

static const struct dpl_channel_row rows[] = {
    DPL__SETPOINT_ROW("current", "A", describe_setpoint, "setpoint of the motor's current"),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_table_motor = {
    .name = "table motor",
    .summary = "a motor by its table of currents and torques",
    .phase = DPL_SIM_ACTUATOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), &unset},
    .check = check,
    .state_size = sizeof(struct motor),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "table",
    .is_at_joint = true,
    .limits = limits,
    .commands = DPL_SIM_COMMAND_PUSH,
    .children = children,
    .n_children = DPL_COUNT(children),
    .burden = dpl__gear_burden,
};
