/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a study. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/schema.h>

#include "expr.h"
#include "number.h"
#include "study_parts.h"
#include "words.h"

enum { GRID_LEVELS = 3, CHOICES_MAX = 1000 };
#define TIME_LIMIT_S 300.0
#define EVERY_S      0.1

void study_error(struct study_reader *reader, struct dpl_place place, const char *format, ...)
{
    char text[DPL_DIAG_TEXT_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, place, "%s", text);
}

bool study_number(struct study_reader *reader, const struct dpl_xml_attribute *attribute,
                  double *ret_value)
{
    const char *end = dpl__number_read(attribute->value, ret_value);
    if (!end || *end != '\0') {
        study_error(reader, attribute->value_place, "%s: '%.60s' is not a number", attribute->name,
                    attribute->value);
        return false;
    }
    return true;
}

/* A number of an attribute within limits; if it is absent the default. */
static double number(struct study_reader *reader, const struct dpl_xml_node *node, const char *name,
                     double missing, double min, double max)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    double value = missing;
    if (!attribute || !study_number(reader, attribute, &value)) {
        return missing;
    }
    if (!(value >= min && value <= max)) {
        study_error(reader, attribute->value_place, "%s: %s is out of range, expected %g to %g",
                    name, attribute->value, min, max);
        return missing;
    }
    return value;
}

static double whole(struct study_reader *reader, const struct dpl_xml_node *node, const char *name,
                    double missing, double min, double max)
{
    double value = number(reader, node, name, missing, min, max);
    if (value != floor(value)) {
        study_error(reader, dpl_xml_attribute(node, name)->value_place,
                    "%s: %g is not a whole number", name, value);
        return missing;
    }
    return value;
}

/* "60 s", "300 ms", "2": seconds. */
static double seconds(struct study_reader *reader, const struct dpl_xml_node *node,
                      const char *name, double missing)
{
    static const struct dpl_field field = {.name = "time",
                                           .type = DPL_FIELD_DOUBLE,
                                           .size = sizeof(double),
                                           .unit = "s",
                                           .min = 1e-3,
                                           .max = 1e8};
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    double value = missing;
    struct dpl_diag error;
    if (attribute) {
        struct dpl_field_text text = {attribute->value, NULL, attribute->value_place};
        if (dpl_field_parse(&field, &text, &value, &error) < 0) {
            study_error(reader, attribute->value_place, "%s: %s", name, error.text);
        }
    }
    return value;
}

static const char *text_of(struct study_reader *reader, const struct dpl_xml_node *node,
                           const char *name)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    return dpl_arena_strdup(&reader->study->arena, attribute ? attribute->value : "");
}

/* Splits at '|'; blanks around a word do not count. */
static size_t split(struct study_reader *reader, const char *text, const char **ret_words,
                    size_t max)
{
    size_t n = 0;
    for (const char *at = text; at && n < max; n++) {
        const char *end = strchr(at, '|');
        const char *last = end ? end : at + strlen(at);
        while (at < last && dpl__is_blank(*at)) {
            at++;
        }
        while (last > at && dpl__is_blank(last[-1])) {
            last--;
        }
        ret_words[n] = dpl_arena_strndup(&reader->study->arena, at, (size_t)(last - at));
        at = end ? end + 1 : NULL;
    }
    return n;
}

static size_t count(const struct dpl_xml_node *root, const char *name)
{
    size_t n = 0;
    for (const struct dpl_xml_node *c = dpl_xml_child(root, name); c; c = dpl_xml_next(c, name)) {
        n++;
    }
    return n;
}

/* ---- what it is about ---- */

