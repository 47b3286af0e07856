/* SPDX-License-Identifier: Apache-2.0 */
/* Restraints and gears. */
#include <stdio.h>
#include <string.h>

#include "laws.h"
#include "reader.h"
#include "units.h"

static void said(struct dpl__star_reader *reader, enum dpl_mb_kind kind, int number,
                 struct dpl__star_node node, const char *joint_key)
{
    struct dpl__star_said *entry = dpl__star_say(reader->source, kind, number);
    if (entry) {
        entry->json = joint_key ? NULL : node.json;
        entry->joint_key = joint_key;
    }
}

/* ---- gears ---- */

static void read_gear(struct dpl__star_reader *reader, struct dpl__star_node node, const char *name,
                      void *user)
{
    struct dpl_mb_gear gear = {.name = name,
                               .assembly = *(const int *)user,
                               .is_active = dpl__star_bool(reader, node, "active", true),
                               .line = reader->places.values[node.value].line,
                               .column = reader->places.values[node.value].column};
    dpl__star_check_keys(reader, node, dpl__star_gear_keys);
    struct dpl__star_node joints = dpl__star_get(reader, node, "joints");
    struct dpl__star_node ratio = dpl__star_get(reader, node, "ratio");
    if (!json_is_array(joints.json) || json_array_size(joints.json) != 2 || !ratio.json) {
        dpl__star_error(reader, node, "a gear has \"joints\": [a, b], and a \"ratio\"");
        return;
    }
    double units[2];
    for (size_t i = 0; i < 2; i++) {
        gear.joints[i] =
            dpl__star_find_joint(reader, dpl__star_element(reader, joints, i), gear.assembly);
        if (gear.joints[i] < 0) {
            return;
        }
        enum dpl_mb_joint_type type = reader->graph->joints[gear.joints[i]].type;
        units[i] = dpl__star_coordinate(reader->units, dpl_mb_joint_turns(type, 0));
    }
    if (!dpl__star_number(reader, ratio, units[0] / units[1], &gear.ratio)) {
        return;
    }
    struct dpl_diag diag;
    int number = dpl_mb_add_gear(reader->graph, &gear, &diag);
    if (number < 0) {
        dpl__star_refused(reader, node, number, &diag);
        return;
    }
    said(reader, DPL_MB_GEAR, number, node, NULL);
}

void dpl__star_read_gears(struct dpl__star_reader *reader)
{
    for (size_t i = 0; i < reader->graph->n_assemblies; i++) {
        int assembly = (int)i;
        dpl__star_each(reader, dpl__star_list_of(reader, assembly, "gears"), read_gear, &assembly);
    }
}

/* ---- restraints ---- */

/* A joint with one coordinate, by its path. */
static bool read_along(struct dpl__star_reader *reader, struct dpl__star_node node,
                       struct dpl_mb_restraint *restraint)
{
    restraint->joint = dpl__star_find_joint(reader, node, restraint->assembly);
    if (restraint->joint < 0) {
        return false;
    }
    const struct dpl_mb_joint *joint = &reader->graph->joints[restraint->joint];
    int n = dpl_mb_joint_freedoms(joint->type);
    if (n != 1) {
        dpl__star_error(reader, node,
                        "the joint '%s' of type '%s' has %d coordinates, a restraint needs 1",
                        joint->name, dpl_mb_joint_words[joint->type], n);
    }
    return n == 1;
}

static bool read_distance(struct dpl__star_reader *reader, struct dpl__star_node node,
                          struct dpl_mb_restraint *restraint)
{
    static const char *const words[] = {"Tx", "Ty", "Tz"};
    struct dpl__star_node distance = dpl__star_get(reader, node, "distance_type");
    if (!distance.json) {
        return true;
    }
    if (restraint->joint >= 0) {
        dpl__star_warn(reader, distance, "along a joint there is no distance to choose");
        return true;
    }
    const char *text = json_string_value(distance.json);
    if (text && text[0] == 'R') {
        dpl__star_error(reader, distance, "a torsional restraint is possible along a joint only");
        return false;
    }
    int word = dpl__star_word(reader, distance, words, 3);
    restraint->distance = (enum dpl_mb_distance)(DPL_MB_DISTANCE_X + word);
    return word >= 0;
}

static bool read_where(struct dpl__star_reader *reader, struct dpl__star_node node,
                       struct dpl_mb_restraint *restraint)
{
    static const char *const pairs[] = {"body_frame_pair", "body_frame_pairs", NULL};
    struct dpl__star_node joint = dpl__star_get(reader, node, "joint");
    struct dpl__star_node pair = dpl__star_get_any(reader, node, pairs);
    if ((joint.json != NULL) == (pair.json != NULL)) {
        dpl__star_error(reader, node,
                        "a restraint has \"joint\" or \"body_frame_pair\", one of both");
        return false;
    }
    if (joint.json) {
        return read_along(reader, joint, restraint) && read_distance(reader, node, restraint);
    }
    if (!dpl__star_read_pair(reader, pair, restraint->assembly, restraint->frames)) {
        return false;
    }
    const struct dpl_mb_graph *graph = reader->graph;
    int body = graph->frames[restraint->frames[0]].body;
    if (body == graph->frames[restraint->frames[1]].body) {
        dpl__star_error(reader, pair, "both ends are on the body '%s'", graph->bodies[body].name);
        return false;
    }
    return read_distance(reader, node, restraint);
}

static bool turns_of(const struct dpl__star_reader *reader, int joint)
{
    return joint >= 0 && dpl_mb_joint_turns(reader->graph->joints[joint].type, 0);
}

