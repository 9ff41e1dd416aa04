import { expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { convertWideTexels, findWideSource } from './texel-storage.ts';

it('truncates floats to 11 and 10 bits', () => {
  // One step below a power of two in 11 bits, a number of 10 bits, and the smallest of 10 bits.
  const steps = [2 - 2 ** -7, 1.5 + 2 ** -6, 2.9 * 2 ** -20, 1e6, -1, Number.POSITIVE_INFINITY];
  const texels = convertWideTexels(
    { base: 'rgb', format: 'rg11b10ufloat' },
    findWideSource(GL.RGB, GL.FLOAT)!,
    { widthPx: 2, heightPx: 1, depthPx: 1 },
    new Uint8Array(Float32Array.from(steps).buffer),
    { startBytes: 0, rowBytes: 24, sliceBytes: 24 },
  );
  const parts = [...new Uint32Array(texels.buffer)].map((word) => [
    ...[word & 0x7ff, (word >>> 11) & 0x7ff, word >>> 22],
  ]);
  // Bits of the exponent with a bias of 15, then those of the mantissa.
  expect(parts).toEqual([
    [(15 << 6) + 63, (15 << 6) + 33, 1],
    [(30 << 6) + 63, 0, 31 << 5],
  ]);
});
