/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a test plan. */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "number.h"
#include "params.h"
#include "plan_parts.h"

#define TIME_MAX 1e6 /* s */

/* An action as its attributes say it. Expressions are looked for by name once the element is known
 * to be good: their places are needed. */
struct spec {
    struct dpl_plan_action action;
    char value[DPL_EXPR_LENGTH_MAX + 1], min[DPL_EXPR_LENGTH_MAX + 1], max[DPL_EXPR_LENGTH_MAX + 1];
};

#define EXPRESSION(member_, name_, default_, summary_)                                             \
    DPL_TEXT(struct spec, member_, name_, default_, summary_)
#define SECONDS(member_, name_, default_, summary_)                                                \
    DPL_NUMBER(struct spec, action.member_, name_, "s", default_, 0.0, TIME_MAX, summary_)
#define CHANNEL DPL_TEXT(struct spec, action.channel, "channel", NULL, "path of the channel")
#define NAMED(name_, default_, summary_)                                                           \
    DPL_TEXT(struct spec, action.name, name_, default_, summary_)

static const struct dpl_field put_fields[] = {
    CHANNEL,
    EXPRESSION(value, "value", NULL, "what is put, until something else is"),
};

static const struct dpl_field pulse_fields[] = {
    CHANNEL,
    EXPRESSION(value, "value", "1", "what is put meanwhile"),
    SECONDS(for_s, "for", "0.2", "how long"),
};

static const struct dpl_field fault_fields[] = {
    CHANNEL,
    EXPRESSION(value, "value", "1", "what is put, until the step ends"),
};

static const struct dpl_field ramp_fields[] = {
    CHANNEL,
    EXPRESSION(max, "to", NULL, "where it ends"),
    EXPRESSION(min, "from", "", "where it begins; else at what the plan has put, or 0"),
    DPL_NUMBER(struct spec, action.rate, "rate", NULL, NULL, 1e-9, 1e12,
               "by so much a second, in the channel's unit"),
};

static const struct dpl_field wait_fields[] = {
    DPL_NUMBER_OPTIONAL(struct spec, action.for_s, "for", "s", 0.0, TIME_MAX, "so long"),
    SECONDS(jitter_s, "jitter", "0", "with for: up to so much longer, at random"),
    EXPRESSION(value, "until", "", "until it holds"),
    DPL_NUMBER_OPTIONAL(struct spec, action.within_s, "within", "s", 0.0, TIME_MAX,
                        "with until: it has to hold by then"),
    NAMED("as", "", "name of the time that it took, in s"),
};

static const struct dpl_field let_fields[] = {
    NAMED("name", NULL, "name of the value"),
    EXPRESSION(value, "value", NULL, "the value, of now"),
};

static const struct dpl_field expect_fields[] = {
    NAMED("name", "", "what it is, for people"),
    EXPRESSION(value, "value", NULL, "what is judged; without limits: it holds"),
    EXPRESSION(min, "min", "", "at least"),
    EXPRESSION(max, "max", "", "at most"),
};

static const struct dpl_field watch_fields[] = {
    NAMED("name", NULL, "name of what is measured"),
    EXPRESSION(value, "of", NULL, "what is measured, after each step of the world"),
    DPL_CHOICE(struct spec, action.take, "take", NULL, "max|min|mean|rms|first|last|time",
               "what is made of it; time: how long it held, in s"),
    SECONDS(filter_s, "filter", "0", "time constant of a low-pass before"),
    DPL_BOOL(struct spec, action.slope, "slope", "false", "its change a second, after the filter"),
};

static const struct dpl_field always_fields[] = {
    EXPRESSION(value, "that", NULL, "has to hold after each step of the world"),
    NAMED("name", "", "for people, and for <end>"),
};

static const struct dpl_field sequence_fields[] = {
    EXPRESSION(value, "of", NULL, "what is compared"),
    EXPRESSION(min, "when", "", "each time that this begins to hold; else when `of` changes"),
    DPL_TEXT(struct spec, action.expected, "expect", NULL, "the values, in order"),
    NAMED("name", "", "name of the number of values so far"),
};

static const struct dpl_field end_fields[] = {
    NAMED("name", NULL, "the <watch>, <always> or <sequence> that is over"),
};

