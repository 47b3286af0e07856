/* SPDX-License-Identifier: Apache-2.0 */
/* Services with which those outside keep something of a run, in its folder: the last time as a
 * recording, the run as a bench. JSON. On the observer's thread. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/observe.h>

#include <jansson.h>

#include "host_calls.h"
#include "observer.h"
#include "run_bench.h"
#include "runtime.h"
#include "services.h"

#define NAME_MAX_BYTES 64
#define NUMBERS        9999 /* files without a name of their own */

static const struct dpl_place nowhere;

struct wanted {
    const char *name; /* ""; as it was asked for */
    double seconds;
};

/* A name is one of a file in the folder: without a way out of it, and with an end that no result
 * has. */
static int check_name(const char *name, struct dpl_diag *reterr)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    bool is_one = strspn(name, letters) == strlen(name) && strlen(name) <= NAME_MAX_BYTES &&
                  name[0] != '.' && name[0] != '-';
    return is_one ? 0
                  : dpl_fail(reterr, -EINVAL, nowhere,
                             "name: found '%.80s', expected up to %d letters, digits, '_', '-' and "
                             "'.', without a folder",
                             name, NAME_MAX_BYTES);
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), n_end = strlen(end);
    return n > n_end && strcmp(name + n - n_end, end) == 0;
}

/* "FOLDER/NAME.END", or the n-th of a family of names. */
static int make_path(const struct dpl_runtime *runtime, const char *name, const char *family,
                     const char *end, int n, char *ret_path, size_t size, struct dpl_diag *reterr)
{
    const char *folder = runtime->options.out_dir;
    int length =
        *name ? snprintf(ret_path, size, "%s/%s%s", folder, name, ends_in(name, end) ? "" : end)
              : snprintf(ret_path, size, "%s/%s-%d%s", folder, family, n, end);
    return length > 0 && (size_t)length < size
               ? 0
               : dpl_fail(reterr, -ENAMETOOLONG, nowhere, "the name of the folder is too long");
}

/* What is kept, how its file ends, and how files without a name of their own begin. `write` makes a
 * new file: 0; -EEXIST: there is one; -errno with reterr. */
struct kind {
    int (*write)(struct dpl__services *services, const char *path, const struct wanted *wanted,
                 json_t *answer, struct dpl_diag *reterr);
    const char *family, *end;
    const char *schema;
};

static int write_new(struct dpl__services *services, const struct kind *kind,
                     const struct wanted *wanted, json_t *answer, struct dpl_diag *reterr)
{
    char path[4096] = "";
    int r = -EEXIST;
    for (int n = 1; r == -EEXIST && n <= (*wanted->name ? 1 : NUMBERS); n++) {
        r = make_path(services->runtime, wanted->name, kind->family, kind->end, n, path,
                      sizeof path, reterr);
        r = r < 0 ? r : kind->write(services, path, wanted, answer, reterr);
    }
    const char *slash = strrchr(path, '/');
    json_object_set_new(answer, "file", json_string(slash ? slash + 1 : path));
    return r == -EEXIST
               ? dpl_fail(reterr, r, nowhere, "%s: there is such a file: take another name",
                          slash ? slash + 1 : path)
               : r;
}

static int save(struct dpl__services *services, const char *path, const struct wanted *wanted,
                json_t *answer, struct dpl_diag *reterr)
{
    struct dpl_saved saved = {0};
    int r = dpl__observer_save(services->runtime, path, wanted->seconds, &saved, reterr);
    json_object_set_new(answer, "from_s", json_real(dpl_ns_to_s(saved.from)));
    json_object_set_new(answer, "to_s", json_real(dpl_ns_to_s(saved.to)));
    json_object_set_new(answer, "messages", json_integer((json_int_t)saved.n_messages));
    return r;
}

static int make_bench(struct dpl__services *services, const char *path, const struct wanted *wanted,
                      json_t *answer, struct dpl_diag *reterr)
{
    const struct dpl_runtime *runtime = services->runtime;
    (void)wanted;
    json_object_set_new(answer, "to_s", json_real(dpl_ns_to_s(dpl__runtime_now(runtime))));
    return services->errands.n > 0
               ? dpl_fail(reterr, -EAGAIN, nowhere, "another request is on its way: ask again")
               : dpl__run_bench_write(runtime, &services->by_hand, path, reterr);
}

