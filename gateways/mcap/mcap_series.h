/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a series: for "run.mcap" they are run-0001.mcap, run-0002.mcap and so on. Block. */
#ifndef DPL_GATEWAYS_MCAP_SERIES_H
#define DPL_GATEWAYS_MCAP_SERIES_H

#include <stddef.h>

#define MCAP_SERIES_MAX 1000000

/* The name of the file behind the highest of the series that is there: none is replaced. 0;
 * -ENAMETOOLONG; -EMFILE: that was the last number. */
int mcap_series_next(const char *file, char *ret_name, size_t size);
/* Removes the files with the lowest numbers until `most` are left; those that are being recorded
 * stay. */
void mcap_series_prune(const char *file, size_t most);

#endif
