/**
 * three.js: Phong materials under a sun and a lamp that both cast shadows, with textures, a bump
 * map and a glass pane.
 */
import * as THREE from 'three';

/** Caption of the page that shows this program. */
export const title = 'three.js Phong with shadow maps';

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.setClearColor(0x87a5c0);
  renderer.shadowMap.enabled = true;

  const camera = new THREE.PerspectiveCamera(45, canvas.width / canvas.height, 0.1, 40);
  camera.position.set(4.5, 4, 6.5);
  camera.lookAt(0, 0.6, 0);

  const scene = new THREE.Scene();
  scene.add(new THREE.AmbientLight(0x405060), makeSun(), makeLamp());

  const bricks = makeBricks(64);
  const floor = new THREE.Mesh(
    new THREE.PlaneGeometry(12, 12),
    new THREE.MeshPhongMaterial({ map: bricks.color, bumpMap: bricks.height, bumpScale: 2 }),
  );
  floor.rotation.x = -Math.PI / 2;
  floor.receiveShadow = true;
  scene.add(floor);

  const knot = new THREE.Mesh(
    new THREE.TorusKnotGeometry(0.6, 0.2, 96, 12),
    new THREE.MeshPhongMaterial({ color: 0xd84315, shininess: 60 }),
  );
  knot.position.set(0, 1.2, 0);
  const sphere = new THREE.Mesh(
    new THREE.SphereGeometry(0.6, 32, 16),
    new THREE.MeshPhongMaterial({ color: 0x2e7d32, specular: 0xffffff, shininess: 120 }),
  );
  sphere.position.set(-1.9, 0.6, 0.8);
  const box = new THREE.Mesh(
    new THREE.BoxGeometry(1, 1, 1),
    new THREE.MeshPhongMaterial({ map: bricks.color }),
  );
  box.position.set(1.9, 0.5, -0.4);
  for (const mesh of [knot, sphere, box]) {
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    scene.add(mesh);
  }
  const pane = new THREE.Mesh(
    new THREE.PlaneGeometry(1.6, 1.6),
    new THREE.MeshPhongMaterial({
      color: 0x80d8ff,
      transparent: true,
      opacity: 0.4,
      side: THREE.DoubleSide,
    }),
  );
  pane.position.set(0.8, 0.9, 1.8);
  scene.add(pane);

  return (frame) => {
    knot.rotation.set(0, 0.4 + frame * 0.2, 0.3);
    renderer.render(scene, camera);
  };
}

function makeSun() {
  const sun = new THREE.DirectionalLight(0xfff3e0, 2.6);
  sun.position.set(3, 5, -2.5);
  sun.castShadow = true;
  sun.shadow.mapSize.set(512, 512);
  Object.assign(sun.shadow.camera, { left: -5, right: 5, top: 5, bottom: -5, near: 1, far: 15 });
  return sun;
}

function makeLamp() {
  const lamp = new THREE.PointLight(0x90caf9, 18, 20);
  lamp.position.set(-2.5, 3.2, 2.5);
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(256, 256);
  lamp.shadow.camera.near = 0.2;
  lamp.shadow.camera.far = 15;
  return lamp;
}

/** Paints courses of bricks with joints, as a color map and a height map. */
function makeBricks(edge) {
  const color = new Uint8Array(edge * edge * 4).fill(255);
  const height = new Uint8Array(edge * edge * 4).fill(255);
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const course = Math.floor(y / 16);
      const alongPx = (x + (course % 2) * 16) % 32;
      const isJoint = y % 16 < 2 || alongPx < 2;
      const at = (y * edge + x) * 4;
      const grain = ((x * 7 + y * 13 + x * y) % 24) - 12;
      const base = isJoint ? [150, 145, 140] : [170, 95, 75];
      for (let channel = 0; channel < 3; channel++) {
        color[at + channel] = base[channel] + grain;
        height[at + channel] = isJoint ? 60 : 200 + grain;
      }
    }
  }
  const textures = [color, height].map((texels) => {
    const texture = new THREE.DataTexture(texels, edge, edge);
    texture.wrapS = THREE.RepeatWrapping;
    texture.wrapT = THREE.RepeatWrapping;
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.repeat.set(3, 3);
    texture.needsUpdate = true;
    return texture;
  });
  textures[0].colorSpace = THREE.SRGBColorSpace;
  return { color: textures[0], height: textures[1] };
}
