/* SPDX-License-Identifier: Apache-2.0 */
/* The update of the filter with a scan. */
#include "loc_filter.h"
#include "loc_joseph.h"

#include <string.h>

#define ITERATIONS     4
#define ALONE_ROUNDS   2
#define KERNEL_M       0.012 /* from here on a guess that is off changes the weight of beams */
#define KERNEL_ARM_M   1.0
#define NOISE_MISFIT   0.063 /* of a beam with normal noise: the mean of t^2 / (1 + t^2) */
#define COARSE_BEAMS   80
#define COARSE_MOST    4
#define LEAST_BEAMS    20
#define LEAST_RETURNED 100
#define FLOOR_M        0.001 /* systematic error of one scan's pose */
#define FLOOR_RAD      3.5e-4
#define POSE_SIGMAS    4.0 /* that a surface may be off by, for the pose is */
#define USUAL_NIS      1.0
#define MOST_UNSAID_M  0.1
#define UNSAID_ROUNDS  8

/* The laser, bias and scale by the state: rows of LOC_X .. LOC_SCALE. */
struct linear {
    struct loc_laser laser;
    double j[LOC_DIMS][LOC_STATES];
};

static struct dpl_pose2 base_at_scan(const struct loc_filter *filter,
                                     const struct loc_observation *o, double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(filter);
    struct dpl_pose2 moved = loc_history_move(o->history, &wheels, filter->time_s, at_s);
    return dpl_pose2_compose(loc_filter_pose(filter), moved);
}

static void linearize(const struct loc_filter *filter, const struct loc_observation *o,
                      struct linear *ret)
{
    double at_s = o->scan->stamp_s - filter->x[LOC_STATE_OFFSET];
    struct dpl_pose2 base = base_at_scan(filter, o, at_s);
    struct loc_wheels wheels = loc_filter_wheels(filter);
    struct dpl_twist2 twist = loc_history_twist(o->history, &wheels, at_s);
    ret->laser = loc_filter_laser(filter, base, o->scan->mount);
    const struct dpl_pose2 *l = &ret->laser.pose;
    double c = cos(base.theta), s = sin(base.theta);
    double bx = l->x - base.x, by = l->y - base.y; /* moves as the laser turns with base */
    double lx = l->x - filter->x[LOC_STATE_X], ly = l->y - filter->x[LOC_STATE_Y];
    memset(ret->j, 0, sizeof ret->j);
    ret->j[LOC_X][LOC_STATE_X] = ret->j[LOC_Y][LOC_STATE_Y] = 1.0;
    ret->j[LOC_X][LOC_STATE_THETA] = -ly;
    ret->j[LOC_Y][LOC_STATE_THETA] = lx;
    ret->j[LOC_YAW][LOC_STATE_THETA] = 1.0;
    ret->j[LOC_X][LOC_STATE_OFFSET] = -(twist.linear * c - twist.angular * by);
    ret->j[LOC_Y][LOC_STATE_OFFSET] = -(twist.linear * s + twist.angular * bx);
    ret->j[LOC_YAW][LOC_STATE_OFFSET] = -twist.angular;
    ret->j[LOC_X][LOC_STATE_MOUNT_X] = c;
    ret->j[LOC_Y][LOC_STATE_MOUNT_X] = s;
    ret->j[LOC_X][LOC_STATE_MOUNT_Y] = -s;
    ret->j[LOC_Y][LOC_STATE_MOUNT_Y] = c;
    ret->j[LOC_YAW][LOC_STATE_MOUNT_YAW] = 1.0;
    ret->j[LOC_BIAS][LOC_STATE_BIAS] = 1.0;
    ret->j[LOC_SCALE][LOC_STATE_SCALE] = 1.0;
}

