/* SPDX-License-Identifier: Apache-2.0 */
/* A Firmata board under a hostile host. The first byte says where the rest is cut. Aborts when:
 * cutting the stream changes what the board says or drives, what it says is no Firmata, or a wire
 * gets a voltage that does not exist. */
#include <doppel/math/hash.h>

#include "fuzz.h"
#include <doppel/protocol/firmata_board.h>

struct outcome {
    uint64_t hash, sent, edges, texts, messages, dropped_bytes, refused;
};

struct run {
    struct outcome outcome;
    struct dpl_firmata_parser host; /* what a host makes of the answers */
    struct dpl_firmata_board board;
};

static void mix(struct run *run, const void *bytes, size_t n)
{
    run->outcome.hash = dpl_hash_more(run->outcome.hash, bytes, n);
}

static void on_send(void *user, const uint8_t *bytes, size_t n, dpl_ns now)
{
    struct run *run = user;
    struct dpl_byte_view input = {bytes, n};
    struct dpl_firmata_message message;
    uint64_t before = run->host.messages;
    while (dpl_firmata_parser_next(&run->host, &input, &message)) {
    }
    require(run->host.messages == before + 1 && run->host.dropped_bytes == 0);
    mix(run, bytes, n);
    run->outcome.sent++;
}

static void on_edge(void *user, unsigned pin, bool level, dpl_ns at)
{
    struct run *run = user;
    require(pin < run->board.config.n_pins);
    mix(run, &pin, sizeof pin);
    mix(run, &level, sizeof level);
    run->outcome.edges++;
}

static void on_text(void *user, const char *text)
{
    struct run *run = user;
    mix(run, text, strlen(text));
    run->outcome.texts++;
}

static void start(struct run *run)
{
    struct dpl_firmata_board_config config = {
        .firmware = "Fuzz",
        .major = 2,
        .minor = 5,
        .n_pins = 24,
        .send = on_send,
        .edge = on_edge,
        .text = on_text,
        .user = run,
    };
    for (unsigned i = 0; i < config.n_pins; i++) {
        config.pins[i].abilities = (uint8_t)(i * 7 % 16);
        config.pins[i].channel = i >= 10 && i < 18 ? (uint8_t)(i - 10) : DPL_FIRMATA_NO_CHANNEL;
    }
    memset(run, 0, sizeof *run);
    dpl_firmata_parser_init(&run->host, true);
    dpl_firmata_board_init(&run->board, &config);
    dpl_firmata_board_connected(&run->board, 0);
}

static void check_wires(struct run *run)
{
    for (unsigned i = 0; i < run->board.config.n_pins; i++) {
        struct dpl_firmata_output output = dpl_firmata_board_output(&run->board, i);
        require(output.duty >= 0.0 && output.duty <= 1.0 && output.frequency_hz >= 0.0);
        mix(run, &output.duty, sizeof output.duty);
    }
}

static struct outcome play(struct run *run, const uint8_t *data, size_t size, size_t chunk)
{
    start(run);
    for (size_t at = 0; at < size; at += chunk) {
        dpl_firmata_board_receive(&run->board, data + at, size - at < chunk ? size - at : chunk,
                                  DPL_MS);
    }
    check_wires(run);
    for (unsigned i = 0; i < run->board.config.n_pins; i++) {
        dpl_firmata_board_drive(&run->board, i, true, 2 * DPL_MS);
        dpl_firmata_board_drive(&run->board, i, false, 3 * DPL_MS);
        dpl_firmata_board_drive_ratio(&run->board, i, i / 24.0, 4 * DPL_MS);
    }
    require(dpl_firmata_board_tick(&run->board, DPL_S) > DPL_S);
    run->outcome.messages = run->board.parser.messages;
    run->outcome.dropped_bytes = run->board.parser.dropped_bytes;
    run->outcome.refused = run->board.refused;
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
    require(whole.messages + whole.dropped_bytes <= size);
    return 0;
}
