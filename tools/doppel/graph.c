/* SPDX-License-Identifier: Apache-2.0 */
/* doppel graph: draws an application: components with their drivers, connections, executors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <doppel/host/runtime.h>
#include <doppel/output.h>
#include <doppel/text.h>

#include "commands.h"
#include "common.h"
#include "outputs.h"

struct values {
    struct option_list bind, set;
    const char *output, *format;
};

/* In a string of the language DOT: a name of a profile may have quotes and backslashes, and
 * Graphviz gives what follows a backslash a meaning. */
static void print_text(FILE *out, const char *text)
{
    char clean[DPL_TEXT_CLEAN_SIZE(1024)];
    dpl_text_clean(text, clean, sizeof clean);
    for (const char *c = clean; *c != '\0'; c++) {
        fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
}

static void print_line(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    print_text(out, text);
}

static void print_driver(FILE *out, const struct dpl_app_device *device)
{
    print_line(out, "\\n", device->driver->name);
    for (size_t i = 0; i < device->driver->n_sides; i++) {
        print_line(out, i ? " + " : ": ", device->driver->sides[i].name);
        print_line(out, " ", device->sides[i].driver->name);
    }
}

static void print_component(FILE *out, const struct dpl_app_component *component, size_t index)
{
    static const char *const types[] = {"periodic", "periodic-shared", "periodic-exclusive",
                                        "aperiodic", "passive"};
    fprintf(out, "  c%zu", index);
    print_line(out, " [label=\"", component->name);
    if (strcmp(component->name, component->class_->name) != 0) {
        print_line(out, "\\n(", component->class_->name);
        fputc(')', out);
    }
    if (component->device) {
        print_driver(out, component->device);
    } else if (component->class_->device_class) {
        print_line(out, "\\nany driver of ", component->class_->device_class);
    }
    fprintf(out, "\\n%s", types[component->execution.type]);
    if (component->execution.period > 0) {
        fprintf(out, " %.13g ms", (double)component->execution.period / 1e6);
    }
    if (component->execution.rate_group) {
        print_line(out, "\\nrate group ", component->execution.rate_group);
    }
    fprintf(out, "\"%s];\n", component->class_->device_class ? ", fillcolor=\"#e8f0fe\"" : "");
}

static void print_connection(FILE *out, const struct dpl_app *app,
                             const struct dpl_app_connection *connection)
{
    static const char *const styles[] = {
        [DPL_PORT_DATA] = "color=\"#1a73e8\"",
        [DPL_PORT_EVENT] = "color=\"#e37400\", style=dashed",
        [DPL_PORT_SERVICE] = "color=\"#188038\", arrowhead=odot",
    };
    const struct dpl_app_component *source = &app->components[connection->source];
    const struct dpl_app_component *target = &app->components[connection->target];
    const char *from = source->class_->ports[connection->source_port].name;
    const char *to = target->class_->ports[connection->target_port].name;
    fprintf(out, "  c%zu -> c%zu", connection->source, connection->target);
    print_line(out, " [label=\"", from);
    if (strcmp(from, to) != 0) {
        print_line(out, " -> ", to);
    }
    fprintf(out, "\", %s];\n", styles[connection->kind]);
}

static void print_dot(FILE *out, const struct dpl_app *app)
{
    print_line(out, "digraph \"", app->name);
    fputs("\" {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
          "fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
          out);
    for (size_t i = 0; i < app->n_components; i++) {
        print_component(out, &app->components[i], i);
    }
    for (size_t i = 0; i < app->n_connections; i++) {
        print_connection(out, app, &app->connections[i]);
    }
    for (size_t i = 0; i < app->n_depends; i++) {
        fprintf(out, "  c%zu -> c%zu [label=\"before\", color=gray, style=dotted];\n",
                app->depends[i].source, app->depends[i].target);
    }
    fprintf(out, "}\n");
}

/* Graphviz draws the SVG: dot reads from a pipe and writes to our standard output, or to `file`. */
static int draw_svg(const struct dpl_app *app, const char *file)
{
    char command[DPL_OUTPUT_PATH_MAX + 32];
    if (file && strchr(file, '\'')) {
        fprintf(stderr, "doppel graph: --output: expected a name without '\n");
        return DPL_EXIT_USAGE;
    }
    snprintf(command, sizeof command, file ? "dot -Tsvg -o '%s'" : "dot -Tsvg", file);
    fflush(stdout);
    FILE *pipe = popen(command, "w");
    if (!pipe) {
        perror("doppel graph: dot");
        return DPL_EXIT_FAULT;
    }
    print_dot(pipe, app);
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "doppel graph: Graphviz's dot failed; is the package graphviz installed? "
                        "`--format dot` works without it\n");
        return DPL_EXIT_FAULT;
    }
    return DPL_EXIT_DONE;
}

