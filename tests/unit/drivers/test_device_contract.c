/* SPDX-License-Identifier: Apache-2.0 */
/* The contract that a device class's table (doppel/device_class.h) is, checked on every driver of
 * every class: alone, below HIL, and, where it needs hardware, without that hardware. */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/device.h>
#include <doppel/host/catalog.h>

#include "bench.h"

/* The component that has a device of a class, and what else its application must say. */
static const struct subject {
    const char *device_class, *component, *world, *properties;
    const char *folder; /* of its profile; NULL: that of all */
} subjects[] = {
    {"wheel_controller", "WheelController", "corridor.xml", ""},
    {"laser_scanner", "LaserScanner", "corridor.xml", ""},
    {"track", "Track", "track_straight.xml", ""},
    {"pins", "PinBoard", "empty.xml",
     "<property name='Pins'>A0 B1 C2</property><property name='Side'>board</property>"
     "<property name='simulation.Harness'>other</property>"},
    {"axes", "Servo", "hexafloat.xml", ""},
    {"force_sensor", "ForceSensor", "empty.xml", ""},
    {"imu", "Imu", "imu.xml", ""},
    {"floor_plan", "PlanBench", "corridor.xml", "", UNIT "/drivers/floor_plan/data/"},
    {"channels", "PidController", "empty.xml",
     "<property name='Measured'>x</property><property name='Output'>y</property>"},
    {"operator_input", "OperatorBench", "empty.xml", "", UNIT "/drivers/floor_plan/data/"},
    {"range", "RangeFinders", "ranges.xml", ""},
    {"rollouts", "LookAhead", "corridor.xml", ""},
    {"joints", "JointController", "star/arm.json",
     "<property name='Joints'>waist</property><property name='Device'>cell/arm</property>"
     "<property name='NodeIds'>1</property><property name='CountsPerUnit'>1000</property>"},
};

static char current[96]; /* what is under test, for messages */
static const char *folder;
static int n_devices, n_refused; /* opened; refused to open */
static int silent_port;          /* where somebody listens and says nothing */
static bool needs_hardware;

/* Fails with what is under test, and more: a format and its values. */
#define CHECK(what, format, ...) cr_assert(what, "%s: " format ": " #what, __VA_ARGS__)

/* ---- arguments ---- */

/* Arguments that a call can have, in storage for the largest of them. */
static unsigned char in[4096], out[1 << 16];

static void put(const struct dpl_field *row, size_t i, double value)
{
    if (row->type == DPL_FIELD_DOUBLE) {
        memcpy(in + row->offset + i * sizeof value, &value, sizeof value);
    } else if (row->type == DPL_FIELD_INT) {
        int64_t whole = (int64_t)value;
        memcpy(in + row->offset, &whole, sizeof whole);
    }
}

static bool has_range(const struct dpl_field *row)
{
    return row->min != 0.0 || row->max != 0.0;
}

static size_t n_values(const struct dpl_field *row)
{
    return row->type == DPL_FIELD_DOUBLE ? row->size / sizeof(double) : 1;
}

static void fill(const struct dpl_call *call)
{
    memset(in, 0, sizeof in);
    for (size_t i = 0; i < call->n_in; i++) {
        const struct dpl_field *row = &call->in[i];
        double value = has_range(row) ? fmin(fmax(row->min, 0.5), row->max) : 0.0;
        for (size_t k = 0; k < n_values(row); k++) {
            put(row, k, value);
        }
    }
}

static int ask(struct dpl_device *device, unsigned number)
{
    memset(out, 0xa5, sizeof out);
    return dpl_device_call(device, number, in, out);
}

/* ---- what holds for every call ---- */

/* Answers that a device may give to what is right: it is not ready, off, lost or cannot. */
static bool is_an_answer(const struct dpl_call *call, int answer)
{
    switch (answer) {
    case 0:
    case -EAGAIN:
    case -EPERM:
    case -ENODEV: return true;
    case -ENOTSUP: return call->optional;
    case -EINPROGRESS:
    case -EBUSY: return call->kind == DPL_CALL_COMMAND || call->kind == DPL_CALL_READING;
    case -ENOENT: return strcmp(call->name, "find") == 0;
    case -EINVAL: return call->n_in > 0 && strcmp(call->in[0].name, "pin") == 0;
    default: return false;
    }
}