static void deskew(const struct loc_filter *filter, const struct loc_observation *o)
{
    if (!(o->revolution_s > 0.0)) {
        return;
    }
    struct loc_sweep sweep = {
        .history = o->history,
        .wheels = loc_filter_wheels(filter),
        .mount = loc_filter_mount(filter, o->scan->mount),
        .middle_s = o->scan->stamp_s - filter->x[LOC_STATE_OFFSET],
        .revolution_s = o->revolution_s,
    };
    loc_scan_deskew(o->scan, &sweep);
}

/* A <- (I + A R)^-1 A, b likewise: no scan tells its pose better than R. */
static bool blunt(struct loc_information *information, double correlation)
{
    static const double r[LOC_DIMS] = {FLOOR_M * FLOOR_M, FLOOR_M * FLOOR_M, FLOOR_RAD * FLOOR_RAD};
    enum { N = 2 * LOC_DIMS + 1 };
    double rows[LOC_DIMS][N];
    for (int i = 0; i < LOC_DIMS; i++) {
        for (int j = 0; j < LOC_DIMS; j++) {
            double a = information->a[i][j] / correlation;
            rows[i][j] = (i == j ? 1.0 : 0.0) + a * r[j];
            rows[i][LOC_DIMS + j] = a;
        }
        rows[i][N - 1] = information->b[i] / correlation;
    }
    if (!loc_solve(&rows[0][0], LOC_DIMS + 1)) {
        return false;
    }
    for (int i = 0; i < LOC_DIMS; i++) {
        for (int j = 0; j < LOC_DIMS; j++) {
            information->a[i][j] = 0.5 * (rows[i][LOC_DIMS + j] + rows[j][LOC_DIMS + i]);
        }
        information->b[i] = rows[i][N - 1];
    }
    return true;
}

/* PJ' and J P J'. */
struct gain {
    double pj[LOC_STATES][LOC_DIMS], m[LOC_DIMS][LOC_DIMS];
};

static void compute_gain(const struct loc_filter *prior, const struct linear *at, struct gain *ret)
{
    for (int i = 0; i < LOC_STATES; i++) {
        for (int r = 0; r < LOC_DIMS; r++) {
            double sum = 0.0;
            for (int k = 0; k < LOC_STATES; k++) {
                sum += prior->p[i][k] * at->j[r][k];
            }
            ret->pj[i][r] = sum;
        }
    }
    for (int r = 0; r < LOC_DIMS; r++) {
        for (int c = 0; c < LOC_DIMS; c++) {
            double sum = 0.0;
            for (int k = 0; k < LOC_STATES; k++) {
                sum += at->j[r][k] * ret->pj[k][c];
            }
            ret->m[r][c] = sum;
        }
    }
}

/* One linearized update, ready to be used. */
struct pass {
    struct linear at;
    struct gain gain;
    struct loc_information information; /* as used: divided, blunt, unseen direction left out */
    double z[LOC_DIMS];                 /* b + A J (x - x0) */
    double y[LOC_DIMS];                 /* (I + A M)^-1 z */
    double ya[LOC_DIMS][LOC_DIMS];      /* (I + A M)^-1 A */
    double z1[LOC_DIMS][LOC_DIMS];      /* (I + A M)^-1 */
};

static bool solve_pass(const struct loc_filter *prior, const struct loc_filter *now,
                       struct pass *pass)
{
    enum { N = 3 * LOC_DIMS + 1 };
    double rows[LOC_DIMS][N], jdx[LOC_DIMS];
    const double(*a)[LOC_DIMS] = (const double(*)[LOC_DIMS])pass->information.a;
    for (int r = 0; r < LOC_DIMS; r++) {
        jdx[r] = 0.0;
        for (int k = 0; k < LOC_STATES; k++) {
            double d = now->x[k] - prior->x[k];
            d = k == LOC_STATE_THETA ? dpl_wrap_angle(d) : d;
            jdx[r] += pass->at.j[r][k] * d;
        }
    }
    for (int r = 0; r < LOC_DIMS; r++) {
        pass->z[r] = pass->information.b[r];
        for (int c = 0; c < LOC_DIMS; c++) {
            pass->z[r] += a[r][c] * jdx[c];
            rows[r][c] = r == c ? 1.0 : 0.0;
            for (int k = 0; k < LOC_DIMS; k++) {
                rows[r][c] += a[r][k] * pass->gain.m[k][c];
            }
            rows[r][LOC_DIMS + c] = a[r][c];
            rows[r][2 * LOC_DIMS + c] = r == c ? 1.0 : 0.0;
        }
        rows[r][N - 1] = pass->z[r];
    }
    if (!loc_solve(&rows[0][0], 2 * LOC_DIMS + 1)) {
        return false;
    }
    for (int r = 0; r < LOC_DIMS; r++) {
        memcpy(pass->ya[r], &rows[r][LOC_DIMS], sizeof pass->ya[r]);
        memcpy(pass->z1[r], &rows[r][2 * LOC_DIMS], sizeof pass->z1[r]);
        pass->y[r] = rows[r][N - 1];
    }
    return true;
}

