/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a world: what stands in it at a height, its finish line, where the robot starts. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/sim/host.h>

static struct dpl_sim_host *host;
static struct dpl_link *link_;
static char file[] = "/tmp/doppel-course-XXXXXX";
static struct dpl_link_course course;

static void open_world(const char *elements)
{
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    dprintf(fd,
            "<world name=\"t\"><ground/>%s<robot name=\"car\" model=\"%s/robots/race_car.xml\" "
            "x=\"0.5\" "
            "yaw=\"90 deg\"/></world>",
            elements, PROFILES);
    close(fd);
    host = dpl_sim_host_create(&(struct dpl_sim_host_options){.world = file, .seed = 1});
    cr_assert_not_null(host);
    struct dpl_world_host world = dpl_sim_host_interface(host);
    struct dpl_link_config config = {.world = "", .robot = "car"};
    struct dpl_diag error = {0};
    cr_assert_eq(world.ops->open_link(world.self, &config, NULL, &link_, &error), 0, "%s",
                 error.text);
}

static void close_world(void)
{
    link_->ops->close(link_);
    dpl_sim_host_destroy(host);
    unlink(file);
}

static void get_course(void)
{
    struct dpl_diag error = {0};
    cr_assert_eq(link_->ops->get_course(link_, 0.05, &course, &error), 0, "%s", error.text);
}

Test(course, has_the_outline_of_walls_the_finish_and_the_start, .fini = close_world)
{
    open_world("<wall x1=\"0\" y1=\"0\" x2=\"0\" y2=\"4\" thickness=\"0.02\"/>"
               "<finish x1=\"0\" y1=\"3\" x2=\"1\" y2=\"3\"/>");
    get_course();
    cr_assert_eq(course.n_walls, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_float_eq(fabs(course.walls[i].x1), 0.01, 1e-9);
    }
    cr_assert(course.has_finish);
    cr_assert_eq(course.finish.y1, 3.0);
    cr_assert_eq(course.finish.x2, 1.0);
    cr_assert_eq(course.start.x, 0.5);
    cr_assert_float_eq(course.start.theta, DPL_PI / 2.0, 1e-9);
}

Test(course, leaves_out_what_is_above_or_below_the_height, .fini = close_world)
{
    open_world("<box x=\"1\" y=\"1\" z=\"1\" size_x=\"1\" size_y=\"1\" size_z=\"1\"/>");
    get_course();
    cr_assert_eq(course.n_walls, 0);
    cr_assert_not(course.has_finish);
}

Test(course, puts_a_polygon_around_what_is_round, .fini = close_world)
{
    open_world("<cylinder x=\"2\" y=\"0\" radius=\"0.5\" height=\"1\"/>");
    get_course();
    cr_assert_geq(course.n_walls, 8);
    for (size_t i = 0; i < course.n_walls; i++) {
        const struct dpl_link_segment *s = &course.walls[i];
        double middle = hypot((s->x1 + s->x2) / 2.0 - 2.0, (s->y1 + s->y2) / 2.0);
        cr_assert_float_eq(middle, 0.5, 1e-9);
    }
}

Test(course, says_when_it_is_too_long, .fini = close_world)
{
    char *elements = calloc(1, 100000);
    for (int i = 0; i < 200; i++) {
        sprintf(elements + strlen(elements), "<wall x1=\"%d\" y1=\"3\" x2=\"%d\" y2=\"4\"/>", i, i);
    }
    open_world(elements);
    free(elements);
    struct dpl_diag error = {0};
    cr_assert_eq(link_->ops->get_course(link_, 0.05, &course, &error), -ENOSPC);
    cr_assert_not_null(strstr(error.text, "512"), "%s", error.text);
}
