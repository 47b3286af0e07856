/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up of each drive by the driver `cia402` before the start: the process data, and the sequence
 * of objects that it writes or checks. Pure. */
#ifndef CIA402_CIA402_PLAN_H
#define CIA402_CIA402_PLAN_H

#include <doppel/diag.h>
#include <doppel/drv/axes.h>
#include <doppel/time.h>

#include <doppel/protocol/canopen.h>
#include <doppel/protocol/cia402.h>

/* Process data, by their place in the maps. */
enum { RPDO1_CONTROLWORD, RPDO1_TARGET };
enum { RPDO2_VELOCITY_OFFSET, RPDO2_TORQUE_OFFSET };
enum { TPDO1_STATUSWORD, TPDO1_POSITION };
enum { TPDO2_VELOCITY, TPDO2_TORQUE };

extern const struct dpl_canopen_map cia402_rpdo[2], cia402_tpdo[2];

/* Of one bus. Six drives need 3 ms of a bus with 1 Mbit/s, more need more in proportion. */
enum { CIA402_AXES_MAX = 32 };

/* The unit of axes is the metre. Another driver may have another unit of position (radians) and of
 * effort (N m) in all members with m and N: only counts and rated effort say what they are. */
struct cia402_settings {
    size_t n_axes;           /* 0: DPL_AXES_N */
    const char *counts_name; /* the property that counts_per_m is from; NULL: that of axes */
    uint8_t nodes[CIA402_AXES_MAX];
    double counts_per_m; /* negative: the drive counts in the other direction */
    double rated_force_n;
    double moved_kg; /* acceleration times this mass is the torque offset; 0: none */
    uint32_t bit_rate;
    dpl_ns period; /* from SYNC to SYNC */
    dpl_ns heartbeat, silence, process_data, watchdog, reference_timeout, start_timeout;
    double quick_stop_m_s2;   /* 0: the drive's own */
    double following_error_m; /* 0: the drive's own */
    double standstill_m_s;
};

static inline int cia402_n_axes(const struct cia402_settings *settings)
{
    return settings->n_axes > 0 ? (int)settings->n_axes : DPL_AXES_N;
}

enum cia402_kind {
    CIA402_WRITE,
    CIA402_WRITE_IF_THERE, /* a drive without this object is accepted too */
    CIA402_EXPECT,         /* reads: the bits of `mask` must be equal to `value` */
    CIA402_AWAIT,          /* the same, but may become true after some time */
    CIA402_IDENTIFY,       /* reads if it exists: enum cia402_identity_part in `value` */
};

struct cia402_step {
    enum cia402_kind kind;
    uint16_t index;
    uint8_t sub, size;
    bool adds_node; /* the node's number is added to the value */
    uint32_t value, mask;
    const char *what; /* description of the failure of this step */
};

enum cia402_identity_part {
    CIA402_NAME, /* a text */
    CIA402_VENDOR,
    CIA402_PRODUCT,
    CIA402_REVISION,
    CIA402_SERIAL,
    CIA402_IDENTITY_PARTS,
};

enum { CIA402_STEPS_MAX = 56 };

struct cia402_plan {
    size_t n;
    struct cia402_step steps[CIA402_STEPS_MAX];
};

/* The steps for these settings. */
void cia402_plan_make(struct cia402_plan *plan, const struct cia402_settings *settings);

/* Checks the settings: nodes of 1 to 127, each once; a period that 60C2h can represent and the bus
 * has time for; timeouts of some periods. -EINVAL with reterr. */
int cia402_settings_check(const struct cia402_settings *settings, struct dpl_diag *reterr);

/* Bits on the bus in one period, with the largest number of stuff bits: SYNC, four PDOs per axis,
 * and the heartbeats' part. */
double cia402_bits_per_period(const struct cia402_settings *settings);

/* Rounds to the drive's units; values beyond 32 bits are clamped. */
int32_t cia402_counts(double value, double per_unit);

#endif