static int draw_as(const struct dpl_app *app, bool svg, struct dpl_output *output)
{
    if (svg) { /* dot opens the same file by its name */
        return draw_svg(app, output->part ? output->part : output->path);
    }
    print_dot(output->stream, app);
    return DPL_EXIT_DONE;
}

static int draw_to(const struct dpl_app *app, bool svg, const char *file)
{
    struct dpl_output output;
    struct dpl_diag error = {0};
    if (dpl_output_open(&output, file, &error) < 0) {
        fprintf(stderr, "doppel graph: %s\n", error.text);
        return DPL_EXIT_BAD_INPUT;
    }
    int code = draw_as(app, svg, &output);
    if (code != DPL_EXIT_DONE) {
        dpl_output_abandon(&output);
    } else if (dpl_output_close(&output, &error) < 0) {
        fprintf(stderr, "doppel graph: %s\n", error.text);
        code = DPL_EXIT_FAULT;
    }
    return code;
}

static int draw(const struct dpl_app *app, const struct values *values)
{
    bool svg = strcmp(values->format, "svg") == 0;
    if (!svg && strcmp(values->format, "dot") != 0) {
        fprintf(stderr, "doppel graph: --format: found '%s', expected dot or svg\n",
                values->format);
        return DPL_EXIT_USAGE;
    }
    const struct cli_path output = {"--output", values->output}, input = {"APP", app->file};
    if (cli_check_outputs("graph", &output, 1, &input, 1) < 0) {
        return DPL_EXIT_USAGE;
    }
    if (values->output) {
        return draw_to(app, svg, values->output);
    }
    if (svg) {
        return draw_svg(app, NULL);
    }
    print_dot(stdout, app);
    return DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {.format = "dot"};
    int n = options_parse(&command_graph, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("graph");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_app_options options = {.bindings = values.bind.items,
                                      .n_bindings = values.bind.n,
                                      .sets = values.set.items,
                                      .n_sets = values.set.n,
                                      .incomplete = true};
    struct dpl_app *app = NULL;
    struct dpl_diags diags = {0};
    int code = DPL_EXIT_BAD_INPUT;
    if (cli_load_app(catalog, "apps", argv[1], &options, &app, &diags) == 0) {
        code = draw(app, &values);
        dpl_app_destroy(app);
    }
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    dpl_catalog_destroy(catalog);
    return code;
}

#define V(member) offsetof(struct values, member)

static const struct option options[] = {
    {"bind", "NAME", OPTION_LIST, V(bind), 0, 0, "apply a binding profile", "binding"},
    {"set", "C.P=VALUE", OPTION_LIST, V(set), 0, 0, "override a property", NULL},
    {"format", "dot|svg", OPTION_STRING, V(format), 0, 0,
     "dot (default) or svg, which needs Graphviz", "dot|svg"},
    {"output", "FILE", OPTION_STRING, V(output), 0, 0, "write there instead of standard output",
     "file"},
};

const struct command command_graph = {
    .name = "graph",
    .operands = "APP",
    .summary = "draws an application: components, drivers, connections",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
