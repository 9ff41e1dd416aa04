/** three.js: a rotating cube with a checkered texture, unlit. */
import * as THREE from 'three';

/** Caption of the page that shows this program. */
export const title = 'three.js cube';

/** Attributes of the context: one sample per pixel. */
export const contextAttributes = { antialias: false };

/** @param {{ canvas: object, gl: WebGL2RenderingContext }} page */
export function main({ canvas, gl }) {
  const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: false });
  renderer.setSize(canvas.width, canvas.height, false);
  renderer.setClearColor(0x203040);

  const camera = new THREE.PerspectiveCamera(50, canvas.width / canvas.height, 0.1, 10);
  camera.position.set(0, 0, 3);
  const material = new THREE.MeshBasicMaterial({ map: makeChequers(8), vertexColors: true });
  const cube = new THREE.Mesh(paintFaces(new THREE.BoxGeometry(1.2, 1.2, 1.2)), material);
  const scene = new THREE.Scene();
  scene.add(cube);

  return (frame) => {
    cube.rotation.set(0.5 + frame * 0.1, 0.7 + frame * 0.15, 0);
    renderer.render(scene, camera);
  };
}

/** Gives each of the six faces its own color. */
function paintFaces(geometry) {
  const faceColors = [0xff7043, 0xffca28, 0x66bb6a, 0x29b6f6, 0xab47bc, 0xffffff];
  const colors = new Float32Array(geometry.attributes.position.count * 3);
  for (let vertex = 0; vertex < colors.length / 3; vertex++) {
    new THREE.Color(faceColors[Math.floor(vertex / 4)]).toArray(colors, vertex * 3);
  }
  return geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3));
}

function makeChequers(edge) {
  const texels = new Uint8Array(edge * edge * 4).fill(255);
  for (let at = 0; at < edge * edge; at++) {
    if (((at % edge) + Math.floor(at / edge)) % 2 === 0) texels.fill(170, at * 4, at * 4 + 3);
  }
  const texture = new THREE.DataTexture(texels, edge, edge);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
