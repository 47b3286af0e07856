/* SPDX-License-Identifier: Apache-2.0 */
/* Answers to masters, by libmodbus: the only files that use it. On the thread of the sockets. */
#ifndef DOPPEL_SIM_MODBUS_ANSWERS_H
#define DOPPEL_SIM_MODBUS_ANSWERS_H

#include "units.h"

struct modbus_answers;

/* NULL: out of memory. */
struct modbus_answers *answers_create(void);
void answers_destroy(struct modbus_answers *answers); /* NULL: nothing */

/* Sends the answer to a request that was checked and done; `bytes` are the request, `cells` those
 * of one boundary. 0; -ECONNRESET: it cannot be sent. */
int answers_send(struct modbus_answers *answers, int fd, const uint8_t *bytes, size_t size,
                 const struct unit *unit, const struct request *request, const uint16_t *cells);

/* Sends an exception. */
int answers_refuse(struct modbus_answers *answers, int fd, const uint8_t *bytes,
                   enum request_exception exception);

#endif
