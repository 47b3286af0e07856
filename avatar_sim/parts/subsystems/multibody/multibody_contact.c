/* SPDX-License-Identifier: Apache-2.0 */
/* See multibody_contact.h. */
#include "multibody_contact.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/solid.h>
#include <doppel/time.h>

#include "multibody_part.h"
#include "rigid_world.h"
#include "solver_touch.h"
#include "world_state.h"

/* Points whose bodies are told to sensors, in one step. */
enum { SEEN_MAX = 256 };

struct shape {
    const struct dpl_star_shape *of;
    struct dpl_solver_probe *probe;
    struct dpl_multibody_touching law;
};

struct seen {
    int body, other; /* of the graph; of the solver */
    double point[3]; /* in the world */
};

struct dpl_multibody_contacts {
    struct dpl_rigid_world *rigid;
    struct dpl_mb_place base; /* of the robot's frame, in the world */
    struct shape *shapes;     /* [n_shapes] */
    size_t n_shapes;
    int n_bodies;                          /* of the graph */
    bool *touches;                         /* [n_bodies] has shapes */
    int *state_body;                       /* [n_bodies] in the state of the world */
    struct dpl_multibody_felt *now, *kept; /* [n_bodies] of the newest evaluation, of the step */
    struct seen seen[SEEN_MAX];
    int n_seen;
};

/* ---- places ---- */

static void turn(const double r[9], const double v[3], double ret[3])
{
    for (int i = 0; i < 3; i++) {
        ret[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
    }
}

static void turn_back(const double r[9], const double v[3], double ret[3])
{
    for (int i = 0; i < 3; i++) {
        ret[i] = r[i] * v[0] + r[3 + i] * v[1] + r[6 + i] * v[2];
    }
}

static void compose(const struct dpl_mb_place *a, const struct dpl_mb_place *b,
                    struct dpl_mb_place *ret)
{
    struct dpl_mb_place both;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            both.rotation[3 * i + j] = a->rotation[3 * i] * b->rotation[j] +
                                       a->rotation[3 * i + 1] * b->rotation[3 + j] +
                                       a->rotation[3 * i + 2] * b->rotation[6 + j];
        }
    }
    turn(a->rotation, b->position, both.position);
    for (int i = 0; i < 3; i++) {
        both.position[i] += a->position[i];
    }
    *ret = both;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- the law ---- */

/* A shape of a body, while its points are asked for. */
struct asking {
    struct dpl_multibody_contacts *contacts;
    struct dpl_mb_system *system;
    const struct shape *shape;
    const struct dpl_mb_body_state *body;
    struct dpl_multibody_pressed *sum; /* NULL: the points act */
};

/* The force along the normal, and how much it falls with the speed. */
static double press(const struct dpl_multibody_touching *law, double depth, double approach,
                    double *ret_damping)
{
    double damping = fmin(law->stiffness * depth * law->dissipation, law->most);
    double force = law->stiffness * depth + damping * approach;
    *ret_damping = force > 0.0 ? damping : 0.0;
    return fmax(force, 0.0); /* it never pulls */
}

/* Friction by speed of slip: a force that grows to its largest at a few creep speeds. */
static double rub(const struct dpl_multibody_touching *law, double friction, double pressed,
                  double slip)
{
    double steep = friction * pressed / law->creep;
    double force =
        slip > 1e-9 * law->creep ? friction * pressed * tanh(slip / law->creep) / slip : steep;
    return fmin(force, law->most);
}

static void feel(const struct asking *asking, const struct dpl_solver_touch *touch,
                 const double force[3])
{
    struct dpl_multibody_contacts *contacts = asking->contacts;
    int body = asking->shape->of->body;
    struct dpl_multibody_felt *felt = &contacts->now[body];
    felt->points++;
    for (int i = 0; i < 3; i++) {
        felt->force[i] += force[i];
    }
    if (contacts->n_seen < SEEN_MAX) {
        struct seen *seen = &contacts->seen[contacts->n_seen++];
        *seen = (struct seen){.body = body, .other = touch->body};
        memcpy(seen->point, touch->point, sizeof seen->point);
    }
}

/* What the law says of a point; vectors along the axes of the robot. */
struct pressing {
    double n[3], at[3], slip[3];
    double approach, pressed, damping; /* m/s, N, N s/m: along the normal */
    double along;                      /* N s/m: friction against the slip */
};

