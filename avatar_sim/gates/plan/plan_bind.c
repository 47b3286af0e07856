/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the channels of a plan in a world, and checks its expressions and names. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "plan_parts.h"
#include "xml_expand.h"

struct binding {
    struct dpl_arena *arena;
    struct dpl_sim_plan *plan;
    const struct dpl_world_channels *channels;
    const struct dpl_channel_desc *descs;
    struct dpl_diags *diags;
    struct dpl_plan_action *actions; /* of the step */
    size_t n_actions;                /* those before the one that is bound */
    struct dpl__expr_name names[DPL_PLAN_NAMES_MAX];
    bool measured[DPL_PLAN_NAMES_MAX]; /* the name's value rests on channels */
    size_t n_names;
};

static void fail_at(struct binding *binding, const struct dpl_xml_node *node, const char *attribute,
                    const char *text)
{
    const struct dpl_xml_attribute *at = dpl_xml_attribute_like(node, attribute);
    dpl_diags_add(binding->diags, DPL_SEVERITY_ERROR, at ? at->value_place : node->place, "%s",
                  text);
}

/* ---- channels ---- */

static void note_refs(struct binding *binding, const struct plan_expr *expr)
{
    for (size_t i = 0; i < expr->n_refs; i++) {
        binding->plan->channels[expr->refs[i].channel] = 1;
    }
}

static void bind_expr(struct binding *binding, struct plan_expr *expr)
{
    if (plan_expr_bind(binding->arena, expr, binding->channels, binding->names, binding->n_names,
                       binding->diags) == 0) {
        note_refs(binding, expr);
    }
}

/* Several elements are written out: "0 0 1". */
static int bind_literal(struct binding *binding, struct dpl_plan_action *action)
{
    struct dpl_diag error = {0};
    const char *text = action->value.attribute ? action->value.attribute->value : "";
    action->literal = dpl_arena_alloc(binding->arena, dpl_channel_bytes(action->desc));
    int err = action->kind == PLAN_RAMP
                  ? dpl_fail(&error, -EINVAL, (struct dpl_place){0},
                             "channel '%s' has %u elements: there is no ramp for it",
                             action->desc->path, action->desc->size)
                  : dpl_channel_parse(action->desc, text, action->literal, &error);
    if (err < 0) {
        fail_at(binding, action->node, action->kind == PLAN_RAMP ? "channel" : "value", error.text);
    }
    return err;
}

static void bind_target(struct binding *binding, struct dpl_plan_action *action)
{
    struct dpl_channel_want want = {.path = action->channel, .put = true};
    struct dpl_diag error = {0};
    int channel = dpl_world_channels_find(binding->channels, &want, &error);
    if (channel < 0) {
        fail_at(binding, action->node, "channel", error.text);
        return;
    }
    action->target = (size_t)channel;
    action->desc = &binding->descs[channel];
    binding->plan->channels[channel] = 1;
    if (action->desc->type == &dpl_channel_block) {
        fail_at(binding, action->node, "channel", "a plan puts no blocks");
    } else if (action->desc->size > 1) {
        (void)bind_literal(binding, action);
    } else {
        bind_expr(binding, &action->value);
    }
}

/* ---- names ---- */

