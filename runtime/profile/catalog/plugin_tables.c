/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that a plugin exports. The compiler does not check them: a count without its table, a
 * row without a name, a member outside of its struct would end the process later. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugin_file.h"

/* A field table and the struct that it describes. */
struct rows {
    const char *what; /* "properties" */
    const struct dpl_field *fields;
    size_t n, struct_size;
};

static int fail(const struct dpl__checked *checked, const char *what, const char *row,
                const char *why)
{
    return dpl_fail(checked->reterr, -ENOEXEC, checked->place, "%s '%.60s': %s%s%.60s%s: %s",
                    checked->kind, checked->name, what, *row != '\0' ? " '" : "", row,
                    *row != '\0' ? "'" : "", why);
}

static bool is_named(const char *name)
{
    return name && *name != '\0';
}

/* A count and its table: both, or none. */
int dpl__plugin_check_rows(const struct dpl__checked *checked, const char *what, const void *table,
                           size_t n)
{
    if (n > DPL__ROWS_MAX) {
        return fail(checked, what, "", "the table has more than 4096 rows");
    }
    return n > 0 && !table ? fail(checked, what, "", "there is a number of rows, but no table") : 0;
}

static int check_size(const struct dpl__checked *checked, const char *what, size_t size,
                      size_t most)
{
    return size > most ? dpl_fail(checked->reterr, -ENOEXEC, checked->place,
                                  "%s '%.60s': %s: %zu bytes, expected at most %zu", checked->kind,
                                  checked->name, what, size, most)
                       : 0;
}

static size_t size_of_type(const struct dpl_field *field)
{
    switch (field->type) {
    case DPL_FIELD_BOOL: return sizeof(bool);
    case DPL_FIELD_INT: return sizeof(int64_t);
    case DPL_FIELD_DOUBLE: return sizeof(double);
    case DPL_FIELD_CHOICE: return sizeof(int);
    case DPL_FIELD_STRING: return field->size;
    }
    return 0;
}

/* What is wrong with a row by itself; NULL: nothing. */
static const char *fault_of(const struct dpl_field *field, size_t struct_size)
{
    if (field->size == 0 || field->size != size_of_type(field)) {
        return "its member is not of its type";
    }
    if (field->offset > struct_size || field->size > struct_size - field->offset) {
        return "its member is outside of the struct";
    }
    if (field->type == DPL_FIELD_CHOICE && !is_named(field->choices)) {
        return "a choice without choices";
    }
    return NULL;
}

/* Whether the default is valid: it is not parsed before it is needed. */
static int check_default(const struct dpl__checked *checked, const struct rows *rows,
                         const struct dpl_field *field, void *scratch)
{
    const struct dpl_field_text text = {.text = field->default_text};
    struct dpl_diag why = {.text = ""};
    if (!field->default_text || dpl_field_parse(field, &text, scratch, &why) == 0) {
        return 0;
    }
    return dpl_fail(checked->reterr, -ENOEXEC, checked->place,
                    "%s '%.60s': %s '%.60s': default: %s", checked->kind, checked->name, rows->what,
                    field->name, why.text);
}

static int check_rows(const struct dpl__checked *checked, const struct rows *rows)
{
    int r = dpl__plugin_check_rows(checked, rows->what, rows->fields, rows->n);
    for (size_t i = 0; r == 0 && i < rows->n; i++) {
        const struct dpl_field *field = &rows->fields[i];
        const char *fault =
            is_named(field->name) ? fault_of(field, rows->struct_size) : "a row has no name";
        fault =
            !fault && dpl_field_find(rows->fields, i, field->name) ? "it is there twice" : fault;
        r = fault ? fail(checked, rows->what, is_named(field->name) ? field->name : "", fault) : 0;
    }
    return r;
}

static int check_defaults(const struct dpl__checked *checked, const struct rows *rows)
{
    void *scratch = calloc(1, rows->struct_size + 1);
    if (!scratch) {
        return fail(checked, rows->what, "", "no memory");
    }
    int r = 0;
    for (size_t i = 0; r == 0 && i < rows->n; i++) {
        r = check_default(checked, rows, &rows->fields[i], scratch);
    }
    free(scratch);
    return r;
}

static int check_properties(const struct dpl__checked *checked, const struct dpl_field *fields,
                            size_t n, size_t size)
{
    const struct rows rows = {"property", fields, n, size};
    int r = check_size(checked, "properties_size", size, DPL__PROPERTIES_MAX);
    r = r == 0 ? check_rows(checked, &rows) : r;
    return r == 0 ? check_defaults(checked, &rows) : r;
}

static int check_exports(const struct dpl__checked *checked, const struct dpl_field *fields,
                         size_t n, size_t size)
{
    const struct rows rows = {"export", fields, n, size};
    int r = check_size(checked, "state_size", size, DPL__STATE_MAX);
    return r == 0 ? check_rows(checked, &rows) : r;
}

