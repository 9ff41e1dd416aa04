/**
 * WebGL programs whose frames are rendered by real service processes. The pixels equal those of
 * this process, with one and with five chiplets, and a frame similar to the previous one sends only
 * its draws.
 */
import { join } from 'node:path';
import type { Image, Timing } from '@tessera/frame';
import {
  type ProgramBackEnd,
  type ProgramFrame,
  RunningProgram,
} from '@tessera/webgl/program-runner';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const EXAMPLES = join(import.meta.dirname, '../../packages/webgl/examples');
const SIZE = { widthPx: 192, heightPx: 108 };

/** Draws the first frames of an example. */
async function draw(
  file: string,
  frameCount: number,
  backEnd: ProgramBackEnd,
): Promise<ProgramFrame[]> {
  const program = await RunningProgram.start({ path: join(EXAMPLES, file), ...SIZE, backEnd });
  try {
    const frames: ProgramFrame[] = [];
    for (let index = 0; index < frameCount; index++) {
      await program.drawFrame(index);
      frames.push(await program.takeFrame());
    }
    return frames;
  } finally {
    program.close();
  }
}

function here(chipletCount: number, timing: Timing = 'functional'): ProgramBackEnd {
  return { kind: 'in-process', gpu: { chipletCount, timing } };
}

/** Returns the color channels, because images of a service have no alpha. */
function colorsOf({ rgba }: Image): Uint8Array {
  return rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
}

describe('a service that renders a program’s frames', { timeout: 120_000 }, () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
  }, 60_000);

  function there(chiplets: number, timing: Timing = 'functional'): ProgramBackEnd {
    return { kind: 'service', service: { url, parameters: { chiplets, timing } } };
  }

  it.each(['three-phong.mjs', 'regl-waves.mjs'])(
    'gives the pixels of this process, on one and on five chiplets: %s',
    async (file) => {
      const frames = await draw(file, 2, here(1));
      for (const backEnd of [here(5), there(1), there(5)]) {
        const others = await draw(file, 2, backEnd);
        expect(others.map(({ image }) => colorsOf(image))).toEqual(
          frames.map(({ image }) => colorsOf(image)),
        );
      }
    },
  );

  it('returns the report of this process, cycle by cycle', async () => {
    const [mine] = await draw('three-cube.mjs', 1, here(5, 'cycle'));
    const [its] = await draw('three-cube.mjs', 1, there(5, 'cycle'));
    expect(mine!.report.totals.cycles).toBeGreaterThan(1000);
    expect(its!.report.totals).toEqual(mine!.report.totals);
    expect(its!.report.bins).toEqual(mine!.report.bins);
    expect(its!.report.chiplets).toEqual(mine!.report.chiplets);
  });

  it('receives only changes', async () => {
    const frames = await draw('three-instancing.mjs', 3, there(2));
    const [first, second, third] = frames.map(({ sentBytes }) => sentBytes!);
    expect(first!.resources).toBeGreaterThan(100_000);
    // The matrices of 24 cones.
    expect(second!.resources).toBe(24 * 64);
    expect(third!.resources).toBe(24 * 64);
    expect(third!.frame).toBeLessThan(20_000);
  });
});
