/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the file of a state machine. The dialect's table says what its elements are; here is what
 * they mean. After an error reading goes on, so that one run finds all. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "dialect.h"
#include "machine_parts.h"
#include "number.h"

struct reader {
    struct dpl_state_machine *machine;
    struct dpl_diags *diags;
};

#define COMPLAIN(reader_, place_, ...)                                                             \
    dpl_diags_add((reader_)->diags, DPL_SEVERITY_ERROR, place_, __VA_ARGS__)

/* Copies a name; false: it was reported, here or by the dialect's check. */
static bool read_name(struct reader *reader, const struct dpl_xml_node *node,
                      char ret_name[DPL_STATE_MACHINE_NAME_SIZE])
{
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    if (!name || name->value[0] == '\0') {
        return false;
    }
    if (strlen(name->value) >= DPL_STATE_MACHINE_NAME_SIZE) {
        COMPLAIN(reader, name->value_place, "name: longer than %d bytes",
                 DPL_STATE_MACHINE_NAME_SIZE - 1);
        return false;
    }
    memcpy(ret_name, name->value, strlen(name->value) + 1);
    return true;
}

/* ---- variables ---- */

static bool is_free_name(struct reader *reader, const struct dpl_xml_attribute *name)
{
    const struct dpl_state_machine *machine = reader->machine;
    if (!dpl__expr_is_name(name->value) || dpl__expr_is_reserved(name->value)) {
        COMPLAIN(reader, name->value_place, "name: '%.60s' cannot be the name of a variable",
                 name->value);
        return false;
    }
    for (size_t i = 0; i < machine->n_names; i++) {
        if (strcmp(machine->names[i].name, name->value) == 0) {
            COMPLAIN(reader, name->value_place, "name: '%.60s' is a reserved name", name->value);
            return false;
        }
    }
    return true;
}

static void read_variable(struct reader *reader, const struct dpl_xml_node *node)
{
    struct dpl_state_machine *machine = reader->machine;
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    const struct dpl_xml_attribute *value = dpl_xml_attribute(node, "value");
    if (!name || !value || !is_free_name(reader, name)) {
        return;
    }
    if (machine->n_names == MACHINE_NAMES_MAX) {
        COMPLAIN(reader, node->place, "more than %d variables", DPL_STATE_MACHINE_VARIABLES_MAX);
        return;
    }
    double number;
    const char *end = dpl__number_read(value->value, &number);
    if (!end || *end != '\0') {
        COMPLAIN(reader, value->value_place, "value: '%.60s' is not a number", value->value);
        return;
    }
    machine->names[machine->n_names++] = (struct dpl__expr_name){name->value, number};
}

/* ---- actions ---- */

static int put_target(struct reader *reader, const struct dpl_xml_attribute *channel)
{
    int number = machine_channel(reader->machine, channel->value, strlen(channel->value), true,
                                 channel->value_place);
    if (number == -ENOSPC) {
        COMPLAIN(reader, channel->value_place, "more than %d channels are read and put",
                 DPL_STATE_MACHINE_CHANNELS_MAX);
    } else if (number < 0 && channel->value[0] != '\0') {
        COMPLAIN(reader, channel->value_place, "channel: longer than %d bytes",
                 DPL_STATE_MACHINE_CHANNEL_SIZE - 1);
    }
    return number;
}

