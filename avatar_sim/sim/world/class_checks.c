/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of parts of worlds in plugins. The compiler does not check them: a number of rows
 * without rows, or a channel without its function, would end the process later. */
#include <errno.h>
#include <string.h>

#include <doppel/sim/channel_rows.h>

#include "classes.h"

enum {
    KINDS_DEPTH = 4,       /* of elements in elements that are checked: they may hold themselves */
    FIELDS_LIMIT = 1 << 12 /* of a table, as the catalogue has it */
};

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static int fail_twice(const struct dpl_catalog_part *part, const char *other, const char *file,
                      struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = part->file},
                    "the %s '%s' (%s) has the same name or the same word in files", part->kind,
                    other, file ? file : "built in");
}

static int fail_lacks(const struct dpl_catalog_part *part, const char *what,
                      struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = part->file}, "%s '%.60s': %s",
                    part->kind, part->name, what);
}

static int fail_row(const struct dpl_catalog_part *part, const char *table, const char *row,
                    const char *what, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = part->file},
                    "%s '%.60s': %s '%.60s': %s", part->kind, part->name, table, row, what);
}

static int check_settings(const struct dpl_catalog_part *part, const struct dpl_sim_settings *rows,
                          struct dpl_diag *reterr)
{
    return dpl_catalog_check_fields(part, rows->fields, rows->n, rows->size, reterr);
}

/* ---- channels ---- */

/* What is wrong with a row that has a name; NULL: nothing. */
static const char *fault_of(const struct dpl_channel_row *row)
{
    if (!row->type || !row->summary || row->dir > DPL_CHANNEL_CONSTANT) {
        return "a channel without a type, a direction or a summary";
    }
    if (row->type->size == 0 && row->size == 0 && !row->describe) {
        return "a channel without a size";
    }
    if (dpl_channel_is_input(row->dir)) {
        return row->put ? NULL : "an input without put";
    }
    return row->get ? NULL : "an output without get";
}

/* Whether both can be there: `is_there` may choose between two rows of one name. */
static bool is_twice(const struct dpl_channel_table *channels, size_t i)
{
    const struct dpl_channel_row *row = &channels->rows[i];
    for (size_t k = 0; k < i; k++) {
        const struct dpl_channel_row *other = &channels->rows[k];
        if (dpl_name_equal(other->name, row->name) && !(row->is_there && other->is_there)) {
            return true;
        }
    }
    return false;
}

static int check_channels(const struct dpl_catalog_part *part,
                          const struct dpl_channel_table *channels, struct dpl_diag *reterr)
{
    int err =
        channels ? dpl_catalog_check_rows(part, "channel", channels->rows, channels->n, reterr) : 0;
    for (size_t i = 0; channels && err == 0 && i < channels->n; i++) {
        const struct dpl_channel_row *row = &channels->rows[i];
        if (!row->name || row->name[0] == '\0') {
            return fail_lacks(part, "a channel without a name", reterr);
        }
        const char *fault = fault_of(row);
        fault = !fault && is_twice(channels, i) ? "two channels have this name" : fault;
        err = fault ? fail_row(part, "channel", row->name, fault, reterr) : 0;
    }
    return err;
}

/* ---- elements ---- */

struct kinds {
    const char *what; /* "element", "child" */
    const struct dpl_element_kind *rows;
    size_t n;
    int depth;
};

/* What the fields of an element fill is not known: no more than where the last one ends. */
static size_t extent(const struct dpl_element_table *table)
{
    size_t most = 0;
    for (size_t i = 0; table->fields && i < table->n && i < FIELDS_LIMIT; i++) {
        size_t end = table->fields[i].offset + table->fields[i].size;
        most = end > most ? end : most;
    }
    return most;
}

static int check_kinds(const struct dpl_catalog_part *part, const struct kinds *kinds,
                       struct dpl_diag *reterr);

static int check_kind(const struct dpl_catalog_part *part, const struct kinds *kinds, size_t i,
                      struct dpl_diag *reterr)
{
    const struct dpl_element_kind *kind = &kinds->rows[i];
    int err = dpl_catalog_check_word(part, kinds->what, kind->name, reterr);
    if (err == 0 && (!kind->read || !kind->summary)) {
        err = fail_row(part, kinds->what, kind->name, "it has no read or no summary", reterr);
    }
    for (size_t k = 0; err == 0 && k < i; k++) {
        if (strcmp(kinds->rows[k].name, kind->name) == 0) {
            err = fail_row(part, kinds->what, kind->name, "it is there twice", reterr);
        }
    }
    if (err == 0 && kind->table) {
        const struct kinds inside = {"child", kind->table->kinds, kind->table->n_kinds,
                                     kinds->depth + 1};
        err = dpl_catalog_check_fields(part, kind->table->fields, kind->table->n,
                                       extent(kind->table), reterr);
        err = err < 0 ? err : check_kinds(part, &inside, reterr);
    }
    return err;
}