static const struct dpl_element_table tables[] = {
    [PLAN_PUT] = DPL_ELEMENT_TABLE(put_fields),
    [PLAN_PULSE] = DPL_ELEMENT_TABLE(pulse_fields),
    [PLAN_FAULT] = DPL_ELEMENT_TABLE(fault_fields),
    [PLAN_RAMP] = DPL_ELEMENT_TABLE(ramp_fields),
    [PLAN_WAIT] = DPL_ELEMENT_TABLE(wait_fields),
    [PLAN_LET] = DPL_ELEMENT_TABLE(let_fields),
    [PLAN_EXPECT] = DPL_ELEMENT_TABLE(expect_fields),
    [PLAN_WATCH] = DPL_ELEMENT_TABLE(watch_fields),
    [PLAN_ALWAYS] = DPL_ELEMENT_TABLE(always_fields),
    [PLAN_SEQUENCE] = DPL_ELEMENT_TABLE(sequence_fields),
    [PLAN_END] = DPL_ELEMENT_TABLE(end_fields),
};

/* ---- actions ---- */

/* The attribute that an expression is: the field of a member of struct spec. */
static struct plan_expr expression_of(const struct dpl_xml_node *node, enum plan_kind kind,
                                      size_t offset)
{
    const struct dpl_element_table *table = &tables[kind];
    for (size_t i = 0; i < table->n; i++) {
        if (table->fields[i].offset == offset) {
            return (struct plan_expr){.attribute =
                                          dpl_xml_attribute_like(node, table->fields[i].name)};
        }
    }
    return (struct plan_expr){0};
}

static void complain(struct dpl_element_reader *reader, struct dpl_place place, const char *text)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, place, "%s", text);
}

static void read_sequence(struct dpl_element_reader *reader, struct dpl_plan_action *action)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute_like(action->node, "expect");
    const char *at = action->expected;
    for (;;) {
        at += strspn(at, " \t\r\n,");
        if (*at == '\0') {
            break;
        }
        double value;
        const char *end = dpl__number_read(at, &value);
        if (!end || !strchr(" \t\r\n,", *end)) {
            complain(reader, attribute->value_place, "expect: expected numbers, such as 3 8 5");
            return;
        }
        if (action->n_sequence == PLAN_SEQUENCE_MAX) {
            complain(reader, attribute->value_place, "expect: more than 64 values");
            return;
        }
        action->sequence[action->n_sequence++] = value;
        at = end;
    }
    if (action->n_sequence == 0) {
        complain(reader, attribute->value_place, "expect: no values");
    }
}

static void check_wait(struct dpl_element_reader *reader, const struct dpl_plan_action *action)
{
    bool has_for = dpl_xml_attribute_like(action->node, "for") != NULL;
    bool has_until = action->value.attribute != NULL;
    if (has_for == has_until) {
        complain(reader, action->node->place, "<wait> has either for or until");
    } else if (has_for && dpl_xml_attribute_like(action->node, "within")) {
        complain(reader, action->node->place, "<wait>: within is for until");
    } else if (has_until && dpl_xml_attribute_like(action->node, "jitter")) {
        complain(reader, action->node->place, "<wait>: jitter is for for");
    }
}

static void read_action(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        enum plan_kind kind)
{
    struct plan_target *target = reader->target;
    struct spec *spec = dpl_arena_alloc(reader->arena, sizeof *spec);
    spec->action.within_s = (double)NAN;
    if (!dpl_element_fields(reader, node, tables[kind].fields, tables[kind].n, spec)) {
        return;
    }
    struct dpl_plan_action *action = dpl__list_add(reader->arena, &target->actions, sizeof *action);
    *action = spec->action;
    action->kind = kind;
    action->node = node;
    action->value = expression_of(node, kind, offsetof(struct spec, value));
    action->min = expression_of(node, kind, offsetof(struct spec, min));
    action->max = expression_of(node, kind, offsetof(struct spec, max));
    if (kind == PLAN_SEQUENCE) {
        read_sequence(reader, action);
    } else if (kind == PLAN_WAIT) {
        check_wait(reader, action);
    }
}

#define READER(name_, kind_)                                                                       \
    static void read_##name_(struct dpl_element_reader *reader, const struct dpl_xml_node *node)   \
    {                                                                                              \
        read_action(reader, node, kind_);                                                          \
    }
