/** Materials in full quality: beside three.js, and the same bytes on any number of chiplets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareImages } from '@tessera/experiments/image-comparison';
import { LocalGpu } from '@tessera/local-gpu';
import { DEFAULT_GLTF_LIMITS } from '@tessera/scenes';
import { ImageDecoder } from '@tessera/scenes/images';
import { describe, expect, it } from 'vitest';
import { GRID_SAMPLES, importGrid } from './draw-grid.ts';

const { frame, warnings } = await importGrid();
const { image } = new LocalGpu({ chipletCount: 1 }).renderNow(frame);

describe('a grid of materials', () => {
  it('looks as in three.js', () => {
    const file = readFileSync(join(import.meta.dirname, 'material-grid.three.png'));
    const reference = new ImageDecoder(DEFAULT_GLTF_LIMITS).decode('reference', file);
    const { pixels, over8 } = compareImages(image!, {
      ...reference,
      rgba: Uint8Array.from(reference.rgba),
    });
    expect(warnings).toEqual([]);
    expect(over8 / pixels).toBeLessThan(0.003);
  });

  it('has passes for what is behind glass, and a screen of several samples', () => {
    expect(frame.sampleCount).toBe(GRID_SAMPLES);
    expect(frame.passes.length).toBeGreaterThan(1);
    expect(frame.passes.at(-1)?.target ?? { kind: 'screen' }).toEqual({ kind: 'screen' });
  });

  it.each([
    { chipletCount: 5, policy: 'static', coupling: 'exact', timing: 'cycle' },
    { chipletCount: 3, policy: 'dynamic', coupling: 'none', timing: 'cycle' },
    { chipletCount: 5, policy: 'dynamic', timing: 'functional' },
  ] as const)(
    'has the same bytes on $chipletCount chiplets, $policy, $coupling',
    async (options) => {
      const { chipletCount, ...others } = options;
      const rendered = await new LocalGpu({ chipletCount }).render(frame, others);
      expect(Buffer.compare(rendered.image.rgba, image!.rgba)).toBe(0);
      if (options.timing === 'cycle') expect(rendered.report.totals.cycles).toBeGreaterThan(0);
    },
  );
});
