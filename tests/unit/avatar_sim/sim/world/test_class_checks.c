/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of plugins that would end the process are refused, with the row and what is wrong. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/channel_rows.h>

#include "classes.h"

struct settings {
    double zero;
    double other;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct settings, zero, "zero", "rad", "0", -1.0, 1.0, "a number"),
};

static int get(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)world, (void)id, (void)ret_value, (void)inout_stamp;
    return 0;
}

static int put(struct dpl_world *world, int id, const void *value)
{
    (void)world, (void)id, (void)value;
    return 0;
}

static bool is_there(const struct dpl_world *world, int id)
{
    (void)world, (void)id;
    return true;
}

static void read_element(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    (void)reader, (void)node;
}

static struct dpl_diag diag;

static const struct dpl_channel_row good_row =
    DPL_CHANNEL_READ("lean", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0, "a number", get, NULL);

static const struct dpl_sim_entry_class good_entry = {
    .name = "needle",
    .summary = "a sensor",
    .phase = DPL_SIM_SENSOR,
    .type = "needle",
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
};

static int check_entry(const struct dpl_sim_entry_class *entry)
{
    const struct dpl_catalog_part part = {"sensor", entry->name, "sensor-needle.so", entry};
    const struct dpl__classes none = {.catalog = NULL};
    diag.text[0] = '\0';
    return dpl__check_entry(&part, &none, &diag);
}

static void refuse_entry(const struct dpl_sim_entry_class *entry, const char *said)
{
    cr_assert_eq(check_entry(entry), -ENOEXEC, "no '%s'", said);
    cr_assert_not_null(strstr(diag.text, said), "%s, not %s", diag.text, said);
    cr_assert_str_eq(diag.place.file, "sensor-needle.so");
}

/* With two rows: a good one, and this one. */
static int check_row(const struct dpl_channel_row *row)
{
    const struct dpl_channel_row rows[] = {good_row, *row};
    const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};
    struct dpl_sim_entry_class entry = good_entry;
    entry.channels = &channels;
    return check_entry(&entry);
}

static void refuse_row(const struct dpl_channel_row *row, const char *said)
{
    cr_assert_eq(check_row(row), -ENOEXEC, "no '%s'", said);
    cr_assert_not_null(strstr(diag.text, said), "%s, not %s", diag.text, said);
}

Test(class_checks, number_of_rows_needs_a_table)
{
    struct dpl_sim_entry_class entry = good_entry;
    cr_assert_eq(check_entry(&entry), 0, "%s", diag.text);
    entry.channels = &(struct dpl_channel_table){NULL, 1};
    refuse_entry(&entry, "sensor 'needle': channel: there is a number of rows, but no table");
    entry = good_entry;
    entry.n_children = 1;
    refuse_entry(&entry, "child: there is a number of rows, but no table");
    entry = good_entry;
    entry.settings.fields = NULL;
    refuse_entry(&entry, "property: there is a number of rows, but no table");
}

Test(class_checks, channel_has_what_its_direction_calls)
{
    struct dpl_channel_row row = good_row;
    row.name = "other";
    cr_assert_eq(check_row(&row), 0, "%s", diag.text);
    row.get = NULL;
    refuse_row(&row, "channel 'other': an output without get");
    row.dir = DPL_CHANNEL_IN;
    refuse_row(&row, "channel 'other': an input without put");
    row.put = put;
    cr_assert_eq(check_row(&row), 0, "%s", diag.text);
    row.type = NULL;
    refuse_row(&row, "channel 'other': a channel without a type, a direction or a summary");
    row.type = &dpl_channel_vector;
    refuse_row(&row, "channel 'other': a channel without a size");
    row.name = NULL;
    refuse_row(&row, "a channel without a name");
}

Test(class_checks, two_channels_have_one_path_only_if_one_of_them_is_there)
{
    struct dpl_channel_row row = good_row;
    refuse_row(&row, "channel 'lean': two channels have this name");
    row.is_there = is_there;
    refuse_row(&row, "channel 'lean': two channels have this name");
    const struct dpl_channel_row rows[] = {row, row};
    struct dpl_sim_entry_class entry = good_entry;
    entry.channels = &(struct dpl_channel_table){rows, DPL_COUNT(rows)};
    cr_assert_eq(check_entry(&entry), 0, "%s", diag.text);
}

