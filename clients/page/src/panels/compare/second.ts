// SPDX-License-Identifier: Apache-2.0
// What the 3-D view shows of a second recording: its avatar with a dashed way, and robot and avatars at the cursors A and B, joined by dotted lines.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { bodies, twinOf } from "../../data/facts";
import { yaw } from "../../data/frames";
import type { Store } from "../../data/store";
import { theme } from "../../ui/theme";
import { Base } from "../scene/robots";
import type { Label } from "../scene/things";
import { length } from "./pair";

const STEP = 0.02;
type Point = [number, number, number];

const line = (linewidth: number, dashSize: number, gapSize: number) => new Line2(new LineGeometry(), new LineMaterial({ linewidth, dashed: true, dashSize, gapSize }));

function draw(of: Line2, points: number[]) {
  of.visible = points.length > 5;
  if (!of.visible) { return; }
  of.geometry.dispose();
  of.geometry = new LineGeometry();
  of.geometry.setPositions(points);
  of.computeLineDistances();
}

export class Second {
  readonly group = new THREE.Group();
  labels: Label[] = [];
  private way = line(2.5, 0.14, 0.09);
  private pairs = { A: line(1.5, 0.03, 0.04), B: line(1.5, 0.03, 0.04) };
  private ghosts = { A: [new Base("robot"), new Base("avatar"), new Base("avatar")] as const, B: new Base("avatar") };
  private points: number[] = [];
  private seen = "";
  private end = -1;

  constructor() {
    this.group.add(this.way, ...Object.values(this.pairs), ...this.ghosts.A.map((b) => b.group), this.ghosts.B.group);
    for (const of of [this.way, ...Object.values(this.pairs)]) { of.frustumCulled = false; of.renderOrder = 2; }
  }

  dress() {
    this.way.material.color.set(theme.avatar);
    for (const of of Object.values(this.pairs)) { of.material.color.set(theme.text); }
    [...this.ghosts.A, this.ghosts.B].forEach((b) => b.dress());
    this.seen = "";
  }

  get box(): THREE.Box3 { return new THREE.Box3().setFromArray(this.points); }

  update(store: Store) {
    const { other } = store, robot = bodies(store).robot, avatar = bodies(store).avatar, second = other && bodies(other).avatar, { A, B } = store.marks, key = `${A} ${B}`;
    this.group.visible = second !== undefined;
    if (!other || !second || (key === this.seen && this.end === other.end)) { return; }
    this.seen = key;
    if (this.end !== other.end) { this.end = other.end; this.trail(other, second); }
    this.labels = [];
    const at = (s: Store, frame: string | undefined, t: number): Point | undefined => { const p = frame ? s.frames.inWorld(frame, t) : undefined; return p && [p[0], p[1], p[2] + 0.03]; };
    const place = (base: Base, s: Store, frame: string | undefined, t: number | undefined) => {
      const pose = frame && t !== undefined ? s.frames.inWorld(frame, t) : undefined;
      base.show(pose !== undefined, false);
      if (pose) { base.group.position.set(pose[0], pose[1], pose[2]); base.group.rotation.z = yaw(pose); }
    };
    [[store, robot], [store, avatar], [other, second]].forEach(([s, f], i) => place(this.ghosts.A[i]!, s as Store, f as string, A));
    place(this.ghosts.B, other, second, B);
    const far = (s: Store, t: number) => { const twin = twinOf(s); return length(twin && s.numbers(twin.distance.topic, twin.distance.path)?.at(t)).join(" "); };
    for (const [name, t] of [["A", A], ["B", B]] as const) {
      const p = t === undefined ? undefined : at(store, robot, t), q = t === undefined ? undefined : at(other, second, t);
      draw(this.pairs[name], p && q ? [...p, ...q] : []);
      if (!p || !q || t === undefined) { continue; }
      this.labels.push({ at: new THREE.Vector3(...p), text: name === "A" ? `A: 1 ${far(store, t)}, 2 ${far(other, t)}` : `robot and 1: ${far(store, t)} at B`, role: "robot" });
      if (name === "B") { this.labels.push({ at: new THREE.Vector3(...q), text: `2 ${far(other, t)} away at B`, role: "avatar" }); }
    }
  }

  private trail(other: Store, frame: string) {
    const points = this.points = [] as number[];
    for (const t of other.frames.tracks.get(frame)?.times ?? []) {
      const p = other.frames.inWorld(frame, t), n = points.length;
      if (p && (n === 0 || Math.hypot(p[0] - points[n - 3]!, p[1] - points[n - 2]!) > STEP)) { points.push(p[0], p[1], p[2] + 0.014); }
    }
    draw(this.way, points);
  }
}
