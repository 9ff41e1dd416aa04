import { TesseraClient } from '@tessera-gpu/client';
import { encodePng, importGltf, LocalGpu, type Report } from '@tessera-gpu/core';
import { createContext, type SimulatedGpuChoice } from '@tessera-gpu/webgl';
import '@tessera-gpu/webgl/vitest';
import { expect } from 'vitest';

const gpu: SimulatedGpuChoice = { chipletCount: 2, timing: 'cycle' };
const gl = createContext(16, 16, { createWebGL2Context: true, gpu });
gl.clear(gl.COLOR_BUFFER_BIT);
/** Cycles of a cleared frame. */
export const cycles: number | null | undefined = gl.frame().report?.totals.cycles;

/** Renders a model. */
export async function render(bytes: Uint8Array): Promise<readonly [Uint8Array, Report]> {
  const local = new LocalGpu({ chipletCount: 4 });
  const size = { widthPx: 64, heightPx: 64 };
  const { frame } = await importGltf({ kind: 'glb', bytes }, size);
  const { image, report } = await local.render(frame);
  return [await encodePng(image), report];
}

/** Compares a frame with a reference. */
export function check(): Promise<void> {
  return expect(gl.frame()).toMatchImage('frame.png', { maxOver8: 0.001 });
}

/** Client of a service. */
export const client = new TesseraClient('http://127.0.0.1:8080');