READER(put, PLAN_PUT)
READER(pulse, PLAN_PULSE)
READER(fault, PLAN_FAULT)
READER(ramp, PLAN_RAMP)
READER(wait, PLAN_WAIT)
READER(let, PLAN_LET)
READER(expect, PLAN_EXPECT)
READER(watch, PLAN_WATCH)
READER(always, PLAN_ALWAYS)
READER(sequence_of, PLAN_SEQUENCE)
READER(end, PLAN_END)

static const struct dpl_element_kind action_kinds[] = {
    {"put", read_put, 0, &tables[PLAN_PUT], "puts a value into a channel, for good"},
    {"pulse", read_pulse, 0, &tables[PLAN_PULSE], "puts a value for a while; the step goes on"},
    {"fault", read_fault, 0, &tables[PLAN_FAULT], "puts a value until the step ends"},
    {"ramp", read_ramp, 0, &tables[PLAN_RAMP], "puts values along a line, and waits for its end"},
    {"wait", read_wait, 0, &tables[PLAN_WAIT], "waits for a time, or until something holds"},
    {"let", read_let, 0, &tables[PLAN_LET], "gives a value of now a name"},
    {"expect", read_expect, 0, &tables[PLAN_EXPECT], "judges a value of now"},
    {"watch", read_watch, 0, &tables[PLAN_WATCH], "measures, from here on"},
    {"always", read_always, 0, &tables[PLAN_ALWAYS], "has to hold, from here on"},
    {"sequence", read_sequence_of, 0, &tables[PLAN_SEQUENCE], "values in order, from here on"},
    {"end", read_end, 0, &tables[PLAN_END], "ends a <watch>, <always> or <sequence>"},
};

/* ---- steps, the unit, the root ---- */

static const struct dpl_field step_fields[] = {
    DPL_TEXT(struct dpl_plan_step, name, "name", NULL, "what is tested; each once"),
    DPL_NUMBER(struct dpl_plan_step, timeout_s, "timeout", "s", "60", 1e-3, TIME_MAX,
               "of the world's time: longer is a failure"),
    DPL_BOOL(struct dpl_plan_step, reset, "reset", "false",
             "begins with a new world and a new unit; else it goes on from the step before"),
    DPL_TEXT(struct dpl_plan_step, needs, "needs", "",
             "a step before it: if that one does not pass, this one is skipped"),
};
static const struct dpl_element_table step_table = DPL_ELEMENT_TABLE_OF(step_fields, action_kinds);

