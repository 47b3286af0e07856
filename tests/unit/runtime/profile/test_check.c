/* SPDX-License-Identifier: Apache-2.0 */
/* dpl_check_profile: every kind, every spelling, what is absent, strict. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"

TestSuite(check, .init = setup_fixture, .fini = finish_fixture);

static void assert_clean(const char *file)
{
    int error = check(file, DPL_CHECK_STRICT);
    print_diags();
    cr_assert_eq(error, 0, "%s", file);
    cr_assert_eq(fixture.diags.n, 0);
}

Test(check, accepts_every_kind_of_profile)
{
    assert_clean(UNIT "/runtime/profile/data/components/WheelController.xml");
    assert_clean(UNIT "/runtime/profile/data/components/RobotControl.xml");
    assert_clean(UNIT "/runtime/profile/data/components/Robot.xml");
    assert_clean(UNIT "/runtime/profile/data/patrol.xml");
    assert_clean(UNIT "/runtime/profile/data/nested.xml");
    assert_clean(UNIT "/runtime/profile/data/rates.xml");
    assert_clean(UNIT "/runtime/profile/data/bindings/hil.xml");
    assert_clean(UNIT "/runtime/profile/data/services/WheelControllerService.xml");
    assert_clean(UNIT "/runtime/profile/data/types/Pose.xml");
}

Test(check, names_the_root_of_what_is_no_profile)
{
    char root[64] = "";
    int error = dpl_check_profile(UNIT "/runtime/profile/data/worlds/room.xml", NULL, 0,
                                  fixture.catalog, &fixture.diags, root);
    cr_assert_eq(error, -EMEDIUMTYPE);
    cr_assert_str_eq(root, "world");
    cr_assert_eq(fixture.diags.n, 0);
}

Test(check, reports_a_file_that_cannot_be_opened)
{
    cr_assert_eq(check(UNIT "/runtime/profile/data/nowhere.xml", 0), -EINVAL);
    assert_only("nowhere.xml", 0, 0, "cannot be opened");
}

/* A profile of the given text, in a file whose name the diagnostics bear. */
static const char *write_profile(const char *text)
{
    static char name[64];
    snprintf(name, sizeof(name), "/tmp/doppel-check-XXXXXX");
    int fd = mkstemp(name);
    FILE *stream = fdopen(fd, "w");
    fputs(text, stream);
    fclose(stream);
    return name;
}

static int check_text(const char *text, unsigned flags)
{
    const char *name = write_profile(text);
    int error = check(name, flags);
    remove(name);
    return error;
}

#define WORLD_CHANGES(rows_)                                                                       \
    "<binding_profile><name>b</name><world_properties>\n" rows_                                    \
    "\n</world_properties></binding_profile>"

static const char absent_class[] = "<component_profile><name>Nobody</name></component_profile>";

Test(check, what_is_absent_is_a_warning)
{
    cr_assert_eq(check_text(absent_class, 0), 0);
    assert_only("", 1, 26, "unknown component class 'Nobody'");
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_WARNING);
}

Test(check, what_is_absent_is_an_error_when_resolving)
{
    cr_assert_eq(check_text(absent_class, DPL_CHECK_RESOLVE), -EINVAL);
    assert_only("", 1, 26, "unknown component class 'Nobody'");
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_ERROR);
    cr_assert_eq(fixture.diags.n_errors, 1);
}

Test(check, strict_makes_errors_of_warnings)
{
    cr_assert_eq(check_text(absent_class, DPL_CHECK_STRICT), -EINVAL);
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_ERROR);
    cr_assert_eq(fixture.diags.n_errors, 1);
    cr_assert_eq(fixture.diags.n_warnings, 0);
}

Test(check, without_a_class_the_declared_ports_count)
{
    cr_assert_eq(check(UNIT "/runtime/profile/data/foreign.xml", 0), -EINVAL);
    cr_assert_eq(fixture.diags.n_warnings, 1);
    cr_assert_eq(fixture.diags.n_errors, 1);
    const struct dpl_diag *diag = &fixture.diags.items[1];
    cr_assert_eq(diag->place.line, 16);
    cr_assert_eq(diag->place.column, 47);
    cr_assert_not_null(strstr(diag->text, "has no port 'vision'; did you mean 'visions'?"));
}

Test(check, file_names_outlive_the_check)
{
    check(UNIT "/runtime/profile/data/paper/WheelControllerHil.xml", 0);
    cr_assert_eq(fixture.diags.n, 1);
    cr_assert_str_eq(fixture.diags.items[0].place.file,
                     UNIT "/runtime/profile/data/paper/WheelControllerHil.xml");
}

Test(check, applies_bindings_and_sets_to_an_application)
{
    const char *const bindings[] = {"hil"};
    const char *const sets[] = {"RobotControl.Speed=9"};
    struct dpl_app_options options = {bindings, 1, sets, 1};
    int error = dpl_check_profile(UNIT "/runtime/profile/data/patrol.xml", &options,
                                  DPL_CHECK_RESOLVE, fixture.catalog, &fixture.diags, NULL);
    cr_assert_eq(error, -EINVAL);
    assert_only("--set RobotControl.Speed=9", 0, 0, "Speed: 9 m/s is out of range");
}

