/* SPDX-License-Identifier: Apache-2.0 */
#include "worlds.h"

#include <string.h>

#define ROUND_WALLS  72
#define GLASS_SHARE  0.3
#define TRIES        200
#define APART_M      0.75 /* between things, so that a robot passes */
#define MOVED_LEAST  0.2
#define MOVED_MOST   0.8
#define MOVED_SHARE  0.3
#define DOOR_M       1.0
#define NICHE_M      0.15
#define CORRIDOR_M   45.0
#define CORRIDOR_W_M 2.4

const char *world_name(enum world_kind kind)
{
    static const char *const names[WORLD_KINDS] = {"office",   "clutter", "symmetric", "glass",
                                                   "corridor", "round",   "equal",     "hall"};
    return names[kind];
}

static double draw(struct dpl_random *rng, double low, double high)
{
    return dpl_random_uniform(rng, low, high);
}

static void rectangle(struct room *room, double x1, double y1, double x2, double y2)
{
    room_wall(room, x1, y1, x2, y1);
    room_wall(room, x2, y1, x2, y2);
    room_wall(room, x2, y2, x1, y2);
    room_wall(room, x1, y2, x1, y1);
}

/* ---- things ---- */

struct thing {
    struct dpl_pose2 at;
    double size_x, size_y; /* size_y 0: a post */
};

static double reach(const struct thing *thing)
{
    return 0.5 * hypot(thing->size_x, thing->size_y);
}

static void put(struct room *room, const struct thing *thing, bool movable)
{
    if (thing->size_y > 0.0) {
        struct room_box box = {thing->at, thing->size_x, thing->size_y};
        room_box(room, &box, movable);
    } else {
        room_post(room, thing->at.x, thing->at.y, 0.5 * thing->size_x, movable);
    }
}

static struct thing draw_thing(struct dpl_random *rng, double least, double most)
{
    bool post = draw(rng, 0.0, 1.0) < 0.25;
    struct thing thing = {.size_x = draw(rng, least, most), .size_y = draw(rng, least, most)};
    thing.size_x = post ? draw(rng, 0.1, 0.4) : thing.size_x;
    thing.size_y = post ? 0.0 : thing.size_y;
    thing.at.theta = draw(rng, 0.0, 1.0) < 0.5 ? 0.0 : draw(rng, -DPL_PI, DPL_PI);
    return thing;
}

static bool is_free(const struct room *room, const struct thing *thing)
{
    for (size_t i = 0; i < room->n; i++) {
        for (size_t k = 0; k < room->objects[i].n; k++) {
            const struct dpl_raycast_outline *o = &room->objects[i].outlines[k];
            double length2 = o->dx * o->dx + o->dy * o->dy;
            double t =
                ((thing->at.x - o->x) * o->dx + (thing->at.y - o->y) * o->dy) / fmax(length2, 1e-9);
            t = dpl_clamp(t, 0.0, 1.0);
            double away = hypot(thing->at.x - o->x - t * o->dx, thing->at.y - o->y - t * o->dy);
            if (away - o->radius - reach(thing) < APART_M) {
                return false;
            }
        }
    }
    return true;
}

/* Things at chance places in a box, with ways between them. */
static void furnish(struct room *room, struct dpl_random *rng, int n, double least, double most)
{
    for (int i = 0, tries = 0; i < n && tries < TRIES; tries++) {
        struct thing thing = draw_thing(rng, least, most);
        thing.at.x = draw(rng, room->x1, room->x2);
        thing.at.y = draw(rng, room->y1, room->y2);
        if (is_free(room, &thing)) {
            put(room, &thing, true);
            i++;
        }
    }
}

/* ---- kinds ---- */

/* A wall along y with a door. */
static void partition(struct room *room, struct dpl_random *rng, double x, double y1, double y2)
{
    double door = draw(rng, y1 + 0.4, y2 - DOOR_M - 0.4);
    room_wall(room, x, y1, x, door);
    room_wall(room, x, door + DOOR_M, x, y2);
}