/* States that the scan changes: the first ones. */
static int n_changed(const struct loc_observation *o)
{
    return o->pose_alone ? LOC_STATE_PARAMETERS : LOC_STATES;
}

static void move_state(const struct loc_filter *prior, const struct pass *pass, int n,
                       struct loc_filter *now)
{
    for (int i = 0; i < n; i++) {
        double dx = 0.0;
        for (int r = 0; r < LOC_DIMS; r++) {
            dx += pass->gain.pj[i][r] * pass->y[r];
        }
        now->x[i] = prior->x[i] + dx;
    }
    now->x[LOC_STATE_THETA] = dpl_wrap_angle(now->x[LOC_STATE_THETA]);
}

/* The kernel is wider while the pose may be far off. */
static double widening(const struct loc_filter *prior, int iteration)
{
    static const double full_m[] = {0.020, 0.050}, most[] = {6.0, 3.0};
    if (iteration > 1) {
        return 1.0;
    }
    double variance = fmax(prior->p[0][0], prior->p[1][1]);
    return dpl_clamp(sqrt(variance) / full_m[iteration], 1.0, most[iteration]);
}

/* A pose that is off makes all surfaces look so: they count while the first iterations bring it
 * near, and while wheels are not believed. */
static double may_be_off(const struct loc_filter *prior, const struct loc_observation *o,
                         int iteration)
{
    double sigma = sqrt(fmax(prior->p[0][0], prior->p[1][1]));
    return iteration < 2 || o->pose_alone ? (double)INFINITY : POSE_SIGMAS * sigma;
}

/* All iterations but the last only have to come near. */
static size_t coarse_step(const struct loc_observation *o)
{
    size_t spare = o->scan->n_returned / o->every / COARSE_BEAMS;
    return o->every * (spare < 1 ? 1 : spare > COARSE_MOST ? COARSE_MOST : spare);
}

static struct loc_kernel kernel_of(const struct loc_filter *prior, const struct loc_observation *o,
                                   int iteration)
{
    size_t every = iteration < ITERATIONS - 1 ? coarse_step(o) : o->every;
    return (struct loc_kernel){every, widening(prior, iteration), may_be_off(prior, o, iteration)};
}

static bool run_pass(const struct loc_filter *prior, struct loc_filter *now,
                     const struct loc_observation *o, const struct loc_kernel *kernel,
                     struct loc_update *update, struct pass *pass)
{
    linearize(now, o, &pass->at);
    deskew(now, o);
    loc_match_evaluate(o->match, o->scan, &pass->at.laser, kernel, &pass->information);
    bool many = o->scan->n_returned / kernel->every > LEAST_RETURNED;
    if (pass->information.n_used < (many ? LEAST_BEAMS : LEAST_BEAMS / 2)) {
        return false;
    }
    update->information = pass->information;
    update->unobservable = loc_information_project(&pass->information, &update->unobservable_rad);
    compute_gain(prior, &pass->at, &pass->gain);
    if (!blunt(&pass->information, o->correlation) || !solve_pass(prior, now, pass)) {
        return false;
    }
    move_state(prior, pass, n_changed(o), now);
    update->laser = pass->at.laser;
    return true;
}

