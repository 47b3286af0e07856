/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that a mechanism will have, by name: those of a new entry are its own, and those
 * that signals name exist. See entry_xml.h. */
#include "entry_xml.h"

#include <stdio.h>
#include <string.h>

#include <doppel/sim/channel_rows.h>

#include "words.h"

/* What the subsystem gives each body and each value of a joint; those in the second list are
 * numbers. */
static const char body_words[] = "pose|velocity";
static const char joint_words[] = "position|velocity|effort";

/* ---- names that are taken ----------------------------------------------------------------------
 */

static bool has_row(const struct dpl_channel_table *table, const char *name)
{
    for (size_t i = 0; table && i < table->n; i++) {
        if (strcmp(table->rows[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a part of that kind is called like the entry and has a channel that the entry has, too;
 * `words` are its channels. */
static bool clashes(const struct dpl_sim_entry *entry, const char *part, const char *words)
{
    char word[DPL__WORD_MAX];
    bool is_one = false;
    for (const char *rest = words; (rest = dpl__word_next(rest, word));) {
        is_one |= has_row(entry->class->channels, word);
    }
    return is_one && dpl_name_equal(entry->name, part);
}

/* What else has a channel of the same path; NULL: nothing. */
static const char *who_clashes(const struct dpl__mechanism_target *target,
                               const struct dpl_sim_entry *entry)
{
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    const struct dpl_sim_entry *made = target->made.items;
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        if (clashes(entry, mechanism->bodies[i].name, body_words)) {
            return "a body";
        }
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        if (clashes(entry, mechanism->joints[i].name, joint_words)) {
            return "a joint";
        }
    }
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_channel_table *other = made[i].class->channels;
        for (size_t k = 0; other && k < other->n; k++) {
            if (clashes(entry, made[i].name, other->rows[k].name)) {
                return made[i].class->name;
            }
        }
    }
    return NULL;
}

bool dpl__entry_check_names(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_sim_entry *entry)
{
    const char *other = who_clashes(reader->target, entry);
    if (other) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "<%s>: %s called '%s' has channels of the same names", node->name, other,
                      entry->name);
    }
    return !other;
}

/* ---- names that are looked for -----------------------------------------------------------------
 */

/* Whether a part is called so; then *ret_rest is what follows its name. */
static bool begins_with(const char *path, const char *part, const char **ret_rest)
{
    char head[DPL_SIM_NAME_SIZE];
    const char *slash = strchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    if (n == 0 || n >= sizeof head) {
        return false;
    }
    memcpy(head, path, n);
    head[n] = '\0';
    *ret_rest = slash + 1;
    return dpl_name_equal(head, part);
}

static bool is_word(const char *text, const char *words)
{
    char word[DPL__WORD_MAX];
    bool is_one = false;
    for (const char *rest = words; (rest = dpl__word_next(rest, word));) {
        is_one |= strcmp(text, word) == 0;
    }
    return is_one;
}

static bool is_of_joint(const struct dpl_sim_joint *joint, const char *path)
{
    const char *rest;
    int n = dpl_sim_joint_freedoms(joint->type);
    if (n == 0 || !begins_with(path, joint->name, &rest)) {
        return false;
    }
    return is_word(rest, joint_words) ||
           (n > 1 && strncmp(rest, "2/", 2) == 0 && is_word(rest + 2, joint_words));
}

static const struct dpl_channel_row *row_of(const struct dpl_sim_entry *entry, const char *path)
{
    const struct dpl_channel_table *table = entry->class->channels;
    const char *rest;
    for (size_t i = 0; table && begins_with(path, entry->name, &rest) && i < table->n; i++) {
        if (strcmp(table->rows[i].name, rest) == 0) {
            return &table->rows[i];
        }
    }
    return NULL;
}

bool dpl__mechanism_channel(const struct dpl__mechanism_target *target, const char *path,
                            struct dpl__named_channel *ret_channel)
{
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    const struct dpl_sim_entry *made = target->made.items;
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_channel_row *row = row_of(&made[i], path);
        if (row) {
            *ret_channel = (struct dpl__named_channel){row->type, row->dir};
            return true;
        }
    }
    for (size_t i = 0; i < mechanism->n_joints; i++) {
        if (is_of_joint(&mechanism->joints[i], path)) {
            *ret_channel = (struct dpl__named_channel){&dpl_channel_number, DPL_CHANNEL_OUT};
            return true;
        }
    }
    return false;
}

/* Adds the names of all scalar channels to a list of const char *. */
static void list_channels(struct dpl_element_reader *reader, struct dpl__list *names)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_entry *made = target->made.items;
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_channel_table *table = made[i].class->channels;
        for (size_t k = 0; table && k < table->n; k++) {
            *(const char **)dpl__list_add(reader->arena, names, sizeof(char *)) =
                dpl_arena_printf(reader->arena, "%s/%s", made[i].name, table->rows[k].name);
        }
    }
    for (size_t i = 0; i < target->mechanism->n_joints; i++) {
        const struct dpl_sim_joint *joint = &target->mechanism->joints[i];
        char word[DPL__WORD_MAX];
        bool has_value = dpl_sim_joint_freedoms(joint->type) > 0;
        for (const char *rest = joint_words; has_value && (rest = dpl__word_next(rest, word));) {
            *(const char **)dpl__list_add(reader->arena, names, sizeof(char *)) =
                dpl_arena_printf(reader->arena, "%s/%s", joint->name, word);
        }
    }
}

bool dpl__node_channel(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const char *attribute, const char *path, bool put)
{
    struct dpl__named_channel channel;
    if (!dpl__mechanism_channel(reader->target, path, &channel)) {
        struct dpl__list names = {0};
        list_channels(reader, &names);
        dpl__node_complain(
            reader, node, attribute,
            dpl_arena_printf(reader->arena, "there is no channel '%s' of a number or a flag", path),
            dpl_nearest(path, names.items, names.n));
        return false;
    }
    bool is_scalar = channel.type == &dpl_channel_number || channel.type == &dpl_channel_integer ||
                     channel.type == &dpl_channel_flag;
    bool fits = put ? channel.dir == DPL_CHANNEL_IN : !dpl_channel_is_input(channel.dir);
    if (!is_scalar || !fits) {
        const char *what = !is_scalar ? "is neither a number nor a flag"
                           : put      ? "is no input of one owner"
                                      : "can be put, not read";
        dpl__node_complain(reader, node, attribute,
                           dpl_arena_printf(reader->arena, "channel '%s' %s", path, what), NULL);
    }
    return is_scalar && fits;
}

static void check_text(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl_field *field, const char *text)
{
    static const char blanks[] = " \t\r\n";
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        size_t n = strcspn(at, blanks);
        bool put = field->flags & DPL_ELEMENT_PUTS;
        const char *path = dpl_arena_printf(reader->arena, "%.*s", (int)n - (!put && at[0] == '!'),
                                            at + (!put && at[0] == '!'));
        at += n;
        dpl__node_channel(reader, node, field->name, path, put);
    }
}

void dpl__entries_check_channels(struct dpl_element_reader *reader)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_entry *made = target->made.items;
    const struct dpl_xml_node *const *nodes = target->made_nodes.items;
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_sim_settings *settings = &made[i].class->settings;
        for (size_t k = 0; k < settings->n; k++) {
            const struct dpl_field *field = &settings->fields[k];
            if (field->flags & (DPL_ELEMENT_READS | DPL_ELEMENT_PUTS)) {
                check_text(reader, nodes[i], field, (const char *)made[i].settings + field->offset);
            }
        }
    }
}
