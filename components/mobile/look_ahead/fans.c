/* SPDX-License-Identifier: Apache-2.0 */
#include "fans.h"

static const double free_every_s = 10.0;

static bool is_wanted(const struct fans *fans, double time_s, bool expects)
{
    if (expects) {
        return !fans->expected;
    }
    /* room is for contacts first */
    return fans->n < FANS_MAX / 2 &&
           (fans->n == 0 || time_s - fans->fans[fans->n - 1].time_s >= free_every_s);
}

static void copy_path(struct fan_path *path, const struct outlook_rollout *rollout)
{
    path->touched = rollout->touched;
    path->n = rollout->n_poses < FAN_POSES_MAX ? rollout->n_poses : FAN_POSES_MAX;
    for (size_t i = 0; i < path->n; i++) {
        path->x[i] = (float)rollout->poses[i].x;
        path->y[i] = (float)rollout->poses[i].y;
    }
}

void fans_add(struct fans *fans, double time_s, bool expects,
              const struct outlook_rollout *rollouts, size_t n)
{
    bool wanted = is_wanted(fans, time_s, expects);
    fans->expected = expects;
    if (!wanted) {
        return;
    }
    if (fans->n == FANS_MAX) {
        fans->left_out++;
        return;
    }
    struct fan *fan = &fans->fans[fans->n++];
    *fan = (struct fan){.time_s = time_s};
    for (size_t i = 0; i < n && fan->n < FAN_PATHS_MAX; i++) {
        if (rollouts[i].valid) {
            copy_path(&fan->paths[fan->n++], &rollouts[i]);
        }
    }
}

static void write_path(FILE *file, double time_s, size_t number, const struct fan_path *path)
{
    for (size_t i = 0; i < path->n; i++) {
        fprintf(file, "%.3f,%zu,%d,%.4f,%.4f\n", time_s, number, path->touched, (double)path->x[i],
                (double)path->y[i]);
    }
}

void fans_write(const struct fans *fans, FILE *file)
{
    fprintf(file, "t,rollout,touched,x,y\n");
    for (size_t i = 0; i < fans->n; i++) {
        for (size_t k = 0; k < fans->fans[i].n; k++) {
            write_path(file, fans->fans[i].time_s, k, &fans->fans[i].paths[k]);
        }
    }
}
