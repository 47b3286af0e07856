# SPDX-License-Identifier: Apache-2.0
"""The numbers of delta_kinematics against known ones and against the lengths of its rods: delta_kinematics.py PROGRAM."""
import json
import math
import subprocess
import sys


def run(*arguments):
    output = subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout
    assert output.count("\n") == 1, output
    return json.loads(output)


def near(got, expected, limit):
    assert len(got) == len(expected) and all(abs(a - b) < limit for a, b in zip(got, expected)), (got, expected)

at = run("--pose", "0.1 0.1 -0.5")
assert list(at) == ["q", "torque", "condition"], at
near(at["q"], [0.26134414, 0.45237488, 0.90467603], 1e-7)
near(at["torque"], [-0.980891, -0.844319, -0.382552], 1e-6)
near([at["condition"]], [1.8512], 1e-4)
at = run("--path-at", "0.1")
assert list(at) == ["q", "qd", "qdd", "torque"], at
near(at["q"], [0.7843312, 0.2699180, 0.2699180], 1e-7)
near(at["qd"], [-5.49227, 0.84030, 0.84030], 1e-5)
near(at["qdd"], [-140.497, 44.368, 44.368], 1e-3)
near(at["torque"], [-6.19250, 0.96771, 0.96771], 1e-5)
near(run("--path-at", "1.3")["q"], at["q"], 1e-12)  # two cycles later
near(run("--path-at", "-0.5")["q"], at["q"], 1e-12)

# full precision: the joint angles put every rod back to its length

def worst_rod(p, q, base, platform, arm, rod):
    worst = 0.0
    for i in range(3):
        phi = 2 * math.pi / 3 * i
        out = base - platform + arm * math.cos(q[i])
        elbow = out * math.cos(phi), out * math.sin(phi), -arm * math.sin(q[i])
        worst = max(worst, abs(math.dist(p, elbow) - rod))
    return worst

assert worst_rod((0.1, 0.1, -0.5), run("--pose", "0.1 0.1 -0.5")["q"], 0.18, 0.05, 0.24, 0.52) < 1e-15
other = ["--param", "RB=0.3", "--param", "RP=0.1", "--param", "L1=0.35", "--param", "L2=0.8"]
assert worst_rod((0.1, -0.2, -0.7), run(*other, "--pose", "0.1 -0.2 -0.7")["q"], 0.3, 0.1, 0.35, 0.8) < 1e-15

# every parameter but the pairs' width changes something on the path; the width cannot, the platform does not turn
base = run("--path-at", "0.1")
for name, value in {"RB": 0.2, "RP": 0.06, "L1": 0.25, "L2": 0.5, "MA": 0.5, "MR": 0.07, "MP": 0.3, "LA": 0.1, "IA": 0.004, "RATIO": 17,
                    "ROTOR": 3e-5, "PAYLOAD": 0.25, "Z0": -0.51}.items():
    assert run("--param", f"{name}={value}", "--path-at", "0.1")["torque"] != base["torque"], name
assert run("--param", "HALF=0.05", "--path-at", "0.1") == base
# on the axis the three arms carry the payload alike: virtual work
p, h = -0.5, 1e-6
slope = (run("--pose", f"0 0 {p + h}")["q"][0] - run("--pose", f"0 0 {p - h}")["q"][0]) / (2 * h)
more = run("--param", "PAYLOAD=0.25", "--pose", f"0 0 {p}")["torque"][0] - run("--pose", f"0 0 {p}")["torque"][0]
near([more * slope * 3], [0.25 * 9.80665], 1e-8)
