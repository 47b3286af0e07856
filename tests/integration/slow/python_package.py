# SPDX-License-Identifier: Apache-2.0
"""The Python package against the commands, and what it refuses: python_package.py DOPPEL SOURCE WORK."""
import csv
import errno
import os
import signal
import subprocess
import sys

import numpy

import doppel

program, source, work = sys.argv[1:4]
n_checks = 0


def check(good, *what):
    global n_checks
    n_checks += 1
    if not good:
        raise SystemExit("not ok: %s" % (what,))


def refused(call, *texts, kind=doppel.Error):
    try:
        call()
    except kind as error:
        check(all(text in str(error) for text in texts), str(error))
        return
    check(False, "not refused:", texts)


# ---- worlds: the values of `doppel sim` ----

subprocess.run([program, "sim", "office", "--run", "2", "--every", "0.5", "--put", "avatar/LeftWheel/speed=5", "--put",
                "avatar/RightWheel/speed=4", "--record", "avatar/pose", "--record", "avatar/[xy]", "--out", os.path.join(work, "sim")], check=True,
               stderr=subprocess.DEVNULL)
expected = list(csv.DictReader(open(os.path.join(work, "sim", "channels.csv"))))
with doppel.World("office") as world:
    world["avatar/LeftWheel/speed"], world["avatar/RightWheel/speed"] = 5.0, 4
    snapshot = world.save()
    record = world.run(2.0, record=["avatar/[xy]", "avatar/pose"], every=0.5)
    check(numpy.array_equal(record.time, [float(row["time"]) for row in expected]), record.time)
    check([float(row["avatar/x"]) for row in expected] == list(record["avatar/x"]), record["avatar/x"])
    check(record["avatar/pose"].shape == (5, 7), record["avatar/pose"].shape)
    check(world["avatar/x"] == record["avatar/x"][-1] and world.time == 2.0)
    world.restore(snapshot)
    check(world.time == 0.0 and world["avatar/x"] == 0.0)
    world["avatar/LeftWheel/speed"], world["avatar/RightWheel/speed"] = 5.0, 4.0
    check(numpy.array_equal(world.run(2.0, record="avatar/pose", every=0.5)["avatar/pose"], record["avatar/pose"]), "a snapshot goes another way")
    world.release("avatar/LeftWheel/speed")
    world.release("avatar/RightWheel/speed")
    world.run(2.0)
    at = world["avatar/x"]
    world.step(100)
    check(abs(world["avatar/x"] - at) < 1e-9, "released wheels drive on")
    world["avatar/laser/on"] = True
    world.run(0.5)
    ranges = [c.path for c in world.channels if c.path.startswith("avatar/laser/") and c.type == "block"][0]
    scan = world[ranges]
    check(scan.dtype == numpy.float32 and scan.max() > 0.5 and world.stamp(ranges) <= world.time, scan)
    for text, call in (
        ("did you mean 'avatar/LeftWheel/speed'", lambda: world["avatar/LeftWheel/sped"]),
        ("it cannot be put", lambda: world.__setitem__("avatar/x", 1.0)),
        ("expected 1 elements, found 2", lambda: world.__setitem__("avatar/LeftWheel/speed", [1.0, 2.0])),
        ("is not within -22 to 22 rad/s", lambda: world.__setitem__("avatar/LeftWheel/speed", 23.0)),
        ("is not within", lambda: world.__setitem__("avatar/LeftWheel/speed", float("nan"))),
        ("not one of this world", lambda: world.restore(b"abc")),
        ("not one of this world", lambda: world.restore(snapshot[:-8])),
        ("no channel of the world fits 'nix*'", lambda: world.run(1.0, record="nix*")),
    ):
        refused(call, text)
    refused(lambda: world.run(-1.0), "times above 0", kind=ValueError)