/* One of property, world and param, which the subject has. */
static bool read_target(struct study_reader *reader, const struct dpl_xml_node *node,
                        enum sweep_target *ret_target, const char **ret_path,
                        struct dpl_place *ret_place)
{
    static const char *const names[] = {"property", "world", "param"};
    static const unsigned has[] = {
        [SWEEP_APPLICATION] = 1 << SWEEP_TO_PROPERTY | 1 << SWEEP_TO_WORLD,
        [SWEEP_BENCH] = 1 << SWEEP_TO_PROPERTY | 1 << SWEEP_TO_WORLD,
        [SWEEP_WORLD] = 1 << SWEEP_TO_WORLD | 1 << SWEEP_TO_PARAM,
    };
    const struct dpl_xml_attribute *found = NULL;
    for (int i = 0; i < 3; i++) {
        const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, names[i]);
        if (attribute && found) {
            study_error(reader, attribute->place, "'%s' beside '%s': one is set", attribute->name,
                        found->name);
            return false;
        }
        if (attribute) {
            found = attribute;
            *ret_target = (enum sweep_target)i;
        }
    }
    if (!found) {
        study_error(reader, node->place, "<%s> lacks what it sets: 'property', 'world' or 'param'",
                    node->name);
        return false;
    }
    if ((has[reader->study->about] >> *ret_target & 1) == 0) {
        study_error(reader, found->place, "'%s': what this study is about has none", found->name);
        return false;
    }
    if (found->value[0] == '\0' || strchr(found->value, '=') ||
        (*ret_target != SWEEP_TO_PARAM && !strchr(found->value, '.'))) {
        study_error(reader, found->value_place, "%s: '%.80s' is not of the form %s", found->name,
                    found->value, *ret_target == SWEEP_TO_PARAM ? "NAME" : "OWNER.NAME");
        return false;
    }
    *ret_path = dpl_arena_strdup(&reader->study->arena, found->value);
    *ret_place = found->value_place;
    return true;
}

static void read_sets(struct study_reader *reader, const struct dpl_xml_node *subject)
{
    struct sweep_study *study = reader->study;
    struct sweep_set *sets =
        dpl_arena_alloc(&study->arena, (count(subject, "set") + 1) * sizeof *sets);
    for (const struct dpl_xml_node *c = dpl_xml_child(subject, "set"); c;
         c = dpl_xml_next(c, "set")) {
        struct sweep_set *set = &sets[study->n_sets];
        set->value = text_of(reader, c, "value");
        if (read_target(reader, c, &set->target, &set->path, &set->place)) {
            study->n_sets++;
        }
    }
    study->sets = sets;
}

static void read_binds(struct study_reader *reader, const struct dpl_xml_node *subject)
{
    struct sweep_study *study = reader->study;
    const struct dpl_xml_node *first = dpl_xml_child(subject, "bind");
    const char **binds =
        dpl_arena_alloc(&study->arena, (count(subject, "bind") + 1) * sizeof *binds);
    for (const struct dpl_xml_node *c = first; c; c = dpl_xml_next(c, "bind")) {
        binds[study->n_binds++] = text_of(reader, c, "name");
    }
    study->binds = binds;
    if (first && study->about > SWEEP_BENCH) {
        study_error(reader, first->place, "a %s has no bindings", subject->name);
    }
}

static bool read_subject(struct study_reader *reader, const struct dpl_xml_node *root)
{
    static const char *const names[] = {"application", "bench", "world"};
    struct sweep_study *study = reader->study;
    const struct dpl_xml_node *subject = NULL;
    for (int i = 0; i < 3; i++) {
        const struct dpl_xml_node *c = dpl_xml_child(root, names[i]);
        if (c && subject) {
            study_error(reader, c->place, "<%s> beside <%s>: a study is about one", c->name,
                        subject->name);
            return false;
        }
        subject = c ? c : subject;
        study->about = c ? (enum sweep_about)i : study->about;
    }
    if (!subject) {
        study_error(reader, root->place,
                    "<study> lacks what it is about: <application>, <bench> or <world>");
        return false;
    }
    study->file = text_of(reader, subject, "file");
    study->file_place = dpl_xml_attribute(subject, "file")->value_place;
    study->duration_s = seconds(reader, subject, "duration", 0.0);
    study->time_limit_s = seconds(reader, subject, "time_limit", TIME_LIMIT_S);
    study->every_s = seconds(reader, subject, "every", EVERY_S);
    if (study->duration_s == 0.0 &&
        (study->about == SWEEP_APPLICATION || study->about == SWEEP_WORLD)) {
        study_error(reader, subject->place, "<%s> lacks the attribute 'duration'", subject->name);
    }
    read_binds(reader, subject);
    read_sets(reader, subject);
    return true;
}

/* ---- what differs ---- */

struct sweep_vary *study_add_vary(struct study_reader *reader, struct dpl_place place)
{
    if (reader->study->n_varies == SWEEP_DIMENSIONS_MAX) {
        study_error(reader, place, "more than %d values differ", SWEEP_DIMENSIONS_MAX);
        return NULL;
    }
    struct sweep_vary *vary = &reader->varies[reader->study->n_varies++];
    *vary = (struct sweep_vary){.place = place, .unit = "", .levels = GRID_LEVELS};
    return vary;
}

