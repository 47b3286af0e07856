/* SPDX-License-Identifier: Apache-2.0 */
/* What the emulators of the race-car bench cost a cycle, in whole runs on the simulated clock with
 * and without eight of a kind; and how exact a Ping's echo is on the real clock of this machine,
 * from its trigger's stamp on the wire to its own. Arguments: the folders of plugins and profiles;
 * `--real` measures the second too, for 5 s a period of the emulator. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <doppel/drv/pins_client.h>
#include <doppel/host/app.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>

#include "ports.h"

#define N_EACH      8
#define CYCLES      20000
#define N_ROUNDS    5
#define N_ECHOES    2000
#define COMPONENTS  16
#define CONNECTIONS 32

static dpl_ns monotonic(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (dpl_ns)now.tv_sec * DPL_S + now.tv_nsec;
}

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_signals: %s\n", what);
        exit(1);
    }
}

/* ---- the controller ---- */

enum port { PINS, RANGES };

static const struct dpl_port_desc ports[] = {
    [PINS] = PORT_SERVICE("pins", IN, &doppel__pins_service__descriptor),
    [RANGES] = PORT_DATA("ranges", OUT, &doppel__ranges__descriptor, .capacity = N_EACH),
};

static bool triggers; /* pings on every pin in every cycle */
static dpl_ns triggered, next_trigger, rise;
static dpl_ns rise_error[N_ECHOES], width_error[N_ECHOES];
static size_t n_echoes;

static void trigger(struct dpl_component *self, uint32_t pin)
{
    dpl_pins_call_set_mode(self, PINS, pin, DPL_PIN_OUTPUT);
    dpl_pins_call_write_digital(self, PINS, pin, true, 0);
    dpl_pins_call_write_digital(self, PINS, pin, false, dpl_component_now(self) + 5 * DPL_US);
    dpl_pins_call_set_mode(self, PINS, pin, DPL_PIN_INPUT);
}

static void take_echo(struct dpl_component *self, uint32_t pin)
{
    int64_t at[8];
    protobuf_c_boolean level[8];
    Doppel__PinEdges edges = DOPPEL__PIN_EDGES__INIT;
    edges.at_ns = at;
    edges.level = level;
    edges.n_at_ns = edges.n_level = 8;
    check(dpl_pins_call_read_edges(self, PINS, pin, &edges) == 0, "no edges");
    for (size_t i = 0; i < edges.n_at_ns; i++) {
        if (level[i]) {
            rise = at[i];
        } else if (n_echoes < N_ECHOES && pin == 0) {
            rise_error[n_echoes] = rise - triggered - 750 * DPL_US;
            width_error[n_echoes++] = at[i] - rise - 5775 * DPL_US;
        }
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    Doppel__Ranges *ranges = dpl_port_loan(self, RANGES);
    check(ranges != NULL, "no block");
    ranges->n_ranges = N_EACH;
    for (size_t i = 0; i < N_EACH; i++) {
        ranges->ranges[i] = tick->period < 10 * DPL_MS && triggers ? 1.0 : 0.1 + 0.05 * (double)i;
    }
    dpl_port_publish(self, RANGES, ranges, tick->now);
    if (!triggers) {
        return 0;
    }
    take_echo(self, 0);
    if (tick->now >= next_trigger) {
        next_trigger = tick->now + 20 * DPL_MS;
        triggered = dpl_component_now(self);
        trigger(self, 0);
    }
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class controller = {
    .name = "Controller", .ops = &ops, .ports = ports, .n_ports = DPL_COUNT(ports)};

/* ---- the application ---- */

struct kind {
    const char *class;
    const char *properties;
    bool takes_ranges;
};

static void write_component(FILE *file, const char *name, const char *class, const char *period,
                            const char *properties)
{
    fprintf(file,
            "<subcomponent><name>%s</name><type>original</type><reference>%s.xml</reference>"
            "<execution_semantics><type>periodic%s</type><period>%s</period></execution_semantics>"
            "<properties>%s</properties></subcomponent>\n",
            name, class, strcmp(period, "1") == 0 ? "-shared" : "", period, properties);
}

static void write_app(const char *path, const struct kind *kind, int n, const char *period)
{
    FILE *file = fopen(path, "w");
    check(file != NULL, "no file");
    const char *pins = "<property name=\"ApiName\">sim</property>"
                       "<property name=\"Pins\">P0 P1 P2 P3 P4 P5 P6 P7 Q</property>"
                       "<property name=\"Side\">%s</property>";
    char text[512];
    fputs("<package_profile><name>Cost</name><subcomponents>\n", file);
    snprintf(text, sizeof text, pins, "board");
    write_component(file, "Board", "PinBoard", "1", text);
    snprintf(text, sizeof text, pins, "bench");
    write_component(file, "Car", "PinBoard", "1", text);
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "E%d", i);
        snprintf(text, sizeof text, kind->properties, i, i);
        write_component(file, name, kind->class, period, text);
    }
    fputs("</subcomponents><port_connections>\n", file);
    for (int i = 0; i < n; i++) {
        fprintf(file,
                "<port_connection port_type=\"service\"><source component_name=\"E%d\" "
                "port_name=\"PinsService\"/><target component_name=\"Car\" "
                "port_name=\"PinsService\"/></port_connection>\n",
                i);
    }
    fputs("</port_connections></package_profile>\n", file);
    fclose(file);
}

struct changed {
    struct dpl_app app;
    struct dpl_app_component components[COMPONENTS];
    struct dpl_app_connection connections[CONNECTIONS];
};

