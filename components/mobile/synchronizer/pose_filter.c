/* SPDX-License-Identifier: Apache-2.0 */
/* Extended Kalman filter with sequential scalar updates (Bar-Shalom, Li, Kirubarajan, Estimation
 * with Applications to Tracking and Navigation, 2001, sections 5.2 and 10.3). */
#include "pose_filter.h"

#include <string.h>

#define POSITION_DENSITY   1e-6
#define HEADING_DENSITY    1e-5
#define NIS_REOPEN         20.0
#define NIS_OUTLIER        100.0
#define NIS_AVERAGE_S      1.0
/* A drive that is blocked or slips surprises a sharp filter, too; only what no wheel could have
 * done between two poses is a candidate for an outlier. */
#define OUTLIER_POSITION_M 0.05
#define OUTLIER_HEADING    0.2
#define SLOW               0.3 /* m/s: the densities are those of such robots */
/* Wheels slide out of a turn with up to 0.04 s * v * w, for as long as the turn lasts. Neither the
 * commands nor the heading tell it, and it must not be taken for a faster turn
 * (docs/design/synchronizer.md). */
#define SLIDE_S            0.03
#define TURN_S             10.0

const struct dpl_sync_bias_model dpl_sync_bias_commanded = {
    .fade_s = 0.7,
    .linear_density = 0.08 * 0.08,
    .angular_density = 0.25 * 0.25,
    .max_linear = 0.4,
    .max_angular = 2.0,
};

const struct dpl_sync_bias_model dpl_sync_bias_held_back = {
    .fade_s = 20.0,
    .linear_density = 0.08 * 0.08,
    .angular_density = 0.25 * 0.25,
    .max_linear = 0.4,
    .max_angular = 2.0,
};

const struct dpl_sync_bias_model dpl_sync_bias_measured = {
    .fade_s = 20.0,
    .linear_density = 0.1 * 0.1,
    .angular_density = 0.4 * 0.4,
    .max_linear = 20.0,
    .max_angular = 50.0,
};

enum { X, Y, TH, DV, DW, N };

void dpl_sync_filter_init(struct dpl_sync_filter *filter, double position_noise,
                          double heading_noise)
{
    double position = fmax(position_noise, 0.0003), heading = fmax(heading_noise, 0.0005);
    memset(filter, 0, sizeof *filter);
    filter->position_variance = position * position;
    filter->heading_variance = heading * heading;
    filter->nis_average = 3.0;
}

void dpl_sync_filter_reset(struct dpl_sync_filter *filter, struct dpl_pose2 pose, double time_s)
{
    filter->started = true;
    filter->time_s = time_s;
    filter->pose = pose;
    dpl_sync_outlier_gate_init(&filter->gate);
    memset(filter->p, 0, sizeof filter->p);
    filter->p[X][X] = filter->p[Y][Y] = filter->position_variance;
    filter->p[TH][TH] = filter->heading_variance;
    filter->p[DV][DV] = 0.003;
    filter->p[DW][DW] = 0.02;
}

/* Speed in one grid cell, and the mean moved over `h` seconds at it. */
static struct dpl_twist2 move_mean(struct dpl_sync_estimate *e,
                                   const struct dpl_sync_motion_model *model, int64_t cell,
                                   double h)
{
    struct dpl_twist2 twist =
        dpl_sync_map_apply(model->map, dpl_sync_profile_cell(model->profile, model->lag, cell));
    twist.linear += e->bias.linear;
    twist.angular += e->bias.angular;
    double middle = e->pose.theta + twist.angular * h / 2.0;
    e->pose.x += twist.linear * cos(middle) * h;
    e->pose.y += twist.linear * sin(middle) * h;
    e->pose.theta += twist.angular * h;
    return twist;
}

static void fade_bias(struct dpl_twist2 *bias, double keep)
{
    bias->linear *= keep;
    bias->angular *= keep;
}

/* P <- F P F' + Q, written out: F is the identity but for (x, y; th, dv, dw), (th; dw), fading. */
static void move_covariance(double p[N][N], const double f[2][3], double h, double keep)
{
    for (int j = 0; j < N; j++) {
        p[X][j] += f[0][0] * p[TH][j] + f[0][1] * p[DV][j] + f[0][2] * p[DW][j];
        p[Y][j] += f[1][0] * p[TH][j] + f[1][1] * p[DV][j] + f[1][2] * p[DW][j];
        p[TH][j] += h * p[DW][j];
        p[DV][j] *= keep;
        p[DW][j] *= keep;
    }
    for (int i = 0; i < N; i++) {
        p[i][X] += f[0][0] * p[i][TH] + f[0][1] * p[i][DV] + f[0][2] * p[i][DW];
        p[i][Y] += f[1][0] * p[i][TH] + f[1][1] * p[i][DV] + f[1][2] * p[i][DW];
        p[i][TH] += h * p[i][DW];
        p[i][DV] *= keep;
        p[i][DW] *= keep;
    }
}

