/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that would end the process: files that are cut off or no files, tables with holes, two
 * plugins of one class. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/plugin.h>

#include "fixture.h"

static char folder[] = "/tmp/doppel-test-XXXXXX";

static void make_folder(void)
{
    cr_assert(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    static const char *const names[] = {"component-logger.so", "component-Log_ger.so"};
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        unlink(path_of(names[i]));
    }
    rmdir(folder);
    finish_fixture();
}

TestSuite(plugin_file, .init = make_folder, .fini = remove_folder, .timeout = 60);

/* The first `length` bytes of a plugin of the tests; -1: all of them. Returns how many there are.
 */
static long copy_plugin(const char *name, long length)
{
    static char bytes[1 << 20];
    FILE *from = fopen(PLUGIN_FOLDER "/component-logger.so", "rb");
    cr_assert_not_null(from);
    size_t n = fread(bytes, 1, sizeof bytes, from);
    fclose(from);
    cr_assert_lt(n, sizeof bytes);
    unlink(path_of(name)); /* never into a file that may be mapped */
    FILE *to = fopen(path_of(name), "wb");
    cr_assert_not_null(to);
    size_t wanted = length < 0 ? n : (size_t)length;
    cr_assert_eq(fwrite(bytes, 1, wanted, to), wanted);
    cr_assert_eq(fclose(to), 0);
    return (long)n;
}

static int load_logger(struct dpl_diag *ret_diag)
{
    const struct dpl_component_class *class_ = NULL;
    struct dpl_catalog_options options = {folder, UNIT "/runtime/profile/data"};
    dpl_catalog_destroy(fixture.catalog);
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, NULL), 0);
    return dpl_catalog_class(fixture.catalog, "Logger", &class_, ret_diag);
}

static void assert_not_loaded(const char *text)
{
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(load_logger(&diag), -ENOEXEC);
    cr_assert_not_null(strstr(diag.text, text), "%s", diag.text);
    cr_assert_eq(strncmp(diag.place.file, folder, strlen(folder)), 0);
}

Test(plugin_file, is_refused_wherever_it_is_cut_off)
{
    struct dpl_diag diag = {.text = ""};
    long length = copy_plugin("component-logger.so", -1);
    cr_assert_eq(load_logger(&diag), 0, "%s", diag.text);
    for (long left = length - 1; left > 4; left -= 1 + length / 50) {
        copy_plugin("component-logger.so", left);
        assert_not_loaded("is cut off");
    }
    copy_plugin("component-logger.so", 64);
    assert_not_loaded("is cut off");
    for (long left = 0; left < 4; left++) {
        copy_plugin("component-logger.so", left);
        assert_not_loaded("no ELF file");
    }
}

Test(plugin_file, is_refused_when_its_end_is_zero)
{
    long length = copy_plugin("component-logger.so", -1);
    for (long left = length - 64; left > 1024; left -= 1 + length / 50) {
        copy_plugin("component-logger.so", left);
        cr_assert_eq(truncate(path_of("component-logger.so"), length), 0);
        assert_not_loaded("the plugin is damaged");
    }
}

Test(plugin_file, is_not_opened_when_it_is_a_pipe_or_a_folder)
{
    cr_assert_eq(mkfifo(path_of("component-logger.so"), 0600), 0);
    assert_not_loaded("no regular file");
    unlink(path_of("component-logger.so"));
    cr_assert_eq(mkdir(path_of("component-logger.so"), 0700), 0);
    assert_not_loaded("no regular file");
    rmdir(path_of("component-logger.so"));
    cr_assert_eq(symlink("/dev/zero", path_of("component-logger.so")), 0);
    assert_not_loaded("no regular file");
    unlink(path_of("component-logger.so"));
    cr_assert_eq(symlink("nowhere", path_of("component-logger.so")), 0);
    assert_not_loaded("No such file");
}

Test(plugin_file, is_refused_when_it_is_no_library)
{
    FILE *file = fopen(path_of("component-logger.so"), "w");
    cr_assert_not_null(file);
    fprintf(file, "%2000s", "version https://example.org/pointer");
    cr_assert_eq(fclose(file), 0);
    assert_not_loaded("no ELF file");
}