refused(lambda: world.time, "closed")
refused(lambda: world["avatar/x"], "closed")
refused(lambda: doppel.World("nix"), "there is no world 'nix'")
refused(lambda: doppel.World(os.path.join(source, "docs", "guides", "python", "wander.xml")), "wander.xml:", "expected <world>")
refused(lambda: doppel.World("star/four_bar.json", sets={"multibody.integrator": "rk5"}), "did you mean 'rk4'")
with doppel.World("star/four_bar.json", sets={"multibody.integrator": "rk4"}) as world:
    world.run(1.0)
    check(abs(world["four_bar/A/position"] - 5.547638448) < 2e-9, world["four_bar/A/position"])

# ---- applications ----

result = doppel.run("patrol", bind="sim", duration=5.0, out=os.path.join(work, "python"))  # python_package.sh compares the files
check(result.code == 0 and len(result.trace["t"]) > 50, result.summary)
check(doppel.Results(os.path.join(work, "c")).summary["RobotControl.state"] == result.summary["RobotControl.state"])
refused(lambda: doppel.Results(os.path.join(work, "nix")), "no results")
recorded, folder = doppel.read(os.path.join(work, "c.mcap")), doppel.read(os.path.join(work, "c"))
check(recorded.code == 0 and recorded.summary["RobotControl.state"] == folder.summary["RobotControl.state"])
check(list(recorded.trace) == list(folder.trace) and all((recorded.trace[name] == column).all() for name, column in folder.trace.items()
                                                         if column.dtype.kind != "f" or not numpy.isnan(column).any()))
subprocess.run([program, "bag", "cut", os.path.join(work, "c.mcap"), "--to", "2", "--output", os.path.join(work, "part.mcap")], check=True)
part = doppel.read(os.path.join(work, "part.mcap"))
check(part.code is None and part.summary == {} and 0 < len(part.trace["t"]) < len(folder.trace["t"]))
refused(lambda: doppel.read(__file__), "python_package.py: error: it does not begin as an MCAP file does")
refused(lambda: doppel.run("patrl"), "there is no app 'patrl'")
refused(lambda: doppel.run("patrol", bind="simm", duration=1.0), "did you mean 'sim'")
refused(lambda: doppel.run("patrol", bind="sim", sets={"RobotControl.nix": 1}), "unknown property 'nix'")
refused(lambda: doppel.run("patrol", clock="never"), "clock 'never'", kind=ValueError)

# ---- components ----

APPLICATION = """<package_profile>
  <name>Two</name><version>1.0</version>
  <world file="office.xml"/>
  <subcomponents>
    <subcomponent><name>WheelController</name><type>original</type><reference>WheelController.xml</reference></subcomponent>
    <subcomponent><name>LaserScanner</name><type>original</type><reference>LaserScanner.xml</reference></subcomponent>
    <subcomponent><name>One</name><type>original</type><reference>Sender.xml</reference></subcomponent>
    <subcomponent><name>Other</name><type>original</type><reference>Receiver.xml</reference></subcomponent>
  </subcomponents>
  <port_connections>
    <port_connection port_type="service">
      <source component_name="One" port_name="base"/><target component_name="WheelController" port_name="WheelControllerService"/>
    </port_connection>
    <port_connection port_type="data">
      <source component_name="One" port_name="scan"/><target component_name="Other" port_name="scan"/>
    </port_connection>
    <port_connection port_type="event">
      <source component_name="One" port_name="told"/><target component_name="Other" port_name="told"/>
    </port_connection>
  </port_connections>
</package_profile>
"""
application = os.path.join(work, "two.xml")
with open(application, "w") as file:
    file.write(APPLICATION)
seen, log = [], []