/* Slip and a wrong scale are parts of the speed. */
static double pace(double speed)
{
    return fmax(1.0, fabs(speed) / SLOW);
}

static void add_process_noise(double p[N][N], const struct dpl_sync_bias_model *bias, double speed,
                              double h)
{
    double noise = h * pace(speed) * pace(speed);
    p[X][X] += POSITION_DENSITY * h;
    p[Y][Y] += POSITION_DENSITY * h;
    p[TH][TH] += HEADING_DENSITY * h;
    p[DV][DV] += bias->linear_density * noise;
    p[DW][DW] += bias->angular_density * noise;
}

/* `c` and `s`: cosine and sine of the heading. */
static void add_slide(double p[N][N], struct dpl_twist2 twist, double c, double s, double h)
{
    double slide = SLIDE_S * twist.linear * twist.angular, noise = slide * slide * TURN_S * h;
    p[X][X] += s * s * noise;
    p[Y][Y] += c * c * noise;
    p[X][Y] -= s * c * noise;
    p[Y][X] -= s * c * noise;
}

/* Length of the step from `time_s` to the end of its grid cell or to `to_s`. */
static double step_length(double time_s, int64_t cell, double to_s)
{
    return fmin(to_s, (double)(cell + 1) * DPL_SYNC_GRID_S) - time_s;
}

void dpl_sync_filter_advance(struct dpl_sync_filter *filter,
                             const struct dpl_sync_motion_model *model,
                             const struct dpl_sync_bias_model *bias, double to_s)
{
    struct dpl_sync_estimate e = {.pose = filter->pose, .bias = filter->bias};
    double t = filter->time_s;
    for (int64_t cell = dpl_sync_grid_index(t); t < to_s; cell++) {
        double h = step_length(t, cell, to_s);
        if (h <= 0.0) {
            continue; /* rounding at a grid point */
        }
        double before = e.pose.theta, keep = 1.0 - h / bias->fade_s;
        struct dpl_twist2 twist = move_mean(&e, model, cell, h);
        double middle = before + twist.angular * h / 2.0, c = cos(middle), s = sin(middle);
        double along = twist.linear * h;
        double f[2][3] = {{-along * s, c * h, -along * s * h / 2.0},
                          {along * c, s * h, along * c * h / 2.0}};
        move_covariance(filter->p, f, h, keep);
        filter->speed = twist.linear - e.bias.linear;
        add_process_noise(filter->p, bias, filter->speed, h);
        add_slide(filter->p, twist, c, s, h);
        fade_bias(&e.bias, keep);
        t += h;
    }
    filter->time_s = fmax(filter->time_s, to_s);
    filter->pose = e.pose;
    filter->pose.theta = dpl_wrap_angle(e.pose.theta);
    filter->bias = e.bias;
}

struct dpl_sync_estimate dpl_sync_filter_predict(const struct dpl_sync_filter *filter,
                                                 const struct dpl_sync_motion_model *model,
                                                 const struct dpl_sync_bias_model *bias,
                                                 double to_s)
{
    struct dpl_sync_estimate e = {.pose = filter->pose, .bias = filter->bias};
    double t = filter->time_s;
    for (int64_t cell = dpl_sync_grid_index(t); t < to_s; cell++) {
        double h = step_length(t, cell, to_s);
        if (h > 0.0) {
            move_mean(&e, model, cell, h);
            fade_bias(&e.bias, 1.0 - h / bias->fade_s);
            t += h;
        }
    }
    struct dpl_twist2 promised = dpl_sync_profile_at(model->profile, model->lag, to_s);
    e.twist = dpl_sync_map_apply(model->map, promised);
    e.twist.linear += e.bias.linear;
    e.twist.angular += e.bias.angular;
    e.pose.theta = dpl_wrap_angle(e.pose.theta);
    return e;
}

struct dpl_sync_sigma dpl_sync_filter_growth(const struct dpl_sync_filter *filter,
                                             const struct dpl_sync_motion_model *model,
                                             const struct dpl_sync_bias_model *bias, double to_s,
                                             struct dpl_pose2 *ret_pose)
{
    struct dpl_sync_filter then = *filter;
    dpl_sync_filter_advance(&then, model, bias, to_s);
    *ret_pose = then.pose;
    double position = then.p[X][X] + then.p[Y][Y] - filter->p[X][X] - filter->p[Y][Y];
    double heading = then.p[TH][TH] - filter->p[TH][TH];
    return (struct dpl_sync_sigma){sqrt(fmax(0.0, position)), sqrt(fmax(0.0, heading))};
}

double dpl_sync_filter_position_sigma(const struct dpl_sync_filter *filter)
{
    return sqrt((filter->p[X][X] + filter->p[Y][Y]) / 2.0);
}

