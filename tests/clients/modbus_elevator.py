"""An elevator without forces behind python3-pymodbus's server: the car goes as fast as it is told, the door too. Its time goes on by 10 ms with
each write of the watchdog, so that a unit which does not write stands still. Prints `port N`, `moves` when the car
leaves its first place, and at SIGTERM one line of JSON.
  modbus_elevator.py [PORT] [--floors N] [--whole] [--call KIND:FLOOR ...] [--trip AT_S] [--key AT_S] [--without KIND:ADDRESS]
--whole maps all 32 floors; else only those that there are, without a call upwards at the top or downwards at the bottom."""
import argparse
import asyncio
import json
import signal

from pymodbus.datastore import ModbusServerContext
from pymodbus.interfaces import IModbusSlaveContext
from pymodbus.server.async_io import ModbusTcpServer

HEIGHT = 3.2
CALLS = {"car": 16, "up": 48, "down": 80}


def signed(value, bits=16):
    return value - (1 << bits) if value >> (bits - 1) else value


class Elevator(IModbusSlaveContext):
    def __init__(self, options):
        self.options = options
        self.time_ms = 0
        self.position = self.speed = self.door = self.open_ms = 0.0
        self.tripped = self.was_reset = False
        self.trips = [] if options.trip is None else [options.trip]
        self.keys = [] if options.key is None else [options.key]
        self.tables = {"d": {}, "c": {}, "i": {a: 0 for a in range(12)}, "h": {a: 0 for a in range(6)}}
        for a in range(16):
            self.tables["d"][a] = 0
        for a in range(5):
            self.tables["c"][a] = 0
        if options.whole:
            for a in range(112):
                self.tables["d"][a] = self.tables["c"][a] = 0
        for kind, first in CALLS.items():
            for floor in range(options.floors):
                if not (kind == "up" and floor == options.floors - 1 or kind == "down" and floor == 0):
                    self.tables["d"][first + floor] = self.tables["c"][first + floor] = 0
        for call in options.call:
            kind, floor = call.split(":")
            self.tables["d"][CALLS[kind] + int(floor)] = 1
        for gap in options.without:
            kind, address = gap.split(":")
            del self.tables[kind][int(address)]
        self.states, self.reached = [], []
        self.measure()

    def reset(self):
        pass

    def validate(self, fc_as_hex, address, count=1):
        table = self.tables[self.decode(fc_as_hex)]
        return all(a in table for a in range(address, address + count))

    def getValues(self, fc_as_hex, address, count=1):
        table = self.tables[self.decode(fc_as_hex)]
        return [table[a] for a in range(address, address + count)]

    def setValues(self, fc_as_hex, address, values):
        kind = self.decode(fc_as_hex)
        for a, value in enumerate(values, address):
            before, self.tables[kind][a] = self.tables[kind][a], int(value)
            if kind == "c" and a >= 16 and before and not value:
                self.tables["d"][a] = 0
            if kind == "c" and a == 4 and value and not before:
                self.tripped = False
            if kind == "h" and a == 1 and before != value:
                self.goes_on = True
        if getattr(self, "goes_on", False):
            self.goes_on = False
            self.step(0.010)

    def step(self, dt):
        coils, holding = self.tables["c"], self.tables["h"]
        if not self.states or self.states[-1] != holding[2]:
            self.states.append(holding[2])
        released = coils[0] and coils[1]
        self.open_ms = self.open_ms + 1e3 * dt if released else 0.0
        self.speed = 1e-3 * signed(holding[0]) if released and self.open_ms >= 150 else 0.0
        before, self.position = self.position, self.position + self.speed * dt
        if before < 0.001 <= self.position:
            print("moves", flush=True)
        self.door = min(max(self.door + dt * (0.32 * (coils[2] > coils[3]) - 0.22 * (coils[3] > coils[2])), 0.0), 0.45)
        self.time_ms += round(1e3 * dt)
        if self.trips and self.time_ms >= 1e3 * self.trips[0]:
            self.tripped = bool(self.trips.pop(0))
        if self.keys and self.time_ms >= 1e3 * self.keys[0]:
            self.keys.pop(0)
            self.setValues(5, 4, [1])
        self.measure()

    def measure(self):
        off = abs(self.position - HEIGHT * round(self.position / HEIGHT))
        switches = [not self.tripped, self.door < 0.002, self.door > 0.445, 1, 0, 0, off <= 0.1, 0, 0, 0, 0, self.open_ms >= 150, self.tripped, 0, 0,
                    self.door < 0.002]
        for a, on in enumerate(switches):
            if a in self.tables["d"]:
                self.tables["d"][a] = int(on)
        tenths = round(1e4 * self.position) & 0xFFFFFFFF
        numbers = [tenths >> 16, tenths & 0xFFFF, round(1e3 * self.speed) & 0xFFFF, 75, round(1e3 * self.door), 0, 0, 0, self.time_ms & 0xFFFF,
                   self.options.floors, self.time_ms >> 16, self.time_ms & 0xFFFF]
        for a, number in enumerate(numbers):
            self.tables["i"][a] = number

    def report(self):
        calls = [a for a, on in self.tables["d"].items() if a >= 16 and on]
        return {"position": round(self.position, 4), "states": self.states, "calls": calls, "coils": [self.tables["c"][a] for a in range(5)],
                "holding": [signed(self.tables["h"].get(a, 0)) for a in range(6)], "time": 1e-3 * self.time_ms}


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int, nargs="?", default=0)
    parser.add_argument("--floors", type=int, default=12)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--call", action="append", default=[])
    parser.add_argument("--trip", type=float)
    parser.add_argument("--key", type=float)
    parser.add_argument("--without", action="append", default=[])
    elevator = Elevator(parser.parse_args())
    server = ModbusTcpServer(ModbusServerContext(slaves={1: elevator}, single=False), address=("127.0.0.1", elevator.options.port),
                             allow_reuse_address=True)
    task = asyncio.ensure_future(server.serve_forever())
    while not server.server:
        await asyncio.sleep(0.01)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    print("port", server.server.sockets[0].getsockname()[1], flush=True)
    await ended.wait()
    print(json.dumps(elevator.report()), flush=True)
    task.cancel()


asyncio.run(main())
