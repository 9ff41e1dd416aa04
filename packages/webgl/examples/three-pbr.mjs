/**
 * three.js: physically based materials from metal to plastic, lit only by an environment (PMREM of
 * a room).
 */
import * as THREE from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';

/** Caption of the page that shows this program. */
export const title = 'three.js physically based, with environment';

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;

  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x556070);
  const generator = new THREE.PMREMGenerator(renderer);
  scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
  generator.dispose();

  const camera = new THREE.PerspectiveCamera(40, canvas.width / canvas.height, 0.1, 40);
  camera.position.set(0, 1.2, 7);
  camera.lookAt(0, 0, 0);

  const ball = new THREE.SphereGeometry(0.55, 48, 24);
  for (let column = 0; column < 5; column++) {
    for (const [row, metalness] of [0, 1].entries()) {
      const material = new THREE.MeshStandardMaterial({
        color: row === 0 ? 0xc62828 : 0xffd54f,
        metalness,
        roughness: column / 4,
      });
      const mesh = new THREE.Mesh(ball, material);
      mesh.position.set((column - 2) * 1.35, row === 0 ? -1.1 : 1.1, 0);
      scene.add(mesh);
    }
  }
  const surface = makeDentedSurface(64);
  const knot = new THREE.Mesh(
    new THREE.TorusKnotGeometry(0.42, 0.15, 128, 16, 2, 5),
    new THREE.MeshPhysicalMaterial({
      color: 0x90a4ae,
      metalness: 0.9,
      roughnessMap: surface.roughness,
      normalMap: surface.normal,
      clearcoat: 1,
      clearcoatRoughness: 0.1,
    }),
  );
  scene.add(knot);

  return (frame) => {
    knot.rotation.set(frame * 0.2, 0.4 + frame * 0.1, 0);
    renderer.render(scene, camera);
  };
}

/** Makes a roughness map (green channel) and a normal map of round dents. */
function makeDentedSurface(edge) {
  const roughness = new Uint8Array(edge * edge * 4).fill(255);
  const normal = new Uint8Array(edge * edge * 4).fill(255);
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      const at = (y * edge + x) * 4;
      const u = (x % 16) / 8 - 1;
      const v = (y % 16) / 8 - 1;
      const isDent = u * u + v * v < 0.6;
      roughness[at + 1] = isDent ? 60 : 140;
      normal[at] = 128 + (isDent ? Math.round(-60 * u) : 0);
      normal[at + 1] = 128 + (isDent ? Math.round(-60 * v) : 0);
    }
  }
  const [roughnessTexture, normalTexture] = [roughness, normal].map((texels) => {
    const texture = new THREE.DataTexture(texels, edge, edge);
    texture.wrapS = THREE.RepeatWrapping;
    texture.wrapT = THREE.RepeatWrapping;
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.repeat.set(8, 1);
    texture.needsUpdate = true;
    return texture;
  });
  return { roughness: roughnessTexture, normal: normalTexture };
}
