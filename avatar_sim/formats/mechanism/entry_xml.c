/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a <Motor>, a <Sensor> or a <Signal>: see entry_xml.h. */
#include "entry_xml.h"

#include <stdio.h>
#include <string.h>

#include "class_calls.h"
#include "words.h"

/* ---- where it is ----------------------------------------------------------------------------- */

static int find_joint(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const char *name)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    const char **names = dpl_arena_alloc(reader->arena, (mechanism->n_joints + 1) * sizeof *names);
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        names[i] = mechanism->joints[i].name;
        if (dpl_name_equal(names[i], name)) {
            return (int)i;
        }
    }
    dpl__node_complain(reader, node, "joint",
                       dpl_arena_printf(reader->arena, "there is no joint '%s'", name),
                       dpl_nearest(name, names, mechanism->n_joints));
    return -1;
}

static bool complain(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const char *what)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "<%s>: %s", node->name, what);
    return false;
}

/* Fills where the entry is; false after an error. */
static bool place_at_joint(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl__entry_spec *spec, struct dpl_sim_entry *entry)
{
    const struct dpl__mechanism_target *target = reader->target;
    int number = find_joint(reader, node, spec->joint);
    if (number < 0) {
        return false;
    }
    const struct dpl_sim_joint *joint = &target->mechanism->joints[number];
    entry->whole_joint = (unsigned)number;
    if (entry->class_->is_at_whole_joint) {
        return dpl_sim_joint_constrains(joint->type) ||
               complain(reader, node,
                        dpl_arena_printf(reader->arena,
                                         "the joint '%s' is of type %s, which has no reaction",
                                         joint->name, dpl_sim_joint_words[joint->type]));
    }
    if (spec->freedom > dpl_sim_joint_freedoms(joint->type)) {
        return complain(
            reader, node,
            dpl_arena_printf(reader->arena, "the joint '%s' is of type %s and has no freedom %d",
                             joint->name, dpl_sim_joint_words[joint->type], (int)spec->freedom));
    }
    int end = joint->child >= 0 ? joint->child : joint->parent;
    entry->body = end >= 0 ? (unsigned)end : 0;
    entry->joint = dpl_mechanism_slot(target->mechanism, (size_t)number) + (int)spec->freedom - 1;
    entry->turns = dpl_sim_joint_turns(joint->type, (int)spec->freedom - 1);
    return true;
}

static bool place_entry(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl__entry_spec *spec, struct dpl_sim_entry *entry)
{
    if (entry->class_->phase == DPL_SIM_SIGNAL) {
        return true;
    }
    bool at_joint = entry->class_->is_at_joint;
    const char *given = at_joint ? spec->joint : spec->body;
    const char *other = at_joint ? spec->body : spec->joint;
    if (given[0] == '\0' || other[0] != '\0') {
        return complain(reader, node,
                        dpl_arena_printf(reader->arena, "type %s is at a %s: give '%s'%s",
                                         entry->class_->type, at_joint ? "joint" : "body",
                                         at_joint ? "joint" : "body",
                                         other[0] != '\0' ? " alone" : ""));
    }
    if (at_joint) {
        return place_at_joint(reader, node, spec, entry);
    }
    int body = dpl__node_body(reader, node, "body", spec->body);
    entry->body = body >= 0 ? (unsigned)body : 0;
    entry->joint = -1;
    return body >= 0;
}

/* ---- joints that are taken ------------------------------------------------------------------- */

static bool check_command(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          const struct dpl_sim_entry *entry)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_entry *made = target->made.items;
    for (size_t i = 0; i < target->made.n && entry->class_->commands; i++) {
        if (made[i].joint == entry->joint && made[i].class_->commands == entry->class_->commands) {
            const char *verb = entry->class_->commands == DPL_SIM_COMMAND_PUSH ? "pushes" : "holds";
            return complain(reader, node,
                            dpl_arena_printf(reader->arena,
                                             "'%s' %s this joint already: it takes one motor that "
                                             "pushes, and one that holds",
                                             made[i].name, verb));
        }
    }
    return true;
}