/* The number of an attribute that a kind needs. */
static double needed(struct study_reader *reader, const struct dpl_xml_node *node, const char *name)
{
    double value = 0.0;
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    if (!attribute) {
        study_error(reader, node->place, "<vary> lacks the attribute '%s'", name);
    } else {
        study_number(reader, attribute, &value);
    }
    return value;
}

static void read_range(struct study_reader *reader, const struct dpl_xml_node *node,
                       struct sweep_vary *vary)
{
    size_t n_errors = reader->diags->n_errors;
    vary->from = needed(reader, node, "from");
    vary->to = needed(reader, node, "to");
    if (reader->diags->n_errors > n_errors) {
        return;
    }
    const struct dpl_xml_attribute *from = dpl_xml_attribute(node, "from");
    if (vary->to < vary->from) {
        study_error(reader, from->value_place, "from: %s is more than 'to'", from->value);
    } else if (vary->kind == SWEEP_LOG && vary->from <= 0.0) {
        study_error(reader, from->value_place, "from: a logarithm needs more than 0");
    }
}

static void read_steps(struct study_reader *reader, const struct dpl_xml_node *node,
                       struct sweep_vary *vary)
{
    vary->step = needed(reader, node, "step");
    double n = vary->step > 0.0 ? floor((vary->to - vary->from) / vary->step + 1e-9) + 1.0 : 0.0;
    const struct dpl_xml_attribute *step = dpl_xml_attribute(node, "step");
    if (step && !(n >= 1.0 && n <= SWEEP_RUNS_MAX)) {
        study_error(reader, step->value_place, "step: makes no number of values from 1 to %d",
                    SWEEP_RUNS_MAX);
    }
    vary->n_choices = n >= 1.0 && n <= SWEEP_RUNS_MAX ? (size_t)n : 1;
    vary->levels = vary->n_choices;
}

static void read_kind(struct study_reader *reader, const struct dpl_xml_node *node,
                      struct sweep_vary *vary)
{
    const char *choices[CHOICES_MAX];
    const struct dpl_xml_attribute *values = dpl_xml_attribute(node, "values");
    switch (vary->kind) {
    case SWEEP_UNIFORM:
    case SWEEP_LOG: read_range(reader, node, vary); return;
    case SWEEP_STEP:
        read_range(reader, node, vary);
        read_steps(reader, node, vary);
        return;
    case SWEEP_NORMAL:
        vary->mean = needed(reader, node, "mean");
        vary->sigma = needed(reader, node, "sigma");
        if (vary->sigma < 0.0) {
            study_error(reader, dpl_xml_attribute(node, "sigma")->value_place, "sigma: is below 0");
        }
        return;
    case SWEEP_CHOICE:
        if (!values) {
            study_error(reader, node->place, "<vary> lacks the attribute 'values'");
            return;
        }
        vary->n_choices = split(reader, values->value, choices, CHOICES_MAX);
        vary->levels = vary->n_choices;
        const char **kept = dpl_arena_alloc(&reader->study->arena, vary->n_choices * sizeof *kept);
        memcpy(kept, choices, vary->n_choices * sizeof *kept);
        vary->choices = kept;
        return;
    }
}

static void read_vary(struct study_reader *reader, const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *from = dpl_xml_attribute(node, "from");
    const struct dpl_xml_attribute *kind = dpl_xml_attribute(node, "kind");
    bool names = dpl_xml_attribute(node, "property") || dpl_xml_attribute(node, "world") ||
                 dpl_xml_attribute(node, "param");
    if (from && !names && !kind) {
        study_add_calibrated(reader, from);
        return;
    }
    struct sweep_vary *vary = study_add_vary(reader, node->place);
    if (!vary || !read_target(reader, node, &vary->target, &vary->path, &vary->place)) {
        return;
    }
    int index = kind ? dpl__word_index("uniform|normal|log|choice|step", kind->value) : 0;
    vary->kind = index < 0 ? SWEEP_UNIFORM : (enum sweep_kind)index; /* reported already */
    vary->unit = text_of(reader, node, "unit");
    read_kind(reader, node, vary);
    if (vary->kind != SWEEP_CHOICE && vary->kind != SWEEP_STEP) {
        vary->levels = (size_t)whole(reader, node, "levels", GRID_LEVELS, 1, 10000);
    }
}

