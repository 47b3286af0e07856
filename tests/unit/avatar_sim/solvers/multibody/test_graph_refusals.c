/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph refuses, with the text of each refusal. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/random.h>

#include "refusal_rig.h"

TestSuite(multibody_refusals, .init = begin_with_two, .fini = end);

/* ---- names ---- */

Test(multibody_refusals, names)
{
    char name[DPL_MB_NAME_MAX + 2], text[DPL_DIAG_TEXT_MAX];
    memset(name, 'x', sizeof name);
    name[DPL_MB_NAME_MAX + 1] = '\0';
    snprintf(text, sizeof text, "the name \"%.64s...\" has more bytes than 255, which is the limit",
             name);
    assert_refused(body(0, name), -EINVAL, text);
    assert_refused(body(0, ""), -EINVAL, "the name is empty");
    assert_refused(body(0, NULL), -EINVAL, "the name is empty");
    assert_refused(body(0, "a:b"), -EINVAL,
                   "the name \"a:b\" has a colon in it, which separates names in a path");
    assert_refused(body(0, "a\tb"), -EINVAL, "the name \"a\\x09b\" has a control character in it");
    assert_refused(body(0, "a\x7f"), -EINVAL, "the name \"a\\x7f\" has a control character in it");
    assert_refused(body(0, "\xc2\x85"), -EINVAL,
                   "the name \"\\xc2\\x85\" has a control character in it");
    assert_refused(body(0, "fixed"), -EINVAL,
                   "no body may have the name \"fixed\": it is that of what stands still");
    assert_refused(frame(arm, "origin"), -EINVAL,
                   "no frame may have the name \"origin\": each body has that frame already");
    assert_refused(frame(0, "origin"), -EINVAL,
                   "no frame may have the name \"origin\": each body has that frame already");
}

Test(multibody_refusals, names_that_are_not_utf8)
{
    static const char *const wrong[] = {
        "\x80",             /* begins in the middle of a character */
        "\xc3",             /* ends in the middle */
        "\xc3(",            /* the same, something follows */
        "\xc0\xaf",         /* longer than needed */
        "\xc1\xbf",         /* the same */
        "\xe0\x9f\xbf",     /* the same, of three bytes */
        "\xf0\x8f\xbf\xbf", /* of four */
        "\xed\xa0\x80",     /* half of a pair of UTF-16 */
        "\xf4\x90\x80\x80", /* beyond the last character */
        "\xf5\x80\x80\x80", /* the same */
        "\xff",
        "\xe2\x82",     /* the Euro sign without its end */
        "\xf0\x9f\x99", /* four bytes without the last */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char quoted[32], text[96];
        dpl_diag_quote(wrong[i], strlen(wrong[i]), quoted, sizeof quoted);
        snprintf(text, sizeof text, "the name \"%s\" is not UTF-8", quoted);
        assert_refused(body(0, wrong[i]), -EINVAL, text);
    }
}

Test(multibody_refusals, names_of_all_languages_are_taken)
{
    static const char *const right[] = {
        "origin",   "Gelenk \xc3\xa4",  "\xe2\x82\xac", "\xf0\x9f\x99\x82",
        "\xc2\xa0", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "a/b.c"};
    char longest[DPL_MB_NAME_MAX + 1];
    memset(longest, 'x', sizeof longest);
    longest[DPL_MB_NAME_MAX] = '\0';
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        cr_assert_gt(body(0, right[i]), 0, "%s: %s", right[i], diag.text);
    }
    cr_assert_gt(body(0, longest), 0);
    cr_assert_gt(frame(arm, "fixed"), 0);
    cr_assert_gt(assembly(0, "fixed"), 0);
}

