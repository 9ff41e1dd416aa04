import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VertexReuse } from './vertex-reuse.ts';

const TRIANGLES = 20;
/** Indices that repeat often, and some that exceed the table. */
const index = fc.oneof(fc.nat(30), fc.nat(200_000));

it('numbers the corners of triangles as it does one by one', () => {
  const together = new VertexReuse(3 * TRIANGLES);
  const singly = new VertexReuse(3 * TRIANGLES);
  fc.assert(
    fc.property(
      fc.array(index, { maxLength: 3 * TRIANGLES }),
      fc.nat(3),
      fc.uniqueArray(fc.nat(TRIANGLES - 1), { minLength: 1 }),
      (vertexIds, firstIndex, triangles) => {
        const indices = Uint32Array.from(vertexIds);
        const ids = Uint32Array.from(triangles.sort((a, b) => a - b));
        const corners = new Int32Array(3 * ids.length);
        together.clear();
        together.numberTriangles(indices, firstIndex, ids, 0, ids.length, corners);
        singly.clear();
        const wanted = [...ids].flatMap((id) =>
          [0, 1, 2].map((corner) => singly.numberOf(indices[firstIndex + 3 * id + corner] ?? 0, 0)),
        );
        expect([...corners]).toEqual(wanted);
        expect(together.count).toBe(singly.count);
        const { count } = together;
        expect(together.vertexIds.slice(0, count)).toEqual(singly.vertexIds.slice(0, count));
        expect(together.instanceIds.slice(0, count)).toEqual(new Uint32Array(count));
      },
    ),
  );
});

it('tells instances apart, and segments', () => {
  const reuse = new VertexReuse(8);
  expect([reuse.numberOf(5, 0), reuse.numberOf(5, 1), reuse.numberOf(5, 0)]).toEqual([0, 1, 0]);
  reuse.clear();
  expect([reuse.numberOf(6, 0), reuse.numberOf(5, 0)]).toEqual([0, 1]);
});
