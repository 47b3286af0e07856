/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of drivers/imu/witmotion_host.h: measurements from packets of the emulated sensor. */
#include "witmotion_host.h"

#include <criterion/criterion.h>
#include <string.h>

#include "imu_motion.h"

enum { PACKET = DPL_WITMOTION_PACKET };

static struct witmotion_host host;
static struct witmotion_measurement measured;
static uint8_t bytes[IMU_MOTION_BYTES];

static const struct imu_motion motion = {
    .acceleration_m_s2 = {1.0, -2.0, 9.0},
    .rate_rad_s = {0.1, -0.2, 0.5},
    .angles_rad = {0.01, -0.02, 3.0},
};

static void begin(void)
{
    imu_motion_write(&motion, bytes);
}

TestSuite(witmotion_host, .init = begin);

static bool hear(const uint8_t *from, size_t n, dpl_ns now)
{
    struct dpl_byte_view input = {from, n};
    return witmotion_host_next(&host, &input, now, &measured);
}

Test(witmotion_host, a_measurement_is_what_the_sensor_felt)
{
    cr_assert(hear(bytes, sizeof bytes, 5));
    cr_assert_eq(measured.stamp, 5);
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(measured.acceleration_m_s2[i], motion.acceleration_m_s2[i],
                           0.51 * 16.0 * 9.80665 / 32768.0);
        cr_assert_float_eq(measured.rate_rad_s[i], motion.rate_rad_s[i], 0.51 * 34.907 / 32768.0);
        cr_assert_float_eq(measured.angles_rad[i], motion.angles_rad[i], 0.51 * 3.1416 / 32768.0);
    }
    cr_assert_float_eq(measured.temperature_c, 25.0, 1e-9);
    cr_assert_eq(host.measurements, 1);
}

Test(witmotion_host, it_is_stamped_when_its_first_packet_came)
{
    cr_assert_not(hear(bytes, PACKET, 10));
    cr_assert_not(hear(bytes + PACKET, PACKET, 20));
    cr_assert(hear(bytes + 2 * PACKET, PACKET, 30));
    cr_assert_eq(measured.stamp, 10);
    cr_assert(hear(bytes, sizeof bytes, 40));
    cr_assert_eq(measured.stamp, 40);
}

Test(witmotion_host, without_one_of_its_packets_there_is_none)
{
    for (size_t missing = 0; missing < 3; missing++) {
        for (size_t i = 0; i < 3; i++) {
            cr_assert(i == missing || !hear(bytes + i * PACKET, PACKET, 10), "%zu", missing);
        }
        witmotion_host_opened(&host);
    }
    cr_assert_eq(host.measurements, 0);
    cr_assert_not_null(strstr(witmotion_host_lack(&host), "all three"));
}

Test(witmotion_host, a_lost_packet_does_not_mix_two_measurements)
{
    cr_assert_not(hear(bytes, 2 * PACKET, 10)); /* its angles are lost */
    cr_assert(hear(bytes, sizeof bytes, 20));
    cr_assert_eq(measured.stamp, 20);
    cr_assert_eq(host.measurements, 1);
}

Test(witmotion_host, a_new_connection_forgets_what_was_begun)
{
    cr_assert_not(hear(bytes, 2 * PACKET + 5, 10));
    witmotion_host_opened(&host);
    cr_assert_not(hear(bytes + 2 * PACKET + 5, PACKET - 5, 20));
    cr_assert_not(hear(bytes + 2 * PACKET, PACKET, 30));
    cr_assert(hear(bytes, sizeof bytes, 40));
    cr_assert_eq(host.parser.dropped_bytes, PACKET);
}

Test(witmotion_host, other_packets_are_left_alone)
{
    struct dpl_witmotion_packet magnetic = {.type = 0x54, .words = {1, 2, 3, 4}};
    uint8_t other[PACKET];
    dpl_witmotion_write(&magnetic, other);
    cr_assert_not(hear(bytes, PACKET, 10));
    cr_assert_not(hear(other, PACKET, 11));
    cr_assert_not(hear(bytes + PACKET, PACKET, 12));
    cr_assert_not(hear(other, PACKET, 13));
    cr_assert(hear(bytes + 2 * PACKET, PACKET, 14));
}

Test(witmotion_host, says_what_is_missing)
{
    cr_assert_not_null(strstr(witmotion_host_lack(&host), "nothing on this port"));
    cr_assert(hear(bytes, sizeof bytes, 10));
    cr_assert_not_null(strstr(witmotion_host_lack(&host), "stopped sending"));
}
