/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of an instance: their values in the blocks of the class, the driver and the driver's
 * sides. The list is flat: each block takes the properties that it has. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "number.h"
#include "words.h"

enum { NAMES_MAX = 512 };

/* ---- assignments ----------------------------------------------------------------------------- */

void dpl__build_add_assignment(struct dpl__builder *builder, struct dpl__instance *instance,
                               const struct dpl__assignment *assignment)
{
    struct dpl__assignment *copy = dpl_arena_alloc(builder->arena, sizeof(*copy));
    *copy = *assignment;
    copy->next = NULL;
    if (!instance->last_assignment) {
        instance->assignments = copy;
    } else {
        instance->last_assignment->next = copy;
    }
    instance->last_assignment = copy;
}

static bool is_duplicate(struct dpl__builder *builder, const struct dpl_xml_node *first,
                         const struct dpl_xml_node *node, const struct dpl_xml_attribute *name)
{
    for (; first != node; first = dpl_xml_next(first, "property")) {
        const struct dpl_xml_attribute *other = dpl_xml_attribute(first, "name");
        if (other && dpl_name_equal(other->value, name->value)) {
            dpl__build_error(builder, name->value_place,
                             "duplicate property '%.60s'; the first is at %d:%d", name->value,
                             other->value_place.line, other->value_place.column);
            return true;
        }
    }
    return false;
}

