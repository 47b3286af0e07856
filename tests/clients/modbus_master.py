# SPDX-License-Identifier: Apache-2.0
"""A Modbus master on python3-pymodbus, for the world docs/guides/modbus/rail.xml. argv: port, then what it does:
   judge          reads and writes all that there is, and judges the answers
   push SPEED     lets the cart move (mm/s) and feeds the watchdog until it is ended
   scan N         scans N times as a control unit does, every 10 ms of the world's time, and prints what it has seen"""
import sys
import threading
import time

from pymodbus.client import ModbusTcpClient

port = int(sys.argv[1])
UNIT = {"slave": 1}
count = 0


def connect():
    client = ModbusTcpClient("127.0.0.1", port=port, timeout=5)
    if not client.connect():
        sys.exit("no connection")
    return client


def must(holds, what):
    global count
    count += 1
    if not holds:
        sys.exit("FAILED: " + what)


def signed(words):
    value = 0
    for word in words:
        value = value << 16 | word
    return value - (1 << 16 * len(words)) if value >> 16 * len(words) - 1 else value


def refused(answer, code, what):
    must(answer.isError(), what + ": it was done")
    must(answer.exception_code == code, "%s: exception %d, expected %d" % (what, answer.exception_code, code))


def judge_reads(client):
    must(client.read_discrete_inputs(0, 2, **UNIT).bits[:2] == [False, False], "the switches are off in the middle")
    must(client.read_input_registers(3, 1, **UNIT).registers == [2], "a constant")
    last = 0
    for _ in range(500):
        beat, high, low = client.read_input_registers(9, 3, **UNIT).registers
        now = high << 16 | low
        must(beat == now % 65536, "heartbeat %d and time %d are of one step" % (beat, now))
        must(now >= last, "the time goes forward")
        last = now


def judge_exceptions(client):
    before = client.read_holding_registers(0, 3, **UNIT).registers
    refused(client.read_input_registers(0, 5, **UNIT), 2, "a hole in the inputs")
    refused(client.read_holding_registers(65535, 1, **UNIT), 2, "the last address")
    refused(client.read_coils(1, 1, **UNIT), 2, "a coil that there is not")
    refused(client.write_register(3, 1, **UNIT), 2, "an address that can only be read")
    refused(client.write_coil(7, True, **UNIT), 2, "a coil that there is not")
    refused(client.write_registers(1, [1, 2, 3], **UNIT), 2, "a batch that is too long")
    must(client.read_holding_registers(0, 3, **UNIT).registers == before, "nothing of it was written")
    refused(client.mask_write_register(address=2, and_mask=0, or_mask=1, unit=1), 1, "an unknown function")
    refused(client.read_coils(0, 1, slave=9), 11, "a unit that there is not")


def judge_writes(client):
    answer = client.write_registers(0, [500, 1, 77], **UNIT)
    must(not answer.isError() and answer.count == 3, "three registers")
    time.sleep(0.2)
    low, high = client.read_input_registers(0, 4, **UNIT).registers[:2], client.read_input_registers(2, 1, **UNIT).registers
    must(signed(high) == 500, "the speed is %d mm/s, expected 500" % signed(high))
    must(500 < signed(low) < 20000, "the position is %d, in 0.1 mm" % signed(low))
    both = client.readwrite_registers(read_address=0, read_count=3, write_address=0, write_registers=[65036, 2], unit=1)
    must(both.registers == [65036, 2, 77], "function 23 reads what it has written: %s" % both.registers)
    time.sleep(0.1)
    must(signed(client.read_input_registers(2, 1, **UNIT).registers) == -500, "it moves back")
    must(not client.write_coils(0, [True], **UNIT).isError(), "function 15")
    must(client.read_coils(0, 1, **UNIT).bits[0] is True, "the coil reads back")
    must(not client.write_coil(0, False, **UNIT).isError(), "function 5")
    must(client.read_coils(0, 1, **UNIT).bits[0] is False, "the coil reads back")
    must(not client.write_register(0, 0, **UNIT).isError(), "function 6")


def judge_many():
    failures = []

    def work(number):
        client = connect()
        for i in range(100):
            if client.write_register(2, 100 * number + i, **UNIT).isError() or client.read_input_registers(3, 1, **UNIT).registers != [2]:
                failures.append(number)
        client.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    must(not failures, "eight masters at once")


def judge():
    client = connect()
    judge_reads(client)
    judge_exceptions(client)
    judge_writes(client)
    judge_many()
    client.close()
    print("%d answers, all as they must be" % count)


def push(speed):
    client = connect()
    client.write_register(0, speed % 65536, **UNIT)
    for i in range(1, 100000):
        if client.write_register(1, i % 65536, **UNIT).isError():
            sys.exit("the watchdog is refused")
        if i == 1:
            print("pushes", flush=True)
        time.sleep(0.05)


def scan(n):
    client = connect()
    last = None
    for i in range(n):
        while True:
            words = client.read_input_registers(10, 2, **UNIT).registers
            now = words[0] << 16 | words[1]
            if last is None or now - last >= 10:
                break
        last = now
        position, speed = client.read_input_registers(0, 4, **UNIT).registers[:2], client.read_input_registers(2, 1, **UNIT).registers
        print(now, signed(position), signed(speed))
        target = 400 if i // 50 % 2 == 0 else -400
        if client.write_register(0, target % 65536, **UNIT).isError() or client.write_register(1, (i + 1) % 65536, **UNIT).isError():
            sys.exit("a write is refused")
    client.close()


what = sys.argv[2]
if what == "judge":
    judge()
elif what == "push":
    push(int(sys.argv[3]))
else:
    scan(int(sys.argv[3]))
