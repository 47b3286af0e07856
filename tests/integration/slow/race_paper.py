#!/usr/bin/env python3
"""The published car a second time, from its formulas alone: random races of `doppel bench race/simulator_test` must equal it row
for row, verdict and place of the end included. Every number is checked to fit the original's 32 bits.

usage: race_paper.py DOPPEL WORK_FOLDER RACES"""
import json
import math
import os
import random
import subprocess
import sys

OFFSETS = [30, 0, 330, 45, 135, 225, 315]
SIGHT, TICK_MS, TICKS = 10000, 100, 60
MAX = 1 << 31
SINE = [math.floor(10000 * math.sin(math.radians(deg)) + 0.5) for deg in range(360)]


def fits(value):
    assert -(1 << 31) <= value < (1 << 31), f"{value} does not fit 32 bits"
    return value


def times(a, b):
    return fits(a * b)


def over(a, b):
    """C's division; by zero it is 0, as on a Cortex-M4."""
    if b == 0:
        return 0
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def sin(deg):
    return SINE[deg % 360]


def cos(deg):
    return SINE[(deg + 90) % 360]


def between(value, a, b):
    return min(a, b) <= value <= max(a, b)


def on_both(p, s0, s1, wall):
    return all(between(p[i], s0[i], s1[i]) and between(p[i], wall[i], wall[i + 2]) for i in (0, 1))


def ray_meets(s0, s1, wall):
    """Slope and truncated y-intercept; walls that the ray's bounds do not reach are out before anything is multiplied."""
    vertical_wall = wall[0] == wall[2]
    axis = 0 if vertical_wall else 1
    if not between(wall[axis], s0[axis], s1[axis]):
        return None
    dx = s1[0] - s0[0]
    slope = over(times(s1[1] - s0[1], 1000), dx) if dx else 0
    b = s0[1] - over(times(slope, s0[0]), 1000)
    if vertical_wall:
        p = (wall[0], over(times(slope, wall[0]), 1000) + b)
    elif dx == 0:
        p = (s0[0], wall[1])
    else:
        p = (over(times(wall[1] - b, 1000), slope), wall[1])
    return p if on_both(p, s0, s1, wall) else None


def move_meets(s0, s1, wall):
    vertical_wall = wall[0] == wall[2]
    slope = over(times(s1[1] - s0[1], 1000), s1[0] - s0[0])
    if vertical_wall:
        p = (wall[0], s0[1] + over(slope * (wall[0] - s0[0]), 1000))
    else:
        p = (s0[0] + over((wall[1] - s0[1]) * 1000, slope), wall[1])
    return on_both(p, s0, s1, wall)


def ranges(place, heading, walls):
    seen = []
    for offset in OFFSETS:
        deg = heading + offset
        end = tuple(place[i] + over(times(f(deg), SIGHT), 10000) for i, f in enumerate((cos, sin)))
        points = [p for p in (ray_meets(place, end, wall) for wall in walls) if p]
        squares = [fits((p[0] - place[0]) ** 2 + (p[1] - place[1]) ** 2) for p in points]
        seen.append(min((math.isqrt(s) for s in squares), default=MAX))
    return seen


def race(start, script, walls, finish_y):
    """Rows of the log, and the verdict."""
    place = start[:2]
    seen = ranges(place, script[0][0], walls)
    rows = []
    for tick in range(TICKS):
        heading, velocity = script[tick]
        rows.append([tick, *place, velocity, heading, *("MAX" if s == MAX else s for s in seen)])
        way = over(abs(velocity) * TICK_MS, 1000)
        deg = heading + (180 if velocity <= 0 else 0)
        old, place = place, tuple(max(0, place[i] + over(times(f(deg), way), 10000)) for i, f in enumerate((cos, sin)))
        for verdict, lines in (("hit", walls), ("finished", [(-10**6, finish_y, 10**6, finish_y)])):
            if any(move_meets(old, place, line) for line in lines):
                return rows, verdict, place
        seen = ranges(place, heading, walls)
    return rows, "timeout", place


def random_race(rng):
    size = rng.choice([3000, 9000, 12000])
    walls = []
    for _ in range(rng.randint(2, 8)):
        x, y, length = rng.randint(0, size), rng.randint(0, size), rng.randint(1, size)
        walls.append((x, y, x + length, y) if rng.random() < 0.5 else (x, y, x, y + length))
    step = rng.choice([1, 7, 15, 45, 90])
    speed = rng.choice([0, 200, 1000, 4000])
    start = (rng.randint(0, size), rng.randint(0, size))
    hold = rng.choice([1, 5, TICKS])
    held = [rng.randrange(0, 360, step) for _ in range(TICKS)]
    script = [(held[tick // hold], rng.randint(-speed // 4, speed)) for tick in range(TICKS)]
    return start, script, walls, rng.choice([size // 2, size, 2 * size])


def run(doppel, out, start, script, walls, finish_y):
    text = lambda rows: "; ".join(" ".join(str(v) for v in row) for row in rows)
    sets = {
        "Car.Start": "%d %d" % start,
        "Car.Script": text((tick, *row) for tick, row in enumerate(script)),
        "Track.Walls": text(walls),
        "Track.FinishY": finish_y,
        "Referee.MaxTicks": TICKS,
    }
    command = [doppel, "bench", "race/simulator_test", "--quiet", "--out", out]
    for name, value in sets.items():
        command += ["--set", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode in (0, 4), (done.returncode, done.stdout + done.stderr)
    with open(os.path.join(out, "log.csv")) as file:
        rows = [line.strip().split(",") for line in file][1:]
    with open(os.path.join(out, "summary.json")) as file:
        summary = json.load(file)
    return rows, summary


def main():
    doppel, work, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(20)
    count = {"hit": 0, "finished": 0, "timeout": 0, "ranges": 0, "MAX": 0}
    for number in range(n):
        what = random_race(rng)
        rows, verdict, place = race(*what)
        got, summary = run(doppel, os.path.join(work, "paper"), *what)
        expected = [[str(v) for v in row] for row in rows]
        for a, b in zip(expected, got):
            assert a == b, f"race {number}: {what[0]} {what[2]}\nexpected {a}\ngot      {b}"
        assert len(expected) == len(got), f"race {number}: {len(expected)} rows expected, {len(got)} found"
        assert summary["Referee.verdict"] == verdict, (number, verdict, summary["verdict.text"])
        assert "(%d,%d) mm" % place in summary["verdict.text"], (place, summary["verdict.text"])
        count[verdict] += 1
        count["ranges"] += 7 * len(rows)
        count["MAX"] += sum(row.count("MAX") for row in rows)
    assert min(count.values()) > 0, count
    print(f"{n} races as the formulas say:", ", ".join(f"{v} {k}" for k, v in count.items()))


main()
