# SPDX-License-Identifier: Apache-2.0
"""Drives a robot with two wheels 1 m ahead and stops there. argv[1]: the port."""
import sys

import doppel_hil

RADIUS, WAY = 0.035, 1.0  # m

try:
    with doppel_hil.Hil(port=int(sys.argv[1]), name="drive", lock_step=True, every=5, timeout=0.2) as hil:
        left = hil.sensor("avatar/enc_left/angle", "rad")
        right = hil.sensor("avatar/enc_right/angle", "rad")
        left_motor = hil.command("avatar/LeftWheel/speed", "rad/s")
        right_motor = hil.command("avatar/RightWheel/speed", "rad/s")
        hil.begin()
        begin, done = None, 0.0
        while done < WAY - 0.001:
            hil.wait()
            angle = 0.5 * (left.value + right.value)
            begin = angle if begin is None else begin
            done = RADIUS * (angle - begin)
            left_motor.value = right_motor.value = min(3.0 * (WAY - done) / RADIUS, 10.0)
            hil.send()
    print("%.2f m" % done)
except doppel_hil.HilError as error:
    sys.exit("drive: %s" % error)
