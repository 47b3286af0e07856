/* SPDX-License-Identifier: Apache-2.0 */
/* Loading applications: composites, execution, properties, drivers, connections, bindings, --set.
 */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"

TestSuite(app, .init = setup_fixture, .fini = finish_fixture);

static const struct dpl_app_component *component(const char *name)
{
    for (size_t i = 0; i < fixture.app->n_components; i++) {
        if (strcmp(fixture.app->components[i].name, name) == 0) {
            return &fixture.app->components[i];
        }
    }
    cr_assert_fail("no component %s", name);
    return NULL;
}

static double class_number(const char *name, const char *property)
{
    const struct dpl_app_component *c = component(name);
    const struct dpl_field *field =
        dpl_field_find(c->class_->properties, c->class_->n_properties, property);
    cr_assert_not_null(field, "%s", property);
    return dpl_field_number(field, c->properties);
}

static double device_number(const struct dpl_app_device *device, const char *property)
{
    const struct dpl_driver *driver = device->driver;
    const struct dpl_field *field =
        dpl_field_find(driver->properties, driver->n_properties, property);
    cr_assert_not_null(field, "%s", property);
    return dpl_field_number(field, device->properties);
}

static void assert_text(const struct dpl_field *fields, size_t n, const void *base,
                        const char *property, const char *expected)
{
    char text[64];
    dpl_field_format(dpl_field_find(fields, n, property), base, text, sizeof(text));
    cr_assert_str_eq(text, expected);
}

static void load_clean(const char *file, const char *binding, const char *set)
{
    int error = load(file, binding, set);
    print_diags();
    cr_assert_eq(error, 0);
    cr_assert_eq(fixture.diags.n, 0);
}

Test(app, loads_components_in_profile_order)
{
    load_clean(UNIT "/runtime/profile/data/patrol.xml", "hw", NULL);
    const struct dpl_app *app = fixture.app;
    cr_assert_str_eq(app->name, "patrol");
    cr_assert_str_eq(app->file, UNIT "/runtime/profile/data/patrol.xml");
    cr_assert_eq(app->n_components, 3);
    cr_assert_str_eq(app->components[0].name, "WheelController");
    cr_assert_str_eq(app->components[1].name, "RobotControl");
    cr_assert_str_eq(app->components[2].name, "Logger");
    cr_assert_str_eq(app->components[2].class_->name, "Logger");
    cr_assert_null(app->components[2].node_id, "local is this process");
    cr_assert_null(app->components[0].node_id);
    cr_assert_eq(app->components[1].place.line, 11);
    cr_assert_eq(app->components[1].place.column, 5);
}

Test(app, is_found_on_the_profile_path_by_name)
{
    load_clean("patrol", "hw", NULL);
    cr_assert_str_eq(fixture.app->file, UNIT "/runtime/profile/data/patrol.xml");
}

Test(app, takes_execution_from_the_subcomponent_over_the_profile_over_the_class)
{
    load_clean("patrol", "hw", NULL);
    const struct dpl_app_execution *wheel = &component("WheelController")->execution;
    cr_assert_eq(wheel->type, DPL_EXECUTION_PERIODIC_SHARED);
    cr_assert_eq(wheel->period, 100000000);
    cr_assert_eq(wheel->priority, 40);
    cr_assert_eq(wheel->policy, DPL_POLICY_FIFO);
    cr_assert_eq(wheel->affinity, 0);
    const struct dpl_app_execution *control = &component("RobotControl")->execution;
    cr_assert_eq(control->type, DPL_EXECUTION_PERIODIC);
    cr_assert_eq(control->period, 20000000);
    cr_assert_eq(control->policy, DPL_POLICY_OTHER);
    cr_assert_eq(control->affinity, 0xd);
    cr_assert_eq(component("Logger")->execution.period, 100000000);
    cr_assert_eq(component("Logger")->execution.priority, 50,
                 "the shipped profiles' where none says");
}

