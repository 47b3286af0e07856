/* SPDX-License-Identifier: Apache-2.0 */
/* The truth about a robot in a served world: watch_robot tcp://HOST:PORT ROBOT prints a line
 * "CLOCK_MONOTONIC-seconds v w x y" for each state of the world, until it is ended. It commands
 * nothing. */
#include <stdio.h>
#include <time.h>

#include <doppel/sim/host.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void watch(struct dpl_link *link)
{
    dpl_ns last = -1;
    for (;;) {
        struct dpl_link_robot robot;
        if (link->ops->get_robot(link, &robot) == 0 && robot.stamp != last) {
            last = robot.stamp;
            printf("%.4f %.5f %.5f %.4f %.4f\n", now_s(), robot.twist.linear, robot.twist.angular,
                   robot.pose.x, robot.pose.y);
            fflush(stdout);
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: watch_robot tcp://HOST:PORT ROBOT\n");
        return 2;
    }
    struct dpl_sim_host *worlds = dpl_sim_host_create(&(struct dpl_sim_host_options){0});
    struct dpl_world_host host = dpl_sim_host_interface(worlds);
    struct dpl_link_config config = {.world = argv[1], .robot = argv[2]};
    struct dpl_link *link;
    struct dpl_diag error = {0};
    if (host.ops->open_link(host.self, &config, NULL, &link, &error) < 0 ||
        host.ops->start(host.self, (dpl_ns)(now_s() * 1e9), &error) < 0) {
        fprintf(stderr, "watch_robot: %s\n", error.text);
        return 1;
    }
    watch(link);
}
