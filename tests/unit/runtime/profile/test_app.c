/* SPDX-License-Identifier: Apache-2.0 */
/* Loading applications: composites, execution, properties, drivers, connections, bindings, --set.
 */
#include <errno.h>
#include <stdlib.h>

#include "app_fixture.h"

TestSuite(app, .init = setup_fixture, .fini = finish_fixture);

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

Test(app, set_gives_the_late_limit_of_a_component)
{
    load_clean("patrol", "hw", "WheelController.late_limit=500");
    cr_assert_eq(component("WheelController")->execution.late_limit, 500 * DPL_MS);
    load_clean("patrol", "hw", "WheelController.late_limit=1.5 s");
    cr_assert_eq(component("WheelController")->execution.late_limit, 1500 * DPL_MS);
    load_clean("patrol", "hw", NULL);
    cr_assert_eq(component("WheelController")->execution.late_limit, 300 * DPL_MS);
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