#define SCHEMA(members)                                                                            \
    "{\"type\":\"object\",\"properties\":{" members "\"name\":{\"type\":\"string\","               \
    "\"description\":\"of the new file in the folder of --out; without it the next free "          \
    "number\"}}}"
static const struct kind kinds[] = {
    {save, "last", ".mcap",
     SCHEMA("\"seconds\":{\"type\":\"number\",\"description\":\"[s] of the run's time, 60 at "
            "most\"},")},
    {make_bench, "bench", ".xml", SCHEMA("")},
};

static int read_request(const struct kind *kind, json_t *object, struct wanted *wanted,
                        struct dpl_diag *reterr)
{
    const char *name;
    json_t *value;
    int r = json_is_object(object)
                ? 0
                : dpl_fail(reterr, -EINVAL, nowhere, "the request is no JSON object");
    json_object_foreach(object, name, value)
    {
        bool is_name = strcmp(name, "name") == 0;
        double seconds = json_number_value(value);
        if (r == 0 && !is_name && (kind->write != save || strcmp(name, "seconds") != 0)) {
            r = dpl_fail(reterr, -EINVAL, nowhere, "it takes no '%.80s'", name);
        } else if (r == 0 && is_name) {
            wanted->name = json_is_string(value) ? json_string_value(value) : "/";
            r = *wanted->name ? check_name(wanted->name, reterr) : 0;
        } else if (r == 0) {
            r = json_is_number(value) && seconds > 0.0 && seconds <= DPL_OBSERVE_KEPT_S
                    ? 0
                    : dpl_fail(reterr, -ERANGE, nowhere,
                               "seconds: a number above 0, %g at most, is expected",
                               DPL_OBSERVE_KEPT_S);
            wanted->seconds = seconds;
        }
    }
    return r;
}

static int keep(struct dpl__services *services, const struct kind *kind, enum dpl_role role,
                const struct dpl_asked *asked, json_t *answer, struct dpl_diag *reterr)
{
    struct wanted wanted = {"", DPL_OBSERVE_KEPT_S};
    json_t *object = asked->n_value == 0
                         ? json_object()
                         : json_loadb(asked->value, asked->n_value, JSON_REJECT_DUPLICATES, NULL);
    int r = role < DPL_ROLE_CONTROL
                ? dpl_fail(reterr, -EACCES, nowhere,
                           "%s may not write files: that needs the role control", asked->who)
            : !services->runtime->options.out_dir
                ? dpl_fail(reterr, -ENOENT, nowhere,
                           "the run has no folder for it: start it with --out")
                : read_request(kind, object, &wanted, reterr);
    r = r < 0 ? r : write_new(services, kind, &wanted, answer, reterr);
    json_decref(object);
    return r;
}

static void call(struct dpl__services *services, const struct dpl__service *service,
                 struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct dpl_diag why = {0};
    json_t *answer = json_object();
    json_object_set_new(answer, "ok", json_true());
    int r = keep(services, service->source, asker.role, asked, answer, &why);
    char *text = r < 0 ? NULL : json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(15));
    if (r == 0) {
        dpl__log_event(services->runtime->log, DPL_LOG_INFO, "run", "%s keeps %s", asked->who,
                       json_string_value(json_object_get(answer, "file")));
    }
    dpl__asker_tell(asker, asked->tag, r, r < 0 ? why.text : text ? text : "{}");
    free(text);
    json_decref(answer);
}

void dpl__keep_services_add(struct dpl__services *services)
{
    static const char *const names[] = {"/run/save", "/run/bench"};
    static const char answer[] =
        "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},\"file\":{\"type\":"
        "\"string\"},\"from_s\":{\"type\":\"number\"},\"to_s\":{\"type\":\"number\"},\"messages\":"
        "{\"type\":\"integer\"}}}";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct dpl_service_desc described = {.name = names[i],
                                             .type = names[i],
                                             .provider = "",
                                             .encoding = "json",
                                             .schema_encoding = "jsonschema",
                                             .request_schema_name = names[i],
                                             .response_schema_name = "kept",
                                             .request_schema = kinds[i].schema,
                                             .n_request_schema = strlen(kinds[i].schema),
                                             .response_schema = answer,
                                             .n_response_schema = sizeof answer - 1};
        dpl__services_add(services,
                          &(struct dpl__service){described, call, &kinds[i], .is_for_all = true});
    }
}