static const char *of_node(const char *node)
{
    static char text[1024];
    snprintf(text, sizeof(text),
             "<package_profile><name>a</name><subcomponents>\n"
             "<subcomponent><name>Logger</name>\n"
             "  <node_id>%s</node_id></subcomponent>\n"
             "</subcomponents></package_profile>",
             node);
    return text;
}

Test(check, what_a_profile_says_is_told_where_it_is)
{
    static const struct {
        const char *name, *profile;
        unsigned flags;
        int error, line, column;
        const char *said; /* NULL: nothing */
    } rows[] = {
        {"names the places of bad changes of a world",
         WORLD_CHANGES("<property entry='a'>1</property>"), 0, -EINVAL, 2, 1,
         "<property> lacks the attribute 'name'"},
        {"refuses two values for one attribute of a world",
         WORLD_CHANGES("<property entry='a' name='mass_scale'>1</property>\n"
                       "<property entry='a' name='Mass_Scale'>2</property>"),
         0, -EINVAL, 3, 1, "duplicate property of the world; the first is at 2:1"},
        {"refuses a change of a world without a value",
         WORLD_CHANGES("<property entry='a' name='mass_scale'/>"), 0, -EINVAL, 2, 1,
         "<property> is empty"},
        {"refuses names that no attribute of a world can have",
         WORLD_CHANGES("<property entry='a' name='b=2'>1</property>"), 0, -EINVAL, 2, 18,
         "is no element with an attribute"},
        {"an absent component does not break its connections",
         "<package_profile><name>a</name><subcomponents>"
         "<subcomponent><name>A</name><reference>absent.xml</reference></subcomponent>"
         "<subcomponent><name>Logger</name></subcomponent></subcomponents><port_connections>"
         "<port_connection><source component_name='A' port_name='x'/>"
         "<target component_name='Logger' port_name='pose'/></port_connection>"
         "</port_connections></package_profile>",
         0, 0, 1, 86, "cannot find the profile 'absent.xml'"},
        {"editors leave their elements anywhere",
         "<component_profile><name>Logger</name><layout>1,2,3,4</layout>"
         "<collapsed/><port_layouts><x><y/></x></port_layouts>"
         "<ports><bend_points/></ports></component_profile>",
         DPL_CHECK_STRICT, 0, 0, 0, NULL},
        {"optional elements may be empty",
         "<component_profile><name>Logger</name><id/><execution_semantics>"
         "<type/><period/><priority/><policy/><instance_creation/><affinity>0"
         "</affinity></execution_semantics></component_profile>",
         DPL_CHECK_STRICT, 0, 0, 0, NULL},
        {"a component without a name has that of its library",
         "<component_profile><name></name><execution_environment><library_name>"
         "Logger</library_name></execution_environment></component_profile>",
         0, 0, 1, 20, "<name> is empty: 'Logger' of <library_name> is taken"},
        {"older names are accepted",
         "<component_profile><name>Logger</name>"
         "<execution_semantics><creation_type>multiple</creation_type>"
         "</execution_semantics><monitoring><var name='a' type='int'/>"
         "</monitoring><fsm><name>f</name><type>t</type><reference>r</reference>"
         "</fsm><ports><data_port><name>pose</name><usage>input</usage>"
         "<queuing_policy>last</queuing_policy></data_port></ports>"
         "</component_profile>",
         DPL_CHECK_STRICT, 0, 0, 0, NULL},
        {"korean profiles are placed by characters",
         "<?xml version='1.0' encoding='EUC-KR'?>\n"
         "<component_profile><description>\xb9\xd9\xc4\xfb</description><nmae/>"
         "<name>Logger</name></component_profile>",
         0, 0, 2, 49, "unknown element <nmae>"},
        {"a property of another driver is no matter",
         "<component_profile><name>WheelController</name><properties>"
         "<property name='ApiName'>kobuki</property>"
         "<property name='RobotName'>r</property>"
         "<property name='hardware.Device'>d</property></properties>"
         "</component_profile>",
         DPL_CHECK_STRICT, 0, 0, 0, NULL},
        {"a property nobody knows is a warning",
         "<component_profile><name>WheelController</name><properties>"
         "<property name='SafeRadios'>1</property></properties>"
         "</component_profile>",
         0, 0, 1, 76,
         "unknown property 'SafeRadios' of WheelController; did you mean "
         "'SafeRadius'?"},
        {"two commanders of one component are a warning",
         "<package_profile><name>Two</name><subcomponents>"
         "<subcomponent><name>A</name><reference>RobotControl.xml</reference></subcomponent>"
         "<subcomponent><name>B</name><reference>RobotControl.xml</reference></subcomponent>"
         "<subcomponent><name>W</name><reference>WheelController.xml</reference></subcomponent>"
         "</subcomponents><port_connections>"
         "<port_connection port_type='service'><source component_name='A' port_name='base'/>"
         "<target component_name='W' port_name='wheel'/></port_connection>\n"
         "<port_connection port_type='service'><source component_name='B' port_name='base'/>"
         "<target component_name='W' port_name='wheel'/></port_connection>"
         "</port_connections></package_profile>",
         0, 0, 2, 1, "'W' is commanded by 'B' here and by 'A' at "},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert_eq(check_text(rows[i].profile, rows[i].flags), rows[i].error, "%s", rows[i].name);
        if (rows[i].said) {
            assert_only_of(rows[i].name, "", rows[i].line, rows[i].column, rows[i].said);
        }
        cr_assert(rows[i].said || fixture.diags.n == 0, "%s", rows[i].name);
        dpl_diags_finish(&fixture.diags);
    }
}

