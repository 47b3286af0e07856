/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue: plugins by any of their names, refusals, profiles by reference. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <doppel/plugin.h>

#include "fixture.h"

TestSuite(catalog, .init = setup_fixture, .fini = finish_fixture);

static void assert_class(const char *name, const char *expected)
{
    const struct dpl_component_class *class_ = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_catalog_class(fixture.catalog, name, &class_, &diag), 0, "%s", diag.text);
    cr_assert_str_eq(class_->name, expected);
}

static void assert_driver(const char *name, const char *expected)
{
    const struct dpl_driver *driver = NULL;
    struct dpl_diag diag = {.text = ""};
    int error = dpl_catalog_driver(fixture.catalog, "wheel_controller", name, &driver, &diag);
    cr_assert_eq(error, 0, "%s", diag.text);
    cr_assert_str_eq(driver->name, expected);
}

Test(catalog, finds_a_class_by_each_of_its_names)
{
    assert_class("WheelController", "WheelController");
    assert_class("wheel_controller", "WheelController");
    assert_class("libWheelController.so", "WheelController");
    assert_class("WheelController.dll", "WheelController");
    assert_class("C:\\opros\\WheelController.dll", "WheelController");
    assert_class("/opt/opros/libwheel_controller.so", "WheelController");
    assert_class("WheelControllerComponent", "WheelController");
}

Test(catalog, finds_a_driver_by_each_of_its_names)
{
    assert_driver("hil", "hil");
    assert_driver("HIL_Driver.dll", "hil");
    assert_driver("libavatar.so", "avatar");
    assert_driver("KobukiDriver", "kobuki");
}

Test(catalog, names_what_there_is_when_a_class_is_absent)
{
    const struct dpl_component_class *class_ = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_catalog_class(fixture.catalog, "Logge", &class_, &diag), -ENOENT);
    cr_assert_null(class_);
    cr_assert_str_eq(diag.text, "unknown component class 'Logge'; did you mean 'Logger'? (there "
                                "is: Logger, RobotControl, WheelController)");
    cr_assert_eq(dpl_catalog_class(fixture.catalog, "", &class_, NULL), -ENOENT);
}

Test(catalog, names_the_drivers_of_the_device_class)
{
    const struct dpl_driver *driver = NULL;
    struct dpl_diag diag;
    int error = dpl_catalog_driver(fixture.catalog, "wheel_controller", "x", &driver, &diag);
    cr_assert_eq(error, -ENOENT);
    cr_assert_str_eq(diag.text, "unknown driver 'x' of device class wheel_controller (there is: "
                                "avatar, hil, kobuki)");
    cr_assert_eq(dpl_catalog_driver(fixture.catalog, "camera", "hil", &driver, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "(there is: none)"));
}

static void assert_suggests(const char *name, const char *expected)
{
    char found[64] = "nothing";
    bool near = dpl_catalog_suggest(fixture.catalog, name, found, sizeof found);
    cr_assert_str_eq(found, expected, "%s", name);
    cr_assert_eq(near, strcmp(expected, "nothing") != 0);
}

Test(catalog, suggests_the_nearest_class_driver_or_driver_of_a_device_class)
{
    dpl_catalog_load_all(fixture.catalog, NULL);
    assert_suggests("WheelControler", "WheelController");
    assert_suggests("kobuky", "kobuki");
    assert_suggests("wheel_controller/avtaar", "wheel_controller/avatar");
    assert_suggests("wheel_controler/kobuki", "wheel_controller/kobuki");
    assert_suggests("WheelController/hli", "wheel_controller/hil");
    assert_suggests("wheel_controller/nonsense", "nothing");
    assert_suggests("camera/hil", "nothing");
    assert_suggests("/", "nothing");
    assert_suggests("", "nothing");
}

