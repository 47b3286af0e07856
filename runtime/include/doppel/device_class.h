/* SPDX-License-Identifier: Apache-2.0 */
/* Device classes: the calls that each device of a class supports, as data. A class is one const
 * object (drivers/<class>/class.c); its drivers implement the calls. The table is used to check
 * arguments, to count refusals, by the HIL driver and by the contract test of the class. Components
 * use the typed wrappers of drivers/include/doppel/drv/<class>.h. */
#ifndef DOPPEL_DEVICE_CLASS_H
#define DOPPEL_DEVICE_CLASS_H

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>

#include <doppel/field.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_device;

/* Implements a call: `in` and `out` are the structs that the rows of the call describe, or NULL
 * when the call has none. Returns 0 or a negative errno; writes `out` only when it returns 0. */
typedef int (*dpl_device_call_fn)(struct dpl_device *, const void *in, void *out);

/* The kind of a call. The HIL driver treats calls by their kind. Only readings have results. */
enum dpl_call_kind {
    DPL_CALL_COMMAND, /* starts something: sent to the simulation too, unless the hardware refused
                         it */
    DPL_CALL_STOP,    /* ends or cancels something: sent to both, even if the hardware refuses */
    DPL_CALL_SETTING, /* changes a setting of the device: sent to both, even if the hardware refuses
                       */
    DPL_CALL_READING, /* reads a value: sent to the hardware only */
    DPL_CALL_CYCLE,   /* once per cycle, or at the end of cycles: sent to both */
};

/* The rows of `in` and `out` give member, unit and range. A row with more bytes than one value of
 * its type is an array. An integer in `out` may have any size of C; in `in` it is an int64_t.
 * Numbers in `in` must be finite, and within min and max if these are given. */
struct dpl_call {
    const char *name;
    const char *summary;
    enum dpl_call_kind kind;
    const struct dpl_field *in, *out;
    size_t n_in, n_out;
    size_t in_size, out_size; /* of the structs; 0: the call has none */
    bool borrowed; /* `out` is a pointer to the result, which the driver owns and keeps until the
                      next call */
    const char *beyond; /* rules that the rows cannot describe, as text; NULL: none */
    bool optional;      /* a driver may leave out this call or some of its arguments */
    int missing; /* optional calls: the result when the driver does not have the call, 0 or -ENOTSUP
                  */
    /* The structs as in C, such as "struct dpl_joints_state", for `doppel new`; NULL: the call has
     * none. */
    const char *in_type, *out_type;
};

struct dpl_device_class {
    const char *name; /* name of its folder */
    const char *summary;
    /* Indexed by the numbers of drv/<class>.h. New calls are added at the end, because components
     * and drivers may be built at different times. */
    const struct dpl_call *calls;
    size_t n_calls;
};

/* A row of `calls`: kind, name, summary, then further members. */
#define DPL_CALL(kind_, name_, summary_, ...)                                                      \
    {                                                                                              \
        .name = name_, .summary = summary_, .kind = DPL_CALL_##kind_, __VA_ARGS__                  \
    }
#define DPL_CALL_TEXT_(...) #__VA_ARGS__
#define DPL_CALL_TEXT(...)  DPL_CALL_TEXT_(__VA_ARGS__) /* of a macro's value, not of its name */
#define DPL_CALL_IN(struct_, rows_)                                                                \
    .in = rows_, .n_in = DPL_COUNT(rows_), .in_size = sizeof(struct_),                             \
    .in_type = DPL_CALL_TEXT(struct_)
#define DPL_CALL_OUT(struct_, rows_)                                                               \
    .out = rows_, .n_out = DPL_COUNT(rows_), .out_size = sizeof(struct_),                          \
    .out_type = DPL_CALL_TEXT(struct_)
#define DPL_CALL_TICK       .in_size = sizeof(struct dpl_tick), .in_type = "struct dpl_tick"
#define DPL_CALL_OR_NOTHING .optional = true, .missing = 0
#define DPL_CALL_OR_ENOTSUP .optional = true, .missing = -ENOTSUP

/* For min and max of a row: a number above 0. */
#define DPL_ABOVE_0 DBL_TRUE_MIN
#define DPL_NO_END  DBL_MAX

/* Checks the arguments of the call: 0 or -EINVAL. */
int dpl_call_check(const struct dpl_call *call, const void *in);

/* Whether an answer is a refusal: an error other than -EINPROGRESS. */
static inline bool dpl_call_refused(int answer)
{
    return answer < 0 && answer != -EINPROGRESS;
}

/* Calls the device: checks the arguments (-EINVAL), then calls the driver, or returns the result
 * for a driver without this call. -ENOTSUP for a number that the driver's class does not have,
 * because the driver was built before the call was added. Refused commands, stops and settings, and
 * all calls with such a number, are counted in device->n_refused. One thread at a time; does not
 * allocate or lock. */
int dpl_device_call(struct dpl_device *device, unsigned number, const void *in, void *out);

#ifdef __cplusplus
}
#endif

#endif
