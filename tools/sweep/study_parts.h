/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read a study share. */
#ifndef DOPPEL_SWEEP_STUDY_PARTS_H
#define DOPPEL_SWEEP_STUDY_PARTS_H

#include "study.h"
#include "xml_reader.h"

/* A study that is being read; varies grow. */
struct study_reader {
    struct sweep_study *study;
    struct dpl_diags *diags;
    const char *file;
    struct sweep_vary *varies; /* [SWEEP_DIMENSIONS_MAX] */
};

void study_error(struct study_reader *reader, struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The vary to fill; NULL after an error: there are too many. */
struct sweep_vary *study_add_vary(struct study_reader *reader, struct dpl_place place);

/* The number that an attribute is, as a whole: false, and an error, if it is none. */
bool study_number(struct study_reader *reader, const struct dpl_xml_attribute *attribute,
                  double *ret_value);

/* Adds what `doppel calibrate` found, from the file that the attribute names. */
void study_add_calibrated(struct study_reader *reader, const struct dpl_xml_attribute *from);

#endif
