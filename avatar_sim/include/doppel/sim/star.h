/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format: JSON files with a tree of assemblies, their bodies, joints in loops, and
 * restraints (docs/star.md). The reader makes the graph that the solver in minimal coordinates
 * takes (doppel/sim/multibody_graph.h); the writer makes files of graphs, also of those that code
 * made or changed. Numbers of files are in the files' units, here everything is in SI units.
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

/* What files look like. Any file may mix them; a file has that which its version says. */
enum dpl_star_dialect {
    DPL_STAR_A, /* "star_version" "2.0.1": names are keys, powers descend */
    DPL_STAR_B, /* "version" "0.2": arrays of things with names */
    DPL_STAR_C, /* "version" "2.0.0": the same, with parents and children, and axes */
};

/* What a file's units are in SI units, and the file's words for them. */
struct dpl_star_units {
    double angle, length, mass, time; /* rad, m, kg, s */
    const char *angle_word, *length_word, *mass_word, *time_word;
};

struct dpl_star_settings {
    struct dpl_mb_settings solver; /* what a file does not say is 0, the integrator rk4 */
    double time_step;              /* s; 0: the file says none */
    double time_span;              /* s; 0: none */
};

/* What a body looks like: files, which the reader does not open. */
struct dpl_star_geometry {
    int body;
    const char *const *files; /* [n_files] as in the file, relative to include directories */
    size_t n_files;
    struct dpl_mb_place place; /* in the frame of the body */
    int line, column;          /* where the file names them */
};

enum dpl_star_light_type { DPL_STAR_POINT, DPL_STAR_SPOT, DPL_STAR_DIRECTIONAL };

/* A spot or directional light shines along -z of its frame. */
struct dpl_star_light {
    const char *name;
    enum dpl_star_light_type type;
    int frame;           /* -1: there is none; this is the light of worlds that have no other */
    double direction[3]; /* of that light, in the world: where it shines to */
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
    const char *name; /* unlike those of others of the device */
    enum dpl_star_sensor_type type;
    int frame;         /* -1: none, only of an encoder */
    int joint;         /* of an encoder; -1: none */
    const char *other; /* its other keys, a JSON object as text; in the file's own units */
    int line, column;  /* of the sensor in the file, from 1 */
};

/* Calls for each other key of a sensor, with its value as a text; NULL: an array or an object. The
 * text lives as long as the call. Allocates. */
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

/* A world of Doppel, in XML, whose contents the file adds, and where it says so. */
struct dpl_star_include {
    const char *file;
    int line, column;
};

struct dpl_star_world {
    struct dpl_mb_graph *graph; /* may be changed; it is the world's */
    enum dpl_star_dialect dialect;
    struct dpl_star_units units;
    struct dpl_star_settings settings;
    const struct dpl_star_geometry *geometries;    /* [n_geometries] by rising body */
    const struct dpl_star_light *lights;           /* [n_lights] at least one */
    const struct dpl_star_device *devices;         /* [n_devices] */
    const char *const *include_directories;        /* [n_include_directories] */
    const struct dpl_star_include *include_worlds; /* [n_include_worlds] not read here */
    size_t n_geometries, n_lights, n_devices, n_include_directories, n_include_worlds;
    struct dpl__star_source *source; /* private: what the file said */
};

struct dpl_star_options {
    bool allow_comments;                /* after two slashes to the end of a line, and as in C */
    const struct dpl_mb_memory *memory; /* of the graph; NULL: malloc */
};

/* Reads a file. Diagnostics ("file:line:column: error: JSON-path: text") are added in the order of
 * their places, errors of syntax alone, others up to DPL_STAR_ERRORS_MAX and
 * DPL_STAR_WARNINGS_MAX. `options` NULL: all 0.
 * 0; -EINVAL: there were errors; -ENOMEM, without diagnostics; -errno of the file, with one. */
int dpl_star_read(const char *path, const struct dpl_star_options *options,
                  struct dpl_star_world **ret_world, struct dpl_diags *diags);

/* The same of `n` bytes; `name` stands for the file, and outlives the diagnostics. */
int dpl_star_read_text(const char *name, const char *bytes, size_t n,
                       const struct dpl_star_options *options, struct dpl_star_world **ret_world,
                       struct dpl_diags *diags);

/* A world around a graph, in SI units, without devices; the graph is the world's from now on.
 * 0, or -ENOMEM: then it is not. */
int dpl_star_create(struct dpl_mb_graph *graph, struct dpl_star_world **ret_world);

void dpl_star_destroy(struct dpl_star_world *world); /* NULL: nothing */

/* Whether a device takes part: it, the assemblies around it, its joints and the bodies of its
 * frames are active. */
bool dpl_star_device_is_active(const struct dpl_star_world *world, size_t device);

/* Writes a world as its graph is now, in its units, as dialect A or C. What did not change since it
 * was read is written as it was, other numbers so that they are read as the same; keys that the
 * reader does not know are kept. What is in the root of a graph gets an assembly of its own, since
 * files have nothing in the root. A snapshot is what is written after dpl_mb_store. The text ends
 * with 0; free() it. 0; -EINVAL: dialect B; -ENOMEM. */
int dpl_star_write_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                        char **ret_text, size_t *ret_n);

/* The same into a file, which is replaced when it is complete; also -errno of the file. */
int dpl_star_write(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                   const char *path, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
