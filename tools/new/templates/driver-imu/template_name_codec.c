/* Frames and their payloads. */
#include "template_name_codec.h"

#include <math.h>
/* @part framing.c */

#define N_VALUES 9
#define UNIT     0.001

size_t template_name_measurement_encode(const struct template_name_measurement *measurement,
                                        uint8_t ret[TEMPLATE_NAME_MAX_FRAME])
{
    const double *w = measurement->rate_rad_s, *a = measurement->acceleration_m_s2;
    const double values[N_VALUES] = {
        w[0],
        w[1],
        w[2],
        a[0],
        a[1],
        a[2],
        measurement->roll_rad,
        measurement->pitch_rad,
        measurement->yaw_rad,
    };
    for (size_t i = 0; i < N_VALUES; i++) {
        double clamped = fmin(fmax(values[i] / UNIT, -32767.0), 32767.0);
        dpl_put_u16le(ret + 3 + 2 * i, (uint16_t)(int16_t)lround(clamped));
    }
    return finish_frame(ret, TEMPLATE_NAME_MEASUREMENT, 2 * N_VALUES);
}

bool template_name_measurement_decode(const struct template_name_frame *frame,
                                      struct template_name_measurement *ret)
{
    double values[N_VALUES];
    if (frame->type != TEMPLATE_NAME_MEASUREMENT || frame->length != 2 * N_VALUES) {
        return false;
    }
    for (size_t i = 0; i < N_VALUES; i++) {
        values[i] = dpl_get_i16le(frame->payload + 2 * i) * UNIT;
    }
    memcpy(ret->rate_rad_s, values, sizeof ret->rate_rad_s);
    memcpy(ret->acceleration_m_s2, values + 3, sizeof ret->acceleration_m_s2);
    ret->roll_rad = values[6];
    ret->pitch_rad = values[7];
    ret->yaw_rad = values[8];
    return true;
}