Test(app, takes_a_rate_group_with_each_components_own_period)
{
    load_clean("rates", NULL, NULL);
    const struct dpl_app_execution *fast = &component("Fast")->execution;
    cr_assert_str_eq(fast->rate_group, "motion");
    cr_assert_eq(fast->period, 625000);
    const struct dpl_app_execution *slow = &component("Slow")->execution;
    cr_assert_str_eq(slow->rate_group, "motion");
    cr_assert_eq(slow->period, 2500000);
}

Test(app, takes_a_component_out_of_its_rate_group_by_an_empty_one)
{
    load_clean("rates", NULL, NULL);
    cr_assert_null(component("Apart")->execution.rate_group);
}

Test(app, takes_queues_from_the_profile_in_every_spelling)
{
    load_clean("patrol", "hw", NULL);
    const struct dpl_app_port *ports = component("RobotControl")->ports;
    cr_assert_eq(ports[2].policy, DPL_QUEUE_LIFO);
    cr_assert_eq(ports[2].depth, 7);
    cr_assert_eq(ports[3].policy, DPL_QUEUE_FIFO);
    cr_assert_eq(ports[3].depth, 9);
    cr_assert_eq(component("Logger")->ports[0].policy, DPL_QUEUE_LAST);
}

Test(app, resolves_connections_to_indices)
{
    load_clean("patrol", "hw", NULL);
    const struct dpl_app *app = fixture.app;
    cr_assert_eq(app->n_connections, 4);
    const struct dpl_app_connection *service = &app->connections[0];
    cr_assert_eq(service->kind, DPL_PORT_SERVICE);
    cr_assert_eq(service->source, 1);
    cr_assert_eq(service->target, 0);
    cr_assert_eq(service->source_port, 0);
    cr_assert_eq(service->target_port, 0);
    cr_assert_eq(service->place.line, 31);
    cr_assert_eq(app->connections[2].kind, DPL_PORT_DATA);
    cr_assert_eq(app->connections[2].target, 2);
    cr_assert_eq(app->connections[3].kind, DPL_PORT_EVENT);
    cr_assert_eq(app->n_depends, 2);
    cr_assert_eq(app->depends[1].source, 1);
    cr_assert_eq(app->depends[1].target, 2);
}

Test(app, layers_values_of_class_profile_and_subcomponent)
{
    load_clean("patrol", "hw", NULL);
    cr_assert(class_number("WheelController", "SafeRadius") == 0.4);
    cr_assert(class_number("WheelController", "VarianceDistance") == 0.05);
    cr_assert(class_number("RobotControl", "Steps") == 25);
    cr_assert(class_number("RobotControl", "Speed") == 0.15);
}

Test(app, gives_the_driver_what_it_knows)
{
    load_clean("patrol", "hw", NULL);
    const struct dpl_app_device *device = component("WheelController")->device;
    cr_assert_str_eq(device->name, "WheelController");
    cr_assert_str_eq(device->driver->name, "kobuki");
    cr_assert_null(device->sides);
    cr_assert_eq(device->place.line, 5);
    cr_assert(device_number(device, "WheelDiameter") == 0.14);
    assert_text(device->driver->properties, device->driver->n_properties, device->properties,
                "Device", "/dev/ttyUSB0");
    cr_assert_null(component("RobotControl")->device);
}

Test(app, gives_both_sides_of_hil_what_each_knows)
{
    load_clean("patrol", "hil", NULL);
    const struct dpl_app_device *device = component("WheelController")->device;
    cr_assert_str_eq(device->driver->name, "hil");
    const struct dpl_app_device *hardware = &device->sides[0], *simulation = &device->sides[1];
    cr_assert_str_eq(hardware->name, "WheelController.hardware");
    cr_assert_str_eq(hardware->driver->name, "kobuki");
    cr_assert_str_eq(simulation->name, "WheelController.simulation");
    cr_assert_str_eq(simulation->driver->name, "avatar");
    cr_assert(device_number(hardware, "WheelDiameter") == 0.14);
    cr_assert(device_number(simulation, "WheelDiameter") == 0.12);
    assert_text(simulation->driver->properties, simulation->driver->n_properties,
                simulation->properties, "RobotName", "paper");
}