void dpl__build_add_properties(struct dpl__builder *builder, struct dpl__instance *instance,
                               const struct dpl_xml_node *properties, enum dpl__origin origin)
{
    const struct dpl_xml_node *first = dpl__child_named(properties, "property");
    if (!dpl__build_list_is_short(builder, first)) {
        return;
    }
    for (const struct dpl_xml_node *node = first; node; node = dpl_xml_next(node, "property")) {
        const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
        const struct dpl_xml_attribute *type = dpl_xml_attribute(node, "type");
        const struct dpl_xml_attribute *unit = dpl_xml_attribute(node, "unit");
        if (!name || name->value[0] == '\0' || is_duplicate(builder, first, node, name)) {
            continue;
        }
        struct dpl__assignment assignment = {
            .origin = origin,
            .name = name->value,
            .type = type ? type->value : NULL,
            .name_place = name->value_place,
            .text = {node->text, unit ? unit->value : NULL, node->text_place},
        };
        dpl__build_add_assignment(builder, instance, &assignment);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Result of one assignment. */
struct outcome {
    const struct dpl__assignment *assignment;
    const struct dpl_field *field; /* the first field with this name */
    bool known, failed;
    const char *what;     /* "file" or "world": something named that does not exist; NULL: none */
    const char *path;     /* how it was looked for */
    struct dpl_diag diag; /* the first failure */
};

/* The path of a file, relative to the profile that names it; with --set, relative to the working
 * folder. */
static const char *path_from(struct dpl__builder *builder, const struct dpl__assignment *assignment)
{
    const char *name = assignment->text.text, *beside = assignment->text.place.file;
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    if (name[0] == '/' || !slash || assignment->origin == DPL__ORIGIN_SET) {
        return name;
    }
    return dpl_arena_printf(builder->arena, "%.*s%s", (int)(slash + 1 - beside), beside, name);
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

/* Whether this value applies: the last one of its name. */
static bool is_last(const struct dpl__assignment *assignment)
{
    for (const struct dpl__assignment *a = assignment->next; a; a = a->next) {
        if (dpl_name_equal(a->name, assignment->name)) {
            return false;
        }
    }
    return true;
}

/* The name of a world, or the path of one beside the profile; NULL: there is none. */
static const char *find_world(struct dpl__builder *builder,
                              const struct dpl__assignment *assignment)
{
    const char *name = assignment->text.text;
    const char *beside = assignment->origin == DPL__ORIGIN_SET ? NULL : assignment->text.place.file;
    if (strncmp(name, "tcp://", 6) == 0) {
        return name;
    }
    const char *known = dpl_catalog_find_profile(builder->catalog, "worlds", name, NULL);
    const char *found = dpl_catalog_find_profile(builder->catalog, "worlds", name, beside);
    return found && known && strcmp(found, known) == 0 ? name : found;
}

static void note_absent(struct outcome *outcome, const char *what, const char *path)
{
    outcome->what = what;
    outcome->path = path;
}

static struct dpl_field_text text_for(struct dpl__builder *builder, const struct dpl_field *field,
                                      struct outcome *outcome)
{
    struct dpl_field_text text = outcome->assignment->text;
    if (text.text[0] == '\0') {
        return text;
    }
    if ((field->flags & DPL_FIELD_FILE) != 0) {
        text.text = path_from(builder, outcome->assignment);
        if (!is_file(text.text)) {
            note_absent(outcome, "file", text.text);
        }
    } else if ((field->flags & DPL_FIELD_WORLD) != 0) {
        const char *found = find_world(builder, outcome->assignment);
        text.text = found ? found : text.text;
        if (!found) {
            note_absent(outcome, "world", text.text);
        }
    }
    return text;
}

static void parse_into(struct dpl__builder *builder, struct dpl__field_block *block,
                       const char *name, struct outcome *outcome)
{
    const struct dpl_field *field = dpl_field_find(block->fields, block->n, name);
    if (!field) {
        return;
    }
    outcome->known = true;
    outcome->field = outcome->field ? outcome->field : field;
    block->assigned[field - block->fields] = true;
    struct dpl_diag *reterr = outcome->failed ? NULL : &outcome->diag;
    struct dpl_field_text text = text_for(builder, field, outcome);
    if (dpl_field_parse(field, &text, block->base, reterr) != 0) {
        outcome->failed = true;
    }
}

/* The name after "side." if the name is scoped to this side; otherwise NULL. */
static const char *scoped_to(const char *name, const struct dpl_driver_side *side)
{
    char head[DPL__WORD_MAX];
    const char *dot = strchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof(head)) {
        return NULL;
    }
    snprintf(head, sizeof(head), "%.*s", (int)(dot - name), name);
    return dpl_name_equal(head, side->name) ? dot + 1 : NULL;
}

static void apply_to_device(struct dpl__builder *builder, struct dpl__device_build *device,
                            const char *name, struct outcome *outcome)
{
    if (!device->model) {
        return;
    }
    const struct dpl_driver *driver = device->model->driver;
    for (size_t i = 0; i < driver->n_sides; i++) {
        const char *rest = scoped_to(name, &driver->sides[i]);
        if (!rest) {
            continue;
        }
        outcome->known = outcome->known || dpl_name_equal(rest, DPL__DRIVER_PROPERTY);
        apply_to_device(builder, &device->sides[i], rest, outcome);
        return;
    }
    parse_into(builder, &device->block, name, outcome);
    for (size_t i = 0; i < driver->n_sides; i++) {
        if (dpl_name_equal(name, driver->sides[i].driver_property)) {
            outcome->known = true;
            return;
        }
        apply_to_device(builder, &device->sides[i], name, outcome);
    }
}

struct names {
    struct dpl_arena *arena;
    const char *list[NAMES_MAX];
    size_t n;
};

static void add_name(struct names *names, const char *scope, const char *name)
{
    if (names->n < NAMES_MAX) {
        names->list[names->n++] =
            *scope == '\0' ? name : dpl_arena_printf(names->arena, "%s%s", scope, name);
    }
}

static void collect(struct names *names, const char *scope, const struct dpl__field_block *block)
{
    for (size_t i = 0; i < block->n; i++) {
        add_name(names, scope, block->fields[i].name);
    }
}

/* Names for both sides, and for one side: "hardware.WheelDiameter". */
static void collect_device(struct names *names, const char *scope,
                           const struct dpl__device_build *device)
{
    collect(names, scope, &device->block); /* empty when it is not resolved */
    for (size_t i = 0; i < device->n_sides; i++) {
        const char *side =
            dpl_arena_printf(names->arena, "%s%s.", scope, device->model->driver->sides[i].name);
        collect_device(names, scope, &device->sides[i]);
        collect_device(names, side, &device->sides[i]);
        add_name(names, side, DPL__DRIVER_PROPERTY);
    }
}

static const char *nearest_property(struct dpl__builder *builder,
                                    const struct dpl__instance *instance, const char *name)
{
    struct names names = {.arena = builder->arena};
    collect(&names, "", &instance->block);
    if (instance->class_->device_class) {
        add_name(&names, "", DPL__DRIVER_PROPERTY);
        add_name(&names, "", DPL__LATE_LIMIT);
    }
    if (instance->device) {
        collect_device(&names, "", instance->device);
    }
    const char *dot = strrchr(name, '.');
    const char *nearest = dpl_nearest(name, names.list, names.n);
    return !nearest && dot ? dpl_nearest(dot + 1, names.list, names.n) : nearest;
}

static const struct dpl_driver *
driver_knowing(struct dpl__builder *builder, const struct dpl__instance *instance, const char *name)
{
    const char *device_class = instance->class_->device_class;
    if (!device_class) {
        return NULL;
    }
    const struct dpl_driver *driver =
        dpl__catalog_driver_knowing(builder->catalog, device_class, name);
    const char *dot = strchr(name, '.');
    if (!driver && dot) {
        driver = dpl__catalog_driver_knowing(builder->catalog, device_class, dot + 1);
    }
    return driver;
}

/* A profile may have the values of all drivers of its class; a property that a user sets for one
 * run must exist. */
static void report_unknown(struct dpl__builder *builder, const struct dpl__instance *instance,
                           const struct dpl__assignment *assignment)
{
    bool from_person =
        assignment->origin == DPL__ORIGIN_BINDING || assignment->origin == DPL__ORIGIN_SET;
    const struct dpl_driver *other = driver_knowing(builder, instance, assignment->name);
    if (other && (!from_person || instance->driver_is_absent)) {
        return;
    }
    if (instance->driver_is_absent && !builder->resolve) {
        return;
    }
    const char *nearest = nearest_property(builder, instance, assignment->name);
    const char *hint = dpl__build_hint(builder, nearest);
    if (other && !nearest && instance->device) {
        hint = dpl_arena_printf(builder->arena, " (driver '%s' has it, the driver here is '%s')",
                                other->name, instance->device->model->driver->name);
    }
    struct dpl_diag diag;
    dpl_fail(&diag, -EINVAL, assignment->name_place, "unknown property '%.60s' of %s%s",
             assignment->name, instance->name, hint);
    diag.severity = from_person ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING;
    dpl_diags_add_diag(builder->diags, &diag);
}

static const char *type_word(enum dpl_field_type type)
{
    static const char *const words[] = {
        [DPL_FIELD_BOOL] = "bool",     [DPL_FIELD_INT] = "int",       [DPL_FIELD_DOUBLE] = "double",
        [DPL_FIELD_STRING] = "string", [DPL_FIELD_CHOICE] = "string",
    };
    return words[type];
}

static bool is_whole(const char *text)
{
    double value;
    text += strspn(text, " \t\r\n");
    return !dpl__number_read(text, &value) || value == floor(value);
}

/* Types used in OPRoS profiles; the class's field table determines the type, a different type is a
 * warning. */
static void check_type(struct dpl__builder *builder, const struct dpl_field *field,
                       const struct dpl__assignment *assignment)
{
    enum { TEXT, WHOLE, NUMBER, TRUTH };
    static const struct {
        const char *words;
        unsigned fits; /* bits of enum dpl_field_type */
    } types[] = {
        [TEXT] = {"string|std::string", 1u << DPL_FIELD_STRING | 1u << DPL_FIELD_CHOICE},
        [WHOLE] = {"int|long|short|unsigned int|size_t|std::size_t",
                   1u << DPL_FIELD_INT | 1u << DPL_FIELD_DOUBLE},
        [NUMBER] = {"double|float", 1u << DPL_FIELD_DOUBLE},
        [TRUTH] = {"bool|boolean", 1u << DPL_FIELD_BOOL},
    };
    for (size_t i = 0; i < DPL_COUNT(types); i++) {
        if (dpl__word_index(types[i].words, assignment->type) < 0) {
            continue;
        }
        if ((types[i].fits >> field->type & 1u) == 0) {
            dpl__build_warn(builder, assignment->name_place,
                            "property '%s' is typed '%.30s', the class reads it as %s", field->name,
                            assignment->type, type_word(field->type));
        } else if (i == WHOLE && !is_whole(assignment->text.text)) {
            dpl__build_warn(
                builder, assignment->name_place,
                "property '%s' is typed '%.30s', but its value '%.40s' is not a whole number",
                field->name, assignment->type, assignment->text.text);
        }
        return;
    }
    dpl__build_warn(builder, assignment->name_place, "property '%s' has the unknown type '%.30s'",
                    field->name, assignment->type);
}

/* Profiles set it in <execution_semantics>; bindings and --set have no such element. */
static bool is_late_limit(const struct dpl__assignment *assignment)
{
    return (assignment->origin == DPL__ORIGIN_BINDING || assignment->origin == DPL__ORIGIN_SET) &&
           dpl_name_equal(assignment->name, DPL__LATE_LIMIT);
}

static void apply(struct dpl__builder *builder, struct dpl__instance *instance,
                  const struct dpl__assignment *assignment)
{
    struct outcome outcome = {.assignment = assignment};
    bool has_driver = instance->class_->device_class != NULL;
    outcome.known = has_driver && dpl_name_equal(assignment->name, DPL__DRIVER_PROPERTY);
    parse_into(builder, &instance->block, assignment->name, &outcome);
    if (instance->device) {
        apply_to_device(builder, instance->device, assignment->name, &outcome);
    }
    if (outcome.failed) {
        dpl_diags_add_diag(builder->diags, &outcome.diag);
    } else if (!outcome.known && is_late_limit(assignment)) {
        dpl__build_late_limit(builder, instance, assignment);
    } else if (!outcome.known) {
        report_unknown(builder, instance, assignment);
    } else if (outcome.field && assignment->type) {
        check_type(builder, outcome.field, assignment);
    }
    if (outcome.what && is_last(assignment)) {
        char searched[DPL_DIAG_TEXT_MAX] = "";
        if (strcmp(outcome.what, "world") == 0) {
            dpl_catalog_say_searched(builder->catalog, "worlds", outcome.path, searched,
                                     sizeof searched);
        }
        dpl__build_absent(builder, assignment->text.place, "%s: there is no %s '%.120s'%s",
                          outcome.field->name, outcome.what, outcome.path, searched);
    }
}

/* ---- required properties --------------------------------------------------------------------- */

static void report_missing(struct dpl__builder *builder, const struct dpl__field_block *block,
                           const char *owner, struct dpl_place place)
{
    for (size_t i = 0; i < block->n; i++) {
        if (!block->fields[i].default_text && !block->assigned[i]) {
            dpl__build_error(builder, place, "%s lacks the property '%s'", owner,
                             block->fields[i].name);
        }
    }
}

static void report_missing_of_device(struct dpl__builder *builder,
                                     const struct dpl__device_build *device)
{
    const struct dpl_app_device *model = device->model;
    if (!model) {
        return;
    }
    const char *owner =
        dpl_arena_printf(builder->arena, "driver '%s' of %s", model->driver->name, model->name);
    report_missing(builder, &device->block, owner, model->place);
    for (size_t i = 0; i < device->n_sides; i++) {
        report_missing_of_device(builder, &device->sides[i]);
    }
}

/* ---- consistency of properties --------------------------------------------------------------- */

static void report_together(struct dpl__builder *builder, const struct dpl__instance *instance,
                            struct dpl_place place, const struct dpl_diag *diag)
{
    dpl__build_error(builder, place, "%s: %s", instance->name, diag->text);
}

static void check_device(struct dpl__builder *builder, const struct dpl__instance *instance,
                         const struct dpl__device_build *device)
{
    struct dpl_diag diag = {0};
    const struct dpl_app_device *model = device->model;
    if (!model) {
        return;
    }
    if (model->driver->check && model->driver->check(device->block.base, &diag) != 0) {
        report_together(builder, instance, model->place, &diag);
    }
    for (size_t i = 0; i < device->n_sides; i++) {
        check_device(builder, instance, &device->sides[i]);
    }
}

static void check_together(struct dpl__builder *builder, const struct dpl__instance *instance)
{
    struct dpl_diag diag = {0};
    if (instance->class_->check && instance->class_->check(instance->block.base, &diag) != 0) {
        report_together(builder, instance, instance->place, &diag);
    }
    if (instance->device) {
        check_device(builder, instance, instance->device);
    }
}

void dpl__build_properties(struct dpl__builder *builder, struct dpl__instance *instance,
                           bool complete)
{
    const struct dpl_component_class *class_ = instance->class_;
    if (!class_) {
        return;
    }
    size_t n_errors = builder->diags->n_errors;
    struct dpl__table table = {class_->properties, class_->n_properties, class_->properties_size};
    dpl__build_block(builder, &table, &instance->block);
    if (class_->device_class) {
        dpl__build_driver(builder, instance, complete);
    }
    for (const struct dpl__assignment *a = instance->assignments; a; a = a->next) {
        apply(builder, instance, a);
    }
    if (complete) {
        report_missing(builder, &instance->block, instance->name, instance->place);
        if (instance->device) {
            report_missing_of_device(builder, instance->device);
        }
    }
    if (complete && builder->diags->n_errors == n_errors) {
        check_together(builder, instance);
    }
}