/* The result's rows that are truths hold one. */
static void check_result(const struct dpl_call *call)
{
    for (size_t i = 0; i < call->n_out && !call->borrowed; i++) {
        const struct dpl_field *row = &call->out[i];
        CHECK(row->type != DPL_FIELD_BOOL || out[row->offset] <= 1, "%s %s", current, call->name,
              row->name);
    }
    CHECK(call->out_size == 0 || call->borrowed || out[call->out_size] == 0xa5, "%s", current,
          call->name);
}

static void answers_each_call(struct dpl_device *device, const struct dpl_tick *tick)
{
    const struct dpl_device_class *class = device->driver->device_class;
    for (unsigned i = 0; i < class->n_calls; i++) {
        const struct dpl_call *call = &class->calls[i];
        fill(call);
        if (call->kind == DPL_CALL_CYCLE && call->in_size > 0) {
            memcpy(in, tick, sizeof *tick);
        }
        int answer = ask(device, i);
        CHECK(is_an_answer(call, answer), "%s answers %d", current, call->name, answer);
        if (answer == 0) {
            check_result(call);
        }
    }
}

static void refuses(struct dpl_device *device, unsigned number, const struct dpl_field *row,
                    double value)
{
    const struct dpl_call *call = &device->driver->device_class->calls[number];
    for (size_t i = 0; i < n_values(row); i++) {
        uint64_t before = device->n_refused;
        fill(call);
        put(row, i, value);
        int answer = ask(device, number);
        CHECK(answer == -EINVAL, "%s with %s[%zu] %g answers %d", current, call->name, row->name, i,
              value, answer);
        CHECK(device->n_refused == before + (call->kind <= DPL_CALL_SETTING), "%s", current,
              call->name);
    }
}

static void refuses_bad_arguments(struct dpl_device *device)
{
    const struct dpl_device_class *class = device->driver->device_class;
    for (unsigned i = 0; i < class->n_calls; i++) {
        for (size_t k = 0; k < class->calls[i].n_in; k++) {
            const struct dpl_field *row = &class->calls[i].in[k];
            if (row->type == DPL_FIELD_DOUBLE) {
                refuses(device, i, row, (double)NAN);
                refuses(device, i, row, (double)INFINITY);
                refuses(device, i, row, -(double)INFINITY);
            }
            if (has_range(row)) {
                refuses(device, i, row, row->min - 1.0);
            }
            if (has_range(row) && row->max < 1e15) {
                refuses(device, i, row, row->max + 1.0);
            }
        }
    }
}

/* Nothing begins, nothing is measured. A call that the driver has says -ENODEV, unless it has a
 * better reason: the pin has no such mode. */
static void is_lost(struct dpl_device *device)
{
    const struct dpl_device_class *class = device->driver->device_class;
    for (unsigned i = 0; i < class->n_calls; i++) {
        const struct dpl_call *call = &class->calls[i];
        bool lacks = !device->driver->api[i];
        bool answers = call->kind == DPL_CALL_COMMAND || strcmp(call->name, "read") == 0;
        fill(call);
        int answer = ask(device, i);
        bool of_a_pin = answer == -EPERM && strcmp(class->name, "pins") == 0;
        CHECK(!answers || lacks || of_a_pin || answer == -ENODEV, "%s answers %d", current,
              call->name, answer);
    }
}

static int on_initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct dpl_device *device = dpl_component_device(self);
    const struct dpl_tick first = {.period = BENCH_PERIOD};
    n_devices++;
    if (needs_hardware) {
        answers_each_call(device, &first);
        dpl_device_lost(device, "for the test");
        is_lost(device);
    }
    refuses_bad_arguments(device);
    answers_each_call(device, &first);
    return 0;
}

static int on_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    answers_each_call(device, tick);
    refuses_bad_arguments(device);
    return 0;
}

static const struct dpl_component_ops ops = {.initialize = on_initialize, .execute = on_execute};

/* ---- runs ---- */

/* The property that says where the hardware is; NULL: it is no stream. */
static const char *address_of(const struct dpl_driver *driver)
{
    static const char *const names[] = {"Address", "Port"};
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        if (dpl_field_find(driver->properties, driver->n_properties, names[i])) {
            return names[i];
        }
    }
    return NULL;
}

static int listen_silently(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(fd, 64), 0);
    getsockname(fd, (struct sockaddr *)&address, &size);
    silent_port = ntohs(address.sin_port);
    return fd;
}