static void check_names(struct study_reader *reader)
{
    for (size_t i = 0; i < reader->study->n_varies; i++) {
        const struct sweep_vary *vary = &reader->varies[i];
        for (size_t k = 0; k < i && vary->path; k++) {
            if (reader->varies[k].path && strcmp(vary->path, reader->varies[k].path) == 0) {
                study_error(reader, vary->place, "'%.80s' differs already", vary->path);
            }
        }
    }
}

/* ---- design ---- */

static void read_points(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    size_t n = count(root, "point");
    const char **points =
        dpl_arena_alloc(&study->arena, (n * study->n_varies + 1) * sizeof *points);
    const char *words[SWEEP_DIMENSIONS_MAX + 1];
    size_t at = 0;
    for (const struct dpl_xml_node *c = dpl_xml_child(root, "point"); c;
         c = dpl_xml_next(c, "point")) {
        const struct dpl_xml_attribute *values = dpl_xml_attribute(c, "values");
        size_t found = split(reader, values->value, words, SWEEP_DIMENSIONS_MAX + 1);
        if (found != study->n_varies) {
            study_error(reader, values->value_place,
                        "values: found %zu, expected %zu: one for "
                        "each <vary>",
                        found, study->n_varies);
            return;
        }
        memcpy(points + at, words, found * sizeof *words);
        at += found;
    }
    study->points = points;
    study->design.n_points = n;
}

static double count_grid(struct study_reader *reader)
{
    double n = 1.0;
    for (size_t i = 0; i < reader->study->n_varies; i++) {
        reader->study->design.levels[i] = reader->varies[i].levels;
        n *= (double)reader->varies[i].levels;
    }
    return n;
}

static void read_design(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    const struct dpl_xml_node *node = dpl_xml_child(root, "design");
    struct sweep_design *design = &study->design;
    const struct dpl_xml_attribute *runs = dpl_xml_attribute(node, "runs");
    design->type = (enum sweep_design_type)dpl__word_index(SWEEP_DESIGN_TYPES,
                                                           dpl_xml_attribute(node, "type")->value);
    design->seed = (uint64_t)whole(reader, node, "seed", 1, 0, 0x1p53);
    study->replicates = (uint64_t)whole(reader, node, "replicates", 1, 1, SWEEP_RUNS_MAX);
    design->n_dimensions = study->n_varies;
    bool counts = design->type == SWEEP_GRID || design->type == SWEEP_LIST;
    double n = whole(reader, node, "runs", 0, 1, SWEEP_RUNS_MAX);
    if (counts && runs) {
        study_error(reader, runs->place, "a %s has as many points as its values make",
                    dpl_xml_attribute(node, "type")->value);
    } else if (!counts && !runs) {
        study_error(reader, node->place, "<design> lacks the attribute 'runs'");
    }
    if (design->type == SWEEP_GRID) {
        n = count_grid(reader);
    } else if (design->type == SWEEP_LIST) {
        read_points(reader, root);
        n = (double)design->n_points;
    } else if (design->type == SWEEP_SOBOL && study->n_varies > SWEEP_SOBOL_MAX) {
        study_error(reader, node->place, "sobol has at most %d values that differ; halton has more",
                    SWEEP_SOBOL_MAX);
    }
    if (n * (double)study->replicates > SWEEP_RUNS_MAX) {
        study_error(reader, node->place, "%.0f runs: at most %d", n * (double)study->replicates,
                    SWEEP_RUNS_MAX);
    } else if (n < 1.0 && reader->diags->n_errors == 0) {
        study_error(reader, node->place, "there is no run");
    }
    design->n_points = (size_t)n;
}

/* ---- measures, acceptance ---- */

#define COLUMNS "id|point|replicate|seed|identity|status|verdict|duration_s|text|run_wall"

/* A time from which on nothing counts is a mistake. */
static void check_after(struct study_reader *reader, const struct dpl_xml_node *measure,
                        double after_s)
{
    const struct dpl_xml_attribute *after = dpl_xml_attribute(measure, "after");
    double duration_s = reader->study->duration_s;
    if (after && !dpl_xml_attribute(measure, "reduce")) {
        study_error(reader, after->value_place, "'after' is of a measure with 'reduce'");
    } else if (after && duration_s > 0.0 && after_s >= duration_s) {
        study_error(reader, after->value_place, "after: a run ends at %g s", duration_s);
    }
}

