/* SPDX-License-Identifier: Apache-2.0 */
/* Criteria A1 to A3: the force filter, the regression of its phase, and the dynamic model. */
#include "acceptance.h"
#include "model_holds.h"
#include "response.h"

#include <math.h>
#include <stdio.h>

#include "butterworth.h"
#include "spring_mass_damper.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
#define DEGREES      57.29577951308232
#define GRID_HZ      0.01
#define GRID_MAX     1101

static double relative(double value, double expected)
{
    return fabs(value - expected) / fabs(expected);
}

static double decibel(double gain)
{
    return 20.0 * log10(gain);
}

static void a1_coefficients(const struct dpl_butterworth *filter)
{
    static const double b0 = 0.005542717210280681, a1 = -1.7786317778245846,
                        a2 = 0.8008026466657073;
    const struct dpl_butterworth_section *s = &filter->sections[0];
    double worst = relative(s->b[0], b0);
    worst = fmax(worst, relative(s->b[1], 2.0 * b0));
    worst = fmax(worst, relative(s->b[2], b0));
    worst = fmax(worst, relative(s->a[1], a1));
    worst = fmax(worst, relative(s->a[2], a2));
    row_at_most("A1 coefficients, relative error", worst, 1e-15, "");
}

static void a1_table(const struct dpl_butterworth *filter)
{
    static const struct {
        double f_hz, gain_db, phase_deg, delay_ms;
    } rows[] = {
        {1, -0.00000, -2.0220, 5.6166},   {3, -0.00014, -6.0760, 5.6259},
        {6, -0.00218, -12.2192, 5.6570},  {7, -0.00404, -14.2929, 5.6718},
        {11, -0.02458, -22.7724, 5.7506}, {15, -0.08445, -31.6191, 5.8554},
        {20, -0.26172, -43.2403, 6.0056},
    };
    static const struct {
        double f_hz, gain_db, digit;
    } high[] = {{50, -5.382, 1e-3}, {100, -16.212, 1e-3}, {600, -59.47, 1e-2}};
    double gain = 0.0, phase = 0.0, delay = 0.0, beyond = 0.0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct dpl_butterworth_response r = dpl_butterworth_response_at(filter, rows[i].f_hz);
        double deg = r.phase_rad * DEGREES;
        gain = fmax(gain, fabs(decibel(r.gain) - rows[i].gain_db));
        phase = fmax(phase, fabs(deg - rows[i].phase_deg));
        delay = fmax(delay, fabs(-deg / (0.36 * rows[i].f_hz) - rows[i].delay_ms));
    }
    for (size_t i = 0; i < COUNT(high); i++) {
        struct dpl_butterworth_response r = dpl_butterworth_response_at(filter, high[i].f_hz);
        beyond = fmax(beyond, fabs(decibel(r.gain) - high[i].gain_db) / high[i].digit);
    }
    row_at_most("A1 gain 1 to 20 Hz, error dB", gain, 1e-4, "");
    row_at_most("A1 phase 1 to 20 Hz, error deg", phase, 1e-4, "");
    row_at_most("A1 phase delay 1 to 20 Hz, error ms", delay, 1e-4, "");
    row_at_most("A1 gain 50, 100, 600 Hz, error in last digits", beyond, 1.0, "");
}

/* The phase of a filter on the uniform grid from 0 to `to_hz`, and the line through it. A rate of 0
 * means the analog filter. */
static int fit_filter(double cutoff_hz, double rate_hz, int to_hz, bool intercept,
                      struct phase_fit *ret_fit)
{
    static double f[GRID_MAX], phase[GRID_MAX];
    struct dpl_butterworth filter = {0};
    size_t n = (size_t)to_hz * 100 + 1;
    int r = rate_hz > 0.0 ? dpl_butterworth_design(2, cutoff_hz, rate_hz, &filter) : 0;
    if (r < 0) {
        return r;
    }
    for (size_t i = 0; i < n; i++) {
        f[i] = GRID_HZ * (double)i;
        phase[i] = DEGREES * (rate_hz > 0.0 ? dpl_butterworth_response_at(&filter, f[i])
                                            : dpl_butterworth_analog_at(2, cutoff_hz, f[i]))
                                 .phase_rad;
    }
    *ret_fit = phase_fit_line(f, phase, n, intercept);
    return 0;
}