Test(app, takes_components_and_connections_from_a_binding)
{
    load_clean("patrol", "hil", NULL);
    cr_assert_eq(fixture.app->n_components, 4);
    cr_assert_str_eq(fixture.app->components[3].name, "Spare");
    cr_assert_eq(fixture.app->n_connections, 5);
    cr_assert_eq(fixture.app->connections[4].target, 3);
}

Test(app, takes_the_world_from_the_binding_over_the_application)
{
    load_clean("patrol", "hw", NULL);
    cr_assert_str_eq(fixture.app->world, UNIT "/runtime/profile/data/worlds/room.xml");
    load_clean("patrol", "sim", NULL);
    cr_assert_str_eq(fixture.app->world, UNIT "/runtime/profile/data/worlds/other.xml");
    cr_assert_eq(fixture.app->world_place.line, 4);
}

Test(app, keeps_changes_of_the_world_with_their_places)
{
    load_clean("patrol", "changed", NULL);
    const struct dpl_app *app = fixture.app;
    cr_assert_eq(app->n_world_properties, 2);
    cr_assert_str_eq(app->world_properties[0].text, "avatar.wheel_scale_left=0.97");
    cr_assert_str_eq(app->world_properties[1].text, "avatar.laser.noise_m=3 mm");
    cr_assert_eq(app->world_properties[1].place.line, 6);
    cr_assert_eq(app->world_properties[1].place.column, 5);
    load_clean("patrol", "hw", NULL);
    cr_assert_eq(fixture.app->n_world_properties, 0);
}

Test(app, has_no_changes_of_a_world_that_is_not_there)
{
    cr_assert_eq(load("nested", "changed", NULL), -EINVAL);
    assert_only("changed.xml", 5, 5, "the application has no world to be changed");
}

/* The general sim.xml names other.xml; that of patrol keeps to the application's world. */
Test(app, takes_its_own_binding_of_a_name_before_the_one_for_all)
{
    struct dpl_catalog_options options = {
        PLUGIN_FOLDER, UNIT "/runtime/profile/data/layout/own:" UNIT "/runtime/profile/data"};
    dpl_catalog_destroy(fixture.catalog);
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, NULL), 0);
    cr_assert_eq(load("patrol", "sim", NULL), 0);
    cr_assert_str_eq(fixture.app->world, UNIT "/runtime/profile/data/worlds/room.xml");
    cr_assert_eq(load("patrol", UNIT "/runtime/profile/data/bindings/sim.xml", NULL), 0);
    cr_assert_str_eq(fixture.app->world, UNIT "/runtime/profile/data/worlds/other.xml");
    cr_assert_eq(load("patrol", "hw", NULL), 0);
}

Test(app, applies_set_last)
{
    load_clean("patrol", "hw", "WheelController.WheelDiameter=150 mm");
    cr_assert(device_number(component("WheelController")->device, "WheelDiameter") == 0.15);
    load_clean("patrol", "hw", "RobotControl.Mode=waypoints");
    cr_assert(class_number("RobotControl", "Mode") == 1);
}

Test(app, set_chooses_the_driver)
{
    load_clean("patrol", "sim", "WheelController.ApiName=kobuki");
    cr_assert_str_eq(component("WheelController")->device->driver->name, "kobuki");
}

Test(app, set_reaches_one_side_of_hil)
{
    load_clean("patrol", "hil", "WheelController.hardware.WheelDiameter=0.2");
    const struct dpl_app_device *device = component("WheelController")->device;
    cr_assert(device_number(&device->sides[0], "WheelDiameter") == 0.2);
    cr_assert(device_number(&device->sides[1], "WheelDiameter") == 0.12);
}

Test(app, set_chooses_the_driver_of_one_side)
{
    load_clean("patrol", "hil", "WheelController.hardware.ApiName=avatar");
    const struct dpl_app_device *device = component("WheelController")->device;
    cr_assert_str_eq(device->sides[0].driver->name, "avatar");
    cr_assert_str_eq(device->sides[1].driver->name, "avatar");
}