static int check_port(const struct dpl__checked *checked, const struct dpl_port_desc *port)
{
    if (!is_named(port->name)) {
        return fail(checked, "port", "", "a row has no name");
    }
    if (port->kind > DPL_PORT_SERVICE || port->dir > DPL_PORT_OUT ||
        port->policy > DPL_QUEUE_UFIFO) {
        return fail(checked, "port", port->name, "its kind, direction or policy is none");
    }
    if (port->kind == DPL_PORT_DATA && !port->message) {
        return fail(checked, "port", port->name, "a data port without a message type");
    }
    if (port->kind == DPL_PORT_SERVICE && !port->service) {
        return fail(checked, "port", port->name, "a service port without a service type");
    }
    return 0;
}

int dpl__plugin_check_class(const struct dpl_component_class *class_, struct dpl_place place,
                            struct dpl_diag *reterr)
{
    const struct dpl__checked checked = {"component class", class_->name, place, reterr};
    int r = dpl__plugin_check_rows(&checked, "port", class_->ports, class_->n_ports);
    for (size_t i = 0; r == 0 && i < class_->n_ports; i++) {
        r = check_port(&checked, &class_->ports[i]);
    }
    if (r == 0 && class_->default_period < 0) {
        r = fail(&checked, "default_period", "", "it is negative");
    }
    r = r == 0 ? check_properties(&checked, class_->properties, class_->n_properties,
                                  class_->properties_size)
               : r;
    return r == 0 ? check_exports(&checked, class_->exports, class_->n_exports, class_->state_size)
                  : r;
}

/* A driver must implement each call of its class that is not optional. */
static int check_calls(const struct dpl__checked *checked, const struct dpl_driver *driver)
{
    const struct dpl_device_class *class = driver->device_class;
    if (driver->answer) {
        return 0;
    }
    if (driver->n_calls != class->n_calls) {
        return dpl_fail(checked->reterr, -ENOEXEC, checked->place,
                        "the driver has %zu calls, its class '%s' %zu", driver->n_calls,
                        class->name, class->n_calls);
    }
    int r = dpl__plugin_check_rows(checked, "call", driver->api, driver->n_calls);
    for (size_t i = 0; r == 0 && i < class->n_calls; i++) {
        if (!driver->api[i] && !class->calls[i].optional) {
            r = dpl_fail(checked->reterr, -ENOEXEC, checked->place,
                         "the driver lacks the call '%s' of class '%s'", class->calls[i].name,
                         class->name);
        }
    }
    return r;
}

static int check_sides(const struct dpl__checked *checked, const struct dpl_driver *driver)
{
    int r = dpl__plugin_check_rows(checked, "side", driver->sides, driver->n_sides);
    for (size_t i = 0; r == 0 && i < driver->n_sides; i++) {
        bool complete =
            is_named(driver->sides[i].name) && is_named(driver->sides[i].driver_property);
        r = complete ? 0 : fail(checked, "side", "", "a row has no name or no driver_property");
    }
    return r;
}

int dpl__plugin_check_driver(const struct dpl_driver *driver, struct dpl_place place,
                             struct dpl_diag *reterr)
{
    const struct dpl__checked checked = {"driver", driver->name, place, reterr};
    const struct dpl_device_class *class = driver->device_class;
    int r = dpl__plugin_check_rows(&checked, "call of its class", class->calls, class->n_calls);
    r = r == 0 ? check_calls(&checked, driver) : r;
    r = r == 0 ? check_sides(&checked, driver) : r;
    r = r == 0 ? check_properties(&checked, driver->properties, driver->n_properties,
                                  driver->properties_size)
               : r;
    return r == 0 ? check_exports(&checked, driver->exports, driver->n_exports, driver->state_size)
                  : r;
}

int dpl__plugin_check_word(const struct dpl__checked *checked, const char *what, const char *word)
{
    if (!is_named(word)) {
        return fail(checked, what, "", "a row has no name");
    }
    bool good = !strchr("0123456789.-", word[0]);
    for (const char *c = word; *c; c++) {
        good = good && (isalnum((unsigned char)*c) || strchr("_.-", *c));
    }
    return good ? 0
                : fail(checked, what, word,
                       "expected a name of letters, digits, '_', '.' and '-' that begins with a "
                       "letter or '_'");
}

int dpl__plugin_check_fields(const struct dpl__checked *checked, const struct dpl_field *fields,
                             size_t n, size_t struct_size)
{
    int r = check_properties(checked, fields, n, struct_size);
    for (size_t i = 0; r == 0 && i < n; i++) {
        r = dpl__plugin_check_word(checked, "property", fields[i].name);
    }
    return r;
}
