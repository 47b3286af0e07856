/* SPDX-License-Identifier: Apache-2.0 */
/* The channels that a mechanism will have, by name: those of a new entry are its own, and those
 * that signals name exist. See entry_xml.h. */
#include "entry_xml.h"

#include <string.h>

#include <doppel/sim/channel_rows.h>

#include "channel_names.h"
#include "model_checks.h"
#include "words.h"

/* What the subsystem gives each body and each value of a joint. */
static const char body_words[] = "pose|velocity";
static const char joint_words[] = "position|velocity|effort";
static const char rope_words[] = "tension|tension_child|slip|cut";

/* ---- names that are taken ---------------------------------------------------------------------
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
        is_one |= has_row(entry->class_->channels, word);
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
        bool is_rope = mechanism->joints[i].type == DPL_JOINT_ROPE ||
                       mechanism->joints[i].type == DPL_JOINT_BELT;
        if (clashes(entry, mechanism->joints[i].name, is_rope ? rope_words : joint_words)) {
            return "a joint";
        }
    }
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_channel_table *other = made[i].class_->channels;
        for (size_t k = 0; other && k < other->n; k++) {
            if (clashes(entry, made[i].name, other->rows[k].name)) {
                return made[i].class_->name;
            }
        }
    }
    return NULL;
}

bool dpl__entry_check_names(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_sim_entry *entry)
{
    const char *other = who_clashes(reader->target, entry);
    struct dpl_diag diag;
    if (dpl__check_name(entry->name, entry->class_->name, &diag)) {
        dpl_element_error(reader, node, &diag);
        return false;
    }
    if (other) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "<%s>: %s called '%s' has channels of the same names", node->name, other,
                      entry->name);
    }
    return !other;
}

/* ---- names that are looked for ------------------------------------------------------------- */

static bool check_channel(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          const char *attribute, const struct dpl__channel_name *channel, bool put)
{
    const struct dpl_channel_type *type = channel->type;
    const char *what = NULL;
    if (type != &dpl_channel_number && type != &dpl_channel_integer && type != &dpl_channel_flag) {
        what = "is neither a number nor a flag";
    } else if (put && channel->dir != DPL_CHANNEL_IN) {
        what = "is no input of one owner";
    } else if (!put && dpl_channel_is_input(channel->dir)) {
        what = "can be put, not read";
    }
    if (what) {
        dpl__node_complain(reader, node, attribute,
                           dpl_arena_printf(reader->arena, "channel '%s' %s", channel->path, what),
                           NULL);
    }
    return !what;
}

/* Looks up the channels that a text names. */
static void check_text(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct dpl__list *names, const struct dpl_field *field,
                       const char *text)
{
    static const char blanks[] = " \t\r\n";
    bool put = field->flags & DPL_ELEMENT_PUTS;
    if (!field->default_text && text[strspn(text, blanks)] == '\0') {
        dpl__node_complain(reader, node, field->name, "no channel is named", NULL);
    }
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        int mark = !put && at[0] == '!', n = (int)strcspn(at, blanks);
        const char *path = dpl_arena_printf(reader->arena, "%.*s", n - mark, at + mark);
        const struct dpl__channel_name *channel = dpl__channel_name_find(names, path);
        at += n;
        if (!channel) {
            const char *near = dpl__channel_name_nearest(reader->arena, names, path);
            dpl__node_complain(reader, node, field->name,
                               dpl_arena_printf(reader->arena, "there is no channel '%s'", path),
                               near);
        } else if (!check_channel(reader, node, field->name, channel, put)) {
            return;
        }
    }
}

void dpl__entries_check_channels(struct dpl_element_reader *reader)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_entry *made = target->made.items;
    const struct dpl_xml_node *const *nodes = target->made_nodes.items;
    struct dpl__list names = {0};
    dpl__channel_names(reader->arena, target, &names);
    for (size_t i = 0; i < target->made.n; i++) {
        const struct dpl_sim_settings *settings = &made[i].class_->settings;
        for (size_t k = 0; k < settings->n; k++) {
            const struct dpl_field *field = &settings->fields[k];
            if (field->flags & (DPL_ELEMENT_READS | DPL_ELEMENT_PUTS)) {
                check_text(reader, nodes[i], &names, field,
                           (const char *)made[i].settings + field->offset);
            }
        }
    }
}
