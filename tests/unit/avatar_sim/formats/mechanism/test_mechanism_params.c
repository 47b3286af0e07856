/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms with parameters, repeats and expressions. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/sim/load.h>
#include <doppel/sim/objects.h>

#include "objects_reading.h"

TestSuite(mechanism_params, .fini = reading_end);

static int read_with(const char *text, const struct dpl_sim_load_options *options)
{
    return dpl_sim_read_objects_text(&arena, "test.xml", text, strlen(text), options, &objects,
                                     &diags);
}

static void expect(size_t i, int line, int column, const char *said)
{
    cr_assert_lt(i, diags.n, "%zu findings", diags.n);
    const struct dpl_diag *diag = &diags.items[i];
    cr_assert_str_eq(diag->text, said);
    cr_assert_eq(diag->place.line, line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "column %d: %s", diag->place.column, diag->text);
}

static const char chain[] =
    "<mechanism name='chain'>\n"
    "  <Param name='N' value='3'/>\n"
    "  <Repeat count='{N}' index='i'>\n"
    "    <RigidObject name='link{i}' mass='1.0f'>\n"
    "      <position z='{-0.1*i}'/><CapsuleShape radius='8 mm' height='0.08f'/>\n"
    "    </RigidObject>\n"
    "  </Repeat>\n"
    "  <Repeat count='{N-1}' index='i' first='1'>\n"
    "    <Joint name='joint{i}' type='ball' parent='link{i-1}' child='link{i}'/>\n"
    "  </Repeat>\n"
    "</mechanism>";

Test(mechanism_params, repeat_makes_a_chain)
{
    reading_is_good(read_with(chain, NULL));
    const struct dpl_sim_mechanism *mechanism = &objects.mechanism;
    cr_assert_eq(mechanism->n_bodies, 3);
    cr_assert_eq(mechanism->n_joints, 2);
    cr_assert_str_eq(mechanism->bodies[2].name, "link2");
    cr_assert_eq(mechanism->bodies[2].pose.position.z, -0.1 * 2.0, "the number that was computed");
    cr_assert_eq(mechanism->bodies[2].mass.mass, 1.0);
    cr_assert_eq(mechanism->joints[1].parent, 1);
    cr_assert_eq(mechanism->joints[1].child, 2);
}

Test(mechanism_params, value_from_outside_counts)
{
    const struct dpl_sim_set params[] = {{"N=5", {.file = "--param N=5"}}};
    const struct dpl_sim_load_options options = {.params = params, .n_params = 1};
    cr_assert_eq(read_with(chain, &options), 0);
    cr_assert_eq(objects.mechanism.n_bodies, 5);
    cr_assert_eq(objects.mechanism.n_joints, 4);
}

Test(mechanism_params, unknown_value_from_outside_is_an_error)
{
    const struct dpl_sim_set params[] = {{"M=5", {.file = "--param M=5"}}};
    const struct dpl_sim_load_options options = {.params = params, .n_params = 1};
    cr_assert_eq(read_with(chain, &options), -EINVAL);
    cr_assert_eq(diags.n, 1);
    expect(0, 0, 0, "this file has no parameter 'M', did you mean 'N'?");
}

Test(mechanism_params, finding_of_the_check_says_which_round)
{
    cr_assert_eq(read_with("<mechanism><Repeat count='2' index='i'>\n"
                           "<RigidObject name='a{i}' static='true'/>\n"
                           "<RigidObject name='b{i}' mass='{1 - i}'/></Repeat></mechanism>",
                           NULL),
                 -EINVAL);
    expect(diags.n - 1, 3, 1,
           "body 'b1' has neither mass nor density, and is not static (in repeat i=1)");
    diags.n = diags.n_errors = diags.n_warnings = 0;
    cr_assert_eq(read_with("<mechanism><Repeat count='2' index='i'>\n"
                           "<RigidObject name='a{i}' mass='1'><position x='{0.5*i}'/>"
                           "<BoxShape x='1' y='1' z='1'/></RigidObject></Repeat></mechanism>",
                           NULL),
                 0);
    cr_assert_eq(diags.n, 1);
    cr_assert_not_null(strstr(diags.items[0].text, " (in repeat i="), "%s", diags.items[0].text);
}

Test(mechanism_params, finding_says_once_which_rounds)
{
    cr_assert_eq(read_with("<mechanism><Repeat count='1' index='i'>\n"
                           "<RigidObject name='a' mass='1' weight='2'>\n"
                           "<BoxShape x='1' y='1' z='1' edge='1'/>\n"
                           "<Repeat count='1' index='j' first='7'><BoxShape x='1' y='1' z='1'>\n"
                           "<position w='{i}'/></BoxShape></Repeat>\n"
                           "<bix/></RigidObject></Repeat></mechanism>",
                           NULL),
                 0);
    expect(0, 2, 32, "unknown attribute 'weight', ignored (in repeat i=0)");
    expect(1, 3, 29, "unknown attribute 'edge', ignored (in repeat i=0)");
    expect(2, 5, 11, "unknown attribute 'w', did you mean 'x'? (in repeat i=0, j=7)");
    expect(3, 6, 1, "unknown element 'bix', ignored (in repeat i=0)");
}