static void make_office(struct world *world, struct dpl_random *rng)
{
    struct room *room = &world->room;
    double w = draw(rng, 10.0, 15.0), h = draw(rng, 7.0, 10.0);
    double x = draw(rng, 0.4, 0.6) * w, y = draw(rng, 0.4, 0.6) * h;
    double door = draw(rng, x + 0.5, w - DOOR_M - 0.5);
    rectangle(room, 0.0, 0.0, w, h);
    partition(room, rng, x, 0.0, h);
    room_wall(room, x, y, door, y);
    room_wall(room, door + DOOR_M, y, w, y);
    furnish(room, rng, 14, 0.4, 1.2);
}

static void make_clutter(struct world *world, struct dpl_random *rng)
{
    rectangle(&world->room, 0.0, 0.0, draw(rng, 10.0, 13.0), draw(rng, 9.0, 11.0));
    furnish(&world->room, rng, 26, 0.15, 0.6);
}

static void make_symmetric(struct world *world, struct dpl_random *rng)
{
    struct room *room = &world->room;
    double w = draw(rng, 6.0, 8.0), h = draw(rng, 5.0, 6.5);
    rectangle(room, 0.0, 0.0, w, h);
    world->has_copy = world->copy_turns = true;
    world->middle = (struct dpl_pose2){0.5 * w, 0.5 * h, 0.0};
    for (int i = 0, tries = 0; i < 3 && tries < TRIES; tries++) {
        struct thing thing = draw_thing(rng, 0.3, 0.8);
        thing.at.x = draw(rng, 0.0, 0.4 * w);
        thing.at.y = draw(rng, 0.0, h);
        if (is_free(room, &thing)) {
            put(room, &thing, false);
            thing.at = world_copy(world, thing.at);
            put(room, &thing, false);
            i++;
        }
    }
    struct thing post = {.size_x = 0.3};
    for (int tries = 0; tries < TRIES; tries++) {
        post.at = (struct dpl_pose2){draw(rng, 0.0, w), draw(rng, 0.0, h), 0.0};
        if (is_free(room, &post) && dpl_pose2_distance(post.at, world->middle) > 1.0) {
            put(room, &post, false);
            return;
        }
    }
}

static void make_glass(struct world *world, struct dpl_random *rng)
{
    make_office(world, rng);
    room_choose_walls(&world->room, GLASS_SHARE, rng, world->glass);
}

/* One side, with doors that lie a little back. */
static void corridor_side(struct room *room, struct dpl_random *rng, double y, double back)
{
    double x = 0.0;
    for (double next = draw(rng, 1.0, 4.0); next + DOOR_M < CORRIDOR_M;
         next += DOOR_M + draw(rng, 1.5, 5.0)) {
        double end = next + DOOR_M;
        room_wall(room, x, y, next, y);
        room_wall(room, next, y, next, y + back);
        room_wall(room, next, y + back, end, y + back);
        room_wall(room, end, y + back, end, y);
        x = end;
    }
    room_wall(room, x, y, CORRIDOR_M, y);
}

static void make_corridor(struct world *world, struct dpl_random *rng)
{
    corridor_side(&world->room, rng, 0.0, -NICHE_M);
    corridor_side(&world->room, rng, CORRIDOR_W_M, NICHE_M);
    room_wall(&world->room, 0.0, 0.0, 0.0, CORRIDOR_W_M);
    room_wall(&world->room, CORRIDOR_M, 0.0, CORRIDOR_M, CORRIDOR_W_M);
}

static void make_round(struct world *world, struct dpl_random *rng)
{
    double radius = draw(rng, 3.0, 4.0);
    for (int i = 0; i < ROUND_WALLS; i++) {
        double a = 2.0 * DPL_PI * i / ROUND_WALLS, b = 2.0 * DPL_PI * (i + 1) / ROUND_WALLS;
        room_wall(&world->room, radius * cos(a), radius * sin(a), radius * cos(b), radius * sin(b));
    }
    struct thing box = {{draw(rng, 0.5, 1.5), 0.0, draw(rng, -1.0, 1.0)}, 0.5, 0.4};
    put(&world->room, &box, true);
}

