/* SPDX-License-Identifier: Apache-2.0 */
/* Where the golden worlds are (golden.h), also those of files. */
#ifndef GOLDEN_VALUES_H
#define GOLDEN_VALUES_H

#include <stdbool.h>

struct golden_value {
    const char *joint;
    bool rate;
    double at[3]; /* at 0.5, 1 and 2 s */
};

/* At 1, 2 and 5 s: both displacements, both velocities. */
static const double golden_double_pendulum_states[3][4] = {
    {1.567449878, -0.974668341, 3.399236274, -2.390689444},
    {3.935343924, 1.444588373, 0.082724978, 5.943805080},
    {5.296743030, 12.771261239, -0.686998566, 0.349482262}};

static const struct golden_value golden_four_bar_values[] = {
    {"A", false, {2.160962202, 5.547638448, 8.760686459}},
    {"A", true, {3.031613644, 5.273003275, 3.978049515}},
    {"B", false, {-1.803832624, -4.256954920, -8.383755962}},
    {"D", false, {2.101160766, 2.221980953, 2.262126535}},
    {"D", true, {1.597060661, -3.147595275, 1.925163572}}};

static const struct golden_value golden_slider_crank_values[] = {
    {"A", false, {0.021878904, -3.257548943, -0.195045995}},
    {"A", true, {-6.290144175, -5.802376084, 6.883569366}},
    {"D", false, {1.999840448, 1.002241810, 1.987385859}},
    {"D", true, {0.091735443, 0.224440366, 0.885651221}}};

static const struct golden_value golden_excavator_values[] = {
    {"boom", false, {0.784931493, 0.572457534, 0.658011916}},
    {"boom", true, {0.719286795, -0.184925168, -0.003533061}},
    {"stick", false, {-0.214873837, 1.046775934, 0.853284798}},
    {"stick", true, {1.117907087, 1.400231467, -0.477340242}},
    {"bucket", false, {-0.394588793, -0.616191074, -0.744557217}},
    {"bucket", true, {-1.323421333, -0.468581179, -0.594649578}},
    {"ram1", false, {1.195903259, 1.045816812, 1.106895742}},
    {"ram2", false, {1.613684304, 1.675170442, 1.603996542}}};

static const struct golden_value golden_delta_values[] = {
    {"motor0", false, {0.474805831, 0.472114755, 0.468546479}},
    {"motor1", false, {0.541584551, 0.529429742, 0.531664747}},
    {"motor2", false, {0.612805148, 0.588035462, 0.593420562}},
    {"motor0", true, {0.072579046, 0.093889608, -0.011767079}},
    {"motor1", true, {-0.145799513, 0.063587022, -0.001966324}},
    {"motor2", true, {-0.359210043, -0.019115863, 0.017128650}},
    {"elbow0", false, {1.763733979, 1.776226082, 1.776570474}}};

static const struct golden_value golden_bricard_values[] = {
    {"j1", false, {1.548108177, 2.080670270, 1.493450715}},
    {"j1", true, {1.794970063, 0.273200570, -0.757738813}},
    {"j2", false, {-1.592981103, -0.306546245, 1.642584300}},
    {"j2", true, {1.716198467, 3.015093113, 0.652666445}}};

static const struct golden_value golden_pair_restraints_values[] = {
    {"x", false, {0.174222915, -0.466601036, -0.013959092}},
    {"h", false, {-0.769273340, -1.412431024, -0.801000628}},
    {"x", true, {-1.108761360, -1.241214204, 1.049628420}},
    {"h", true, {-1.075392054, -1.162158200, 0.779340774}}};

/* At 0.5, 1 and 2 s: the origin of the body, and its angular velocity. */
static const double golden_free_body_places[3][3] = {{0.751979879, 0.270630532, -0.213008256},
                                                     {1.588775728, -2.926743662, -0.404846822},
                                                     {2.573198973, -16.663365361, -1.436114575}};
static const double golden_free_body_angular[3][3] = {{0.332622554, 2.985836279, -0.191260037},
                                                      {0.076303236, 3.009939748, 0.031124904},
                                                      {0.059180194, 3.010294858, -0.084692893}};

/* At 0.25, 0.5, 1 and 2 s. */
static const double golden_bumper_x[4] = {0.157420383, -0.082611101, 0.156163657, 0.086944493};
static const double golden_bumper_v[4] = {-0.567140055, -1.0, 0.592800734, -1.0};

#endif
