/* SPDX-License-Identifier: Apache-2.0 */
/* hexa_workspace: surveys the workspace of the reference hexaslide and fits ellipsoids into it.
 * With the same seed and number of samples the table is the same. Exit 0, or 2 on wrong usage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/math/geometry.h>

#include "frame.h"
#include "hexa_workspace.h"

#define ARM_M       0.25
#define MOST_EXTENT 6.0
#define MAX_SAMPLES 100000
#define N_ROUNDS    12

struct arguments {
    struct rows rows;
    uint64_t samples, seed;
};

static const double scales[] = {0.7, 0.85, 1.0, 1.15, 1.3};

static const struct {
    const char *name;
    struct dpl_hexa_limits limits;
} borders[] = {
    {"reach alone", {.arm_m = ARM_M}},
    {"conditioning >= 0.20", {.arm_m = ARM_M, .least_conditioning = 0.20}},
    {"conditioning >= 0.25", {.arm_m = ARM_M, .least_conditioning = 0.25}},
    {"conditioning >= 0.25, travel",
     {.arm_m = ARM_M, .least_conditioning = 0.25, .within_travel = true}},
};

static void print_survey(const char *name, const struct dpl_hexa_survey *survey)
{
    printf("%-22s %8zu %8zu", name, survey->n, survey->n_unreachable);
    if (survey->n > survey->n_unreachable) {
        printf("   %6.3f   %6.3f ", survey->least_conditioning, survey->least_reach);
        for (int i = 0; i < 3; i++) { /* the other three mirror them */
            double low =
                survey->low_m[i] < survey->low_m[i + 3] ? survey->low_m[i] : survey->low_m[i + 3];
            double high = survey->high_m[i] > survey->high_m[i + 3] ? survey->high_m[i]
                                                                    : survey->high_m[i + 3];
            printf("  %6.3f..%6.3f", low, high);
        }
    }
    printf("\n");
}

static void survey_ellipsoid(const struct arguments *arguments, double scale)
{
    struct dpl_random rng = dpl_random_seeded(arguments->seed, 1);
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    char name[40];
    for (long k = 0; k < (long)arguments->samples; k++) {
        double direction[DPL_SIX], pose[DPL_SIX];
        dpl_hexa_direction(&rng, direction);
        dpl_hexa_place(&dpl_hexa_reference, direction, scale, pose);
        dpl_hexa_survey_add(&survey, &dpl_hexa_reference, pose, ARM_M);
    }
    snprintf(name, sizeof name, "ellipsoid %.2f", scale);
    print_survey(name, &survey);
}

static void survey_corners(double scale)
{
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    char name[40];
    for (unsigned corner = 0; corner < 64; corner++) {
        double direction[DPL_SIX], pose[DPL_SIX];
        for (unsigned j = 0; j < DPL_SIX; j++) {
            direction[j] = corner >> j & 1 ? 1.0 : -1.0;
        }
        dpl_hexa_place(&dpl_hexa_reference, direction, scale, pose);
        dpl_hexa_survey_add(&survey, &dpl_hexa_reference, pose, ARM_M);
    }
    snprintf(name, sizeof name, "box corners %.2f", scale);
    print_survey(name, &survey);
}

static void survey_home(void)
{
    struct dpl_hexa_survey survey = dpl_hexa_survey_begin();
    dpl_hexa_survey_add(&survey, &dpl_hexa_reference, dpl_hexa_reference.home, ARM_M);
    print_survey("home", &survey);
}

/* Points of the border, with room for a first draw and N_ROUNDS more. */
struct border {
    double (*points)[DPL_SIX];
    size_t n;
    double sum_extent;
};

static void add_point(struct border *border, const struct dpl_hexa_limits *limits,
                      const double *direction)
{
    double extent = dpl_hexa_extent(&dpl_hexa_reference, limits, direction, MOST_EXTENT);
    for (int j = 0; j < DPL_SIX; j++) {
        border->points[border->n][j] = extent * direction[j];
    }
    border->n++;
    border->sum_extent += extent;
}

/* Draws new poses on an ellipsoid; for each refused one, adds the border point in its direction.
 * Returns the number of refused ones. */
