/* SPDX-License-Identifier: Apache-2.0 */
/* A <Modbus> of a mechanism from XML: what arrives, where errors are reported, and the conversion
 * of values. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/sim/modbus.h>
#include <doppel/sim/objects.h>

#include "objects_reading.h"

TestSuite(modbus_xml, .fini = reading_end);

/* A mechanism with a slider `rail`, a servo `drive` and switches `end0` and `end1`. */
static const char before[] =
    "<mechanism name='m'><RigidObject name='cart' mass='1'><BoxShape x='1' y='1' z='1'/>"
    "</RigidObject><Joint name='rail' type='slider' child='cart'/>"
    "<Motor name='drive' joint='rail' type='servo' max_effort='9' max_speed='1'/>"
    "<Repeat count='2' index='i'><Sensor name='end{i}' type='switch' joint='rail' from='1' to='2'/>"
    "</Repeat>\n";

static int read_text(const char *unit)
{
    const char *text = dpl_arena_printf(&arena, "%s%s</mechanism>", before, unit);
    return reading_anew(text);
}

static const struct dpl_sim_modbus *read_good(const char *unit)
{
    reading_is_good(read_text(unit));
    cr_assert_eq(objects.n_modbus, 1);
    return &objects.modbus[0];
}

/* Maps of unit 1, of which the only finding is at the '@', which is not read. */
struct row {
    const char *maps, *said;
};

static void expect(const struct row *row)
{
    char *text = dpl_arena_printf(&arena, "<Modbus>%s</Modbus>", row->maps);
    char *mark = strchr(text, '@');
    int column = (int)(mark - text) + 1;
    memmove(mark, mark + 1, strlen(mark));
    cr_assert_eq(read_text(text), -EINVAL, "%s", row->maps);
    cr_assert_eq(diags.n, 1, "%zu findings in %s: %s", diags.n, row->maps, diags.items[0].text);
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_not_null(strstr(diag->text, row->said), "'%s' in %s", diag->text, row->maps);
    cr_assert_eq(diag->place.line, 2, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "column %d, not %d: %s", diag->place.column, column,
                 diag->text);
}

static void expect_all(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        expect(&rows[i]);
    }
}
#define EXPECT_ALL(rows) expect_all(rows, sizeof(rows) / sizeof((rows)[0]))

Test(modbus_xml, maps_arrive_in_the_order_of_tables_and_addresses)
{
    const struct dpl_sim_modbus *unit = read_good(
        "<Modbus name='plc' unit='3' watchdog_ms='200'>"
        "<map table='holding' address='1' watchdog='true' pace='true'/>"
        "<map table='holding' address='0' signal='Drive/Setpoint' type='int16' scale='0.001'/>"
        "<Repeat count='2' index='i'><map table='discrete' address='{5+i}' signal='end{i}/on'/>"
        "</Repeat>"
        "<map table='input' address='7' signal='rail/position' type='int32' offset='2'/>"
        "<map table='input' address='2' value='12'/>"
        "<map table='coil' address='4' signal='end1/stuck_on' edge='rising'/>"
        "</Modbus>");
    const struct dpl_sim_modbus_map *maps = unit->maps;
    cr_assert_str_eq(unit->name, "plc");
    cr_assert_eq(unit->unit, 3);
    cr_assert_eq(unit->watchdog, 200 * DPL_MS);
    cr_assert_eq(unit->n_maps, 7);
    cr_assert(maps[0].table == DPL_MODBUS_DISCRETE && maps[0].address == 5);
    cr_assert_str_eq(maps[1].signal, "end1/on");
    cr_assert(maps[2].source == DPL_MODBUS_CONSTANT && maps[2].value == 12.0);
    cr_assert_eq(maps[2].type, DPL_MODBUS_UINT16);
    cr_assert(maps[3].type == DPL_MODBUS_INT32 && maps[3].offset == 2.0);
    cr_assert(maps[4].edge == DPL_MODBUS_RISING && maps[4].type == DPL_MODBUS_BIT);
    cr_assert_str_eq(maps[5].signal, "drive/setpoint");
    cr_assert(maps[6].source == DPL_MODBUS_MEMORY && maps[6].pace && maps[6].watchdog);
}

Test(modbus_xml, signals_that_are_not_there_are_told_with_the_nearest_name)
{
    static const struct row rows[] = {
        {"<map table='input' address='0' signal='@rail/positon'/>",
         "input 0: there is no channel 'rail/positon', did you mean 'rail/position'?"},
        {"<map table='discrete' address='3' signal='@end2/on'/>", "did you mean 'end"},
    };
    EXPECT_ALL(rows);
}

Test(modbus_xml, tables_that_are_read_and_written_take_channels_of_that_direction)
{
    static const struct row rows[] = {
        {"<map table='input' address='0' signal='@drive/setpoint'/>",
         "input 0: channel 'drive/setpoint' can only be written: map it to coil or holding"},
        {"<map table='holding' address='9' signal='@rail/position'/>",
         "holding 9: channel 'rail/position' can only be read: map it to discrete or input"},
        {"<map table='holding' address='9' value='@3'/>", "a constant cannot be written"},
        {"@<map table='input' address='9'/>", "give a signal or a value"},
        {"<map table='input' address='9' signal='end0/on' value='@3'/>",
         "give a signal or a value"},
        {"<map table='holding' address='9' signal='@world:time_ms'/>", "for input registers"},
    };
    EXPECT_ALL(rows);
}