static int set_target(struct reader *reader, const struct dpl_xml_attribute *name)
{
    const struct dpl_state_machine *machine = reader->machine;
    const char *known[MACHINE_NAMES_MAX];
    for (size_t i = MACHINE_N_TIMES; i < machine->n_names; i++) {
        known[i - MACHINE_N_TIMES] = machine->names[i].name;
        if (strcmp(machine->names[i].name, name->value) == 0) {
            return (int)(i - MACHINE_N_TIMES);
        }
    }
    const char *near = dpl_nearest(name->value, known, machine->n_names - MACHINE_N_TIMES);
    COMPLAIN(reader, name->value_place, "name: there is no <variable> '%.60s'%s%s%s", name->value,
             near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return -ENOENT;
}

static void read_action(struct reader *reader, const struct dpl_xml_node *node)
{
    struct dpl_state_machine *machine = reader->machine;
    bool is_put = strcmp(node->name, "put") == 0;
    const struct dpl_xml_attribute *target = dpl_xml_attribute(node, is_put ? "channel" : "name");
    const struct dpl_xml_attribute *value = dpl_xml_attribute(node, "value");
    struct machine_action action = {.is_put = is_put};
    if (!target || !value) {
        return;
    }
    int number = is_put ? put_target(reader, target) : set_target(reader, target);
    if (machine_expr_bind(machine, value, &action.value, reader->diags) < 0 || number < 0) {
        return;
    }
    if (machine->n_actions == DPL_STATE_MACHINE_PARTS_MAX) {
        COMPLAIN(reader, node->place, "more than %d actions", DPL_STATE_MACHINE_PARTS_MAX);
        return;
    }
    action.target = (size_t)number;
    machine->actions[machine->n_actions++] = action;
}

static struct machine_span read_actions(struct reader *reader, const struct dpl_xml_node *state,
                                        const char *phase)
{
    const struct dpl_xml_node *holder = dpl_xml_child(state, phase);
    struct machine_span span = {.first = reader->machine->n_actions};
    for (const struct dpl_xml_node *node = holder ? holder->children : NULL; node;
         node = node->next) {
        if (strcmp(node->name, "put") == 0 || strcmp(node->name, "set") == 0) {
            read_action(reader, node);
        }
    }
    span.n = reader->machine->n_actions - span.first;
    return span;
}

/* ---- transitions ---- */

/* The number of a state; -ENOENT: reported. */
static int find_state(struct reader *reader, const struct dpl_xml_attribute *to)
{
    const struct dpl_state_machine *machine = reader->machine;
    const char *names[DPL_STATE_MACHINE_STATES_MAX];
    for (size_t i = 0; i < machine->n_states; i++) {
        names[i] = machine->states[i].name;
        if (strcmp(names[i], to->value) == 0) {
            return (int)i;
        }
    }
    const char *near = dpl_nearest(to->value, names, machine->n_states);
    COMPLAIN(reader, to->value_place, "%s: there is no state '%.60s'%s%s%s", to->name, to->value,
             near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return -ENOENT;
}

static dpl_ns read_after(struct reader *reader, const struct dpl_xml_node *node)
{
    static const struct dpl_field field = {
        .name = "after", .type = DPL_FIELD_DOUBLE, .size = sizeof(double), .unit = "s", .max = 1e8};
    const struct dpl_xml_attribute *after = dpl_xml_attribute(node, "after");
    double seconds = 0.0;
    struct dpl_diag error;
    if (!after) {
        return 0;
    }
    const struct dpl_field_text text = {.text = after->value, .place = after->value_place};
    if (dpl_field_parse(&field, &text, &seconds, &error) < 0) {
        dpl_diags_add_diag(reader->diags, &error);
    }
    return dpl_ns_from_s(seconds);
}

static void read_transition(struct reader *reader, const struct dpl_xml_node *node)
{
    struct dpl_state_machine *machine = reader->machine;
    const struct dpl_xml_attribute *to = dpl_xml_attribute(node, "to");
    const struct dpl_xml_attribute *when = dpl_xml_attribute(node, "when");
    struct machine_transition transition = {.node = node, .after = read_after(reader, node)};
    if (!when && !dpl_xml_attribute(node, "after")) {
        COMPLAIN(reader, node->place, "<transition> has neither when nor after");
    }
    int err = when ? machine_expr_bind(machine, when, &transition.when, reader->diags) : 0;
    int number = to && to->value[0] != '\0' ? find_state(reader, to) : -ENOENT;
    if (err < 0 || number < 0) {
        return;
    }
    if (machine->n_transitions == DPL_STATE_MACHINE_PARTS_MAX) {
        COMPLAIN(reader, node->place, "more than %d transitions", DPL_STATE_MACHINE_PARTS_MAX);
        return;
    }
    transition.to = (size_t)number;
    machine->transitions[machine->n_transitions++] = transition;
}

static struct machine_span read_transitions(struct reader *reader, const struct dpl_xml_node *from)
{
    struct machine_span span = {.first = reader->machine->n_transitions};
    const struct dpl_xml_node *node = from ? dpl_xml_child(from, "transition") : NULL;
    for (; node; node = dpl_xml_next(node, "transition")) {
        read_transition(reader, node);
    }
    span.n = reader->machine->n_transitions - span.first;
    return span;
}

/* ---- states ---- */

static void add_state(struct reader *reader, const struct dpl_xml_node *node)
{
    struct dpl_state_machine *machine = reader->machine;
    struct machine_state state = {.node = node};
    if (!read_name(reader, node, state.name)) {
        return;
    }
    for (size_t i = 0; i < machine->n_states; i++) {
        if (strcmp(machine->states[i].name, state.name) == 0) {
            COMPLAIN(reader, node->place, "a second state '%s'; the first is at %d:%d", state.name,
                     machine->states[i].node->place.line, machine->states[i].node->place.column);
            return;
        }
    }
    if (machine->n_states == DPL_STATE_MACHINE_STATES_MAX) {
        COMPLAIN(reader, node->place, "more than %d states", DPL_STATE_MACHINE_STATES_MAX);
        return;
    }
    machine->states[machine->n_states++] = state;
}

static void read_state(struct reader *reader, struct machine_state *state)
{
    state->entry = read_actions(reader, state->node, "entry");
    state->during = read_actions(reader, state->node, "while");
    state->exit = read_actions(reader, state->node, "exit");
    state->transitions = read_transitions(reader, state->node);
}

/* Marks where transitions lead to; whether one of them is new. */
static bool reach(const struct dpl_state_machine *machine, const struct machine_span *span,
                  bool *reached)
{
    bool is_new = false;
    for (size_t i = 0; i < span->n; i++) {
        size_t to = machine->transitions[span->first + i].to;
        is_new |= !reached[to];
        reached[to] = true;
    }
    return is_new;
}

static void warn_of_dead_states(struct reader *reader)
{
    const struct dpl_state_machine *machine = reader->machine;
    bool reached[DPL_STATE_MACHINE_STATES_MAX] = {false};
    reached[machine->initial] = true;
    reach(machine, &machine->any, reached);
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < machine->n_states; i++) {
            grows |= reached[i] && reach(machine, &machine->states[i].transitions, reached);
        }
    }
    for (size_t i = 0; i < machine->n_states; i++) {
        if (!reached[i]) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, machine->states[i].node->place,
                          "no transition leads to state '%s'", machine->states[i].name);
        }
    }
}

