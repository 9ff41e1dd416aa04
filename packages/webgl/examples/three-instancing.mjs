/**
 * three.js: a field of 600 instanced stones in individual colors and an instanced ring of cones,
 * under two lights.
 */
import * as THREE from 'three';

/** Caption of the page that shows this program. */
export const title = 'three.js instancing';

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.setClearColor(0x101820);

  const camera = new THREE.PerspectiveCamera(45, canvas.width / canvas.height, 0.1, 60);
  camera.position.set(0, 7, 13);
  camera.lookAt(0, 0, 0);
  const scene = new THREE.Scene();
  const sun = new THREE.DirectionalLight(0xffffff, 2.5);
  sun.position.set(4, 8, 3);
  scene.add(new THREE.HemisphereLight(0x8090ff, 0x302010, 1.2), sun);

  const stones = new THREE.InstancedMesh(
    new THREE.IcosahedronGeometry(0.3, 1),
    new THREE.MeshLambertMaterial(),
    600,
  );
  const cones = new THREE.InstancedMesh(
    new THREE.ConeGeometry(0.35, 1.4, 12),
    new THREE.MeshStandardMaterial({ color: 0xffc107, roughness: 0.4, metalness: 0.2 }),
    24,
  );
  scene.add(stones, cones);
  const place = new THREE.Object3D();
  const color = new THREE.Color();
  for (let stone = 0; stone < stones.count; stone++) {
    const column = stone % 30;
    const row = Math.floor(stone / 30);
    place.position.set((column - 14.5) * 0.62, ((stone * 37) % 11) * 0.06, (row - 9.5) * 0.62);
    place.rotation.set(stone, stone * 2, 0);
    place.updateMatrix();
    stones.setMatrixAt(stone, place.matrix);
    stones.setColorAt(stone, color.setHSL((stone % 60) / 60, 0.6, 0.5));
  }

  return (frame) => {
    for (let cone = 0; cone < cones.count; cone++) {
      const angle = ((cone + frame * 0.5) / cones.count) * Math.PI * 2;
      place.position.set(Math.cos(angle) * 4.5, 1.4, Math.sin(angle) * 4.5);
      place.rotation.set(0, 0, angle);
      place.updateMatrix();
      cones.setMatrixAt(cone, place.matrix);
    }
    cones.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
  };
}