Test(app, nests_composites_and_follows_export_ports)
{
    load_clean("nested", NULL, "Outer.Base.ApiName=kobuki");
    const struct dpl_app *app = fixture.app;
    cr_assert_eq(app->n_components, 3);
    cr_assert_str_eq(app->components[0].name, "Outer.Base");
    cr_assert_str_eq(app->components[1].name, "Outer.Recorder.Log");
    cr_assert_str_eq(app->components[2].name, "RobotControl");
    cr_assert_str_eq(app->components[0].device->name, "Outer.Base");
    cr_assert_eq(app->components[1].execution.type, DPL_EXECUTION_APERIODIC);
    cr_assert_eq(app->n_connections, 4);
    const struct dpl_app_connection *inner = &app->connections[0];
    cr_assert_eq(inner->source, 0);
    cr_assert_eq(inner->target, 1);
    const struct dpl_app_connection *service = &app->connections[1];
    cr_assert_eq(service->source, 2);
    cr_assert_eq(service->target, 0);
    const struct dpl_app_connection *record = &app->connections[3];
    cr_assert_eq(record->source, 2);
    cr_assert_eq(record->target, 1);
    cr_assert_eq(app->n_depends, 1);
    cr_assert_eq(app->depends[0].target, 1);
}

Test(app, who_holds_a_composite_sets_the_properties_of_its_components)
{
    load_clean("nested", NULL, "Outer.Base.ApiName=kobuki");
    cr_assert(device_number(component("Outer.Base")->device, "WheelDiameter") == 0.09);
}

static void assert_load_fails(const char *name, const char *binding, const char *set,
                              const char *file, const char *text)
{
    cr_assert_eq(load("patrol", binding, set), -EINVAL, "%s", name);
    cr_assert_null(fixture.app, "%s", name);
    assert_only(file, 0, 0, text);
    dpl_diags_finish(&fixture.diags);
}

