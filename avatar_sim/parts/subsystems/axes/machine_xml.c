/* SPDX-License-Identifier: Apache-2.0 */
/* <hexaslide>, <home>, <half_range>, <leg>, <drive>: a machine by field tables. */
#include "machine_xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "axis_drive.h"
#include "classes.h"
#include "machine.h"

struct hexaslide_spec {
    double link, reserve;
};

static const struct dpl_field hexaslide_fields[] = {
    DPL_NUMBER(struct hexaslide_spec, link, "link", "m", NULL, 0.01, 10.0,
               "length of the links of legs that give none"),
    DPL_NUMBER(struct hexaslide_spec, reserve, "reserve", NULL, "0.05", 0.0, 0.99,
               "a link that reaches less than this share of its length along its rail faults"),
};

struct pose_spec {
    double x, y, z, roll, pitch, yaw;
};

static const struct dpl_field home_fields[] = {
    DPL_NUMBER(struct pose_spec, x, "x", "m", "0", -10.0, 10.0, "of the tool centre point"),
    DPL_NUMBER(struct pose_spec, y, "y", "m", "0", -10.0, 10.0, "of the tool centre point"),
    DPL_NUMBER(struct pose_spec, z, "z", "m", NULL, -10.0, 10.0, "of the tool centre point"),
    DPL_NUMBER(struct pose_spec, roll, "roll", "rad", "0", -3.2, 3.2, "turn about x, first"),
    DPL_NUMBER(struct pose_spec, pitch, "pitch", "rad", "0", -1.5, 1.5, "turn about y"),
    DPL_NUMBER(struct pose_spec, yaw, "yaw", "rad", "0", -3.2, 3.2, "turn about z, last"),
};

static const struct dpl_field half_range_fields[] = {
    DPL_NUMBER(struct pose_spec, x, "x", "m", NULL, 0.0001, 10.0, "semi-axis of the workspace"),
    DPL_NUMBER(struct pose_spec, y, "y", "m", NULL, 0.0001, 10.0, "semi-axis of the workspace"),
    DPL_NUMBER(struct pose_spec, z, "z", "m", NULL, 0.0001, 10.0, "semi-axis of the workspace"),
    DPL_NUMBER(struct pose_spec, roll, "roll", "rad", NULL, 0.0001, 3.2, "semi-axis"),
    DPL_NUMBER(struct pose_spec, pitch, "pitch", "rad", NULL, 0.0001, 1.5, "semi-axis"),
    DPL_NUMBER(struct pose_spec, yaw, "yaw", "rad", NULL, 0.0001, 3.2, "semi-axis"),
};

struct leg_spec {
    struct dpl_sim_axis axis;
    int branch;
};

enum { AHEAD, BEHIND };

#define UNSET DPL_ROBOT_UNSET

static const struct dpl_field leg_fields[] = {
    DPL_NAME(struct leg_spec, axis.name, "axis", "",
             "name of the axis that moves its slider; none: Axis1 to Axis6 by order"),
    DPL_NUMBER(struct leg_spec, axis.joint[0], "joint_x", "m", NULL, -10.0, 10.0,
               "joint on the platform, from the tool centre point"),
    DPL_NUMBER(struct leg_spec, axis.joint[1], "joint_y", "m", NULL, -10.0, 10.0,
               "joint on the platform"),
    DPL_NUMBER(struct leg_spec, axis.joint[2], "joint_z", "m", "0", -10.0, 10.0,
               "joint on the platform"),
    DPL_NUMBER(struct leg_spec, axis.rail[0], "rail_x", "m", "0", -10.0, 10.0,
               "where the slider is at position 0"),
    DPL_NUMBER(struct leg_spec, axis.rail[1], "rail_y", "m", "0", -10.0, 10.0,
               "where the slider is at position 0"),
    DPL_NUMBER(struct leg_spec, axis.rail[2], "rail_z", "m", "0", -10.0, 10.0,
               "where the slider is at position 0"),
    DPL_NUMBER(struct leg_spec, axis.direction[0], "direction_x", NULL, "1", -1000.0, 1000.0,
               "direction of growing position; its length does not matter"),
    DPL_NUMBER(struct leg_spec, axis.direction[1], "direction_y", NULL, "0", -1000.0, 1000.0,
               "direction of growing position"),
    DPL_NUMBER(struct leg_spec, axis.direction[2], "direction_z", NULL, "0", -1000.0, 1000.0,
               "direction of growing position"),
    DPL_CHOICE(struct leg_spec, branch, "slider", NULL, "ahead|behind",
               "where the slider is, seen from its joint along the direction: ahead or behind"),
    DPL_NUMBER(struct leg_spec, axis.low, "low", "m", NULL, -100.0, 100.0, "end stop"),
    DPL_NUMBER(struct leg_spec, axis.high, "high", "m", NULL, -100.0, 100.0, "other end stop"),
    DPL_NUMBER_OPTIONAL(struct leg_spec, axis.link, "link", "m", 0.01, 10.0,
                        "length of its link, in place of that of <hexaslide>"),
};