static const struct subject *subject_of(const char *device_class)
{
    for (size_t i = 0; i < DPL_COUNT(subjects); i++) {
        if (strcmp(subjects[i].device_class, device_class) == 0) {
            return &subjects[i];
        }
    }
    cr_assert_fail("class %s is not among the subjects", device_class);
    return NULL;
}

static const char *write_application(const struct subject *subject)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/app.xml", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(
        file,
        "<package_profile><name>Contract</name><world file='%s'/><subcomponents><subcomponent>"
        "<name>%s</name><type>original</type><reference>%s%s.xml</reference><execution_semantics>"
        "<type>periodic-shared</type><period>10</period></execution_semantics><properties>%s"
        "</properties></subcomponent></subcomponents></package_profile>\n",
        subject->world, subject->component, subject->folder ? subject->folder : "",
        subject->component, subject->properties);
    fclose(file);
    return path;
}

/* `hardware` and `simulation`: drivers of a HIL driver's sides; NULL: it has none. */
static void run(const struct dpl_driver *driver, const char *hardware, const char *simulation)
{
    const struct subject *subject = subject_of(driver->device_class->name);
    const struct dpl_component_class class = {
        .name = "ContractBench", .ops = &ops, .device_class = subject->device_class};
    char sets[4][96] = {0};
    snprintf(current, sizeof current, "%s/%s %s %s", subject->device_class, driver->name,
             hardware ? hardware : "", simulation ? simulation : "");
    snprintf(sets[0], sizeof sets[0], "%s.ApiName=%s", subject->component, driver->name);
    if (hardware) {
        snprintf(sets[1], sizeof sets[1], "%s.HardwareDriver=%s", subject->component, hardware);
        snprintf(sets[2], sizeof sets[2], "%s.SimulationDriver=%s", subject->component, simulation);
    }
    needs_hardware = driver->backend == DPL_BACKEND_HARDWARE;
    const char *address = address_of(driver);
    if (needs_hardware && address) {
        snprintf(sets[1], sizeof sets[1], "%s.%s=tcp://127.0.0.1:%d", subject->component, address,
                 silent_port);
    }
    struct bench bench = {.file = write_application(subject),
                          .plugins = MORE_PLUGINS,
                          .sets = {sets[0], *sets[1] ? sets[1] : NULL, *sets[2] ? sets[2] : NULL},
                          .duration_s = needs_hardware ? 0.05 : 0.5,
                          .real_clock = needs_hardware,
                          .instead = &class};
    if (needs_hardware && bench_create_error(&bench) != 0) {
        n_refused++;
        return;
    }
    enum dpl_exit code = bench_run(&bench);
    cr_assert(needs_hardware || code == DPL_EXIT_DONE, "%s: %s", current, bench_error());
}

static struct dpl_catalog *catalog;

static void begin(void)
{
    struct dpl_catalog_options places = {.plugin_path = PLUGINS ":" MORE_PLUGINS,
                                         .profile_path = PROFILES};
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_catalog_create(&places, &catalog, NULL), 0);
    dpl_catalog_load_all(catalog, &diags);
    cr_assert_eq(diags.n, 0);
    dpl_diags_finish(&diags);
    folder = bench_make_folder();
}

static void end(void)
{
    dpl_catalog_destroy(catalog);
    bench_remove_folder(folder);
}

TestSuite(device_contract, .init = begin, .fini = end, .timeout = 120);

static bool runs_anywhere(const struct dpl_driver *driver)
{
    return driver->backend == DPL_BACKEND_SIMULATOR || driver->backend == DPL_BACKEND_MOCK;
}

static const struct dpl_driver *driver_at(size_t i)
{
    return dpl_catalog_driver_at(catalog, i);
}

Test(device_contract, holds_for_every_simulated_driver)
{
    int n = 0;
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        if (runs_anywhere(driver_at(i))) {
            run(driver_at(i), NULL, NULL);
            n++;
        }
    }
    cr_assert(n >= 10 && n_devices == n, "%d drivers, %d opened", n, n_devices);
}

/* The worlds here have one robot, and its inputs have one owner. */
static bool share_a_robot(const struct dpl_driver *a, const struct dpl_driver *b)
{
    return strcmp(a->name, "avatar") == 0 && strcmp(b->name, "avatar") == 0;
}

