/* SPDX-License-Identifier: Apache-2.0 */
/* doppel info: prints the description of a class, a driver or an entry of worlds from its tables.
 */
#include <stdio.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "entries.h"
#include "fields.h"
#include "info_app.h"
#include "params.h"
#include "sim_world.h"

static const char *const policies[] = {
    [DPL_QUEUE_LAST] = "LAST",
    [DPL_QUEUE_FIFO] = "FIFO",
    [DPL_QUEUE_LIFO] = "LIFO",
    [DPL_QUEUE_UFIFO] = "UFIFO",
};

static void print_port(const struct dpl_port_desc *port)
{
    static const char *const data_words[] = {"data in", "data out"};
    static const char *const event_words[] = {"event in", "event out"};
    static const char *const service_words[] = {"requires", "provides"};
    const char *const *words = port->kind == DPL_PORT_DATA    ? data_words
                               : port->kind == DPL_PORT_EVENT ? event_words
                                                              : service_words;
    const char *type = port->service   ? port->service->name
                       : port->message ? port->message->name
                                       : "";
    printf("  %-24s %-10s %-32s %-6s%s %s\n", cli_clean(port->name), words[port->dir],
           cli_clean(type),
           port->kind == DPL_PORT_DATA && port->dir == DPL_PORT_IN ? policies[port->policy] : "",
           port->required ? " required;" : "", cli_clean(port->summary));
}

static void print_methods(const struct dpl_port_desc *port)
{
    for (unsigned i = 0; i < port->service->n_methods; i++) {
        const ProtobufCMethodDescriptor *method = &port->service->methods[i];
        printf("    %s(%s) -> %s\n", cli_clean(method->name), cli_clean(method->input->short_name),
               cli_clean(method->output->short_name));
    }
}

static void print_class(struct dpl_catalog *catalog, const struct dpl_component_class *class)
{
    printf("component class %s: %s\n", cli_clean(class->name), cli_clean(class->summary));
    printf("  plugin: %s\n", cli_clean(dpl_catalog_class_file(catalog, class)));
    if (class->device_class) {
        printf("  device class: %s (ApiName names the driver)\n", cli_clean(class->device_class));
    }
    printf("  default period: %g ms\n", dpl_ns_to_s(class->default_period) * 1e3);
    if (class->n_ports > 0) {
        printf("\nports:\n");
    }
    for (size_t i = 0; i < class->n_ports; i++) {
        print_port(&class->ports[i]);
        if (class->ports[i].service && class->ports[i].dir == DPL_PORT_OUT) {
            print_methods(&class->ports[i]);
        }
    }
    fields_print("properties (name, type, unit, default, range)", class->properties,
                 class->n_properties, false);
    fields_print("published variables", class->exports, class->n_exports, true);
}

static void print_driver(const struct dpl_driver *driver)
{
    printf("driver %s/%s: %s\n", cli_clean(driver->device_class->name), cli_clean(driver->name),
           cli_clean(driver->summary));
    for (size_t i = 0; i < driver->n_sides; i++) {
        printf("  side %s: its driver is property %s; its properties may be scoped %s.NAME\n",
               cli_clean(driver->sides[i].name), cli_clean(driver->sides[i].driver_property),
               cli_clean(driver->sides[i].name));
    }
    fields_print("properties (name, type, unit, default, range)", driver->properties,
                 driver->n_properties, false);
    fields_print("counters", driver->exports, driver->n_exports, true);
}

/* "kobuki", or "wheel_controller/kobuki" when the name alone is ambiguous. */
static bool driver_matches(const struct dpl_driver *driver, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash) {
        return dpl_name_equal(driver->name, name);
    }
    char device_class[64];
    snprintf(device_class, sizeof device_class, "%.*s", (int)(slash - name), name);
    return dpl_name_equal(driver->device_class->name, device_class) &&
           dpl_name_equal(driver->name, slash + 1);
}

static int print_matches(struct dpl_catalog *catalog, const char *name)
{
    int found = 0;
    for (size_t i = 0; i < dpl_catalog_n_classes(catalog); i++) {
        const struct dpl_component_class *class = dpl_catalog_class_at(catalog, i);
        if (dpl_name_equal(class->name, name)) {
            print_class(catalog, class);
            found++;
        }
    }
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = dpl_catalog_driver_at(catalog, i);
        if (driver_matches(driver, name)) {
            printf("%s", found ? "\n" : "");
            print_driver(driver);
            found++;
        }
    }
    return found;
}