static void weigh(const struct asking *asking, const struct dpl_solver_touch *touch,
                  struct pressing *ret)
{
    const struct dpl_multibody_touching *law = &asking->shape->law;
    const struct dpl_mb_place *base = &asking->contacts->base;
    const struct dpl_mb_body_state *body = asking->body;
    double arm[3], v[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = touch->point[i] - base->position[i];
    }
    turn_back(base->rotation, touch->normal, ret->n);
    turn_back(base->rotation, arm, ret->at);
    for (int i = 0; i < 3; i++) {
        arm[i] = ret->at[i] - body->place.position[i];
    }
    const double *w = body->angular;
    v[0] = body->velocity[0] + w[1] * arm[2] - w[2] * arm[1];
    v[1] = body->velocity[1] + w[2] * arm[0] - w[0] * arm[2];
    v[2] = body->velocity[2] + w[0] * arm[1] - w[1] * arm[0];
    ret->approach = -dot(ret->n, v);
    ret->pressed = press(law, touch->depth, ret->approach, &ret->damping);
    for (int i = 0; i < 3; i++) {
        ret->slip[i] = v[i] + ret->approach * ret->n[i];
    }
    ret->along =
        rub(law, law->friction * touch->friction, ret->pressed, sqrt(dot(ret->slip, ret->slip)));
}

static void take(void *user, const struct dpl_solver_touch *touch)
{
    const struct asking *asking = user;
    struct pressing is;
    double force[3];
    weigh(asking, touch, &is);
    for (int i = 0; i < 3; i++) {
        force[i] = is.pressed * is.n[i] - is.along * is.slip[i];
    }
    const double *n = is.n;
    double along = is.along, across = is.damping - is.along;
    const double falls[6] = {along + across * n[0] * n[0], along + across * n[1] * n[1],
                             along + across * n[2] * n[2], across * n[0] * n[1],
                             across * n[1] * n[2],         across * n[2] * n[0]};
    dpl_mb_act(asking->system, asking->shape->of->body, force, is.at, falls);
    feel(asking, touch, force);
}

/* What is not its spring's is taken, also what a point that never pulls keeps of it. */
static void measure(void *user, const struct dpl_solver_touch *touch)
{
    const struct asking *asking = user;
    struct dpl_multibody_pressed *sum = asking->sum;
    struct pressing is;
    weigh(asking, touch, &is);
    double spring = asking->shape->law.stiffness * touch->depth;
    sum->points++;
    sum->energy += 0.5 * spring * touch->depth;
    sum->taken += (is.pressed - spring) * is.approach + is.along * dot(is.slip, is.slip);
}

/* Calls `take` for the points of a shape, whose body is at `body`. */
static void ask(struct asking *asking, void (*take_point)(void *, const struct dpl_solver_touch *))
{
    struct dpl_multibody_contacts *contacts = asking->contacts;
    struct dpl_mb_place place;
    compose(&asking->body->place, &asking->shape->of->place, &place);
    compose(&contacts->base, &place, &place);
    dpl__solver_touches(contacts->rigid->solver, asking->shape->probe, place.position,
                        place.rotation, take_point, asking);
}

static void act(void *user, struct dpl_mb_system *system)
{
    struct dpl_multibody_contacts *contacts = user;
    struct dpl_mb_body_state body;
    int newest = -1;
    bool is_there = false;
    contacts->n_seen = 0;
    for (size_t i = 0; i < contacts->n_shapes; i++) {
        const struct shape *shape = &contacts->shapes[i];
        if (shape->of->body != newest) {
            newest = shape->of->body;
            contacts->now[newest] = (struct dpl_multibody_felt){0};
            is_there = dpl_mb_body(system, newest, &body) == 0;
        }
        if (!is_there) {
            continue;
        }
        struct asking asking = {contacts, system, shape, &body, NULL};
        ask(&asking, take);
    }
}

void dpl__multibody_contacts_measure(struct dpl_multibody_contacts *contacts,
                                     struct dpl_mb_system *system,
                                     struct dpl_multibody_pressed *ret)
{
    *ret = (struct dpl_multibody_pressed){0};
    for (size_t i = 0; contacts && i < contacts->n_shapes; i++) {
        struct dpl_mb_body_state body;
        struct asking asking = {contacts, system, &contacts->shapes[i], &body, ret};
        if (dpl_mb_body(system, asking.shape->of->body, &body) == 0) {
            ask(&asking, measure);
        }
    }
}

void dpl__multibody_contacts_act(struct dpl_multibody_contacts *contacts,
                                 struct dpl_mb_system *system)
{
    if (contacts) {
        dpl_mb_set_forces(system, act, contacts);
    }
}

/* ---- state ---- */

void dpl__multibody_contacts_publish(struct dpl_multibody_contacts *contacts,
                                     struct dpl_sim_contacts *state)
{
    if (!contacts) {
        return;
    }
    memcpy(contacts->kept, contacts->now, (size_t)contacts->n_bodies * sizeof *contacts->kept);
    for (int i = 0; i < contacts->n_seen && state->n < state->capacity; i++) {
        const struct seen *seen = &contacts->seen[i];
        int other = dpl__rigid_world_body(contacts->rigid, seen->other);
        if (other == DPL_RIGID_GROUND) { /* as of all other bodies */
            continue;
        }
        struct dpl_sim_contact *to = &state->items[state->n++];
        to->a = other;
        to->b = contacts->state_body[seen->body];
        memcpy(to->point, seen->point, sizeof to->point);
    }
}

