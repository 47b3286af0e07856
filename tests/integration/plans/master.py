"""A Modbus master for tests: drives the cart of cart_robot.xml to 0.5 m. At 0.3 m it may die, end or hang."""
import os
import socket
import struct
import sys
import time

SCAN_MS = 10


class Master:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.number = 0

    def receive(self, size):
        data = b""
        while len(data) < size:
            got = self.socket.recv(size - len(data))
            if not got:
                sys.exit("the world is gone")
            data += got
        return data

    def ask(self, request):
        self.number = (self.number + 1) & 0xFFFF
        self.socket.sendall(struct.pack(">HHHB", self.number, 0, len(request) + 1, 1) + request)
        size = struct.unpack(">HHHB", self.receive(7))[2] - 1
        answer = self.receive(size)
        if answer[0] & 0x80:
            sys.exit(f"exception {answer[1]}")
        return answer

    def read(self):
        """(position in m, time in ms) of one step of the world"""
        words = self.ask(struct.pack(">BHH", 4, 0, 4))[2:]
        position, now = struct.unpack(">iI", words)
        return position * 1e-6, now

    def write(self, *values):
        words = struct.pack(f">{len(values)}H", *[value & 0xFFFF for value in values])
        self.ask(struct.pack(">BHHB", 16, 0, len(values), len(words)) + words)


master = Master(int(sys.argv[1]))
mood = sys.argv[2] if len(sys.argv) > 2 else ""
last, watchdog, speed = -SCAN_MS, 0, 500
while True:
    position, now = master.read()
    if now - last < SCAN_MS:
        continue
    last = now
    if position > 0.3 and mood == "die":
        os.kill(os.getpid(), 9)
    if position > 0.3 and mood == "end":
        sys.exit(0)
    if position > 0.3 and mood == "hang":
        time.sleep(60)
    if position > 0.5:
        speed = 0
    watchdog += 1
    master.write(speed, watchdog)
