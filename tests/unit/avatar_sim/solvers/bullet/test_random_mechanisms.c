/* SPDX-License-Identifier: Apache-2.0 */
/* Random mechanisms, of which each makes sense: trees of bodies of all shapes on joints
 * of all types, some with springs, friction and limits, above the ground. All step without a number
 * that is none, and nothing flies away. */
#include <math.h>
#include <stdarg.h>

#include <doppel/math/random.h>

#include "mechanism_rig.h"

enum { WORLDS = 200, STEPS = 500, TEXT = 16384, BODIES_MAX = 7 };

struct text {
    char at[TEXT];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text->at + text->n, TEXT - text->n, format, args);
    va_end(args);
    cr_assert(n >= 0 && text->n + (size_t)n < TEXT);
    text->n += (size_t)n;
}

static unsigned one_of(struct dpl_random *random, unsigned n)
{
    unsigned i = (unsigned)dpl_random_uniform(random, 0.0, n);
    return i < n ? i : n - 1;
}

static void add_shape(struct text *text, struct dpl_random *random)
{
    double a = dpl_random_uniform(random, 0.05, 0.3), b = dpl_random_uniform(random, 0.05, 0.3);
    switch (one_of(random, 4)) {
    case 0:
        add(text, "<BoxShape x='%g' y='%g' z='%g'/>", a, b, dpl_random_uniform(random, 0.05, 0.3));
        break;
    case 1: add(text, "<SphereShape radius='%g'/>", a); break;
    case 2: add(text, "<CapsuleShape radius='%g' height='%g'/>", a, b); break;
    default: add(text, "<CylinderShape radius='%g' height='%g'/>", a, b); break;
    }
}

/* Bodies stand a metre apart, so that none of them overlap. */
static void add_body(struct text *text, struct dpl_random *random, unsigned number)
{
    add(text, "<RigidObject name='b%u' mass='%g'><position x='%u' y='%g' z='%g'/>", number,
        dpl_random_uniform(random, 0.5, 5.0), number, dpl_random_uniform(random, -0.2, 0.2),
        dpl_random_uniform(random, 1.0, 2.0));
    add(text, "<orientation roll='%g' pitch='%g' yaw='%g'/>", dpl_random_uniform(random, -3.0, 3.0),
        dpl_random_uniform(random, -1.5, 1.5), dpl_random_uniform(random, -3.0, 3.0));
    add_shape(text, random);
    add(text, "</RigidObject>\n");
}

static void add_joint(struct text *text, struct dpl_random *random, unsigned child)
{
    static const char *const types[] = {"fixed", "hinge",     "slider",
                                        "ball",  "universal", "cylindrical"};
    static const unsigned freedoms[] = {0, 1, 1, 0, 2, 2};
    unsigned type = one_of(random, 6);
    add(text, "<Joint name='j%u' type='%s' child='b%u'", child, types[type], child);
    if (child > 0) {
        add(text, " parent='b%u'", one_of(random, child));
    }
    bool has_value = freedoms[type] > 0;
    add(text, "%s>", has_value && one_of(random, 3) == 0 ? " friction='0.5'" : "");
    add(text, "<frame><position x='%g' y='%g' z='%g'/></frame><axis x='%g' y='%g' z='1'/>",
        dpl_random_uniform(random, -0.5, 0.5), dpl_random_uniform(random, -0.5, 0.5),
        dpl_random_uniform(random, -0.5, 0.5), dpl_random_uniform(random, -1.0, 1.0),
        dpl_random_uniform(random, -1.0, 1.0));
    if (has_value && one_of(random, 3) == 0) {
        add(text, "<limit lower='%g' upper='%g'/>", dpl_random_uniform(random, -1.0, -0.1),
            dpl_random_uniform(random, 0.1, 1.0));
    }
    if (has_value && one_of(random, 3) == 0) {
        add(text, "<spring stiffness='%g' damping='%g' rest='%g'/>",
            dpl_random_uniform(random, 0.0, 20.0), dpl_random_uniform(random, 0.0, 0.5),
            dpl_random_uniform(random, -0.3, 0.3));
    }
    add(text, "</Joint>\n");
}

static void describe(struct text *text, uint64_t seed)
{
    struct dpl_random random = dpl_random_seeded(seed, 0);
    unsigned n = 1 + one_of(&random, BODIES_MAX);
    text->n = 0;
    add(text, "<mechanism name='m' step_ms='2'>\n<Material name='a' friction='%g'/>\n",
        dpl_random_uniform(&random, 0.0, 1.2));
    for (unsigned i = 0; i < n; i++) {
        add_body(text, &random, i);
    }
    /* The first one floats, or hangs on the world. */
    for (unsigned i = one_of(&random, 2); i < n; i++) {
        add_joint(text, &random, i);
    }
    add(text, "</mechanism>");
}

static bool is_good(const struct mechanism_rig *rig)
{
    const struct dpl_sim_bodies *bodies = &rig->state->bodies;
    for (size_t i = 0; i < bodies->n; i++) {
        for (int k = 0; k < 3; k++) {
            if (!(fabs(bodies->position[i][k]) < 20.0) || !(fabs(bodies->velocity[i][k]) < 100.0) ||
                !isfinite(bodies->angular[i][k])) {
                return false;
            }
        }
    }
    return true;
}

Test(random_mechanisms, all_step_and_none_flies_away)
{
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        struct mechanism_rig rig;
        static struct text text;
        describe(&text, seed);
        rig_open(&rig, text.at, 2e-3);
        dpl_world_step(rig.world, STEPS);
        cr_expect(is_good(&rig), "seed %u:\n%s", (unsigned)seed, text.at);
        rig_close(&rig);
    }
}
