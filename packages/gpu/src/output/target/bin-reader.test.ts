/** Fast paths of the reader beside the conversion of bin-pixels.ts, which handles every format. */
import { DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { readBinTexels } from './bin-pixels.ts';
import { BinReader } from './bin-reader.ts';
import { layOutTargets } from './target-layout.ts';

const memory = new ChipletMemory({ ...DEFAULT_CHIPLET_SPEC, quadListQuads: 2048 });
const reader = new BinReader(memory);

/** Returns every half-precision float in turn, with one NaN. */
function halfAt(index: number): number {
  const half = new Float16Array(Uint16Array.of((index * 40503) & 0xffff).buffer)[0]!;
  return Number.isNaN(half) ? Number.NaN : half;
}

describe('BinReader', () => {
  it.each([
    { formats: ['rgba16float'] as const, widthPx: 128, heightPx: 128 },
    { formats: ['rgba16float'] as const, widthPx: 127, heightPx: 129 },
    { formats: ['rgba8unorm', 'rgba16float', null, 'r32float'] as const, widthPx: 61, heightPx: 3 },
    // Wider than the memory for one strip.
    { formats: ['rgba16float'] as const, widthPx: 4200, heightPx: 6 },
    { formats: ['rgba16float', 'rgba16float'] as const, widthPx: 1, heightPx: 1 },
  ])('reads halves of $formats, $widthPx × $heightPx', ({ formats, widthPx, heightPx }) => {
    const layout = layOutTargets(formats);
    const quadsPerRow = Math.ceil(widthPx / 2);
    const size = { quadsPerRow, widthPx, heightPx };
    const words = (quadsPerRow * Math.ceil(heightPx / 2) * layout.quadBytes) / 4;
    for (let at = 0; at < words; at++) memory.f32[memory.binColorPtr / 4 + at] = halfAt(at);

    const colors = reader.readColors(layout, size);
    for (const [t, target] of layout.targets.entries()) {
      if (target?.format !== 'rgba16float') continue;
      const expected = readBinTexels(memory.memory, memory.binColorPtr, layout, target, size);
      expect(Buffer.compare(colors[t]!, expected)).toBe(0);
      expect(colors[t]!.length).toBe(widthPx * heightPx * 8);
    }
  });
});
