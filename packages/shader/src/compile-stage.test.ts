import { describe, expect, it } from 'vitest';
import { compileStage } from './compile-stage.ts';

const VERTEX = `
attribute vec4 position; attribute vec3 normal; uniform mat4 matrix; varying vec3 color;
void main() { gl_Position = matrix * position; color = normalize(normal); }`;

describe('compileStage', () => {
  it('returns code, the position slice, and names', () => {
    const { code, positionOnly, names } = compileStage(VERTEX, { stage: 'vertex' });
    expect(code!.isa.outputSlots).toEqual([0, 1, 2, 3, 5, 6, 7]);
    expect(positionOnly!.isa.outputSlots).toEqual([0, 1, 2, 3]);
    expect(positionOnly!.isa.code.length).toBeLessThan(code!.isa.code.length);
    expect(names.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'uniform matrix',
      'input position',
      'input normal',
      'output color',
    ]);
  });

  it('returns no slice of a fragment shader', () => {
    const source = 'void main() { gl_FragColor = vec4(1); }';
    expect(compileStage(source, { stage: 'fragment' }).positionOnly).toBeNull();
  });

  it('returns only diagnostics for a shader with errors', () => {
    const { code, diagnostics } = compileStage('void main() { x; }', { stage: 'fragment' });
    expect(code).toBeNull();
    expect(diagnostics).toHaveLength(1);
  });
});