Test(app, what_is_set_or_bound_wrong_is_told_with_what_could_be_meant)
{
    static const struct {
        const char *name, *binding, *set, *file, *text;
    } rows[] = {
        {"set of a misspelled property suggests", "hw", "WheelController.WheelDiamter=0.1",
         "--set WheelController.WheelDiamter=0.1",
         "unknown property 'WheelDiamter' of WheelController; did you mean "
         "'WheelDiameter'?"},
        {"set of a misspelled property of a side suggests with the side", "hil",
         "WheelController.hardware.WheelDiamter=0.1",
         "--set WheelController.hardware.WheelDiamter=0.1",
         "did you mean 'hardware.WheelDiameter'?"},
        {"set of a misspelled side suggests the side", "hil",
         "WheelController.hardwre.WheelDiameter=0.1",
         "--set WheelController.hardwre.WheelDiameter=0.1",
         "did you mean 'hardware.WheelDiameter'?"},
        {"set of a side of nobody suggests the property", "hil",
         "WheelController.moon.WheelDiamter=0.1", "--set WheelController.moon.WheelDiamter=0.1",
         "did you mean 'WheelDiameter'?"},
        {"set of a misspelled component suggests", "hw", "WheelControler.SafeRadius=1",
         "--set WheelControler.SafeRadius=1",
         "no component 'WheelControler'; did you mean 'WheelController'?"},
        {"set of another drivers property names that driver", "hw", "WheelController.RobotName=x",
         "--set WheelController.RobotName=x",
         "(driver 'avatar' has it, the driver here is 'kobuki')"},
        {"set without value says what is expected", "hw", "WheelController",
         "--set WheelController", "expected Component.Property=value"},
        {"set checks the range", "hw", "WheelController.WheelDiameter=130",
         "--set WheelController.WheelDiameter=130",
         "WheelDiameter: 130 m is out of range, expected 0.01..2 m; did you mean "
         "0.13 (130 mm)?"},
        {"set checks a late limit", "hw", "WheelController.late_limit=5",
         "--set WheelController.late_limit=5",
         "late_limit: 5 ms is out of range, expected 20..3600000 ms; did you "
         "mean 5000 (5 s)?"},
        {"set of a late limit needs a device", "hw", "RobotControl.late_limit=500",
         "--set RobotControl.late_limit=500",
         "'RobotControl' has no device that late_limit could stop"},
        {"set of a misspelled late limit suggests", "hw", "WheelController.late_limt=500",
         "--set WheelController.late_limt=500", "did you mean 'late_limit'?"},
        {"an unknown binding suggests", "hal", NULL, "--bind hal",
         "unknown binding; did you mean 'hil'?"},
        {"something else is no binding", UNIT "/runtime/profile/data/nested.xml", NULL,
         "--bind " UNIT "/runtime/profile/data/nested.xml", "expected <binding_profile>"},
        {"a set with an empty name is malformed", "hw", ".x=1", "--set .x=1",
         "expected Component.Property=value"},
        {"a set with an empty side is malformed", "hw", "WheelController..WheelDiameter=1",
         "--set WheelController..WheelDiameter=1", "expected Component.Property=value"},
        {"a set with an empty property is malformed", "hw", "WheelController.=1",
         "--set WheelController.=1", "expected Component.Property=value"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_load_fails(rows[i].name, rows[i].binding, rows[i].set, rows[i].file, rows[i].text);
    }
}

/* ---- what is addressed to a composite reaches nobody ---- */

static void assert_nested_fails(const char *set, const char *text)
{
    cr_assert_eq(load("nested", NULL, set), -EINVAL);
    cr_assert_null(fixture.app);
    for (size_t i = 0; i < fixture.diags.n; i++) {
        if (strstr(fixture.diags.items[i].text, text)) {
            cr_assert_eq(fixture.diags.items[i].severity, DPL_SEVERITY_ERROR);
            return;
        }
    }
    print_diags();
    cr_assert(false, "nothing says: %s", text);
}

Test(app, set_of_a_composite_is_an_error_that_names_who_has_the_property)
{
    assert_nested_fails("Outer.ApiName=kobuki",
                        "'Outer' is a composite and has no property 'ApiName'; expected one of its "
                        "components: Outer.Component.Property; did you mean 'Outer.Base.ApiName'?");
    assert_nested_fails("Outer.Fooo=1", "'Outer' is a composite and has no property 'Fooo'");
    assert_nested_fails("Outer.Recorder.Level=2", "'Outer.Recorder' is a composite");
}

Test(app, set_of_a_component_by_its_last_name_suggests_the_whole_one)
{
    assert_nested_fails("Base.ApiName=kobuki", "no component 'Base'; did you mean 'Outer.Base'?");
    assert_nested_fails("Base.hardware.WheelDiameter=0.1",
                        "no component 'Base.hardware'; did you mean 'Outer.Base'?");
    assert_nested_fails("Outer.Bsae.ApiName=kobuki",
                        "no component 'Outer.Bsae'; did you mean 'Outer.Base'?");
}

/* A binding with one property, in a file. */
static int load_nested_bound(const char *component, const char *name, const char *value)
{
    char path[] = "/tmp/doppel-binding-XXXXXX";
    FILE *stream = fdopen(mkstemp(path), "w");
    fprintf(stream,
            "<binding_profile><name>b</name><properties><property component='%s' name='%s'>%s"
            "</property></properties></binding_profile>",
            component, name, value);
    fclose(stream);
    int error = load("nested", path, "Outer.Base.ApiName=kobuki");
    remove(path);
    return error;
}

Test(app, a_binding_of_a_composite_sets_its_components_or_fails)
{
    cr_assert_eq(load_nested_bound("Outer", "Base.WheelDiameter", "0.11"), 0);
    cr_assert(device_number(component("Outer.Base")->device, "WheelDiameter") == 0.11);
    cr_assert_eq(load_nested_bound("Outer", "Fooo", "1"), -EINVAL);
    assert_only("", 1, 65, "'Outer' is a composite and has no property 'Fooo'");
}

Test(app, set_gives_the_late_limit_of_a_component)
{
    load_clean("patrol", "hw", "WheelController.late_limit=500");
    cr_assert_eq(component("WheelController")->execution.late_limit, 500 * DPL_MS);
    load_clean("patrol", "hw", "WheelController.late_limit=1.5 s");
    cr_assert_eq(component("WheelController")->execution.late_limit, 1500 * DPL_MS);
    load_clean("patrol", "hw", NULL);
    cr_assert_eq(component("WheelController")->execution.late_limit, 300 * DPL_MS);
}

Test(app, a_device_without_driver_lists_the_drivers)
{
    cr_assert_eq(load("patrol", NULL, NULL), -EINVAL);
    assert_only("patrol.xml", 7, 5, "needs the property ApiName");
    cr_assert_not_null(strstr(fixture.diags.items[0].text, "avatar, hil, kobuki"));
}

Test(app, a_component_profile_cannot_be_run)
{
    cr_assert_eq(load("Logger", NULL, NULL), -EINVAL);
    dpl_diags_finish(&fixture.diags);
    cr_assert_eq(load(UNIT "/runtime/profile/data/components/Logger.xml", NULL, NULL), -EINVAL);
    assert_only("Logger.xml", 2, 1,
                "<component_profile> cannot be run, expected <package_profile>");
}

/* ---- the paper's profiles -------------------------------------------------------------------- */

Test(app, the_papers_profiles_check_with_warnings_at_most)
{
    cr_assert_eq(check(UNIT "/runtime/profile/data/paper/WheelControllerHardware.xml", 0), 0);
    assert_only("WheelControllerHardware.xml", 5, 44, "unknown driver 'KNU_HRC01_MC_V20.dll'");
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_WARNING);
    dpl_diags_finish(&fixture.diags);
    cr_assert_eq(check(UNIT "/runtime/profile/data/paper/WheelControllerHil.xml", 0), 0);
    assert_only("WheelControllerHil.xml", 22, 21, "typed 'string', the class reads it as int");
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_WARNING);
}

