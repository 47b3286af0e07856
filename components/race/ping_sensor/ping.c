/* SPDX-License-Identifier: Apache-2.0 */
/* The pulses of an ultrasonic sensor. */
#include "ping.h"

#include <math.h>

bool ping_edge(struct ping *ping, dpl_ns at, bool level)
{
    if (!level) {
        return false;
    }
    if (ping_phase_at(ping, at) != PING_ARMED) {
        ping->n_ignored++;
        return false;
    }
    ping->triggered = true;
    ping->answered = false;
    ping->at = at;
    ping->n_triggers++;
    return true;
}

dpl_ns ping_answer(struct ping *ping, const struct ping_config *config, double range_m)
{
    dpl_ns width = ping_width(config, range_m);
    ping->answered = true;
    ping->rise = ping->at + config->hold_off;
    ping->fall = ping->rise + width;
    ping->n_echoes += width > 0;
    return width;
}

dpl_ns ping_delay(struct ping *ping, dpl_ns earliest)
{
    dpl_ns delay = earliest > ping->rise ? earliest - ping->rise : 0;
    ping->rise += delay;
    ping->fall += delay;
    return delay;
}

enum ping_phase ping_phase_at(const struct ping *ping, dpl_ns t)
{
    if (!ping->triggered || (ping->answered && t >= ping->fall)) {
        return PING_ARMED;
    }
    return ping->answered && t >= ping->rise ? PING_ECHOES : PING_HOLDS;
}

double ping_speed_m_s(const struct ping_config *config)
{
    return config->speed_m_s + config->speed_per_degree * config->temperature_c;
}

dpl_ns ping_width(const struct ping_config *config, double range_m)
{
    if (!(range_m >= 0.0 && range_m <= config->max_range_m)) {
        return config->no_echo;
    }
    double speed_m_s = ping_speed_m_s(config);
    if (!config->whole_cycles) {
        return dpl_ns_from_s(2.0 * range_m / speed_m_s);
    }
    double cycles_a_mm = floor(config->clock_hz / (speed_m_s * 1000.0) + 1e-9);
    double cycles = cycles_a_mm * 2.0 * round(range_m * 1000.0);
    return dpl_ns_from_s(cycles / config->clock_hz);
}

double ping_range_m(const struct ping_config *config, dpl_ns width, dpl_ns capture)
{
    return width > 0 ? dpl_ns_to_s(width + capture) * ping_speed_m_s(config) / 2.0 : 0.0;
}

double ping_self_test(const struct ping_config *config, double tolerance)
{
    static const double parts[] = {0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        double range_m = round(config->max_range_m * parts[i] * 1000.0) / 1000.0;
        double back_m = ping_range_m(config, ping_width(config, range_m), 0);
        if (range_m > 0.0 && !(fabs(back_m - range_m) <= tolerance * range_m)) {
            return range_m;
        }
    }
    return 0.0;
}
