/* SPDX-License-Identifier: Apache-2.0 */
/* One emulated drive, frame by frame. A unit is a micrometre, a target comes every 10 ms. */
#ifndef TEST_EMULATE_CIA402_DRIVE_RIG_H
#define TEST_EMULATE_CIA402_DRIVE_RIG_H

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "cia402_drive.h"

#define NODE   5
#define PERIOD (10 * DPL_MS)
#define COUNTS 1e6

static struct cia402_drive drive;
static struct cia402_drive_config config;
static struct dpl_canopen_sdo answer;
static uint16_t emergency;
static dpl_ns now;
static double fastest, slowest; /* m/s, since `watch_speed` */

static inline void on_send(void *user, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_emcy emcy;
    struct dpl_canopen_cob cob = dpl_canopen_classify(frame);
    if (cob.service == DPL_CANOPEN_SDO_ANSWER) {
        cr_assert_eq(dpl_canopen_sdo_answer_decode(frame, &answer), 0);
    } else if (cob.service == DPL_CANOPEN_EMCY) {
        cr_assert_eq(dpl_canopen_emcy_decode(frame, &emcy), 0);
        emergency = emcy.code;
    }
}

static inline void send_frame(struct dpl_can_frame frame)
{
    cia402_drive_hear(&drive, &frame, now);
}

static inline uint32_t try_to_write(uint16_t index, uint8_t sub, uint8_t size, uint32_t value)
{
    struct dpl_canopen_sdo sdo = {
        .kind = DPL_SDO_WRITE, .index = index, .sub = sub, .size = size, .value = value};
    send_frame(dpl_canopen_sdo_request(NODE, &sdo));
    return answer.kind == DPL_SDO_ABORT ? answer.value : 0;
}

static inline void write(uint16_t index, uint8_t sub, uint8_t size, uint32_t value)
{
    cr_assert_eq(try_to_write(index, sub, size, value), 0, "%04x:%u: %08x", index, sub,
                 answer.value);
}

static inline uint32_t read(uint16_t index)
{
    struct dpl_canopen_sdo sdo = {.kind = DPL_SDO_READ, .index = index};
    send_frame(dpl_canopen_sdo_request(NODE, &sdo));
    cr_assert_eq(answer.kind, DPL_SDO_READ_DONE, "%04x", index);
    return answer.value;
}

static inline double speed(void)
{
    return drive.motor.plant.motor_velocity_m_s;
}

static inline double position(void)
{
    return drive.motor.plant.motor_position_m;
}

static inline void pass(double ms)
{
    for (int i = 0; i < (int)ms; i++) {
        now += DPL_MS;
        cia402_drive_advance(&drive, now);
        fastest = fmax(fastest, speed());
        slowest = fmin(slowest, speed());
    }
}

static inline void watch_speed(void)
{
    fastest = slowest = speed();
}

static inline void map(uint16_t how, uint32_t id, uint32_t first, uint32_t second)
{
    write(how, 1, 4, id | 0x80000000u);
    write(how, 2, 1, 1);
    write((uint16_t)(how + 0x200), 0, 1, 0);
    write((uint16_t)(how + 0x200), 1, 4, first);
    write((uint16_t)(how + 0x200), 2, 4, second);
    write((uint16_t)(how + 0x200), 0, 1, 2);
    write(how, 1, 4, id);
}

static inline void prepare(void)
{
    config = (struct cia402_drive_config){
        .node = NODE,
        .counts_per_m = COUNTS,
        .rated_force_n = 1000.0,
        .motor = drive_motor_config_default(),
    };
}

static inline void command(uint16_t word, double target_m)
{
    int32_t counts = (int32_t)lround(target_m * COUNTS);
    struct dpl_can_frame frame = {.id = 0x200 + NODE, .length = 6};
    dpl_put_u16le(frame.data, word);
    dpl_put_u32le(frame.data + 2, (uint32_t)counts);
    send_frame(frame);
}

static inline void offset(double m_s)
{
    struct dpl_can_frame frame = {.id = 0x300 + NODE, .length = 6};
    dpl_put_u32le(frame.data, (uint32_t)(int32_t)lround(m_s * COUNTS));
    send_frame(frame);
}

static inline void sync(void)
{
    send_frame(dpl_canopen_sync());
}

/* To operation, holding where it is, with targets in RPDO1 and offsets, if at all, in RPDO2. */
static inline void operate(void)
{
    cia402_drive_init(&drive, &config);
    drive.send = on_send;
    cia402_drive_power(&drive, now);
    map(0x1400, 0x200 + NODE, 0x60400010, 0x607a0020);
    write(0x6060, 0, 1, DPL_CIA402_CSP);
    write(0x60c2, 1, 1, 10);
    send_frame(dpl_canopen_nmt(DPL_CANOPEN_START, NODE));
    for (int i = 0; i < 3; i++) {
        command((const uint16_t[]){0x06, 0x07, 0x0f}[i], config.start_m);
        sync();
        pass(10);
    }
    cr_assert_eq(drive.state, DPL_CIA402_ENABLED);
}

static inline void aim(double target_m)
{
    command(0x0f, target_m);
    sync();
    pass(10);
}

/* An even motion from rest at 0: where the targets are at the end. */
static inline double run_at(double m_s, int periods)
{
    for (int i = 1; i <= periods; i++) {
        aim(m_s * 0.01 * i);
    }
    return m_s * 0.01 * periods;
}

/* Until it stands without power, or 20 s: the way from here. */
static inline double way_to_rest(void)
{
    double from = position();
    for (int i = 0; i < 20000; i++) {
        pass(1);
    }
    return position() - from;
}

static inline void quick_stop(void)
{
    command(0x02, 0.0);
    sync();
}

#endif
