// SPDX-License-Identifier: Apache-2.0
// Robot and avatar of a mobile base: a body for a world that does not describe one, and the ring on the floor that tells them apart.
import * as THREE from "three";
import { theme } from "../../ui/theme";
import { amber, bodyMaterial } from "./materials";

const RADIUS = 0.175;

function ring(radius: number, colour: string, dashed: boolean): THREE.Mesh {
  const parts: THREE.BufferGeometry[] = [], n = dashed ? 14 : 1, arc = (2 * Math.PI) / n;
  for (let i = 0; i < n; i++) { parts.push(new THREE.RingGeometry(radius, radius + 0.017, dashed ? 6 : 64, 1, i * arc, dashed ? arc * 0.58 : arc)); }
  const group = new THREE.Mesh(parts[0], new THREE.MeshBasicMaterial({ color: colour, side: THREE.DoubleSide }));
  for (const part of parts.slice(1)) { group.add(new THREE.Mesh(part, group.material)); }
  group.position.z = dashed ? 0.012 : 0.01;
  return group;
}

function cylinder(radius: number, height: number, z: number, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius * 1.02, height, 40).rotateX(Math.PI / 2), material);
  mesh.position.z = z;
  return mesh;
}

export class Base {
  readonly group = new THREE.Group();
  private body = new THREE.Group();

  constructor(private role: "robot" | "avatar") {
    this.dress();
  }

  /** Colours of the theme. */
  dress() {
    this.group.clear();
    this.body.clear();
    if (this.role === "robot") {
      const solid = new THREE.MeshLambertMaterial({ color: amber() }), deep = new THREE.MeshLambertMaterial({ color: amber().multiplyScalar(0.62) }), dark = new THREE.MeshLambertMaterial({ color: "#1a1712" });
      const mark = new THREE.Shape().moveTo(0.15, 0).lineTo(0.07, 0.05).lineTo(0.07, -0.05);
      const arrow = new THREE.Mesh(new THREE.ShapeGeometry(mark), new THREE.MeshBasicMaterial({ color: "#1a1712" }));
      arrow.position.z = 0.1265;
      this.body.add(cylinder(RADIUS * 0.98, 0.03, 0.03, dark), cylinder(RADIUS, 0.06, 0.075, solid), cylinder(RADIUS * 0.9, 0.02, 0.115, deep), cylinder(RADIUS * 0.84, 0.004, 0.124, solid), cylinder(0.03, 0.07, 0.16, dark),
        cylinder(0.026, 0.014, 0.2, deep), arrow);
      this.group.add(ring(RADIUS * 1.28, theme.real, false));
    } else {
      this.body.add(cylinder(RADIUS * 1.13, 0.13, 0.07, bodyMaterial("avatar", undefined, false)), cylinder(0.036, 0.09, 0.165, bodyMaterial("avatar", undefined, false)));
      this.group.add(ring(RADIUS * 1.5, theme.avatar, true));
    }
    this.group.add(this.body);
  }

  /** `hasOwn`: the world describes the body. */
  show(on: boolean, hasOwn: boolean) {
    this.group.visible = on;
    this.body.visible = !hasOwn;
  }
}
