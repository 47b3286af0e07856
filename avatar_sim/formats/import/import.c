/* SPDX-License-Identifier: Apache-2.0 */
/* Entry points of reading foreign formats, and what their readers share: see import.h. */
#include "import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "number.h"
#include "xml_reader.h"

static const char urdf_root[] = "robot", sdf_root[] = "sdf";

bool dpl_sim_is_import(const struct dpl_xml_node *root)
{
    return strcmp(root->name, urdf_root) == 0 || strcmp(root->name, sdf_root) == 0;
}

/* ---- lists of links and joints ---- */

/* Whether no other part of the file has this name. */
static bool is_new(struct dpl__import *import, const struct dpl_xml_node *node, const char *name,
                   const char *other, const struct dpl_xml_node *of_other, const char *what)
{
    if (strcmp(name, other) != 0) {
        return true;
    }
    return dpl__import_fail(import, node->place, "%s '%.60s' has the name of '%.60s' at line %d",
                            what, name, other, of_other->place.line);
}

static struct dpl_place place_of_name(const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "name");
    return given ? given->value_place : node->place;
}

static struct dpl__import_taken taken_of(const struct dpl__list *list, size_t size)
{
    return (struct dpl__import_taken){list->items, list->n, size};
}

/* A name for channels, with a note if it is not that of the file. */
static void make_name(struct dpl__import *import, const struct dpl_xml_node *node,
                      const char *wanted, const struct dpl__import_taken *taken,
                      char ret_name[DPL_SIM_NAME_SIZE])
{
    dpl__import_channel_name(wanted, strcmp(node->name, "link") == 0 ? "_link" : "_joint", taken, 1,
                             ret_name);
    if (strcmp(ret_name, wanted) != 0) {
        dpl__import_note(import, place_of_name(node), "the channels of %s '%.200s' are called '%s'",
                         node->name, wanted, ret_name);
    }
}

struct dpl__import_link *dpl__import_add_link(struct dpl__import *import,
                                              const struct dpl_xml_node *node, const char *own_name,
                                              const char *name)
{
    struct dpl__import_link link = {.node = node, .own_name = own_name, .friction = -1.0};
    link.pose.orientation.w = 1.0;
    link.host = -1;
    link.body = -1;
    if (import->links.n == DPL_MECHANISM_BODIES_MAX) {
        dpl__import_fail(import, node->place, "more than %d links", DPL_MECHANISM_BODIES_MAX);
        return NULL;
    }
    for (size_t i = 0; i < import->links.n; i++) {
        const struct dpl__import_link *other = dpl__import_link(import, (int)i);
        if (!is_new(import, node, own_name, other->own_name, other->node, "link")) {
            return NULL;
        }
    }
    const struct dpl__import_taken taken = taken_of(&import->links, sizeof link);
    make_name(import, node, name, &taken, link.name);
    struct dpl__import_link *kept =
        dpl__list_add(import->reader->arena, &import->links, sizeof link);
    *kept = link;
    return kept;
}

struct dpl__import_joint *dpl__import_add_joint(struct dpl__import *import,
                                                const struct dpl_xml_node *node,
                                                const char *own_name, const char *name)
{
    struct dpl__import_joint joint = {.node = node, .own_name = own_name, .mimics = -1};
    joint.in_parent.orientation.w = joint.in_child.orientation.w = 1.0;
    joint.axis.x = 1.0;
    joint.made = -1;
    if (import->joints.n == DPL_MECHANISM_JOINTS_MAX) {
        dpl__import_fail(import, node->place, "more than %d joints", DPL_MECHANISM_JOINTS_MAX);
        return NULL;
    }
    for (size_t i = 0; i < import->joints.n; i++) {
        const struct dpl__import_joint *other = dpl__import_joint(import, (int)i);
        if (!is_new(import, node, own_name, other->own_name, other->node, "joint")) {
            return NULL;
        }
    }
    const struct dpl__import_taken taken = taken_of(&import->joints, sizeof joint);
    make_name(import, node, name, &taken, joint.name);
    struct dpl__import_joint *kept =
        dpl__list_add(import->reader->arena, &import->joints, sizeof joint);
    *kept = joint;
    return kept;
}

/* ---- positions at the start ---- */

/* Takes one NAME=VALUE; NULL after an error, else what follows. */
static const char *take_position(struct dpl__import *import, const char *at, double *positions,
                                 bool *given)
{
    struct dpl_place place = import->options->joints_place;
    size_t n = strcspn(at, "= \t\n");
    const char *name = dpl_arena_strndup(import->reader->arena, at, n);
    int number = dpl__import_find_joint(import, name);
    const char *end =
        at[n] == '=' ? dpl__number_read(at + n + 1, &positions[number < 0 ? 0 : number]) : NULL;
    if (number < 0) {
        dpl__import_fail(import, place, "joints: there is no joint '%.60s'", name);
        return NULL;
    }
    if (!end || (*end != '\0' && !dpl__is_blank(*end))) {
        dpl__import_fail(import, place,
                         "joints: expected NAME=NUMBER and blanks between, at '%.40s'", at);
        return NULL;
    }
    given[number] = true;
    return end;
}

static bool take_positions(struct dpl__import *import, double *positions, bool *given)
{
    const char *at = import->options->joints;
    while (at && dpl__is_blank(*at)) {
        at++;
    }
    while (at && *at) {
        at = take_position(import, at, positions, given);
        while (at && dpl__is_blank(*at)) {
            at++;
        }
        if (!at) {
            return false;
        }
    }
    return true;
}

