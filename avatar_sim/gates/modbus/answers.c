/* SPDX-License-Identifier: Apache-2.0 */
/* Answers by libmodbus: see answers.h. */
#include "answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <modbus/modbus.h>

enum { ADDRESSES = 65536 };

struct modbus_answers {
    modbus_t *context;
    modbus_mapping_t mapping;
    uint8_t bits[ADDRESSES];       /* of one table */
    uint16_t registers[ADDRESSES]; /* of one table */
};

struct modbus_answers *answers_create(void)
{
    struct modbus_answers *answers = calloc(1, sizeof *answers);
    if (!answers) {
        return NULL;
    }
    answers->context = modbus_new_tcp("127.0.0.1", 0); /* its socket is set for each answer */
    if (!answers->context) {
        free(answers);
        return NULL;
    }
    modbus_set_error_recovery(answers->context, MODBUS_ERROR_RECOVERY_NONE);
    return answers;
}

void answers_destroy(struct modbus_answers *answers)
{
    if (answers) {
        modbus_free(answers->context);
        free(answers);
    }
}

/* libmodbus finds each value at its address; only those of the request are filled. */
static modbus_mapping_t *map(struct modbus_answers *answers, const struct unit *unit,
                             const struct request *request, const uint16_t *cells)
{
    modbus_mapping_t *mapping = &answers->mapping;
    bool is_bits = dpl_modbus_is_bits(request->table);
    size_t cell = request->n_read > 0 ? unit_cell(unit, request->table, request->read_first) : 0;
    for (unsigned i = 0; i < request->n_read; i++) {
        unsigned address = request->read_first + i;
        if (is_bits) {
            answers->bits[address] = cells[cell + i] != 0;
        } else {
            answers->registers[address] = cells[cell + i];
        }
    }
    *mapping = (modbus_mapping_t){
        .nb_bits = ADDRESSES,
        .nb_input_bits = ADDRESSES,
        .nb_input_registers = ADDRESSES,
        .nb_registers = ADDRESSES,
        .tab_bits = answers->bits,
        .tab_input_bits = answers->bits,
        .tab_input_registers = answers->registers,
        .tab_registers = answers->registers,
    };
    return mapping;
}

int answers_send(struct modbus_answers *answers, int fd, const uint8_t *bytes, size_t size,
                 const struct unit *unit, const struct request *request, const uint16_t *cells)
{
    modbus_set_socket(answers->context, fd);
    int sent = modbus_reply(answers->context, bytes, (int)size, map(answers, unit, request, cells));
    return sent > 0 ? 0 : -ECONNRESET;
}

int answers_refuse(struct modbus_answers *answers, int fd, const uint8_t *bytes,
                   enum request_exception exception)
{
    modbus_set_socket(answers->context, fd);
    int sent = modbus_reply_exception(answers->context, bytes, (unsigned)exception);
    return sent > 0 ? 0 : -ECONNRESET;
}