class Sender(doppel.Component):
    period = 0.1
    base = doppel.Requires("WheelControllerService")
    scan = doppel.Out("Scan", capacity=8)
    told = doppel.EventOut()
    count = doppel.Export(0)
    text = doppel.Property("none")
    number = doppel.Property(3, min=1, max=9)
    truth = doppel.Property(False)
    fault = None

    def initialize(self):
        log.append(("initialize", self.name, self.text, self.number, self.truth))

    def execute(self, tick):
        if tick.cycle == 5 and self.fault:
            self.fault()
        self.base.DriveWheel(linear_velocity=0.1)
        odometry = self.base.GetOdometry().odometry
        check(odometry.pose.x >= 0.0 and odometry.axle > 0.2, odometry)
        check(self.scan.publish(start_angle=0.5, ranges=[1.0, 2.0, tick.cycle], mount={"x": 0.25}), "no block")
        self.told.publish()
        self.count = tick.cycle

    def stop(self):
        log.append(("stop", self.name))

    def destroy(self):
        log.append(("destroy", self.name))


class Receiver(doppel.Component):
    period = 0.1
    scan = doppel.In("doppel.Scan", queue="fifo", depth=4)
    told = doppel.EventIn()
    events = doppel.Export(0, trace=False)

    def execute(self, tick):
        message = self.scan.take()
        if message is not None:
            seen.append((message.start_angle, list(message.ranges), message.mount.x, self.scan.stamp, message.copy()))
            try:
                message.start_angle = 2.0
            except AttributeError:
                return
            check(False, "a message that was received was changed")

    def event(self, port, message):
        check(port == "told" and message is None, port, message)
        self.events += 1


def run_two(**more):
    return doppel.run(application, bind="sim", duration=2.0, components=[Sender, Receiver], log="error", **more)


result = run_two(sets={"One.text": "a b", "One.number": 4, "One.truth": True})
check(result.code == 0 and result.summary["One.count"] == 19 or result.summary["One.count"] == 20, result.summary)
check(log[0] == ("initialize", "One", "a b", 4, True) and ("stop", "One") in log and ("destroy", "One") in log, log)
check(len(seen) >= 19 and seen[5][:3] == (0.5, [1.0, 2.0, 5.0], 0.25) and abs(seen[5][3] - 0.5) < 1e-9, seen[5])
check(list(seen[5][4]["ranges"]) == [1.0, 2.0, 5.0], "a copy does not stay")
check(result.summary["Other.events"] >= 19, result.summary["Other.events"])
check(list(result.trace["One.count"][3:6]) == [3.0, 4.0, 5.0] or len(result.trace["One.count"]) > 5, result.trace["One.count"])
refused(lambda: run_two(sets={"One.number": 10}), "number", "10")
check(run_two().trace["WheelController.x"].tobytes() == run_two().trace["WheelController.x"].tobytes(), "two runs differ")


def set_fault(call):
    Sender.fault = call


