/* SPDX-License-Identifier: Apache-2.0 */
/* Loading, changing and running applications for tests. */
#include "bench.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <jansson.h>

#include <doppel/drv/laser_scanner.h>
#include <doppel/drv/wheel_controller.h>
#include <doppel/sim/host.h>

#define COMPONENTS_MAX  24
#define CONNECTIONS_MAX 64

static const struct bench *running;
static size_t next_step;
static struct dpl_diag last_error;

struct loaded {
    struct dpl_catalog *catalog;
    struct dpl_app *app;
    struct dpl_sim_host *host;
    FILE *log;
    struct dpl_app changed;
    struct dpl_app_component components[COMPONENTS_MAX];
    struct dpl_app_connection connections[CONNECTIONS_MAX];
    struct dpl_app_port ports[16];
};

void bench_run_steps(struct dpl_component *self, const struct dpl_tick *tick)
{
    while (next_step < running->n_steps &&
           dpl_ns_to_s(tick->now) >= running->steps[next_step].at_s - 1e-9) {
        running->steps[next_step++].action(self, tick);
    }
    if (running->each_cycle) {
        running->each_cycle(self, tick);
    }
}

static int execute_wheel(struct dpl_component *self, const struct dpl_tick *tick)
{
    dpl_wheel_execute(dpl_component_device(self), tick);
    bench_run_steps(self, tick);
    return 0;
}

static int execute_laser(struct dpl_component *self, const struct dpl_tick *tick)
{
    dpl_laser_execute(dpl_component_device(self), tick);
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops wheel_ops = {.execute = execute_wheel};
static const struct dpl_component_ops laser_ops = {.execute = execute_laser};

const struct dpl_component_class bench_wheel_class = {
    .name = "WheelBench",
    .ops = &wheel_ops,
    .device_class = DPL_WHEEL_CONTROLLER_CLASS,
};

const struct dpl_component_class bench_laser_class = {
    .name = "LaserBench",
    .ops = &laser_ops,
    .device_class = DPL_LASER_SCANNER_CLASS,
};

static int load(const struct bench *bench, struct loaded *l)
{
    char plugins[1024];
    snprintf(plugins, sizeof plugins, "%s%s%s", PLUGINS, bench->plugins ? ":" : "",
             bench->plugins ? bench->plugins : "");
    struct dpl_catalog_options places = {.plugin_path = plugins, .profile_path = PROFILES};
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_catalog_create(&places, &l->catalog, &error), 0, "%s", error.text);
    size_t n_sets = 0;
    while (n_sets < BENCH_SETS_MAX && bench->sets[n_sets]) {
        n_sets++;
    }
    struct dpl_app_options options = {.sets = bench->sets, .n_sets = n_sets};
    struct dpl_diags diags = {0};
    int err = dpl_app_load(bench->file, &options, l->catalog, &l->app, &diags);
    if (err != 0 && diags.n > 0) {
        last_error = diags.items[0];
    }
    dpl_diags_finish(&diags);
    if (err != 0) {
        return err;
    }
    struct dpl_sim_host_options host_options = {.world = l->app->world,
                                                .properties = l->app->world_properties,
                                                .n_properties = l->app->n_world_properties,
                                                .seed = 1,
                                                .catalog = l->catalog};
    l->host = dpl_sim_host_create(&host_options);
    cr_assert_not_null(l->host);
    return 0;
}

