/* SPDX-License-Identifier: Apache-2.0 */
/* Services that steer the run: its time, its end, the life cycle of one component. JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <doppel/text.h>

#include "component.h"
#include "executor.h"
#include "field_json.h"
#include "host_calls.h"
#include "runtime.h"
#include "services.h"

#define AHEAD_MAX (1000000000 * DPL_S) /* a step or a stretch of time */
#define IDLE_STEP (10 * DPL_MS)        /* a cycle, when nothing is periodic */

static const struct dpl_place nowhere;

struct arguments {
    int64_t cycles;
    double seconds, rate;
    char component[256], text[256];
    bool take;
};

static const struct dpl_field cycles_field =
    DPL_INT(struct arguments, cycles, "cycles", NULL, 1, 1000000000,
            "of the executor with the shortest period");
static const struct dpl_field seconds_field =
    DPL_NUMBER(struct arguments, seconds, "seconds", "s", NULL, 1e-9, 1e9, "of the run's time");
static const struct dpl_field rate_field =
    DPL_NUMBER(struct arguments, rate, "rate", NULL, NULL, 0, 1e6,
               "factor of real time; 0: as fast as possible");
static const struct dpl_field component_field =
    DPL_TEXT(struct arguments, component, "component", NULL, "its name");
static const struct dpl_field take_field =
    DPL_BOOL(struct arguments, take, "take", NULL, "false: gives it back");
static const struct dpl_field text_field =
    DPL_TEXT(struct arguments, text, "text", NULL, "for who reads the log or the recording");

struct run_errand;

/* A service: of the run's time, or of the life cycle. */
struct row {
    const char *name;
    const struct dpl_field *field; /* of its request; NULL: none */
    const char *word;              /* for a world that is steered */
    int (*steer)(struct run_errand *errand, struct dpl_diag *reterr); /* NULL: `operation` */
    bool pauses;                                                      /* at its end */
    enum dpl__operation operation;
    struct dpl__errand_ops ops;
};

struct run_errand {
    struct dpl__errand errand; /* must be first */
    const struct row *row;
    struct dpl_runtime *runtime;
    struct dpl__component *component;
    struct arguments arguments;
    unsigned long long hold; /* the number of its hold (pacing.h) */
    bool is_of_world;
    int of_world; /* the number of what it was asked for */
    dpl_ns time;  /* of the world when that was done */
};

/* ---- time, on the scheduler's thread ---- */

static struct run_errand *of(struct dpl__request *request)
{
    return (struct run_errand *)(void *)request;
}

/* While components start one after the other, nobody interferes. */
static int check_begun(const struct run_errand *errand, struct dpl_diag *reterr)
{
    return errand->runtime->began ? 0
                                  : dpl_fail(reterr, -EAGAIN, nowhere, "the run has not begun yet");
}

static dpl_ns sim_now(const struct dpl_runtime *runtime)
{
    return atomic_load_explicit(&runtime->sim_now, memory_order_relaxed);
}

static void hold(struct run_errand *errand, dpl_ns at)
{
    struct dpl_runtime *runtime = errand->runtime;
    dpl__pacing_rebase(&runtime->pacing, sim_now(runtime), dpl_monotonic_now());
    dpl__pacing_hold(&runtime->pacing, at);
    errand->hold = atomic_load_explicit(&runtime->pacing.n_holds, memory_order_relaxed);
}

static void tell(const struct run_errand *errand, const char *what, double value, const char *unit)
{
    const struct dpl_runtime *runtime = errand->runtime;
    dpl__log_event(runtime->log, DPL_LOG_DEBUG, "run", "%s: %s %.9g%s at %.6f s",
                   errand->errand.request.who, what, value, unit, dpl_ns_to_s(sim_now(runtime)));
}

static int run_pause(struct run_errand *errand, struct dpl_diag *reterr)
{
    (void)reterr;
    hold(errand, sim_now(errand->runtime));
    dpl__log_event(errand->runtime->log, DPL_LOG_INFO, "run", "%s paused it at %.6f s",
                   errand->errand.request.who, dpl_ns_to_s(sim_now(errand->runtime)));
    return 0;
}

static int run_resume(struct run_errand *errand, struct dpl_diag *reterr)
{
    (void)reterr;
    hold(errand, DPL__NO_HOLD);
    dpl__log_event(errand->runtime->log, DPL_LOG_INFO, "run", "%s let it go on at %.6f s",
                   errand->errand.request.who, dpl_ns_to_s(sim_now(errand->runtime)));
    return 0;
}

