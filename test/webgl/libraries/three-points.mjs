/**
 * three.js: points, sprites, fat lines, a clipped and a wireframe mesh, in an orthographic camera.
 */
import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(window.innerWidth, window.innerHeight);
renderer.localClippingEnabled = true;
document.body.appendChild(renderer.domElement);

const aspect = window.innerWidth / window.innerHeight;
const camera = new THREE.OrthographicCamera(-4 * aspect, 4 * aspect, 4, -4, 1, 50);
camera.position.set(6, 5, 10);
camera.lookAt(0, 0, 0);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x10151f);

const manager = new THREE.LoadingManager();
const map = new THREE.TextureLoader(manager).load(
  new URL('./files/sprites.png', import.meta.url).href,
);
map.colorSpace = THREE.SRGBColorSpace;

const positions = [];
const colors = [];
for (let i = 0; i < 600; i++) {
  const angle = i * 0.21;
  positions.push(Math.cos(angle) * i * 0.006, (i - 300) * 0.01, Math.sin(angle) * i * 0.006);
  const color = new THREE.Color().setHSL(i / 600, 0.8, 0.6);
  colors.push(color.r, color.g, color.b);
}
const cloud = new THREE.BufferGeometry();
cloud.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
cloud.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
scene.add(new THREE.Points(cloud, new THREE.PointsMaterial({ size: 4, vertexColors: true })));

const line = new LineGeometry();
line.setPositions(Array.from({ length: 90 }, (_, i) => Math.sin(i * 0.7 + (i % 3)) * 3));
const material = new LineMaterial({ color: 0xffcc33, linewidth: 3, worldUnits: false });
scene.add(new Line2(line, material));

for (let i = 0; i < 4; i++) {
  const frame = map.clone();
  frame.repeat.set(0.25, 1);
  frame.offset.set(i / 4, 0);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: frame, sizeAttenuation: false }));
  sprite.position.set(i * 1.6 - 2.4, 2.6, 0);
  scene.add(sprite);
}
const knot = new THREE.TorusKnotGeometry(0.9, 0.3, 64, 12);
const plane = new THREE.Plane(new THREE.Vector3(0, -1, 0.3), 0.2);
const cut = new THREE.MeshNormalMaterial({ side: THREE.DoubleSide, clippingPlanes: [plane] });
const left = new THREE.Mesh(knot, cut);
left.position.set(-2.6, -0.8, 1);
const wire = new THREE.MeshBasicMaterial({ color: 0x66ffcc, wireframe: true });
const right = new THREE.Mesh(new THREE.IcosahedronGeometry(1.2, 2), wire);
right.position.set(2.8, -1, 0);
scene.add(left, right);

manager.onLoad = () => renderer.setAnimationLoop(() => renderer.render(scene, camera));
