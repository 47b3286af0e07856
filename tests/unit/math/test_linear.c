/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/math/linear.h: elimination, Cholesky, singular values. */
#include <criterion/criterion.h>

#include <doppel/math/linear.h>

Test(linear, makes_a_triangle_with_the_largest_elements_on_the_diagonal)
{
    double rows[3][4] = {{0.0, 2.0, 1.0, 7.0}, {1.0, 1.0, 1.0, 6.0}, {4.0, 0.0, 1.0, 7.0}};
    cr_assert_eq(dpl_eliminate(rows[0], 3, 4, 1e-12), 0);
    cr_assert_eq(rows[0][0], 4.0);
    cr_assert_eq(rows[1][1], 2.0);
    for (int i = 1; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            cr_assert_eq(rows[i][j], 0.0);
        }
    }
    double z = rows[2][3] / rows[2][2], y = (rows[1][3] - rows[1][2] * z) / rows[1][1];
    double x = (rows[0][3] - rows[0][1] * y - rows[0][2] * z) / rows[0][0];
    cr_assert_float_eq(x, 1.0, 1e-14);
    cr_assert_float_eq(y, 2.0, 1e-14);
    cr_assert_float_eq(z, 3.0, 1e-14);
}

Test(linear, refuses_a_singular_matrix_and_what_is_no_number)
{
    double singular[2][3] = {{1.0, 2.0, 1.0}, {2.0, 4.0, 1.0}};
    double small[2][3] = {{1e-13, 0.0, 1.0}, {0.0, 1.0, 1.0}};
    double nan[1][2] = {{(double)NAN, 1.0}};
    cr_assert_eq(dpl_eliminate(singular[0], 2, 3, 1e-12), -EDOM);
    cr_assert_eq(dpl_eliminate(small[0], 2, 3, 1e-12), -EDOM);
    cr_assert_eq(dpl_eliminate(small[0], 2, 3, 1e-14), 0);
    cr_assert_eq(dpl_eliminate(nan[0], 1, 2, 1e-12), -EDOM);
}

Test(linear, conditioning_is_the_ratio_of_the_singular_values)
{
    /* A rotation times diag(4, 1, 2). */
    double columns[9] = {0.8 * 4.0, 0.6 * 4.0, 0.0, -0.6, 0.8, 0.0, 0.0, 0.0, 2.0};
    cr_assert_float_eq(dpl_conditioning(columns, 3), 0.25, 1e-15);
    double shear[4] = {1.0, 0.0, 1.0, 1.0}; /* golden ratio to the power -2 */
    cr_assert_float_eq(dpl_conditioning(shear, 2), 0.38196601125010515, 1e-15);
    double singular[4] = {1.0, 2.0, 2.0, 4.0}, zero[4] = {0.0};
    cr_assert_lt(dpl_conditioning(singular, 2), 1e-15);
    cr_assert_eq(dpl_conditioning(zero, 2), 0.0);
}

Test(linear, cholesky_solves_the_equations_of_a_positive_definite_matrix)
{
    /* The factor of a Pascal matrix is Pascal's triangle. */
    double a[16] = {1, 1, 1, 1, 1, 2, 3, 4, 1, 3, 6, 10, 1, 4, 10, 20}, x[4];
    const double triangle[16] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 1, 0, 1, 3, 3, 1};
    dpl_cholesky(a, 4, 1e-30);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            cr_assert_eq(a[4 * i + j], triangle[4 * i + j]);
        }
    }
    dpl_cholesky_solve(a, 4, (const double[4]){10, 30, 65, 119}, x);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(x[i], i + 1.0);
    }
}

Test(linear, cholesky_of_a_singular_matrix_stays_finite)
{
    double a[4] = {1, 1, 1, 1}, x[2];
    dpl_cholesky(a, 2, 1e-12);
    cr_assert_float_eq(a[3], 1e-6, 1e-18);
    dpl_cholesky_solve(a, 2, (const double[2]){1, 1}, x);
    cr_assert_float_eq(x[0] + x[1], 1.0, 1e-9);
}

Test(linear, eigenvalues_of_a_symmetric_matrix_come_with_their_vectors)
{
    /* Eigenvalues of the 1-2-1 chain: 2 - 2 cos(k pi / 5); one row has another sign. */
    double matrix[16] = {2, -1, 0, 0, -1, 2, 1, 0, 0, 1, 2, -1, 0, 0, -1, 2}, values[4];
    double vectors[16];
    dpl_symmetric_eigen(matrix, 4, values, vectors);
    for (int k = 0; k < 4; k++) {
        cr_assert_float_eq(values[k], 2.0 - 2.0 * cos((4 - k) * acos(-1.0) / 5.0), 1e-14);
        for (int i = 0; i < 4; i++) {
            cr_assert_float_eq(dpl_dot(&matrix[4 * i], &vectors[4 * k], 4),
                               values[k] * vectors[4 * k + i], 1e-14);
        }
        for (int j = 0; j < 4; j++) {
            cr_assert_float_eq(dpl_dot(&vectors[4 * j], &vectors[4 * k], 4), j == k, 1e-14);
        }
    }
}

Test(linear, eigenvalues_of_equal_size_and_opposite_sign_are_kept_apart)
{
    double matrix[4] = {0.0, 3.0, 3.0, 0.0}, values[2], vectors[4];
    dpl_symmetric_eigen(matrix, 2, values, vectors);
    cr_assert_float_eq(values[0], 3.0, 1e-14);
    cr_assert_float_eq(values[1], -3.0, 1e-14);
    cr_assert_float_eq(fabs(vectors[0]), sqrt(0.5), 1e-14);
    double zero[4] = {0.0};
    dpl_symmetric_eigen(zero, 2, values, vectors);
    cr_assert_eq(values[0], 0.0);
    cr_assert_eq(values[1], 0.0);
}