struct drive_spec {
    char axis[DPL_SIM_NAME_SIZE];
    struct dpl_sim_drive drive;
    double lag_ms;
};

static const struct dpl_field drive_fields[] = {
    DPL_NAME(struct drive_spec, axis, "axis", "",
             "name of the axis; none: of all that have no <drive> of their own"),
    DPL_NUMBER(struct drive_spec, drive.motor_mass, "motor_mass", "kg", NULL, 0.001, 1e5,
               "rotor and screw, as seen along the axis"),
    DPL_NUMBER(struct drive_spec, drive.load_mass, "load_mass", "kg", "0", 0.0, 1e5,
               "beyond the screw"),
    DPL_NUMBER(struct drive_spec, lag_ms, "lag_ms", "ms", "0", 0.0, 10000.0,
               "time constant of the motor's effort"),
    DPL_NUMBER(struct drive_spec, drive.coulomb, "coulomb", "N", "0", 0.0, 1e6,
               "friction at the motor, whatever the speed"),
    DPL_NUMBER(struct drive_spec, drive.friction_speed, "friction_speed", "m/s", "0.001", 1e-6, 1.0,
               "Coulomb friction is that times tanh(speed / this)"),
    DPL_NUMBER(struct drive_spec, drive.viscous, "viscous", "N s/m", "0", 0.0, 1e6,
               "friction at the motor that grows with the speed"),
    DPL_NUMBER(struct drive_spec, drive.screw_stiffness, "screw_stiffness", "N/m", "0", 0.0, 1e12,
               "between motor and load; 0: rigid"),
    DPL_NUMBER(struct drive_spec, drive.screw_damping, "screw_damping", "N s/m", "0", 0.0, 1e9,
               "between motor and load"),
    DPL_NUMBER(struct drive_spec, drive.max_effort, "max_effort", "N", "0", 0.0, 1e7,
               "of the motor; 0: no limit"),
    DPL_NUMBER(struct drive_spec, drive.resolution, "resolution", "m", "0", 0.0, 0.01,
               "of the encoder at the motor; 0: exact"),
    DPL_NUMBER(struct drive_spec, drive.brake, "brake", "N", "0", 0.0, 1e6,
               "of a brake that is on while the axis is not driven; 0: none"),
};

struct platform_spec {
    double mass, x, y, z;
};

static const struct dpl_field platform_fields[] = {
    DPL_NUMBER(struct platform_spec, mass, "mass", "kg", NULL, 0.0, 1e5,
               "whose weight the axes carry"),
    DPL_NUMBER(struct platform_spec, x, "x", "m", "0", -10.0, 10.0,
               "centre of mass, from the tool centre point"),
    DPL_NUMBER(struct platform_spec, y, "y", "m", "0", -10.0, 10.0, "centre of mass"),
    DPL_NUMBER(struct platform_spec, z, "z", "m", "0", -10.0, 10.0, "centre of mass"),
};

static const struct dpl_element_table platform_table = DPL_ELEMENT_TABLE(platform_fields);
static const struct dpl_element_table hexaslide_table = DPL_ELEMENT_TABLE(hexaslide_fields);
static const struct dpl_element_table home_table = DPL_ELEMENT_TABLE(home_fields);
static const struct dpl_element_table half_range_table = DPL_ELEMENT_TABLE(half_range_fields);
static const struct dpl_element_table leg_table = DPL_ELEMENT_TABLE(leg_fields);
static const struct dpl_element_table drive_table = DPL_ELEMENT_TABLE(drive_fields);

static struct dpl__machine_draft *draft_of(struct dpl_element_reader *reader)
{
    struct dpl__robot_target *target = reader->target;
    return target->draft;
}

