/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the file of a test plan. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/load.h>

#include "arena.h"
#include "params.h"
#include "plan_parts.h"

/* The command of the unit, whose braces are filled in when it starts: nothing is expanded. */
static const struct dpl_xml_node *keep_command(struct dpl_arena *arena,
                                               const struct dpl_xml_node *node)
{
    struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
    size_t n = node->n_attributes;
    struct dpl_xml_attribute *attributes = dpl_arena_alloc(arena, (n + 1) * sizeof *attributes);
    *copy = *node;
    for (size_t i = 0; i < n; i++) {
        attributes[i] = node->attributes[i];
        if (dpl_name_equal(attributes[i].name, "command")) {
            attributes[i].raw = attributes[i].written ? attributes[i].written : attributes[i].raw;
            attributes[i].written = NULL;
        }
    }
    copy->attributes = attributes;
    return copy;
}

/* <Param name="seed" value="7"/>, as if the file had it first. */
static struct dpl_xml_node *seed_of(struct dpl_arena *arena, const struct dpl_xml_node *root,
                                    uint64_t seed)
{
    struct dpl_xml_node *node = dpl_arena_alloc(arena, sizeof *node);
    struct dpl_xml_attribute *attributes = dpl_arena_alloc(arena, 2 * sizeof *attributes);
    attributes[0] = (struct dpl_xml_attribute){"name", "seed", root->place, root->place, NULL};
    attributes[1] = (struct dpl_xml_attribute){
        "value", dpl_arena_printf(arena, "%llu", (unsigned long long)seed), root->place,
        root->place, NULL};
    *node = (struct dpl_xml_node){.name = "Param",
                                  .text = "",
                                  .place = root->place,
                                  .text_place = root->place,
                                  .attributes = attributes,
                                  .n_attributes = 2};
    return node;
}

/* The children, with the commands of units as they are, also of those in an If or a Repeat. */
static const struct dpl_xml_node *copy_children(struct dpl_arena *arena,
                                                const struct dpl_xml_node *children)
{
    struct dpl_xml_node head = {0}, *last = &head;
    for (const struct dpl_xml_node *child = children; child; child = child->next) {
        struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
        bool is_unit = strcmp(child->name, "unit") == 0;
        *copy = *(is_unit ? keep_command(arena, child) : child);
        if (strcmp(child->name, "If") == 0 || strcmp(child->name, "Repeat") == 0) {
            copy->children = copy_children(arena, child->children);
        }
        copy->next = NULL;
        last->next = copy;
        last = copy;
    }
    return head.next;
}

/* An attribute "{NAME}" of the root for each parameter of the plan: expanded, they have the values
 * that commands of units may name. */
static void add_values(struct dpl_arena *arena, struct dpl_xml_node *root)
{
    size_t n = root->n_attributes, n_children = 0;
    for (const struct dpl_xml_node *child = root->children; child; child = child->next) {
        n_children++;
    }
    struct dpl_xml_attribute *all = dpl_arena_alloc(arena, (n + n_children + 1) * sizeof *all);
    if (n > 0) {
        memcpy(all, root->attributes, n * sizeof *all);
    }
    for (const struct dpl_xml_node *child = root->children; child; child = child->next) {
        const struct dpl_xml_attribute *name = dpl_xml_attribute(child, "name");
        if (strcmp(child->name, "Param") == 0 && name && !name->written) {
            const char *text = dpl_arena_printf(arena, "{%s}", name->value);
            all[n++] = (struct dpl_xml_attribute){text, text, name->place, name->value_place, text};
        }
    }
    root->attributes = all;
    root->n_attributes = n;
}

/* The root with the seed as a parameter, and with its units' commands as they are. */
static const struct dpl_xml_node *prepare(struct dpl_arena *arena, const struct dpl_xml_node *root,
                                          uint64_t seed)
{
    struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
    struct dpl_xml_node *first = seed_of(arena, root, seed);
    first->next = copy_children(arena, root->children);
    *copy = *root;
    copy->children = first;
    add_values(arena, copy);
    return copy;
}

/* Takes what add_values has added. */
static const struct dpl_xml_node *
take_values(struct dpl_arena *arena, const struct dpl_xml_node *root, struct dpl_sim_plan *plan)
{
    struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
    size_t n = root->n_attributes, n_own = 0;
    struct dpl_xml_attribute *own = dpl_arena_alloc(arena, (n + 1) * sizeof *own);
    struct dpl_plan_place *values = dpl_arena_alloc(arena, (n + 1) * sizeof *values);
    for (size_t i = 0; i < n; i++) {
        const struct dpl_xml_attribute *from = &root->attributes[i];
        if (from->name[0] == '{') {
            values[plan->n_values++] = (struct dpl_plan_place){
                dpl_arena_strndup(arena, from->name + 1, strlen(from->name) - 2), from->value};
        } else {
            own[n_own++] = *from;
        }
    }
    plan->values = values;
    *copy = *root;
    copy->attributes = own;
    copy->n_attributes = n_own;
    return copy;
}

static int read_root(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                     const char *file, const struct dpl_plan_options *options,
                     struct dpl_sim_plan **ret_plan)
{
    size_t errors = reader->diags->n_errors;
    struct dpl_sim_load_options load = {.params = options->params, .n_params = options->n_params};
    if (!dpl__element_is(reader, root, dpl__plan_root.name)) {
        return -EINVAL;
    }
    root = dpl__params_expand(reader, prepare(reader->arena, root, options->seed), &load, NULL);
    if (!root) {
        return -EINVAL;
    }
    struct plan_target target = {.plan = dpl_arena_alloc(reader->arena, sizeof *target.plan)};
    struct dpl_sim_plan *plan = target.plan;
    root = take_values(reader->arena, root, plan);
    const struct dpl_xml_attribute *world = dpl_xml_attribute_like(root, "world");
    reader->target = &target;
    plan_unit_clear(&plan->unit);
    plan->file = dpl_arena_strdup(reader->arena, file);
    plan->world_place = world ? world->value_place : root->place;
    dpl_element_fields(reader, root, dpl__plan_root.table.fields, dpl__plan_root.table.n, plan);
    dpl__element_children(reader, root, &dpl__plan_root.table);
    plan->world_params = target.params.items;
    plan->n_world_params = target.params.n;
    if (plan->world[0] == '\0' && reader->diags->n_errors == errors) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, plan->world_place,
                      "the plan has no world: world=\"...\", or an element <world file=\"...\">");
    }
    plan->steps = target.steps.items;
    plan->n_steps = target.steps.n;
    if (plan->n_steps == 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place, "the plan has no <step>");
    }
    *ret_plan = plan;
    return reader->diags->n_errors > errors ? -EINVAL : 0;
}

static const struct dpl_plan_options no_options = {.seed = 1};

int dpl_sim_read_plan(struct dpl_arena *arena, const char *file,
                      const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                      struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_file(&reader, file);
    return root ? read_root(&reader, root, file, options ? options : &no_options, ret_plan)
                : -EINVAL;
}

int dpl_sim_read_plan_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                           const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                           struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? read_root(&reader, root, name, options ? options : &no_options, ret_plan)
                : -EINVAL;
}