Test(plugin_file, is_refused_beside_another_one_of_the_same_class)
{
    copy_plugin("component-logger.so", -1);
    copy_plugin("component-Log_ger.so", -1);
    assert_not_loaded("is a plugin of the same component class");
    unlink(path_of("component-Log_ger.so"));
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(load_logger(&diag), 0, "%s", diag.text);
}

Test(plugin_file, hides_one_of_the_same_class_in_a_later_folder)
{
    char both[PATH_MAX + sizeof PLUGIN_FOLDER];
    copy_plugin("component-Log_ger.so", -1);
    snprintf(both, sizeof both, "%s:%s", folder, PLUGIN_FOLDER);
    struct dpl_catalog_options options = {both, UNIT "/runtime/profile/data"};
    const struct dpl_component_class *class_ = NULL;
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, NULL), 0);
    cr_assert_eq(dpl_catalog_class(fixture.catalog, "Logger", &class_, NULL), 0);
    cr_assert_str_eq(dpl_catalog_class_file(fixture.catalog, class_),
                     path_of("component-Log_ger.so"));
}

Test(plugin_file, in_a_folder_that_is_named_twice_is_one)
{
    static const struct dpl_catalog_options twice = {PLUGIN_FOLDER ":" PLUGIN_FOLDER,
                                                     UNIT "/runtime/profile/data"};
    const struct dpl_component_class *class_ = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_catalog_create(&twice, &fixture.catalog, NULL), 0);
    cr_assert_eq(dpl_catalog_class(fixture.catalog, "Logger", &class_, &diag), 0, "%s", diag.text);
}

/* ---- tables ---- */

TestSuite(plugin_tables, .init = setup_fixture, .fini = finish_fixture);

static void assert_class_refused(const struct dpl_component_class *class_, const char *text)
{
    const struct dpl_plugin plugin = {DPL_PLUGIN_HEADER, .component = class_};
    struct dpl_diag diag = {.text = ""};
    cr_expect_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -ENOEXEC, "%s", text);
    cr_expect_not_null(strstr(diag.text, text), "expected '%s', found '%s'", text, diag.text);
}

static void assert_driver_refused(const struct dpl_driver *driver, const char *text)
{
    const struct dpl_plugin plugin = {DPL_PLUGIN_HEADER, .driver = driver};
    struct dpl_diag diag = {.text = ""};
    cr_expect_eq(dpl_catalog_add_plugin(fixture.catalog, &plugin, &diag), -ENOEXEC, "%s", text);
    cr_expect_not_null(strstr(diag.text, text), "expected '%s', found '%s'", text, diag.text);
}

#define OWN(...) (&(const struct dpl_component_class){.name = "Own", __VA_ARGS__})

Test(plugin_tables, need_a_table_for_each_count)
{
    assert_class_refused(OWN(.n_ports = 5), "component class 'Own': port: there is a number");
    assert_class_refused(OWN(.n_properties = 1, .properties_size = 8), "property: there is a");
    assert_class_refused(OWN(.n_exports = 2, .state_size = 8), "export: there is a number");
    assert_class_refused(
        OWN(.ports = (const struct dpl_port_desc[1]){{.name = "a"}}, .n_ports = SIZE_MAX / 2),
        "port: the table has more than 4096 rows");
}

Test(plugin_tables, have_sizes_and_periods_that_can_be)
{
    assert_class_refused(OWN(.state_size = (size_t)1 << 60),
                         "state_size: 1152921504606846976 bytes, expected at most 1073741824");
    assert_class_refused(OWN(.state_size = SIZE_MAX), "state_size");
    assert_class_refused(OWN(.properties_size = (size_t)1 << 60), "properties_size");
    assert_class_refused(OWN(.default_period = -DPL_MS), "default_period: it is negative");
}

