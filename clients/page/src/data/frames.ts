// SPDX-License-Identifier: Apache-2.0
// Coordinate frames over time: which frame is in which, and where.
import type { Message } from "./protobuf";

/** x, y, z, then the quaternion x, y, z, w. */
export type Pose = [number, number, number, number, number, number, number];
export const IDENTITY: Pose = [0, 0, 0, 0, 0, 0, 1];

interface Track { parent: string; times: number[]; poses: Pose[]; moves: boolean }
const STILL = 1e-4; // m, and about that in the quaternion
interface Vector { x: number; y: number; z: number; w?: number }

function rotate(p: Pose, x: number, y: number, z: number): [number, number, number] {
  const [, , , a, b, c, w] = p;
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

/** `b`, which is in `a`, in the frame of `a`. */
export function compose(a: Pose, b: Pose): Pose {
  const [x, y, z] = rotate(a, b[0], b[1], b[2]), [, , , p, q, r, s] = a, [, , , e, f, g, h] = b;
  return [a[0] + x, a[1] + y, a[2] + z,
    s * e + p * h + q * g - r * f, s * f - p * g + q * h + r * e, s * g + p * f - q * e + r * h, s * h - p * e - q * f - r * g];
}

export function yaw(p: Pose): number { return Math.atan2(2 * (p[6] * p[5] + p[3] * p[4]), 1 - 2 * (p[4] * p[4] + p[5] * p[5])); }

function between(a: Pose, b: Pose, u: number): Pose {
  const flip = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
  const p = a.map((v, i) => v + (b[i]! * (i > 2 ? flip : 1) - v) * u) as Pose, n = Math.hypot(p[3], p[4], p[5], p[6]) || 1;
  for (let i = 3; i < 7; i++) { p[i] = p[i]! / n; }
  return p;
}

export function poseOf(position: Vector | undefined, orientation: Vector | undefined): Pose {
  const p = position ?? { x: 0, y: 0, z: 0 }, q = orientation, isUnset = !q || (q.x === 0 && q.y === 0 && q.z === 0 && !q.w);
  return isUnset ? [p.x, p.y, p.z, 0, 0, 0, 1] : [p.x, p.y, p.z, q.x, q.y, q.z, q.w ?? 1];
}

export class Frames {
  tracks = new Map<string, Track>();
  /** Grows when a frame appears. */
  version = 0;

  add(message: Message | undefined, time: number) {
    for (const t of (message?.transforms ?? []) as Message[]) {
      const child = String(t.child_frame_id), pose = poseOf(t.translation as Vector, t.rotation as Vector);
      let track = this.tracks.get(child);
      if (!track) {
        track = { parent: String(t.parent_frame_id), times: [], poses: [], moves: false };
        this.tracks.set(child, track);
        this.version++;
      }
      const n = track.times.length, first = track.poses[0];
      if (n > 0 && time < track.times[n - 1]!) { continue; }
      if (first && !track.moves && pose.some((v, i) => Math.abs(v - first[i]!) > STILL)) { track.moves = true; this.version++; }
      if (n > 0 && track.times[n - 1] === time) { track.poses[n - 1] = pose; continue; }
      track.times.push(time);
      track.poses.push(pose);
    }
  }

  forget(time: number) {
    for (const { times, poses } of this.tracks.values()) {
      let n = 0;
      while (n < times.length - 1 && times[n]! < time) { n++; }
      if (n > 200) {
        times.splice(0, n);
        poses.splice(0, n);
      }
    }
  }

  clear() {
    this.tracks.clear();
    this.version++;
  }

  /** A frame in its parent. undefined: it is not known yet. */
  at(frame: string, time: number): Pose | undefined {
    const track = this.tracks.get(frame);
    if (!track) { return undefined; }
    const { times, poses } = track;
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= time) { low = middle + 1; } else { high = middle; }
    }
    if (low === 0) { return undefined; }
    const from = times[low - 1]!, to = times[low];
    return to === undefined || to - from > 0.5 ? poses[low - 1] : between(poses[low - 1]!, poses[low]!, (time - from) / (to - from));
  }

  /** A frame in the world; undefined: nothing says where it is. */
  inWorld(frame: string, time: number): Pose | undefined {
    let pose: Pose = IDENTITY;
    for (let i = 0; i < 32; i++) {
      const track = this.tracks.get(frame);
      if (!track) { return pose; }
      const own = this.at(frame, time);
      if (!own) { return undefined; }
      pose = compose(own, pose);
      frame = track.parent;
    }
    return pose;
  }
}