static bool check_position(struct dpl__import *import, const struct dpl__import_joint *joint,
                           double position)
{
    bool turns = joint->type != DPL__IMPORT_PRISMATIC;
    double slack = 1e-9;
    if (joint->has_range && joint->mimics < 0 &&
        !(position >= joint->lower - slack && position <= joint->upper + slack)) {
        return dpl__import_fail(import, joint->node->place,
                                "joint '%s' starts at %g, outside of its limits %g to %g",
                                joint->own_name, position, joint->lower, joint->upper);
    }
    if (turns && !(fabs(position) <= DPL_PI)) {
        return dpl__import_fail(import, joint->node->place,
                                "joint '%s' starts at %g rad, expected within half a turn",
                                joint->own_name, position);
    }
    return true;
}

int dpl__import_leader(const struct dpl__import *import, int number, double *ret_ratio,
                       double *ret_offset)
{
    *ret_ratio = 1.0;
    *ret_offset = 0.0;
    while (dpl__import_joint(import, number)->mimics >= 0) {
        const struct dpl__import_joint *joint = dpl__import_joint(import, number);
        *ret_offset += *ret_ratio * joint->offset;
        *ret_ratio *= joint->multiplier;
        number = joint->mimics;
    }
    return number;
}

double *dpl__import_positions(struct dpl__import *import)
{
    struct dpl_arena *arena = import->reader->arena;
    size_t n = import->joints.n;
    double *positions = dpl_arena_alloc(arena, (n + 1) * sizeof *positions);
    bool *given = dpl_arena_alloc(arena, n + 1);
    if (!take_positions(import, positions, given)) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
        if (joint->mimics >= 0 && given[i]) {
            dpl__import_fail(import, import->options->joints_place,
                             "joints: '%s' mimics another joint, it has no position of its own",
                             joint->own_name);
            return NULL;
        }
        if (joint->has_range && !given[i] && joint->mimics < 0) {
            positions[i] = fmin(fmax(0.0, joint->lower), joint->upper);
        }
        if (positions[i] != 0.0 && !given[i]) {
            dpl__import_note(import, joint->node->place,
                             "joint '%s' starts at %g: 0 is outside of its limits", joint->own_name,
                             positions[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double ratio, offset;
        int leader = dpl__import_leader(import, (int)i, &ratio, &offset);
        if (leader != (int)i) {
            positions[i] = ratio * positions[leader] + offset;
        }
        if (!check_position(import, dpl__import_joint(import, (int)i), positions[i])) {
            return NULL;
        }
    }
    return positions;
}

/* ---- reading ---- */

struct places {
    struct dpl__import *import;
};

static void report(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct places *places = user;
    const struct dpl__import *import = places->import;
    bool is_body = finding->body >= 0;
    const struct dpl_xml_node *const *nodes =
        is_body ? import->body_nodes.items : import->joint_nodes.items;
    dpl_diags_add(import->reader->diags, finding->severity,
                  nodes[is_body ? finding->body : finding->joint]->place, "%s", finding->text);
}

static bool make(struct dpl__import *import, const struct dpl__import_how *how)
{
    if (!dpl__import_assemble(import) || !dpl__import_drive(import)) {
        return false;
    }
    struct places places = {import};
    dpl_mechanism_check(&import->objects->mechanism, import->objects->step_s, report, &places);
    if (how->check) {
        how->check(&import->objects->mechanism, report, &places);
    }
    return true;
}

bool dpl__import_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                      const struct dpl__import_how *how, struct dpl_sim_objects *ret_objects)
{
    static const struct dpl_sim_import_options usual = {.friction = DPL_SIM_IMPORT_FRICTION};
    struct dpl_sim_objects objects = {
        .mechanism.memory = reader->arena,
        .mechanism.allows_mass_ratios = true, /* nobody can change those of a published robot */
        .step_s = how->step_s,
    };
    struct dpl__import import = {
        .reader = reader,
        .file = how->file,
        .options = how->options ? how->options : &usual,
        .classes = how->classes,
        .objects = &objects,
        .is_alone = !how->options,
    };
    size_t errors = reader->diags->n_errors;
    bool is_sdf = strcmp(root->name, sdf_root) == 0;
    if (dpl__import_is_expanded(&import, root) &&
        (is_sdf ? dpl__sdf_read(&import, root) : dpl__urdf_read(&import, root))) {
        make(&import, how);
    }
    dpl__import_tell(&import);
    *ret_objects = objects;
    return reader->diags->n_errors == errors;
}

static int read_all(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                    const char *file, const struct dpl_sim_import_options *options,
                    struct dpl_sim_objects *ret_objects)
{
    struct dpl__classes classes;
    struct dpl_sim_objects objects;
    dpl__classes_make(reader->arena, NULL, &classes);
    const struct dpl__import_how how = {
        .file = file, .options = options, .classes = &classes, .step_s = 1e-3};
    if (!dpl_sim_is_import(root)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "found root element <%.60s>, expected <%s> or <%s>", root->name, urdf_root,
                      sdf_root);
        return -EINVAL;
    }
    if (!dpl__import_read(reader, root, &how, &objects)) {
        return -EINVAL;
    }
    *ret_objects = objects;
    return 0;
}

int dpl_sim_read_import(struct dpl_arena *arena, const char *file,
                        const struct dpl_sim_import_options *import,
                        struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_file(&reader, file);
    return root ? read_all(&reader, root, dpl_arena_strdup(arena, file), import, ret_objects)
                : -EINVAL;
}

int dpl_sim_read_import_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                             const struct dpl_sim_import_options *import,
                             struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? read_all(&reader, root, name, import, ret_objects) : -EINVAL;
}
