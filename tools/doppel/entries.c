/* SPDX-License-Identifier: Apache-2.0 */
#include "entries.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <doppel/channel.h>
#include <doppel/diag.h>
#include <doppel/sim/channel_rows.h>

#include "common.h"
#include "fields.h"

#define COLUMNS "(name, type, unit, default, range)"
/* None of these is required. */
#define CHANGES "attributes of a world's <robot> " COLUMNS

static const struct {
    const char *one;
    enum dpl_sim_phase phase;
} kinds[] = {
    {"sensor", DPL_SIM_SENSOR}, {"actuator", DPL_SIM_ACTUATOR},
    {"signal", DPL_SIM_SIGNAL}, {"subsystem", DPL_SIM_SENSOR}, /* no phase */
    {"format", DPL_SIM_SENSOR}, {"gate", DPL_SIM_SENSOR},
};
enum {
    N_KINDS = sizeof kinds / sizeof kinds[0],
    SUBSYSTEMS = 3,
    FORMATS = 4,
    GATES = 5,
    NAME_BYTES = 64
};

void entries_open(struct entries *ret_entries, struct dpl_catalog *catalog, struct dpl_diags *diags)
{
    struct dpl_sim_load_options options = {.catalog = catalog};
    *ret_entries = (struct entries){0};
    dpl_sim_classes_list(&ret_entries->arena, &options, &ret_entries->classes, diags);
    ret_entries->formats = dpl_sim_formats(&ret_entries->arena, catalog, diags);
    ret_entries->gates = dpl_sim_gates(&ret_entries->arena, catalog, diags);
}

void entries_close(struct entries *entries)
{
    dpl_arena_finish(&entries->arena);
}

/* ---- list ---- */

/* One of a kind: a subsystem or an entry. */
struct row {
    const char *name, *summary, *file;
    const struct dpl_subsystem_class *subsystem;
    const struct dpl_sim_entry_class *entry;
    const struct dpl_format *format;
    const struct dpl_gate *gate;
    char shown[NAME_BYTES]; /* "sensor/laser". A name for people may have spaces. */
};

static void make_name(struct row *row, const char *one)
{
    int n = snprintf(row->shown, NAME_BYTES, "%s/%s", one, row->name);
    for (int i = 0; i < n && row->shown[i] != '\0'; i++) {
        row->shown[i] = isspace((unsigned char)row->shown[i]) ? '_' : row->shown[i];
    }
}

static bool subsystem_row(const struct entries *entries, size_t *inout_i, struct row *ret_row)
{
    const struct dpl_sim_classes *all = &entries->classes;
    size_t i = (*inout_i)++;
    if (i < all->n_subsystems) {
        *ret_row = (struct row){.name = all->subsystems[i]->name,
                                .summary = all->subsystems[i]->summary,
                                .file = all->subsystem_files[i],
                                .subsystem = all->subsystems[i]};
    }
    return i < all->n_subsystems;
}

static bool entry_row(const struct entries *entries, enum dpl_sim_phase phase, size_t *inout_i,
                      struct row *ret_row)
{
    const struct dpl_sim_classes *all = &entries->classes;
    size_t i = *inout_i;
    while (i < all->n_entries && all->entries[i]->phase != phase) {
        i++;
    }
    *inout_i = i + 1;
    if (i < all->n_entries) {
        *ret_row = (struct row){.name = all->entries[i]->name,
                                .summary = all->entries[i]->summary,
                                .file = all->entry_files[i],
                                .entry = all->entries[i]};
    }
    return i < all->n_entries;
}

/* Those of robots, by the attribute of a world's <robot>. */
static bool format_row(const struct entries *entries, size_t *inout_i, struct row *ret_row)
{
    const struct dpl_format *format = entries->formats[*inout_i];
    while (format && !format->attribute) {
        format = entries->formats[++*inout_i];
    }
    if (format) {
        *ret_row =
            (struct row){.name = format->attribute, .summary = format->summary, .format = format};
        ++*inout_i;
    }
    return format != NULL;
}

