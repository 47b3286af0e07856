/* SPDX-License-Identifier: Apache-2.0 */
#include "bag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/host/module.h>
#include <doppel/output.h>

#include "mcap_records.h"

bool bag_is(const char *file)
{
    char magic[MCAP_MAGIC_BYTES];
    struct stat status;
    if (stat(file, &status) < 0 || !S_ISREG(status.st_mode)) {
        return false; /* a pipe would lose what is read */
    }
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    bool is = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
              memcmp(magic, MCAP_MAGIC, sizeof magic) == 0;
    if (fd >= 0) {
        close(fd);
    }
    return is;
}

static bool is_named_so(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && name[0] != '.' && strcmp(name + n - 5, ".mcap") == 0;
}

int bag_find(const char *path, char *ret_file, size_t size, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = path};
    DIR *folder = opendir(path);
    struct dirent *entry;
    size_t n = 0;
    int length = snprintf(ret_file, size, "%s", path);
    while (folder && (entry = readdir(folder))) {
        if (is_named_so(entry->d_name)) {
            length = snprintf(ret_file, size, "%s/%s", path, entry->d_name);
            n++;
        }
    }
    if (folder) {
        closedir(folder);
    }
    if (folder && n != 1) {
        return n == 0 ? dpl_fail(reterr, -ENOENT, place,
                                 "the folder has no recording: `doppel run --out %s --record "
                                 "%s/run.mcap` makes one",
                                 path, path)
                      : dpl_fail(reterr, -EEXIST, place,
                                 "the folder has %zu recordings (*.mcap); name one of them", n);
    }
    return length < (int)size ? 0 : dpl_fail(reterr, -ENAMETOOLONG, place, "the name is too long");
}

static int map_file(const char *file, struct bag *bag)
{
    struct stat status;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) < 0 || S_ISDIR(status.st_mode)) {
        int err = fd >= 0 && S_ISDIR(status.st_mode) ? -EISDIR : -errno;
        if (fd >= 0) {
            close(fd);
        }
        return err;
    }
    bag->n = (size_t)status.st_size;
    bool has_bytes = S_ISREG(status.st_mode) && bag->n > 0;
    void *bytes = has_bytes ? mmap(NULL, bag->n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    int err = bytes != MAP_FAILED ? 0 : has_bytes ? -errno : -EINVAL;
    bag->bytes = err == 0 ? bytes : NULL;
    close(fd);
    return err;
}

int bag_load(const struct mcap_file_module **ret_module, struct dpl_diag *reterr)
{
    const void *table;
    int r = dpl_module_load("mcap_file", sizeof **ret_module, &table, reterr);
    *ret_module = r < 0 ? NULL : table;
    return r;
}

int bag_sink_write(void *output, const void *data, size_t n)
{
    return fwrite(data, 1, n, ((struct dpl_output *)output)->stream) == n ? 0 : -errno;
}

/* Names are those of files; what damage has made of one is not printed. */
static bool is_name(struct dpl_mcap_span span)
{
    size_t i = 0;
    while (i < span.n && span.data[i] > ' ' && span.data[i] < 0x7f) {
        i++;
    }
    return span.n > 0 && i == span.n;
}

static void name_damage(struct bag *bag)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    for (size_t i = info->n_damaged_files; i-- > 0;) {
        struct dpl_mcap_span name = info->damaged_files[i];
        snprintf(bag->damage, sizeof bag->damage, BAG_DAMAGED ": %.*s in it cannot be read",
                 is_name(name) ? (int)(name.n < 64 ? name.n : 64) : 6,
                 is_name(name) ? (const char *)name.data : "a file");
    }
}

int bag_open(const char *file, struct bag *ret_bag, struct dpl_diag *reterr)
{
    struct bag bag = {.file = file};
    struct dpl_place place = {.file = file};
    struct dpl_diag why = {0};
    int r = map_file(file, &bag);
    if (r < 0) {
        return dpl_fail(reterr, r, place, "%s",
                        r == -EINVAL ? "it is empty, or no file" : strerror(-r));
    }
    r = bag_load(&bag.module, &why);
    r = r < 0 ? r : bag.module->open(bag.bytes, bag.n, &bag.reader, &why);
    if (r < 0) {
        bag_close(&bag);
        return dpl_fail(reterr, r, place, "%s", r == -ENOMEM ? "no memory" : why.text);
    }
    name_damage(&bag);
    *ret_bag = bag;
    return 0;
}

void bag_close(struct bag *bag)
{
    if (bag->reader) {
        bag->module->close(bag->reader);
    }
    if (bag->bytes) {
        munmap(bag->bytes, bag->n);
    }
    *bag = (struct bag){0};
}

/* ---- what it has ---- */

