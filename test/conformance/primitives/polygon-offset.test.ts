/**
 * Polygon offset is o = m · factor + r · units, with the larger slope m and r = 2^-24 (GL ES 3.0,
 * section 3.6.2).
 */
import type { PolygonOffsetState, Topology } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import {
  drawScene,
  ENCODE_BITS,
  type PixelPosition,
  type Rgba,
  rectangle,
} from '../scene/draw-scene.ts';

const SHOW_DEPTH = `#version 300 es
precision highp float;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(gl_FragCoord.z); }`;

/**
 * Returns the depth at a pixel of a surface with the given depths at left top, left bottom and
 * right top of 64 pixels.
 */
async function depthAt(
  corner: number,
  perColumn: number,
  perRow: number,
  polygonOffset: PolygonOffsetState,
): Promise<number> {
  const at = (x: number, y: number): PixelPosition => [x, y, corner + x * perColumn + y * perRow];
  const positions = [at(0, 0), at(0, 64), at(64, 64), at(0, 0), at(64, 64), at(64, 0)];
  const image = await drawScene({
    widthPx: 64,
    heightPx: 64,
    draws: [{ positions, fragmentSource: SHOW_DEPTH, state: { polygonOffset } }],
  });
  return image.float(20, 40);
}

const OFF: PolygonOffsetState = { isEnabled: false, factor: 5, units: 4096 };

describe('polygon offset', () => {
  it('changes nothing when it is off (control)', async () => {
    const plain = await depthAt(0.25, 2 ** -9, 2 ** -10, { isEnabled: true, factor: 0, units: 0 });
    expect(await depthAt(0.25, 2 ** -9, 2 ** -10, OFF)).toBe(plain);
    expect(plain).toBeCloseTo(0.25 + 20.5 * 2 ** -9 + 40.5 * 2 ** -10, 6);
  });

  it.each([
    { factor: 0, units: 1024, perColumn: 0, perRow: 0 },
    { factor: 0, units: -1024, perColumn: 2 ** -9, perRow: 0 },
    { factor: 3, units: 0, perColumn: 0, perRow: 0 },
    { factor: 3, units: 0, perColumn: 2 ** -9, perRow: 0 },
    { factor: 3, units: 0, perColumn: 0, perRow: 2 ** -10 },
    { factor: -3, units: 0, perColumn: -(2 ** -9), perRow: 2 ** -10 },
    { factor: 2, units: 4096, perColumn: 2 ** -10, perRow: -(2 ** -9) },
  ])('factor $factor, units $units, slopes $perColumn and $perRow', async (testCase) => {
    const { factor, units, perColumn, perRow } = testCase;
    const offset = await depthAt(0.5, perColumn, perRow, { isEnabled: true, factor, units });
    const plain = await depthAt(0.5, perColumn, perRow, OFF);
    // m may be the length of the gradient or its larger component; these slopes distinguish the
    // two.
    const larger = Math.max(Math.abs(perColumn), Math.abs(perRow));
    const wanted = factor * larger + units * 2 ** -24;
    expect(offset - plain).toBeGreaterThan(wanted - 2 ** -21);
    expect(offset - plain).toBeLessThan(wanted + 2 ** -21);
  });

  const RED: Rgba = [1, 0, 0, 1];
  const GREEN: Rgba = [0, 1, 0, 1];
  it.each([
    { units: 0, isDrawn: false },
    { units: -1, isDrawn: true },
    { units: 1, isDrawn: false },
  ])('$units units tell coplanar surfaces apart: $isDrawn', async ({ units, isDrawn }) => {
    const depth = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;
    const polygonOffset = { isEnabled: true, factor: 0, units };
    const positions = rectangle(0, 0, 16, 16, 0.3);
    const image = await drawScene({
      widthPx: 16,
      heightPx: 16,
      draws: [
        { positions, color: RED, state: { depth } },
        { positions, color: GREEN, state: { depth, polygonOffset } },
      ],
    });
    expect(image.pixel(7, 7)).toEqual(isDrawn ? [0, 255, 0, 255] : [255, 0, 0, 255]);
  });

  it.each([
    { units: 2 ** 24, stored: 1 },
    { units: -(2 ** 24), stored: 0 },
  ])('is clamped to 0…1 in the end: $units units', async ({ units, stored }) => {
    const depth = { isTestEnabled: true, isWriteEnabled: true, compare: 'equal' } as const;
    const polygonOffset = { isEnabled: true, factor: 0, units };
    const draw = { positions: rectangle(0, 0, 16, 16, 0.5), state: { depth, polygonOffset } };
    const scene = { widthPx: 16, heightPx: 16, clear: { depth: stored }, draws: [draw] };
    expect((await drawScene(scene, 1)).isLit(7, 7)).toBe(true);
  });

  it.each(['points', 'lines'] as const)('leaves %s where they are', async (topology: Topology) => {
    const image = await drawScene({
      widthPx: 16,
      heightPx: 16,
      draws: [
        {
          topology,
          positions: [
            [4.5, 4.5, 0.25],
            [12.5, 4.5, 0.25],
          ],
          vertexSource: `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 1.0; }`,
          fragmentSource: SHOW_DEPTH,
          state: { polygonOffset: { isEnabled: true, factor: 1, units: 1e6 } },
        },
      ],
    });
    expect(image.float(4, 4)).toBe(0.25);
  });
});