/* If no name is similar to a driver's name, lists the drivers of its device class. */
static void complain(struct dpl_catalog *catalog, const struct entries *entries, const char *name)
{
    char near[128], device_class[64], hint[CLI_HINT_BYTES];
    struct dpl_diag diag;
    const struct dpl_driver *driver;
    const char *slash = strchr(name, '/'), *end = strrchr(name, '.');
    if (end && (strcmp(end, ".xml") == 0 || strcmp(end, ".json") == 0)) {
        fprintf(stderr, "doppel info: there is no world '%s'\n", name);
        return;
    }
    if (entries_complain(entries, name)) {
        return;
    }
    if (dpl_catalog_suggest(catalog, name, near, sizeof near)) {
        fprintf(stderr, "doppel info: no class or driver '%s', did you mean '%s'?\n", name, near);
        return;
    }
    snprintf(device_class, sizeof device_class, "%.*s", slash ? (int)(slash - name) : 0, name);
    if (slash && dpl_catalog_driver(catalog, device_class, slash + 1, &driver, &diag) < 0) {
        fprintf(stderr, "doppel info: %s\n", diag.text);
        return;
    }
    cli_hint(catalog, "worlds", name, hint);
    fprintf(stderr, "doppel info: no class, driver, application or world '%s'%s\n", name,
            *hint != '\0' ? hint : "; `doppel list classes drivers apps worlds` shows them");
}

/* Whether a file is an application, or a bench. */
static bool is_application(struct dpl_catalog *catalog, const char *file)
{
    struct dpl_diags unused = {0};
    char root[64] = "";
    const char *end = strrchr(file, '.');
    if (end && strcmp(end, ".xml") == 0) {
        (void)dpl_check_profile(file, &(struct dpl_app_options){0}, 0, catalog, &unused, root);
    }
    dpl_diags_finish(&unused);
    return strcmp(root, "package_profile") == 0 || strcmp(root, "application_profile") == 0;
}

/* NULL: no application has the name, and it is not the file of one. */
static const char *find_app(struct dpl_catalog *catalog, const char *name)
{
    static const char *const kinds[] = {"apps", "benches"};
    const char *found = NULL;
    for (size_t i = 0; i < 2 && !found; i++) {
        found = dpl_catalog_find_profile(catalog, kinds[i], name, NULL);
    }
    return found && is_application(catalog, found) ? found : NULL;
}

static bool is_world(const char *file)
{
    struct dpl_arena arena = {0};
    struct params params;
    bool is =
        params_read(&arena, file, &params, NULL) == 0 && strcmp(params.root->name, "world") == 0;
    dpl_arena_finish(&arena);
    return is;
}

/* Whether the file has parameters. */
static bool print_params(const char *file)
{
    struct dpl_arena arena = {0};
    struct params params = {.n = 0};
    bool has_some = params_read(&arena, file, &params, NULL) == 0 && params.n > 0;
    if (has_some) {
        printf("\nparameters (name, value, unit, range):\n");
    }
    for (size_t i = 0; i < params.n; i++) {
        const struct param *param = &params.items[i];
        char range[80] = "";
        if (*param->min || *param->max) {
            snprintf(range, sizeof range, "%.30s..%.30s", param->min, param->max);
        }
        printf("  %-12s %-10s %-8s %-12s %s\n", cli_clean(param->name), cli_clean(param->value),
               cli_clean(param->unit), cli_clean(range), cli_clean(param->summary));
    }
    dpl_arena_finish(&arena);
    return has_some;
}

/* A name that is not a class and not a driver may be an application, or a world, in a file or
 * served. */
static int print_world(struct dpl_catalog *catalog, const struct entries *entries, const char *name)
{
    if (strncmp(name, "tcp://", 6) == 0) {
        return sim_print_served(name);
    }
    const char *app = find_app(catalog, name);
    if (app) {
        return info_app_print(catalog, app);
    }
    const char *file = cli_find(catalog, "worlds", name, NULL);
    if (!file) {
        complain(catalog, entries, name);
        return DPL_EXIT_BAD_INPUT;
    }
    if (!is_world(file) && print_params(file)) {
        return DPL_EXIT_DONE;
    }
    int code = sim_print_world(catalog, file);
    if (code == DPL_EXIT_DONE) {
        print_params(file);
    }
    return code;
}

static int run(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_info, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("info");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_diags diags = {0};
    struct entries entries;
    dpl_catalog_load_all(catalog, &diags);
    entries_open(&entries, catalog, &diags);
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    int code = DPL_EXIT_DONE;
    for (int i = 1; i <= n; i++) {
        bool is_printed = print_matches(catalog, argv[i]) > 0 || entries_print(&entries, argv[i]);
        int err = is_printed ? DPL_EXIT_DONE : print_world(catalog, &entries, argv[i]);
        code = err ? err : code;
    }
    entries_close(&entries);
    dpl_catalog_destroy(catalog);
    return code;
}

const struct command command_info = {
    .name = "info",
    .operands = "NAME...",
    .summary = "shows ports, properties, units and ranges of a class or driver, the components and "
               "bindings of an application, or the channels of a world",
    .min_operands = 1,
    .max_operands = 64,
    .more = "A sensor, actuator, signal or subsystem of worlds is named sensor/laser, as `doppel "
            "list`\n"
            "shows it.\n",
    .run = run,
};
