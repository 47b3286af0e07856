/* SPDX-License-Identifier: Apache-2.0 */
/* What a world's constants tell of what stands in it: outlines at a height, lines, starts. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/field.h>
#include <doppel/math/geometry.h>
#include <doppel/sim/host.h>
#include <doppel/sim/outline.h>

static struct dpl_sim_host *host;
static struct dpl_link *link_;
static char file[] = "/tmp/doppel-course-XXXXXX";
static double pieces[512][4];

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
    struct dpl_link_config config = {.world = "", .part = "car"};
    struct dpl_diag error = {0};
    cr_assert_eq(world.ops->open_link(world.self, &config, NULL, &link_, &error), 0, "%s",
                 error.text);
}

static void close_world(void)
{
    dpl_link_close(link_);
    dpl_sim_host_destroy(host);
    unlink(file);
}

static int find(const char *path, struct dpl_channel *ret_channel)
{
    struct dpl_channel_want want = {.path = path, .type = &dpl_channel_vector};
    return dpl_link_find(link_, &want, ret_channel, NULL);
}

/* The outlines at 5 cm: how many straight pieces, or -errno. */
static int outline(void)
{
    static double solids[256][DPL_SIM_SOLID_NUMBERS];
    struct dpl_channel obstacles;
    cr_assert_eq(find("/obstacles", &obstacles), 0);
    size_t n = obstacles.desc->size / DPL_SIM_SOLID_NUMBERS;
    cr_assert_leq(n, DPL_COUNT(solids));
    cr_assert_eq(dpl_channel_get(obstacles, solids, NULL), 0);
    return dpl_sim_outline((const double(*)[DPL_SIM_SOLID_NUMBERS])solids, n, 0.05, pieces,
                           DPL_COUNT(pieces));
}

Test(course, has_the_outline_of_walls_the_finish_and_the_start, .fini = close_world)
{
    open_world("<wall x1=\"0\" y1=\"0\" x2=\"0\" y2=\"4\" thickness=\"0.02\"/>"
               "<finish x1=\"0\" y1=\"3\" x2=\"1\" y2=\"3\"/>");
    struct dpl_channel finish, start;
    double line[4], at[3];
    cr_assert_eq(outline(), 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_float_eq(fabs(pieces[i][0]), 0.01, 1e-9);
    }
    cr_assert_eq(find("/lines/finish", &finish), 0);
    cr_assert_eq(dpl_channel_get(finish, line, NULL), 0);
    cr_assert_eq(line[1], 3.0);
    cr_assert_eq(line[2], 1.0);
    cr_assert_eq(find("start", &start), 0);
    cr_assert_eq(dpl_channel_get(start, at, NULL), 0);
    cr_assert_eq(at[0], 0.5);
    cr_assert_float_eq(at[2], DPL_PI / 2.0, 1e-9);
}

Test(course, leaves_out_what_is_above_or_below_the_height, .fini = close_world)
{
    open_world("<box x=\"1\" y=\"1\" z=\"1\" size_x=\"1\" size_y=\"1\" size_z=\"1\"/>");
    struct dpl_channel finish;
    cr_assert_eq(outline(), 0);
    cr_assert_eq(find("/lines/finish", &finish), -ENOENT);
}

