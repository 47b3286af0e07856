/* SPDX-License-Identifier: Apache-2.0 */
/* Equations of random closed mechanisms: what starts together is met, and derivatives are those of
 * the errors. */
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/sim/objects.h>

#include "closure.h"
#include "objects_reading.h"

TestSuite(closure_rows, .fini = reading_end);

static double any(struct dpl_random *random)
{
    return dpl_random_uniform(random, -1.0, 1.0);
}

/* Closed where the bodies start, whatever its joints are. */
static const char *random_loops(struct dpl_random *random)
{
    static const char *const types[] = {"hinge",     "slider",      "ball",  "fixed",
                                        "universal", "cylindrical", "planar"};
    int n = 3 + (int)dpl_random_uniform(random, 0.0, 5.0);
    const char *text = "";
    for (int i = 0; i < n; i++) {
        text = dpl_arena_printf(&arena,
                                "%s<RigidObject name='b%d' mass='1'><position x='%.17g' y='%.17g' "
                                "z='%.17g'/><orientation roll='%.17g' pitch='%.17g' yaw='%.17g'/>"
                                "<SphereShape radius='1e-3'/></RigidObject>\n",
                                text, i, any(random), any(random), any(random), any(random),
                                any(random), any(random));
    }
    for (int i = 0; i < n + 2; i++) {
        int a = i - 1, b = i < n ? i : (int)dpl_random_uniform(random, 0.0, n - 0.01);
        a = a >= n ? 0 : a;
        b = a == b ? (b + 1) % n : b;
        const char *type = types[(int)dpl_random_uniform(random, 0.0, 6.99)];
        text = dpl_arena_printf(
            &arena,
            "%s<Joint name='j%d' type='%s' %s%s child='b%d'><frame><position "
            "x='%.17g'/></frame><axis x='%.17g' y='%.17g' z='%.17g'/></Joint>\n",
            text, i, type,
            a < 0 ? "" : "parent=", a < 0 ? "" : dpl_arena_printf(&arena, "'b%d'", a), b,
            any(random), any(random), any(random), any(random));
    }
    return text;
}

Test(closure_rows, what_starts_together_never_contradicts)
{
    struct dpl_random random = dpl_random_seeded(76, 0);
    for (int i = 0; i < 300; i++) {
        reading_mechanism(random_loops(&random));
        for (size_t k = 0; k < diags.n; k++) {
            cr_assert_null(strstr(diags.items[k].text, "contradicts"), "%s", diags.items[k].text);
        }
    }
}

struct probe {
    struct dpl_random random;
    int n;
};

/* Errors after a small change, against what the rows say. */
static void compare(void *user, const struct dpl__closure *closure, const double *errors)
{
    struct probe *probe = user;
    enum { ROWS = 60, UNKNOWNS = 40 };
    double rows[ROWS * UNKNOWNS], before[ROWS], after[ROWS], changes[UNKNOWNS];
    cr_assert(closure->n_rows <= ROWS && closure->n_unknowns <= UNKNOWNS);
    dpl__closure_rows(closure, before, rows);
    const double small = 1e-5;
    for (int i = 0; i < closure->n_unknowns; i++) {
        changes[i] = small * any(&probe->random);
    }
    dpl__assembly_move(closure->assembly, changes);
    dpl__assembly_place(closure->assembly);
    dpl__closure_rows(closure, after, NULL);
    for (int i = 0; i < closure->n_rows; i++) {
        double said = 0.0;
        for (int k = 0; k < closure->n_unknowns; k++) {
            said += rows[i * closure->n_unknowns + k] * changes[k];
        }
        cr_assert_float_eq(before[i], errors[i], 1e-9);
        cr_assert_float_eq(after[i] - before[i], said, 100.0 * small * small);
        probe->n += fabs(said) > 0.01 * small;
    }
}

Test(closure_rows, derivatives_are_those_of_the_errors)
{
    struct probe probe = {.random = dpl_random_seeded(77, 0)};
    for (int i = 0; i < 100; i++) {
        reading_mechanism(random_loops(&probe.random));
        dpl__closures(&objects.mechanism, &arena, compare, &probe);
    }
    cr_assert_gt(probe.n, 500);
}
