/* SPDX-License-Identifier: Apache-2.0 */
/* When the scans of a log were made. A log has the times at which its computer got them: late by a
 * varying time. The laser itself turns evenly. Pure; allocates. */
#ifndef DOPPEL_RECORDED_LOG_STAMPS_H
#define DOPPEL_RECORDED_LOG_STAMPS_H

#include <stddef.h>

#include <doppel/time.h>

/* From increasing times of arrival[n], one a turn of the laser or a whole number of turns, to even
 * times: the earliest arrivals within 20 turns before and after say when turns are (the minimum of
 * delays, as drivers/common/device_clock.h does it forwards). A constant delay stays in them; no
 * time is later than its arrival. Fewer than 60 times, or times that no even turning explains (one
 * in ten is late by more than 0.7 turns): they stay as they are. 0 or -ENOMEM. */
int log_stamps_even(const dpl_ns *arrivals, size_t n, dpl_ns *ret_stamps);

#endif
