# SPDX-License-Identifier: Apache-2.0
"""A controller outside of a world that `doppel sim WORLD --controllers PORT` simulates: sensor values come in, commands go out, over TCP
(docs/guides/controllers.md). Needs Python 3.7 only; copy this file beside your own.

    with doppel_hil.Hil(port=5600, name="wheel", lock_step=True) as hil:
        speed = hil.sensor("avatar/enc_left/velocity", "rad/s")
        motor = hil.command("avatar/LeftWheel/speed", "rad/s")
        hil.begin()
        while hil.wait():
            motor.value = 3.0 - speed.value
            hil.send()

Errors are raised as HilError; its `code` is one of the constants below. SI units, as the channels say."""
import select
import socket
import struct
import time

VERSION = 1
MAGIC = b"DPLHIL\r\n"
MESSAGE_MAX = 65536
PATIENCE = 5.0  # s

GARBAGE, VERSION_DIFFERS, CHANNEL, BUSY, TIME_OUT, ENDED = range(1, 7)
SYSTEM, MISUSE = 100, 101

_HELLO, _CHANNELS, _COMMAND, _BYE = 1, 2, 3, 4
_WELCOME, _RESOLVED, _SENSORS, _ERROR = 129, 130, 131, 132
_TYPES = {1: "number", 2: "integer", 3: "flag", 4: "vector", 5: "pose", 6: "block"}
_NONE = -(1 << 63)  # of whole numbers: there is no value


