/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver, of any device class: a hardware and a simulation side driven together. What goes
 * to which side follows from the table of the class (doppel/device_class.h). The hardware is asked
 * first, and its answer counts; the simulation's failures are counted and never reach the hardware.
 * plain.c makes the driver of a class as its table says; a class to which more belongs has a hil.c
 * of its own that answers a few of the calls and leaves the others to dpl_hil_call. */
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

/* The driver's properties begin with these, */
struct dpl_hil_properties {
    char hardware_driver[64];
    char simulation_driver[64];
    int on_simulation_lost; /* enum dpl_hil_lost */
};

/* and its state with this. */
struct dpl_hil_state {
    int64_t simulation_errors;
};

enum dpl_hil_lost {
    DPL_HIL_CONTINUE,
    DPL_HIL_STOP,
};

/* Rows for its property table; `base` is the struct dpl_hil_properties in `struct_`, `hardware_`
 * and `simulation_` the drivers of the sides by default, `real_` what the real side is. */
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

/* What the tables of all HIL drivers have in common. */
#define DPL_HIL_DRIVER                                                                             \
    .name = "hil", .backend = DPL_BACKEND_HIL, .sides = dpl_hil_sides, .n_sides = DPL_HIL_N_SIDES

extern const struct dpl_driver_side dpl_hil_sides[DPL_HIL_N_SIDES];

/* As `open` and `answer` of a driver. */
int dpl_hil_open(struct dpl_device *device, struct dpl_diag *reterr);
int dpl_hil_call(struct dpl_device *device, unsigned number, const void *in, void *out);

/* Asks one side alone. The simulation's answer is counted where it is a refusal. */
int dpl_hil_hardware(struct dpl_device *device, unsigned number, const void *in, void *out);
void dpl_hil_simulate(struct dpl_device *device, unsigned number, const void *in);

#endif