const struct dpl_multibody_felt *dpl__multibody_felt(const struct dpl_multibody_contacts *contacts,
                                                     int body)
{
    return contacts && contacts->touches[body] ? &contacts->kept[body] : NULL;
}

/* ---- building ---- */

static struct dpl_solver_probe *make_probe(struct dpl_solver *solver,
                                           const struct dpl_star_shape *shape)
{
    static const enum dpl_solver_shape_kind kinds[DPL_STAR_SHAPE_KINDS] = {
        [DPL_STAR_BOX] = DPL_SOLVER_BOX,         [DPL_STAR_SPHERE] = DPL_SOLVER_SPHERE,
        [DPL_STAR_CAPSULE] = DPL_SOLVER_CAPSULE, [DPL_STAR_CYLINDER] = DPL_SOLVER_CYLINDER,
        [DPL_STAR_HULL] = DPL_SOLVER_HULL,
    };
    struct dpl_solver_shape made = {
        .kind = kinds[shape->kind],
        .size = {shape->radius, 0.0, shape->height},
        .points = (const double *)shape->points,
        .n_points = shape->n_points,
    };
    if (shape->kind == DPL_STAR_BOX) {
        memcpy(made.size, shape->size, sizeof made.size);
    }
    if (shape->kind != DPL_STAR_HULL) {
        return dpl__solver_probe(solver, &made);
    }
    unsigned(*faces)[3] = calloc(2 * shape->n_points + 1, sizeof *faces);
    if (!faces) {
        return NULL;
    }
    int n = dpl_hull_faces((const struct dpl_vector3 *)shape->points, shape->n_points, faces);
    made.faces = (const unsigned(*)[3])faces;
    made.n_faces = n > 0 ? (size_t)n : 0; /* a flat one has none */
    struct dpl_solver_probe *probe = dpl__solver_probe(solver, &made);
    free(faces);
    return probe;
}

static int add_shapes(struct dpl_multibody_contacts *contacts,
                      const struct dpl_subsystem_site *site, const struct dpl_multibody_part *part)
{
    const struct dpl_star_world *star = part->star;
    double step = dpl_ns_to_s(site->model->step);
    for (size_t i = 0; i < star->n_shapes; i++) {
        const struct dpl_star_shape *of = &star->shapes[i];
        if (star->graph->bodies[of->body].is_removed) {
            continue;
        }
        struct shape *shape = &contacts->shapes[contacts->n_shapes++];
        contacts->touches[of->body] = true;
        shape->of = of;
        shape->law = dpl__multibody_touching(of, &star->graph->bodies[of->body],
                                             part->settings.integrator, step);
        shape->probe = make_probe(contacts->rigid->solver, of);
        if (!shape->probe) {
            return -ENOMEM;
        }
    }
    return 0;
}

int dpl__multibody_contacts_make(const struct dpl_subsystem_site *site,
                                 const struct dpl_multibody_part *part, int robot,
                                 const struct dpl_mb_place *base,
                                 struct dpl_multibody_contacts **ret)
{
    const struct dpl_star_world *star = part->star;
    size_t n = star->graph->n_bodies;
    *ret = NULL;
    if (star->n_shapes == 0) {
        return 0;
    }
    struct dpl_multibody_contacts *made = dpl_world_alloc(site->world, 1, sizeof *made);
    if (!made) {
        return -ENOMEM;
    }
    made->rigid = dpl__rigid_world_of(site);
    made->base = *base;
    made->n_bodies = (int)n;
    made->shapes = dpl_world_alloc(site->world, star->n_shapes, sizeof *made->shapes);
    made->touches = dpl_world_alloc(site->world, n, sizeof *made->touches);
    made->state_body = dpl_world_alloc(site->world, n, sizeof *made->state_body);
    made->now = dpl_world_alloc(site->world, n, sizeof *made->now);
    made->kept = dpl_world_alloc(site->world, n, sizeof *made->kept);
    if (!made->rigid || !made->shapes || !made->touches || !made->state_body || !made->now ||
        !made->kept) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < part->mechanism.n_bodies; i++) {
        made->state_body[part->graph_body[i]] = site->state->robots[robot].first_body + (int)i;
    }
    *ret = made;
    return add_shapes(made, site, part);
}

int dpl__multibody_contacts_begin(struct dpl_multibody_contacts *contacts)
{
    return contacts ? dpl__solver_set_scene(contacts->rigid->solver) : 0;
}
