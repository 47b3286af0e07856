/* SPDX-License-Identifier: Apache-2.0 */
/* Gears, belts and ropes from XML: see coupling_xml.h. */
#include "coupling_xml.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct dpl__joint_part, joint) == 0,
               "fields of a joint are fields of a part");

static const struct dpl_field gear_fields[] = {
    DPL_NUMBER(struct dpl_sim_joint, gear_ratio, "ratio", NULL, NULL, -1e6, 1e6,
               "speed of the parent plus ratio times that of the child is 0"),
};

static const struct dpl_field belt_fields[] = {
    DPL_NUMBER(struct dpl_sim_joint, belt.stiffness, "stiffness", "N/m", NULL, 1e-9, 1e15,
               "of one run"),
    DPL_NUMBER(struct dpl_sim_joint, belt.ratio, "ratio", NULL, "1", -1e6, 1e6,
               "travel of the child per travel of the parent"),
    DPL_CHOICE(struct dpl_sim_joint, belt.condense, "condense", "auto", "auto|never|always",
               "whether it is solved with the step; auto: where the step is too long for it"),
    DPL_NUMBER(struct dpl_sim_joint, belt.damping, "damping", "N s/m", "0", 0.0, 1e12,
               "of one run"),
};

static const struct dpl_field rope_fields[] = {
    DPL_NUMBER(struct dpl_sim_joint, rope.ea, "ea", "N", NULL, 1e-9, 1e15,
               "stiffness times length"),
    DPL_NUMBER(struct dpl_sim_joint, rope.free_length, "free", "m", NULL, 1e-6, 1e6,
               "length without force; over a sheave: of the leg to the parent"),
    DPL_NUMBER(struct dpl_sim_joint, rope.damping, "damping", NULL, "0.03", 0.0, 10.0,
               "share of critical damping"),
    DPL_BOOL(struct dpl_sim_joint, rope.tension_only, "tensionOnly", "true", "it does not push"),
    DPL_TEXT(struct dpl__joint_part, sheave, "sheave", "",
             "a hinge before this joint: the rope goes over what turns there"),
    DPL_NUMBER(struct dpl_sim_joint, rope.radius, "radius", "m", "0", -1e6, 1e6,
               "of the sheave; its positive turn lifts the parent, below 0: the child"),
    DPL_NUMBER(struct dpl_sim_joint, rope.free_length_child, "free_child", "m", "0", 0.0, 1e6,
               "length without force of the leg to the child"),
    DPL_NUMBER(struct dpl_sim_joint, rope.slip, "slip", NULL, "0", 0.0, 10.0,
               "coefficient of friction on the sheave; 0: no slip"),
    DPL_NUMBER(struct dpl_sim_joint, rope.wrap, "wrap", "rad", "0", 0.0, 1000.0,
               "angle round the sheave"),
};

static const struct {
    const char *element;
    enum dpl_sim_joint_type type;
    const struct dpl_field *fields;
    size_t n;
} couplings[] = {
    {"gear", DPL_JOINT_GEAR, gear_fields, DPL_COUNT(gear_fields)},
    {"belt", DPL_JOINT_BELT, belt_fields, DPL_COUNT(belt_fields)},
    {"rope", DPL_JOINT_ROPE, rope_fields, DPL_COUNT(rope_fields)},
};

const struct dpl_element_table dpl__gear_coupling_table = DPL_ELEMENT_TABLE(gear_fields);
const struct dpl_element_table dpl__belt_coupling_table = DPL_ELEMENT_TABLE(belt_fields);
const struct dpl_element_table dpl__rope_coupling_table = DPL_ELEMENT_TABLE(rope_fields);

void dpl__coupling_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__joint_part *part = reader->target;
    for (size_t i = 0; i < DPL_COUNT(couplings); i++) {
        if (strcmp(couplings[i].element, node->name) != 0) {
            continue;
        }
        if (couplings[i].type != part->joint.type) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "<%s> is for joints of type %s, this one is of type %s", node->name,
                          dpl_sim_joint_words[couplings[i].type],
                          dpl_sim_joint_words[part->joint.type]);
        }
        dpl_element_fields(reader, node, couplings[i].fields, couplings[i].n, part);
    }
}

bool dpl__coupling_find(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        struct dpl__joint_part *part)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    const struct dpl_xml_node *rope = dpl_xml_child(node, "rope");
    if (part->joint.type != DPL_JOINT_ROPE) {
        return true;
    }
    if ((part->sheave[0] == '\0') != (part->joint.rope.radius == 0.0)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, rope->place,
                      "<rope>: sheave and radius go together");
        return false;
    }
    const char **names = dpl_arena_alloc(reader->arena, (mechanism->n_joints + 1) * sizeof *names);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        names[i] = mechanism->joints[i].name;
        if (dpl_name_equal(names[i], part->sheave)) {
            part->joint.rope.sheave = i;
            return true;
        }
    }
    if (part->sheave[0] != '\0') {
        dpl__node_complain(
            reader, rope, "sheave",
            dpl_arena_printf(reader->arena, "there is no joint '%s' before this one", part->sheave),
            dpl_nearest(part->sheave, names, mechanism->n_joints));
    }
    return part->sheave[0] == '\0';
}

bool dpl__coupling_has_all(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl__joint_part *part)
{
    const char *lacks = NULL;
    for (size_t i = 0; i < DPL_COUNT(couplings); i++) {
        if (couplings[i].type == part->joint.type && !dpl_xml_child(node, couplings[i].element)) {
            lacks = couplings[i].element;
        }
    }
    if (!lacks && part->joint.type == DPL_JOINT_ROPE && !part->has_child_frame) {
        lacks = "childFrame";
    }
    if (lacks) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "a joint of type %s needs <%s>", dpl_sim_joint_words[part->joint.type],
                      lacks);
    }
    return !lacks;
}
