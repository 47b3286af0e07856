/* SPDX-License-Identifier: Apache-2.0 */
#include "entries.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <doppel/channel.h>
#include <doppel/diag.h>
#include <doppel/sim/channel_rows.h>
#include <doppel/sim/classes.h>

#include "fields.h"

#define COLUMNS "(name, type, unit, default, range)"
/* None of these is required. */
#define CHANGES "attributes of a world's <robot> " COLUMNS

static const struct {
    const char *kind, *one; /* "sensors", "sensor" */
    enum dpl_sim_phase phase;
} kinds[] = {
    {"sensors", "sensor", DPL_SIM_SENSOR},
    {"actuators", "actuator", DPL_SIM_ACTUATOR},
    {"signals", "signal", DPL_SIM_SIGNAL},
    {"subsystems", "subsystem", DPL_SIM_SENSOR}, /* no phase */
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], SUBSYSTEMS = N_KINDS - 1 };

const char *entries_kind(size_t i)
{
    return i < N_KINDS ? kinds[i].kind : NULL;
}

/* ---- list ---- */

enum { NAME_BYTES = 64 };

/* "sensor/laser". A name for people may have spaces. */
static void make_name(const char *one, const char *name, char ret_shown[NAME_BYTES])
{
    int n = snprintf(ret_shown, NAME_BYTES, "%s/%s", one, name);
    for (int i = 0; i < n && ret_shown[i] != '\0'; i++) {
        ret_shown[i] = isspace((unsigned char)ret_shown[i]) ? '_' : ret_shown[i];
    }
}

static void print_line(const char *shown, const char *summary)
{
    printf("%-32s %s\n", shown, summary);
}

static void print_name(const char *shown, const char *summary)
{
    (void)summary;
    printf("%s\n", shown);
}

static void for_each(size_t kind, void (*print)(const char *shown, const char *summary))
{
    char shown[NAME_BYTES];
    const struct dpl_subsystem_class *subsystem;
    const struct dpl_sim_entry_class *entry;
    const char *one = kinds[kind].one;
    for (size_t i = 0; kind == SUBSYSTEMS && (subsystem = dpl_sim_subsystem_at(i)); i++) {
        make_name(one, subsystem->name, shown);
        print(shown, subsystem->summary);
    }
    for (size_t i = 0; kind != SUBSYSTEMS && (entry = dpl_sim_entry_class_at(kinds[kind].phase, i));
         i++) {
        make_name(one, entry->name, shown);
        print(shown, entry->summary);
    }
}

void entries_list(size_t kind)
{
    for_each(kind, print_line);
}

void entries_print_names(void)
{
    for (size_t kind = 0; kind < N_KINDS; kind++) {
        for_each(kind, print_name);
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
    printf("subsystem %s: %s\n", subsystem->name, subsystem->summary);
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

static void print_entry(const char *one, const struct dpl_sim_entry_class *entry)
{
    printf("%s %s: %s\n", one, entry->name, entry->summary);
    print_way(entry);
    fields_print("settings " COLUMNS, entry->settings.fields, entry->settings.n, false);
    print_elements(NULL, entry->children, entry->n_children, 2);
    fields_print(CHANGES, entry->changes.fields, entry->changes.n, true);
    print_channels("channels (name, type, direction, unit)", entry->channels);
}

static bool print_named(size_t kind, const char *name)
{
    const struct dpl_subsystem_class *subsystem;
    const struct dpl_sim_entry_class *entry;
    for (size_t i = 0; kind == SUBSYSTEMS && (subsystem = dpl_sim_subsystem_at(i)); i++) {
        if (dpl_name_equal(subsystem->name, name)) {
            print_subsystem(subsystem);
            return true;
        }
    }
    for (size_t i = 0; kind != SUBSYSTEMS && (entry = dpl_sim_entry_class_at(kinds[kind].phase, i));
         i++) {
        if (dpl_name_equal(entry->name, name)) {
            print_entry(kinds[kind].one, entry);
            return true;
        }
    }
    return false;
}

bool entries_print(const char *name)
{
    const char *slash = strchr(name, '/');
    for (size_t kind = 0; slash && kind < N_KINDS; kind++) {
        size_t n = strlen(kinds[kind].one);
        if ((size_t)(slash - name) == n && strncmp(name, kinds[kind].one, n) == 0) {
            return print_named(kind, slash + 1);
        }
    }
    return false;
}

/* ---- a class that there is not ---- */

enum { NAMES_MAX = 64 };

static char shown_names[NAMES_MAX][NAME_BYTES];
static size_t n_shown;

static void collect_name(const char *shown, const char *summary)
{
    (void)summary;
    if (n_shown < NAMES_MAX) {
        snprintf(shown_names[n_shown++], NAME_BYTES, "%s", shown);
    }
}

/* The only name that begins with it, or a similar one; NULL: none. */
static const char *nearest_shown(const char *name)
{
    const char *names[NAMES_MAX], *longer = NULL;
    size_t length = strlen(name), n_longer = 0;
    for (size_t i = 0; i < n_shown; i++) {
        names[i] = shown_names[i];
        if (strncasecmp(names[i], name, length) == 0) {
            longer = names[i];
            n_longer++;
        }
    }
    return n_longer == 1 ? longer : dpl_nearest(name, names, n_shown);
}

bool entries_complain(const char *name)
{
    const char *slash = strchr(name, '/');
    size_t kind = 0, length = slash ? (size_t)(slash - name) : 0;
    while (kind < N_KINDS &&
           (strlen(kinds[kind].one) != length || strncasecmp(kinds[kind].one, name, length) != 0)) {
        kind++;
    }
    if (!slash || kind == N_KINDS) {
        return false;
    }
    n_shown = 0;
    for_each(kind, collect_name);
    const char *near = nearest_shown(name);
    fprintf(stderr, "doppel info: there is no %s '%s'", kinds[kind].one, slash + 1);
    if (near) {
        fprintf(stderr, ", did you mean '%s'?\n", near);
        return true;
    }
    for (size_t i = 0; i < n_shown; i++) {
        fprintf(stderr, "%s%s", i ? ", " : " (there is: ", strchr(shown_names[i], '/') + 1);
    }
    fprintf(stderr, ")\n");
    return true;
}