static bool read_friction(struct dpl__star_reader *reader, struct dpl__star_node node, bool turns,
                          struct dpl_mb_restraint *restraint)
{
    struct dpl__star_node v0 = dpl__star_get(reader, node, "regularization");
    restraint->regularization = 1e-3;
    if (dpl__star_bool(reader, node, "normal", false)) {
        dpl__star_error(reader, dpl__star_get(reader, node, "normal"),
                        "friction by the reaction of a joint is not possible");
        return false;
    }
    if (v0.json && !dpl__star_number(reader, v0, dpl__star_rate(reader->units, turns),
                                     &restraint->regularization)) {
        return false;
    }
    if (restraint->regularization <= 0.0) {
        dpl__star_error(reader, v0, "more than 0 is expected");
        return false;
    }
    return true;
}

static void add(struct dpl__star_reader *reader, struct dpl__star_node node,
                const struct dpl_mb_restraint *restraint, const char *joint_key)
{
    struct dpl_diag diag;
    int number = dpl_mb_add_restraint(reader->graph, restraint, &diag);
    if (number < 0) {
        dpl__star_refused(reader, node, number, &diag);
        return;
    }
    said(reader, DPL_MB_RESTRAINT, number, node, joint_key);
}

static void read_restraint(struct dpl__star_reader *reader, struct dpl__star_node node,
                           const char *name, void *user)
{
    static const char *const types[] = {"spring", "damper", "friction"};
    struct dpl_mb_restraint restraint = {.name = name,
                                         .assembly = *(const int *)user,
                                         .joint = -1,
                                         .is_active = dpl__star_bool(reader, node, "active", true)};
    dpl__star_check_keys(reader, node, dpl__star_restraint_keys);
    if (dpl_mb_find(reader->graph, DPL_MB_RESTRAINT, restraint.assembly, name) >= 0) {
        dpl__star_error_name(reader, node, "there is already a restraint '%s' in this assembly",
                             name);
        return;
    }
    struct dpl__star_node type = dpl__star_get(reader, node, "type");
    int word = type.json ? dpl__star_word(reader, type, types, 3) : -1;
    if (!type.json) {
        dpl__star_error(reader, node, "this has no \"type\"");
    }
    if (!read_where(reader, node, &restraint) || word < 0) {
        return;
    }
    restraint.type = (enum dpl_mb_restraint_type)word;
    struct dpl__star_argument argument = {.turns = turns_of(reader, restraint.joint),
                                          .is_of_rate = restraint.type != DPL_MB_SPRING};
    if ((restraint.type != DPL_MB_FRICTION ||
         read_friction(reader, node, argument.turns, &restraint)) &&
        dpl__star_read_law(reader, node, argument, &restraint.law)) {
        add(reader, node, &restraint, NULL);
    }
}

/* ---- restraints that are keys of joints ---- */

static const struct {
    const char *key, *ending;
    enum dpl_mb_restraint_type type;
} joint_keys[] = {
    {"stiffness", "spring", DPL_MB_SPRING},
    {"stiffness_coefficients", "spring", DPL_MB_SPRING},
    {"damping", "damper", DPL_MB_DAMPER},
    {"damping_coefficients", "damper", DPL_MB_DAMPER},
};

static void read_joint_key(struct dpl__star_reader *reader, struct dpl__star_node joint_node,
                           int joint, size_t i)
{
    const struct dpl_mb_joint *of = &reader->graph->joints[joint];
    struct dpl__star_node node = dpl__star_get(reader, joint_node, joint_keys[i].key);
    if (!node.json) {
        return;
    }
    if (dpl_mb_joint_freedoms(of->type) != 1) {
        dpl__star_error(reader, node, "a joint of type '%s' has no single coordinate for it",
                        dpl_mb_joint_words[of->type]);
        return;
    }
    struct dpl_mb_restraint restraint = {
        .assembly = of->assembly, .type = joint_keys[i].type, .joint = joint, .is_active = true};
    struct dpl__star_argument argument = {.turns = turns_of(reader, joint),
                                          .is_of_rate = restraint.type != DPL_MB_SPRING};
    char name[DPL_MB_NAME_MAX + 1];
    dpl__star_free_name(reader->graph, DPL_MB_RESTRAINT, of->assembly, of->name,
                        joint_keys[i].ending, name);
    restraint.name = name;
    if (dpl__star_read_rising(reader, node, argument, &restraint.law)) {
        add(reader, node, &restraint, joint_keys[i].key);
    }
}

/* Those of the joints of one assembly, which follow each other from *inout_joint on. */
static void read_joint_keys(struct dpl__star_reader *reader, int assembly, size_t *inout_joint)
{
    for (; *inout_joint < reader->graph->n_joints &&
           reader->graph->joints[*inout_joint].assembly == assembly;
         ++*inout_joint) {
        int joint = (int)*inout_joint;
        const struct dpl__star_said *entry = dpl__star_said(reader->source, DPL_MB_JOINT, joint);
        for (size_t i = 0; entry && i < sizeof joint_keys / sizeof *joint_keys; i++) {
            read_joint_key(reader, (struct dpl__star_node){entry->json, entry->value}, joint, i);
        }
    }
}

void dpl__star_read_restraints(struct dpl__star_reader *reader)
{
    size_t joint = 0;
    for (size_t i = 0; i < reader->graph->n_assemblies; i++) {
        int assembly = (int)i;
        read_joint_keys(reader, assembly, &joint);
        dpl__star_each(reader, dpl__star_list_of(reader, assembly, "restraints"), read_restraint,
                       &assembly);
    }
}