static int a2_regression(void)
{
    static const struct {
        int to_hz;
        bool intercept;
        double delay_ms[2], rmse_deg[2]; /* analog, 1.6 kHz */
    } rows[] = {
        {7, false, {5.6610, 5.6495}, {0.02147, 0.02148}},
        {7, true, {5.6779, 5.6664}, {0.01608, 0.01609}},
        {11, false, {5.7093, 5.6978}, {0.08053, 0.08061}},
        {11, true, {5.7499, 5.7384}, {0.06006, 0.06013}},
    };
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        struct phase_fit fit;
        bool digital = i % 2 == 1, intercept = rows[i / 2].intercept;
        int to_hz = rows[i / 2].to_hz, r;
        char name[80];
        r = fit_filter(40.0, digital ? 1600.0 : 0.0, to_hz, intercept, &fit);
        if (r < 0) {
            return r;
        }
        const char *filter = digital ? "1.6 kHz" : "analog", *line = intercept ? "line" : "origin";
        snprintf(name, sizeof name, "A2 0-%d Hz %s %s, delay ms", to_hz, filter, line);
        row_near(name, fit.delay_ms, rows[i / 2].delay_ms[digital], 1e-4);
        snprintf(name, sizeof name, "A2 0-%d Hz %s %s, RMSE deg", to_hz, filter, line);
        row_near(name, fit.rmse_deg, rows[i / 2].rmse_deg[digital], 1e-5);
        if (to_hz == 7 && intercept) {
            snprintf(name, sizeof name, "A2 0-7 Hz %s line, MAE deg (published)", filter);
            row_near(name, fit.mean_abs_deg, 0.01378, 2e-5);
        }
    }
    return 0;
}

static int a2_cutoffs(void)
{
    static const struct {
        double cutoff_hz, origin_rmse, line_rmse, delay_ms;
    } rows[] = {
        {15, .3485, .2558, 15.59}, {20, .1601, .1189, 11.51}, {25, .0849, .0633, 9.13},
        {30, .0500, .0374, 7.57},  {35, .0318, .0238, 6.47},  {40, .0215, .0161, 5.65},
        {45, .0152, .0114, 5.01},  {50, .0111, .0083, 4.50},  {55, .0083, .0063, 4.09},
        {60, .0064, .0048, 3.74},
    };
    double rmse = 0.0, delay = 0.0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct phase_fit origin, line;
        int r = fit_filter(rows[i].cutoff_hz, 1600.0, 7, false, &origin);
        if (r < 0 || (r = fit_filter(rows[i].cutoff_hz, 1600.0, 7, true, &line)) < 0) {
            return r;
        }
        rmse = fmax(rmse, fabs(origin.rmse_deg - rows[i].origin_rmse));
        rmse = fmax(rmse, fabs(line.rmse_deg - rows[i].line_rmse));
        delay = fmax(delay, fabs(origin.delay_ms - rows[i].delay_ms));
    }
    row_at_most("A2 cut-offs 15 to 60 Hz, RMSE error deg", rmse, 1e-4, "");
    row_at_most("A2 cut-offs 15 to 60 Hz, delay error ms", delay, 1e-2, "");
    return 0;
}

/* The numbers of one natural frequency. */
struct model_row {
    double natural_hz, mass, damping, inertia, damping_rot;
    double ad[2][2], b[2];
    double step[4]; /* stiffness times deflection after 40, 80, 133, 400 samples */
};

