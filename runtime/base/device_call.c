/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of devices: checks arguments with the table of the class, then calls the driver. */
#include <errno.h>
#include <math.h>

#include <doppel/device.h>

static bool is_within(const struct dpl_field *row, double value)
{
    bool any = row->min == 0.0 && row->max == 0.0;
    return isfinite(value) && (any || (value >= row->min && value <= row->max));
}

static bool fits(const struct dpl_field *row, const void *in)
{
    const void *at = (const char *)in + row->offset;
    if (row->type == DPL_FIELD_INT) {
        return is_within(row, (double)*(const int64_t *)at);
    }
    bool good = true;
    size_t n = row->type == DPL_FIELD_DOUBLE ? row->size / sizeof(double) : 0;
    for (size_t i = 0; i < n; i++) {
        good &= is_within(row, ((const double *)at)[i]);
    }
    return good;
}

int dpl_call_check(const struct dpl_call *call, const void *in)
{
    bool good = true;
    for (size_t i = 0; i < call->n_in; i++) {
        good &= fits(&call->in[i], in);
    }
    return good ? 0 : -EINVAL;
}

static int ask_driver(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    const struct dpl_driver *driver = device->driver;
    if (driver->answer) {
        return driver->answer(device, number, in, out);
    }
    dpl_device_call_fn call = driver->api[number];
    return call ? call(device, in, out) : driver->device_class->calls[number].missing;
}

int dpl_device_call(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    const struct dpl_device_class *class = device->driver->device_class;
    if (number >= class->n_calls) {
        device->n_refused++;
        return -ENOTSUP;
    }
    const struct dpl_call *call = &class->calls[number];
    int answer = dpl_call_check(call, in);
    answer = answer == 0 ? ask_driver(device, number, in, out) : answer;
    device->n_refused += call->kind <= DPL_CALL_SETTING && dpl_call_refused(answer);
    return answer;
}
