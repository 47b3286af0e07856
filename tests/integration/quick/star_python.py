# SPDX-License-Identifier: Apache-2.0
"""Worlds in STAR's format from Python, against the C program: star_python.py DOPPEL PROFILES CLIENTS."""
import csv
import math
import os
import subprocess
import sys
import tempfile

doppel, profiles, clients = sys.argv[1:4]
sys.path.insert(0, clients)
import doppel_multibody  # noqa: E402

n_checks = 0


def check(good, *what):
    global n_checks
    n_checks += 1
    if not good:
        print("not ok", *what)
        sys.exit(1)


def refused(call, text):
    try:
        call()
    except doppel_multibody.MultibodyError as error:
        check(text in str(error), str(error))
        return
    check(False, "not refused:", text)


with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(profiles, "worlds", "star", "four_bar.json")
    subprocess.run([doppel, "sim", file, "--run", "1", "--every", "0.5", "--set", "multibody.integrator=rk4", "--out", folder], check=True,
                   stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "channels.csv")) as rows:
        expected = [row for row in csv.DictReader(rows) if float(row["time"]) == 1.0][0]
    step = 1e-4  # that of the file
    with doppel_multibody.World(file) as world:
        check(world.joints() == ["four_bar:A", "four_bar:B", "four_bar:C", "four_bar:D"], world.joints())
        check("four_bar:rocker" in world.bodies() and len(world.bodies()) == 3, world.bodies())
        before = sum(world.energy)
        check(world.step(step, round(1 / step)))
        for joint in "ABCD":
            state = world.joint("four_bar:" + joint)
            check(state.displacement == float(expected["four_bar/%s/position" % joint]), joint, state)
            check(state.velocity == float(expected["four_bar/%s/velocity" % joint]), joint, state)
        check(math.isclose(sum(world.energy), before, rel_tol=1e-9), world.energy, before)
        check(world.residual < 1e-12, world.residual)
        turn = world.joint("four_bar:A").displacement
        check(math.isclose(world.body("four_bar:crank").rotation[1][0], math.sin(turn), abs_tol=1e-12))
        saved = os.path.join(folder, "saved.json")
        world.save(saved)
        now = world.joint("four_bar:A")
        refused(lambda: world.joint("four_bar:a"), "there is no joint 'four_bar:a'")
        refused(lambda: world.command("four_bar:A", "velocity", 1.0), "has no motor")
        refused(lambda: world.command("four_bar:A", "speed", 1.0), "found mode 'speed'")
        refused(lambda: world.apply("four_bar:A", math.nan), "nan is no effort")
        for wrong in math.nan, math.inf, -1.0, 0.0:
            refused(lambda: world.step(wrong), "is none")
        world.apply("four_bar:A", 3.0)
        world.step(step)
        check(world.joint("four_bar:A").effort == 3.0)
        world.switch("four_bar", False)
        refused(lambda: world.joint("four_bar:A"), "does not take part")
    with doppel_multibody.World(saved) as world:
        again = world.joint("four_bar:A")
        check(again.displacement == now.displacement and abs(again.velocity - now.velocity) < 1e-12, again, now)
    arm = os.path.join(os.path.dirname(file), "arm.json")
    with doppel_multibody.World(arm) as world:
        world.command("cell:elbow", "acceleration", 0.4)
        world.step(1e-3, 100)
        check(math.isclose(world.joint("cell:elbow").velocity, 0.04, abs_tol=1e-12), world.joint("cell:elbow"))
    refused(lambda: world.save(saved), "the world is closed")
    refused(lambda: doppel_multibody.World(file, integrator="rk5"), "no integrator 'rk5'")
    refused(lambda: doppel_multibody.World(file, relative=-1.0), "0 or more")
    bad = os.path.join(folder, "bad.json")
    with open(bad, "w") as out:
        out.write('{"assembly": {"a": {"joints": {"j": {"type": "Rz", "body_frame_pairs": [["fixed", "origin"], ["b", "origin"]]}}}}}')
    refused(lambda: doppel_multibody.World(bad), bad + ":1:")
print("ok: %d checks" % n_checks)