static long refine(struct border *border, const struct dpl_hexa_limits *limits,
                   const double *semi_axes, long samples, struct dpl_random *rng)
{
    long refused = 0;
    for (long k = 0; k < samples; k++) {
        double direction[DPL_SIX], pose[DPL_SIX], square = 0.0;
        dpl_hexa_direction(rng, direction);
        for (int j = 0; j < DPL_SIX; j++) {
            direction[j] *= semi_axes[j];
            square += direction[j] * direction[j];
        }
        dpl_hexa_place(&dpl_hexa_reference, direction, 1.0, pose);
        if (dpl_hexa_allowed(&dpl_hexa_reference, limits, pose)) {
            continue;
        }
        for (int j = 0; j < DPL_SIX; j++) {
            direction[j] /= sqrt(square);
        }
        add_point(border, limits, direction);
        refused++;
    }
    return refused;
}

static void print_fit(const double *semi_axes, double begun)
{
    double volume = 1.0;
    for (int j = 0; j < DPL_SIX; j++) {
        double half = semi_axes[j] * dpl_hexa_reference.half_range[j];
        printf(" %7.*f", j < 3 ? 0 : 2, j < 3 ? 1e3 * half : dpl_rad_to_deg(half));
        volume *= semi_axes[j] / begun;
    }
    printf("   %6.2f", volume);
}

static void fit_border(const struct arguments *arguments, size_t which, double (*points)[DPL_SIX])
{
    const struct dpl_hexa_limits *limits = &borders[which].limits;
    struct dpl_random rng = dpl_random_seeded(arguments->seed, 2);
    struct border border = {.points = points};
    double semi_axes[DPL_SIX], begun = 0.0;
    for (long k = 0; k < (long)arguments->samples; k++) {
        double direction[DPL_SIX];
        dpl_hexa_direction(&rng, direction);
        add_point(&border, limits, direction);
    }
    double mean = border.sum_extent / (double)arguments->samples;
    long refused = (long)arguments->samples;
    for (int round = 0; round < N_ROUNDS && refused > 0; round++) {
        begun = dpl_hexa_fit(border.points[0], border.n, semi_axes);
        refused = refine(&border, limits, semi_axes, (long)arguments->samples, &rng);
    }
    printf("%-29s %6.3f %6.3f  ", borders[which].name, begun, mean);
    print_fit(semi_axes, begun);
    printf(" %7ld\n", refused);
}

static const struct option options[] = {
    {"samples", "N", OPTION_COUNT, offsetof(struct arguments, samples), 1, MAX_SAMPLES,
     "poses of each survey (default 5000)", NULL},
    {"seed", "N", OPTION_COUNT, offsetof(struct arguments, seed), 1, 1e5, "default 1", NULL},
};

static const struct command command = {
    .name = "hexa_workspace",
    .is_program = true,
    .summary = "surveys the workspace of the reference hexaslide and fits ellipsoids into it",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
};

int main(int argc, char **argv)
{
    struct arguments arguments = {.samples = 5000, .seed = 1};
    int code = rows_options(&command, argc, argv, &arguments);
    if (code >= 0) {
        return code;
    }
    double(*border)[DPL_SIX] = malloc(arguments.samples * (1 + N_ROUNDS) * sizeof *border);
    if (!border) {
        fprintf(stderr, "hexa_workspace: out of memory\n");
        return 3;
    }
    printf("HX-A, scales in half-ranges, conditioning with an arm of %.2f m\n", ARM_M);
    printf("%-22s %8s %8s   %6s   %6s   %14s  %14s  %14s\n", "", "poses", "refused", "cond.",
           "reach", "slider 1, 4 m", "slider 2, 5 m", "slider 3, 6 m");
    survey_home();
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        survey_ellipsoid(&arguments, scales[i]);
    }
    survey_corners(0.85);
    survey_corners(1.0);
    printf(
        "\nellipsoids that fit: greatest multiple of the half-ranges, mean extent (at most %.0f),"
        " semi-axes\nof the one of greatest volume, its volume over that of the multiple, and how "
        "many of "
        "as many\nfresh poses on it were refused in the last round of refinement\n"
        "%-29s %6s %6s   %7s %7s %7s %7s %7s %7s   %6s %7s\n",
        MOST_EXTENT, "allowed poses", "scale", "mean", "x mm", "y mm", "z mm", "roll deg", "pitch",
        "yaw", "volume", "refused");
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        fit_border(&arguments, i, border);
    }
    free(border);
    return 0;
}
