/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of the stored seconds of a random load, along x. */
#include "random_charts.h"

#include "picture.h"

#define LOAD_HEIGHT 220 /* px, of the lower chart */

static int chart_answer(const char *folder, const struct experiment_random *random, int model,
                        struct dpl_diag *reterr)
{
    static const char *const names[2] = {"random-3hz", "random-6hz"};
    static const char *const titles[2] = {"Answer to a random load, 3 Hz model, x",
                                          "Answer to a random load, 6 Hz model, x"};
    struct picture picture = {
        .folder = folder,
        .name = names[model],
        .chart = {{.title = titles[model], .x_label = "time, s", .y_label = "deflection, mm"},
                  {.title = "The load",
                   .x_label = "time, s",
                   .y_label = "force, N",
                   .height = LOAD_HEIGHT}},
    };
    picture_draw(&picture, "real", random->time_s, random->real_mm, EXPERIMENT_N_RANDOM);
    picture_draw(&picture, "ideal", random->time_s, random->ideal_mm, EXPERIMENT_N_RANDOM);
    picture_dash(&picture, series_color(1));
    picture_next_panel(&picture);
    picture_draw(&picture, NULL, random->time_s, random->force, EXPERIMENT_N_RANDOM);
    return picture_save(&picture, reterr);
}

static int chart_shifted(const char *folder, const struct experiment_random *random, int model,
                         struct dpl_diag *reterr)
{
    static const char *const names[2] = {"random-shifted-3hz", "random-shifted-6hz"};
    static const char *const titles[2] = {
        "The real answer without the chain's constant delay, 3 Hz model, x",
        "The real answer without the chain's constant delay, 6 Hz model, x"};
    double earlier[EXPERIMENT_N_RANDOM], left_um[EXPERIMENT_N_RANDOM];
    for (int i = 0; i < EXPERIMENT_N_RANDOM; i++) {
        earlier[i] = random->time_s[i] - random->delay_s;
        left_um[i] = 1e3 * (random->real_mm[i] - random->delayed_mm[i]);
    }
    struct picture picture = {
        .folder = folder,
        .name = names[model],
        .chart = {{.title = titles[model], .x_label = "time, s", .y_label = "deflection, mm"},
                  {.title = "What is left: real less ideal",
                   .x_label = "time, s",
                   .y_label = "difference, um",
                   .height = LOAD_HEIGHT}},
    };
    picture_draw(&picture, "real, earlier", earlier, random->real_mm, EXPERIMENT_N_RANDOM);
    picture_draw(&picture, "ideal", earlier, random->delayed_mm, EXPERIMENT_N_RANDOM);
    picture_dash(&picture, series_color(1));
    picture_next_panel(&picture);
    picture_draw(&picture, NULL, earlier, left_um, EXPERIMENT_N_RANDOM);
    return picture_save(&picture, reterr);
}

int random_charts(const char *folder, const struct experiment_random *random,
                  struct dpl_diag *reterr)
{
    int r = 0;
    for (int model = 0; r == 0 && model < 2; model++) {
        r = chart_answer(folder, &random[model], model, reterr);
        r = r == 0 ? chart_shifted(folder, &random[model], model, reterr) : r;
    }
    return r;
}