static bool gate_row(const struct entries *entries, size_t *inout_i, struct row *ret_row)
{
    const struct dpl_gate *gate = entries->gates[*inout_i];
    if (gate) {
        *ret_row = (struct row){.name = gate->name, .summary = gate->summary, .gate = gate};
        ++*inout_i;
    }
    return gate != NULL;
}

/* The next one of a kind; *inout_i: 0 at first. False: there are no more. */
static bool next_row(const struct entries *entries, size_t kind, size_t *inout_i,
                     struct row *ret_row)
{
    bool found = kind == SUBSYSTEMS ? subsystem_row(entries, inout_i, ret_row)
                 : kind == FORMATS  ? format_row(entries, inout_i, ret_row)
                 : kind == GATES    ? gate_row(entries, inout_i, ret_row)
                                    : entry_row(entries, kinds[kind].phase, inout_i, ret_row);
    if (found) {
        make_name(ret_row, kinds[kind].one);
    }
    return found;
}

void entries_list(const struct entries *entries, size_t kind)
{
    struct row row;
    for (size_t i = 0; next_row(entries, kind, &i, &row);) {
        printf("%-32s %s\n", cli_clean(row.shown), cli_clean(row.summary));
    }
}

void entries_print_names(const struct entries *entries)
{
    struct row row;
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        for (size_t i = 0; next_row(entries, kind, &i, &row);) {
            printf("%s\n", row.shown);
        }
    }
}

/* ---- one class ---- */

static void print_channels(const char *title, const struct dpl_channel_table *table)
{
    static const char *const directions[] = {
        [DPL_CHANNEL_IN] = "in",
        [DPL_CHANNEL_SHARED] = "shared",
        [DPL_CHANNEL_REQUEST] = "request",
        [DPL_CHANNEL_OUT] = "out",
        [DPL_CHANNEL_CONSTANT] = "constant",
    };
    if (table && table->n > 0) {
        printf("\n%s:\n", title);
    }
    for (size_t i = 0; table && i < table->n; i++) {
        const struct dpl_channel_row *row = &table->rows[i];
        printf("  %-24s %-8s %-8s %-8s %s\n", row->name, row->type->name, directions[row->dir],
               row->unit ? row->unit : "", row->summary ? row->summary : "");
    }
}

/* The elements with their attributes, and those inside of them (`depth` levels). */
static void print_elements(const char *inside, const struct dpl_element_kind *elements, size_t n,
                           int depth)
{
    for (size_t i = 0; i < n && depth > 0; i++) {
        char title[512];
        struct dpl_sim_element element = dpl_sim_element_at(elements, i);
        snprintf(title, sizeof title, "element <%s>%s%s%s%s%s", element.name, inside ? " of <" : "",
                 inside ? inside : "", inside ? ">" : "", element.summary ? ": " : "",
                 element.summary ? element.summary : "");
        if (element.n > 0) {
            fields_print(title, element.fields, element.n, false);
        } else {
            printf("\n%s\n", title);
        }
        print_elements(element.name, element.children, element.n_children, depth - 1);
    }
}

static void print_subsystem(const struct dpl_subsystem_class *subsystem)
{
    printf("  its robot: %s\n", subsystem->noun);
    if (subsystem->instead_of) {
        printf("  moves robots of the subsystem %s, where solver=\"%s\" says so\n",
               subsystem->instead_of->name, subsystem->name);
    }
    fields_print("attributes of a <robot_model> " COLUMNS, subsystem->root.fields,
                 subsystem->root.n, false);
    fields_print(CHANGES, subsystem->changes.fields, subsystem->changes.n, true);
    print_elements(NULL, subsystem->elements, subsystem->n_elements, 2);
    print_channels("channels of a robot (name, type, direction, unit)", subsystem->channels);
}

/* How a file adds one. */
static void print_way(const struct dpl_sim_entry_class *entry)
{
    if (entry->element) {
        printf("  in a <robot_model>: <%s>\n", entry->element);
    }
    if (entry->type && entry->phase == DPL_SIM_SIGNAL) {
        printf("  in a mechanism: <Signal type=\"%s\">\n", entry->type);
    } else if (entry->type) {
        printf("  in a mechanism: <%s type=\"%s\">, at a %s\n",
               entry->phase == DPL_SIM_ACTUATOR ? "Motor" : "Sensor", entry->type,
               entry->is_at_joint ? "joint" : "body");
    }
    if (!entry->element && !entry->type) {
        printf("  comes with the elements of its subsystem\n");
    }
}