Test(multibody_refusals, names_that_are_there_already)
{
    int cell = assembly(0, "cell"), robot = assembly(cell, "robot"), in = body(robot, "arm");
    int tip = frame(in, "tip"), a = hinge(robot, "j", 0, tip), b = hinge(robot, "k", 0, tip);
    gear(robot, "g", a, b);
    spring(robot, "s", a);
    changes = graph->changes;
    assert_refused(body(0, "arm"), -EEXIST, "there is already a body \"arm\" in the root");
    assert_refused(body(robot, "arm"), -EEXIST,
                   "there is already a body \"arm\" in assembly \"cell:robot\"");
    assert_refused(assembly(cell, "robot"), -EEXIST,
                   "there is already an assembly \"robot\" in assembly \"cell\"");
    assert_refused(frame(in, "tip"), -EEXIST,
                   "there is already a frame \"tip\" in body \"cell:robot:arm\"");
    assert_refused(hinge(robot, "j", 0, tip), -EEXIST,
                   "there is already a joint \"j\" in assembly \"cell:robot\"");
    assert_refused(gear(robot, "g", a, b), -EEXIST,
                   "there is already a gear \"g\" in assembly \"cell:robot\"");
    assert_refused(spring(robot, "s", a), -EEXIST,
                   "there is already a restraint \"s\" in assembly \"cell:robot\"");
}

Test(multibody_refusals, numbers_that_are_not_there)
{
    assert_refused(assembly(1, "a"), -ENOENT, "there is no assembly with the number 1");
    assert_refused(assembly(-1, "a"), -ENOENT, "there is no assembly with the number -1");
    assert_refused(body(5, "a"), -ENOENT, "there is no assembly with the number 5");
    assert_refused(frame(3, "a"), -ENOENT, "there is no body with the number 3");
    assert_refused(hinge(2, "a", 0, 1), -ENOENT, "there is no assembly with the number 2");
    assert_refused(hinge(0, "a", 0, 3), -ENOENT, "there is no frame with the number 3");
    assert_refused(gear(0, "a", 0, 1), -ENOENT, "there is no joint with the number 0");
    assert_refused(spring(0, "a", 4), -ENOENT, "there is no joint with the number 4");
    assert_refused(spring(0, "a", -2), -ENOENT, "there is no joint with the number -2");
}

/* ---- limits ---- */

Test(multibody_refusals, assemblies_too_deep)
{
    int depth = 0, at = 0;
    for (; depth < DPL_MB_DEPTH_MAX; depth++) {
        at = assembly(at, "a");
        cr_assert_eq(at, depth + 1);
    }
    int last = body(at, "b"), tip = frame(last, "f");
    char path[3 * DPL_MB_DEPTH_MAX];
    cr_assert_eq(dpl_mb_path(graph, DPL_MB_FRAME, tip, path, sizeof path),
                 2 * DPL_MB_DEPTH_MAX + 3);
    cr_assert_eq(dpl_mb_find_path(graph, DPL_MB_FRAME, 0, path), tip);
    changes = graph->changes;
    assert_refused(assembly(at, "a"), -ENOSPC, "more than 256 assemblies are in each other");
}

Test(multibody_refusals, bodies_too_many)
{
    char name[16];
    for (int i = 3; i <= DPL_MB_BODIES_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        cr_assert_eq(body(0, name), i);
    }
    changes = graph->changes;
    assert_refused(body(0, "more"), -ENOSPC,
                   "there is no number for one more body: at most 65535, also removed ones");
    cr_assert_eq(graph->n_frames, DPL_MB_BODIES_MAX + 1);
}

Test(multibody_refusals, frames_too_many)
{
    char name[16];
    for (int i = 3; i < DPL_MB_OTHERS_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        cr_assert_eq(frame(arm, name), i);
    }
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_FRAME, arm, "777777"), 777777);
    changes = graph->changes;
    static const char text[] =
        "there is no number for one more frame: at most 1048575, also removed ones";
    assert_refused(frame(arm, "more"), -ENOSPC, text);
    assert_refused(body(0, "more"), -ENOSPC, text); /* it has no origin then */
    cr_assert_eq(dpl_mb_find(graph, DPL_MB_BODY, 0, "more"), -1);
}