static const struct model_row model_rows[] = {
    {3.0,
     14.072387,
     106.103295,
     0.562895,
     4.244132,
     {{0.9988968170803765, 0.002475668901907603}, {-0.8796194168366643, 0.9802307133164878}},
     {2.206365839246964e-07, 0.00017592388336733284},
     {1.0522585595, 1.4509476626, 0.7256493599, 0.9803468173}},
    {6.0,
     3.518097,
     53.051648,
     0.140724,
     2.122066,
     {{0.9956172047375306, 0.0024498322399563563}, {-3.4817580082661546, 0.9586746048931738}},
     {8.765590524938891e-07, 0.0006963516016532308},
     {1.4509476626, 0.8600845276, 0.9264403855, 0.9996902430}},
};

static double step_error(const struct dpl_smd *model, const struct model_row *row)
{
    static const int samples[] = {40, 80, 133, 400};
    struct dpl_smd_state state = {0};
    const double wrench[DPL_SIX] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double worst = 0.0;
    for (int k = 1, next = 0; next < 4; k++) {
        dpl_smd_step(model, &state, wrench);
        if (k == samples[next]) {
            worst = fmax(worst, fabs(5000.0 * state.x[0][0] - row->step[next]));
            worst = fmax(worst, fabs(200.0 * state.x[5][0] - row->step[next]));
            next++;
        }
    }
    return worst;
}

static double matrix_error(const struct dpl_smd *model, const struct model_row *row)
{
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        worst = fmax(worst, relative(model->b0[0][i], row->b[i]));
        for (int j = 0; j < 2; j++) {
            worst = fmax(worst, relative(model->ad[0][i][j], row->ad[i][j]));
        }
    }
    return worst;
}

static int a3_model(const struct model_row *row)
{
    struct dpl_smd model;
    struct dpl_smd_config config = dpl_smd_paper_config(row->natural_hz, 2.5e-3, DPL_HOLD_ZERO);
    char name[80];
    int r = dpl_smd_init(&model, &config);
    if (r < 0) {
        return r;
    }
    double w = 2.0 * 3.14159265358979323846 * row->natural_hz;
    double printed =
        fmax(fmax(fabs(model.mass[0] - row->mass), fabs(model.damping[0] - row->damping)),
             fmax(fabs(model.mass[5] - row->inertia), fabs(model.damping[5] - row->damping_rot)));
    double exact = fmax(relative(model.mass[0], 5000.0 / (w * w)),
                        relative(model.damping[0], 0.4 * 5000.0 / w));
    snprintf(name, sizeof name, "A3 %g Hz masses and dampings, error in print", row->natural_hz);
    row_at_most(name, printed, 1e-6, "");
    snprintf(name, sizeof name, "A3 %g Hz mass and damping, relative error", row->natural_hz);
    row_at_most(name, exact, 1e-12, "");
    snprintf(name, sizeof name, "A3 %g Hz Ad and Bd, relative error", row->natural_hz);
    row_at_most(name, matrix_error(&model, row), 1e-12, "");
    snprintf(name, sizeof name, "A3 %g Hz step values, error", row->natural_hz);
    row_at_most(name, step_error(&model, row), 1e-9, "");
    return 0;
}

int acceptance_filter_and_model(void)
{
    struct dpl_butterworth filter;
    int r = dpl_butterworth_design(2, 40.0, 1600.0, &filter);
    if (r < 0) {
        return r;
    }
    puts("A1  force filter: 2nd-order Butterworth, 40 Hz at 1.6 kHz");
    a1_coefficients(&filter);
    a1_table(&filter);
    puts("A2  regression of its phase, uniform grid of 0.01 Hz");
    if ((r = a2_regression()) < 0 || (r = a2_cutoffs()) < 0) {
        return r;
    }
    puts("A3  spring-mass-damper, exact at 2.5 ms");
    for (size_t i = 0; r == 0 && i < COUNT(model_rows); i++) {
        r = a3_model(&model_rows[i]);
    }
    for (int i = 0; r == 0 && i < 4; i++) {
        r = a3_hold(i < 2 ? 3.0 : 6.0, i % 2 == 0 ? DPL_HOLD_ZERO : DPL_HOLD_FIRST);
    }
    return r;
}
