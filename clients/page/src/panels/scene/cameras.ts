// SPDX-License-Identifier: Apache-2.0
// Cameras: free (the robot near, its past behind it), from above, behind the robot; each can follow the robot.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { yaw, type Pose } from "../../data/frames";

export const CAMERAS = ["Free", "Top", "Behind robot"] as const;
export type CameraName = (typeof CAMERAS)[number];

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.05, 400);
  readonly controls: OrbitControls;
  name: CameraName = "Free";
  follows = false;
  isTouched = false;
  private last?: THREE.Vector3;

  constructor(canvas: HTMLElement, onChange: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxPolarAngle = 1.7;
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("start", () => { this.isTouched = true; });
  }

  choose(name: CameraName) {
    this.name = name;
    this.isTouched = false;
    this.last = undefined;
  }

  /** Looks at what there is, from where its shape is seen. */
  fit(things: THREE.Box3, way: THREE.Box3, robot: Pose | undefined) {
    const box = !way.isEmpty() && robot ? way.clone().expandByPoint(new THREE.Vector3(robot[0], robot[1], 0)) : things.clone();
    if (box.isEmpty()) { box.set(new THREE.Vector3(-2, -2, 0), new THREE.Vector3(2, 2, 1)); }
    const middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3());
    if (!robot || way.isEmpty()) {
      const far = size.length() * 0.5 / Math.tan((this.camera.fov * Math.PI) / 360) * (size.z > 0.7 * Math.max(size.x, size.y) ? 1.12 : 0.92);
      this.look(middle, new THREE.Vector3(0.55, -0.72, 0.48), this.name === "Top" ? new THREE.Vector3(0, -0.001, 1) : undefined, far);
      return;
    }
    const reach = Math.max(2.4, Math.hypot(size.x, size.y));
    if (this.name === "Top") { this.look(middle, new THREE.Vector3(0, -0.001, 1), undefined, reach * 1.7 + 1); return; }
    const away = new THREE.Vector3(robot[0] - middle.x, robot[1] - middle.y, 0);
    if (away.length() < 0.3) { away.set(Math.cos(yaw(robot)), Math.sin(yaw(robot)), 0); }
    away.normalize().applyAxisAngle(new THREE.Vector3(0, 0, 1), -0.3);
    this.look(middle.lerp(new THREE.Vector3(robot[0], robot[1], 0), 0.15), away.multiplyScalar(0.83).add(new THREE.Vector3(0, 0, 0.56)), undefined, reach * 1.0 + 2.2);
  }

  /** Close to a part of something tall; "Top": the whole of it, from its side. */
  lookFrom(at: THREE.Vector3, from: THREE.Vector3, tall: number) {
    if (this.name === "Top") { this.look(new THREE.Vector3(at.x, at.y, tall / 2), new THREE.Vector3(0.5, -1, 0.1), undefined, tall * 1.6); return; }
    this.look(at, from.clone().sub(at), undefined, from.distanceTo(at));
  }

  private look(at: THREE.Vector3, towards: THREE.Vector3, other: THREE.Vector3 | undefined, far: number) {
    this.last = undefined;
    this.controls.target.copy(at);
    this.camera.position.copy(at).addScaledVector((other ?? towards).clone().normalize(), far);
    this.controls.update();
  }

  /** Moves with the robot. */
  track(robot: Pose | undefined, always = false) {
    if (!robot) { return; }
    const at = new THREE.Vector3(robot[0], robot[1], robot[2]);
    if (this.name === "Behind robot") {
      const a = yaw(robot);
      this.controls.target.copy(at).add(new THREE.Vector3(Math.cos(a) * 0.9, Math.sin(a) * 0.9, 0.1));
      if (!this.isTouched) { this.camera.position.copy(at).add(new THREE.Vector3(-Math.cos(a) * 1.7, -Math.sin(a) * 1.7, 1.05)); }
      this.controls.update();
    } else if ((this.follows || always) && this.name !== "Top" && this.last) {
      const moved = at.clone().sub(this.last);
      this.controls.target.add(moved);
      this.camera.position.add(moved);
      this.controls.update();
    }
    this.last = at;
  }
}
