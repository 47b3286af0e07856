# SPDX-License-Identifier: Apache-2.0
"""A component of one's own in Python, in an application with a simulated robot: docs/guides/python.md."""
import os

import doppel


class Wander(doppel.Component):
    """Drives straight while there is room, else turns to where there is more."""

    period = 0.05
    scan = doppel.In("Scan")
    base = doppel.Requires("WheelControllerService")
    speed = doppel.Property(0.3, unit="m/s", min=0.0, max=1.0, summary="while there is room")
    room = doppel.Export(unit="m", text="nearest return ahead")

    def execute(self, tick):
        scan = self.scan.latest()
        if scan is None or tick.halt:
            self.base.StopWheel()
            return
        ranges = scan.ranges  # a numpy array; 0: no return
        middle, width = len(ranges) // 2, len(ranges) // 16
        ahead = ranges[middle - width:middle + width]
        self.room = float(ahead[ahead > 0.0].min()) if (ahead > 0.0).any() else scan.range_max
        turn = 0.8 if ranges[middle:].mean() > ranges[:middle].mean() else -0.8
        is_free = self.room > 0.6
        self.base.DriveWheel(linear_velocity=self.speed if is_free else 0.0, angular_velocity=0.0 if is_free else turn)

    def stop(self):
        self.base.StopWheel()


def drive(**sets):
    return doppel.run(os.path.join(os.path.dirname(__file__), "wander.xml"), bind="sim", duration=90.0, components=[Wander], sets=sets)


if __name__ == "__main__":
    for speed in (0.1, 0.2):
        result = drive(**{"Wander.speed": speed})
        print("%.1f m/s: %.2f m driven, %d contacts, nearest %.2f m" % (
            speed, result.summary["WheelController.distance_m"], result.summary["world.contacts"], result.trace["Wander.room"][10:].min()))
