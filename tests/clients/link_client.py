#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of a served world, written from docs/reference/link.md and link.proto alone, against Debian's python3-zmq and
python3-protobuf. link_client.py tcp://HOST:PORT PART: drives the wheels of a robot with motors LeftWheel and RightWheel,
prints what it saw and ends with 1 when something is not as it must be. `link_pb2` is what protoc makes of link.proto."""
import struct
import sys
import time

import zmq

import link_pb2 as link

VERSION = 2
BEAT = 0.1  # s, between two times that the same is said


def check(holds, *what):
    if not holds:
        raise AssertionError(" ".join(str(w) for w in what))


class Client:
    all = []  # whoever waits keeps the others from falling silent

    def __init__(self, address, name, version=VERSION):
        self.name = name
        self.version = version
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.ROUTING_ID, name.encode())
        self.socket.setsockopt(zmq.LINGER, 100)
        self.socket.connect(address)
        self.session = None
        self.channels = []
        self.number = 0
        self.controls = []
        self.last_said = 0.0
        self.held = {}  # values that hold, by index: said again and again
        Client.all.append(self)

    def say(self, **body):
        self.socket.send(link.ToServer(version=self.version, **body).SerializeToString())

    def hear(self, seconds=BEAT):
        """The next message, or None. What holds is said again meanwhile."""
        for client in Client.all:
            if client.held and time.monotonic() - client.last_said > BEAT:
                client.put(client.held)
        if not self.socket.poll(1000 * seconds):
            return None
        message = link.ToClient.FromString(self.socket.recv())
        if message.WhichOneof("body") == "control":
            self.controls.append(message.control)
        return message

    def wait_for(self, kind, again=None, seconds=5.0, fits=lambda body: True):
        """The next body of a kind that fits. `again` says the question anew."""
        end, asked = time.monotonic() + seconds, 0.0
        while time.monotonic() < end:
            if again and time.monotonic() - asked > BEAT:
                asked = time.monotonic()
                again()
            message = self.hear(0.02)
            if message and message.WhichOneof("body") == kind and fits(getattr(message, kind)):
                self.session = self.session or message.session
                check(message.session == self.session, "another session in the middle")
                return getattr(message, kind)
        raise AssertionError(f"{self.name}: no {kind} within {seconds} s")

    def hello(self):
        hello = link.Hello(name=self.name, period=10_000_000)
        return self.wait_for("welcome", lambda: self.say(hello=hello))

    def pull_list(self, n):
        while len(self.channels) < n:
            first = len(self.channels)
            page = self.wait_for("channels", lambda: self.say(list=link.List(first=first)), fits=lambda page: page.first == first)
            check(page.channels, "an empty page before the end of the list")
            self.channels += page.channels

    def number_of(self, path):
        return [c.path for c in self.channels].index(path)

    def subscribe(self, paths, take_over=False):
        """Until there is a frame of it."""
        self.number += 1
        self.held = {}
        body = link.Subscribe(slot=0, number=self.number, channels=[self.number_of(p) for p in paths], take_over=take_over)
        return self.wait_for("frame", lambda: self.say(subscribe=body), fits=self.is_ours)

    def is_ours(self, frame):
        return any(slot.slot == 0 and slot.number == self.number for slot in frame.slots)

    def put(self, values, request=0):
        puts = [link.Put(index=i, value=v, request=request) for i, v in values.items()]
        slot = link.SlotCommand(slot=0, number=self.number, puts=puts)
        self.say(command=link.Command(slots=[slot]))
        self.last_said = time.monotonic()

    def hold(self, values):
        self.held.update(values)
        self.put(self.held)

    def frame(self, fits=lambda slot: True, seconds=5.0):
        frame = self.wait_for("frame", seconds=seconds, fits=lambda f: self.is_ours(f) and fits(f.slots[0]))
        return frame.slots[0]

    def bye(self):
        self.say(bye=link.Bye())
        self.close()

    def close(self):
        Client.all.remove(self)
        self.socket.close()


def number(value):
    return struct.pack("<d", value)


def value_of(slot, index):
    return next(struct.unpack("<d", v.value)[0] for v in slot.values if v.index == index)


def control(client, granted):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        client.hear(0.02)
        while client.controls:
            told = client.controls.pop(0)
            if told.granted == granted:
                return told.text
    raise AssertionError(f"{client.name}: nobody says that it was {'granted' if granted else 'refused'}")


def another_version_is_refused_by_name(address):
    old = Client(address, "grandfather", version=1)
    refused = old.wait_for("refused", lambda: old.say(hello=link.Hello(name=old.name, period=10_000_000)))
    check(refused.text == "client 'grandfather' speaks version 1 of the link protocol, this world speaks version 2", refused.text)
    check(not refused.again, "it may come again")
    old.close()
    print("refused by name:", refused.text)


def who_says_no_hello_is_told(address):
    rude = Client(address, "rude")
    refused = rude.wait_for("refused", lambda: rude.say(list=link.List()))
    check("hello" in refused.text and refused.again, refused.text)
    rude.close()


def the_list_says_what_there_is(client, part):
    welcome = client.hello()
    check(not welcome.lockstep and welcome.channels > 10 and welcome.world, welcome)
    client.pull_list(welcome.channels)
    speed = client.channels[client.number_of(f"{part}/LeftWheel/speed")]
    check((speed.type, speed.direction, speed.unit, speed.size) == ("number", link.IN, "rad/s", 1), speed)
    check(speed.min == -speed.max and speed.max > 0 and speed.summary, speed)
    fan = client.channels[client.number_of(f"{part}/laser/fan")]
    check(fan.direction == link.CONSTANT and len(fan.value) == 8 * fan.size, fan)
    print(f"world {welcome.world} has {len(client.channels)} channels")


PATHS = ["{}/LeftWheel/speed", "{}/RightWheel/speed", "{}/linear", "{}/x", "{}/place", "{}/laser/on", "{}/laser/ranges"]
LEFT, RIGHT, LINEAR, X, PLACE, ON, RANGES = range(len(PATHS))


def the_robot_moves(client, part):
    client.subscribe([p.format(part) for p in PATHS])
    begin = value_of(client.frame(), X)
    client.hold({LEFT: number(4.0), RIGHT: number(4.0)})
    check(control(client, True) == "", "the first one has nobody beside it")
    client.frame(lambda slot: value_of(slot, LINEAR) > 0.1)
    slot = client.frame(lambda slot: abs(value_of(slot, X) - begin) > 0.1)
    check({v.index for v in slot.values} == {LINEAR, X}, "inputs and blocks have no value in a frame")
    check(slot.stamp > 0, "no stamp")
    print(f"moves at {value_of(slot, LINEAR):.3f} m/s")


def a_scan_comes_when_it_is_wanted(client, part):
    client.hold({ON: b"\1"})
    size = client.channels[client.number_of(f"{part}/laser/ranges")].size
    first = client.wait_for("block", fits=lambda b: b.index == RANGES)
    second = client.wait_for("block", fits=lambda b: b.index == RANGES)
    check(len(first.value) == 4 * size and second.sequence == first.sequence + 1, first.sequence, second.sequence)
    check(second.stamp > first.stamp, "two scans of one time")
    print(f"scans of {size} beams")


def a_second_client_is_refused_until_the_first_has_left(address, first, part):
    second = Client(address, "second")
    welcome = second.hello()
    second.pull_list(welcome.channels)
    second.subscribe([p.format(part) for p in PATHS])
    second.hold({LEFT: number(-4.0)})
    text = control(second, False)
    check("is controlled by client 'first'" in text, text)
    check("'second' wants to control" in control(first, True), "the owner is not told")
    for _ in range(20):
        check(value_of(second.frame(), LINEAR) > 0.1, "it obeys the second one")
    print("refused:", text)
    first.bye()
    control(second, True)
    second.frame(lambda slot: value_of(slot, LINEAR) < -0.02)
    return second


def a_request_is_answered(client):
    client.put({PLACE: struct.pack("<3d", 1.0, 2.0, 0.0)}, request=5)
    slot = client.frame(lambda slot: slot.answers)
    check([(a.index, a.request, a.result) for a in slot.answers] == [(PLACE, 5, link.DONE)], slot.answers)
    check(abs(value_of(client.frame(), X) - 1.0) < 0.2, "it was not put there")
    client.put({PLACE: struct.pack("<3d", 1e9, 0.0, 0.0)}, request=6)
    slot = client.frame(lambda slot: slot.answers and slot.answers[0].request == 6)
    check(slot.answers[0].result == link.INVALID, slot.answers)


def a_release_stops_it(client):
    client.hold({LEFT: number(4.0), RIGHT: number(4.0)})
    client.frame(lambda slot: value_of(slot, LINEAR) > 0.1)
    client.held = {}
    client.say(command=link.Command(slots=[link.SlotCommand(slot=0, number=client.number, release=True)]))
    client.frame(lambda slot: abs(value_of(slot, LINEAR)) < 0.02)


def what_a_silent_client_has_put_is_released(address, part):
    watcher, driver = Client(address, "watcher"), Client(address, "driver")
    for client in (watcher, driver):
        client.pull_list(client.hello().channels)
        client.subscribe([p.format(part) for p in PATHS])
    driver.put({LEFT: number(4.0), RIGHT: number(4.0)})
    watcher.frame(lambda slot: value_of(slot, LINEAR) > 0.1)
    begin = time.monotonic()
    watcher.frame(lambda slot: abs(value_of(slot, LINEAR)) < 0.02)
    print(f"stopped {time.monotonic() - begin:.1f} s after it was last commanded")


def main():
    address, part = sys.argv[1:]
    another_version_is_refused_by_name(address)
    who_says_no_hello_is_told(address)
    first = Client(address, "first")
    the_list_says_what_there_is(first, part)
    the_robot_moves(first, part)
    a_scan_comes_when_it_is_wanted(first, part)
    second = a_second_client_is_refused_until_the_first_has_left(address, first, part)
    a_request_is_answered(second)
    a_release_stops_it(second)
    second.bye()
    what_a_silent_client_has_put_is_released(address, part)
    print("all as it must be")


main()