static bool is_known_step(const struct plan_target *target, const char *name)
{
    const struct dpl_plan_step *steps = target->steps.items;
    for (size_t i = 0; i < target->steps.n; i++) {
        if (strcmp(steps[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_needs(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_plan_step *step)
{
    const struct plan_target *target = reader->target;
    const struct dpl_plan_step *steps = target->steps.items;
    const char *names[256];
    size_t n = target->steps.n < 256 ? target->steps.n : 256;
    if (step->needs[0] == '\0' || is_known_step(target, step->needs)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        names[i] = steps[i].name;
    }
    const char *near = dpl_nearest(step->needs, names, n);
    const struct dpl_xml_attribute *at = dpl_xml_attribute_like(node, "needs");
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, at ? at->value_place : node->place,
                  "needs: there is no step '%s' before it%s%s%s", step->needs,
                  near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void read_step(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct plan_target *target = reader->target;
    struct dpl_plan_step step = {.place = node->place};
    bool good = dpl_element_fields(reader, node, step_fields, DPL_COUNT(step_fields), &step);
    target->actions = (struct dpl__list){0};
    dpl__element_children(reader, node, &step_table);
    if (good && (step.name[0] == '\0' || is_known_step(target, step.name))) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "a step has a name of its own, found '%s'", step.name);
    }
    if (good) {
        check_needs(reader, node, &step);
    }
    if (target->actions.n > DPL_PLAN_ACTIONS_MAX) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "step '%s' has more than %d elements", step.name, DPL_PLAN_ACTIONS_MAX);
    }
    step.actions = target->actions.items;
    step.n_actions = target->actions.n;
    *(struct dpl_plan_step *)dpl__list_add(reader->arena, &target->steps, sizeof step) = step;
}

static const struct dpl_field unit_fields[] = {
    DPL_TEXT(
        struct dpl_plan_unit, command, "command", NULL,
        "the program and its arguments; {controllers_port}, {modbus_port}, {seed}, {out} and the "
        "plan's parameters are filled in"),
    DPL_INT(struct dpl_plan_unit, controllers, "controllers", "-1", -1, 16,
            "number of controllers that join; -1: one if the command has {controllers_port}, else "
            "none"),
    DPL_INT(struct dpl_plan_unit, masters, "masters", "-1", -1, 16,
            "number of Modbus masters that connect; -1: one if the command has {modbus_port}, else "
            "none"),
    DPL_NUMBER(struct dpl_plan_unit, pace_s, "pace", "s", "10 ms", 0.0, 60.0,
               "Modbus: so far the world moves after the last write to a register that is marked "
               "pace; 0: it does not wait"),
    DPL_NUMBER(struct dpl_plan_unit, ready_s, "ready", "s", "10", 0.01, 3600,
               "of real time, within which it has to have joined"),
    DPL_BOOL(struct dpl_plan_unit, may_end, "may_end", "false",
             "it may end, with exit code 0, before the steps do"),
};
static const struct dpl_element_table unit_table = DPL_ELEMENT_TABLE(unit_fields);

void plan_unit_clear(struct dpl_plan_unit *ret_unit)
{
    *ret_unit = (struct dpl_plan_unit){.command = ""};
    dpl_fields_set_defaults(unit_fields, DPL_COUNT(unit_fields), ret_unit);
}

static void read_unit(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct plan_target *target = reader->target;
    target->plan->unit.place = node->place;
    const struct dpl_xml_attribute *command = dpl_xml_attribute_like(node, "command");
    if (dpl_element_fields(reader, node, unit_fields, DPL_COUNT(unit_fields),
                           &target->plan->unit) &&
        command) {
        plan_command_check(target->plan, command, reader->arena, reader->diags);
    }
}

static const struct dpl_field world_fields[] = {
    DPL_TEXT(struct dpl_sim_plan, world, "file", NULL, "the world: a file, or a name"),
};
static const struct dpl_element_table world_table = DPL_ELEMENT_TABLE(world_fields);

/* Its other attributes are parameters of the world's file, as those of <robot> in a world. */
static void read_world(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct plan_target *target = reader->target;
    struct dpl_sim_plan *plan = target->plan;
    if (plan->world[0] != '\0') {
        complain(reader, node->place, "the plan has an attribute world: take one of both");
        return;
    }
    const struct dpl_xml_attribute *file = dpl_xml_attribute_like(node, "file");
    plan->world_place = file ? file->value_place : node->place;
    dpl_element_fields(reader, dpl__params_without(reader, node, &world_table), world_fields,
                       DPL_COUNT(world_fields), plan);
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *from = &node->attributes[i];
        if (from != file) {
            struct dpl_sim_set *set = dpl__list_add(reader->arena, &target->params, sizeof *set);
            set->text = dpl_arena_printf(reader->arena, "%s=%s", from->name, from->value);
            set->place = from->place;
        }
    }
}

static const struct dpl_field plan_fields[] = {
    DPL_TEXT(struct dpl_sim_plan, name, "name", NULL, "name of the plan"),
    DPL_TEXT(struct dpl_sim_plan, world, "world", "",
             "the world: a file, or a name; a world with parameters is an element <world>"),
    DPL_TEXT(struct dpl_sim_plan, trace, "trace", "",
             "channels that the trace of a failed step has besides those of the plan: patterns"),
    DPL_NUMBER(struct dpl_sim_plan, trace_window_s, "trace_window", "s", "20", 0.001, 3600,
               "how long before the end of a failed step its trace begins, at most"),
    DPL_NUMBER(struct dpl_sim_plan, rate, "rate", NULL, "0", 0, 1000,
               "this number of times as fast as the clock; 0: as fast as possible"),
};

static const struct dpl_element_kind plan_kinds[] = {
    {"world", read_world, 1, &world_table, "the world, with values for its parameters", true},
    {"unit", read_unit, 1, &unit_table, "the program that is tested"},
    {"step", read_step, DPL_PLAN_STEPS_MAX, &step_table, "a step, with a verdict of its own"},
};

const struct dpl_element_root dpl__plan_root = {
    .name = "test_plan",
    .table = {plan_fields, DPL_COUNT(plan_fields), plan_kinds, DPL_COUNT(plan_kinds)},
    .summary = "a test plan of a world",
};
