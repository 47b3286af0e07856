/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of Firmata with a hostile board. The first byte says where the rest is cut.
 * Aborts when: cutting the stream changes what is heard or said, what the host says is no Firmata,
 * or a value does not lie in its range. */
#include <doppel/math/hash.h>

#include "firmata_host.h"
#include "fuzz.h"

struct outcome {
    uint64_t hash, sent, edges, texts, phase, messages, dropped_bytes;
};

struct run {
    struct outcome outcome;
    struct dpl_firmata_parser board; /* what a board makes of it */
    struct firmata_host host;
};

static void mix(struct run *run, const void *bytes, size_t n)
{
    run->outcome.hash = dpl_hash_more(run->outcome.hash, bytes, n);
}

static int on_send(void *user, const void *bytes, size_t n)
{
    struct run *run = user;
    struct dpl_byte_view input = {bytes, n};
    struct dpl_firmata_message message;
    uint64_t before = run->board.messages;
    while (dpl_firmata_parser_next(&run->board, &input, &message)) {
    }
    require(run->board.messages == before + 1 && run->board.dropped_bytes == 0);
    mix(run, bytes, n);
    run->outcome.sent++;
    return 0;
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    struct run *run = user;
    require(pin < run->host.n_pins && pin < DPL_PINS_MAX);
    run->outcome.edges += 1 + level;
}

static void on_text(void *user, const char *text)
{
    struct run *run = user;
    mix(run, text, strlen(text));
    run->outcome.texts++;
}

/* Every pin in a mode, so that reports and restarts have something to act on. */
static void use(struct run *run)
{
    for (unsigned i = 0; i < DPL_PINS_MAX; i++) {
        enum dpl_pin_mode mode = (enum dpl_pin_mode)(i % (DPL_PIN_PWM_IN + 1));
        int err = firmata_host_set_mode(&run->host, i, mode);
        require(err <= 0);
        firmata_host_write(&run->host, i, i & 1);
        firmata_host_write_pwm(&run->host, i, i / 64.0, i & 8 ? 50.0 : 490.0);
    }
}

static struct outcome play(struct run *run, const uint8_t *data, size_t size, size_t chunk)
{
    const struct firmata_host_config config = {
        .sampling_ms = 19,
        .first_analog = 14,
        .send = on_send,
        .edge = on_edge,
        .text = on_text,
        .user = run,
    };
    memset(run, 0, sizeof *run);
    dpl_firmata_parser_init(&run->board, false);
    firmata_host_init(&run->host, &config);
    for (unsigned i = 0; i < DPL_PINS_MAX; i++) {
        run->host.pins[i].is_set = i & 1;
        run->host.pins[i].mode = (enum dpl_pin_mode)(i / 2 % 4);
    }
    firmata_host_opened(&run->host, 0);
    for (size_t at = 0; at < size; at += chunk) {
        firmata_host_data(&run->host, data + at, size - at < chunk ? size - at : chunk, DPL_MS);
    }
    firmata_host_timer(&run->host, 10 * DPL_S, DPL_S);
    use(run);
    require(run->host.n_pins <= DPL_PINS_MAX);
    for (size_t i = 0; i < run->host.n_pins; i++) {
        double ratio = run->host.pins[i].ratio;
        require(ratio >= 0.0 && ratio <= 1.0);
        mix(run, &ratio, sizeof ratio);
    }
    run->outcome.phase = run->host.phase;
    run->outcome.messages = run->host.parser.messages;
    run->outcome.dropped_bytes = run->host.parser.dropped_bytes;
    return run->outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run run;
    if (size < 2) {
        return 0;
    }
    struct outcome whole = play(&run, data + 1, size - 1, size - 1);
    struct outcome cut = play(&run, data + 1, size - 1, data[0] % 64u + 1u);
    require(memcmp(&whole, &cut, sizeof whole) == 0);
    return 0;
}