/* NIS of three degrees of freedom, if the pose might be off by `unsaid_m` besides. */
static double nis_of(const double covariance[LOC_DIMS][LOC_DIMS], const double surprise[3],
                     double unsaid_m)
{
    double more[3] = {unsaid_m, unsaid_m, unsaid_m * LOC_UNSAID_RAD_M};
    double scaled[LOC_DIMS][LOC_DIMS] = {{0}}, inverse[3][3], nis = 0.0;
    /* Scaled so that the regularization of invert_pose is nothing here. */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            scaled[i][j] = 1e12 * (covariance[i][j] + (i == j ? more[i] * more[i] : 0.0));
        }
    }
    loc_invert_pose((const double(*)[LOC_DIMS])scaled, inverse);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            nis += surprise[i] * inverse[i][j] * 1e12 * surprise[j];
        }
    }
    return nis;
}

/* The NIS falls as the deviation grows: halving finds where it is that of a usual scan. */
static double find_unsaid(const double covariance[LOC_DIMS][LOC_DIMS], const double surprise[3],
                          double nis)
{
    double low = 0.0, high = MOST_UNSAID_M;
    if (!(nis > USUAL_NIS)) {
        return 0.0;
    }
    for (int i = 0; i < UNSAID_ROUNDS; i++) {
        double middle = 0.5 * (low + high);
        *(nis_of(covariance, surprise, middle) > USUAL_NIS ? &low : &high) = middle;
    }
    return high;
}

static void step_of(const struct loc_information *seen, double ret_step[3])
{
    double cov[3][3];
    const double *b = seen->b;
    loc_invert_pose((const double(*)[LOC_DIMS])seen->a, cov);
    for (int i = 0; i < 3; i++) {
        ret_step[i] = cov[i][0] * b[0] + cov[i][1] * b[1] + cov[i][2] * b[2];
    }
}

/* One Gauss-Newton step of the scan alone, from the place at which `information` was computed; none
 * along a direction that the scan does not show. */
static void step_alone(const struct loc_laser *from, const struct loc_information *information,
                       struct loc_alone *ret_alone)
{
    double step[3];
    struct loc_information seen = *information;
    ret_alone->unobservable = loc_information_project(&seen, &ret_alone->unobservable_rad);
    step_of(&seen, step);
    const struct dpl_pose2 *at = &from->pose;
    ret_alone->pose = (struct dpl_pose2){at->x + step[0], at->y + step[1], at->theta + step[2]};
    ret_alone->information = *information;
}

static bool is_far(const struct loc_update *update)
{
    double step[3];
    step_of(&update->information, step);
    return hypot(step[0], step[1]) + KERNEL_ARM_M * fabs(step[2]) > KERNEL_M;
}

static double misfit_of(const struct loc_information *seen)
{
    return seen->n_compared > 0 ? seen->misfit / (double)seen->n_compared : 1.0;
}

/* Beams that fit nowhere may agree on a wrong place by chance. What the scan says there is worth
 * less by how much more they miss than noise does (dispersion of a quasi-likelihood: Wedderburn,
 * 1974). */
static void disperse(struct loc_information *seen)
{
    double share = fmin(NOISE_MISFIT / misfit_of(seen), 1.0);
    for (int i = 0; i < LOC_DIMS; i++) {
        seen->b[i] *= share;
        for (int j = 0; j < LOC_DIMS; j++) {
            seen->a[i][j] *= share;
        }
    }
}

/* Finds the laser by the scan alone: some more iterations from the updated place, without the
 * prediction. The kernel gives little weight to beams that contradict the place where they are
 * compared. So the farther the guess is off, the less the scan seems to know there, and the NIS
 * would stay small. A place that explains the scan worse than the guess is not used. */