Test(app, runs_the_papers_hil_profile)
{
    int error = load("paper", NULL, "WheelController.HardwareDriver=kobuki");
    print_diags();
    cr_assert_eq(error, 0);
    const struct dpl_app_device *device = component("WheelController")->device;
    const struct dpl_app_device *simulation = &device->sides[1];
    cr_assert(device_number(&device->sides[0], "MaximumVelocity") == 0.2);
    assert_text(simulation->driver->properties, simulation->driver->n_properties,
                simulation->properties, "L_Motor_Name", "Left Wheel");
    cr_assert(device_number(simulation, "port") == 5500);
    cr_assert(device_number(simulation, "Period") == 100);
}

Test(app, a_component_of_a_remote_node_cannot_be_run)
{
    cr_assert_eq(load(BROKEN "/remote_node.xml", NULL, NULL), -EINVAL);
    assert_only("remote_node.xml", 16, 16, "node_id 'station': remote nodes are not supported yet");
}

/* ---- drivers of another build ---- */

static void assert_older_is_refused(const char *binding, const char *set, const char *place)
{
    struct dpl_catalog_options options = {FAULTY_FOLDER ":" PLUGIN_FOLDER,
                                          UNIT "/runtime/profile/data"};
    dpl_catalog_destroy(fixture.catalog);
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, NULL), 0);
    cr_assert_eq(load("patrol", binding, set), -EINVAL);
    assert_only(place, 0, 0,
                "driver 'older' has 0 calls of device class wheel_controller, the component was "
                "built for 1");
}

Test(app, refuses_a_driver_whose_class_had_fewer_calls_when_it_was_built)
{
    assert_older_is_refused(NULL, "WheelController.ApiName=older",
                            "--set WheelController.ApiName=older");
}

Test(app, refuses_such_a_driver_as_a_side_too)
{
    assert_older_is_refused("hil", "WheelController.HardwareDriver=older",
                            "--set WheelController.HardwareDriver=older");
}
