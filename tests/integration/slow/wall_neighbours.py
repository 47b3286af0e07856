#!/usr/bin/env python3
"""wall_neighbours.py MAP.xml: metres of the walls of a map that have a longer wall, seen from the same side, 25 to 100 mm before or behind them.
wall_neighbours.py MAP.xml X Y M: exits 1 if no wall shorter than 0.3 m has its face within M of a place."""
import math
import sys
import xml.etree.ElementTree as tree

STEP = 0.02
BACK = 0.01  # of the middle of a wall behind its face


class Wall:
    def __init__(self, element):
        x1, y1, x2, y2 = (float(element.get(k)) for k in ("x1", "y1", "x2", "y2"))
        self.length = max(1e-6, math.hypot(x2 - x1, y2 - y1))
        self.tx, self.ty = (x2 - x1) / self.length, (y2 - y1) / self.length
        self.nx, self.ny = self.ty, -self.tx  # to the side from which it was seen: doppel map writes walls so
        self.x, self.y = x1 + BACK * self.nx, y1 + BACK * self.ny

    def along(self, x, y):
        return (x - self.x) * self.tx + (y - self.y) * self.ty

    def across(self, x, y):
        return abs((x - self.x) * self.nx + (y - self.y) * self.ny)

    def is_beside(self, x, y):
        return 0 < self.along(x, y) < self.length and 0.025 < self.across(x, y) < 0.1


def metres_twice(walls):
    metres = 0.0
    for wall in walls:
        n = max(1, round(wall.length / STEP))
        longer = [w for w in walls if w.length > wall.length and w.nx * wall.nx + w.ny * wall.ny > 0.9]
        for i in range(n):
            at = (i + 0.5) / n * wall.length
            x, y = wall.x + at * wall.tx, wall.y + at * wall.ty
            metres += wall.length / n * any(w.is_beside(x, y) for w in longer)
    return metres


def is_there(walls, x, y, most):
    for wall in walls:
        at = min(wall.length, max(0.0, wall.along(x, y)))
        if wall.length < 0.3 and math.hypot(x - wall.x - at * wall.tx, y - wall.y - at * wall.ty) <= most:
            return True
    return False


def main(file, *place):
    walls = [Wall(e) for e in tree.parse(file).getroot().iter("wall")]
    if place:
        return 0 if is_there(walls, *map(float, place)) else 1
    print(f"{metres_twice(walls):.2f} m of them beside a longer one")
    return 0


sys.exit(main(*sys.argv[1:]))