class HilError(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Channel:
    """A sensor or a command. After Hil.begin: type, unit, size (elements), min and max (both 0: any). `value` is a number, or a list of
    `size` numbers; of a sensor None where there is no value yet."""

    def __init__(self, path, unit):
        self.path, self.wanted = path, unit
        self.type = self.unit = ""
        self.size, self.min, self.max = 0, 0.0, 0.0
        self.value = None

    def _format(self):
        return "%d%s" % (self.size, "q" if self.type in ("integer", "flag") else "d")

    def _take(self, cells):
        values = [None if v == _NONE or v != v else v for v in cells]
        if self.type == "flag":
            values = [None if v is None else v != 0 for v in values]
        self.value = values if self.size != 1 else values[0]

    def _cells(self):
        values = list(self.value) if self.size != 1 else [self.value]
        if len(values) != self.size:
            raise HilError(MISUSE, "'%s' has %d elements, found %d" % (self.path, self.size, len(values)))
        return [int(round(v)) for v in values] if self._format().endswith("q") else values


class Hil:
    """A connection. `lock_step`: the world waits for the answer to each frame; `every`: steps of the world from frame to frame;
    `timeout`: s in which a frame must be answered (0.001 to 10), else the world releases what was commanded and closes the connection."""

    def __init__(self, host="127.0.0.1", port=0, name="controller", lock_step=True, every=1, timeout=0.1):
        self.sensors, self.commands = [], []
        self.world, self.period = "", 0.0  # name; s of the world from frame to frame
        self.frame = self.step = 0
        self.time = 0.0  # s, of the world at this frame
        self.jumps = self.late = self.dropped = 0
        self._lock_step, self._every = lock_step, every
        self._in, self._begun = bytearray(), False
        try:
            self._socket = socket.create_connection((host, port), PATIENCE)
        except OSError as error:
            raise HilError(SYSTEM, "no world at %s:%d: %s" % (host, port, error)) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        text = name.encode()
        self._say(_HELLO, MAGIC + struct.pack("<HHIIHH", VERSION, int(lock_step), every, round(timeout * 1e6), len(text), 0) + text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Says goodbye: the world releases what was commanded."""
        if self._socket:
            try:
                if self._begun:
                    self._say(_BYE, b"")
            except HilError:
                pass
            self._socket.close()
            self._socket = None

    # ---- before the first frame ----

    def sensor(self, path, unit=""):
        """Asks for a channel; a unit that is given must be the channel's."""
        self.sensors.append(Channel(path, unit))
        return self.sensors[-1]

    def command(self, path, unit=""):
        self.commands.append(Channel(path, unit))
        return self.commands[-1]

    def begin(self):
        """The world looks up all channels; then frames come. The error names each channel that cannot be used."""
        wants = b""
        for channel in self.sensors + self.commands:
            path, unit = channel.path.encode(), channel.wanted.encode()
            wants += struct.pack("<HH", len(path), len(unit)) + path + unit
        self._say(_CHANNELS, struct.pack("<HHI", len(self.sensors), len(self.commands), 0) + wants)
        welcome = self._expect(_WELCOME)
        _, length, _, step = struct.unpack_from("<HHIQ", welcome)
        self.world = welcome[16:16 + length].decode(errors="replace")
        self.period = step * 1e-9 * self._every
        self._take_resolved(self._expect(_RESOLVED))
        self._sensor_format = struct.Struct("<" + "".join(s._format() for s in self.sensors))
        self._command_format = struct.Struct("<" + "".join(c._format() for c in self.commands))
        self._begun = True

    def _take_resolved(self, body):
        at = 8
        for channel in self.sensors + self.commands:
            kind, length, channel.size, channel.min, channel.max = struct.unpack_from("<HHIdd", body, at)
            channel.type = _TYPES.get(kind, "vector")
            channel.unit = body[at + 24:at + 24 + length].decode(errors="replace")
            at += 24 + length
        for channel in self.commands:
            channel.value = 0 if channel.size == 1 else [0] * channel.size

    # ---- afterwards ----

    def wait(self, timeout=None):
        """The next sensor frame; a free-running controller gets the newest one. True; False: none came within `timeout` s."""
        if not self._begun:
            raise HilError(MISUSE, "wait before begin")
        message = self._receive(timeout)
        if message is None:
            return False
        while not self._lock_step:
            try:
                newer = self._receive(0)
            except HilError:  # comes again with the next call
                break
            if newer is None:
                break
            message = newer
        self._take_sensors(*message)
        return True

    def _take_sensors(self, kind, body):
        if kind != _SENSORS or len(body) != 40 + self._sensor_format.size:
            raise HilError(GARBAGE, "the world sends a frame of a wrong size")
        self.frame, self.step, now, self.jumps, self.late, self.dropped, _ = struct.unpack_from("<QQqIIII", body)
        self.time = now * 1e-9
        cells = self._sensor_format.unpack_from(body, 40)
        at = 0
        for sensor in self.sensors:
            sensor._take(cells[at:at + sensor.size])
            at += sensor.size

    def send(self):
        """Sends the values of all commands: the answer to this frame. They act from the world's next step on."""
        if self.frame == 0:
            raise HilError(MISUSE, "send before the first frame")
        cells = [cell for command in self.commands for cell in command._cells()]
        self._say(_COMMAND, struct.pack("<Q", self.frame) + self._command_format.pack(*cells))

    # ---- messages ----

    def _say(self, kind, body):
        if len(body) + 8 > MESSAGE_MAX:
            raise HilError(MISUSE, "a message of more than %d bytes" % MESSAGE_MAX)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.sendall(struct.pack("<IHH", len(body) + 8, kind, 0) + body)
        except OSError as error:
            self._last_words()
            raise HilError(SYSTEM, "the connection to the world is lost: %s" % error) from None

    def _last_words(self):
        """Raises what the world has said before it closed the connection."""
        try:
            while self._receive(0) is not None:
                pass
        except HilError as error:
            if error.code != SYSTEM:
                raise

    def _expect(self, kind):
        message = self._receive(PATIENCE)
        if message is None:
            raise HilError(SYSTEM, "the world does not answer")
        if message[0] != kind:
            raise HilError(GARBAGE, "message %d came in place of %d" % (message[0], kind))
        return message[1]

    def _receive(self, timeout):
        """(kind, body) of the next message, or None."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            message = self._whole_message()
            if message:
                return message
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._socket], [], [], left)[0]:
                return None
            try:
                new = self._socket.recv(MESSAGE_MAX)
            except OSError as error:
                raise HilError(SYSTEM, "the connection to the world is lost: %s" % error) from None
            if not new:
                raise HilError(SYSTEM, "the connection to the world is lost")
            self._in += new

    def _whole_message(self):
        if len(self._in) < 8:
            return None
        size, kind, _ = struct.unpack_from("<IHH", self._in)
        if not 8 <= size <= MESSAGE_MAX or not _WELCOME <= kind <= _ERROR:
            raise HilError(GARBAGE, "what answers there is no world, or of another version")
        if len(self._in) < size:
            return None
        body = bytes(self._in[8:size])
        if kind == _ERROR:
            raise HilError(struct.unpack_from("<H", body)[0], body[16:].decode(errors="replace"))
        del self._in[:size]
        return kind, body
