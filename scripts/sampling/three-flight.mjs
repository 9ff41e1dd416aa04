/**
 * three.js: a flight over a field of stones and towers through fog. A pane of glass and a lit knot
 * come into view on the way.
 */
import * as THREE from 'three';

const LENGTH = 90;

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.setClearColor(0x9fb4c8);
  const camera = new THREE.PerspectiveCamera(60, canvas.width / canvas.height, 0.1, 60);
  const scene = new THREE.Scene();
  scene.fog = new THREE.Fog(0x9fb4c8, 12, 45);
  const sun = new THREE.DirectionalLight(0xfff0d8, 2.2);
  sun.position.set(5, 9, 4);
  scene.add(new THREE.HemisphereLight(0x90a8ff, 0x403020, 1.1), sun);

  const ground = new THREE.Mesh(
    new THREE.PlaneGeometry(60, LENGTH + 80, 30, 60),
    new THREE.MeshLambertMaterial({ color: 0x5d7a45 }),
  );
  ground.rotation.x = -Math.PI / 2;
  ground.position.z = -LENGTH / 2;
  scene.add(ground);
  addStones(scene, 500);
  addTowers(scene, 24);
  const knot = new THREE.Mesh(
    new THREE.TorusKnotGeometry(1.2, 0.4, 96, 16),
    new THREE.MeshStandardMaterial({ color: 0xd84315, roughness: 0.3, metalness: 0.4 }),
  );
  knot.position.set(-2, 2.5, -40);
  const pane = new THREE.Mesh(
    new THREE.PlaneGeometry(6, 4),
    new THREE.MeshPhongMaterial({ color: 0x80d8ff, transparent: true, opacity: 0.4, side: 2 }),
  );
  pane.position.set(1, 2.5, -64);
  scene.add(knot, pane);

  return (frame) => {
    const way = frame / 500;
    knot.rotation.set(0.3, frame * 0.05, 0);
    camera.position.set(4 * Math.sin(way * 9), 2 + 1.4 * Math.sin(way * 14), 6 - LENGTH * way);
    camera.rotation.set(0, 0.5 * Math.sin(way * 11), 0.08 * Math.sin(way * 9));
    renderer.render(scene, camera);
  };
}

function addStones(scene, count) {
  const random = makeRandom(3);
  const stones = Array.from({ length: 4 }, (_, part) => {
    const mesh = new THREE.InstancedMesh(
      new THREE.IcosahedronGeometry(0.5, part % 2),
      new THREE.MeshLambertMaterial({ color: 0x8d8478 }),
      count / 4,
    );
    const place = new THREE.Object3D();
    for (let stone = 0; stone < mesh.count; stone++) {
      place.position.set((random() - 0.5) * 30, 0.2, -((part + random()) * LENGTH) / 4 + 4);
      place.rotation.set(random() * 6, random() * 6, 0);
      place.scale.setScalar(0.5 + random());
      place.updateMatrix();
      mesh.setMatrixAt(stone, place.matrix);
    }
    mesh.computeBoundingSphere();
    return mesh;
  });
  scene.add(...stones);
}

function addTowers(scene, count) {
  const random = makeRandom(11);
  for (let tower = 0; tower < count; tower++) {
    const height = 2 + 4 * random();
    const mesh = new THREE.Mesh(
      new THREE.CylinderGeometry(0.5, 0.9, height, 16, 4),
      new THREE.MeshPhongMaterial({ color: 0xb0906a, shininess: 40 }),
    );
    mesh.position.set(
      (random() < 0.5 ? -1 : 1) * (4 + 6 * random()),
      height / 2,
      -LENGTH * random(),
    );
    scene.add(mesh);
  }
}

/** Returns a generator of numbers from 0 to 1, so that all runs draw the same. */
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}
