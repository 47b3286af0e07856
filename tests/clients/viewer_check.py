# SPDX-License-Identifier: Apache-2.0
"""What a viewer saw of a run (run_viewer.mjs) is what the run has written: viewer_check.py SEEN.json TRACE.csv"""
import csv
import json
import math
import sys

with open(sys.argv[1]) as file:
    seen = json.load(file)
with open(sys.argv[2]) as file:
    trace = {round(float(row["t"]), 6): row for row in csv.DictReader(file)}
for value in seen["values"]:
    written = trace[round(value["t"], 6)]["sync.distance_mm"]
    assert (value["distance_mm"] is None) == (written == "nan") and (value["distance_mm"] is None or value["distance_mm"] == float(written)), (value, written)
for topic in ("/LaserScanner/scan/LaserScan", "/LaserScanner/scan/PointCloud", "/WheelController/odometry/PoseInFrame", "/Localizer/pose", "/WheelController/values"):
    assert seen["counts"].get(topic, 0) > 10, (topic, seen["counts"])
frames = seen["frames"]
assert {child: frame["parent"] for child, frame in frames.items()} == {"odom": "map", "base_link": "odom", "avatar/base_link": "map", "avatar/office/avatar": "map", "office_truth/robot": "map"}, frames
odom, base = frames["odom"], frames["base_link"]
turn = complex(math.cos(odom["yaw"]), math.sin(odom["yaw"]))
robot = complex(odom["x"], odom["y"]) + turn * complex(base["x"], base["y"])
for other in ("avatar/base_link", "office_truth/robot"):  # the frames' last stamps differ by some periods
    assert abs(robot - complex(frames[other]["x"], frames[other]["y"])) < 0.1, (robot, frames)
print("all as it must be")
