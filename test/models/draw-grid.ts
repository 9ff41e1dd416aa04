/** Draws the grid of materials as the reference of three.js does. */
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf, readRadianceHdr } from '@tessera/scenes';
import { makeMaterialGrid, makePanorama } from './material-grid.ts';

/** Size of the image. */
export const GRID_SIZE = { widthPx: 480, heightPx: 270 } as const;

/** Samples per pixel of the image and its reference. */
export const GRID_SAMPLES = 4;

/** Imports the grid under its panorama, in full quality. */
export async function importGrid() {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const image = readRadianceHdr(makePanorama(), { maxPixels: 4096 });
  const environment = filterEnvironment({ kind: 'panorama', image }, (frame) =>
    gpu.renderNow(frame),
  );
  return importGltf(
    { kind: 'glb', bytes: makeMaterialGrid() },
    {
      ...GRID_SIZE,
      look: {
        environment: { kind: 'filtered', environment },
        background: { kind: 'environment' },
        exposure: 1,
        toneMapping: 'neutral',
        hasShadows: false, // as in the reference
        samples: GRID_SAMPLES,
      },
    },
  );
}
