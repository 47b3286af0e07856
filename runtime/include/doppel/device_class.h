/* SPDX-License-Identifier: Apache-2.0 */
/* Device classes: what can be asked of every device of a class, as data. A class is one const
 * object (drivers/<class>/class.c); its drivers answer its calls. From the table come the checks of
 * arguments, the counting of refusals, the HIL driver and the contract test of the class.
 * Components use the typed wrappers of drivers/include/doppel/drv/<class>.h. */
#ifndef DOPPEL_DEVICE_CLASS_H
#define DOPPEL_DEVICE_CLASS_H

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>

#include <doppel/field.h>

struct dpl_device;

/* How a driver answers a call: `in` and `out` are the structs that the call's rows describe, or
 * NULL where there are none. 0 or a negative errno; `out` is written on 0 only. */
typedef int (*dpl_device_call_fn)(struct dpl_device *, const void *in, void *out);

/* What a call is, and so what the HIL driver does with it. Only readings have results. */
enum dpl_call_kind {
    DPL_CALL_COMMAND, /* begins something: to the simulation too, unless the hardware refused it */
    DPL_CALL_STOP,    /* ends or takes back something: to both, whatever the hardware answers */
    DPL_CALL_SETTING, /* changes how the device works: to both, whatever the hardware answers */
    DPL_CALL_READING, /* asks the hardware alone */
    DPL_CALL_CYCLE,   /* once a cycle, or when cycles end: to both */
};

/* Rows of `in` and `out` say member, unit and range. A row of more bytes than one value of its type
 * is an array of them; a whole number may have any of C's sizes in `out`, and is an int64_t in
 * `in`. Numbers of `in` must be finite, and within min and max where those are given. */
struct dpl_call {
    const char *name;
    const char *summary;
    enum dpl_call_kind kind;
    const struct dpl_field *in, *out;
    size_t n_in, n_out;
    size_t in_size, out_size; /* of the structs; 0: the call has none */
    bool borrowed;      /* `out` is a pointer to the result, the driver's until the next call */
    const char *beyond; /* what the rows cannot describe, in words; NULL: nothing */
    bool optional;      /* a driver may lack it, or some of what it can be asked for */
    int missing;        /* optional: the answer of a driver that lacks it, 0 or -ENOTSUP */
};

struct dpl_device_class {
    const char *name; /* as its folder is called */
    const char *summary;
    const struct dpl_call *calls; /* by the numbers of drv/<class>.h */
    size_t n_calls;
};

/* A row of `calls`: kind, name, summary, then what else there is to say of it. */
#define DPL_CALL(kind_, name_, summary_, ...)                                                      \
    {                                                                                              \
        .name = name_, .summary = summary_, .kind = DPL_CALL_##kind_, __VA_ARGS__                  \
    }
#define DPL_CALL_IN(struct_, rows_)                                                                \
    .in = rows_, .n_in = DPL_COUNT(rows_), .in_size = sizeof(struct_)
#define DPL_CALL_OUT(struct_, rows_)                                                               \
    .out = rows_, .n_out = DPL_COUNT(rows_), .out_size = sizeof(struct_)
#define DPL_CALL_TICK       .in_size = sizeof(struct dpl_tick)
#define DPL_CALL_OR_NOTHING .optional = true, .missing = 0
#define DPL_CALL_OR_ENOTSUP .optional = true, .missing = -ENOTSUP

/* As min and max of a row: a number above 0. */
#define DPL_ABOVE_0 DBL_TRUE_MIN
#define DPL_NO_END  DBL_MAX

/* Whether the call can have these arguments: 0 or -EINVAL. */
int dpl_call_check(const struct dpl_call *call, const void *in);

/* Whether an answer is a refusal: an error other than -EINPROGRESS. */
static inline bool dpl_call_refused(int answer)
{
    return answer < 0 && answer != -EINPROGRESS;
}

/* Asks the device: checks the arguments (-EINVAL), answers for a driver that lacks the call, else
 * the driver does. Refused commands, stops and settings are counted in device->n_refused. By one
 * thread at a time; neither allocates nor locks. */
int dpl_device_call(struct dpl_device *device, unsigned number, const void *in, void *out);

#endif
