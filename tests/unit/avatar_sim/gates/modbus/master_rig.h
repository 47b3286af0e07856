/* SPDX-License-Identifier: Apache-2.0 */
/* A world whose time the test moves, with a Modbus server; and masters that say bytes. */
#ifndef DOPPEL_TEST_MASTER_RIG_H
#define DOPPEL_TEST_MASTER_RIG_H

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doppel/sim/loop.h>
#include <doppel/sim/modbus_server.h>

#include "mechanism_rig.h"

/* A cart on a rail with a drive, a brake and two switches; steps of 2 ms. */
static const char master_rig_text[] =
    "<mechanism name='m' step_ms='2'>"
    "<RigidObject name='cart' mass='2'><BoxShape x='1' y='1' z='1'/></RigidObject>"
    "<Joint name='rail' type='slider' child='cart'><axis x='1' z='0'/></Joint>"
    "<RigidObject name='gate' mass='2'><position y='3'/><BoxShape x='1' y='1' z='1'/></RigidObject>"
    "<Joint name='bar' type='slider' child='gate'><axis x='1' z='0'/></Joint>"
    "<Motor name='drive' joint='rail' type='servo' control='speed' max_effort='500' max_speed='2'/>"
    "<Motor name='brake' joint='bar' type='brake' torque='50'/>"
    "<Sensor name='near' type='switch' joint='rail' from='-0.01' to='0.01'/>"
    "<Modbus unit='1' name='plc' watchdog_ms='100'>"
    "<map table='discrete' address='0' signal='near/on'/>"
    "<map table='discrete' address='1' signal='brake/open'/>"
    "<map table='input' address='0' signal='rail/position' type='int32' scale='1e-6'/>"
    "<map table='input' address='2' signal='rail/velocity' type='int16' scale='1e-3'/>"
    "<map table='input' address='3' value='12'/>"
    "<map table='input' address='10' signal='world:time_ms'/>"
    "<map table='input' address='12' signal='world:heartbeat'/>"
    "<map table='coil' address='0' signal='brake/release'/>"
    "<map table='coil' address='1' signal='near/stuck_off'/>"
    "<map table='holding' address='0' signal='drive/setpoint' type='int16' scale='1e-3'/>"
    "<map table='holding' address='1' watchdog='true' pace='true'/>"
    "<map table='holding' address='2' type='int32'/>"
    "</Modbus></mechanism>";

struct rig {
    struct mechanism_rig mechanism;
    struct dpl_world_channels *channels;
    struct dpl_sim_loop *loop;
    struct dpl_sim_modbus_server *server;
    bool is_taken;      /* somebody else commands the drive */
    int n_claims;       /* channels */
    char notices[4096]; /* all of them, a line each; for a look after the server's end */
};

static inline void rig_note(void *user, const char *text)
{
    struct rig *rig = user;
    size_t n = strlen(rig->notices);
    snprintf(rig->notices + n, sizeof rig->notices - n, "%s\n", text);
}

static inline bool rig_claim(void *user, size_t channel)
{
    struct rig *rig = user;
    struct dpl_channel_want want = {.path = "m/drive/setpoint", .put = true};
    bool may =
        !rig->is_taken || (int)channel != dpl_world_channels_find(rig->channels, &want, NULL);
    rig->n_claims += may;
    return may;
}

static inline void rig_unclaim(void *user, size_t channel)
{
    struct rig *rig = user;
    (void)channel;
    rig->n_claims--;
}

/* As the owner of a world has to put right what is not in its memory. */
static inline void rig_jumped(void *user)
{
    struct rig *rig = user;
    dpl_world_channels_restored(rig->channels);
    dpl_sim_modbus_jumped(rig->server);
}

static inline void rig_start_text(struct rig *rig, const char *text, dpl_ns pace, dpl_ns patience)
{
    struct dpl_diag error = {0};
    memset(rig, 0, sizeof *rig);
    rig_open(&rig->mechanism, text, 0.002);
    cr_assert_eq(dpl_world_channels_create(rig->mechanism.world, &rig->channels), 0);
    struct dpl_sim_modbus_options options = {
        .world = rig->mechanism.world,
        .channels = rig->channels,
        .pace = pace,
        .patience = patience,
        .claim = rig_claim,
        .unclaim = rig_unclaim,
        .claim_user = rig,
        .notice = rig_note,
        .notice_user = rig,
    };
    cr_assert_eq(dpl_sim_modbus_create(&options, &rig->server, &error), 0, "%s", error.text);
    struct dpl_sim_loop_options loop = {
        .world = rig->mechanism.world,
        .channels = rig->channels,
        .boundary = dpl_sim_modbus_boundary,
        .boundary_user = rig->server,
        .holds = dpl_sim_modbus_holds,
        .holds_user = rig->server,
        .jumped = rig_jumped,
        .jumped_user = rig,
    };
    cr_assert_eq(dpl_sim_loop_create(&loop, &rig->loop), 0);
}

