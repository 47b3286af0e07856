/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks and least squares. */
#include <criterion/criterion.h>
#include <doppel/math/orthogonal.h>
#include <doppel/math/random.h>

enum { M = 12, N = 7 };

static void fill(struct dpl_random *random, double *numbers, int n)
{
    for (int i = 0; i < n; i++) {
        numbers[i] = dpl_random_uniform(random, -1.0, 1.0);
    }
}

/* Rows that sums of `rank` others are. */
Test(orthogonal, the_rank_of_sums_is_that_of_what_they_are_sums_of)
{
    struct dpl_random random = dpl_random_seeded(1, 0);
    for (int rank = 1; rank <= N; rank++) {
        double of[N * N], vectors[M * N];
        struct dpl_basis basis = {vectors, N, 0};
        fill(&random, of, rank * N);
        for (int i = 0; i < M; i++) {
            double row[N] = {0.0}, shares[N];
            fill(&random, shares, rank);
            for (int k = 0; k < rank; k++) {
                for (int j = 0; j < N; j++) {
                    row[j] += shares[k] * of[k * N + j];
                }
            }
            cr_assert_eq(dpl_basis_add(&basis, row, 1e-9), i < rank, "row %d of rank %d", i, rank);
        }
        cr_assert_eq(basis.n, rank);
        for (int i = 0; i < rank; i++) {
            for (int k = 0; k < rank; k++) {
                cr_assert_float_eq(dpl_dot(&vectors[i * N], &vectors[k * N], N), i == k, 1e-14);
            }
        }
    }
}

/* Hilbert's matrix, whose condition is 5e8 at N = 7: directions stay at right angles. */
Test(orthogonal, nearly_dependent_vectors_stay_orthogonal)
{
    double vectors[N * N];
    struct dpl_basis basis = {vectors, N, 0};
    for (int i = 0; i < N; i++) {
        double row[N];
        for (int j = 0; j < N; j++) {
            row[j] = 1.0 / (i + j + 1);
        }
        cr_assert(dpl_basis_add(&basis, row, 1e-12));
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++) {
            cr_assert_float_eq(dpl_dot(&vectors[i * N], &vectors[k * N], N), 0.0, 1e-14);
        }
    }
}

Test(orthogonal, nothing_is_not_new)
{
    double vectors[N], row[N] = {0.0};
    struct dpl_basis basis = {vectors, N, 0};
    cr_assert_not(dpl_basis_add(&basis, row, 1e-9));
    cr_assert_eq(basis.n, 0);
}

/* The gradient of |A x - b|^2 + damping^2 |x|^2 is 0 at its least, also for columns that are
 * twice there. */
Test(orthogonal, the_gradient_at_the_least_squares_is_0)
{
    struct dpl_random random = dpl_random_seeded(2, 0);
    const double dampings[] = {1e-6, 0.1, 3.0};
    for (int round = 0; round < 60; round++) {
        double a[M * N], b[M], x[N], rest[M], scratch[N * (2 * N + M) + M + N];
        double damping = dampings[round % 3];
        fill(&random, a, M * N);
        fill(&random, b, M);
        for (int i = 0; i < M && round % 2 == 0; i++) {
            a[i * N + 3] = a[i * N + 1];
        }
        dpl_damped_least_squares(a, b, M, N, damping, scratch, x);
        for (int i = 0; i < M; i++) {
            rest[i] = dpl_dot(&a[i * N], x, N) - b[i];
        }
        for (int j = 0; j < N; j++) {
            double gradient = damping * damping * x[j];
            for (int i = 0; i < M; i++) {
                gradient += a[i * N + j] * rest[i];
            }
            cr_assert_float_eq(gradient, 0.0, 1e-8, "%g with %g", gradient, damping);
        }
    }
}

/* The same of fewer rows than columns, also for rows that are twice there; rows of zeros, which
 * change nothing, make it a matrix with more rows. */
Test(orthogonal, the_least_squares_of_few_rows_are_those_of_many)
{
    enum { FEW = 3 };
    struct dpl_random random = dpl_random_seeded(3, 0);
    const double dampings[] = {1e-6, 0.1, 3.0};
    for (int round = 0; round < 60; round++) {
        double a[M * N] = {0.0}, b[M] = {0.0}, x[N], many[N], scratch[N * (2 * N + M) + M + N];
        double damping = dampings[round % 3];
        fill(&random, a, FEW * N);
        fill(&random, b, FEW);
        for (int j = 0; j < N && round % 2 == 0; j++) {
            a[2 * N + j] = a[j];
            b[2] = b[0];
        }
        dpl_damped_least_squares(a, b, FEW, N, damping, scratch, x);
        dpl_damped_least_squares(a, b, M, N, damping, scratch, many);
        for (int j = 0; j < N; j++) {
            cr_assert_float_eq(x[j], many[j], 1e-7, "%g, not %g, with %g", x[j], many[j], damping);
        }
    }
}