/* Adds the controller, wired to Board and to everybody who takes ranges. */
static void add_controller(struct changed *c, const struct dpl_app *app, const struct kind *kind)
{
    static const struct dpl_app_port queues[DPL_COUNT(ports)] = {{DPL_QUEUE_LAST, 1},
                                                                 {DPL_QUEUE_LAST, 1}};
    static char none[1];
    c->app = *app;
    memcpy(c->components, app->components, app->n_components * sizeof c->components[0]);
    if (app->n_connections > 0) {
        memcpy(c->connections, app->connections, app->n_connections * sizeof c->connections[0]);
    }
    size_t me = c->app.n_components++;
    c->components[me] = (struct dpl_app_component){
        .name = "Controller",
        .class_ = &controller,
        .properties = none,
        .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS},
        .ports = queues,
    };
    c->connections[c->app.n_connections++] = (struct dpl_app_connection){
        .kind = DPL_PORT_SERVICE, .source = me, .source_port = PINS, .target = 0};
    for (size_t i = 2; kind && kind->takes_ranges && i < me; i++) {
        c->connections[c->app.n_connections++] = (struct dpl_app_connection){
            .kind = DPL_PORT_DATA, .source = me, .source_port = RANGES, .target = i};
    }
    c->app.components = c->components;
    c->app.connections = c->connections;
}

static double run(char **folders, const struct kind *kind, int n, const char *period,
                  bool simulated, dpl_ns duration)
{
    char path[] = "/tmp/bench-signals-XXXXXX";
    int fd = mkstemp(path);
    check(fd >= 0, "no temporary file");
    close(fd);
    write_app(path, kind, n, period);
    struct dpl_catalog_options places = {.plugin_path = folders[0], .profile_path = folders[1]};
    struct dpl_catalog *catalog;
    struct dpl_diag diag = {0};
    check(dpl_catalog_create(&places, &catalog, &diag) == 0, diag.text);
    struct dpl_app_options options = {0};
    struct dpl_diags diags = {0};
    struct dpl_app *app;
    int err = dpl_app_load(path, &options, catalog, &app, &diags);
    check(err == 0, diags.n ? diags.items[0].text : "no application");
    struct changed changed;
    add_controller(&changed, app, kind);
    struct dpl_runtime_options how = {
        .simulated = simulated, .duration = duration, .seed = 1, .log_level = DPL_LOG_ERROR};
    struct dpl_runtime *runtime;
    check(dpl_runtime_create(&changed.app, &how, &runtime, &diag) == 0, diag.text);
    dpl_ns begun = monotonic();
    check(dpl_runtime_run(runtime, &diag) == DPL_EXIT_DONE, diag.text);
    double took_ns = (double)(monotonic() - begun);
    dpl_runtime_destroy(runtime);
    dpl_diags_finish(&diags);
    dpl_app_destroy(app);
    dpl_catalog_destroy(catalog);
    unlink(path);
    return took_ns;
}

static double best_cycle_ns(char **folders, const struct kind *kind, int n)
{
    double best = 1e18;
    for (int round = 0; round < N_ROUNDS; round++) {
        double took = run(folders, kind, n, "1", true, CYCLES * DPL_MS) / CYCLES;
        best = took < best ? took : best;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    dpl_ns x = *(const dpl_ns *)a, y = *(const dpl_ns *)b;
    return (x > y) - (x < y);
}

static void print_errors(const char *what, dpl_ns *errors, size_t n)
{
    qsort(errors, n, sizeof *errors, ascending);
    printf("    %s: median %" PRId64 " ns, 99 %% %" PRId64 " ns, worst %" PRId64
           " ns, best %" PRId64 " ns\n",
           what, errors[n / 2], errors[n * 99 / 100], errors[n - 1], errors[0]);
}

static void measure_real(char **folders, const struct kind *ping, const char *period)
{
    n_echoes = 0;
    next_trigger = 0;
    triggers = true;
    run(folders, ping, 1, period, false, 5 * DPL_S);
    triggers = false;
    printf("ping on the real clock, cycle of %s ms: %zu echoes\n", period, n_echoes);
    if (n_echoes > 0) {
        print_errors("echo's instant", rise_error, n_echoes);
        print_errors("echo's width  ", width_error, n_echoes);
    }
}

int main(int argc, char **argv)
{
#define PIN "<property name=\"Pin\">P%d</property><property name=\"Sensor\">%d</property>"
    static const struct kind kinds[] = {
        {"PingSensor", PIN, true},
        {"InfraredSensor", PIN, true},
        {"ServoActuator", "<property name=\"Pin\">P%d</property>", false},
        {"MotorActuator",
         "<property name=\"PinA\">P%d</property><property name=\"PinB\">Q</property>", false},
    };
    check(argc >= 3, "usage: bench_signals PLUGINS PROFILES [--real]");
    double none = best_cycle_ns(argv + 1, NULL, 0);
    printf("two boards and a controller that publishes ranges: %.0f ns a cycle\n", none);
    for (size_t i = 0; i < DPL_COUNT(kinds); i++) {
        double all = best_cycle_ns(argv + 1, &kinds[i], N_EACH);
        printf("%s: %.0f ns a cycle each\n", kinds[i].class, (all - none) / N_EACH);
    }
    if (argc > 3 && strcmp(argv[3], "--real") == 0) {
        measure_real(argv + 1, &kinds[0], "0.25");
        measure_real(argv + 1, &kinds[0], "0.5");
        measure_real(argv + 1, &kinds[0], "2");
    }
    return 0;
}
