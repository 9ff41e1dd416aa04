import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { GlErrors } from '../../api/gl-errors.ts';
import { invert, type Matrix4, MatrixStacks, multiply, transpose } from './matrix-stacks.ts';

function makeStacks(): { stacks: MatrixStacks; errors: GlErrors } {
  const errors = new GlErrors();
  return { stacks: new MatrixStacks(errors, () => 1), errors };
}

/** Returns the transformed point, divided by w. */
function apply(matrix: Matrix4, x: number, y: number, z: number): number[] {
  const [px, py, pz, w] = [0, 1, 2, 3].map(
    (row) => matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z + matrix[12 + row]!,
  );
  return [px! / w!, py! / w!, pz! / w!].map((value) => Number(value.toFixed(7)) + 0);
}

describe('matrix stacks', () => {
  it('apply the last operation first', () => {
    const { stacks } = makeStacks();
    stacks.translate(10, 20, 30);
    stacks.scale(2, 3, 4);
    expect(apply(stacks.modelView, 1, 1, 1)).toEqual([12, 23, 34]);
  });

  it('turn counter-clockwise about an axis of any length', () => {
    const { stacks } = makeStacks();
    stacks.rotate(90, 0, 0, 5);
    expect(apply(stacks.modelView, 1, 0, 0)).toEqual([0, 1, 0]);
    stacks.loadIdentity();
    stacks.rotate(120, 1, 1, 1);
    expect(apply(stacks.modelView, 1, 0, 0)).toEqual([0, 1, 0]);
  });

  it('round the radians of an angle to a float, as Mesa does', () => {
    const { stacks } = makeStacks();
    stacks.rotate(1e6, 0, 0, 1);
    // The cosine of 17453.29296875, the float nearest to a million degrees in radians. That of a
    // million degrees is 0.17365.
    expect(stacks.modelView[0]).toBeCloseTo(0.17409, 5);
  });

  it('map the corners of a volume to those of the view volume', () => {
    const { stacks } = makeStacks();
    stacks.setMode(GL.PROJECTION);
    stacks.ortho(-4, 6, 1, 3, 2, 8);
    expect(apply(stacks.projection, -4, 1, -2)).toEqual([-1, -1, -1]);
    expect(apply(stacks.projection, 6, 3, -8)).toEqual([1, 1, 1]);
    stacks.loadIdentity();
    stacks.frustum(-1, 3, -2, 2, 1, 10);
    expect(apply(stacks.projection, -1, -2, -1)).toEqual([-1, -1, -1]);
    expect(apply(stacks.projection, 30, 20, -10)).toEqual([1, 1, 1]);
  });

  it('keep modes and levels apart', () => {
    const { stacks, errors } = makeStacks();
    stacks.push();
    stacks.scale(2, 2, 2);
    stacks.setMode(GL.TEXTURE);
    stacks.scale(3, 3, 3);
    expect(stacks.textures[0]).toBe(1);
    expect(stacks.textures[16]).toBe(3);
    expect(stacks.projection[0]).toBe(1);
    stacks.setMode(GL.MODELVIEW);
    expect(stacks.modelView[0]).toBe(2);
    stacks.pop();
    expect(stacks.modelView[0]).toBe(1);
    expect(errors.take()).toBe(GL.NO_ERROR);
    stacks.pop();
    expect(errors.take()).toBe(GL.STACK_UNDERFLOW);
    for (const [mode, depth] of [
      [GL.MODELVIEW, 32],
      [GL.TEXTURE, 10],
    ] as const) {
      stacks.setMode(mode);
      while (stacks.depth(mode) < depth) stacks.push();
      expect(errors.take()).toBe(GL.NO_ERROR);
      stacks.push();
      expect(errors.take()).toBe(GL.STACK_OVERFLOW);
    }
  });

  it('invert what can be inverted', () => {
    const entry = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 16, maxLength: 16 }), (numbers) => {
        // A matrix with a dominant diagonal has an inverse.
        const matrix = numbers.map((value, i) => (i % 5 === 0 ? 25 + value : value));
        const product = multiply(transpose(transpose(matrix)), invert(matrix));
        product.forEach((value, i) => {
          expect(value).toBeCloseTo(i % 5 === 0 ? 1 : 0, 9);
        });
      }),
    );
  });
});
