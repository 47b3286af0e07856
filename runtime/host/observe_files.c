/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/host/catalog.h>

#include "file_bytes.h"
#include "observer.h"
#include "run_record.h"
#include "runtime.h"

#define FILES_MAX 512
#define FILE_MOST ((size_t)16 << 20)

struct names {
    const char *items[FILES_MAX]; /* of the app and its catalogue: they outlive them */
    dev_t devices[FILES_MAX];
    ino_t inodes[FILES_MAX];
    size_t n;
};

/* A file that has several names is there once. */
static void add(struct names *names, const char *file)
{
    struct stat about;
    if (!file || names->n == FILES_MAX || stat(file, &about) < 0) {
        return;
    }
    for (size_t i = 0; i < names->n; i++) {
        if (names->devices[i] == about.st_dev && names->inodes[i] == about.st_ino) {
            return;
        }
    }
    names->devices[names->n] = about.st_dev;
    names->inodes[names->n] = about.st_ino;
    names->items[names->n++] = file;
}

static void add_device(struct names *names, const struct dpl_app_device *device)
{
    if (device) {
        add(names, device->place.file);
        for (size_t i = 0; i < device->driver->n_sides; i++) {
            add_device(names, &device->sides[i]);
        }
    }
}

/* The profile, its composites, its bindings and the world: all that places of the app name. */
static void find(struct names *names, const struct dpl_app *app)
{
    add(names, app->file);
    add(names, app->world);
    for (size_t i = 0; i < app->n_components; i++) {
        add(names, app->components[i].place.file);
        add_device(names, app->components[i].device);
    }
    for (size_t i = 0; i < app->n_connections; i++) {
        add(names, app->connections[i].place.file);
    }
    for (size_t i = 0; i < app->n_world_properties; i++) {
        add(names, app->world_properties[i].place.file);
    }
}

/* ---- what files name ---- */

static const char *media_type_of(const char *file)
{
    static const struct {
        const char *end, *media_type;
    } kinds[] = {
        {".xml", "application/xml"},
        {".urdf", "application/xml"},
        {".sdf", "application/xml"},
        {".json", "application/json"},
        {".csv", "text/csv"},
        {".obj", "application/octet-stream"},
        {".stl", "application/octet-stream"},
        {".dae", "application/octet-stream"},
        {".pgm", "application/octet-stream"},
    };
    const char *end = strrchr(file, '.');
    for (size_t i = 0; end && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(end, kinds[i].end) == 0) {
            return kinds[i].media_type;
        }
    }
    return NULL;
}

/* A word of a file that is the name of another one: beside it, or in a folder of the profiles. */
static void add_word(struct names *names, struct dpl_catalog *catalog, const char *file,
                     const char *word, size_t n)
{
    char name[256];
    if (n == 0 || n >= sizeof name || word[0] == '/') {
        return;
    }
    memcpy(name, word, n);
    name[n] = '\0';
    if (media_type_of(name)) {
        add(names, dpl_catalog_find_profile(catalog, NULL, name, file));
    }
}

static void add_words(struct names *names, struct dpl_catalog *catalog, const char *file,
                      const char *text)
{
    static const char gaps[] = " \t\r\n\"'<>=;,|()";
    for (const char *at = text + strspn(text, gaps); *at;) {
        size_t n = strcspn(at, gaps);
        if (n >= 3 && at > text && at[-1] == '<' && strncmp(at, "!--", 3) == 0) {
            const char *end = strstr(at, "-->");
            at = end ? end : at + strlen(at);
            n = 0;
        }
        add_word(names, catalog, file, at, n);
        at += n;
        at += n > 0 ? strspn(at, gaps) : *at != '\0';
    }
}

/* Robots, included worlds, meshes, tables: each file may name more. */
static void find_named(struct names *names, struct dpl_catalog *catalog)
{
    for (size_t i = 0; catalog && i < names->n; i++) {
        const char *kind = media_type_of(names->items[i]);
        char *bytes;
        size_t n;
        int opened;
        if (kind && strcmp(kind, "application/xml") == 0 &&
            dpl_file_bytes(names->items[i], FILE_MOST, &bytes, &n, &opened) == 0) {
            char *text = realloc(bytes, n + 1);
            if (text) {
                text[n] = '\0';
                add_words(names, catalog, names->items[i], text);
            }
            free(text ? text : bytes);
        }
    }
}

/* The last parts of the path, as many as needed that no other file ends so: "apps/NAME.xml". */
static const char *name_of(const struct names *names, size_t i)
{
    const char *whole = names->items[i], *at = whole + strlen(whole);
    for (size_t parts = 0, same = 1; at > whole && (parts < 2 || same > 1);) {
        for (at--; at > whole && at[-1] != '/'; at--) {
        }
        parts++;
        same = 0;
        for (size_t k = 0; k < names->n; k++) {
            size_t n = strlen(names->items[k]), tail = strlen(at);
            same += n >= tail && strcmp(names->items[k] + n - tail, at) == 0;
        }
    }
    return at + (*at == '/');
}

void dpl__observe_files(const struct dpl_runtime *runtime,
                        void (*keep)(void *self, const struct dpl_kept_file *file), void *self)
{
    char *record = dpl__run_record_text(runtime);
    if (record) {
        keep(self, &(struct dpl_kept_file){"run.json", "application/json", record, strlen(record)});
    }
    free(record);
    struct names names = {.n = 0};
    find(&names, runtime->app);
    find_named(&names, runtime->app->catalog);
    for (size_t i = 0; i < names.n; i++) {
        char *bytes;
        size_t n;
        int opened;
        if (dpl_file_bytes(names.items[i], FILE_MOST, &bytes, &n, &opened) == 0) {
            const char *kind = media_type_of(names.items[i]);
            kind = kind ? kind : "application/xml";
            keep(self, &(struct dpl_kept_file){name_of(&names, i), kind, bytes, n});
            free(bytes);
        }
    }
}
