/* SPDX-License-Identifier: Apache-2.0 */
/* What a file in STAR's format has (docs/star.md): a graph for the solver in minimal coordinates,
 * and what is with it: shapes, lights, devices. Numbers are in SI units. */
#ifndef DOPPEL_SIM_STAR_WORLD_H
#define DOPPEL_SIM_STAR_WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/sim/multibody.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dialects of files. A file may mix them; its dialect is that of its version. */
enum dpl_star_dialect {
    DPL_STAR_A, /* "star_version" "2.0.1": names are keys, powers descend */
    DPL_STAR_B, /* "version" "0.2": arrays of things with names */
    DPL_STAR_C, /* "version" "2.0.0": as B, with parents and children, and axes */
};

/* A file's units in SI units, and the file's words for them. */
struct dpl_star_units {
    double angle, length, mass, time; /* rad, m, kg, s */
    const char *angle_word, *length_word, *mass_word, *time_word;
};

struct dpl_star_settings {
    struct dpl_mb_settings
        solver;       /* values that the file does not have are 0; the default integrator is rk4 */
    double time_step; /* s; 0: the file has none */
    double time_span; /* s; 0: none */
};

/* Files with the visual geometry of a body. The reader does not open them. */
struct dpl_star_geometry {
    int body;
    const char *const *files; /* [n_files] as in the file, relative to include directories */
    size_t n_files;
    struct dpl_mb_place place; /* in the frame of the body */
    int line, column;          /* place in the file */
};

enum dpl_star_shape_kind {
    DPL_STAR_BOX,
    DPL_STAR_SPHERE,
    DPL_STAR_CAPSULE,  /* along z */
    DPL_STAR_CYLINDER, /* along z */
    DPL_STAR_HULL,     /* around points */
    DPL_STAR_SHAPE_KINDS,
};

#define DPL_STAR_HULL_POINTS_MAX 256

/* A shape of a body for contacts with fixed objects of its world; the solver ignores it. */
struct dpl_star_shape {
    int body;
    enum dpl_star_shape_kind kind;
    struct dpl_mb_place place; /* in the frame of the body */
    double size[3];            /* m: full edges of a box */
    double radius, height;     /* m; of a capsule without the caps */
    const double (*points)[3]; /* [n_points] m: of a hull */
    size_t n_points;
    double friction, restitution; /* coefficients; restitution of an impact with 1 m/s */
    double stiffness;   /* N/m, of each contact point; 0: computed from the mass and the step */
    double creep_speed; /* m/s, below which friction grows with the speed; 0: chosen */
    int line, column;   /* place in the file */
};

enum dpl_star_light_type { DPL_STAR_POINT, DPL_STAR_SPOT, DPL_STAR_DIRECTIONAL };

/* A spot or directional light shines along -z of its frame. */
struct dpl_star_light {
    const char *name;
    enum dpl_star_light_type type;
    int frame;           /* -1: none; this is the default light of worlds without lights */
    double direction[3]; /* of that light, in the world: the direction in which it shines */
    double ambient[3], diffuse[3], specular[3];
};

enum dpl_star_sensor_type {
    DPL_STAR_ENCODER,
    DPL_STAR_CONTACT,
    DPL_STAR_LIDAR,
    DPL_STAR_RADAR,
    DPL_STAR_CAMERA,
    DPL_STAR_POSE,
    DPL_STAR_SENSOR_TYPES,
};

struct dpl_star_sensor {
    const char *name; /* unique in the device */
    enum dpl_star_sensor_type type;
    int frame;         /* -1: none, only of an encoder */
    int joint;         /* of an encoder; -1: none */
    const char *other; /* its other keys, a JSON object as text; in the file's own units */
    int line, column;  /* of the sensor in the file, from 1 */
};

struct dpl_star_device {
    const char *name;
    int assembly;
    bool is_active;
    const int *joints; /* [n_joints] */
    size_t n_joints;
    const struct dpl_star_sensor *sensors; /* [n_sensors] */
    size_t n_sensors;
};

/* A Doppel world in XML that the file includes, and the place of this in the file. */
struct dpl_star_include {
    const char *file;
    int line, column;
};

struct dpl_star_world {
    struct dpl_mb_graph *graph; /* may be changed; the world owns it */
    enum dpl_star_dialect dialect;
    struct dpl_star_units units;
    struct dpl_star_settings settings;
    const struct dpl_star_geometry *geometries;    /* [n_geometries] by rising body */
    const struct dpl_star_shape *shapes;           /* [n_shapes] by rising body */
    const struct dpl_star_light *lights;           /* [n_lights] at least one */
    const struct dpl_star_device *devices;         /* [n_devices] */
    const char *const *include_directories;        /* [n_include_directories] */
    const struct dpl_star_include *include_worlds; /* [n_include_worlds] not read here */
    size_t n_geometries, n_shapes, n_lights, n_devices, n_include_directories, n_include_worlds;
    struct dpl__star_source *source; /* private: the content of the file */
};

#ifdef __cplusplus
}
#endif

#endif