for kind, call in (
    (ZeroDivisionError, lambda self: 1 // 0),
    (OSError, lambda self: self.base.MoveWheel(distance=1.0, linear_velocity=-1.0)),
    (AttributeError, lambda self: self.base.Nix()),
    (AttributeError, lambda self: self.scan.publish(nix=1)),
    (ValueError, lambda self: self.scan.publish(ranges=[0.0] * 9)),
    (AttributeError, lambda self: setattr(self, "number", 5)),
):
    set_fault(call)
    sys.stderr = open(os.devnull, "w")  # the traceback is expected
    refused(run_two, kind=kind)
    sys.stderr = sys.__stderr__
set_fault(None)


class Unknown(doppel.Component):
    port = doppel.In("Nix")


class WheelController(doppel.Component):
    pass


refused(lambda: doppel.run(application, components=[Unknown]), "no message type 'Nix'")
refused(lambda: doppel.run(application, components=[WheelController]), "there is already a component class 'WheelController'")
refused(lambda: doppel.Property([1]), "expected a bool", kind=TypeError)

# ---- services of a component in Python, called by Python and by C ----

SERVED = """<package_profile>
  <name>Served</name><version>1.0</version>
  <subcomponents>
    <subcomponent><name>Arm</name><type>original</type><reference>Arm.xml</reference></subcomponent>
    <subcomponent><name>Mover</name><type>original</type><reference>Mover.xml</reference></subcomponent>
    <subcomponent><name>VelocityScript</name><type>original</type><reference>VelocityScript.xml</reference>
      <properties><property name="Script">0 0.25 0; 1 0 0.5</property></properties></subcomponent>
  </subcomponents>
  <port_connections>
    <port_connection port_type="service">
      <source component_name="Mover" port_name="arm"/><target component_name="Arm" port_name="joints"/>
    </port_connection>
    <port_connection port_type="service">
      <source component_name="VelocityScript" port_name="WheelControllerService"/><target component_name="Arm" port_name="base"/>
    </port_connection>
  </port_connections>
</package_profile>
"""
served = os.path.join(work, "served.xml")
with open(served, "w") as file:
    file.write(SERVED)


class Arm(doppel.Component):
    joints = doppel.Provides("JointService")
    base = doppel.Provides("WheelControllerService")
    asked = doppel.Export(0)
    speed = doppel.Export(0.0)
    turn = doppel.Export(0.0)
    where, many, fault = [0.0, 0.0], 3, None

    def SetJointPositions(self, target):
        if self.fault:
            self.fault()
        if target.duration <= 0.0:
            raise OSError(errno.EINVAL, "a duration")
        self.asked += 1
        Arm.where = list(target.position)
        check(0.0 <= self.now <= 2.0, self.now)

    def GetJoints(self, request):
        return {"position": Arm.where, "velocity": [0.5] * self.many, "ready": True, "fault": 7}

    def DriveWheel(self, velocity):
        self.speed, self.turn = velocity.linear_velocity, velocity.angular_velocity


class Mover(doppel.Component):
    arm = doppel.Requires("JointService")
    refused = doppel.Export(0)

    def execute(self, tick):
        self.arm.SetJointPositions(position=[0.25, tick.cycle], duration=1.0)
        state = self.arm.GetJoints()
        check(list(state.position) == [0.25, tick.cycle] and list(state.velocity) == [0.5] * 3, state)
        check(state.ready and not state.valid and state.fault == 7 and len(state.effort) == 0, state)
        for number, call in (
            (errno.EINVAL, lambda: self.arm.SetJointPositions(duration=0.0)),
            (errno.ENOTSUP, self.arm.StopJoints),  # Arm has no such method
        ):
            try:
                call()
                check(False, "it was not refused")
            except OSError as error:
                check(error.errno == number, error)
                self.refused += 1
        if tick.cycle == 3:
            Arm.many = 5000
            try:
                self.arm.GetJoints()
                check(False, "there was room")
            except OSError as error:
                check(error.errno == errno.ENOSPC, error)
            Arm.many = 3


def run_served():
    return doppel.run(served, duration=2.0, components=[Arm, Mover], log="error")


result = run_served()
check(result.code == 0 and result.summary["Arm.asked"] >= 19, result.summary)
check(result.summary["Mover.refused"] == 2 * result.summary["Arm.asked"], result.summary)
check(0.25 in list(result.trace["Arm.speed"]) and result.summary["Arm.turn"] == 0.5, result.trace["Arm.speed"])
Arm.fault = lambda self: 1 // 0
sys.stderr = open(os.devnull, "w")  # the traceback is expected
refused(run_served, kind=ZeroDivisionError)
sys.stderr = sys.__stderr__


class Empty(doppel.Component):
    base = doppel.Provides("WheelControllerService")


refused(lambda: doppel.run(application, components=[Empty]), "Empty provides WheelControllerService, but has none of its methods", "DriveWheel")

# ---- Ctrl-C: the run ends in order ----

set_fault(lambda self: os.kill(os.getpid(), signal.SIGINT))
log.clear()
try:
    doppel.run(application, bind="sim", clock="real", components=[Sender, Receiver], log="error")
    check(False, "not interrupted")
except KeyboardInterrupt:
    check(("stop", "One") in log and ("destroy", "One") in log, log)
print("ok: %d checks" % n_checks)