/* Both values of a property that names a result file, on lines 2 and 3. */
static int check_results(const char *first, const char *second)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<package_profile><name>a</name><subcomponents>\n"
             "<subcomponent><name>L</name><reference>Logger</reference><properties>"
             "<property name='File'>f</property><property name='Output'>%s</property></properties>"
             "</subcomponent>\n"
             "<subcomponent><name>M</name><reference>Logger</reference><properties>"
             "<property name='File'>f</property><property name='Output'>%s</property></properties>"
             "</subcomponent></subcomponents></package_profile>",
             first, second);
    return check_text(text, 0);
}

Test(check, two_components_with_one_result_file_are_an_error_at_both_places)
{
    cr_assert_eq(check_results("scans.csv", "scans.csv"), -EINVAL);
    assert_only("", 3, 128, "M.Output: 'scans.csv' is the result file of 'L' too (/tmp/");
    assert_only("", 3, 128, ":2:128)");
}

Test(check, components_with_files_of_their_own_or_without_are_no_error)
{
    cr_assert_eq(check_results("scans.csv", "other.csv"), 0);
    cr_assert_eq(check_results("", ""), 0);
    cr_assert_eq(fixture.diags.n, 0);
}

Test(check, a_remote_node_is_a_warning)
{
    cr_assert_eq(check_text(of_node("station"), 0), 0);
    assert_only("", 3, 12, "node_id 'station': remote nodes are not supported yet");
    cr_assert_eq(fixture.diags.n_warnings, 1);
}

Test(check, a_remote_node_is_an_error_where_everything_must_be_there)
{
    cr_assert_eq(check_text(of_node("station"), DPL_CHECK_RESOLVE), -EINVAL);
    assert_only("", 3, 12, "node_id 'station': remote nodes are not supported yet");
    cr_assert_eq(fixture.diags.n_errors, 1);
}

Test(check, an_empty_node_and_local_are_this_process)
{
    cr_assert_eq(check_text(of_node(""), 0), 0);
    cr_assert_eq(check_text(of_node("local"), 0), 0);
    cr_assert_eq(fixture.diags.n, 0);
}

static const char disagreeing[] =
    "<package_profile><name>a</name><subcomponents>\n"
    "<subcomponent><name>WheelController</name></subcomponent>\n"
    "<subcomponent><name>Logger</name><properties>"
    "<property name='Frame'>map</property></properties></subcomponent>\n"
    "</subcomponents><port_connections>"
    "<port_connection><source component_name='WheelController' port_name='odometry'/>"
    "<target component_name='Logger' port_name='pose'/></port_connection>"
    "</port_connections></package_profile>";

/* Its binding may make them agree. */
Test(check, values_that_must_agree_and_do_not_are_a_warning)
{
    cr_assert_eq(check_text(disagreeing, 0), 0);
    assert_only("", 3, 69, "Logger.Frame is 'map', that of WheelController is 'ODOM'");
    cr_assert_eq(fixture.diags.items[0].severity, DPL_SEVERITY_WARNING);
}

Test(check, values_that_agree_in_other_words_are_the_same)
{
    const char *name = write_profile(disagreeing);
    const char *sets[] = {"WheelController.Frame=MAP", "Logger.Grid=100 mm"};
    struct dpl_app_options options = {.sets = sets, .n_sets = 2};
    cr_assert_eq(dpl_check_profile(name, &options, 0, fixture.catalog, &fixture.diags, NULL), 0);
    cr_assert_eq(fixture.diags.n, 0);
    remove(name);
}

Test(check, two_values_that_do_not_agree_are_both_told_with_their_places)
{
    const char *name = write_profile(disagreeing);
    const char *sets[] = {"WheelController.Frame=world"};
    struct dpl_app_options options = {.sets = sets, .n_sets = 1};
    cr_assert_eq(dpl_check_profile(name, &options, 0, fixture.catalog, &fixture.diags, NULL), 0);
    assert_only("", 3, 69, "is 'world' (--set WheelController.Frame=world): they must be the same");
    remove(name);
}
