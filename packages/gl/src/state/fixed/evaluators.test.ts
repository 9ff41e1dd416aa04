import { describe, expect, it } from 'vitest';
import type { AttributeKey } from '../../objects/vertex-arrays/vertex-array.ts';
import { makeContext } from '../../testing/small-context.ts';
import { Evaluators } from './evaluators.ts';

const MAP1_VERTEX_3 = 0x0d97;
const MAP2_VERTEX_3 = 0x0db7;
const MAP1_COLOR_4 = 0x0d90;
const AUTO_NORMAL = 0x0d80;
const FILL = 0x1b02;

/** Returns evaluators with these capabilities, and what they generate. */
function makeEvaluators(...capabilities: readonly number[]) {
  const { gl, messages } = makeContext('gl');
  for (const capability of capabilities) gl.capabilities.enable(capability);
  const modes: number[] = [];
  const positions: (readonly number[])[] = [];
  const attributes: ReadonlyMap<AttributeKey, readonly number[]>[] = [];
  const evaluators = new Evaluators(gl.errors, gl.capabilities, {
    begin: (mode) => void modes.push(mode),
    end: () => undefined,
    evaluated: (position, changed) => {
      positions.push(position);
      attributes.push(changed);
    },
  });
  return { evaluators, modes, positions, attributes, messages };
}

describe('evaluators (OpenGL 2.1, section 5.1)', () => {
  it('evaluates a quadratic curve by its Bernstein polynomials', () => {
    const { evaluators, positions, attributes } = makeEvaluators(MAP1_VERTEX_3, MAP1_COLOR_4);
    const points = [0, 0, 0, 1, 2, 0, 2, 0, 0];
    evaluators.define(MAP1_VERTEX_3, [{ from: 0, to: 2, stride: 3, order: 3 }], points);
    const colors = [0, 0, 0, 1, 1, 1, 1, 1];
    evaluators.define(MAP1_COLOR_4, [{ from: 0, to: 2, stride: 4, order: 2 }], colors);
    evaluators.evaluate(1);
    // Halfway, the weights are 1/4, 1/2 and 1/4.
    expect(positions).toEqual([[1, 1, 0]]);
    expect(attributes[0]!.get('gl_Color')).toEqual([0.5, 0.5, 0.5, 1]);
  });

  it('generates normals and strips of a surface', () => {
    const { evaluators, modes, positions, attributes } = makeEvaluators(MAP2_VERTEX_3, AUTO_NORMAL);
    // A square in the plane z = 0: u along x, v along y.
    const points = [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0];
    const axis = { from: 0, to: 1, order: 2 };
    evaluators.define(
      MAP2_VERTEX_3,
      [
        { ...axis, stride: 6 },
        { ...axis, stride: 3 },
      ],
      points,
    );
    const grid = { count: 2, from: 0, to: 1 };
    evaluators.setGrid([grid, grid]);
    evaluators.mesh2(FILL, 0, 2, 0, 2);
    expect(modes).toEqual([8, 8]);
    expect(positions.slice(0, 3)).toEqual([
      [0, 0, 0],
      [0, 0.5, 0],
      [0.5, 0, 0],
    ]);
    expect(attributes[0]!.get('gl_Normal')).toEqual([0, 0, 1]);
  });

  it('rejects an order or a stride out of range', () => {
    const { evaluators, messages } = makeEvaluators();
    evaluators.define(MAP1_VERTEX_3, [{ from: 0, to: 1, stride: 2, order: 1 }], [0, 0, 0]);
    evaluators.define(MAP1_VERTEX_3, [{ from: 0, to: 1, stride: 3, order: 31 }], [0, 0, 0]);
    expect(messages).toHaveLength(2);
  });
});
