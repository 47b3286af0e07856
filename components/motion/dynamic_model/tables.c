/* SPDX-License-Identifier: Apache-2.0 */
/* See tables.h. */
#include "tables.h"

#include <doppel/math/six_axes.h>

#include "six_check.h"

#define STIFFNESS_LEAST 1e-6
#define STIFFNESS_MOST  1e12
#define HZ_LEAST        1e-6
#define HZ_MOST         1e6
#define DAMPING_MOST    1e3

static int check_stiffness(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, STIFFNESS_LEAST, STIFFNESS_MOST, reterr);
}

static int check_frequency(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, HZ_LEAST, HZ_MOST, reterr);
}

static int check_damping(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, 0.0, DAMPING_MOST, reterr);
}

static int check_axes(const char *text, struct dpl_diag *reterr)
{
    bool set[DPL_SIX];
    const char *at;
    return dpl_six_read_set(text, set, &at)
               ? 0
               : dpl_check_fail(text, at, "expected names out of x y z roll pitch yaw", reterr);
}

#define SIX_TEXT "; one number, two (x y z, roll pitch yaw) or six"

const struct dpl_field model_property_table[MODEL_N_PROPERTIES] = {
    DPL_TEXT_CHECKED(struct model_properties, stiffness, "Stiffness", "5000 200", check_stiffness,
                     "N/m and N m/rad" SIX_TEXT),
    DPL_TEXT_CHECKED(struct model_properties, natural_hz, "NaturalFrequency", "3", check_frequency,
                     "undamped, Hz" SIX_TEXT),
    DPL_TEXT_CHECKED(struct model_properties, damping_ratio, "DampingRatio", "0.2", check_damping,
                     "of critical" SIX_TEXT),
    DPL_CHOICE(
        struct model_properties, hold, "Hold", "zero", "zero|first",
        "the force between two samples: held (half a period of delay), or interpolated linearly"),
    DPL_FILE(struct model_properties, matrix_file, "MatrixFile", "",
             "instead of the three above: a file of 18 rows of six numbers, mass, damping and "
             "stiffness matrix"),
    DPL_TEXT_CHECKED(struct model_properties, home, "Home", "0 0 0.540 0 0 0", dpl_check_pose,
                     "x y z m, roll pitch yaw rad: the pose without force"),
    DPL_TEXT_CHECKED(struct model_properties, axes, "Axes", "x y z roll pitch yaw", check_axes,
                     "the axes that respond to forces; the others stay at home"),
    DPL_NUMBER(struct model_properties, wrench_timeout_ms, "WrenchTimeout", "ms", "20", 0, 1e6,
               "how long a wrench is valid without a newer one"),
};

#define TRACED(index_, name_, unit_)                                                               \
    DPL_EXPORT_NUMBER(struct model_state, reference[index_], name_, unit_, DPL_FIELD_TRACE,        \
                      "of the reference")

const struct dpl_field model_export_table[MODEL_N_EXPORTS] = {
    TRACED(0, "reference_x", "m"),
    TRACED(1, "reference_y", "m"),
    TRACED(2, "reference_z", "m"),
    TRACED(3, "reference_roll", "rad"),
    TRACED(4, "reference_pitch", "rad"),
    TRACED(5, "reference_yaw", "rad"),
    DPL_EXPORT_BOOL(struct model_state, running, "running", DPL_FIELD_TRACE, "the model runs"),
    DPL_EXPORT_INT(struct model_state, n_invalid, "invalid", NULL, DPL_FIELD_SUMMARY,
                   "cycles without a valid wrench"),
    DPL_EXPORT_INT(struct model_state, n_begun, "begun", NULL, DPL_FIELD_SUMMARY,
                   "times that the model started from rest"),
};
