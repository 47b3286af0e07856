/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>

#include "world_scene.h"

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct dpl_world_channels *channels;
static struct world_scene *scene;
static struct dpl_scene *shown;
static bool is_avatar[1];
static const dpl_ns offset = 7;

/* The newest row. */
static _Alignas(16) unsigned char row[1 << 16];
static dpl_ns sent;
static unsigned n_sent;
static bool is_open;

static void *open_row(void *self)
{
    return is_open ? row : NULL;
}

static void send_row(void *self, dpl_ns stamp)
{
    sent = stamp;
    n_sent++;
}

static void make(const char *file, bool shows_real)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_sim_load_world(file, 1, NULL, &model, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_create(model, &world, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_world_channels_create(world, &channels), 0);
    scene = world_scene_create(&(struct world_scene_options){.world = world,
                                                             .is_avatar = is_avatar,
                                                             .offset = &offset,
                                                             .shows_real = shows_real,
                                                             .channels = channels});
    shown = world_scene_interface(scene);
    cr_assert_lt(shown->row_bytes, sizeof row);
    shown->ops->watch(shown, &(struct dpl_scene_tap){NULL, open_row, send_row, NULL}, row);
}

static void end(void)
{
    world_scene_destroy(scene);
    dpl_world_channels_destroy(channels);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
}

TestSuite(world_scene, .fini = end);

/* Things of a layer and a role, and the last of them. */
static struct {
    const char *layer, *role;
    unsigned n;
    double red;
    char frame[128];
} wanted;

static void count(void *user, const struct dpl_scene_thing *thing)
{
    bool is_it = strcmp(thing->layer, wanted.layer) == 0 && strcmp(thing->role, wanted.role) == 0;
    cr_assert(thing->n_shapes > 0 || strcmp(thing->layer, "contact") == 0, "%s", thing->id);
    if (is_it) {
        wanted.n++;
        wanted.red = thing->n_shapes > 0 ? thing->shapes[0].color[0] : 0.0;
        snprintf(wanted.frame, sizeof wanted.frame, "%s", thing->frame);
    }
}

static unsigned n_of(const char *layer, const char *role)
{
    wanted.n = 0;
    wanted.layer = layer;
    wanted.role = role;
    shown->ops->describe(shown, count, NULL);
    return wanted.n;
}

Test(world_scene, has_walls_objects_and_robots)
{
    make(PROFILES "/worlds/office.xml", false);
    cr_assert_eq(n_of("wall", "world"), 20);
    cr_assert_eq(n_of("object", "world") + 20, model->n_obstacles);
    cr_assert_eq(n_of("visual", "robot"), 1);
    cr_assert_str_eq(wanted.frame, "office/avatar");
    cr_assert_float_eq(wanted.red, 1.0, 1e-12, "amber");
    cr_assert_eq(n_of("visual", "avatar"), 0);
}

Test(world_scene, shows_an_avatar_blue_and_its_robot_beside_it)
{
    is_avatar[0] = true;
    make(PROFILES "/worlds/office.xml", true);
    cr_assert_eq(n_of("visual", "avatar"), 1);
    cr_assert_str_eq(wanted.frame, "avatar/office/avatar");
    cr_assert_float_eq(wanted.red, 0.34, 1e-12);
    cr_assert_eq(n_of("visual", "robot"), 1);
    cr_assert_str_eq(wanted.frame, "base_link");
}

Test(world_scene, puts_a_row_each_20_ms_while_somebody_listens)
{
    make(PROFILES "/worlds/office.xml", false);
    dpl_world_step(world, 5);
    world_scene_look(scene);
    cr_assert_eq(n_sent, 0);
    is_open = true;
    for (int i = 0; i < 95; i++) {
        dpl_world_step(world, 1);
        world_scene_look(scene);
    }
    cr_assert_eq(n_sent, 6, "at 6 ms, then at 20, 40, ... 100 ms");
    cr_assert_eq(sent, 100 * DPL_MS + offset);
    const struct dpl_sim_state *state = dpl_world_state(world);
    struct dpl_pose3 pose = shown->ops->pose(shown, row, 0);
    cr_assert_eq(pose.position.x, state->bodies.position[0][0]);
    cr_assert_eq(pose.position.z, state->bodies.position[0][2]);
}

Test(world_scene, of_a_mechanism_has_its_bodies_joints_and_ropes)
{
    make(PROFILES "/worlds/elevator_shaft.xml", false);
    cr_assert_eq(shown->n_frames, dpl_world_state(world)->bodies.n);
    cr_assert_gt(n_of("visual", "robot"), 5);
    cr_assert_gt(n_of("joint", "robot"), 5);
    wanted.n = 0;
    wanted.layer = "visual";
    shown->ops->live(shown, row, count, NULL);
    cr_assert_gt(wanted.n, 0, "ropes");
    cr_assert_str_eq(wanted.frame, "map");
}

static size_t channel_of(const char *path)
{
    size_t i = 0;
    while (strcmp(shown->channels[i].path, path) != 0) {
        i++;
        cr_assert_lt(i, shown->n_channels, "%s", path);
    }
    return i;
}

static unsigned n_came;

static unsigned wants(void *self)
{
    return is_open ? n_came : 0;
}

static void watch_channel(const char *path)
{
    is_open = true;
    n_came = 1;
    n_sent = 0;
    shown->ops->watch(shown, &(struct dpl_scene_tap){NULL, NULL, send_row, NULL}, row);
    shown->ops->watch_channel(shown, channel_of(path),
                              &(struct dpl_scene_tap){NULL, open_row, send_row, wants});
}

static void go(int ms)
{
    for (int i = 0; i < ms; i++) {
        dpl_world_step(world, 1);
        world_scene_look(scene);
    }
}

