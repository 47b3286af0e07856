// SPDX-License-Identifier: Apache-2.0
// The ways of robot and avatar, and the ribbon: a curtain on the robot's way whose height and colour are the distance to its avatar.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { bodies, hasRibbon, twinOf } from "../../data/facts";
import type { Store } from "../../data/store";
import type { Layers } from "../../ui/layers";
import { theme } from "../../ui/theme";

export const RIBBON = 50;
const STEP = 0.02, MOST = 4000, TOP = 0.5;

interface Way { times: number[]; points: number[]; next: number }
const newWay = (): Way => ({ times: [], points: [], next: -Infinity });

export class Trails {
  readonly group = new THREE.Group();
  private robot = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 3 }));
  private through = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 1.5, transparent: true, opacity: 0.4, depthTest: false }));
  private avatar = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 7, dashed: true, dashSize: 0.08, gapSize: 0.06 }));
  private edge = new Line2(new LineGeometry(), new LineMaterial({ linewidth: 1.5, vertexColors: true }));
  private ribbon = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, side: THREE.DoubleSide, depthWrite: false }));
  private ways = { robot: newWay(), avatar: newWay() };
  private heights: number[] = [];
  private epoch = 0;
  private frameSeen = "";

  constructor() {
    const all = [this.avatar, this.robot, this.through, this.ribbon, this.edge];
    all.forEach((o, i) => { o.frustumCulled = false; o.renderOrder = i; });
    this.group.add(...all);
    this.dress();
  }

  dress() {
    this.robot.material.color.set(theme.real);
    this.through.material.color.set(theme.real);
    this.avatar.material.color.set(theme.avatar);
    if (this.heights.length > 1) { this.build(); }
  }

  get box(): THREE.Box3 { return new THREE.Box3().setFromArray([...this.ways.robot.points]); }

  /** Takes what is new, at most five times a second. */
  take(store: Store) {
    const { robot, avatar } = bodies(store), key = `${robot} ${avatar}`;
    if (store.epoch !== this.epoch || key !== this.frameSeen) {
      this.epoch = store.epoch;
      this.frameSeen = key;
      this.ways = { robot: newWay(), avatar: newWay() };
      this.heights = [];
    }
    const grew = [robot && this.extend(this.ways.robot, store, robot, 0.016), avatar && this.extend(this.ways.avatar, store, avatar, 0.012)];
    if (grew.some(Boolean)) {
      const twin = twinOf(store), series = twin && store.numbers(twin.distance.topic, twin.distance.path, twin.distance.factor), { times } = this.ways.robot;
      const metres = /^[uµ]m$/.test(twin?.distance.unit ?? "") ? 1e-6 : 1e-3;
      this.heights.length = Math.min(this.heights.length, times.length);
      for (let i = this.heights.length; i < times.length; i++) { this.heights.push((series?.at(times[i]!) ?? 0) * metres); }
      this.build();
    }
  }

  private extend(way: Way, store: Store, frame: string, z: number): boolean {
    const track = store.frames.tracks.get(frame), before = way.times.length;
    if (!track) { return false; }
    for (let i = 0; i < track.times.length; i++) {
      const t = track.times[i]!;
      if (t <= way.next) { continue; }
      way.next = t;
      const pose = store.frames.inWorld(frame, t), n = way.points.length;
      if (!pose || (n > 0 && Math.hypot(pose[0] - way.points[n - 3]!, pose[1] - way.points[n - 2]!) < STEP)) { continue; }
      way.times.push(t);
      way.points.push(pose[0], pose[1], pose[2] + z);
    }
    if (way.times.length > MOST) {
      const n = way.times.length - MOST;
      way.times.splice(0, n);
      way.points.splice(0, 3 * n);
      if (way === this.ways.robot) { this.heights.splice(0, n); }
      return true;
    }
    return way.times.length !== before;
  }

  private build() {
    const { robot, avatar } = this.ways;
    if (robot.times.length > 1) { for (const line of [this.robot, this.through]) { line.geometry.dispose(); line.geometry = new LineGeometry().setPositions(robot.points); } }
    if (avatar.times.length > 1) { this.avatar.geometry.dispose(); this.avatar.geometry = new LineGeometry().setPositions(avatar.points); this.avatar.computeLineDistances(); }
    if (robot.times.length < 2 || this.heights.length < 2) { return; }
    const n = Math.min(robot.times.length, this.heights.length), positions = new Float32Array(n * 6), colours = new Float32Array(n * 8), top: number[] = [], edgeColours: number[] = [], index: number[] = [];
    const good = new THREE.Color(theme.ok), middle = new THREE.Color("#9aa4b0"), bad = new THREE.Color(theme.danger), c = new THREE.Color();
    for (let i = 0; i < n; i++) {
      const d = this.heights[i]!, at = robot.points.slice(3 * i, 3 * i + 3) as [number, number, number], high = Math.min(TOP, d * RIBBON);
      const u = Math.log(Math.max(d, 1e-6) / 0.005) / Math.LN2;
      if (u <= 1) { c.copy(good).lerp(middle, Math.max(0, u)); } else { c.copy(middle).lerp(bad, Math.min(1, u - 1)); }
      positions.set([...at, at[0], at[1], at[2] + high], i * 6);
      colours.set([c.r, c.g, c.b, 0.06, c.r, c.g, c.b, 0.55], i * 8);
      top.push(at[0], at[1], at[2] + high);
      edgeColours.push(c.r, c.g, c.b);
      if (i > 0) { const k = 2 * i; index.push(k - 2, k - 1, k, k - 1, k + 1, k); }
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    g.setAttribute("color", new THREE.BufferAttribute(colours, 4));
    g.setIndex(index);
    this.ribbon.geometry.dispose();
    this.ribbon.geometry = g;
    this.edge.geometry.dispose();
    this.edge.geometry = new LineGeometry().setPositions(top).setColors(edgeColours);
  }

  /** Shows the ways up to the time that is shown. */
  show(store: Store, layers: Layers) {
    const count = (way: Way) => { let n = way.times.length; while (n > 0 && way.times[n - 1]! > store.time + 1e-6) { n--; } return n; };
    const robot = count(this.ways.robot), avatar = count(this.ways.avatar), on = layers.has("trails");
    const set = (line: Line2, n: number, visible: boolean) => { line.visible = visible && n > 1; line.geometry.instanceCount = Math.max(0, n - 1); };
    set(this.robot, robot, on && layers.has("robot"));
    set(this.through, robot, on && layers.has("robot"));
    set(this.avatar, avatar, on && layers.has("avatar"));
    const isOn = hasRibbon(store) && layers.has("error ribbon");
    set(this.edge, robot, isOn);
    this.ribbon.visible = isOn && robot > 1;
    this.ribbon.geometry.setDrawRange(0, Math.max(0, robot - 1) * 6);
  }
}