const char *bag_trouble(const struct bag *bag)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    return bag_span_is(info->compression, "lz4")
               ? "the messages of some chunks are missing: they are compressed by lz4, and only "
                 "zstd is read (`mcap compress --compression zstd` makes another file of it)"
           : info->compression.n > 0
               ? "the messages of some chunks are missing: how they are compressed is not known"
           : info->n_damaged > info->n_damaged_files ? BAG_DAMAGED
               ": messages of some chunks are missing"
           : bag->damage[0]    ? bag->damage
           : info->is_complete ? ""
                               : "it is cut off: what came after its last whole chunk is missing";
}

bool bag_is_damaged(const struct bag *bag, const char *name)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    size_t i = 0;
    while (i < info->n_damaged_files && !bag_span_is(info->damaged_files[i], name)) {
        i++;
    }
    return i < info->n_damaged_files;
}

bool bag_span_is(struct dpl_mcap_span span, const char *text)
{
    return span.n == strlen(text) && (span.n == 0 || memcmp(span.data, text, span.n) == 0);
}

const struct dpl_mcap_attachment *bag_attachment(const struct bag *bag, const char *name)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    const struct dpl_mcap_attachment *found = NULL;
    for (size_t i = 0; i < info->n_attachments; i++) {
        found = bag_span_is(info->attachments[i].name, name) ? &info->attachments[i] : found;
    }
    return found;
}

const struct dpl_mcap_channel *bag_topic(const struct bag *bag, const char *topic)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    for (size_t i = info->n_channels; i-- > 0;) {
        if (bag_span_is(info->channels[i]->topic, topic)) {
            return info->channels[i];
        }
    }
    return NULL;
}

static bool is_wanted(void *user, const struct dpl_mcap_channel *channel)
{
    const struct bag_wanted *wanted = user;
    return channel == wanted->channels[0] || channel == wanted->channels[1];
}

void bag_seek(struct bag *bag, const struct bag_wanted *wanted)
{
    bag->module->seek(bag->reader, 0, UINT64_MAX, is_wanted, (void *)(uintptr_t)wanted);
}

json_t *bag_record(const struct bag *bag, struct dpl_diag *reterr)
{
    const struct dpl_mcap_attachment *found = bag_attachment(bag, "run.json");
    json_error_t error = {0};
    snprintf(error.text, sizeof error.text, "%s",
             bag_is_damaged(bag, "run.json") ? "it is damaged"
             : bag->module->info(bag->reader)->n_damaged > 0
                 ? "it is damaged, or was never there"
                 : "it is not there: no recording of `doppel run --record`");
    json_t *record =
        found ? json_loadb((const char *)found->data.data, found->data.n, 0, &error) : NULL;
    if (!json_is_object(record)) {
        json_decref(record);
        dpl_fail(reterr, found ? -EINVAL : -ENOENT, (struct dpl_place){.file = bag->file},
                 "run.json: %s", record ? "found no object" : error.text);
        return NULL;
    }
    return record;
}

/* ---- files ---- */

static int copy_attachment(const struct bag *bag, const char *name, char **ret_text, size_t *ret_n,
                           struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = bag->file};
    const struct dpl_mcap_attachment *found = bag_attachment(bag, name);
    if (!found) {
        return dpl_fail(
            reterr, -ENOENT, place,
            bag_is_damaged(bag, name) ? "%s in it is damaged" : "the recording has no %s", name);
    }
    char *text = malloc(found->data.n + 1);
    if (!text) {
        return dpl_fail(reterr, -ENOMEM, place, "no memory");
    }
    memcpy(text, found->data.data, found->data.n);
    text[found->data.n] = '\0';
    *ret_text = text;
    *ret_n = found->data.n;
    return 0;
}

int bag_text(struct bag *bag, const char *name, char **ret_text, size_t *ret_n,
             struct dpl_diag *reterr)
{
    if (strcmp(name, "run.json") == 0 || strcmp(name, "summary.json") == 0) {
        return copy_attachment(bag, name, ret_text, ret_n, reterr);
    }
    return strcmp(name, "trace.csv") == 0 ? bag_trace(bag, ret_text, ret_n, reterr)
                                          : bag_scans(bag, name, ret_text, ret_n, reterr);
}

int bag_text_of(const char *file, const char *name, char **ret_text, size_t *ret_n,
                struct dpl_diag *reterr)
{
    struct bag bag;
    int r = bag_open(file, &bag, reterr);
    if (r == 0) {
        r = bag_text(&bag, name, ret_text, ret_n, reterr);
        bag_close(&bag);
    }
    return r;
}

bool bag_name(struct bag *bag, size_t number, char *ret_name, size_t size)
{
    static const char *const fixed[BAG_FIRST_SCANS] = {"run.json", "summary.json", "trace.csv"};
    if (number < BAG_FIRST_SCANS) {
        snprintf(ret_name, size, "%s", fixed[number]);
        return true;
    }
    json_t *record = bag_record(bag, NULL);
    const char *name = bag_scans_name(record, number - BAG_FIRST_SCANS);
    if (name) {
        snprintf(ret_name, size, "%s", name);
    }
    json_decref(record);
    return name != NULL;
}
