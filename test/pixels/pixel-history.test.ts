/** The last contents in the history of a pixel are those of the image. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../shared/captures');
const NAMES = existsSync(CAPTURES)
  ? readdirSync(CAPTURES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('200x150/trace.trace'))
      .sort()
  : [];
const PIXELS_OF_CAPTURES = 1000;

/** Deterministic numbers from 0 to 1. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function checkPixels(frame: Frame, count: number): Promise<void> {
  const gpu = new LocalGpu();
  const { image } = await gpu.render(frame);
  const probe = gpu.probe(frame);
  const random = makeRandom(7);
  for (let k = 0; k < count; k++) {
    const x = Math.floor(random() * image.widthPx);
    const y = Math.floor(random() * image.heightPx);
    const { events, initial, final } = probe.pixelHistory({ pass: probe.screenPass, x, y });
    const at = (y * image.widthPx + x) * 4;
    expect((events.at(-1)?.after ?? initial).colors[0], `pixel ${x}, ${y}`).toEqual([
      ...image.rgba.subarray(at, at + 4),
    ]);
    expect(events.at(-1)?.after ?? initial, `pixel ${x}, ${y}`).toEqual(final);
    let before = initial;
    for (const event of events) {
      expect(event.before).toEqual(before);
      if (event.depthTest !== null) expect(event.depthTest.stored).toBe(before.depth);
      if (event.outcome !== 'written') expect(event.after.colors).toEqual(before.colors);
      before = event.after;
    }
  }
}

describe('pixel history of golden scenes', () => {
  it.each(Object.keys(GOLDEN_SCENES))('%s: ends with the color of the image', async (name) => {
    await checkPixels(await GOLDEN_SCENES[name]!(), 50);
  });
});

// Skipped if the captures are not next to the repository.
describe.skipIf(NAMES.length === 0)('pixel history of captures', () => {
  it.each(NAMES.length === 0 ? ['none'] : NAMES)(
    '%s: ends with the color of the image',
    async (name) => {
      const { frame } = replayFrame(readCalls(readFileSync(join(CAPTURES, name))), {
        reflection: reflectByCompiling({ compile: compileProgram }),
        frame: 0,
      });
      await checkPixels(frame, Math.ceil(PIXELS_OF_CAPTURES / NAMES.length));
    },
  );
});
