#!/usr/bin/env python3
"""Compares a map with the true world: compare_map.py MAP.xml ROOMS.xml SCANS.csv. Prints two shares: of the mapped length within 30 mm of a
true outline, and of the true outline that the laser saw (three beams end within 30 mm, by the odometry of a simulated robot) within 30 mm
of a mapped wall. Exits 1 below 0.95 and 0.9."""
import collections
import csv
import math
import sys
import xml.etree.ElementTree as tree

NEAR = 0.03
STEP = 0.02
CELL = 0.05


def wall_box(e):
    """Centre, half sizes and direction of a <wall>."""
    x1, y1, x2, y2 = (float(e.get(k)) for k in ("x1", "y1", "x2", "y2"))
    length = math.hypot(x2 - x1, y2 - y1)
    return (x1 + x2) / 2, (y1 + y2) / 2, length / 2, float(e.get("thickness", "0.1")) / 2, math.atan2(y2 - y1, x2 - x1)


def rim(x, y, a, b, yaw):
    """Points along the rim of a box."""
    corners = [(a, b), (-a, b), (-a, -b), (a, -b), (a, b)]
    for (xa, ya), (xb, yb) in zip(corners, corners[1:]):
        n = max(1, round(math.hypot(xb - xa, yb - ya) / STEP))
        for i in range(n):
            px, py = xa + (xb - xa) * (i + 0.5) / n, ya + (yb - ya) * (i + 0.5) / n
            yield x + px * math.cos(yaw) - py * math.sin(yaw), y + px * math.sin(yaw) + py * math.cos(yaw)


def outlines(file):
    for e in tree.parse(file).getroot():
        if e.tag == "wall":
            yield from rim(*wall_box(e))
        elif e.tag == "box":
            yield from rim(float(e.get("x")), float(e.get("y")), float(e.get("size_x")) / 2, float(e.get("size_y")) / 2, float(e.get("yaw", "0")))
        elif e.tag == "cylinder":
            r, n = float(e.get("radius")), max(8, round(2 * math.pi * float(e.get("radius")) / STEP))
            for i in range(n):
                yield float(e.get("x")) + r * math.cos(2 * math.pi * i / n), float(e.get("y")) + r * math.sin(2 * math.pi * i / n)


def beam_ends(file):
    rows = csv.reader(open(file))
    next(rows)
    for row in rows:
        _, x, y, theta, _, _, _, start, step, *ranges = map(float, row)
        for i, r in enumerate(ranges):
            if r > 0.1:
                yield x + r * math.cos(theta + start + i * step), y + r * math.sin(theta + start + i * step)


class Points:
    def __init__(self, points):
        self.cells = collections.defaultdict(list)
        for p in points:
            self.cells[math.floor(p[0] / CELL), math.floor(p[1] / CELL)].append(p)

    def near(self, x, y, enough):
        cx, cy, n = math.floor(x / CELL), math.floor(y / CELL), 0
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for px, py in self.cells.get((cx + dx, cy + dy), ()):
                    n += math.hypot(px - x, py - y) <= NEAR
                    if n >= enough:
                        return True
        return False


def main(map_file, rooms_file, scans_file):
    truth = list(outlines(rooms_file))
    mapped = list(outlines(map_file))
    true_points, map_points, ends = Points(truth), Points(mapped), Points(beam_ends(scans_file))
    # a wall's face, not its back 20 mm behind it
    faces = [p for e in tree.parse(map_file).getroot().iter("wall") for p in rim(*wall_box(e)[:3], 0.0, wall_box(e)[4])]
    right = sum(true_points.near(*p, 1) for p in faces) / len(faces)
    seen = [p for p in truth if ends.near(*p, 3)]
    covered = sum(map_points.near(*p, 1) for p in seen) / len(seen)
    print(f"{100 * right:.1f} % of the mapped length within 30 mm of a true outline; {100 * covered:.1f} % of what was seen is covered")
    return 0 if right >= 0.95 and covered >= 0.9 else 1


sys.exit(main(*sys.argv[1:]))