/* ---- masses ---- */

static int massive(double mass, const double inertia[6], double x)
{
    struct dpl_mb_body it = {.name = "b", .is_active = true, .mass = mass, .centre = {x, 0.0, 0.0}};
    memcpy(it.inertia, inertia, sizeof it.inertia);
    return dpl_mb_add_body(graph, &it, &diag);
}

Test(multibody_refusals, masses)
{
    static const double ones[6] = {1, 1, 1, 0, 0, 0};
    static const double negative[6] = {1, 1, -0.5, 0, 0, 0},
                        infinite[6] = {1, (double)INFINITY, 1, 0, 0, 0};
    static const double all_negative[6] = {-1, -2, -3, 0, 0, 0};
    static const double products[6] = {1, 1, 1, 0, 3, 0};
    assert_refused(massive(-1.0, ones, 0.0), -EINVAL, "the mass is -1 kg, expected 0 or more");
    assert_refused(massive((double)NAN, ones, 0.0), -EINVAL,
                   "the mass is nan kg, expected 0 or more");
    assert_refused(massive((double)INFINITY, ones, 0.0), -EINVAL,
                   "the mass is inf kg, expected 0 or more");
    assert_refused(massive(1.0, ones, (double)NAN), -EINVAL, "the centre of mass is not finite");
    assert_refused(massive(1.0, infinite, 0.0), -EINVAL, "the moments of inertia are not finite");
    assert_refused(massive(1.0, negative, 0.0), -EINVAL,
                   "no body has this inertia: its principal moments are 1, 1 and -0.5 kg m^2, "
                   "expected all to be 0 or more");
    assert_refused(massive(1.0, all_negative, 0.0), -EINVAL,
                   "no body has this inertia: its principal moments are -1, -2 and -3 kg m^2, "
                   "expected all to be 0 or more");
    assert_refused(massive(1.0, products, 0.0), -EINVAL,
                   "no body has this inertia: its principal moments are 4, 1 and -2 kg m^2, "
                   "expected all to be 0 or more");
}

/* A body without mass, a rod that was turned and rounded, and one that is too flat. */
Test(multibody_refusals, masses_at_the_edge_are_taken)
{
    static const double none[6] = {0}, flat[6] = {1, 1, 5, 0, 0, 0};
    static const double rod[6] = {0.5, 0.5, 1.0, -0.5000000001, 0, 0};
    cr_assert_eq(massive(0.0, none, 0.0), 3, "%s", diag.text);
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_BODY, 3, NULL), 0);
    cr_assert_eq(massive(1.0, flat, 0.0), 4, "%s", diag.text);
    cr_assert(dpl_mb_body_is_flat(&graph->bodies[4]));
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_BODY, 4, NULL), 0);
    cr_assert_eq(massive(1.0, rod, 0.0), 5, "%s", diag.text);
}

/* ---- places ---- */

static int placed(const double rotation[9], double x)
{
    struct dpl_mb_frame it = {.name = "f", .body = arm, .in_body.position = {x, 0.0, 0.0}};
    memcpy(it.in_body.rotation, rotation, sizeof it.in_body.rotation);
    return dpl_mb_add_frame(graph, &it, &diag);
}

