/**
 * Prints the CPU time of the example three-cube at 640×360 with headless-gl or Tessera: `node
 * headless-gl-cost.mjs PACKAGE [FRAMES]`. Each frame is read back.
 *
 * It is copied with the example into a folder outside of the repository that has the packages and a
 * three.js for WebGL 1: docs/webgl.md has the commands.
 */
import { createRequire } from 'node:module';
import { main } from './three-cube.mjs';

const WARM_UP_FRAMES = 20;
const [name, frames = '100'] = process.argv.slice(2);
const [width, height] = [640, 360];

const createContext = createRequire(import.meta.url)(name);
// headless-gl has one sample per pixel.
const gl = createContext(width, height, { antialias: false, preserveDrawingBuffer: true });
const canvas = { width, height, addEventListener() {}, removeEventListener() {} };
const draw = main({ canvas, gl });
const pixels = new Uint8Array(4 * width * height);

drawAndRead(0);
const coldMs = cpuMs();
const sum = pixels.reduce((total, value) => total + value, 0);
for (let frame = 1; frame <= WARM_UP_FRAMES; frame++) drawAndRead(frame);
const startMs = cpuMs();
for (let frame = 1; frame <= Number(frames); frame++) drawAndRead(WARM_UP_FRAMES + frame);
const steadyMs = (cpuMs() - startMs) / Number(frames);
process.stdout.write(
  `${name}: first frame with start ${coldMs.toFixed(0)} ms, later ones ${steadyMs.toFixed(2)} ms, ` +
    `sum of the first image ${sum}\n`,
);

function drawAndRead(frame) {
  draw(frame);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
}

/** Returns the CPU time of all threads of this process. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