static dpl_ns shortest_period(const struct dpl_runtime *runtime)
{
    dpl_ns shortest = 0;
    for (size_t i = 0; i < runtime->n_executors; i++) {
        dpl_ns period = runtime->executors[i]->execution.period;
        shortest = period > 0 && (shortest == 0 || period < shortest) ? period : shortest;
    }
    dpl_ns idle = runtime->options.drive_step > 0 ? runtime->options.drive_step : IDLE_STEP;
    return shortest > 0 ? shortest : idle;
}

static int run_step(struct run_errand *errand, struct dpl_diag *reterr)
{
    dpl_ns period = shortest_period(errand->runtime);
    int64_t cycles = errand->arguments.cycles;
    if (cycles > AHEAD_MAX / period) {
        return dpl_fail(reterr, -ERANGE, nowhere, "cycles: %lld of them take more than %.0f s",
                        (long long)cycles, dpl_ns_to_s(AHEAD_MAX));
    }
    tell(errand, "step", (double)cycles, "");
    hold(errand, sim_now(errand->runtime) + cycles * period);
    return 0;
}

static int run_for(struct run_errand *errand, struct dpl_diag *reterr)
{
    (void)reterr;
    tell(errand, "run for", errand->arguments.seconds, " s");
    hold(errand, sim_now(errand->runtime) + llround(errand->arguments.seconds * (double)DPL_S));
    return 0;
}

static int run_rate(struct run_errand *errand, struct dpl_diag *reterr)
{
    struct dpl__pacing *pacing = &errand->runtime->pacing;
    (void)reterr;
    tell(errand, "rate", errand->arguments.rate, "");
    dpl__pacing_rebase(pacing, sim_now(errand->runtime), dpl_monotonic_now());
    dpl__pacing_set_rate(pacing, errand->arguments.rate);
    return 0;
}

/* ---- time of a world, on the observer's thread ---- */

static void say_command(const struct run_errand *errand, char *ret_text, size_t size)
{
    const struct arguments *arguments = &errand->arguments;
    const struct row *row = errand->row;
    if (row->field == &cycles_field) {
        snprintf(ret_text, size, "%s %lld", row->word, (long long)arguments->cycles);
    } else if (row->field == &rate_field && !(arguments->rate > 0.0)) {
        snprintf(ret_text, size, "%s max", row->word);
    } else if (row->field) {
        double value = row->field == &rate_field ? arguments->rate : arguments->seconds;
        snprintf(ret_text, size, "%s %.17g", row->word, value);
    } else {
        snprintf(ret_text, size, "%s", row->word);
    }
}

static int steer_world(struct run_errand *errand, struct dpl_diag *reterr)
{
    const struct dpl_world_host *world = &errand->runtime->options.world;
    char command[96];
    say_command(errand, command, sizeof command);
    errand->of_world = world->ops->steer(world->self, command, reterr);
    if (errand->of_world >= 0) {
        dpl__log_event(errand->runtime->log, DPL_LOG_INFO, "run", "%s: %s",
                       errand->errand.request.who, command);
    }
    return errand->of_world < 0 ? errand->of_world : 0;
}

static int look_at_world(struct run_errand *errand, struct dpl_diag *reterr)
{
    const struct dpl_world_host *world = &errand->runtime->options.world;
    return world->ops->steered(world->self, errand->of_world, &errand->time, reterr);
}

static int run_steering(struct dpl__request *request, struct dpl_diag *reterr)
{
    struct run_errand *errand = of(request);
    int r = check_begun(errand, reterr);
    if (errand->is_of_world) {
        return r < 0 ? r : steer_world(errand, reterr);
    }
    return r < 0 ? r : errand->row->steer(errand, reterr);
}

/* ---- life cycle, on the owner's thread ---- */

static int run_operation(struct dpl__request *request, struct dpl_diag *reterr)
{
    const struct run_errand *errand = of(request);
    enum dpl__operation operation = errand->row->operation;
    int r = check_begun(errand, reterr);
    r = r < 0 ? r : dpl__component_operate(errand->component, operation, 0, reterr);
    if (r == 0) {
        dpl__log_event(errand->runtime->log, DPL_LOG_INFO, errand->component->self.name, "%s by %s",
                       dpl__operation_name(operation), request->who);
    }
    return r;
}