static size_t component_index(const struct dpl_app *app, const char *name)
{
    for (size_t i = 0; i < app->n_components; i++) {
        if (strcmp(app->components[i].name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no component '%s'", name);
    return 0;
}

static unsigned port_index(const struct dpl_component_class *class, const char *name)
{
    for (unsigned i = 0; i < class->n_ports; i++) {
        if (strcmp(class->ports[i].name, name) == 0) {
            return i;
        }
    }
    cr_assert_fail("no port '%s' of %s", name, class->name);
    return 0;
}

/* The bench's component comes last and depends on nothing. */
static void add_component(const struct bench *bench, struct loaded *l)
{
    static char no_properties[1];
    size_t at = l->changed.n_components;
    cr_assert(at < COMPONENTS_MAX && bench->added->n_ports <= DPL_COUNT(l->ports));
    for (size_t i = 0; i < bench->added->n_ports; i++) {
        l->ports[i] = (struct dpl_app_port){bench->added->ports[i].policy, 1};
    }
    l->components[at] = (struct dpl_app_component){
        .name = "Bench",
        .class_ = bench->added,
        .properties = no_properties,
        .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = BENCH_PERIOD},
        .ports = l->ports,
    };
    l->changed.n_components++;
    for (size_t i = 0; i < bench->n_wires; i++) {
        const struct bench_wire *wire = &bench->wires[i];
        size_t target = component_index(l->app, wire->component);
        const struct dpl_component_class *class = l->app->components[target].class_;
        cr_assert(l->changed.n_connections < CONNECTIONS_MAX);
        l->connections[l->changed.n_connections++] = (struct dpl_app_connection){
            .kind = bench->added->ports[wire->port].kind,
            .source = at,
            .source_port = wire->port,
            .target = target,
            .target_port = port_index(class, wire->target_port),
        };
    }
}

static void change(const struct bench *bench, struct loaded *l)
{
    const struct dpl_app *app = l->app;
    cr_assert(app->n_components <= COMPONENTS_MAX && app->n_connections <= CONNECTIONS_MAX);
    l->changed = *app;
    memcpy(l->components, app->components, app->n_components * sizeof l->components[0]);
    if (app->n_connections > 0) {
        memcpy(l->connections, app->connections, app->n_connections * sizeof l->connections[0]);
    }
    l->changed.components = l->components;
    l->changed.connections = l->connections;
    if (bench->instead) {
        l->components[0].class_ = bench->instead;
    }
    if (bench->added) {
        add_component(bench, l);
    }
}

static int create(const struct bench *bench, struct loaded *l, struct dpl_runtime **ret_runtime)
{
    memset(l, 0, sizeof *l);
    memset(&last_error, 0, sizeof last_error);
    int err = load(bench, l);
    if (err != 0) {
        return err;
    }
    change(bench, l);
    l->log = fopen("/dev/null", "w");
    struct dpl_runtime_options options = {
        .simulated = !bench->real_clock,
        .duration = dpl_ns_from_s(bench->duration_s),
        .seed = 1,
        .out_dir = bench->out_dir,
        .log = l->log,
        .world = dpl_sim_host_interface(l->host),
    };
    running = bench;
    next_step = 0;
    return dpl_runtime_create(&l->changed, &options, ret_runtime, &last_error);
}

static void finish(struct loaded *l)
{
    if (l->host) {
        dpl_sim_host_destroy(l->host);
        dpl_app_destroy(l->app);
        fclose(l->log);
    }
    dpl_catalog_destroy(l->catalog);
}

enum dpl_exit bench_run(const struct bench *bench)
{
    struct loaded l;
    struct dpl_runtime *runtime = NULL;
    cr_assert_eq(create(bench, &l, &runtime), 0, "%s", last_error.text);
    enum dpl_exit code = dpl_runtime_run(runtime, &last_error);
    dpl_runtime_destroy(runtime);
    finish(&l);
    cr_assert_eq(next_step, bench->n_steps, "the run ended before step %zu", next_step);
    return code;
}

int bench_create_error(const struct bench *bench)
{
    struct loaded l;
    struct dpl_runtime *runtime = NULL;
    int err = create(bench, &l, &runtime);
    if (err == 0) {
        dpl_runtime_destroy(runtime);
    }
    finish(&l);
    return err;
}

const char *bench_error(void)
{
    return last_error.text;
}

const char *bench_make_folder(void)
{
    static char path[32];
    strcpy(path, "/tmp/doppel-bench-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
    return path;
}

void bench_remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder) {
        closedir(folder);
    }
    rmdir(path);
}

double bench_summary(const char *folder, const char *key)
{
    char path[256];
    snprintf(path, sizeof path, "%s/summary.json", folder);
    json_t *summary = json_load_file(path, 0, NULL);
    const json_t *value = summary;
    char part[128];
    for (const char *c = key; *c && strlen(key) < sizeof part; c += *c == '/') {
        size_t length = strcspn(c, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, c);
        value = json_object_get(value, part);
        c += length;
    }
    double number = json_is_number(value)  ? json_number_value(value)
                    : json_is_true(value)  ? 1.0
                    : json_is_false(value) ? 0.0
                                           : (double)NAN;
    json_decref(summary);
    return number;
}
