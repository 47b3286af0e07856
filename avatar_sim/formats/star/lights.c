/* SPDX-License-Identifier: Apache-2.0 */
/* Lights. */
#include <math.h>
#include <string.h>

#include "reader.h"

/* Places for all lights of the file. */
struct lights {
    struct dpl_star_light *list;
    json_t **json;
    size_t n;
};

static void read_colour(struct dpl__star_reader *reader, struct dpl__star_node node,
                        const char *key, double ret_colour[3])
{
    struct dpl__star_node colour = dpl__star_get(reader, node, key);
    if (colour.json) {
        dpl__star_numbers(reader, colour, 3, 1.0, ret_colour);
    }
}

static void read_light(struct dpl__star_reader *reader, struct dpl__star_node node,
                       const char *name, void *user)
{
    static const char *const types[] = {"point", "spot", "directional"};
    struct lights *lights = user;
    dpl__star_check_keys(reader, node, dpl__star_light_keys);
    struct dpl__star_node type = dpl__star_get(reader, node, "type");
    struct dpl__star_node parent = dpl__star_get(reader, node, "parent");
    if (!type.json || !parent.json) {
        dpl__star_error(reader, node, "this has no \"%s\"", type.json ? "parent" : "type");
        return;
    }
    int word = dpl__star_word(reader, type, types, 3);
    int frame = dpl__star_read_end(reader, parent, 0);
    if (word < 0 || frame < 0) {
        return;
    }
    struct dpl_star_light light = {.name = dpl_arena_strdup(reader->arena, name),
                                   .type = (enum dpl_star_light_type)word,
                                   .frame = frame};
    read_colour(reader, node, "Ka", light.ambient);
    read_colour(reader, node, "Kd", light.diffuse);
    read_colour(reader, node, "Ks", light.specular);
    lights->json[lights->n] = node.json;
    lights->list[lights->n++] = light;
}

const struct dpl_star_light *dpl__star_default_light(struct dpl_arena *arena,
                                                     const double gravity[3])
{
    struct dpl_star_light *light = dpl_arena_alloc(arena, sizeof *light);
    double length = hypot(hypot(gravity[0], gravity[1]), gravity[2]);
    light->name = "";
    light->type = DPL_STAR_DIRECTIONAL;
    light->frame = -1;
    for (int i = 0; i < 3; i++) {
        light->direction[i] = length > 0.0 ? gravity[i] / length : i == 2 ? -1.0 : 0.0;
        light->ambient[i] = 0.3;
        light->diffuse[i] = 0.7;
        light->specular[i] = 0.2;
    }
    return light;
}

void dpl__star_read_lights(struct dpl__star_reader *reader, struct dpl__star_node root)
{
    struct dpl_star_world *world = reader->world;
    struct dpl__star_node lists[2] = {
        dpl__star_get(reader, dpl__star_get(reader, root, "fixed"), "lights"),
        dpl__star_get(reader, root, "lights")};
    size_t n = 1;
    for (int i = 0; i < 2; i++) {
        n += json_object_size(lists[i].json) + json_array_size(lists[i].json);
    }
    struct lights lights = {.list = dpl_arena_alloc(reader->arena, n * sizeof *lights.list),
                            .json = dpl_arena_alloc(reader->arena, n * sizeof *lights.json)};
    for (int i = 0; i < 2; i++) {
        dpl__star_each(reader, lists[i], read_light, &lights);
    }
    reader->source->lights = lights.json;
    world->lights = lights.list;
    world->n_lights = lights.n;
    if (lights.n == 0) {
        world->lights = dpl__star_default_light(reader->arena, reader->graph->gravity);
        world->n_lights = 1;
    }
}
