/* SPDX-License-Identifier: Apache-2.0 */
/* Edits: what is removed, switched, or gets another mass. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "graph_rig.h"

TestSuite(multibody_edit, .init = begin, .fini = end);

static int removed(enum dpl_mb_kind kind, int number)
{
    return dpl_mb_remove(graph, kind, number, &diag);
}

/* A refusal changes nothing that a system must follow. */
static void assert_kept(enum dpl_mb_kind kind, int number, int err, const char *text)
{
    unsigned long before = graph->changes;
    cr_assert_eq(removed(kind, number), err);
    cr_assert_str_eq(diag.text, text);
    cr_assert_eq(graph->changes, before);
}

Test(multibody_edit, what_is_removed_keeps_its_number_and_frees_its_name)
{
    int arm = body(0, "arm"), hand = body(0, "hand");
    cr_assert_eq(removed(DPL_MB_BODY, arm), 0);
    cr_assert(graph->bodies[arm].is_removed);
    cr_assert(graph->frames[origin_of(arm)].is_removed);
    cr_assert_not(graph->frames[origin_of(hand)].is_removed);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "arm"), -1);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, arm, "origin"), -1);
    cr_assert_not(dpl_mb_is_active(graph, DPL_MB_BODY, arm));
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "hand"), hand);
    int other = body(0, "arm");
    cr_assert_eq(other, 3);
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "arm"), other);
    assert_kept(DPL_MB_BODY, arm, -ENOENT, "the body \"arm\" was removed");
    cr_assert_eq(frame(arm, "tip"), -ENOENT);
}

/* The index drops what was removed each time it grows. */
Test(multibody_edit, a_name_may_come_and_go_many_times)
{
    for (int i = 0; i < 1000; i++) {
        int it = body(0, "visitor");
        cr_assert_eq(it, i + 1);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "visitor"), it);
        cr_assert_eq(removed(DPL_MB_BODY, it), 0);
        cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "visitor"), -1);
    }
}

Test(multibody_edit, what_others_need_stays)
{
    int cell = assembly(0, "cell"), arm = body(cell, "arm"), hand = body(0, "hand");
    int tip = frame(arm, "tip"), other = frame(arm, "other");
    int a = hinge(cell, "a", 0, tip), b = hinge(0, "b", other, origin_of(hand));
    int both = gear(0, "both", a, b), soft = spring(cell, "soft", b);
    struct dpl_mb_restraint it = spring_of(-1, 0, frame(hand, "eye"));
    int between = dpl_mb_add_restraint(graph, &it, &diag);
    assert_kept(DPL_MB_ASSEMBLY, cell, -EBUSY,
                "the assembly \"cell\" still has the body \"cell:arm\"");
    assert_kept(DPL_MB_BODY, arm, -EBUSY,
                "the body \"arm\" is still needed by the joint \"cell:a\"");
    assert_kept(DPL_MB_FRAME, tip, -EBUSY,
                "the frame \"tip\" is still needed by the joint \"cell:a\"");
    assert_kept(DPL_MB_JOINT, a, -EBUSY, "the joint \"a\" is still needed by the gear \"both\"");
    cr_assert_eq(removed(DPL_MB_GEAR, both), 0);
    cr_assert_eq(removed(DPL_MB_JOINT, a), 0);
    cr_assert_eq(removed(DPL_MB_FRAME, tip), 0);
    assert_kept(DPL_MB_JOINT, b, -EBUSY,
                "the joint \"b\" is still needed by the restraint \"cell:soft\"");
    cr_assert_eq(removed(DPL_MB_RESTRAINT, soft), 0);
    cr_assert_eq(removed(DPL_MB_JOINT, b), 0);
    assert_kept(DPL_MB_BODY, hand, -EBUSY,
                "the body \"hand\" is still needed by the restraint \"spring\"");
    cr_assert_eq(removed(DPL_MB_RESTRAINT, between), 0);
    cr_assert_eq(removed(DPL_MB_BODY, hand), 0);
    cr_assert_eq(removed(DPL_MB_BODY, arm), 0);
    cr_assert_eq(removed(DPL_MB_ASSEMBLY, cell), 0);
    cr_assert_eq(assembly(0, "cell"), cell + 1);
}