Test(class_checks, words_in_files_are_names)
{
    static const char *const wrong[] = {"a b", "a|b", "<a", "1a", ""};
    for (size_t i = 0; i < DPL_COUNT(wrong); i++) {
        struct dpl_sim_entry_class entry = good_entry;
        struct dpl_field field = fields[0];
        entry.type = wrong[i];
        refuse_entry(&entry, "type");
        entry.type = NULL;
        entry.element = wrong[i];
        refuse_entry(&entry, "element");
        entry.element = NULL;
        field.name = wrong[i];
        entry.settings.fields = &field;
        refuse_entry(&entry, "property");
    }
    struct dpl_field twice[] = {fields[0], fields[0]};
    struct dpl_sim_entry_class entry = good_entry;
    entry.settings.fields = twice;
    entry.settings.n = DPL_COUNT(twice);
    refuse_entry(&entry, "property 'zero': it is there twice");
}

/* ---- children of an entry, elements of a subsystem ---- */

static const struct dpl_element_table good_table = DPL_ELEMENT_TABLE(fields);

static void refuse_child(const struct dpl_element_kind *kind, const char *said)
{
    struct dpl_sim_entry_class entry = good_entry;
    entry.children = kind;
    entry.n_children = 1;
    refuse_entry(&entry, said);
}

Test(class_checks, elements_are_named_and_read)
{
    struct dpl_element_kind kind = {"gear", read_element, 1, &good_table, "a gear"};
    struct dpl_element_table table = good_table;
    struct dpl_sim_entry_class entry = good_entry;
    entry.children = &kind;
    entry.n_children = 1;
    cr_assert_eq(check_entry(&entry), 0, "%s", diag.text);
    kind.table = &table;
    table.n_kinds = 2;
    refuse_child(&kind, "child: there is a number of rows, but no table");
    table = good_table;
    table.fields = NULL;
    refuse_child(&kind, "property: there is a number of rows, but no table");
    kind.table = NULL;
    kind.read = NULL;
    refuse_child(&kind, "child 'gear': it has no read or no summary");
    kind.name = NULL;
    refuse_child(&kind, "child: a row has no name");
    const struct dpl_element_kind twice[] = {{"gear", read_element, 1, &good_table, "a gear"},
                                             {"gear", read_element, 1, &good_table, "a gear"}};
    entry.children = twice;
    entry.n_children = 2;
    refuse_entry(&entry, "child 'gear': it is there twice");
}

Test(class_checks, table_that_holds_itself_is_checked_to_an_end)
{
    static struct dpl_element_table table = DPL_ELEMENT_TABLE(fields);
    static struct dpl_element_kind kind = {"part", read_element, 0, &table, "parts in parts"};
    struct dpl_sim_entry_class entry = good_entry;
    table.kinds = &kind;
    table.n_kinds = 1;
    entry.children = &kind;
    entry.n_children = 1;
    cr_assert_eq(check_entry(&entry), 0, "%s", diag.text);
}

static void finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const void *root_values)
{
    (void)reader, (void)root, (void)root_values;
}

static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    (void)robot, (void)reterr;
    return 0;
}

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    (void)robot, (void)inout;
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    (void)data, (void)site, (void)reterr;
    return 0;
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    (void)data, (void)tick;
}

static void refuse_subsystem(const struct dpl_subsystem_class *subsystem, const char *said)
{
    const struct dpl_catalog_part part = {"subsystem", "flyer", "subsystem-flyer.so", subsystem};
    const struct dpl__classes none = {.catalog = NULL};
    cr_assert_eq(dpl__check_subsystem(&part, &none, &diag), -ENOEXEC, "no '%s'", said);
    cr_assert_not_null(strstr(diag.text, said), "%s, not %s", diag.text, said);
}

Test(class_checks, tables_of_a_subsystem_are_checked)
{
    const struct dpl_subsystem_class good = {.name = "flyer",
                                             .noun = "flyer",
                                             .summary = "flyers",
                                             .finish = finish,
                                             .check = check,
                                             .count = count,
                                             .build = build,
                                             .step = step};
    struct dpl_subsystem_class subsystem = good;
    subsystem.step = NULL;
    refuse_subsystem(&subsystem, "build or step is missing");
    subsystem = good;
    subsystem.n_elements = 3;
    refuse_subsystem(&subsystem, "element: there is a number of rows, but no table");
    subsystem = good;
    subsystem.channels = &(struct dpl_channel_table){NULL, 1};
    refuse_subsystem(&subsystem, "channel: there is a number of rows, but no table");
    subsystem = good;
    subsystem.root.n = 1;
    refuse_subsystem(&subsystem, "property: there is a number of rows, but no table");
}
