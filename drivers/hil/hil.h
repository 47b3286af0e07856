/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of any device class: drives a hardware and a simulation side together. The table
 * of the class (doppel/device_class.h) determines which call goes to which side. The hardware is
 * called first, and its result is returned; errors of the simulation are counted and do not affect
 * the hardware. plain.c is the driver of a class without special rules. A class with special rules
 * has its own hil.c, which implements some calls itself and passes the others to dpl_hil_call. */
#ifndef DOPPEL_HIL_H
#define DOPPEL_HIL_H

#include <stdint.h>

#include <doppel/device.h>
#include <doppel/field.h>

enum dpl_hil_side {
    DPL_HIL_HARDWARE,
    DPL_HIL_SIMULATION,
    DPL_HIL_N_SIDES,
};

/* The first member of the driver's properties. */
struct dpl_hil_properties {
    char hardware_driver[64];
    char simulation_driver[64];
    int on_simulation_lost; /* enum dpl_hil_lost */
};

/* The first member of the driver's state. */
struct dpl_hil_state {
    int64_t simulation_errors;
};

enum dpl_hil_lost {
    DPL_HIL_CONTINUE,
    DPL_HIL_STOP,
};

/* Rows for its property table; `base` is the struct dpl_hil_properties in `struct_`, `hardware_`
 * and `simulation_` are the default drivers of the sides, `real_` describes the real side. */
#define DPL_HIL_FIELDS(struct_, base, hardware_, simulation_, real_)                               \
    DPL_TEXT(struct_, base.hardware_driver, "HardwareDriver", hardware_,                           \
             "driver of the real side"),                                                           \
        DPL_TEXT(struct_, base.simulation_driver, "SimulationDriver", simulation_,                 \
                 "driver of the avatar's side"),                                                   \
        DPL_CHOICE(struct_, base.on_simulation_lost, "OnSimulationLost", "continue",               \
                   "continue|stop", "whether losing the avatar stops the real " real_)

/* A row for its export table; `base` is the struct dpl_hil_state in `struct_`. */
#define DPL_HIL_EXPORT_ERRORS(struct_, base)                                                       \
    DPL_EXPORT_INT(struct_, base.simulation_errors, "simulation_errors", NULL, DPL_FIELD_SUMMARY,  \
                   "calls that the simulation side refused")

/* The members that the tables of all HIL drivers have in common. */
#define DPL_HIL_DRIVER                                                                             \
    .name = "hil", .backend = DPL_BACKEND_HIL, .sides = dpl_hil_sides, .n_sides = DPL_HIL_N_SIDES

extern const struct dpl_driver_side dpl_hil_sides[DPL_HIL_N_SIDES];

/* For `open` and `answer` of a driver. */
int dpl_hil_open(struct dpl_device *device, struct dpl_diag *reterr);
int dpl_hil_call(struct dpl_device *device, unsigned number, const void *in, void *out);

/* Calls one side only. A refusal of the simulation is counted. */
int dpl_hil_hardware(struct dpl_device *device, unsigned number, const void *in, void *out);
void dpl_hil_simulate(struct dpl_device *device, unsigned number, const void *in);

#endif