Test(multibody_edit, an_assembly_with_an_assembly_stays)
{
    int cell = assembly(0, "cell"), robot = assembly(cell, "robot");
    assert_kept(DPL_MB_ASSEMBLY, cell, -EBUSY,
                "the assembly \"cell\" still has the assembly \"cell:robot\"");
    cr_assert_eq(removed(DPL_MB_ASSEMBLY, robot), 0);
    cr_assert_eq(removed(DPL_MB_ASSEMBLY, cell), 0);
}

Test(multibody_edit, what_is_there_from_the_beginning_stays)
{
    int arm = body(0, "arm");
    assert_kept(DPL_MB_ASSEMBLY, 0, -EINVAL, "the root cannot be removed");
    assert_kept(DPL_MB_BODY, 0, -EINVAL, "the body \"fixed\" cannot be removed");
    assert_kept(DPL_MB_FRAME, 0, -EINVAL,
                "the frame \"origin\" of the body \"fixed\" cannot be removed");
    assert_kept(DPL_MB_FRAME, origin_of(arm), -EINVAL,
                "the frame \"origin\" of the body \"arm\" cannot be removed");
    assert_kept(DPL_MB_JOINT, 0, -ENOENT, "there is no joint with the number 0");
    assert_kept(DPL_MB_JOINT, -1, -ENOENT, "there is no joint with the number -1");
    assert_kept((enum dpl_mb_kind)6, 0, -EINVAL, "6 is no kind of thing");
}

Test(multibody_edit, things_are_switched)
{
    int arm = body(0, "arm");
    unsigned long before = graph->changes;
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_BODY, arm, true, &diag), 0);
    cr_assert_eq(graph->changes, before);
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_BODY, arm, false, &diag), 0);
    cr_assert_eq(graph->changes, before + 1);
    cr_assert_not(graph->bodies[arm].is_active);
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_FRAME, origin_of(arm), false, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "a frame is not switched on or off, its body is");
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_BODY, 0, false, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "the body \"fixed\" cannot be switched off");
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_ASSEMBLY, 0, false, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "the root cannot be switched off");
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_GEAR, 0, false, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "there is no gear with the number 0");
    cr_assert_eq(graph->changes, before + 1);
}

Test(multibody_edit, a_mass_is_set_or_refused_as_a_whole)
{
    struct dpl_mb_body it = {.name = "arm",
                             .is_active = true,
                             .mass = 1.0,
                             .inertia = {1, 1, 1},
                             .is_mass_default = true};
    int arm = dpl_mb_add_body(graph, &it, &diag);
    const double centre[3] = {0.1, 0.2, 0.3}, inertia[6] = {4, 5, 6, 0.1, 0.2, 0.3};
    const double not_one[6] = {1, 1, 1, 2, 0, 0};
    unsigned long before = graph->changes;
    cr_assert_eq(dpl_mb_set_mass(graph, arm, 2.0, centre, inertia, &diag), 0);
    cr_assert_eq(graph->changes, before + 1);
    cr_assert_eq(graph->bodies[arm].mass, 2.0);
    cr_assert_eq(graph->bodies[arm].centre[2], 0.3);
    cr_assert_eq(graph->bodies[arm].inertia[5], 0.3);
    cr_assert_not(graph->bodies[arm].is_mass_default);
    struct dpl_mb_body kept = graph->bodies[arm];
    cr_assert_eq(dpl_mb_set_mass(graph, arm, -2.0, centre, inertia, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "the mass is -2 kg, expected 0 or more");
    cr_assert_eq(dpl_mb_set_mass(graph, arm, 3.0, centre, not_one, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "no body has this inertia: its principal moments are 3, 1 and -1 "
                                "kg m^2, expected all to be 0 or more");
    cr_assert_eq(dpl_mb_set_mass(graph, 0, 3.0, centre, inertia, &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "the body \"fixed\" has no mass");
    cr_assert_eq(dpl_mb_set_mass(graph, 9, 3.0, centre, inertia, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "there is no body with the number 9");
    cr_assert_eq(memcmp(&kept, &graph->bodies[arm], sizeof kept), 0);
    cr_assert_eq(graph->changes, before + 1);
}
