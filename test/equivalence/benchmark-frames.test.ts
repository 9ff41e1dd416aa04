/**
 * Frames of the kinds of the benchmark set have the committed image, however many chiplets render
 * them and how.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { SMALL_BENCHMARK_FRAMES } from '../support/small-benchmark-frames.ts';

const REFERENCES = join(import.meta.dirname, '../golden/references/benchmark-images.json');
// `npm run golden:renew` writes the current hashes; explain a change in CHANGELOG under Model.
const isRenewing = process.env.TESSERA_RENEW_GOLDEN === '1';
const committed: Record<string, string> = existsSync(REFERENCES)
  ? JSON.parse(readFileSync(REFERENCES, 'utf8'))
  : {};

const ONE = new LocalGpu({ chipletCount: 1 });
const SEVERAL = new LocalGpu({ chipletCount: 5 });

async function imageOf(gpu: LocalGpu, frame: Frame, options: RenderOptions) {
  return (await gpu.render(frame, { timing: 'functional', ...options })).image;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const WAYS: readonly RenderOptions[] = [
  { visibilityShader: 'full', grid: { kind: 'shape', columns: 5, rows: 3 } },
  { visibilitySwitches: { cullsOccluded: true }, policy: 'static' },
  { visibilityShader: 'minimal', visibilityChiplets: 3, splits: 4 },
  { visibilityDelivery: 'stream', visibilityChiplets: 2 },
  { organization: 'split-frame', policy: 'static' },
  { organization: 'sort-last' },
  { organization: 'alternate-frame' },
];

describe('frames like those of the benchmark set', () => {
  it.each(Object.entries(SMALL_BENCHMARK_FRAMES))('%s', async (name, make) => {
    const frame = make();
    const one = await imageOf(ONE, frame, { grid: { kind: 'bins', count: 1 } });
    if (isRenewing) {
      committed[name] = sha256Of(one.rgba);
      writeFileSync(REFERENCES, `${JSON.stringify(committed, null, 2)}\n`);
    }
    expect(sha256Of(one.rgba)).toBe(committed[name]);
    // A view of the scene, not a flat color.
    const colors = new Set(new Uint32Array(one.rgba.buffer, one.rgba.byteOffset));
    expect(colors.size).toBeGreaterThan(500);
    for (const options of WAYS) {
      const image = await imageOf(SEVERAL, frame, options);
      expect(Buffer.compare(image.rgba, one.rgba), JSON.stringify(options)).toBe(0);
    }
  });

  it('show the same meadow in any order, except where cards have equal depth', async () => {
    const [sorted, shuffled] = await Promise.all(
      (['sorted meadow', 'shuffled meadow'] as const).map((name) =>
        imageOf(ONE, SMALL_BENCHMARK_FRAMES[name](), {}),
      ),
    );
    const texels = (rgba: Uint8Array) => new Uint32Array(rgba.buffer, rgba.byteOffset);
    const others = texels(shuffled!.rgba);
    const differing = texels(sorted!.rgba).filter((texel, i) => texel !== others[i]);
    expect(differing.length).toBeLessThan(others.length / 1000);
  });
});