static void read_hexaslide(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    struct hexaslide_spec spec = {0};
    dpl_element_fields(reader, node, hexaslide_fields, DPL_COUNT(hexaslide_fields), &spec);
    draft->hexaslide = node;
    draft->link = spec.link;
    draft->machine.reserve = spec.reserve;
}

static void read_pose(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct dpl_element_table *table, double ret_pose[DPL_SIX])
{
    struct pose_spec spec = {0};
    dpl_element_fields(reader, node, table->fields, table->n, &spec);
    const double pose[DPL_SIX] = {spec.x, spec.y, spec.z, spec.roll, spec.pitch, spec.yaw};
    memcpy(ret_pose, pose, sizeof pose);
}

static void read_home(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    draft->home = node;
    read_pose(reader, node, &home_table, draft->machine.home);
}

static void read_half_range(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    draft->half_range = node;
    read_pose(reader, node, &half_range_table, draft->machine.half_range);
}

static void read_leg(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    struct leg_spec spec = {.axis.link = UNSET};
    dpl_element_fields(reader, node, leg_fields, DPL_COUNT(leg_fields), &spec);
    struct dpl_sim_axis *axis = &draft->machine.axes[draft->n_legs];
    draft->legs[draft->n_legs++] = node;
    *axis = spec.axis;
    axis->branch = spec.branch == AHEAD ? 1.0 : -1.0;
    if (axis->name[0] == '\0') {
        snprintf(axis->name, sizeof axis->name, "Axis%zu", draft->n_legs);
    }
    double norm = hypot(hypot(axis->direction[0], axis->direction[1]), axis->direction[2]);
    for (size_t c = 0; c < 3 && norm > 0.0; c++) {
        axis->direction[c] /= norm;
    }
}

static void read_drive(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    struct drive_spec spec = {0};
    dpl_element_fields(reader, node, drive_fields, DPL_COUNT(drive_fields), &spec);
    struct dpl__machine_drive *drive = &draft->drives[draft->n_drives++];
    snprintf(drive->axis, sizeof drive->axis, "%s", spec.axis);
    drive->drive = spec.drive;
    drive->drive.lag_s = spec.lag_ms * 1e-3;
    drive->node = node;
}

static void read_platform(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__machine_draft *draft = draft_of(reader);
    struct platform_spec spec = {0};
    dpl_element_fields(reader, node, platform_fields, DPL_COUNT(platform_fields), &spec);
    draft->machine.weight_mass = spec.mass;
    draft->machine.weight_at[0] = spec.x;
    draft->machine.weight_at[1] = spec.y;
    draft->machine.weight_at[2] = spec.z;
}

const struct dpl_element_kind dpl__axes_elements[] = {
    {"hexaslide", read_hexaslide, 1, &hexaslide_table,
     "a machine whose six sliders push a platform; in place of a mobile base"},
    {"home", read_home, 1, &home_table, "pose of a machine's platform at rest"},
    {"half_range", read_half_range, 1, &half_range_table,
     "workspace of a machine, an ellipsoid around home"},
    {"leg", read_leg, DPL_AXES_N, &leg_table, "a leg of a machine: rail, link and joint"},
    {"drive", read_drive, DPL_MACHINE_DRIVES_MAX, &drive_table,
     "what moves the axes of a machine, or one of them"},
    {"platform", read_platform, 1, &platform_table,
     "what a machine's platform weighs; none: nothing"},
};
_Static_assert(DPL_COUNT(dpl__axes_elements) == DPL_AXES_ELEMENTS, "all are listed");

static void check_whole(struct dpl_element_reader *reader, const struct dpl_xml_node *root)
{
    const struct dpl__robot_target *target = reader->target;
    const struct dpl__machine_draft *draft = target->draft;
    const struct {
        const struct dpl_xml_node *node;
        const char *name;
    } needed[] = {
        {draft->hexaslide, "hexaslide"},
        {draft->home, "home"},
        {draft->half_range, "half_range"},
    };
    for (size_t i = 0; i < DPL_COUNT(needed); i++) {
        if (!needed[i].node) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                          "machine '%s' has no <%s>", target->robot->name, needed[i].name);
        }
    }
    if (draft->n_legs != DPL_AXES_N) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "machine '%s' has %zu <leg>, expected %d", target->robot->name, draft->n_legs,
                      DPL_AXES_N);
    }
    if (draft->n_drives == 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "machine '%s' has no <drive>, expected one for all axes or one for each",
                      target->robot->name);
    }
}