/* y' S^-1 y for the symmetric 3 x 3 matrix S = P + R, by Cholesky's factor. */
static double normalised_square(double p[N][N], const double r[3], const double y[3])
{
    double l[3][3] = {{0.0}}, z[3], sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double s = p[i][j] + (i == j ? r[i] : 0.0);
            for (int k = 0; k < j; k++) {
                s -= l[i][k] * l[j][k];
            }
            l[i][j] = i == j ? sqrt(fmax(s, 1e-12)) : s / l[j][j];
        }
        z[i] = y[i];
        for (int k = 0; k < i; k++) {
            z[i] -= l[i][k] * z[k];
        }
        z[i] /= l[i][i];
        sum += z[i] * z[i];
    }
    return sum;
}

/* One scalar measurement of state `i`; `dx` collects the correction of the whole state. The
 * covariance becomes F P F' + r g g' with F = I - g e_i' (Joseph's form, a sum of squares). */
static void update_scalar(double p[N][N], double dx[N], int i, double y, double r)
{
    double s = p[i][i] + r, gain[N], row[N], column[N];
    double innovation = y - dx[i];
    for (int k = 0; k < N; k++) {
        gain[k] = p[k][i] / s;
        row[k] = p[i][k];
    }
    for (int k = 0; k < N; k++) {
        dx[k] += gain[k] * innovation;
        for (int j = 0; j < N; j++) {
            p[k][j] -= gain[k] * row[j];
        }
        column[k] = p[k][i];
    }
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
            p[k][j] += gain[j] * (r * gain[k] - column[k]);
        }
    }
}

static void make_symmetric(double p[N][N])
{
    for (int i = 0; i < N; i++) {
        p[i][i] = fmax(p[i][i], 1e-12);
        for (int j = 0; j < i; j++) {
            p[i][j] = p[j][i] = (p[i][j] + p[j][i]) / 2.0;
        }
    }
}

/* Contact and slip are not in the model: trust the measurement again for a while. */
static void reopen(double p[N][N], const double y[3])
{
    p[DV][DV] += 0.003;
    p[DW][DW] += 0.02;
    for (int i = 0; i < 3; i++) {
        p[i][i] += 0.3 * y[i] * y[i];
    }
}

static bool is_outlier(const struct dpl_sync_filter *filter, const double y[3], double elapsed_s)
{
    double far = OUTLIER_POSITION_M + fmax(0.0, fabs(filter->speed) - SLOW) * elapsed_s;
    return filter->nis > NIS_OUTLIER && (hypot(y[0], y[1]) > far || fabs(y[2]) > OUTLIER_HEADING);
}

/* From a pose that others agree with; on a way of its own the robot has the speed of it. */
static void restart(struct dpl_sync_filter *filter, struct dpl_pose2 pose,
                    const struct dpl_sync_bias_model *bias)
{
    double speed = 0.0, most = bias->max_linear * pace(filter->speed);
    if (dpl_sync_outlier_gate_speed(&filter->gate, &speed)) {
        filter->bias.linear = dpl_clamp(speed - filter->speed, -most, most);
    }
    filter->nis_average = 3.0;
    dpl_sync_filter_reset(filter, pose, filter->time_s);
}

enum dpl_sync_fix dpl_sync_filter_update(struct dpl_sync_filter *filter, struct dpl_pose2 pose,
                                         const struct dpl_sync_bias_model *bias, double elapsed_s)
{
    const double r[3] = {filter->position_variance, filter->position_variance,
                         filter->heading_variance};
    const double y[3] = {pose.x - filter->pose.x, pose.y - filter->pose.y,
                         dpl_wrap_angle(pose.theta - filter->pose.theta)};
    double dx[N] = {0.0};

    filter->nis = normalised_square(filter->p, r, y);
    if (is_outlier(filter, y, elapsed_s)) {
        const struct dpl_sync_rival rival = {pose, filter->pose, filter->time_s};
        if (!dpl_sync_outlier_gate_reject(&filter->gate, &rival)) {
            return DPL_SYNC_FIX_OUTLIER;
        }
        restart(filter, pose, bias);
        return DPL_SYNC_FIX_RESTARTED;
    }
    filter->nis_average += (fmin(filter->nis, NIS_OUTLIER) - filter->nis_average) *
                           (1.0 - exp(-elapsed_s / NIS_AVERAGE_S));
    dpl_sync_outlier_gate_accept(&filter->gate);
    if (filter->nis > NIS_REOPEN) {
        reopen(filter->p, y);
    }
    for (int i = 0; i < 3; i++) {
        update_scalar(filter->p, dx, i, y[i], r[i]);
    }
    make_symmetric(filter->p);
    filter->pose.x += dx[X];
    filter->pose.y += dx[Y];
    filter->pose.theta = dpl_wrap_angle(filter->pose.theta + dx[TH]);
    double most = bias->max_linear * pace(filter->speed);
    filter->bias.linear = dpl_clamp(filter->bias.linear + dx[DV], -most, most);
    filter->bias.angular =
        dpl_clamp(filter->bias.angular + dx[DW], -bias->max_angular, bias->max_angular);
    return DPL_SYNC_FIX_USED;
}
