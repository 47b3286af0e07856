/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding the pins of the emulated motor, against the published examples. */
#include <criterion/criterion.h>

#include "motor.h"

static const struct motor_config published = {.speed_at_full = 1114, .whole_mm = true, .gain = 1.0};
static const struct motor_pin high = {1.0, true, false}, low = {0.0, true, false};

static struct motor_pin pulsed(double ratio)
{
    return (struct motor_pin){ratio, ratio <= 0.0 || ratio >= 1.0, true};
}

/* Duty in 0.1 % and velocity in mm/s; negative: reverse. */
static const struct {
    int duty, velocity;
} examples[] = {{131, 145}, {145, -161}, {151, -168}, {128, -142}, {126, -140}, {142, 158}};

Test(motor, decodes_the_published_examples_to_the_digit)
{
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        struct motor_pin pwm = pulsed(examples[i].duty / 1000.0);
        bool forward = examples[i].velocity > 0;
        int duty;
        enum motor_drive drive =
            motor_decode(&published, forward ? &high : &pwm, forward ? &pwm : &high, &duty);
        cr_assert_eq(drive, forward ? MOTOR_FORWARD : MOTOR_REVERSE);
        cr_assert_eq(duty, examples[i].duty);
        int mm_s = motor_velocity_mm_s(&published, duty);
        cr_assert_eq(forward ? mm_s : -mm_s, examples[i].velocity, "%d", mm_s);
        cr_assert_float_eq(motor_velocity_m_s(&published, drive, duty),
                           examples[i].velocity / 1000.0, 1e-12);
    }
}

Test(motor, goes_the_other_way_when_it_is_wired_the_other_way)
{
    struct motor_config config = published;
    struct motor_pin pwm = pulsed(0.5);
    int duty;
    config.forward_when_b = true;
    cr_assert_eq(motor_decode(&config, &high, &pwm, &duty), MOTOR_REVERSE);
    cr_assert_eq(motor_decode(&config, &pwm, &high, &duty), MOTOR_FORWARD);
}

Test(motor, stands_still_unless_one_pin_is_high_and_the_other_pulsed)
{
    struct motor_pin pwm = pulsed(0.5);
    int duty = 1;
    cr_assert_eq(motor_decode(&published, &low, &low, &duty), MOTOR_FREE);
    cr_assert_eq(duty, 0);
    cr_assert_eq(motor_decode(&published, &low, &pwm, &duty), MOTOR_FREE);
    cr_assert_eq(motor_decode(&published, &high, &high, &duty), MOTOR_BRAKE);
    cr_assert_eq(motor_decode(&published, &pwm, &pwm, &duty), MOTOR_CONFUSED);
    cr_assert_eq(motor_velocity_m_s(&published, MOTOR_CONFUSED, 500), 0.0);
    cr_assert_eq(motor_decode(&published, &high, &low, &duty), MOTOR_FORWARD);
    cr_assert_eq(motor_velocity_m_s(&published, MOTOR_FORWARD, duty), 0.0);
}

/* As an Arduino sketch drives it: analogWrite(pin, 255) where another writes HIGH. */
Test(motor, turns_at_full_speed_when_the_duty_is_1)
{
    struct motor_pin full = pulsed(1.0), none = pulsed(0.0), half = pulsed(0.5);
    int duty;
    cr_assert_eq(motor_decode(&published, &high, &full, &duty), MOTOR_FORWARD);
    cr_assert_eq(duty, 1000);
    cr_assert_eq(motor_velocity_mm_s(&published, duty), 1114);
    cr_assert_eq(motor_decode(&published, &full, &high, &duty), MOTOR_REVERSE);
    cr_assert_eq(duty, 1000);
    cr_assert_eq(motor_decode(&published, &full, &half, &duty), MOTOR_FORWARD);
    cr_assert_eq(duty, 500);
    cr_assert_eq(motor_decode(&published, &half, &full, &duty), MOTOR_REVERSE);
    cr_assert_eq(duty, 500);
    cr_assert_eq(motor_decode(&published, &high, &none, &duty), MOTOR_FORWARD);
    cr_assert_eq(duty, 0);
    cr_assert_eq(motor_decode(&published, &none, &none, &duty), MOTOR_FREE);
    cr_assert_eq(motor_decode(&published, &full, &full, &duty), MOTOR_BRAKE);
}

/* A board that only measures cannot tell PWM of 100 % from a level. */
Test(motor, brakes_on_two_highs_that_nobody_can_tell_apart)
{
    int duty;
    struct motor_pin measured = {0.99, true, false};
    cr_assert_eq(motor_decode(&published, &high, &measured, &duty), MOTOR_BRAKE);
}

Test(motor, applies_its_calibration_in_the_direction_it_turns)
{
    struct motor_config config = published;
    config.gain = 2.0;
    config.offset_m_s = -0.09;
    cr_assert_float_eq(motor_velocity_m_s(&config, MOTOR_FORWARD, 131), 0.2, 1e-12);
    cr_assert_float_eq(motor_velocity_m_s(&config, MOTOR_REVERSE, 131), -0.2, 1e-12);
    cr_assert_eq(motor_velocity_m_s(&config, MOTOR_FORWARD, 20), 0.0);
    cr_assert_eq(motor_velocity_m_s(&config, MOTOR_FORWARD, 0), 0.0);
}

Test(motor, is_exact_when_told_not_to_truncate)
{
    struct motor_config config = published;
    config.whole_mm = false;
    cr_assert_float_eq(motor_velocity_m_s(&config, MOTOR_FORWARD, 131), 0.145934, 1e-12);
}

Test(motor, fails_its_self_test_when_it_cannot_turn)
{
    cr_assert_null(motor_self_test(&published));
    struct motor_config config = published;
    config.offset_m_s = -1.0;
    cr_assert_not_null(motor_self_test(&config));
}
