import { writeFile } from 'node:fs/promises';
import { createContext } from '@tessera-gpu/webgl';
import * as THREE from 'three';

const gl = createContext(320, 200, { createWebGL2Context: true });
const canvas = { width: 320, height: 200, style: {}, addEventListener() {} };
const renderer = new THREE.WebGLRenderer({ canvas, context: gl });
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(60, 1.6, 0.1, 10);
camera.position.z = 3;
scene.add(new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshNormalMaterial()));
scene.children[0].rotation.set(0.5, 0.6, 0);
renderer.render(scene, camera);
await writeFile(process.argv[2], gl.frame().image.rgba);
