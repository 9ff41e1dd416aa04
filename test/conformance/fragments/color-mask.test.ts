/** The color mask selects the components that are written (GL ES 3.0, section 4.2.2). */
import type { BlendState } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, type Rgba, rectangle } from '../scene/draw-scene.ts';

const CLEAR: Rgba = [10, 20, 30, 40];
const SOURCE: Rgba = [101, 102, 103, 104];
const unit = (bytes: Rgba) => bytes.map((byte) => byte / 255) as unknown as Rgba;

const MASKS = Array.from(
  { length: 16 },
  (_, bits) =>
    [1, 2, 4, 8].map((bit) => (bits & bit) !== 0) as [boolean, boolean, boolean, boolean],
);

describe('color mask', () => {
  it.each(MASKS)('red %s, green %s, blue %s, alpha %s', async (...mask) => {
    const add = { equation: 'add', source: 'one', destination: 'one' } as const;
    const blend: BlendState = { isEnabled: true, color: add, alpha: add, constant: [0, 0, 0, 0] };
    const draw = (left: number, state: object) => ({
      positions: rectangle(left, 0, left + 8, 16),
      color: unit(SOURCE),
      state: { colorMask: mask, ...state },
    });
    const clear = { color: unit(CLEAR) };
    const draws = [draw(0, {}), draw(8, { blend })];
    const image = await drawScene({ widthPx: 24, heightPx: 16, clear, draws }, 1);
    expect(image.pixel(3, 3)).toEqual(SOURCE.map((byte, c) => (mask[c] ? byte : CLEAR[c])));
    expect(image.pixel(11, 3)).toEqual(
      SOURCE.map((byte, c) => (mask[c] ? byte + CLEAR[c]! : CLEAR[c])),
    );
    expect(image.pixel(19, 3), 'outside').toEqual(CLEAR);
  });

  it('does not stop the write of depth', async () => {
    const depth = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;
    const colorMask = [false, false, false, false] as const;
    const draws = [
      { positions: rectangle(0, 0, 16, 16, 0.25), state: { depth, colorMask } },
      { positions: rectangle(0, 0, 16, 16, 0.5), state: { depth } },
    ];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
    expect(image.pixel(8, 8)).toEqual([0, 0, 0, 0]);
  });
});