Test(plugin_tables, have_ports_with_names_and_types)
{
    static const struct {
        struct dpl_port_desc port;
        const char *text;
    } rows[] = {
        {{.kind = DPL_PORT_EVENT}, "port: a row has no name"},
        {{.name = "", .kind = DPL_PORT_EVENT}, "port: a row has no name"},
        {{.name = "p", .kind = DPL_PORT_DATA}, "port 'p': a data port without a message type"},
        {{.name = "p", .kind = DPL_PORT_SERVICE}, "port 'p': a service port without"},
        {{.name = "p", .kind = (enum dpl_port_kind)9}, "port 'p': its kind"},
        {{.name = "p", .kind = DPL_PORT_EVENT, .dir = (enum dpl_port_dir)9}, "port 'p': its kind"},
        {{.name = "p", .kind = DPL_PORT_EVENT, .policy = (enum dpl_queue)9}, "port 'p': its kind"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        assert_class_refused(OWN(.ports = &rows[i].port, .n_ports = 1), rows[i].text);
    }
}

struct own {
    double number;
    int64_t whole;
    int choice;
};

Test(plugin_tables, have_members_inside_of_their_structs)
{
    static const struct {
        struct dpl_field field;
        const char *text;
    } rows[] = {
        {{.type = DPL_FIELD_DOUBLE, .size = 8}, "property: a row has no name"},
        {{.name = "A", .type = DPL_FIELD_DOUBLE, .offset = 1000, .size = 8}, "outside"},
        {{.name = "A", .type = DPL_FIELD_DOUBLE, .offset = SIZE_MAX - 3, .size = 8}, "outside"},
        {{.name = "A", .type = DPL_FIELD_STRING, .size = SIZE_MAX}, "outside"},
        {{.name = "A", .type = DPL_FIELD_DOUBLE, .size = 4}, "not of its type"},
        {{.name = "A", .type = DPL_FIELD_STRING, .size = 0}, "not of its type"},
        {{.name = "A", .type = (enum dpl_field_type)77, .size = 8}, "not of its type"},
        {{.name = "A", .type = DPL_FIELD_CHOICE, DPL_MEMBER(struct own, choice)}, "choices"},
        {DPL_NUMBER(struct own, number, "A", "m", "eleven", 0, 0, ""), "'A': default:"},
        {DPL_NUMBER(struct own, number, "A", "parsec", "1 m", 0, 0, ""), "'A': default:"},
        {DPL_INT(struct own, whole, "A", "11", 1, 10, ""), "'A': default:"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        assert_class_refused(OWN(.properties = &rows[i].field, .n_properties = 1,
                                 .properties_size = sizeof(struct own)),
                             rows[i].text);
    }
    assert_class_refused(OWN(.exports = &rows[1].field, .n_exports = 1, .state_size = 64),
                         "export 'A': its member is outside");
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    (void)device, (void)number, (void)in, (void)out;
    return 0;
}

Test(plugin_tables, of_a_driver_are_checked_too)
{
    static const struct dpl_device_class device_class = {.name = "lamp"};
    static const struct dpl_device_class without_calls = {.name = "lamp", .n_calls = 3};
    static const struct dpl_driver_side side = {.name = "hardware"};
    const struct dpl_driver base = {.name = "own", .device_class = &device_class, .answer = answer};
    struct dpl_driver driver = {.name = "own"};
    assert_driver_refused(&driver, "has no device class");
    driver.device_class = &without_calls;
    assert_driver_refused(&driver, "driver 'own': call of its class: there is a number of rows");
    driver = base, driver.n_sides = 2;
    assert_driver_refused(&driver, "side: there is a number of rows");
    driver.n_sides = 1, driver.sides = &side;
    assert_driver_refused(&driver, "side: a row has no name or no driver_property");
    driver = base, driver.n_properties = 1;
    assert_driver_refused(&driver, "property: there is a number");
    driver = base, driver.n_exports = 1;
    assert_driver_refused(&driver, "export: there is a number");
    driver = base, driver.state_size = (size_t)1 << 60;
    assert_driver_refused(&driver, "state_size");
}