/* ---- the element ----------------------------------------------------------------------------- */

/* The fields with units for those numbers whose unit depends on the joint. */
static void give_units(struct dpl_sim_settings *inout, struct dpl_arena *arena, bool turns)
{
    struct dpl_field *fields = dpl_arena_alloc(arena, inout->n * sizeof *fields);
    for (size_t i = 0; i < inout->n; i++) {
        fields[i] = inout->fields[i];
        if (fields[i].flags & DPL_ELEMENT_ANY_UNIT) {
            char word[DPL__WORD_MAX];
            const char *rest = dpl__word_next(fields[i].choices, word);
            if (!turns) {
                dpl__word_next(rest, word);
            }
            fields[i].unit = dpl_arena_strdup(arena, word);
        }
    }
    inout->fields = fields;
}

static const struct dpl_sim_entry_class *read_class(struct dpl_element_reader *reader,
                                                    const struct dpl_xml_node *node,
                                                    const struct dpl_sim_settings *common,
                                                    enum dpl_sim_phase phase)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_field *type = &common->fields[ENTRY_TYPE_FIELD];
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, type->name);
    struct dpl__entry_spec spec = {0};
    struct dpl_diag diag;
    if (!given) {
        complain(reader, node,
                 dpl_arena_printf(reader->arena, "give the attribute 'type': %s", type->choices));
        return NULL;
    }
    struct dpl_field_text text = {.text = given->value, .place = given->value_place};
    if (dpl_field_parse(type, &text, &spec, &diag)) {
        dpl__classes_tell_refused(reader, target->classes, given->value);
        dpl_diags_add_diag(reader->diags, &diag);
        return NULL;
    }
    return dpl__entry_class(target->classes, phase, spec.type);
}

/* Whether the joint that the element names turns: its values are read in that unit. */
static bool names_a_turn(const struct dpl__mechanism_target *target,
                         const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *joint = dpl_xml_attribute_like(node, "joint");
    const struct dpl_xml_attribute *freedom = dpl_xml_attribute_like(node, "freedom");
    for (size_t i = 0; joint && i < target->mechanism->n_joints; i++) {
        const struct dpl_sim_joint *of = &target->mechanism->joints[i];
        if (dpl_name_equal(of->name, joint->value)) {
            return dpl_sim_joint_turns(of->type, freedom && strcmp(freedom->value, "2") == 0);
        }
    }
    return true;
}

static bool has_children(const struct dpl__classes *classes, enum dpl_sim_phase phase)
{
    const struct dpl_sim_entry_class *class;
    size_t sum = 0;
    for (int i = 0; (class = dpl__entry_class(classes, phase, i)); i++) {
        sum += class->n_children;
    }
    return sum > 0;
}

/* The attributes and the children; NULL after an error. */
static const struct dpl__entry_spec *read_settings(struct dpl_element_reader *reader,
                                                   const struct dpl_xml_node *node,
                                                   struct dpl_sim_settings *all,
                                                   struct dpl_sim_entry *entry)
{
    const struct dpl_sim_entry_class *class = entry->class_;
    const struct dpl_element_table children = {NULL, 0, class->children, class->n_children};
    const struct dpl__mechanism_target *target = reader->target;
    size_t errors = reader->diags->n_errors;
    size_t behind = dpl__settings_merge(reader->arena, all, &class->settings);
    give_units(all, reader->arena, names_a_turn(target, node));
    struct dpl__entry_spec *spec = dpl__settings_make(reader->arena, all);
    entry->settings = (char *)spec + behind;
    dpl_element_fields(reader, node, all->fields, all->n, spec);
    if (has_children(target->classes, class->phase)) { /* else there was a warning before */
        dpl__element_children_into(reader, node, &children, entry->settings);
    }
    bool is_motor = class->phase == DPL_SIM_ACTUATOR;
    snprintf(entry->name, sizeof entry->name, "%s",
             spec->name[0] == '\0' && is_motor ? spec->joint : spec->name);
    if (entry->name[0] == '\0') {
        complain(reader, node, "give its name");
    }
    const struct dpl_field *own = dpl_field_find(class->settings.fields, class->settings.n, "name");
    if (own) {
        snprintf((char *)entry->settings + own->offset, own->size, "%s", entry->name);
    }
    if (spec->phase >= spec->every) {
        complain(reader, node, "the phase is not below 'every'");
    }
    entry->every = (unsigned)spec->every;
    entry->phase = (unsigned)spec->phase;
    return reader->diags->n_errors == errors ? spec : NULL;
}

