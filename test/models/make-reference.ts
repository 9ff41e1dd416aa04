/**
 * `npm run models:reference`: draws the grid of materials with three.js in Debian's Chromium, and
 * writes the image that the test of materials compares with.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { ThreeRenderer } from '../../scripts/models/three-renderer.ts';
import { findChromium } from '../../scripts/webgl/chromium-images.ts';
import { GRID_SAMPLES, GRID_SIZE, importGrid } from './draw-grid.ts';
import { makeMaterialGrid, makePanorama } from './material-grid.ts';

const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
const folder = mkdtempSync(join(tmpdir(), 'material-grid-'));
const modelPath = join(folder, 'grid.glb');
const environmentPath = join(folder, 'panorama.hdr');
writeFileSync(modelPath, makeMaterialGrid());
writeFileSync(environmentPath, makePanorama());
const three = await ThreeRenderer.start(executablePath, {
  ...GRID_SIZE,
  environmentPath,
  toneMapping: 'neutral',
  isAntialiased: GRID_SAMPLES > 1,
});
try {
  const { view } = await importGrid();
  const { viewMatrix, projectionMatrix } = view;
  const image = await three.draw({ modelPath, viewMatrix, projectionMatrix, background: null });
  writeFileSync(join(import.meta.dirname, 'material-grid.three.png'), await encodePng(image));
} finally {
  await three.close();
  rmSync(folder, { recursive: true });
}