Test(modbus_xml, types_must_fit_the_table_and_the_signal)
{
    static const struct row rows[] = {
        {"<map table='discrete' address='0' signal='@rail/position'/>", "not a flag"},
        {"<map table='input' address='0' signal='@cart/pose'/>", "is a pose: a map takes"},
        {"<map table='input' address='0' signal='rail/position' type='@bit'/>", "not bits"},
        {"<map table='coil' address='0' type='@int16'/>", "its values are of type bit"},
        {"<map table='input' address='0' signal='world:time_ms' type='@uint16'/>", "uint32"},
        {"<map table='input' address='0' signal='world:heartbeat' type='@int16'/>", "uint16"},
        {"<map table='input' address='65535' value='1' type='@int32'/>", "65536"},
        {"<map table='input' address='0' value='@65536'/>", "cannot hold this value"},
        {"<map table='input' address='0' value='1' scale='@0'/>", "the scale is 0"},
        {"<map table='coil' address='0' scale='@2'/>", "are scaled"},
    };
    EXPECT_ALL(rows);
}

Test(modbus_xml, an_address_is_there_once)
{
    static const struct row rows[] = {
        {"<map table='input' address='4' value='1' type='int32'/>"
         "<map table='input' address='@5' value='1'/>",
         "input 5: another map has input 4-5"},
        {"<map table='coil' address='5'/><map table='coil' address='@5'/>",
         "another map has coil 5"},
    };
    EXPECT_ALL(rows);
    read_good("<Modbus><map table='input' address='4' value='1'/><map table='coil' address='4'/>"
              "<map table='input' address='5' value='1'/></Modbus>");
}

Test(modbus_xml, marks_are_for_one_address_that_is_written)
{
    static const struct row rows[] = {
        {"<map table='input' address='4' value='1' pace='@true'/>", "nobody can write it"},
        {"<map table='coil' address='1' watchdog='true'/>"
         "<map table='coil' address='2' watchdog='@true'/>",
         "another map has this mark"},
        {"<map table='holding' address='1' edge='@rising'/>", "only the coil of a channel"},
    };
    EXPECT_ALL(rows);
}

Test(modbus_xml, units_of_a_mechanism_have_different_numbers)
{
    cr_assert_eq(read_text("<Modbus unit='2' name='a'/><Modbus name='b' unit='2'/>"), -EINVAL);
    cr_assert_not_null(strstr(diags.items[0].text, "'a' has the unit 2"));
    cr_assert_eq(diags.items[0].place.column, 51);
    cr_assert_eq(read_text("<Modbus unit='2'/><Modbus unit='3'/>"), 0);
    cr_assert_eq(objects.n_modbus, 2);
}

/* ---- values ---- */

struct value_row {
    enum dpl_sim_modbus_type type;
    double scale, offset, value;
    bool is_out;
    uint16_t words[2];
    double back;
};

Test(modbus_xml, values_are_scaled_rounded_and_held_at_the_ends_of_their_type)
{
    static const struct value_row rows[] = {
        {DPL_MODBUS_INT16, 0.001, 0.0, -1.2344, false, {0xFB2E}, -1.234},
        {DPL_MODBUS_INT16, 0.001, 0.0, 40.0, true, {0x7FFF}, 32.767},
        {DPL_MODBUS_INT16, 0.001, 0.0, -40.0, true, {0x8000}, -32.768},
        {DPL_MODBUS_UINT16, 1.0, 0.0, -3.0, true, {0}, 0.0},
        {DPL_MODBUS_UINT16, 1.0, 0.0, 65535.4, false, {0xFFFF}, 65535.0},
        {DPL_MODBUS_UINT16, 0.5, 100.0, 103.0, false, {6}, 103.0},
        {DPL_MODBUS_UINT16, -1.0, 0.0, -3.0, false, {3}, -3.0},
        {DPL_MODBUS_INT32, 0.0001, 0.0, -0.0001, false, {0xFFFF, 0xFFFF}, -0.0001},
        {DPL_MODBUS_INT32, 0.0001, 0.0, 35.2, false, {5, 24320}, 35.2},
        {DPL_MODBUS_INT32, 1.0, 0.0, 1e12, true, {0x7FFF, 0xFFFF}, 2147483647.0},
        {DPL_MODBUS_UINT32, 1.0, 0.0, 4294967295.0, false, {0xFFFF, 0xFFFF}, 4294967295.0},
        {DPL_MODBUS_UINT32, 1.0, 0.0, (double)INFINITY, true, {0xFFFF, 0xFFFF}, 4294967295.0},
        {DPL_MODBUS_UINT16, 1.0, 0.0, (double)NAN, true, {0}, 0.0},
        {DPL_MODBUS_BIT, 1.0, 0.0, 1.0, false, {1}, 1.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct value_row *row = &rows[i];
        struct dpl_sim_modbus_map map = {
            .type = row->type, .scale = row->scale, .offset = row->offset};
        int64_t raw;
        uint16_t words[2] = {0};
        cr_assert_eq(dpl_modbus_raw(&map, row->value, &raw), row->is_out, "row %zu", i);
        dpl_modbus_words(&map, raw, words);
        cr_assert(words[0] == row->words[0] && words[1] == row->words[1], "row %zu: %04x %04x", i,
                  words[0], words[1]);
        cr_assert_float_eq(dpl_modbus_value(&map, words), row->back, 1e-12, "row %zu", i);
    }
}
