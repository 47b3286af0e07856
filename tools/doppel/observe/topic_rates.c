/* SPDX-License-Identifier: Apache-2.0 */
/* doppel topic hz, delay, bw: figures of a topic, a line each second. */
#include <math.h>
#include <stdio.h>

#include <doppel/host/runtime.h>

#include "topic.h"

#define WINDOW 10000 /* messages that a line looks back at most */

enum figure { FIGURE_RATE, FIGURE_DELAY, FIGURE_BYTES };

struct rates {
    enum figure figure;
    const struct topic_values *values;
    /* of messages, the newest of which replaces the oldest one */
    double stamps[WINDOW], arrivals[WINDOW], sizes[WINDOW], delays[WINDOW];
    uint64_t n, n_told, n_lines;
    /* the run's clock by the computer's: of the first time that the run told, and the last one */
    double first_time, first_at, last_time, last_at;
};

static void on_time(void *user)
{
    struct remote *remote = user;
    struct rates *rates = remote->user;
    rates->last_time = dpl_ns_to_s(remote->client.now);
    rates->last_at = remote_now();
    if (rates->first_at == 0.0) {
        rates->first_time = rates->last_time;
        rates->first_at = rates->last_at;
    }
}

/* The run's time at a time of the computer. */
static double run_time(const struct rates *rates, double at)
{
    double span = rates->last_at - rates->first_at;
    double pace = span > 0.0 ? (rates->last_time - rates->first_time) / span : 1.0;
    return rates->last_time + pace * (at - rates->last_at);
}

static void on_message(void *user, struct wire_topic *topic, dpl_ns stamp, const uint8_t *data,
                       size_t n)
{
    struct remote *remote = user;
    struct rates *rates = remote->user;
    size_t at = rates->n++ % WINDOW;
    (void)topic;
    (void)data;
    rates->stamps[at] = dpl_ns_to_s(stamp);
    rates->arrivals[at] = remote_now();
    rates->sizes[at] = (double)n;
    rates->delays[at] = rates->last_at > 0.0
                            ? run_time(rates, rates->arrivals[at]) - rates->stamps[at]
                            : (double)NAN;
}

struct spread {
    double mean, least, most, deviation;
    size_t n;
};

static void add(struct spread *spread, double value)
{
    if (isfinite(value)) {
        double before = spread->mean;
        spread->least = spread->n == 0 || value < spread->least ? value : spread->least;
        spread->most = spread->n == 0 || value > spread->most ? value : spread->most;
        spread->mean += (value - spread->mean) / (double)++spread->n;
        spread->deviation += (value - before) * (value - spread->mean); /* its sum of squares */
    }
}

static struct spread measure(const struct rates *rates)
{
    struct spread spread = {0};
    uint64_t first = rates->n > WINDOW ? rates->n - WINDOW : 0;
    for (uint64_t i = first; i < rates->n; i++) {
        size_t at = i % WINDOW, before = (i + WINDOW - 1) % WINDOW;
        if (rates->figure == FIGURE_RATE && i > first) {
            add(&spread, rates->stamps[at] - rates->stamps[before]);
        } else if (rates->figure == FIGURE_DELAY) {
            add(&spread, rates->delays[at]);
        } else if (rates->figure == FIGURE_BYTES) {
            add(&spread, rates->sizes[at]);
        }
    }
    spread.deviation = spread.n > 0 ? sqrt(spread.deviation / (double)spread.n) : 0.0;
    return spread;
}

static double bytes_per_second(const struct rates *rates, const struct spread *spread)
{
    uint64_t first = rates->n > WINDOW ? rates->n - WINDOW : 0;
    double span = remote_now() - rates->arrivals[first % WINDOW];
    return span > 0.0 ? spread->mean * (double)spread->n / span : 0.0;
}

static void print_line(const struct rates *rates, const struct spread *spread)
{
    static const char *const keys[] = {"rate_hz", "delay_s", "bytes_per_s"};
    double main_value = rates->figure == FIGURE_RATE    ? 1.0 / spread->mean
                        : rates->figure == FIGURE_BYTES ? bytes_per_second(rates, spread)
                                                        : spread->mean;
    if (rates->values->json) {
        json_t *line = json_pack("{s:f, s:f, s:f, s:f, s:I}", keys[rates->figure], main_value,
                                 "min", spread->least, "max", spread->most, "deviation",
                                 spread->deviation, "messages", (json_int_t)rates->n);
        remote_print_json(line);
        json_decref(line);
        return;
    }
    if (rates->figure == FIGURE_RATE) {
        printf("%.3f Hz, period %.6f to %.6f s", main_value, spread->least, spread->most);
    } else if (rates->figure == FIGURE_DELAY) {
        printf("delay %.6f s, %.6f to %.6f s", main_value, spread->least, spread->most);
    } else {
        printf("%.1f kB/s, messages of %.0f to %.0f bytes", main_value / 1e3, spread->least,
               spread->most);
    }
    printf(", deviation %.6g, %llu messages\n", spread->deviation, (unsigned long long)rates->n);
    fflush(stdout);
}

static void on_tick(struct remote *remote)
{
    struct rates *rates = remote->user;
    struct spread spread = measure(rates);
    if (rates->n == rates->n_told || spread.n == 0 ||
        (rates->figure == FIGURE_RATE && !(spread.mean > 0.0))) {
        if (!rates->values->json) {
            remote_complain(remote, "no new messages");
        }
        return;
    }
    rates->n_told = rates->n;
    print_line(rates, &spread);
    if (++rates->n_lines == rates->values->count) {
        remote_done(remote);
    }
}

static int watch(struct remote *remote, const char *name, enum figure figure,
                 const struct topic_values *values)
{
    static struct rates rates;
    struct wire_topic *topic = remote_topic(remote, name);
    if (!topic) {
        return DPL_EXIT_BAD_INPUT;
    }
    rates = (struct rates){.figure = figure, .values = values};
    remote->user = &rates;
    remote->client.events.message = on_message;
    remote->client.events.new_time = on_time;
    remote->tick = on_tick;
    wire_client_subscribe(&remote->client, topic);
    enum remote_end end = remote_run(remote, topic_seconds(values));
    bool is_enough = end == REMOTE_DONE || end == REMOTE_SIGNAL || values->count == 0;
    if (is_enough && rates.n_lines == 0 && rates.n > rates.n_told) {
        on_tick(remote); /* it ended within the first second */
    }
    return is_enough ? DPL_EXIT_DONE : remote_complain_end(remote, end, "as many lines");
}

int topic_hz(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    (void)n;
    return watch(remote, words[0], FIGURE_RATE, values);
}

int topic_delay(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    (void)n;
    return watch(remote, words[0], FIGURE_DELAY, values);
}

int topic_bw(struct remote *remote, char **words, size_t n, const struct topic_values *values)
{
    (void)n;
    return watch(remote, words[0], FIGURE_BYTES, values);
}
