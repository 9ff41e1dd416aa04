import { expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { VectorColumn } from './vector-column.ts';

function packOf(...vectors: (readonly [number, number, number, number])[]) {
  const column = new VectorColumn();
  for (const vector of vectors) column.push(vector);
  const { type, bytes } = column.pack();
  return { type, buffer: bytes.buffer };
}

it.each([
  ['floats', [0.1, -2, 3, 1]],
  ['integers that floats hold', [1 << 24, -(1 << 30), 0, 1]],
  ['large integers beside a fraction', [429496735, 0.5, 0, 1]],
  ['integers of more than 32 bits', [2 ** 40 + 1, 0, 0, 1]],
] as const)('packs %s as floats', (_, vector) => {
  const { type, buffer } = packOf(vector);
  expect(type).toBe(GL.FLOAT);
  expect(new Float32Array(buffer)).toEqual(Float32Array.from(vector));
});

it('packs integers that no float holds as integers', () => {
  const signed = packOf([429496735, -429496735, 0, 1], [2147483647, -2147483648, 5, 1]);
  expect(signed.type).toBe(GL.INT);
  expect([...new Int32Array(signed.buffer)].slice(0, 5)).toEqual([
    ...[429496735, -429496735, 0, 1],
    2147483647,
  ]);
  const unsigned = packOf([4294967295, 0, 0, 1]);
  expect(unsigned.type).toBe(GL.UNSIGNED_INT);
  expect([...new Uint32Array(unsigned.buffer)]).toEqual([4294967295, 0, 0, 1]);
});

it('keeps the vectors when it grows', () => {
  const column = new VectorColumn();
  for (let i = 0; i < 100; i++) column.push([i, 0, 0, 1]);
  const { bytes } = column.pack();
  const values = new Float32Array(bytes.buffer);
  expect([0, 63, 64, 99].map((i) => values[i * 4])).toEqual([0, 63, 64, 99]);
});