/* ---- answers, on the observer's thread ---- */

static int look_whether_done(struct dpl__errand *self, struct dpl_diag *reterr)
{
    struct run_errand *errand = (void *)self;
    const struct dpl__pacing *pacing = &errand->runtime->pacing;
    if (errand->is_of_world) {
        return look_at_world(errand, reterr);
    }
    if (!errand->row->pauses) {
        return 1;
    }
    /* Acquire: who sees the hold sees that it was not reached at that time. */
    if (atomic_load_explicit(&pacing->n_holds, memory_order_acquire) != errand->hold) {
        return dpl_fail(reterr, -ECANCELED, nowhere, "another request came before its end");
    }
    return atomic_load_explicit(&pacing->paused, memory_order_acquire);
}

static void say_done(struct dpl__errand *self, struct dpl_bytes *out)
{
    const struct run_errand *errand = (const void *)self;
    dpl_ns time = errand->is_of_world ? errand->time : dpl__runtime_now(errand->runtime);
    dpl_bytes_printf(out, "{\"ok\":true,\"time_s\":%.9f}", dpl_ns_to_s(time));
}

/* ---- the table ---- */

#define STEERS(name, what, field, word, steer, pauses)                                             \
    {                                                                                              \
        name, field, word, steer, pauses, DPL__START,                                              \
        {                                                                                          \
            {what, DPL_ROLE_CONTROL, run_steering}, look_whether_done, say_done, NULL              \
        }                                                                                          \
    }
#define OPERATES(name, what, operation)                                                            \
    {                                                                                              \
        name, &component_field, NULL, NULL, false, operation,                                      \
        {                                                                                          \
            {what, DPL_ROLE_CONTROL, run_operation}, NULL, say_done, NULL                          \
        }                                                                                          \
    }
static const struct row rows[] = {
    STEERS("/run/pause", "pause the run", NULL, "pause", run_pause, true),
    STEERS("/run/resume", "let the run go on", NULL, "run", run_resume, false),
    STEERS("/run/step", "step the run", &cycles_field, "step", run_step, true),
    STEERS("/run/run_for", "run it for a time", &seconds_field, "for", run_for, true),
    STEERS("/run/rate", "set the rate of the run", &rate_field, "rate", run_rate, false),
    OPERATES("/component/start", "start a component", DPL__START),
    OPERATES("/component/stop", "stop a component", DPL__STOP),
    OPERATES("/component/reset", "reset a component", DPL__RESET),
};

bool dpl__run_has_world_time(const struct dpl_runtime *runtime, struct dpl_world_time *ret_time)
{
    const struct dpl_world_host *world = &runtime->options.world;
    bool has = !runtime->options.simulated && world->ops && world->ops->time;
    if (has) {
        (world->ops->time)(world->self, ret_time);
    }
    return has;
}

const char *dpl__run_why_no_pause(const struct dpl_runtime *runtime)
{
    const struct dpl_runtime_options *options = &runtime->options;
    struct dpl_world_time time;
    return dpl__run_has_world_time(runtime, &time) ? time.why_not
           : !options->simulated
               ? "the run is on the real clock: its time cannot be paused, stepped or paced"
           : runtime->n_executors == 0 && !options->drive ? "no component of this run executes"
                                                          : NULL;
}

/* ---- requests ---- */