static void read_measures(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    struct sweep_measure *measures =
        dpl_arena_alloc(&study->arena, SWEEP_MEASURES_MAX * sizeof *measures);
    study->measures = measures;
    for (const struct dpl_xml_node *c = dpl_xml_child(root, "measure"); c;
         c = dpl_xml_next(c, "measure")) {
        const struct dpl_xml_attribute *name = dpl_xml_attribute(c, "name");
        if (study->n_measures == SWEEP_MEASURES_MAX) {
            study_error(reader, c->place, "more than %d measures", SWEEP_MEASURES_MAX);
            return;
        }
        if (!dpl__expr_is_name(name->value) || dpl__expr_is_reserved(name->value)) {
            study_error(reader, name->value_place, "'%.60s' cannot be a name in expressions",
                        name->value);
        }
        if (dpl__word_index(COLUMNS, name->value) >= 0) {
            study_error(reader, name->value_place, "'%s' is another column of the table",
                        name->value);
        }
        for (size_t i = 0; i < study->n_measures; i++) {
            if (strcmp(measures[i].name, name->value) == 0) {
                study_error(reader, name->value_place, "a second measure '%.60s'", name->value);
            }
        }
        const struct dpl_xml_attribute *reduce = dpl_xml_attribute(c, "reduce");
        double after_s = seconds(reader, c, "after", 0.0);
        check_after(reader, c, after_s);
        measures[study->n_measures++] = (struct sweep_measure){
            .name = text_of(reader, c, "name"),
            .value = text_of(reader, c, "value"),
            .unit = text_of(reader, c, "unit"),
            .place = dpl_xml_attribute(c, "value")->value_place,
            .reduce = reduce ? dpl__word_index("last|min|max|mean|rms", reduce->value) : SWEEP_LAST,
            .after_s = after_s,
        };
    }
}

static size_t find_measure(const struct sweep_study *study, const char *name)
{
    size_t i = 0;
    while (i < study->n_measures && strcmp(study->measures[i].name, name) != 0) {
        i++;
    }
    return i;
}

