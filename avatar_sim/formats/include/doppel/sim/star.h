/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format: JSON files with a tree of assemblies, their bodies, joints in loops, and
 * restraints (docs/reference/star.md). The reader makes a graph for the solver in minimal
 * coordinates (doppel/sim/multibody_graph.h). The writer makes a file from a graph, also from one
 * that a program has made or changed. Numbers in files have the files' units; here all numbers are
 * in SI units.
 *
 * The calls allocate and block on files; a world belongs to one thread at a time. */
#ifndef DOPPEL_SIM_STAR_H
#define DOPPEL_SIM_STAR_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>
#include <doppel/sim/multibody.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_STAR_BYTES_MAX    (64u << 20) /* of a file */
#define DPL_STAR_VALUES_MAX   8000000u    /* in a file */
#define DPL_STAR_DEPTH_MAX    256         /* arrays and objects in each other */
#define DPL_STAR_ERRORS_MAX   50          /* that are listed */
#define DPL_STAR_WARNINGS_MAX 200         /* the same, and notes */

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

extern const char *const dpl_star_sensor_words[DPL_STAR_SENSOR_TYPES];

struct dpl_star_sensor {
    const char *name; /* unique in the device */
    enum dpl_star_sensor_type type;
    int frame;         /* -1: none, only of an encoder */
    int joint;         /* of an encoder; -1: none */
    const char *other; /* its other keys, a JSON object as text; in the file's own units */
    int line, column;  /* of the sensor in the file, from 1 */
};

/* Calls `take` for each key in `other`, with its value as a text; NULL: an array or an object. The
 * text is valid during the call. Allocates. */
void dpl_star_sensor_each(const struct dpl_star_sensor *sensor,
                          void (*take)(void *user, const char *key, const char *text), void *user);

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

struct dpl_star_options {
    bool allow_comments;                /* from two slashes to the end of a line, and as in C */
    const struct dpl_mb_memory *memory; /* of the graph; NULL: malloc */
};

/* Reads a file. Diagnostics ("file:line:column: error: JSON-path: text") are added in the order of
 * their places: at most DPL_STAR_ERRORS_MAX errors and DPL_STAR_WARNINGS_MAX warnings. An error of
 * syntax ends the reading: beside it, only keys that are there twice before it are told. `options`
 * NULL: all 0. 0; -EINVAL: there were errors; -ENOMEM, without diagnostics; -errno of the file,
 * with one. */
int dpl_star_read(const char *path, const struct dpl_star_options *options,
                  struct dpl_star_world **ret_world, struct dpl_diags *diags);

/* The same for `n` bytes; `name` is the name of the file, and must outlive the diagnostics. */
int dpl_star_read_text(const char *name, const char *bytes, size_t n,
                       const struct dpl_star_options *options, struct dpl_star_world **ret_world,
                       struct dpl_diags *diags);

/* Makes a world from a graph, in SI units, without devices. The world owns the graph from now on.
 * 0, or -ENOMEM: the caller still owns the graph. */
int dpl_star_create(struct dpl_mb_graph *graph, struct dpl_star_world **ret_world);

void dpl_star_destroy(struct dpl_star_world *world); /* NULL: does nothing */

/* Whether a device is in use: it, the assemblies around it, its joints and the bodies of its frames
 * are active. */
bool dpl_star_device_is_active(const struct dpl_star_world *world, size_t device);

/* Writes a world with the present state of its graph, in its units, in dialect A or C. Values that
 * have not changed since reading are written as they were. Other numbers are written so that
 * reading them gives the same value. Keys that the reader does not know are kept. Parts in the root
 * of a graph get an assembly of their own, because files have no parts in the root. For a snapshot,
 * call dpl_mb_store first. The text ends with 0; free() it. 0; -EINVAL: dialect B; -ENOMEM. */
int dpl_star_write_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                        char **ret_text, size_t *ret_n);

/* The same into a file, which is replaced when it is complete; also -errno of the file. */
int dpl_star_write(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                   const char *path, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
