/* SPDX-License-Identifier: Apache-2.0 */
/* The size of names in a model of a world. */
#ifndef DOPPEL_SIM_NAME_H
#define DOPPEL_SIM_NAME_H

#define DPL_SIM_NAME_SIZE 48 /* bytes, the end included */

#endif