static bool is_taken(const struct binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_names; i++) {
        if (strcmp(binding->names[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_name(struct binding *binding, struct dpl_plan_action *action, const char *attribute)
{
    char text[200];
    action->slot = -1;
    if (action->name[0] == '\0') {
        return;
    }
    if (!dpl__expr_is_name(action->name) || dpl__expr_is_reserved(action->name)) {
        snprintf(text, sizeof text, "'%s' is no name: letters, digits and _", action->name);
        fail_at(binding, action->node, attribute, text);
    } else if (is_taken(binding, action->name)) {
        snprintf(text, sizeof text, "the name '%s' is known already", action->name);
        fail_at(binding, action->node, attribute, text);
    } else if (binding->n_names == DPL_PLAN_NAMES_MAX) {
        fail_at(binding, action->node, attribute, "a step has at most 62 names");
    } else {
        action->slot = (int)binding->n_names;
        binding->names[binding->n_names++] = (struct dpl__expr_name){action->name, 0.0};
    }
}

static bool is_beside(enum plan_kind kind)
{
    return kind == PLAN_WATCH || kind == PLAN_ALWAYS || kind == PLAN_SEQUENCE;
}

static void bind_end(struct binding *binding, struct dpl_plan_action *action)
{
    const char *names[DPL_PLAN_NAMES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < binding->n_actions; i++) {
        const struct dpl_plan_action *other = &binding->actions[i];
        if (is_beside(other->kind) && strcmp(other->name, action->name) == 0) {
            action->target = i;
            return;
        }
        if (is_beside(other->kind) && other->name[0] != '\0' && n < DPL_PLAN_NAMES_MAX) {
            names[n++] = other->name;
        }
    }
    char text[300];
    const char *near = dpl_nearest(action->name, names, n);
    snprintf(text, sizeof text, "there is no <watch>, <always> or <sequence> '%s' before it%s%s%s",
             action->name, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    fail_at(binding, action->node, "name", text);
}

/* ---- what judges ---- */

/* Is the name in a text without brackets? */
static bool has_name(const char *text, const char *name)
{
    static const char in_names[] =
        "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    while (*text != '\0') {
        size_t n = strspn(text, in_names);
        if (n == strlen(name) && strncmp(text, name, n) == 0) {
            return true;
        }
        text += n > 0 ? n : 1;
    }
    return false;
}

/* Does it rest on a channel, or on a name that does? */
static bool is_measured(const struct binding *binding, const struct plan_expr *expr)
{
    bool measured = expr->n_refs > 0;
    for (size_t i = 0; expr->attribute && !measured && i < binding->n_names; i++) {
        measured = binding->measured[i] && has_name(expr->attribute->value, binding->names[i].name);
    }
    return measured;
}

/* What is never measured can fail no step; a put and a <let> judge nothing. A wait without `within`
 * ends with the step's timeout. */
static bool can_judge(enum plan_kind kind)
{
    return kind == PLAN_EXPECT || kind == PLAN_ALWAYS || kind == PLAN_SEQUENCE || kind == PLAN_WAIT;
}

/* ---- actions ---- */

/* A name is known in what follows it; that of a <sequence> and of a <watch>, too. */
static void bind_action(struct binding *binding, struct dpl_plan_action *action)
{
    action->slot = -1;
    action->literal = NULL;
    switch (action->kind) {
    case PLAN_PUT:
    case PLAN_PULSE:
    case PLAN_FAULT:
    case PLAN_RAMP: bind_target(binding, action); break;
    case PLAN_END: bind_end(binding, action); break;
    default: bind_expr(binding, &action->value); break;
    }
    bind_expr(binding, &action->min);
    bind_expr(binding, &action->max);
    bool measured = is_measured(binding, &action->value) || is_measured(binding, &action->min) ||
                    is_measured(binding, &action->max);
    action->judges = measured && can_judge(action->kind);
    if (action->kind == PLAN_WAIT) {
        add_name(binding, action, "as");
    } else if (action->kind == PLAN_LET || action->kind == PLAN_WATCH ||
               action->kind == PLAN_SEQUENCE) {
        add_name(binding, action, "name");
    }
    if (action->slot >= 0) {
        binding->measured[action->slot] = measured;
    }
}

static void bind_step(struct binding *binding, struct dpl_plan_step *step)
{
    struct dpl_plan_action *actions =
        dpl_arena_alloc(binding->arena, (step->n_actions + 1) * sizeof *actions);
    if (step->n_actions > 0) {
        memcpy(actions, step->actions, step->n_actions * sizeof *actions);
    }
    binding->actions = actions;
    binding->names[0] = (struct dpl__expr_name){"seed", 0.0};
    binding->names[1] = (struct dpl__expr_name){"t", 0.0};
    binding->n_names = 2;
    for (binding->n_actions = 0; binding->n_actions < step->n_actions; binding->n_actions++) {
        size_t first = binding->diags->n;
        bind_action(binding, &actions[binding->n_actions]);
        dpl_xml_say_within(actions[binding->n_actions].node, binding->diags, first);
    }
    step->actions = actions;
}

int dpl_sim_plan_bind(struct dpl_arena *arena, struct dpl_sim_plan *plan,
                      const struct dpl_world_channels *channels, struct dpl_diags *diags)
{
    size_t n, errors = diags->n_errors;
    struct binding *binding = dpl_arena_alloc(arena, sizeof *binding);
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(channels, &n);
    struct dpl_plan_step *steps = dpl_arena_alloc(arena, (plan->n_steps + 1) * sizeof *steps);
    *binding = (struct binding){
        .arena = arena, .plan = plan, .channels = channels, .descs = descs, .diags = diags};
    plan->channels = dpl_arena_alloc(arena, n + 1);
    for (size_t i = 0; i < plan->n_steps; i++) {
        steps[i] = plan->steps[i];
        bind_step(binding, &steps[i]);
    }
    plan->steps = steps;
    return diags->n_errors > errors ? -EINVAL : 0;
}

bool dpl_sim_plan_uses(const struct dpl_sim_plan *plan, size_t channel)
{
    return plan->channels && plan->channels[channel];
}
