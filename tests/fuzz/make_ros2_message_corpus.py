#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of FOLDER/ros2_message (corpus.py): one byte (the type) and a message of it in CDR, in either byte order. The encoder here is
written apart from the readers."""
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "ros2_message"
SCAN, ODOMETRY, IMU, JOINTS, TRANSFORMS = range(5)


class Message:
    def __init__(self, order):
        self.order, self.data = order, b""

    def put(self, kind, *values):
        size = struct.calcsize(kind)
        for value in values:
            self.data += bytes(-len(self.data) % size) + struct.pack(self.order + kind, value)
        return self

    def text(self, text):
        self.put("I", len(text) + 1).data += text.encode() + b"\0"
        return self

    def header(self, frame):
        return self.put("i", 1700000000).put("I", 5).text(frame)

    def list(self, kind, *values):
        return self.put("I", len(values)).put(kind, *values)

    def pose(self):
        return self.put("d", 1.0, -2.0, 0.5, 0.0, 0.0, 0.6, 0.8)

    def end(self, kind):
        return bytes([kind, 0, self.order == "<", 0, 0]) + self.data


def seeds(order):
    scan = Message(order).header("/laser").put("f", -1.0, 1.0, 0.5, 0.0, 0.1, 0.05, 30.0)
    yield "scan", scan.list("f", 1.5, float("inf"), 0.0, 2.0, 31.0).list("f").end(SCAN)
    odometry = Message(order).header("odom").text("base_link").pose().put("d", *[0.0] * 36).put("d", *[0.25] * 6).put("d", *[0.0] * 36)
    yield "odometry", odometry.end(ODOMETRY)
    yield "imu", Message(order).header("imu").put("d", 0, 0, 0, 1, *[0] * 9, 1, 2, 3, *[0] * 9, 0, 0, 9.81, *[0] * 9).end(IMU)
    joints = Message(order).header("").put("I", 2).text("left").text("right").list("d", 1.0, 2.0).list("d").list("d", 3.0, 4.0)
    yield "joints", joints.end(JOINTS)
    transforms = Message(order).put("I", 3)
    for parent, child in ("odom", "base_link"), ("base_link", "laser"), ("laser", "odom"):
        transforms.header(parent).text(child).pose()
    yield "transforms", transforms.end(TRANSFORMS)


FOLDER.mkdir(parents=True, exist_ok=True)
for name, order in ("little", "<"), ("big", ">"):
    for kind, seed in seeds(order):
        (FOLDER / f"{kind}_{name}").write_bytes(seed)
        (FOLDER / f"{kind}_{name}_cut").write_bytes(seed[: len(seed) * 2 // 3])