static void look_alone(const struct loc_observation *o, const struct loc_kernel *last,
                       struct loc_update *update)
{
    struct loc_laser laser = update->laser;
    struct loc_kernel kernel = {o->every, 1.0, (double)INFINITY};
    struct loc_information seen;
    step_alone(&laser, &update->information, &update->alone);
    if (!o->looks_alone || !is_far(update)) {
        return;
    }
    struct loc_alone alone = update->alone;
    for (int i = 0; i < ALONE_ROUNDS; i++) {
        laser.pose = alone.pose;
        loc_match_evaluate(o->match, o->scan, &laser, &kernel, &seen);
        step_alone(&laser, &seen, &alone);
    }
    if (misfit_of(&seen) < misfit_of(&update->information)) {
        disperse(&alone.information);
        update->alone = alone;
    }
    /* The casts are those of the update again: what follows reads them. */
    loc_match_evaluate(o->match, o->scan, &update->laser, last, &seen);
}

/* What the scan alone says of the laser's pose, against the prediction; and its NIS. */
static void surprise(const struct loc_filter *prior, const struct loc_observation *o,
                     const struct gain *gain, struct loc_update *update)
{
    double cov[3][3], sum[LOC_DIMS][LOC_DIMS] = {{0}}, direction;
    const struct loc_alone *alone = &update->alone;
    struct loc_information seen = alone->information;
    struct linear before;
    linearize(prior, o, &before);
    double *y = update->surprise;
    y[0] = alone->pose.x - before.laser.pose.x;
    y[1] = alone->pose.y - before.laser.pose.y;
    y[2] = dpl_wrap_angle(alone->pose.theta - before.laser.pose.theta);
    if (loc_information_project(&seen, &direction)) {
        double c = cos(direction), s = sin(direction), along = c * y[0] + s * y[1];
        y[0] -= c * along;
        y[1] -= s * along;
    }
    blunt(&seen, o->correlation);
    loc_invert_pose((const double(*)[LOC_DIMS])seen.a, cov);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum[i][j] = cov[i][j] + gain->m[i][j];
        }
    }
    update->nis = nis_of((const double(*)[LOC_DIMS])sum, y, 0.0);
    update->usual_nis = update->nis * fmin(o->correlation / LOCALIZER_USUAL_CORRELATION, 1.0);
    update->unsaid_m = find_unsaid((const double(*)[LOC_DIMS])sum, y, update->nis);
}

static bool run_passes(const struct loc_filter *prior, struct loc_filter *now,
                       const struct loc_observation *o, struct loc_update *update)
{
    struct pass pass;
    struct loc_kernel kernel;
    *now = *prior;
    for (int i = 0; i < ITERATIONS; i++) {
        kernel = kernel_of(prior, o, i);
        if (!run_pass(prior, now, o, &kernel, update, &pass)) {
            return false;
        }
    }
    loc_joseph((const double(*)[LOC_STATES])prior->p,
               &(struct loc_correction){.pj = (const double(*)[LOC_DIMS])pass.gain.pj,
                                        .ya = (const double(*)[LOC_DIMS])pass.ya,
                                        .z = (const double(*)[LOC_DIMS])pass.z1,
                                        .j = (const double(*)[LOC_STATES])pass.at.j,
                                        .a = (const double(*)[LOC_DIMS])pass.information.a,
                                        .n_changed = n_changed(o)},
               now->p, &update->change);
    update->correlation = o->correlation;
    look_alone(o, &kernel, update);
    surprise(prior, o, &pass.gain, update);
    update->map_ratio = o->match->told_error_m / o->match->map_error_m;
    loc_match_judge(o->match, o->scan, &update->laser, o->every, &update->judgement);
    if (o->looks_behind) {
        update->behind = loc_match_behind(o->match, o->scan, &update->laser, o->every);
    }
    return true;
}

void loc_filter_update(struct loc_filter *filter, const struct loc_observation *observation,
                       struct loc_update *ret_update)
{
    struct loc_filter now;
    memset(ret_update, 0, sizeof *ret_update);
    ret_update->used = run_passes(filter, &now, observation, ret_update);
    if (ret_update->used) {
        *filter = now;
    }
}
