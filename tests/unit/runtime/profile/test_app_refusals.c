/* SPDX-License-Identifier: Apache-2.0 */
/* Applications that cannot be run, with --set and bindings that fit nothing: what is said, and
 * where.
 */
#include <errno.h>
#include <stdlib.h>

#include "app_fixture.h"

TestSuite(app_refusals, .init = setup_fixture, .fini = finish_fixture);

static void assert_load_fails(const char *name, const char *binding, const char *set,
                              const char *file, const char *text)
{
    cr_assert_eq(load("patrol", binding, set), -EINVAL, "%s", name);
    cr_assert_null(fixture.app, "%s", name);
    assert_only_of(name, file, 0, 0, text);
    dpl_diags_finish(&fixture.diags);
}

Test(app_refusals, what_is_set_or_bound_wrong_is_told_with_what_could_be_meant)
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
        {"a binding of another application is not suggested", "mock", NULL, "--bind mock",
         "unknown binding; `doppel list bindings` shows"},
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

Test(app_refusals, set_of_a_composite_is_an_error_that_names_who_has_the_property)
{
    assert_nested_fails("Outer.ApiName=kobuki",
                        "'Outer' is a composite and has no property 'ApiName'; expected one of its "
                        "components: Outer.Component.Property; did you mean 'Outer.Base.ApiName'?");
    assert_nested_fails("Outer.Fooo=1", "'Outer' is a composite and has no property 'Fooo'");
    assert_nested_fails("Outer.Recorder.Level=2", "'Outer.Recorder' is a composite");
}

Test(app_refusals, set_of_a_component_by_its_last_name_suggests_the_whole_one)
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

Test(app_refusals, a_binding_of_a_composite_sets_its_components_or_fails)
{
    cr_assert_eq(load_nested_bound("Outer", "Base.WheelDiameter", "0.11"), 0);
    cr_assert(device_number(component("Outer.Base")->device, "WheelDiameter") == 0.11);
    cr_assert_eq(load_nested_bound("Outer", "Fooo", "1"), -EINVAL);
    assert_only("", 1, 65, "'Outer' is a composite and has no property 'Fooo'");
}

Test(app_refusals, a_device_without_driver_lists_the_drivers)
{
    cr_assert_eq(load("patrol", NULL, NULL), -EINVAL);
    assert_only("patrol.xml", 7, 5, "needs the property ApiName");
    cr_assert_not_null(strstr(fixture.diags.items[0].text, "avatar, hil, kobuki"));
}

Test(app_refusals, a_component_profile_cannot_be_run)
{
    cr_assert_eq(load("Logger", NULL, NULL), -EINVAL);
    dpl_diags_finish(&fixture.diags);
    cr_assert_eq(load(UNIT "/runtime/profile/data/components/Logger.xml", NULL, NULL), -EINVAL);
    assert_only("Logger.xml", 2, 1,
                "<component_profile> cannot be run, expected <package_profile>");
}

Test(app_refusals, a_component_of_a_remote_node_cannot_be_run)
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

Test(app_refusals, refuses_a_driver_whose_class_had_fewer_calls_when_it_was_built)
{
    assert_older_is_refused(NULL, "WheelController.ApiName=older",
                            "--set WheelController.ApiName=older");
}

Test(app_refusals, refuses_such_a_driver_as_a_side_too)
{
    assert_older_is_refused("hil", "WheelController.HardwareDriver=older",
                            "--set WheelController.HardwareDriver=older");
}