static void read_quantile(struct study_reader *reader, const struct dpl_xml_node *node,
                          struct sweep_accept *accept)
{
    const struct dpl_xml_attribute *measure = dpl_xml_attribute(node, "measure");
    const char *names[SWEEP_MEASURES_MAX];
    const struct sweep_study *study = reader->study;
    for (size_t i = 0; i < study->n_measures; i++) {
        names[i] = study->measures[i].name;
    }
    accept->measure = find_measure(study, measure->value);
    if (accept->measure == study->n_measures) {
        const char *near = dpl_nearest(measure->value, names, study->n_measures);
        study_error(reader, measure->value_place, "there is no measure '%.60s'%s%s%s",
                    measure->value, near ? ", did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
    }
    accept->quantile = number(reader, node, "quantile", 0.5, 0.0, 1.0);
    accept->max = number(reader, node, "max", (double)INFINITY, -1e300, 1e300);
    accept->min = number(reader, node, "min", -(double)INFINITY, -1e300, 1e300);
    if (!dpl_xml_attribute(node, "max") && !dpl_xml_attribute(node, "min")) {
        study_error(reader, node->place, "<accept> of a quantile lacks 'max' or 'min'");
    }
}

static void read_condition(struct study_reader *reader, const struct dpl_xml_node *node,
                           struct sweep_accept *accept)
{
    struct dpl__expr_error error;
    struct dpl__expr_name names[SWEEP_MEASURES_MAX];
    const struct sweep_study *study = reader->study;
    struct dpl__expr_scope scope = {.names = names, .n_names = study->n_measures};
    for (size_t i = 0; i < study->n_measures; i++) {
        names[i] = (struct dpl__expr_name){study->measures[i].name, 1.0};
    }
    accept->when = text_of(reader, node, "when");
    accept->place = dpl_xml_attribute(node, "when")->value_place;
    if (dpl__expr_check(accept->when, strlen(accept->when), &scope, &error) < 0) {
        study_error(reader, accept->place, "%s", error.text);
    }
}

static void read_when(struct study_reader *reader, const struct dpl_xml_node *node,
                      struct sweep_accept *accept)
{
    read_condition(reader, node, accept);
    accept->rate = number(reader, node, "rate", 1.0, 0.0, 1.0);
    if (!dpl_xml_attribute(node, "rate")) {
        study_error(reader, node->place, "<accept> of runs lacks 'rate'");
    }
}

static void read_stops(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    struct sweep_accept *stops = dpl_arena_alloc(&study->arena, SWEEP_ACCEPTS_MAX * sizeof *stops);
    study->stops = stops;
    for (const struct dpl_xml_node *c = dpl_xml_child(root, "stop"); c;
         c = dpl_xml_next(c, "stop")) {
        if (study->n_stops == SWEEP_ACCEPTS_MAX) {
            study_error(reader, c->place, "more than %d <stop>", SWEEP_ACCEPTS_MAX);
            return;
        }
        read_condition(reader, c, &stops[study->n_stops++]);
    }
}

static void read_accepts(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    struct sweep_accept *accepts =
        dpl_arena_alloc(&study->arena, SWEEP_ACCEPTS_MAX * sizeof *accepts);
    study->accepts = accepts;
    for (const struct dpl_xml_node *c = dpl_xml_child(root, "accept"); c;
         c = dpl_xml_next(c, "accept")) {
        const struct dpl_xml_attribute *when = dpl_xml_attribute(c, "when");
        const struct dpl_xml_attribute *measure = dpl_xml_attribute(c, "measure");
        if (study->n_accepts == SWEEP_ACCEPTS_MAX) {
            study_error(reader, c->place, "more than %d <accept>", SWEEP_ACCEPTS_MAX);
            return;
        }
        struct sweep_accept *accept = &accepts[study->n_accepts++];
        accept->place = c->place;
        accept->confidence = number(reader, c, "confidence", 0.95, 0.5, 0.9999);
        if (!when == !measure) {
            study_error(reader, c->place, "<accept> has either 'when' or 'measure'");
        } else if (when) {
            read_when(reader, c, accept);
        } else {
            read_quantile(reader, c, accept);
        }
    }
}

int sweep_accept_holds(const struct sweep_study *study, const struct sweep_accept *accept,
                       const double *measures, bool *ret_holds, struct dpl_diag *reterr)
{
    struct dpl__expr_name names[SWEEP_MEASURES_MAX];
    struct dpl__expr_error error;
    double value = 0.0;
    *ret_holds = false;
    size_t n = 0;
    for (size_t i = 0; i < study->n_measures; i++) {
        if (!isnan(measures[i])) {
            names[n++] = (struct dpl__expr_name){study->measures[i].name, measures[i]};
        }
    }
    if (dpl__expr_value(accept->when, strlen(accept->when), names, n, &value, &error) < 0) {
        struct dpl_place place = accept->place;
        return dpl_fail(reterr, -EINVAL, place, "%s", error.text);
    }
    *ret_holds = value != 0.0;
    return 0;
}

/* ---- all of it ---- */

static void read_root(struct study_reader *reader, const struct dpl_xml_node *root)
{
    struct sweep_study *study = reader->study;
    const struct dpl_xml_node *description = dpl_xml_child(root, "description");
    study->name = dpl_xml_child(root, "name")->text;
    study->description = description ? description->text : "";
    if (!read_subject(reader, root)) {
        return;
    }
    for (const struct dpl_xml_node *c = dpl_xml_child(root, "vary"); c;
         c = dpl_xml_next(c, "vary")) {
        read_vary(reader, c);
    }
    check_names(reader);
    read_design(reader, root);
    read_measures(reader, root);
    read_accepts(reader, root);
    read_stops(reader, root);
}

int sweep_study_read(const char *file, const void *bytes, size_t n, struct sweep_study *ret_study,
                     struct dpl_diags *diags)
{
    const struct dpl_xml_node *root;
    struct dpl_diag error;
    size_t n_errors = diags->n_errors;
    *ret_study = (struct sweep_study){.name = ""};
    struct study_reader reader = {ret_study, diags, file, NULL};
    if (dpl_xml_read_memory(&ret_study->arena, file, bytes, n, &root, &error) < 0) {
        dpl_diags_add_diag(diags, &error);
        return -EINVAL;
    }
    if (strcmp(root->name, "study") != 0) {
        study_error(&reader, root->place, "<%.40s> is no study, expected <study>", root->name);
        return -EINVAL;
    }
    reader.varies =
        dpl_arena_alloc(&ret_study->arena, SWEEP_DIMENSIONS_MAX * sizeof *reader.varies);
    ret_study->varies = reader.varies;
    if (dpl_schema_check("study", root, diags) == 0) {
        read_root(&reader, root);
    }
    return diags->n_errors > n_errors ? -EINVAL : 0;
}

void sweep_study_finish(struct sweep_study *study)
{
    dpl_arena_finish(&study->arena);
    *study = (struct sweep_study){.name = ""};
}