Test(course, puts_a_polygon_around_what_is_round, .fini = close_world)
{
    open_world("<cylinder x=\"2\" y=\"0\" radius=\"0.5\" height=\"1\"/>");
    int n = outline();
    cr_assert_geq(n, 8);
    for (int i = 0; i < n; i++) {
        const double *s = pieces[i];
        double middle = hypot((s[0] + s[2]) / 2.0 - 2.0, (s[1] + s[3]) / 2.0);
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
    cr_assert_eq(outline(), -ENOSPC);
}

static int find_size(const char *path)
{
    struct dpl_channel channel;
    int err = find(path, &channel);
    return err < 0 ? err : (int)channel.desc->size;
}

/* The value of a channel of bytes, as a text. */
static void read_text(const char *path, char *ret_text, size_t size)
{
    static double numbers[200000];
    struct dpl_channel channel;
    cr_assert_eq(find(path, &channel), 0, "%s", path);
    cr_assert_lt(channel.desc->size, size);
    cr_assert_eq(dpl_channel_get(channel, numbers, NULL), 0);
    for (size_t i = 0; i < channel.desc->size; i++) {
        ret_text[i] = (char)(unsigned char)numbers[i];
    }
    ret_text[channel.desc->size] = '\0';
}

Test(course, obstacles_without_a_name_are_named_by_kind_and_number, .fini = close_world)
{
    char names[512];
    open_world(
        "<wall x1=\"0\" y1=\"2\" x2=\"0\" y2=\"4\"/><wall x1=\"3\" y1=\"2\" x2=\"3\" y2=\"4\"/>"
        "<box name=\"desk\" x=\"5\" y=\"5\" size_x=\"1\" size_y=\"1\"/>"
        "<box name=\"b&#10;d\" x=\"7\" y=\"5\" size_x=\"1\" size_y=\"1\"/>"
        "<box x=\"9\" y=\"5\" size_x=\"1\" size_y=\"1\"/>");
    read_text("/obstacle_names", names, sizeof names);
    cr_assert_str_eq(names, "wall 1\nwall 2\ndesk\nb d\nbox 3\n");
    cr_assert_eq(find_size("/obstacles/1/page"), -ENOENT);
}

/* 1000 boxes: 11,000 numbers in three pages. */
Test(course, long_lists_are_in_pages_too, .fini = close_world)
{
    static char elements[100000], names[20000], pages[20000];
    for (int i = 0; i < 1000; i++) {
        sprintf(elements + strlen(elements), "<box x=\"%d\" y=\"9\" size_x=\"1\" size_y=\"1\"/>",
                i);
    }
    open_world(elements);
    cr_assert_eq(find_size("/obstacles"), 11000);
    cr_assert_eq(find_size("/obstacles/1/page"), 4000);
    cr_assert_eq(find_size("/obstacles/3/page"), 3000);
    cr_assert_eq(find_size("/obstacles/4/page"), -ENOENT);
    static double whole[11000], page[4000];
    struct dpl_channel obstacles, second;
    cr_assert_eq(find("/obstacles", &obstacles), 0);
    cr_assert_eq(find("/obstacles/2/page", &second), 0);
    cr_assert_eq(dpl_channel_get(obstacles, whole, NULL), 0);
    cr_assert_eq(dpl_channel_get(second, page, NULL), 0);
    cr_assert_eq(memcmp(whole + 4000, page, sizeof page), 0);
    read_text("/obstacle_names", names, sizeof names);
    for (int i = 1; find_size("/obstacle_names/1/page") > 0 && strlen(pages) < strlen(names); i++) {
        char path[64];
        snprintf(path, sizeof path, "/obstacle_names/%d/page", i);
        read_text(path, pages + strlen(pages), sizeof pages - strlen(pages));
    }
    cr_assert_str_eq(names, pages);
}

Test(outline, keeps_circles_and_tells_the_solid_of_each_outline)
{
    const double solids[3][DPL_SIM_SOLID_NUMBERS] = {
        {0.0, 1.0, 2.0, 0.5, 0.0, 2.0, 4.0, 1.0, 0.0, 0.0, 0.0},  /* a box */
        {0.0, 1.0, 2.0, 5.5, 0.0, 2.0, 4.0, 1.0, 0.0, 0.0, 0.0},  /* one above the plane */
        {1.0, -3.0, 4.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0}, /* a ball, at 0.8 of its radius */
    };
    struct dpl_sim_outline outlines[8];
    cr_assert_eq(dpl_sim_outlines(solids, 3, 0.9, outlines, 8), 5);
    double length = 0.0;
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(outlines[i].object, 0);
        cr_assert_eq(outlines[i].radius, 0.0);
        length += hypot(outlines[i].dx, outlines[i].dy);
    }
    cr_assert_float_eq(length, 12.0, 1e-12);
    cr_assert_eq(outlines[4].object, 2);
    cr_assert_eq(outlines[4].x, -3.0);
    cr_assert_eq(outlines[4].y, 4.0);
    cr_assert_float_eq(outlines[4].radius, 0.3, 1e-12);
    cr_assert_eq(dpl_sim_outlines(solids, 3, 0.9, outlines, 5), 5);
    cr_assert_eq(dpl_sim_outlines(solids, 3, 0.9, outlines, 4), -ENOSPC);
}

Test(outline, refuses_a_solid_of_no_kind)
{
    double solid[1][DPL_SIM_SOLID_NUMBERS] = {{7.0}};
    cr_assert_eq(dpl_sim_outline((const double(*)[DPL_SIM_SOLID_NUMBERS])solid, 1, 0.05, pieces, 1),
                 -EINVAL);
    solid[0][0] = (double)NAN;
    cr_assert_eq(dpl_sim_outline((const double(*)[DPL_SIM_SOLID_NUMBERS])solid, 1, 0.05, pieces, 1),
                 -EINVAL);
}