static int check_kinds(const struct dpl_catalog_part *part, const struct kinds *kinds,
                       struct dpl_diag *reterr)
{
    int err = dpl_catalog_check_rows(part, kinds->what, kinds->rows, kinds->n, reterr);
    for (size_t i = 0; err == 0 && kinds->depth < KINDS_DEPTH && i < kinds->n; i++) {
        err = check_kind(part, kinds, i, reterr);
    }
    return err;
}

/* ---- classes ---- */

static int check_entry_tables(const struct dpl_catalog_part *part,
                              const struct dpl_sim_entry_class *entry, struct dpl_diag *reterr)
{
    const struct kinds children = {"child", entry->children, entry->n_children, 0};
    int err = entry->element ? dpl_catalog_check_word(part, "element", entry->element, reterr) : 0;
    err = err < 0 || !entry->type ? err : dpl_catalog_check_word(part, "type", entry->type, reterr);
    err = err < 0 ? err : check_settings(part, &entry->settings, reterr);
    err = err < 0 ? err : check_settings(part, &entry->changes, reterr);
    err = err < 0 ? err : check_kinds(part, &children, reterr);
    return err < 0 ? err : check_channels(part, entry->channels, reterr);
}

int dpl__check_entry(const struct dpl_catalog_part *part, const struct dpl__classes *classes,
                     struct dpl_diag *reterr)
{
    const struct dpl_sim_entry_class *entry = part->table;
    const struct dpl_sim_entry_class *const *all = classes->entries.items;
    const char *const *files = classes->entry_files.items;
    if (!entry->summary || entry->phase > DPL_SIM_SIGNAL ||
        strcmp(dpl__entry_kinds[entry->phase], part->kind) != 0) {
        return fail_lacks(part, "no summary, or another phase", reterr);
    }
    for (size_t i = 0; i < classes->entries.n; i++) {
        if (is_same(all[i]->element, entry->element) ||
            (all[i]->phase == entry->phase &&
             (dpl_name_equal(all[i]->name, entry->name) || is_same(all[i]->type, entry->type)))) {
            return fail_twice(part, all[i]->name, files[i], reterr);
        }
    }
    return check_entry_tables(part, entry, reterr);
}

static int check_subsystem_tables(const struct dpl_catalog_part *part,
                                  const struct dpl_subsystem_class *subsystem,
                                  struct dpl_diag *reterr)
{
    const struct kinds elements = {"element", subsystem->elements, subsystem->n_elements, 0};
    int err = check_kinds(part, &elements, reterr);
    err = err < 0 ? err : check_settings(part, &subsystem->root, reterr);
    err = err < 0 ? err : check_settings(part, &subsystem->changes, reterr);
    return err < 0 ? err : check_channels(part, subsystem->channels, reterr);
}

static bool share_element(const struct dpl_subsystem_class *a, const struct dpl_subsystem_class *b)
{
    for (size_t i = 0; i < a->n_elements * b->n_elements; i++) {
        if (is_same(a->elements[i / b->n_elements].name, b->elements[i % b->n_elements].name)) {
            return true;
        }
    }
    return false;
}

int dpl__check_subsystem(const struct dpl_catalog_part *part, const struct dpl__classes *classes,
                         struct dpl_diag *reterr)
{
    const struct dpl_subsystem_class *subsystem = part->table;
    const struct dpl_subsystem_class *const *all = classes->subsystems.items;
    const char *const *files = classes->subsystem_files.items;
    if (!subsystem->noun || !subsystem->summary || !subsystem->finish || !subsystem->check ||
        !subsystem->count || !subsystem->build || !subsystem->step) {
        return fail_lacks(part, "noun, summary, finish, check, count, build or step is missing",
                          reterr);
    }
    int err = check_subsystem_tables(part, subsystem, reterr);
    for (size_t i = 0; err == 0 && i < classes->subsystems.n; i++) {
        if (dpl_name_equal(all[i]->name, subsystem->name) || share_element(all[i], subsystem)) {
            err = fail_twice(part, all[i]->name, files[i], reterr);
        }
    }
    return err;
}
