/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/host/bench_file.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "dialect.h"
#include "xml_reader.h"

struct numbers {
    double duration_s, at_s, hold_s;
    int64_t seed;
};

static const struct dpl_field fields[] = {
    DPL_NUMBER(struct numbers, duration_s, "duration", "s", NULL, 1e-9, 1e8, ""),
    DPL_NUMBER(struct numbers, at_s, "at", "s", NULL, 0, 1e8, ""),
    DPL_NUMBER(struct numbers, hold_s, "for", "s", NULL, 1e-9, 1e6, ""),
    DPL_INT(struct numbers, seed, "seed", NULL, 0, 9e15, ""),
};

struct loaded {
    struct dpl_bench self; /* must be first */
    struct dpl_arena arena;
};

struct reader {
    struct dpl_bench *bench;
    const char **bindings, **sets;
    struct dpl_bench_input *inputs;
    struct dpl_bench_expected *expected;
    struct dpl_diags *diags;
};

/* An attribute that may be absent. */
static void read_number(struct reader *reader, const struct dpl_xml_node *node, const char *name,
                        struct numbers *numbers)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    const struct dpl_field *field = dpl_field_find(fields, DPL_COUNT(fields), name);
    struct dpl_diag why = {0};
    if (attribute) {
        struct dpl_field_text text = {.text = attribute->value, .place = attribute->value_place};
        if (dpl_field_parse(field, &text, numbers, &why) < 0) {
            dpl_diags_add_diag(reader->diags, &why);
        }
    }
}

static const char *text_of(const struct dpl_xml_node *node, const char *name)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, name);
    return attribute ? attribute->value : "";
}

static void add_input(struct reader *reader, const struct dpl_xml_node *node, bool is_put)
{
    struct dpl_bench *bench = reader->bench;
    struct numbers numbers = {0};
    read_number(reader, node, "at", &numbers);
    read_number(reader, node, "for", &numbers);
    struct dpl_bench_input *input = &reader->inputs[bench->n_inputs++];
    *input = (struct dpl_bench_input){.at = dpl_ns_from_s(numbers.at_s),
                                      .hold = dpl_ns_from_s(numbers.hold_s),
                                      .is_put = is_put,
                                      .name = text_of(node, is_put ? "channel" : "property"),
                                      .value = node->text};
    if (bench->n_inputs > 1 && input[-1].at > input->at) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "at: it is before the one above: they stand in the order of time");
    }
}

static void read_child(struct reader *reader, const struct dpl_xml_node *node)
{
    struct dpl_bench *bench = reader->bench;
    if (strcmp(node->name, "bind") == 0) {
        reader->bindings[bench->n_bindings++] = node->text;
    } else if (strcmp(node->name, "set") == 0) {
        reader->sets[bench->n_sets++] = node->text;
    } else if (strcmp(node->name, "expect") == 0) {
        reader->expected[bench->n_expected++] =
            (struct dpl_bench_expected){text_of(node, "value"), node->text};
    } else {
        add_input(reader, node, strcmp(node->name, "put_at") == 0);
    }
}

/* Room for as many of each kind as there are elements. */
static void make_room(struct reader *reader, struct dpl_arena *arena,
                      const struct dpl_xml_node *root)
{
    size_t n = 1;
    for (const struct dpl_xml_node *child = root->children; child; child = child->next) {
        n++;
    }
    struct dpl_bench *bench = reader->bench;
    bench->bindings = reader->bindings = dpl_arena_alloc(arena, n * sizeof *reader->bindings);
    bench->sets = reader->sets = dpl_arena_alloc(arena, n * sizeof *reader->sets);
    bench->inputs = reader->inputs = dpl_arena_alloc(arena, n * sizeof *reader->inputs);
    bench->expected = reader->expected = dpl_arena_alloc(arena, n * sizeof *reader->expected);
}

static void read_root(struct reader *reader, const struct dpl_xml_node *root)
{
    struct numbers numbers = {.seed = 1};
    read_number(reader, root, "duration", &numbers);
    read_number(reader, root, "seed", &numbers);
    reader->bench->application = text_of(root, "application");
    reader->bench->duration = dpl_ns_from_s(numbers.duration_s);
    reader->bench->seed = (uint64_t)numbers.seed;
    for (const struct dpl_xml_node *child = root->children; child; child = child->next) {
        read_child(reader, child);
    }
}

/* What is not known would be left out of the repetition: an error. */
static void check(struct reader *reader, const struct dpl_xml_node *root)
{
    struct dpl_diags found = {0};
    dpl__dialect_check(&dpl__dialect_bench, root, &found);
    for (size_t i = 0; i < found.n; i++) {
        struct dpl_diag one = found.items[i];
        one.severity = DPL_SEVERITY_ERROR;
        dpl_diags_add_diag(reader->diags, &one);
    }
    if (found.n == 0) {
        read_root(reader, root);
    }
    dpl_diags_finish(&found);
}

int dpl_bench_read(const char *file, struct dpl_bench **ret_bench, struct dpl_diags *diags)
{
    struct loaded *loaded = calloc(1, sizeof *loaded);
    const struct dpl_xml_node *root;
    struct dpl_diag why = {0};
    size_t first = diags->n, n_errors = diags->n_errors;
    if (!loaded) {
        return -ENOMEM;
    }
    struct reader reader = {.bench = &loaded->self, .diags = diags};
    /* what is no XML is told by those who read all other files */
    int r = dpl_xml_read_file(&loaded->arena, file, &root, &why) < 0 ||
                    !dpl__dialect_is(&dpl__dialect_bench, root->name)
                ? -EMEDIUMTYPE
                : 0;
    if (r == 0) {
        make_room(&reader, &loaded->arena, root);
        check(&reader, root);
        r = diags->n_errors > n_errors ? -EINVAL : 0;
    }
    for (size_t i = first; i < diags->n; i++) {
        diags->items[i].place.file = file; /* the tree's own copy may go */
    }
    if (r < 0) {
        dpl_bench_destroy(&loaded->self);
        return r;
    }
    *ret_bench = &loaded->self;
    return 0;
}

void dpl_bench_destroy(struct dpl_bench *bench)
{
    if (bench) {
        struct loaded *loaded = (struct loaded *)bench;
        dpl_arena_finish(&loaded->arena);
        free(loaded);
    }
}