static int parse_member(const struct dpl_field *field, const json_t *value,
                        struct arguments *arguments, struct dpl_diag *reterr)
{
    bool is_text = field->type == DPL_FIELD_STRING;
    double number = json_number_value(value);
    bool is_whole = json_is_real(value) && number == floor(number) && fabs(number) < 1e15;
    json_t *whole = is_whole ? json_integer((json_int_t)number) : NULL; /* 5.0 is one, too */
    char *text = is_text && json_is_string(value) ? strdup(json_string_value(value))
                 : field->type == DPL_FIELD_BOOL
                     ? (json_is_boolean(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL)
                 : !is_text && json_is_number(value)
                     ? json_dumps(whole ? whole : value, JSON_ENCODE_ANY)
                     : NULL;
    struct dpl_field_text given = {.text = text};
    int r = text ? dpl_field_parse(field, &given, arguments, reterr)
                 : dpl_fail(reterr, -EINVAL, nowhere, "%s: %s is expected", field->name,
                            is_text                         ? "a text"
                            : field->type == DPL_FIELD_BOOL ? "true or false"
                                                            : "a number");
    json_decref(whole);
    free(text);
    return r;
}

/* The bytes of a request: an object with the field, and nothing else. */
static int parse(const struct dpl_field *field, const struct dpl_asked *asked,
                 struct arguments *arguments, struct dpl_diag *reterr)
{
    bool is_empty = asked->n_value == 0;
    json_t *object = is_empty
                         ? json_object()
                         : json_loadb(asked->value, asked->n_value, JSON_REJECT_DUPLICATES, NULL);
    int r = json_is_object(object)
                ? 0
                : dpl_fail(reterr, -EINVAL, nowhere, "the request is no JSON object");
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (r == 0 && (!field || strcmp(name, field->name) != 0)) {
            r = dpl_fail(reterr, -EINVAL, nowhere, "%s takes no '%.100s'", asked->name, name);
        }
        r = r < 0 ? r : parse_member(field, value, arguments, reterr);
    }
    if (r == 0 && field && json_object_size(object) == 0) {
        r = dpl_fail(reterr, -EINVAL, nowhere, "%s needs '%s'", asked->name, field->name);
    }
    json_decref(object);
    return r;
}

static struct dpl__component *find_component(const struct dpl_runtime *runtime, const char *name)
{
    for (size_t i = 0; i < runtime->app->n_components; i++) {
        if (strcmp(runtime->components[i]->self.name, name) == 0) {
            return runtime->components[i];
        }
    }
    return NULL;
}

static int prepare(struct run_errand *errand, const struct dpl_asked *asked,
                   struct dpl_diag *reterr)
{
    const struct dpl_runtime *runtime = errand->runtime;
    const struct row *row = errand->row;
    int r = parse(row->field, asked, &errand->arguments, reterr);
    const char *why = row->steer ? dpl__run_why_no_pause(runtime) : NULL;
    if (r < 0 || why) {
        return r < 0 ? r : dpl_fail(reterr, -EPERM, nowhere, "%s", why);
    }
    if (!row->steer) {
        errand->component = find_component(runtime, errand->arguments.component);
    }
    return row->steer || errand->component
               ? 0
               : dpl_fail(reterr, -ENOENT, nowhere, "there is no component '%s'",
                          errand->arguments.component);
}

static void post(struct dpl__services *services, struct run_errand *errand, enum dpl_role role)
{
    struct dpl_runtime *runtime = services->runtime;
    struct dpl_world_time time;
    errand->is_of_world = errand->row->steer && dpl__run_has_world_time(runtime, &time);
    if (errand->is_of_world) {
        dpl__errand_post_to(&services->errands, &errand->errand, &services->own, role);
        dpl__mailbox_serve(&services->own);
    } else if (runtime->n_executors == 0) {
        dpl__errand_post_to(&services->errands, &errand->errand, &runtime->mailbox, role);
    } else {
        struct dpl__executor *owner =
            errand->component ? dpl__component_owner(errand->component) : runtime->executors[0];
        dpl__errand_post(&services->errands, &errand->errand, owner, role);
    }
}

static void call_row(struct dpl__services *services, const struct dpl__service *service,
                     struct dpl__asker asker, const struct dpl_asked *asked)
{
    const struct row *row = service->source;
    struct dpl_diag why = {0};
    struct run_errand *errand = (struct run_errand *)(void *)dpl__errand_create(
        &services->errands, asker, asked, &row->ops, sizeof *errand);
    if (!errand) {
        return;
    }
    errand->runtime = services->runtime;
    errand->row = row;
    int r = prepare(errand, asked, &why);
    if (r < 0) {
        dpl__asker_tell(asker, asked->tag, r, why.text);
        dpl__errand_destroy(&errand->errand);
        return;
    }
    post(services, errand, asked->role);
}

/* Whoever may look may stop a run that moves nothing outside of worlds. */
static void stop_run(struct dpl__services *services, const struct dpl__service *service,
                     struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct dpl_runtime *runtime = services->runtime;
    char why[DPL_DIAG_TEXT_MAX];
    (void)service;
    if (services->has_hardware && asker.role < DPL_ROLE_CONTROL) {
        snprintf(why, sizeof why, "%s may not stop the run: that needs the role control",
                 asked->who);
        dpl__asker_tell(asker, asked->tag, -EACCES, why);
        return;
    }
    dpl__log_event(runtime->log, DPL_LOG_INFO, "run", "%s stops it", asked->who);
    if (atomic_load(&runtime->stop_requested) == 0) { /* a second request would not wait for rest */
        dpl_runtime_request_stop(runtime);
    }
    dpl__asker_tell(asker, asked->tag, 0, "{\"ok\":true}");
}