Test(catalog, lists_what_is_loaded)
{
    cr_assert_eq(dpl_catalog_n_classes(fixture.catalog), 0);
    dpl_catalog_load_all(fixture.catalog, &fixture.diags);
    cr_assert_eq(fixture.diags.n, 0);
    cr_assert_eq(dpl_catalog_n_classes(fixture.catalog), 3);
    cr_assert_eq(dpl_catalog_n_drivers(fixture.catalog), 3);
    cr_assert_str_eq(dpl_catalog_class_at(fixture.catalog, 0)->name, "Logger");
    cr_assert_str_eq(dpl_catalog_driver_at(fixture.catalog, 2)->name, "kobuki");
    cr_assert_null(dpl_catalog_class_at(fixture.catalog, 3));
    const struct dpl_component_class *logger = dpl_catalog_class_at(fixture.catalog, 0);
    cr_assert_str_eq(dpl_catalog_class_file(fixture.catalog, logger),
                     PLUGIN_FOLDER "/component-logger.so");
}

static void use(const char *plugin_path, const char *profile_path)
{
    struct dpl_catalog_options options = {plugin_path, profile_path};
    dpl_catalog_destroy(fixture.catalog);
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, NULL), 0);
}

static void assert_refused(const char *name, const char *text)
{
    const struct dpl_component_class *class_ = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_catalog_class(fixture.catalog, name, &class_, &diag), -ENOEXEC);
    cr_assert_not_null(strstr(diag.text, text), "%s", diag.text);
    cr_assert_eq(strncmp(diag.place.file, FAULTY_FOLDER, strlen(FAULTY_FOLDER)), 0);
}

static const struct dpl_component_class own_class = {.name = "Own", .summary = "of this program"};

Test(catalog, takes_a_plugin_that_a_program_has_in_memory_once)
{
    const struct dpl_plugin plugin = {DPL_PLUGIN_HEADER, .component = &own_class};
    const struct dpl_component_class *class_ = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_catalog_class(fixture.catalog, "libOwn.so", &class_, &diag), 0);
    cr_assert_eq(class_, &own_class);
    cr_assert_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -EEXIST);
    cr_assert_str_eq(diag.text, "there is already a component class 'Own'");
}

Test(catalog, refuses_a_plugin_in_memory_that_is_not_of_this_runtime)
{
    struct dpl_plugin plugin = {DPL_PLUGIN_HEADER, .component = &own_class};
    struct dpl_diag diag = {.text = ""};
    plugin.abi++;
    cr_assert_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -ENOEXEC);
    plugin.abi--;
    plugin.component_size += 8;
    cr_assert_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -ENOEXEC);
    plugin = (struct dpl_plugin){DPL_PLUGIN_HEADER};
    cr_assert_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -ENOEXEC);
    cr_assert_str_eq(diag.text, "the plugin contains no component");
}

Test(catalog, looks_first_into_a_folder_of_profiles_that_was_added)
{
    char folder[] = "/tmp/doppel-test-XXXXXX", path[64];
    struct dpl_diag diag = {.text = ""};
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/patrol.xml", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file && fclose(file) == 0);
    cr_assert_eq(dpl_catalog_add_profiles(fixture.catalog, folder, &diag), 0, "%s", diag.text);
    cr_expect_str_eq(dpl_catalog_find_profile(fixture.catalog, "apps", "patrol", NULL), path);
    unlink(path);
    rmdir(folder);
}

Test(catalog, refuses_plugins_of_another_interface)
{
    use(FAULTY_FOLDER, UNIT "/runtime/profile/data");
    assert_refused("OldAbi", "the plugin has ABI 8, this runtime has 2");
    assert_refused("OtherSize", "the plugin's component class table has 8 bytes");
    assert_refused("Misnamed",
                   "the file is named for component 'misnamed', but the plugin contains "
                   "'SomethingElse'");
    assert_refused("Nothing", "the plugin contains no component");
    assert_refused("NoSymbol", "it has no symbol dpl_plugin");
    assert_refused("OldAbi", "the plugin has ABI 8");
}

Test(catalog, reports_every_plugin_that_does_not_load)
{
    use(FAULTY_FOLDER ":" PLUGIN_FOLDER, UNIT "/runtime/profile/data");
    dpl_catalog_load_all(fixture.catalog, &fixture.diags);
    cr_assert_eq(fixture.diags.n_errors, 6);
    cr_assert_eq(dpl_catalog_n_classes(fixture.catalog), 3);
}

