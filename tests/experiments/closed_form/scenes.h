/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms whose motion is known in closed form, and how far the subsystem `bullet` is from it.
 */
#ifndef DOPPEL_CLOSED_FORM_SCENES_H
#define DOPPEL_CLOSED_FORM_SCENES_H

/* What a test gives; `error` is measured - expected, or what its own text says. */
struct closed_form_result {
    double expected, measured;
};

struct closed_form_test {
    const char *name, *unit;
    struct closed_form_result (*run)(double step_s, double a, double b);
    double a, b;              /* what the test is made with */
    double at_1_ms, at_01_ms; /* limits of the error; 0: not run */
};

extern const struct closed_form_test closed_form_tests[];
extern const int closed_form_n_tests;

#endif