/* Whoever may control takes it, also from another one: everybody sees who has it. */
static void control_run(struct dpl__services *services, const struct dpl__service *service,
                        struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct arguments arguments = {0};
    struct dpl_diag why = {0};
    (void)service;
    int r = asked->role < DPL_ROLE_CONTROL
                ? dpl_fail(&why, -EACCES, nowhere,
                           "%s may not control the run: that needs the role control", asked->who)
                : parse(&take_field, asked, &arguments, &why);
    bool has = strcmp(services->controller, asked->who) == 0;
    if (r == 0 && !arguments.take && !has) {
        r = dpl_fail(&why, -EPERM, nowhere, "%s does not control the run: %s does", asked->who,
                     services->controller[0] ? services->controller : "nobody");
    } else if (r == 0 && arguments.take && !has) {
        snprintf(services->controller, sizeof services->controller, "%s", asked->who);
        dpl__log_event(services->runtime->log, DPL_LOG_INFO, "run", "%s controls it", asked->who);
    } else if (r == 0 && !arguments.take) {
        dpl__services_leave(services, asked->who);
    }
    dpl__asker_tell(asker, asked->tag, r, r < 0 ? why.text : "{\"ok\":true}");
}

/* What a person has seen, as an event: in the log, in recordings, and for --record-on event=note.
 */
static void note(struct dpl__services *services, const struct dpl__service *service,
                 struct dpl__asker asker, const struct dpl_asked *asked)
{
    struct arguments arguments = {0};
    struct dpl_diag why = {0};
    (void)service;
    int r = asker.role < DPL_ROLE_CONTROL
                ? dpl_fail(&why, -EACCES, nowhere,
                           "%s may not write notes: that needs the role control", asked->who)
                : parse(&text_field, asked, &arguments, &why);
    if (r == 0 && arguments.text[0] == '\0') {
        r = dpl_fail(&why, -EINVAL, nowhere, "%s: the text is empty", asked->name);
    }
    if (r == 0) {
        dpl_text_clean_in_place(arguments.text, sizeof arguments.text);
        dpl__log_event(services->runtime->log, DPL_LOG_INFO, "note", "%s", arguments.text);
    }
    dpl__asker_tell(asker, asked->tag, r, r < 0 ? why.text : "{\"ok\":true}");
}

/* ---- the services ---- */

/* Without a row: the stop, notes, and who has the control. */
static int add(struct dpl__services *services, const char *name, const struct dpl_field *field,
               dpl__service_call_fn call, const struct row *row)
{
    static const char answer[] = "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":"
                                 "\"boolean\"},\"time_s\":{\"type\":\"number\"}}}";
    struct dpl_bytes schema = {0};
    dpl__field_schema(name, field, field ? 1 : 0, &schema);
    void *kept = dpl_arena_alloc(&services->arena, schema.n + 1);
    bool failed = schema.failed;
    if (!failed) {
        memcpy(kept, schema.data, schema.n);
    }
    struct dpl_service_desc described = {.name = name,
                                         .type = name,
                                         .provider = "",
                                         .encoding = "json",
                                         .schema_encoding = "jsonschema",
                                         .request_schema_name = name,
                                         .response_schema_name = "done",
                                         .request_schema = kept,
                                         .n_request_schema = schema.n,
                                         .response_schema = answer,
                                         .n_response_schema = sizeof answer - 1};
    dpl_bytes_finish(&schema);
    dpl__services_add(services, &(struct dpl__service){described, call, row, 0, row == NULL});
    return failed ? -ENOMEM : 0;
}

int dpl__run_services_add(struct dpl__services *services, struct dpl_diag *reterr)
{
    int r = add(services, "/run/stop", NULL, stop_run, NULL);
    r = r < 0 ? r : add(services, "/run/control", &take_field, control_run, NULL);
    r = r < 0 ? r : add(services, "/run/note", &text_field, note, NULL);
    for (size_t i = 0; i < DPL_COUNT(rows) && r == 0; i++) {
        r = add(services, rows[i].name, rows[i].field, call_row, &rows[i]);
    }
    return r < 0 ? dpl_fail(reterr, r, nowhere, "no memory") : 0;
}
