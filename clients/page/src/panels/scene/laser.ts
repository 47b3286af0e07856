// SPDX-License-Identifier: Apache-2.0
// What the laser sees: hit points and a faint fan, at the height of the laser.
import * as THREE from "three";
import { topicOf } from "../../data/facts";
import { compose, poseOf } from "../../data/frames";
import type { Store } from "../../data/store";
import { theme } from "../../ui/theme";
import { setPose } from "./things";

interface Scan { frame_id: string; pose?: { position?: { x: number; y: number; z: number }; orientation?: { x: number; y: number; z: number; w: number } }; start_angle: number; end_angle: number; ranges: number[] }

const HEIGHT = 0.22;

export class Laser {
  readonly group = new THREE.Group();
  hits = 0;
  private points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ size: 4, sizeAttenuation: false, depthTest: true }));
  private fan = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ transparent: true, side: THREE.DoubleSide, depthWrite: false }));
  private scan?: Scan;

  constructor() {
    this.group.add(this.points, this.fan);
    this.points.frustumCulled = this.fan.frustumCulled = false;
    this.dress();
  }

  dress() {
    this.points.material.color.set(theme.danger);
    this.fan.material.color.set(theme.danger);
    this.fan.material.opacity = theme.isLight ? 0.09 : 0.06;
  }

  update(store: Store, isShown: boolean) {
    const topic = topicOf(store, "foxglove.LaserScan"), i = topic ? topic.after(store.time) - 1 : -1, scan = topic?.message(i) as Scan | undefined;
    const base = scan && store.frames.inWorld(scan.frame_id, topic!.times[i]!);
    this.group.visible = isShown && base !== undefined && store.time - topic!.times[i]! < 2;
    if (!scan || !base) { this.hits = 0; return; }
    if (scan !== this.scan) { this.scan = scan; this.build(scan); }
    const own = poseOf(scan.pose?.position, scan.pose?.orientation);
    own[2] ||= HEIGHT;
    setPose(this.group, compose(base, own));
  }

  private build(scan: Scan) {
    const n = scan.ranges.length, step = n > 1 ? (scan.end_angle - scan.start_angle) / (n - 1) : 0, hits: number[] = [], fan: number[] = [];
    let before: [number, number] | undefined;
    scan.ranges.forEach((range, i) => {
      const isHit = Number.isFinite(range) && range > 0.02, a = scan.start_angle + i * step, p: [number, number] = [range * Math.cos(a), range * Math.sin(a)];
      if (!isHit) { before = undefined; return; }
      hits.push(...p, 0);
      if (before) { fan.push(0, 0, 0, ...before, 0, ...p, 0); }
      before = p;
    });
    this.hits = hits.length / 3;
    for (const [object, list] of [[this.points, hits], [this.fan, fan]] as const) {
      object.geometry.dispose();
      object.geometry = new THREE.BufferGeometry();
      object.geometry.setAttribute("position", new THREE.Float32BufferAttribute(list, 3));
    }
  }
}
