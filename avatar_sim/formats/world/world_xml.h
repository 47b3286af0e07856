/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a <world>, in seven files: world_xml.c the elements, obstacles_xml.c those that stand
 * still, world_files.c the files that they name, world_import.c and world_star.c robots of other
 * formats, world_place.c what is placed at random, load.c the entry
 * points. */
#ifndef DOPPEL_SIM_WORLD_XML_H
#define DOPPEL_SIM_WORLD_XML_H

#include <sys/stat.h>

#include <doppel/sim/load.h>

#include "classes.h"
#include "element.h"
#include "formats.h"
#include "params.h"
#include "sets.h"

enum { DPL_WORLD_DEFERRED_MAX = 256, DPL_WORLD_DEPTH_MAX = 8, DPL_WORLD_INCLUDES_MAX = 256 };
enum { DPL_OBSTACLE_KINDS = 5 };

/* A robot that was read, as the model numbers them. In the model it starts where the file has it
 * until all that is random is placed; then, if a set tells its start, there. */
struct dpl__world_robot {
    const struct dpl_xml_node *node;
    struct dpl_pose2 told;
    bool is_told;
};

/* The reader's target while a world is read. */
struct dpl__world_target {
    struct dpl_sim_model *model;
    const struct dpl_sim_load_options *options;
    const char *file;                               /* that is being read */
    struct stat including[DPL_WORLD_DEPTH_MAX + 1]; /* the files around it, for telling cycles */
    size_t depth, n_includes;
    struct dpl_xml_work work;               /* of expanding this file and those it names */
    bool is_full;                           /* an obstacle too many was reported */
    unsigned n_of_kind[DPL_OBSTACLE_KINDS]; /* obstacles so far */
    struct dpl__classes classes;
    const struct dpl_format *const *formats;       /* ends with NULL */
    const struct dpl_sim_settings *robot_settings; /* [formats] of their <robot> */
    struct dpl__sets sets;
    struct dpl_element_root root;
    struct dpl__list robots; /* of struct dpl__world_robot */
    const struct dpl_xml_node *starts[DPL_WORLD_DEFERRED_MAX], *scatters[DPL_WORLD_DEFERRED_MAX];
    size_t n_starts, n_scatters;
};

/* The root of a world's file with all that may be in it; lives in the arena. */
struct dpl_element_root dpl__world_root(struct dpl_arena *arena,
                                        const struct dpl__classes *classes);

extern const struct dpl_element_kind dpl__obstacle_kinds[DPL_OBSTACLE_KINDS];
/* Of <start> and <scatter>, which world_place.c reads. */
extern const struct dpl_element_table dpl__world_start_table, dpl__world_scatter_table;

/* Reads the root of a world into target->model; findings go to the reader. */
void dpl__world_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root);

/* The path of a file that an element names; reports its absence at the element. NULL: it is not
 * there. */
const char *dpl__world_find(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const char *name);

/* Reads a file that an element names; reports its absence at the element. Not expanded; NULL after
 * an error. */
const struct dpl_xml_node *dpl__world_file(struct dpl_element_reader *reader,
                                           const struct dpl_xml_node *node, const char *name,
                                           const char **ret_path);

/* The same, expanded, with the element's other attributes as parameters. */
const struct dpl_xml_node *dpl__world_read_named(struct dpl_element_reader *reader,
                                                 const struct dpl_xml_node *node,
                                                 const struct dpl_element_table *table,
                                                 const char *name, const char **ret_path);

/* Fills `base` from an element that names a file: from the attributes that `table` has. False after
 * an error. */
bool dpl__world_read_fields(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const struct dpl_element_table *table, void *base);

/* Adds a robot that was read, with the name of `spec`, and keeps its element. `spec` has the start
 * as it was told, if it was. */
void dpl__world_add_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          const struct dpl__robot_spec *spec, struct dpl_sim_robot *robot);

/* An error: a <robot> names no file of a format that there is. */
void dpl__world_say_needs_file(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Reads an <include file="..."/>. */
void dpl__world_include(struct dpl_element_reader *reader, const struct dpl_xml_node *node);

/* Adds to target->model; an error at the element if it does not fit. */
void dpl__world_add_obstacle(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                             const struct dpl_sim_obstacle *obstacle);

/* Places robots and solids at random, once all else is read; `move_robots`: also robots whose
 * <start> is not for always. Then puts robots whose start a set tells where it says. So nothing
 * that is drawn depends on what a robot is told. */
void dpl__world_place(struct dpl_element_reader *reader, bool move_robots);

#endif
