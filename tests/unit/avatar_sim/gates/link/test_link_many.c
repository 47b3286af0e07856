/* SPDX-License-Identifier: Apache-2.0 */
/* Links to a served world with more channels than one message holds. */
#include <errno.h>
#include <string.h>

#include "link_codec.h"
#include "link_world.h"
#include "remote_world.h"

#define N_MANY 64 /* robots */

/* A world of these elements. */
static void serve_elements(struct served *served, struct dpl_sim_server_options options, size_t n,
                           void (*write)(FILE *world, size_t i))
{
    char file[] = "/tmp/doppel-many-XXXXXX";
    int fd = mkstemp(file);
    cr_assert_geq(fd, 0);
    FILE *world = fdopen(fd, "w");
    cr_assert_not_null(world);
    fprintf(world, "<world name=\"many\" step_ms=\"5\"><ground friction=\"1\"/>\n");
    for (size_t i = 0; i < n; i++) {
        write(world, i);
    }
    fprintf(world, "</world>\n");
    fclose(world);
    options.world = file;
    serve(served, options);
    unlink(file);
}

static void write_robot(FILE *world, size_t i)
{
    fprintf(world, "<robot name=\"r%zu\" model=\"%s\" x=\"%zu\"/>\n", i,
            UNIT "/avatar_sim/fixtures/no_laser.xml", i);
}

static void write_box(FILE *world, size_t i)
{
    fprintf(world, "<box x=\"%zu\" y=\"%zu\" size_x=\"0.5\" size_y=\"0.5\"/>\n", i % 50, i / 50);
}

static void serve_many(struct served *served, struct dpl_sim_server_options options)
{
    serve_elements(served, options, N_MANY, write_robot);
}

/* All numbers that come out of the world. */
static size_t find_numbers(struct dpl_link *link, struct dpl_channel *ret_channels, size_t most)
{
    static struct dpl_channel_desc descs[5000];
    size_t n = dpl_link_describe(link, 0, descs, 5000), found = 0;
    cr_assert(n > 1000 && n <= 5000, "%zu channels", n);
    for (size_t i = 0; i < n && found < most; i++) {
        if (descs[i].dir == DPL_CHANNEL_OUT && descs[i].type == &dpl_channel_number) {
            char path[DPL_CHANNEL_PATH_MAX + 1];
            snprintf(path, sizeof path, "/%s", descs[i].path);
            ret_channels[found++] = find_out(link, path);
        }
    }
    return found;
}

/* The list does not fit into one page, nor what is subscribed into one message. */
Test(link_many, carries_more_than_a_message_holds, .timeout = 60)
{
    enum { N_LINKS = 4, MOST = 500 };
    static struct dpl_channel channels[N_LINKS][MOST];
    struct served served;
    struct remote_world *list = NULL;
    serve_many(&served, (struct dpl_sim_server_options){.lockstep = true});
    for (int i = 0; i < N_LINKS; i++) {
        struct dpl_link *link = open_remote(&list, served.address, NULL);
        size_t found = find_numbers(link, channels[i], MOST);
        cr_assert(found > 400, "%zu numbers", found);
    }
    list->patience = 30 * DPL_S; /* of sanitizers on a busy machine */
    cr_assert_eq(remote_worlds_start(list, 0, NULL), 0);
    for (dpl_ns to = 10 * DPL_MS; to <= 50 * DPL_MS; to += 10 * DPL_MS) {
        cr_assert_eq(remote_worlds_advance(list, to, NULL), 0);
        for (int i = 0; i < N_LINKS; i++) {
            dpl_ns stamp;
            double value;
            cr_assert_eq(dpl_link_refresh(channels[i][0].link, &stamp), 0);
            cr_assert_eq(stamp, to, "link %d", i);
            cr_assert_eq(dpl_channel_get(channels[i][400], &value, &stamp), 0);
            cr_assert_eq(stamp, to);
        }
    }
    remote_worlds_destroy(list);
    cr_assert_eq(unserve(&served).malformed, 0);
}

Test(link_many, refuses_more_channels_than_a_link_has, .timeout = 60)
{
    static struct dpl_channel_desc descs[5000];
    struct served served;
    struct remote_world *list = NULL;
    struct dpl_channel x = {0}, last;
    serve_many(&served, (struct dpl_sim_server_options){0});
    struct dpl_link *link = open_remote(&list, served.address, NULL);
    EVENTUALLY(dpl_link_describe(link, 0, NULL, 0) > 0);
    size_t n = dpl_link_describe(link, 0, descs, 5000), found = 0;
    struct dpl_diag error = {0};
    int err = 0;
    for (size_t i = 0; i < n && err == 0; i++) {
        struct dpl_channel_want want = {.path = descs[i].path};
        if (!dpl_channel_is_input(descs[i].dir)) {
            err = dpl_link_find(link, &want, &last, &error);
            x = strcmp(descs[i].path, "r0/x") == 0 ? last : x;
            found += err == 0;
        }
    }
    cr_assert_eq(err, -ENOSPC, "%zu channels were found", found);
    cr_assert_eq(found, LINK_SUBSCRIBED_MAX);
    cr_assert_not_null(strstr(error.text, "at most 1024 channels"), "%s", error.text);
    double value;
    EVENTUALLY(dpl_link_refresh(link, NULL) == 0 && dpl_channel_get(x, &value, NULL) == 0);
    remote_worlds_destroy(list);
    unserve(&served);
}

/* The whole list is larger than a frame: its pages arrive, it does not, and says so. */
Test(link_many, carries_the_pages_of_2000_obstacles, .timeout = 60)
{
    struct served served;
    struct remote_world *list = NULL;
    serve_elements(&served, (struct dpl_sim_server_options){0}, 2000, write_box);
    struct dpl_link *link = open_remote(&list, served.address, NULL);
    struct dpl_channel_want want = {.path = "/obstacles"};
    struct dpl_channel channel;
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_link_find(link, &want, &channel, &error), -EMSGSIZE);
    cr_assert(strstr(error.text, "too large for the network"), "%s", error.text);
    double numbers[4000];
    channel = find_out(link, "/obstacles/6/page");
    cr_assert_eq(channel.desc->size, 2000);
    cr_assert_eq(dpl_channel_get(channel, numbers, NULL), 0);
    cr_assert_eq(numbers[2000 - 11 + 1], 49.0); /* x of the last box */
    cr_assert_eq(numbers[2000 - 11 + 2], 39.0);
    channel = find_out(link, "/obstacle_names/1/page");
    cr_assert_eq(dpl_channel_get(channel, numbers, NULL), 0);
    cr_assert_eq(numbers[0], 'b');
    cr_assert_eq(numbers[5], 10.0); /* "box 1" */
    remote_worlds_destroy(list);
    cr_assert_eq(unserve(&served).malformed, 0);
}