Test(catalog, takes_folders_that_do_not_exist)
{
    use("/nowhere:" PLUGIN_FOLDER "::", "/nowhere");
    assert_class("Logger", "Logger");
    cr_assert_null(dpl_catalog_find_profile(fixture.catalog, NULL, "patrol", NULL));
    dpl_catalog_destroy(NULL);
}

Test(catalog, takes_default_paths_from_the_environment)
{
    setenv("DOPPEL_PLUGIN_PATH", PLUGIN_FOLDER, 1);
    setenv("DOPPEL_PROFILE_PATH", UNIT "/runtime/profile/data", 1);
    use(NULL, NULL);
    assert_class("Logger", "Logger");
    cr_assert_not_null(dpl_catalog_find_profile(fixture.catalog, "bindings", "hil", NULL));
}

static void assert_found(const char *kind, const char *name, const char *beside,
                         const char *expected)
{
    const char *found = dpl_catalog_find_profile(fixture.catalog, kind, name, beside);
    cr_assert_not_null(found, "%s", name);
    cr_assert_str_eq(found, expected);
}

Test(catalog, finds_profiles_on_the_path_by_kind)
{
    assert_found("components", "Logger", NULL, UNIT "/runtime/profile/data/components/Logger.xml");
    assert_found("components", "Logger.xml", NULL,
                 UNIT "/runtime/profile/data/components/Logger.xml");
    assert_found(NULL, "hil", NULL, UNIT "/runtime/profile/data/bindings/hil.xml");
    assert_found("apps", "patrol", NULL, UNIT "/runtime/profile/data/patrol.xml");
    cr_assert_null(dpl_catalog_find_profile(fixture.catalog, "worlds", "Logger", NULL));
    cr_assert_null(dpl_catalog_find_profile(fixture.catalog, NULL, "", NULL));
    cr_assert_null(dpl_catalog_find_profile(fixture.catalog, NULL, "components", NULL));
}

Test(catalog, finds_profiles_beside_the_referring_file_first)
{
    use(PLUGIN_FOLDER, UNIT "/runtime/profile/data/layout/path");
    const char *beside = UNIT "/runtime/profile/data/layout/app/app.xml";
    assert_found("components", "Near.xml", beside,
                 UNIT "/runtime/profile/data/layout/app/Near.xml");
    assert_found("components", "Sub.xml", beside,
                 UNIT "/runtime/profile/data/layout/app/profile/Sub.xml");
    assert_found("components", "Own.xml", beside,
                 UNIT "/runtime/profile/data/layout/app/Own/Own.xml");
    assert_found("components", "Deep.xml", beside,
                 UNIT "/runtime/profile/data/layout/app/Deep/profile/Deep.xml");
    assert_found("components", "Near.xml", NULL,
                 UNIT "/runtime/profile/data/layout/path/components/Near.xml");
}

Test(catalog, finds_a_file_as_given)
{
    assert_found("apps", UNIT "/runtime/profile/data/patrol.xml", NULL,
                 UNIT "/runtime/profile/data/patrol.xml");
    cr_assert_eq(chdir(UNIT "/runtime/profile/data"), 0);
    assert_found("apps", "nested.xml", NULL, "nested.xml");
    assert_found("components", "Robot.xml", "components/Recorder.xml", "components/Robot.xml");
    assert_found("components", "paper.xml", "patrol.xml", "paper.xml");
}

Test(catalog, lists_the_files_of_a_kind_by_name)
{
    size_t n = 0;
    const char *const *files = dpl_catalog_profiles(fixture.catalog, "bindings", &n);
    cr_assert_eq(n, 4);
    cr_assert_str_eq(files[0], UNIT "/runtime/profile/data/bindings/changed.xml");
    cr_assert_str_eq(files[3], UNIT "/runtime/profile/data/bindings/sim.xml");
    dpl_catalog_profiles(fixture.catalog, "robots", &n);
    cr_assert_eq(n, 0);
}

Test(catalog, lists_the_files_of_a_kind_in_its_sub_folders_too)
{
    size_t n = 0;
    const char *const *files = dpl_catalog_profiles(fixture.catalog, "benches", &n);
    cr_assert_eq(n, 1);
    cr_assert_str_eq(files[0], UNIT "/runtime/profile/data/benches/lane/short.xml");
}