Test(world_scene, puts_a_value_of_a_channel_each_20_ms_when_it_has_changed)
{
    make(PROFILES "/worlds/office.xml", false);
    watch_channel("time");
    go(100);
    cr_assert_eq(n_sent, 6, "at 1 ms, then at 20, 40, ... 100 ms");
    cr_assert_eq(sent, 100 * DPL_MS + offset);
    double time;
    memcpy(&time, row, sizeof time);
    cr_assert_eq(time, 0.1);
}

Test(world_scene, puts_a_value_that_stays_once_a_second_and_a_constant_once)
{
    make(PROFILES "/worlds/office.xml", false);
    watch_channel("avatar/contacts");
    go(2500);
    cr_assert_eq(n_sent, 3, "%u", n_sent);
    watch_channel("avatar/start");
    shown->ops->watch_channel(shown, channel_of("avatar/contacts"), &(struct dpl_scene_tap){NULL});
    go(2500);
    cr_assert_eq(n_sent, 1, "%u", n_sent);
}

Test(world_scene, at_a_boundary_looks_only_while_time_stands)
{
    make(PROFILES "/worlds/office.xml", false);
    watch_channel("time");
    dpl_world_step(world, 20);
    world_scene_look_while_time_stands(scene);
    cr_assert_eq(n_sent, 0, "users have not yet put what belongs to this time");
    world_scene_look_while_time_stands(scene);
    cr_assert_eq(n_sent, 1);
}

Test(world_scene, while_time_stands_who_comes_gets_the_present_values_once)
{
    make(PROFILES "/worlds/office.xml", false);
    watch_channel("avatar/contacts");
    go(100);
    for (n_came = 2; n_came < 5; n_came++) {
        n_sent = 0;
        world_scene_look_while_time_stands(scene);
        world_scene_look_while_time_stands(scene);
        world_scene_look_while_time_stands(scene);
        cr_assert_eq(n_sent, 1, "%u", n_sent);
        cr_assert_eq(sent, 100 * DPL_MS + offset);
    }
    watch_channel("avatar/start");
    shown->ops->watch_channel(shown, channel_of("avatar/contacts"), &(struct dpl_scene_tap){NULL});
    go(20);
    n_came++;
    world_scene_look_while_time_stands(scene);
    world_scene_look_while_time_stands(scene);
    cr_assert_eq(n_sent, 1, "a constant is latched");
}

/* Of a machine: its rails, and what is around its platform. */
static struct {
    unsigned n_rails, n_links;
    double sliders[6];
    size_t n_sliders;
} machine;

static void look_at_machine(void *user, const struct dpl_scene_thing *thing)
{
    machine.n_rails += strcmp(thing->layer, "object") == 0 ? (unsigned)thing->n_shapes : 0;
    for (size_t i = 0; i < thing->n_shapes && strcmp(thing->layer, "visual") == 0; i++) {
        const struct dpl_scene_shape *shape = &thing->shapes[i];
        if (shape->kind == DPL_SCENE_BOX) {
            machine.sliders[machine.n_sliders++] = shape->pose.position.x;
        }
        machine.n_links += shape->kind == DPL_SCENE_CYLINDER && fabs(shape->size[2] - 0.88) < 1e-9;
    }
}

Test(world_scene, of_a_machine_has_rails_and_links_from_its_sliders_to_its_platform)
{
    make(PROFILES "/worlds/hexafloat.xml", false);
    shown->ops->describe(shown, look_at_machine, NULL);
    cr_assert_eq(machine.n_rails, 6);
    cr_assert_eq(machine.n_links, 0);
    shown->ops->live(shown, row, look_at_machine, NULL);
    cr_assert_eq(machine.n_links, 6, "each as long as its link");
    cr_assert_eq(machine.n_sliders, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_float_eq(machine.sliders[i], dpl_world_state(world)->joints.position[i], 1e-6);
    }
}

/* Values of the only robot: the newest row. */
static _Alignas(16) unsigned char values[1 << 16];
static unsigned n_values;

static void *open_values(void *self)
{
    return values;
}

static void send_values(void *self, dpl_ns stamp)
{
    n_values++;
}

static const struct dpl_field *field(const char *name)
{
    return dpl_field_find(shown->values[0].fields, shown->values[0].n_fields, name);
}

Test(world_scene, of_a_mechanism_has_values_each_50_ms)
{
    make(PROFILES "/worlds/elevator_shaft.xml", false);
    cr_assert_eq(shown->n_values, 1);
    cr_assert_str_eq(shown->values[0].name, "elevator");
    cr_assert_lt(shown->values[0].bytes, sizeof values);
    cr_assert_null(field("car/effort_of_nobody"));
    cr_assert_null(field("carriage/kinetic_energy"), "it follows from others");
    cr_assert_str_eq(field("car/position")->unit, "m");
    dpl_ns step = model->step;
    for (dpl_ns t = 0; t < 100 * DPL_MS; t += step) {
        dpl_world_step(world, 1);
        world_scene_look(scene);
    }
    cr_assert_eq(n_values, 0, "nobody listens");
    shown->ops->watch_values(shown, 0, &(struct dpl_scene_tap){NULL, open_values, send_values});
    for (dpl_ns t = 0; t < 500 * DPL_MS; t += step) {
        dpl_world_step(world, 1);
        world_scene_look(scene);
    }
    cr_assert_eq(n_values, 10);
    double load;
    memcpy(&load, values + field("ropes/tension")->offset, sizeof load);
    cr_assert_gt(load, 1000.0);
    cr_assert(dpl_field_number(field("gear/open"), values) != 0.0);
}

Test(world_scene, of_a_robot_that_drives_has_no_values)
{
    make(PROFILES "/worlds/office.xml", false);
    cr_assert_eq(shown->n_values, 0);
}
