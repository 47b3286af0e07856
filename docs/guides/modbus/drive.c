/* SPDX-License-Identifier: Apache-2.0 */
/* A control unit over Modbus: drives the cart of docs/guides/modbus/cart.xml to 0.5 m. argv: port.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <modbus/modbus.h>

static int fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, modbus_strerror(errno));
    return 1;
}

int main(int argc, char **argv)
{
    modbus_t *plc = modbus_new_tcp("127.0.0.1", argc > 1 ? atoi(argv[1]) : 1502);
    modbus_set_slave(plc, 1);
    if (modbus_connect(plc) < 0) {
        return fail("connect");
    }
    const double target = 0.5;
    double position = 0.0;
    unsigned last = 0;
    for (unsigned scan = 1; position < target - 0.002;) {
        unsigned short inputs[3], time[2];
        if (modbus_read_input_registers(plc, 10, 2, time) != 2 ||
            modbus_read_input_registers(plc, 0, 3, inputs) != 3) {
            return fail("read");
        }
        unsigned now = (unsigned)time[0] << 16 | time[1]; /* ms of the world */
        if (scan > 1 && now - last < 10) {
            continue; /* a scan each 10 ms */
        }
        last = now;
        position = 1e-4 * (int)((unsigned)inputs[0] << 16 | inputs[1]);
        double speed = 3.0 * (target - position);
        unsigned short command = (unsigned short)(1e3 * (speed < 0.4 ? speed : 0.4)); /* mm/s */
        if (modbus_write_register(plc, 0, command) != 1 ||
            modbus_write_register(plc, 1, (unsigned short)scan++) != 1) { /* last: the watchdog */
            return fail("write");
        }
    }
    printf("%.2f m after %u ms\n", position, last);
    modbus_close(plc);
    modbus_free(plc);
    return 0;
}
