/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of a robot in STAR's format touch what stands still (docs/design/machine-formats.md): a
 * force law without memory, in each evaluation of its system. It lives in the world's heap. */
#ifndef DOPPEL_SIM_MULTIBODY_CONTACT_H
#define DOPPEL_SIM_MULTIBODY_CONTACT_H

#include <doppel/sim/star_world.h>
#include <doppel/sim/subsystem.h>

struct dpl_multibody_part;

/* The law of a shape. */
struct dpl_multibody_touching {
    double stiffness;   /* N/m, of each point */
    double dissipation; /* s/m: the force is stiffness * depth * (1 + dissipation * approach) */
    double friction, creep;
    double most; /* N s/m: more damping a step of the integrator does not follow */
};

/* What a body feels. */
struct dpl_multibody_felt {
    double force[3]; /* N, in the frame of the robot */
    int64_t points;
};

/* All points of a robot together. */
struct dpl_multibody_pressed {
    double energy; /* J, in their springs: those of the deepest points of edges across each other
                      count with what these are deeper than the corners */
    double taken;  /* W, by damping and friction */
    int64_t points;
};

struct dpl_multibody_contacts;

/* The factor a for which an impact with `speed` (m/s) has this restitution: of the solution of
 * a v (1 + e) = ln((1 + a v) / (1 - a v e)). Restitution 1: 0. */
double dpl__multibody_dissipation(double restitution, double speed);

/* What a shape without numbers of its own gets. `step` in s. */
struct dpl_multibody_touching dpl__multibody_touching(const struct dpl_star_shape *shape,
                                                      const struct dpl_mb_body *body,
                                                      enum dpl_mb_integrator integrator,
                                                      double step);

/* Steps in one contact of the body alone: pi sqrt(mass / stiffness of all points that bear) /
 * step. */
double dpl__multibody_contact_steps(const struct dpl_star_shape *shape, double mass, double step);

/* Those of a part with shapes; *ret NULL: it has none. -ENOMEM. */
int dpl__multibody_contacts_make(const struct dpl_subsystem_site *site,
                                 const struct dpl_multibody_part *part, int robot,
                                 const struct dpl_mb_place *base,
                                 struct dpl_multibody_contacts **ret);
/* When all that stands still in the world is there. 0 or -ENOMEM. NULL: nothing. */
int dpl__multibody_contacts_begin(struct dpl_multibody_contacts *contacts);
/* From now on they act on this system. NULL: nothing. */
void dpl__multibody_contacts_act(struct dpl_multibody_contacts *contacts,
                                 struct dpl_mb_system *system);
/* At the state of now, of which it changes nothing. NULL: zeros. */
void dpl__multibody_contacts_measure(struct dpl_multibody_contacts *contacts,
                                     struct dpl_mb_system *system,
                                     struct dpl_multibody_pressed *ret);
/* Keeps what bodies feel, and adds what sensors of contact see to the state. NULL: nothing. */
void dpl__multibody_contacts_publish(struct dpl_multibody_contacts *contacts,
                                     struct dpl_sim_contacts *state);
/* What a body of the graph felt in the newest evaluation of the newest step. NULL: it has no
 * shapes. */
const struct dpl_multibody_felt *dpl__multibody_felt(const struct dpl_multibody_contacts *contacts,
                                                     int body);

#endif