/* What the class itself says about its settings. */
static bool finish_settings(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_sim_entry *entry)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_entry_class *class = entry->class_;
    struct dpl_diag diag;
    if (class->complete) {
        class->complete(entry->settings);
    }
    int err = dpl__entry_check(entry, target->mechanism, &diag);
    if (err) {
        dpl_element_error(reader, node, &diag);
    }
    return err == 0;
}

static bool add_burden(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl__entry_spec *spec, const struct dpl_sim_entry *entry)
{
    const struct dpl__mechanism_target *target = reader->target;
    if (!entry->class_->burden) {
        return true;
    }
    struct dpl_sim_burden burden = entry->class_->burden(entry->settings);
    if (spec->freedom > 1 && (burden.inertia > 0.0 || burden.friction > 0.0)) {
        return complain(reader, node,
                        "only the first freedom of a joint takes a motor's inertia or friction");
    }
    struct dpl_sim_joint *joint = &target->mechanism->joints[find_joint(reader, node, spec->joint)];
    joint->armature += burden.inertia;
    joint->friction += burden.friction;
    if (burden.has_losses) {
        joint->has_lossy_gear = true;
        joint->shaft_friction += burden.friction;
    }
    if (burden.teeth_stiffness > 0.0) {
        joint->teeth[spec->freedom > 1] =
            (struct dpl_sim_spring){true, burden.teeth_stiffness, burden.teeth_damping, 0.0};
    }
    return true;
}

static enum dpl_sim_phase phase_of(const struct dpl_xml_node *node)
{
    if (strcmp(node->name, "Motor") == 0) {
        return DPL_SIM_ACTUATOR;
    }
    return strcmp(node->name, "Sensor") == 0 ? DPL_SIM_SENSOR : DPL_SIM_SIGNAL;
}

static bool add_load(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                     const struct dpl_sim_entry *entry)
{
    const struct dpl__mechanism_target *target = reader->target;
    struct dpl_sim_body *body = &target->mechanism->bodies[entry->body];
    if (entry->class_->pushes_body && body->is_static) {
        return complain(reader, node,
                        dpl_arena_printf(reader->arena, "the body '%s' never moves", body->name));
    }
    if (!entry->class_->load_at) {
        return true;
    }
    if (body->is_static || body->takes_load) {
        return complain(reader, node,
                        dpl_arena_printf(reader->arena, "the body '%s' %s", body->name,
                                         body->is_static ? "never moves" : "has a load already"));
    }
    body->takes_load = true;
    body->load_at = entry->class_->load_at(entry->settings);
    return true;
}

void dpl__entry_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    enum dpl_sim_phase phase = phase_of(node);
    struct dpl_sim_settings all = dpl__entry_common(reader->arena, target->classes, phase);
    struct dpl_sim_entry entry = {.class_ = read_class(reader, node, &all, phase), .joint = -1};
    if (!entry.class_) {
        return;
    }
    const struct dpl__entry_spec *spec = read_settings(reader, node, &all, &entry);
    if (!spec || !place_entry(reader, node, spec, &entry) ||
        !finish_settings(reader, node, &entry) || !dpl__entry_check_names(reader, node, &entry) ||
        !check_command(reader, node, &entry) || !add_burden(reader, node, spec, &entry) ||
        !add_load(reader, node, &entry)) {
        return;
    }
    *(struct dpl_sim_entry *)dpl__list_add(reader->arena, &target->made, sizeof entry) = entry;
    dpl__node_keep(reader, &target->made_nodes, node);
}
