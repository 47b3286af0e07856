/* SPDX-License-Identifier: Apache-2.0 */
/* What a link to a world in this process costs: put, get and refresh, as a driver calls them.
 * Prints a line; fails where put or get takes longer than the project promises. Argument: a world
 * with a mobile robot 'avatar'. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/sim/host.h>

enum { CALLS = 1000000, ROUNDS = 9 };

static const double most_ns = 20.0;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const struct dpl_diag *error)
{
    dpl_diag_print(stderr, error);
    exit(1);
}

static struct dpl_channel find(struct dpl_link *link, const char *path, bool put)
{
    struct dpl_channel channel;
    struct dpl_channel_want want = {.path = path, .put = put};
    struct dpl_diag error = {0};
    if (dpl_link_find(link, &want, &channel, &error) < 0) {
        fail(&error);
    }
    return channel;
}

static struct dpl_channel input, output;
static struct dpl_link *frames;
static double value_read;

static void put_once(int i)
{
    dpl_channel_put_number(input, 0.001 * i);
}

static void get_once(int i)
{
    dpl_ns stamp;
    (void)i;
    dpl_channel_get(output, &value_read, &stamp);
}

static void refresh_once(int i)
{
    (void)i;
    dpl_link_refresh(frames, NULL);
}

/* The least of some rounds, ns a call. */
static double time_calls(void (*call)(int))
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_s();
        for (int i = 0; i < CALLS; i++) {
            call(i);
        }
        double took = (now_s() - start) / CALLS * 1e9;
        best = took < best ? took : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    struct dpl_sim_host *worlds =
        dpl_sim_host_create(&(struct dpl_sim_host_options){.world = argc == 2 ? argv[1] : NULL});
    struct dpl_world_host host = dpl_sim_host_interface(worlds);
    struct dpl_link_config config = {.world = "", .part = "avatar"};
    struct dpl_diag error = {0};
    if (host.ops->open_link(host.self, &config, NULL, &frames, &error) < 0) {
        fail(&error);
    }
    input = find(frames, "LeftWheel/speed", true);
    output = find(frames, "enc_left/angle", false);
    dpl_link_refresh(frames, NULL);
    double put = time_calls(put_once), get = time_calls(get_once);
    printf("channels: put %.1f ns, get %.1f ns, refresh %.1f ns\n", put, get,
           time_calls(refresh_once));
    dpl_link_close(frames);
    dpl_sim_host_destroy(worlds);
    if (put > most_ns || get > most_ns) {
        printf("expected at most %.0f ns for put and for get\n", most_ns);
        return 1;
    }
    return 0;
}