static void make_equal(struct world *world, struct dpl_random *rng)
{
    struct room *room = &world->room;
    double w = draw(rng, 4.5, 6.0), h = draw(rng, 4.0, 5.0), door = draw(rng, 0.8, w - 1.8);
    rectangle(room, 0.0, 0.0, 2.0 * w, h + 2.0);
    room_wall(room, w, 2.0, w, h + 2.0);
    for (int side = 0; side < 2; side++) {
        room_wall(room, side * w, 2.0, side * w + door, 2.0);
        room_wall(room, side * w + door + DOOR_M, 2.0, side * w + w, 2.0);
    }
    world->has_copy = true;
    world->middle = (struct dpl_pose2){w, 2.0, 0.0};
    world->shift_m = w;
    for (int i = 0, tries = 0; i < 3 && tries < TRIES; tries++) {
        struct thing thing = draw_thing(rng, 0.3, 0.9);
        thing.at.x = draw(rng, 0.0, w);
        thing.at.y = draw(rng, 2.0, h + 2.0);
        if (is_free(room, &thing)) {
            put(room, &thing, false);
            thing.at = world_copy(world, thing.at);
            put(room, &thing, false);
            i++;
        }
    }
}

static void make_hall(struct world *world, struct dpl_random *rng)
{
    rectangle(&world->room, 0.0, 0.0, 30.0, 24.0);
    furnish(&world->room, rng, (int)draw(rng, 0.0, 5.0), 0.4, 1.0);
}

/* ---- the plan ---- */

/* Each surface is off along its normal, and tilted. */
static void survey(struct room *plan, double sigma_m, struct dpl_random *rng)
{
    for (size_t i = 0; i < plan->n; i++) {
        for (size_t k = 0; k < plan->objects[i].n; k++) {
            struct dpl_raycast_outline *o = &plan->objects[i].outlines[k];
            double length = hypot(o->dx, o->dy), off = sigma_m * dpl_random_normal(rng);
            double other = off + 0.5 * sigma_m * dpl_random_normal(rng);
            double nx = length > 0.0 ? -o->dy / length : 1.0;
            double ny = length > 0.0 ? o->dx / length : 0.0;
            o->x += off * nx;
            o->y += off * ny;
            o->dx += (other - off) * nx * (length > 0.0);
            o->dy += (other - off) * ny * (length > 0.0);
        }
    }
}

void world_draw(struct world *world, enum world_kind kind, uint64_t seed)
{
    static void (*const make[WORLD_KINDS])(struct world * world, struct dpl_random * rng) = {
        make_office,   make_clutter, make_symmetric, make_glass,
        make_corridor, make_round,   make_equal,     make_hall,
    };
    static const double surveys_m[] = {0.0, 0.005, 0.010, 0.020, 0.030};
    struct dpl_random rng = dpl_random_seeded(seed, 11);
    bool moved[ROOM_OBJECTS_MAX];
    memset(world, 0, sizeof *world);
    world->kind = kind;
    make[kind](world, &rng);
    world->survey_m = surveys_m[(int)draw(&rng, 0.0, 5.0)];
    world->moved_share = draw(&rng, 0.0, MOVED_SHARE);
    world->plan = world->room;
    survey(&world->plan, world->survey_m, &rng);
    room_rearrange(&world->room, world->moved_share, draw(&rng, MOVED_LEAST, MOVED_MOST), &rng,
                   moved);
}

struct dpl_pose2 world_copy(const struct world *world, struct dpl_pose2 pose)
{
    if (world->copy_turns) {
        return (struct dpl_pose2){2.0 * world->middle.x - pose.x, 2.0 * world->middle.y - pose.y,
                                  dpl_wrap_angle(pose.theta + DPL_PI)};
    }
    pose.x += pose.x < world->middle.x ? world->shift_m : -world->shift_m;
    return pose;
}