static void run_below(const struct dpl_driver *hil, const struct dpl_driver *hardware)
{
    const char *of = hardware->device_class->name;
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *simulation = driver_at(i);
        if (runs_anywhere(simulation) && strcmp(simulation->device_class->name, of) == 0 &&
            !share_a_robot(hardware, simulation)) {
            run(hil, hardware->name, simulation->name);
        }
    }
}

/* Every class has a HIL driver, and it keeps the contract over each pair of drivers. */
Test(device_contract, holds_for_hil_over_every_pair)
{
    for (size_t c = 0; c < DPL_COUNT(subjects); c++) {
        const struct dpl_driver *hil;
        struct dpl_diag diag = {0};
        cr_assert_eq(dpl_catalog_driver(catalog, subjects[c].device_class, "hil", &hil, &diag), 0,
                     "%s", diag.text);
        for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
            const char *of = driver_at(i)->device_class->name;
            if (runs_anywhere(driver_at(i)) && strcmp(of, subjects[c].device_class) == 0) {
                run_below(hil, driver_at(i));
            }
        }
    }
    cr_assert_geq(n_devices, 18);
}

/* Hardware that says nothing, and is then lost. What is no stream, such as a topic of ROS, refuses
 * to open. */
Test(device_contract, holds_for_every_hardware_driver_without_hardware)
{
    int fd = listen_silently();
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        if (driver_at(i)->backend == DPL_BACKEND_HARDWARE) {
            run(driver_at(i), NULL, NULL);
        }
    }
    close(fd);
    cr_assert(n_devices >= 5 && n_refused <= 7, "%d opened, %d refused", n_devices, n_refused);
}

/* ---- components ---- */

static const struct dpl_device_class *class_named(const char *name)
{
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        if (strcmp(driver_at(i)->device_class->name, name) == 0) {
            return driver_at(i)->device_class;
        }
    }
    return NULL;
}

/* So that a component does not get a driver that was built before a call was added. */
Test(device_contract, is_known_with_its_number_of_calls_to_every_component)
{
    size_t n = 0;
    for (size_t i = 0; i < dpl_catalog_n_classes(catalog); i++) {
        const struct dpl_component_class *component = dpl_catalog_class_at(catalog, i);
        if (!component->device_class) {
            continue;
        }
        const struct dpl_device_class *class = class_named(component->device_class);
        cr_assert_not_null(class, "%s", component->name);
        cr_assert_eq(component->n_device_calls, class->n_calls, "%s", component->name);
        n++;
    }
    cr_assert_geq(n, DPL_COUNT(subjects));
}

/* ---- the tables themselves ---- */

static void check_rows(const struct dpl_field *rows, size_t n, size_t size, bool results)
{
    for (size_t i = 0; i < n; i++) {
        CHECK(rows[i].name && rows[i].summary, "row %zu", current, i);
        CHECK(rows[i].offset + rows[i].size <= size, "%s", current, rows[i].name);
        bool numbers = rows[i].type == DPL_FIELD_DOUBLE && rows[i].size % sizeof(double) == 0;
        bool whole = rows[i].type == DPL_FIELD_INT && (results || rows[i].size == sizeof(int64_t));
        bool truth = rows[i].type == DPL_FIELD_BOOL && rows[i].size == sizeof(bool);
        CHECK(numbers || whole || truth || rows[i].type == DPL_FIELD_STRING, "%s", current,
              rows[i].name);
    }
}

static void check_class(const struct dpl_device_class *class)
{
    cr_assert_gt(class->n_calls, 0, "%s", class->name);
    for (size_t i = 0; i < class->n_calls; i++) {
        const struct dpl_call *call = &class->calls[i];
        snprintf(current, sizeof current, "%s.%s", class->name, call->name ? call->name : "?");
        CHECK(call->name && call->summary, "call %zu", current, i);
        CHECK(call->in_size <= sizeof in && call->out_size < sizeof out, "room", current);
        CHECK(call->kind == DPL_CALL_READING || call->out_size == 0, "a result", current);
        CHECK(call->missing == 0 || (call->optional && call->missing == -ENOTSUP), "%d", current,
              call->missing);
        check_rows(call->in, call->n_in, call->in_size, false);
        check_rows(call->out, call->n_out, call->out_size, true);
    }
}

Test(device_contract, is_a_whole_table_for_every_class)
{
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        check_class(driver_at(i)->device_class);
    }
}
