/**
 * Extensions of the shading language give the same pixels on one and on five chiplets, with and
 * without cycles, in this process and in a service.
 */
import { join } from 'node:path';
import type { Image } from '@tessera/frame';
import {
  type ProgramBackEnd,
  type ProgramFrame,
  RunningProgram,
} from '@tessera/webgl/program-runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';
import { sceneNames } from './shader-extension-scenes.ts';

stopServicesAfterAll();

const PATH = join(import.meta.dirname, 'shader-extension-scenes.ts');
const SIZE = { widthPx: 150, heightPx: 101 };

/** Draws all scenes, one per frame. */
async function drawScenes(backEnd: ProgramBackEnd): Promise<ProgramFrame[]> {
  const program = await RunningProgram.start({ path: PATH, ...SIZE, backEnd });
  try {
    const frames: ProgramFrame[] = [];
    for (let index = 0; index < sceneNames.length; index++) {
      await program.drawFrame(index);
      frames.push(await program.takeFrame());
    }
    return frames;
  } finally {
    program.close();
  }
}

/** Returns the color channels, because images of a service have no alpha. */
function colorsOf({ rgba }: Image): Uint8Array {
  return rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
}

describe('scenes of shader extensions', { timeout: 240_000 }, () => {
  let expected: ProgramFrame[];
  let url: string;
  beforeAll(async () => {
    expected = await drawScenes({ kind: 'in-process', gpu: { chipletCount: 1 } });
    ({ url } = await startTestService({ workerCount: 1 }));
  }, 120_000);

  it('show more than their background', () => {
    for (const [index, { image }] of expected.entries()) {
      const colors = new Set(new Uint32Array(image.rgba.buffer.slice(0)));
      expect(colors.size, sceneNames[index]).toBeGreaterThan(50);
    }
  });

  it.each([
    ['five chiplets', { chipletCount: 5 }],
    ['five chiplets with cycles', { chipletCount: 5, timing: 'cycle' }],
    ['one chiplet with the full vertex shader', { chipletCount: 1, visibilityShader: 'full' }],
  ] as const)('are equal on %s', async (_name, gpu) => {
    const frames = await drawScenes({ kind: 'in-process', gpu });
    for (const [index, { image }] of frames.entries()) {
      const isEqual = Buffer.compare(image.rgba, expected[index]!.image.rgba) === 0;
      expect(isEqual, sceneNames[index]).toBe(true);
    }
  });

  it.each([1, 5])('are equal in a service of %i chiplets', async (chiplets) => {
    const parameters = { chiplets, timing: 'functional' } as const;
    const frames = await drawScenes({ kind: 'service', service: { url, parameters } });
    for (const [index, { image }] of frames.entries()) {
      const [mine, its] = [expected[index]!.image, image].map(colorsOf);
      expect(Buffer.compare(mine!, its!), sceneNames[index]).toBe(0);
    }
  });
});