/* The axis that a drive names; DPL_AXES_N for all; reports a name that no leg has. */
static size_t axis_of(struct dpl_element_reader *reader, const struct dpl__machine_draft *draft,
                      const struct dpl__machine_drive *drive)
{
    const char *names[DPL_AXES_N];
    if (drive->axis[0] == '\0') {
        return DPL_AXES_N;
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        names[i] = draft->machine.axes[i].name;
        if (dpl_name_equal(names[i], drive->axis)) {
            return i;
        }
    }
    const char *near = dpl_nearest(drive->axis, names, DPL_AXES_N);
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, drive->node->place,
                  "there is no axis '%s' to be driven%s%s%s", drive->axis,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return DPL_AXES_N + 1;
}

static void give_drives(struct dpl_element_reader *reader, struct dpl__machine_draft *draft)
{
    const struct dpl__machine_drive *of[DPL_AXES_N + 1] = {NULL};
    for (size_t i = 0; i < draft->n_drives; i++) {
        size_t axis = axis_of(reader, draft, &draft->drives[i]);
        if (axis <= DPL_AXES_N && of[axis]) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, draft->drives[i].node->place,
                          "a second <drive> for %s%s", axis < DPL_AXES_N ? "axis " : "all axes",
                          draft->drives[i].axis);
        } else if (axis <= DPL_AXES_N) {
            of[axis] = &draft->drives[i];
        }
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        const struct dpl__machine_drive *drive = of[i] ? of[i] : of[DPL_AXES_N];
        if (drive) {
            draft->machine.axes[i].drive = drive->drive;
            draft->driven_by[i] = drive->node;
        } else {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, draft->legs[i]->place,
                          "axis '%s' has no <drive>", draft->machine.axes[i].name);
        }
    }
}

static void check_numbers(struct dpl_element_reader *reader, const struct dpl__machine_draft *draft)
{
    struct dpl_diag diag;
    size_t errors = reader->diags->n_errors;
    const struct dpl_xml_node *bad = NULL; /* one drive serves many axes */
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        if (dpl__machine_check_leg(&draft->machine, i, &diag)) {
            dpl_element_error(reader, draft->legs[i], &diag);
        }
        if (draft->driven_by[i] != bad &&
            dpl__machine_check_drive(&draft->machine.axes[i], &diag)) {
            bad = draft->driven_by[i];
            dpl_element_error(reader, bad, &diag);
        }
    }
    if (reader->diags->n_errors == errors &&
        dpl__machine_check_pose(&draft->machine, draft->machine.home, "home", &diag)) {
        dpl_element_error(reader, draft->home, &diag);
    }
}

/* The machine as it was read, with a drive for each axis. */
static void make_robot(struct dpl__robot_target *target, const struct dpl_sim_machine *read)
{
    struct dpl_sim_machine *machine = dpl_arena_alloc(target->memory, sizeof *machine);
    *machine = *read;
    memcpy(machine->pose, machine->home, sizeof machine->pose);
    target->robot->part = machine;
    for (int i = 0; i < DPL_AXES_N; i++) {
        struct dpl_sim_entry entry = {
            .class_ = &dpl_axis_drive, .settings = &machine->axes[i].drive, .joint = i};
        snprintf(entry.name, sizeof entry.name, "%s", machine->axes[i].name);
        dpl__robot_add_entry(target->memory, target->robot, &entry);
    }
}

void dpl__machine_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                         const void *root_values)
{
    struct dpl__robot_target *target = reader->target;
    struct dpl__machine_draft *draft = target->draft;
    size_t errors = reader->diags->n_errors;
    (void)root_values;
    check_whole(reader, root);
    if (reader->diags->n_errors > errors) {
        return;
    }
    for (size_t i = 0; i < DPL_AXES_N; i++) {
        struct dpl_sim_axis *axis = &draft->machine.axes[i];
        axis->link = axis->link > UNSET ? axis->link : draft->link;
    }
    give_drives(reader, draft);
    if (reader->diags->n_errors > errors) {
        return;
    }
    check_numbers(reader, draft);
    make_robot(target, &draft->machine);
}