Test(multibody_refusals, rotations)
{
    static const double none[9] = {0}, mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
    static const double stretched[9] = {1, 0, 0, 0, 1.001, 0, 0, 0, 1};
    static const double sheared[9] = {1, 0, 0, 2e-6, 1, 0, 0, 0, 1};
    static const double not_finite[9] = {1, 0, 0, 0, (double)NAN, 0, 0, 0, 1};
    assert_refused(placed(none, 0.0), -EINVAL,
                   "this is no rotation: its rows are not of length 1 and at right angles to each "
                   "other, but 1 off, expected at most 1e-06");
    assert_refused(placed(stretched, 0.0), -EINVAL,
                   "this is no rotation: its rows are not of length 1 and at right angles to each "
                   "other, but 0.002 off, expected at most 1e-06");
    assert_refused(placed(sheared, 0.0), -EINVAL,
                   "this is no rotation: its rows are not of length 1 and at right angles to each "
                   "other, but 2e-06 off, expected at most 1e-06");
    assert_refused(placed(mirror, 0.0), -EINVAL,
                   "this is no rotation but a reflection: its determinant is -1, expected 1");
    assert_refused(placed(not_finite, 0.0), -EINVAL, "the place is not finite");
    assert_refused(placed(dpl_mb_place_identity.rotation, (double)INFINITY), -EINVAL,
                   "the place is not finite");
}

/* R Rt - 1, the largest element. */
static double error_of(const double r[9])
{
    double most = 0.0;
    for (int i = 0; i < 9; i++) {
        const double *a = &r[3 * (i / 3)], *b = &r[3 * (i % 3)];
        double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        most = fmax(most, fabs(dot - (i / 3 == i % 3 ? 1.0 : 0.0)));
    }
    return most;
}

/* About (1, 2, 2) / 3 by `angle`. */
static void turn(double angle, double ret[9])
{
    const double n[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, c = cos(angle), s = sin(angle);
    const double cross[9] = {0.0, -n[2], n[1], n[2], 0.0, -n[0], -n[1], n[0], 0.0};
    for (int i = 0; i < 9; i++) {
        ret[i] = (1.0 - c) * n[i / 3] * n[i % 3] + s * cross[i] + (i % 4 == 0 ? c : 0.0);
    }
}

/* Random errors below the limit go; the rotation is the nearest one, and the same when it is given
 * again. */
Test(multibody_refusals, rotations_that_are_nearly_exact_become_exact)
{
    struct dpl_random rng = dpl_random_seeded(3, 0);
    for (int round = 0; round < 200; round++) {
        double exact[9], given[9];
        turn(dpl_random_uniform(&rng, -3.0, 3.0), exact);
        for (int i = 0; i < 9; i++) {
            given[i] = exact[i] + dpl_random_uniform(&rng, -1.5e-7, 1.5e-7);
        }
        int first = placed(given, 0.25);
        cr_assert_geq(first, 0, "%s", diag.text);
        double made[9];
        memcpy(made, graph->frames[first].in_body.rotation, sizeof made);
        cr_assert_eq(graph->frames[first].in_body.position[0], 0.25);
        cr_assert_leq(error_of(made), 4e-15);
        for (int i = 0; i < 9; i++) {
            cr_assert_float_eq(made[i], given[i], 5e-7);
        }
        double skew[9]; /* made^T given is symmetric where made is the nearest rotation */
        for (int i = 0; i < 9; i++) {
            int a = i / 3, b = i % 3;
            skew[i] = made[a] * given[b] + made[3 + a] * given[3 + b] + made[6 + a] * given[6 + b];
        }
        cr_assert_float_eq(skew[1], skew[3], 1e-15);
        cr_assert_float_eq(skew[2], skew[6], 1e-15);
        cr_assert_float_eq(skew[5], skew[7], 1e-15);
        cr_assert_eq(dpl_mb_remove(graph, DPL_MB_FRAME, first, NULL), 0);
        int again = placed(made, 0.25);
        cr_assert_eq(memcmp(made, graph->frames[again].in_body.rotation, sizeof made), 0);
        cr_assert_eq(dpl_mb_remove(graph, DPL_MB_FRAME, again, NULL), 0);
    }
}

Test(multibody_refusals, reterr_may_be_null)
{
    struct dpl_mb_body it = {.name = "arm"};
    cr_assert_eq(dpl_mb_add_body(graph, &it, NULL), -EEXIST);
}