static inline void rig_start(struct rig *rig)
{
    rig_start_text(rig, master_rig_text, 0, 0);
}

static inline void rig_stop(struct rig *rig)
{
    dpl_sim_modbus_destroy(rig->server);
    dpl_sim_loop_destroy(rig->loop);
    dpl_world_channels_destroy(rig->channels);
    rig_close(&rig->mechanism);
}

static inline double rig_run_ms(struct rig *rig, int ms)
{
    dpl_ns to = dpl_world_now(rig->mechanism.world) + ms * DPL_MS;
    do {
        dpl_sim_loop_run_until(rig->loop, to);
    } while (dpl_sim_loop_is_held(rig->loop));
    return dpl_ns_to_s(dpl_world_now(rig->mechanism.world));
}

static inline double rig_number_at(struct rig *rig, const char *path)
{
    struct dpl_channel_want want = {.path = path};
    double value = 0.0;
    dpl_ns stamp;
    int channel = dpl_world_channels_find(rig->channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    dpl_world_channels_get(rig->channels, (size_t)channel, &value, &stamp);
    return value;
}

static inline bool rig_flag(struct rig *rig, const char *path)
{
    struct dpl_channel_want want = {.path = path};
    bool value = false;
    dpl_ns stamp;
    int channel = dpl_world_channels_find(rig->channels, &want, NULL);
    cr_assert_geq(channel, 0, "%s", path);
    dpl_world_channels_get(rig->channels, (size_t)channel, &value, &stamp);
    return value;
}

/* ---- masters ---- */

static inline int rig_connect(struct rig *rig)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons(dpl_sim_modbus_port(rig->server)),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* Boundaries without steps, until something comes or 5 s are over. */
static inline bool rig_await(struct rig *rig, int fd)
{
    for (int i = 0; i < 5000; i++) {
        struct pollfd file = {.fd = fd, .events = POLLIN};
        dpl_sim_modbus_boundary(rig->server);
        if (poll(&file, 1, 1) > 0) {
            return true;
        }
    }
    return false;
}

struct rig_answer {
    uint8_t bytes[260];
    size_t n;
};

static inline void rig_send(int fd, const uint8_t *pdu, size_t n, uint8_t unit)
{
    uint8_t bytes[260] = {0x12, 0x34, 0, 0, (uint8_t)((n + 1) >> 8), (uint8_t)(n + 1), unit};
    memcpy(bytes + 7, pdu, n);
    cr_assert_eq(send(fd, bytes, n + 7, MSG_NOSIGNAL), (ssize_t)(n + 7));
}

/* What follows the unit in the answer. */
static inline struct rig_answer rig_hear(struct rig *rig, int fd)
{
    struct rig_answer answer = {0};
    uint8_t head[7];
    cr_assert(rig_await(rig, fd), "no answer");
    cr_assert_eq(recv(fd, head, 7, MSG_WAITALL), 7);
    cr_assert(head[0] == 0x12 && head[1] == 0x34 && head[2] == 0 && head[3] == 0);
    answer.n = (size_t)(head[4] << 8 | head[5]) - 1;
    cr_assert_eq(recv(fd, answer.bytes, answer.n, MSG_WAITALL), (ssize_t)answer.n);
    return answer;
}

static inline struct rig_answer rig_ask(struct rig *rig, int fd, const uint8_t *pdu, size_t n)
{
    rig_send(fd, pdu, n, 1);
    return rig_hear(rig, fd);
}

#define RIG_ASK(rig, fd, ...)                                                                      \
    rig_ask(rig, fd, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static inline void rig_write(struct rig *rig, int fd, uint8_t address, int value)
{
    struct rig_answer answer =
        RIG_ASK(rig, fd, 6, 0, address, (uint8_t)((unsigned)value >> 8), (uint8_t)value);
    cr_assert_eq(answer.bytes[0], 6, "exception %d", answer.bytes[1]);
}

static inline void rig_write_coil(struct rig *rig, int fd, uint8_t address, bool on)
{
    struct rig_answer answer = RIG_ASK(rig, fd, 5, 0, address, on ? 0xFF : 0, 0);
    cr_assert_eq(answer.bytes[0], 5, "exception %d", answer.bytes[1]);
}

/* Function 3 or 4. */
static inline int rig_read(struct rig *rig, int fd, uint8_t function, uint8_t address)
{
    struct rig_answer answer = RIG_ASK(rig, fd, function, 0, address, 0, 1);
    cr_assert_eq(answer.bytes[0], function, "exception %d", answer.bytes[1]);
    return answer.bytes[2] << 8 | answer.bytes[3];
}

/* Waits until the server has so many masters. */
static inline void rig_until_masters(struct rig *rig, unsigned n)
{
    for (int i = 0; i < 5000 && dpl_sim_modbus_stats(rig->server).masters != n; i++) {
        dpl_sim_modbus_boundary(rig->server);
        poll(NULL, 0, 1);
    }
    cr_assert_eq(dpl_sim_modbus_stats(rig->server).masters, n);
}

#endif
