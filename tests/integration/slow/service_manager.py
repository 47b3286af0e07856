# SPDX-License-Identifier: Apache-2.0
"""service_manager.py UNIT INSTANCE [--map FROM=TO]... [--set KEY=VALUE]...: does with a unit file what systemd does with it, as far as a service of
Type=notify notices: specifiers, environment, the notification socket, the watchdog, restarts and their limit. Each thing that happens is a line
of standard output. SIGTERM is `systemctl stop`. --map replaces the start of a path, --set is a line of `systemctl edit`."""
import argparse
import os
import select
import shlex
import signal
import socket
import struct
import sys
import tempfile
import time

CLEAN_SIGNALS = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE}


def say(*words):
    print(*words, flush=True)


def read_unit(path, changes):
    unit = {"Environment": []}
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    for line in lines + changes:
        if not line or line[0] in "#;[":
            continue
        key, value = line.split("=", 1)
        if key == "Environment":
            unit[key] += shlex.split(value)
        else:
            unit[key] = value
    return unit


class Service:
    def __init__(self, unit, instance, maps):
        self.unit, self.instance, self.maps = unit, instance, maps
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.socket.bind(self.path)
        self.stopping = False

    def value(self, text):
        text = text.replace("%I", self.instance.replace("-", "/")).replace("%i", self.instance)
        for start, other in self.maps:
            if text.startswith(start):
                text = other + text[len(start):]
        return text

    def seconds(self, key, default):
        return float(self.unit.get(key, default))

    def start(self):
        environment = dict(os.environ, NOTIFY_SOCKET=self.path, WATCHDOG_USEC=str(int(self.seconds("WatchdogSec", 0) * 1e6)))
        environment.update(entry.split("=", 1) for entry in self.unit["Environment"])
        words = []
        for word in self.unit["ExecStart"].split():
            words += environment.get(word[1:], "").split() if word[0] == "$" else [self.value(word)]
        folder = self.value(self.unit["WorkingDirectory"])
        os.makedirs(folder, exist_ok=True)
        self.status, self.ready, self.watchdog_hit = "", False, False
        self.fed = time.monotonic()
        self.deadline = self.fed + self.seconds("TimeoutStartSec", 90)
        self.pid = os.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.setsid()
            os.execvpe(words[0], words, environment)
        say("start", self.pid)

    def receive(self):
        text, credentials, _, _ = self.socket.recvmsg(8192, socket.CMSG_SPACE(12))
        pid = struct.unpack("iii", credentials[0][2])[0]
        if pid != self.pid:
            say("ignored: a message of process", pid)
            return
        for line in text.decode().split("\n"):
            key, value = line.split("=", 1)
            now = time.monotonic()
            if key == "READY":
                self.ready, self.fed = True, now
                say("ready")
            elif key == "WATCHDOG":
                self.fed = now
            elif key == "STOPPING":
                say("stopping")
            elif key == "EXTEND_TIMEOUT_USEC":
                self.deadline = max(self.deadline, now + int(value) * 1e-6)
            elif key == "STATUS" and value != self.status:
                self.status = value
                say("status", value)

    def look(self):
        now = time.monotonic()
        limit = self.seconds("WatchdogSec", 0)
        if not self.ready and now > self.deadline and not self.stopping:
            say("start timeout")
            os.kill(self.pid, signal.SIGTERM)
            self.deadline = now + 10
        if self.ready and limit and now - self.fed > limit and not self.watchdog_hit and not self.stopping:
            self.watchdog_hit = True
            say("watchdog")
            os.kill(self.pid, signal.SIGABRT)

    def run(self):
        """Until it ends; returns whether it is to be restarted."""
        self.start()
        while True:
            if select.select([self.socket], [], [], 0.05)[0]:
                self.receive()
            self.look()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
        while select.select([self.socket], [], [], 0)[0]:
            self.receive()
        code = os.waitstatus_to_exitcode(status)
        say("exited" if code >= 0 else "killed", abs(code))
        clean = code == 0 if code >= 0 else -code in CLEAN_SIGNALS
        if code == 0 and not self.ready:
            say("protocol error: it was never ready")
        prevented = str(code) in self.unit.get("RestartPreventExitStatus", "").split()
        assert self.unit["Restart"] == "on-failure" and self.unit["Type"] == "notify"
        return not self.stopping and (not clean or self.watchdog_hit) and not prevented

    def stop(self):
        self.stopping = True
        os.kill(self.pid, getattr(signal, self.unit["KillSignal"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("unit")
    parser.add_argument("instance")
    parser.add_argument("--map", action="append", default=[])
    parser.add_argument("--set", action="append", default=[])
    args = parser.parse_args()
    service = Service(read_unit(args.unit, args.set), args.instance, [entry.split("=", 1) for entry in args.map])
    signal.signal(signal.SIGTERM, lambda *_: service.stop())
    starts = []
    while True:
        starts = [at for at in starts if time.monotonic() - at < service.seconds("StartLimitIntervalSec", 10)] + [time.monotonic()]
        if len(starts) > service.seconds("StartLimitBurst", 5):
            say("started too often")
            sys.exit(1)
        if not service.run():
            say("stays down")
            return
        say("restart")
        time.sleep(service.seconds("RestartSec", 0.1))


main()
