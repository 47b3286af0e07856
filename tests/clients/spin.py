# SPDX-License-Identifier: Apache-2.0
"""A controller that lets a wheel turn until it is ended. argv: port, wheel, time-out in s, "free" for a free-running one."""
import sys

import doppel_hil

port, wheel, timeout, mode = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4:]
try:
    with doppel_hil.Hil(port=port, name="spin " + wheel, lock_step=mode != ["free"], timeout=timeout) as hil:
        motor = hil.command(wheel, "rad/s")
        hil.begin()
        motor.value = 4.0
        print("joined", flush=True)
        while hil.wait():
            hil.send()
except doppel_hil.HilError as error:
    sys.exit("spin: code %d: %s" % (error.code, error))
