/**
 * Programs of WebGL libraries: each draws what Chromium draws, and the same bytes on one and on
 * five chiplets and in a service, with cycle timing.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareImages } from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';
import type { DrawnImage } from './libraries/draw.ts';
import { EXPECTED, isOnceInProcess, maxShareOf, PROGRAMS, SIZE } from './libraries/programs.ts';

stopServicesAfterAll();

const DRAW = join(import.meta.dirname, 'libraries/draw.ts');
function readExpected(name: string): Image {
  const { width, height, data } = PNG.sync.read(readFileSync(join(EXPECTED, `${name}.png`)));
  return { widthPx: width, heightPx: height, rgba: data };
}

async function draw(name: string, backEnds: readonly string[]): Promise<DrawnImage[]> {
  const args = [DRAW, name, ...backEnds];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 });
  // The lines before are those of the program.
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as DrawnImage[];
}

describe('a program of a library', { timeout: 60_000 }, () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
  }, 60_000);

  it.each(PROGRAMS)('draws what Chromium draws, everywhere: %s', async (name) => {
    const backEnds = ['1', '5', url];
    const processes = isOnceInProcess(name) ? backEnds.map((each) => [each]) : [backEnds];
    const drawn: DrawnImage[] = [];
    for (const each of processes) drawn.push(...(await draw(name, each)));
    const [one, ...others] = drawn;
    expect(others).toEqual([one, one]);
    const [widthPx, heightPx, base64] = one!;
    expect([widthPx, heightPx]).toEqual([SIZE.widthPx, SIZE.heightPx]);
    const image = { widthPx, heightPx, rgba: Uint8Array.fromBase64(base64) };
    const { pixels, over8 } = compareImages(image, readExpected(name));
    expect(over8 / pixels).toBeLessThanOrEqual(maxShareOf(name));
  });
});
