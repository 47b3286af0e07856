/* SPDX-License-Identifier: Apache-2.0 */
/* One drive of a robot that gets a fault, with the Localizer and its diagnosis. */
#ifndef DIAGNOSIS_DRIVE_H
#define DIAGNOSIS_DRIVE_H

#include "diagnosis.h"
#include "faulty_robot.h"

/* Faults that are none of the robot. */
enum drive_fault {
    DRIVE_NO_FAULT,
    DRIVE_OBJECTS_MOVED, /* `amount`: a third of the objects, by so many m */
    DRIVE_OBJECT_ADDED,  /* a pillar beside the robot that the plan does not have */
    DRIVE_AVATAR_FAR,    /* the avatar is told to be `amount` m off */
};

struct drive_config {
    const char *world; /* file */
    uint64_t seed;
    enum robot_fault fault;
    enum drive_fault around;
    double amount, from_s, to_s, seconds;
    double twist_rad, twist_from_s; /* the laser turns so on the robot then, besides; default 0 */
    double twist_to_s;              /* and back then; default: never */
    double survey_m;                /* error of the plan: of each object in x and y, 1 sigma */
    int people;
    bool bystanders; /* people who stand for 8 s */
    size_t n_beams;
    bool has_gyro, commands;
    bool objects; /* verdicts on objects, too; default true */
    bool trace;   /* prints each scan during the fault and 2 s longer */
};

struct drive_result {
    unsigned false_alarms; /* rises before the fault */
    enum verdict false_one;
    bool detected; /* after the fault's begin, before 2 s after its end */
    struct diagnosis_event first;
    unsigned others; /* later rises of another verdict, up to the fault's end */
    enum verdict other;
    double n_scans, rms_m,
        max_m; /* of the localized pose at scans against the truth, while the fault is there */
    double sound_rms_m;      /* the same before it */
    double straight_rms_m;   /* rms_m, if the error were none from the first other turn rate on */
    double last_m, last_rad; /* error of the last pose, of its position and its heading */
    double clearance_m;      /* the least of the base's centre while the fault is there */
    double in_sight_s;       /* the pillar, by the truth, in all */
    double in_sight_over_s;  /* from the first time to the last */
};

/* The fault 80 s after the start, for 8 s, the drive 2 s longer; with all beams, gyro, commands. */
void drive_config_init(struct drive_config *ret_config);

/* Exits with a message if it cannot. */
void drive_run(const struct drive_config *config, struct drive_result *ret_result);

#endif