static void read_root(struct reader *reader, const struct dpl_xml_node *root)
{
    struct dpl_state_machine *machine = reader->machine;
    read_name(reader, root, machine->name);
    machine->names[machine->n_names++] = (struct dpl__expr_name){"time", 0.0};
    machine->names[machine->n_names++] = (struct dpl__expr_name){"total", 0.0};
    const struct dpl_xml_node *node = dpl_xml_child(root, "variable");
    for (; node; node = dpl_xml_next(node, "variable")) {
        read_variable(reader, node);
    }
    for (node = dpl_xml_child(root, "state"); node; node = dpl_xml_next(node, "state")) {
        add_state(reader, node);
    }
    const struct dpl_xml_attribute *initial = dpl_xml_attribute(root, "initial");
    int number = initial && initial->value[0] != '\0' ? find_state(reader, initial) : 0;
    machine->initial = number > 0 ? (size_t)number : 0;
    machine->any = read_transitions(reader, dpl_xml_child(root, "any"));
    for (size_t i = 0; i < machine->n_states; i++) {
        read_state(reader, &machine->states[i]);
    }
}

/* ---- a file ---- */

/* What is not known is not left out silently, as in profiles of others: it is an error. */
static void make_errors(struct dpl_diags *diags, size_t first)
{
    for (size_t i = first; i < diags->n; i++) {
        if (diags->items[i].severity == DPL_SEVERITY_WARNING) {
            diags->items[i].severity = DPL_SEVERITY_ERROR;
            diags->n_warnings--;
            diags->n_errors++;
        }
    }
}

static void check_and_read(struct reader *reader, const struct dpl_xml_node *root)
{
    const struct dpl__element *element = &dpl__dialect_state_machine;
    size_t first = reader->diags->n, n_errors = reader->diags->n_errors;
    if (!dpl__dialect_is(element, root->name)) {
        COMPLAIN(reader, root->place, "found <%.60s>, expected <%s>", root->name, element->name);
        return;
    }
    dpl__dialect_check(element, root, reader->diags);
    make_errors(reader->diags, first);
    read_root(reader, root);
    if (reader->diags->n_errors == n_errors) {
        warn_of_dead_states(reader);
    }
}

/* Takes the machine, whose arena has the tree. `err` is that of reading the tree. */
static int finish(struct dpl_state_machine *machine, const char *file, int err,
                  const struct dpl_xml_node *root, const struct dpl_diag *error,
                  struct dpl_diags *diags, struct dpl_state_machine **ret_machine)
{
    struct reader reader = {machine, diags};
    size_t first = diags->n, n_errors = diags->n_errors;
    if (err < 0) {
        dpl_diags_add_diag(diags, error);
    } else {
        check_and_read(&reader, root);
    }
    for (size_t i = first; i < diags->n; i++) {
        diags->items[i].place.file = file; /* the tree's own copy may go */
    }
    if (diags->n_errors > n_errors) {
        dpl_state_machine_destroy(machine);
        return -EINVAL;
    }
    *ret_machine = machine;
    return 0;
}

int dpl_state_machine_read(const char *file, struct dpl_diags *diags,
                           struct dpl_state_machine **ret_machine)
{
    struct dpl_state_machine *machine = calloc(1, sizeof *machine);
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag error = {.text = ""};
    if (!machine) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = file}, "out of memory");
        return -EINVAL;
    }
    int err = dpl_xml_read_file(&machine->arena, file, &root, &error);
    return finish(machine, file, err, root, &error, diags, ret_machine);
}

int dpl_state_machine_read_text(const char *file, const void *bytes, size_t n,
                                struct dpl_diags *diags, struct dpl_state_machine **ret_machine)
{
    struct dpl_state_machine *machine = calloc(1, sizeof *machine);
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag error = {.text = ""};
    if (!machine) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, (struct dpl_place){.file = file}, "out of memory");
        return -EINVAL;
    }
    int err = dpl_xml_read_memory(&machine->arena, file, bytes, n, &root, &error);
    return finish(machine, file, err, root, &error, diags, ret_machine);
}

void dpl_state_machine_destroy(struct dpl_state_machine *machine)
{
    if (machine) {
        dpl_arena_finish(&machine->arena);
        free(machine);
    }
}