static void print_entry(const struct dpl_sim_entry_class *entry)
{
    print_way(entry);
    fields_print("settings " COLUMNS, entry->settings.fields, entry->settings.n, false);
    print_elements(NULL, entry->children, entry->n_children, 2);
    fields_print(CHANGES, entry->changes.fields, entry->changes.n, true);
    print_channels("channels (name, type, direction, unit)", entry->channels);
}

static void print_format(const struct dpl_format *format)
{
    const struct dpl_element_table own = {.fields = format->settings.fields,
                                          .n = format->settings.n};
    const struct dpl_element_table *table = format->table ? format->table : &own;
    printf("  in a world: <robot %s=\"FILE\">\n", format->attribute);
    fields_print(CHANGES, table->fields, table->n, false);
}

/* The kind of a name "sensor/laser", in any case; N_KINDS: none. */
static size_t kind_of(const char *name)
{
    const char *slash = strchr(name, '/');
    size_t kind = 0, length = slash ? (size_t)(slash - name) : 0;
    while (kind < N_KINDS &&
           (strlen(kinds[kind].one) != length || strncasecmp(kinds[kind].one, name, length) != 0)) {
        kind++;
    }
    return kind;
}

/* The class "sensor/laser"; false: there is none. */
static bool find(const struct entries *entries, const char *name, struct row *ret_row)
{
    size_t kind = kind_of(name);
    for (size_t i = 0; kind < N_KINDS && next_row(entries, kind, &i, ret_row);) {
        if (dpl_name_equal(ret_row->name, strchr(name, '/') + 1)) {
            return true;
        }
    }
    return false;
}

bool entries_have(const struct entries *entries, const char *name)
{
    struct row row;
    return find(entries, name, &row);
}

bool entries_print(const struct entries *entries, const char *name)
{
    struct row row;
    if (!find(entries, name, &row)) {
        return false;
    }
    printf("%s %s: %s\n", kinds[kind_of(name)].one, cli_clean(row.name), cli_clean(row.summary));
    if (row.file) {
        printf("  plugin: %s\n", cli_clean(row.file));
    }
    if (row.subsystem) {
        print_subsystem(row.subsystem);
    } else if (row.format) {
        print_format(row.format);
    } else if (row.gate) {
        printf("  of a world that is served: --gate %s:SETTING=VALUE,...\n", row.gate->name);
        fields_print("settings " COLUMNS, row.gate->settings.fields, row.gate->settings.n, false);
    } else {
        print_entry(row.entry);
    }
    return true;
}

/* ---- a class that there is not ---- */

enum { NAMES_MAX = 128 };

/* The only name that begins with it, or a similar one; NULL: none. */
static const char *nearest_shown(const char *const *shown, size_t n, const char *name)
{
    const char *longer = NULL;
    size_t length = strlen(name), n_longer = 0;
    for (size_t i = 0; i < n; i++) {
        if (strncasecmp(shown[i], name, length) == 0) {
            longer = shown[i];
            n_longer++;
        }
    }
    return n_longer == 1 ? longer : dpl_nearest(name, shown, n);
}

bool entries_complain(const struct entries *entries, const char *name)
{
    struct row rows[NAMES_MAX];
    const char *shown[NAMES_MAX];
    size_t kind = kind_of(name), n = 0;
    if (kind == N_KINDS) {
        return false;
    }
    for (size_t i = 0; n < NAMES_MAX && next_row(entries, kind, &i, &rows[n]); n++) {
        shown[n] = rows[n].shown;
    }
    const char *near = nearest_shown(shown, n, name);
    fprintf(stderr, "doppel info: there is no %s '%s'", kinds[kind].one, strchr(name, '/') + 1);
    if (near) {
        fprintf(stderr, ", did you mean '%s'?\n", near);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        fprintf(stderr, "%s%s", i ? ", " : " (there is: ", strchr(shown[i], '/') + 1);
    }
    fprintf(stderr, ")\n");
    return true;
}
