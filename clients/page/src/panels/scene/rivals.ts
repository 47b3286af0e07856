// SPDX-License-Identifier: Apache-2.0
// Where the robot could be, too: other poses that explain its scans, as faint ghosts.
import * as THREE from "three";
import { topicOf } from "../../data/facts";
import type { Store } from "../../data/store";
import { amber } from "./materials";

const RADIUS = 0.175, HEIGHT = 0.12;

function ghost(): THREE.Group {
  const material = new THREE.MeshBasicMaterial({ color: amber(), transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide });
  const body = new THREE.Mesh(new THREE.CylinderGeometry(RADIUS, RADIUS, HEIGHT, 32).rotateX(Math.PI / 2), material);
  const ahead = new THREE.Mesh(new THREE.ShapeGeometry(new THREE.Shape().moveTo(0.3, 0).lineTo(0.2, 0.06).lineTo(0.2, -0.06)), material);
  body.position.z = HEIGHT / 2;
  ahead.position.z = 0.02;
  return new THREE.Group().add(body, ahead);
}

export class Rivals {
  readonly group = new THREE.Group();

  dress() { this.group.clear(); }

  /** How many there are. */
  update(store: Store, on: boolean): number {
    const message = topicOf(store, "doppel.LocalizedPose")?.at(store.time) ?? {};
    const [x, y, theta] = ["rival_x", "rival_y", "rival_theta"].map((name) => (message[name] ?? []) as number[]) as [number[], number[], number[]];
    while (this.group.children.length < x.length) { this.group.add(ghost()); }
    this.group.children.forEach((child, i) => {
      child.visible = on && i < x.length;
      child.position.set(x[i] ?? 0, y[i] ?? 0, 0);
      child.rotation.z = theta[i] ?? 0;
    });
    return x.length;
  }
}
