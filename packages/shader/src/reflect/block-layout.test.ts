import { describe, expect, it } from 'vitest';
import { checkShader } from '../glsl/check-shader.ts';
import { layoutBlock } from './block-layout.ts';

/** Returns path, offset, array stride and matrix stride of each member of block `B`. */
function layout(block: string, structs = '') {
  const source = `#version 300 es
precision highp float; ${structs} ${block} out vec4 color; void main() { color = vec4(1); }`;
  const checked = checkShader(source, { stage: 'fragment' });
  expect(checked.diagnostics).toEqual([]);
  const { sizeBytes, members } = layoutBlock(checked.blocks[0]!);
  return {
    sizeBytes,
    members: members.map(({ path, offsetBytes, arrayStrideBytes, matrixStrideBytes }) =>
      [path, offsetBytes, arrayStrideBytes, matrixStrideBytes].join(' '),
    ),
  };
}

describe('layoutBlock', () => {
  it('aligns scalars, vectors and the members after them', () => {
    const members = 'float a; vec2 b; float c; vec3 d; float e; bool f; vec4 g;';
    expect(layout(`layout(std140) uniform B { ${members} };`)).toEqual({
      sizeBytes: 80,
      members: [
        '.a 0 0 0',
        '.b 8 0 0',
        '.c 16 0 0',
        '.d 32 0 0',
        '.e 44 0 0',
        '.f 48 0 0',
        '.g 64 0 0',
      ],
    });
  });

  it('lays out array elements and matrix columns at 16 bytes each', () => {
    expect(
      layout(
        'uniform B { float a[3]; mat2 b; mat4x2 c[2]; layout(row_major) mat4x2 d[2]; float e; };',
      ),
    ).toEqual({
      sizeBytes: 276,
      members: ['.a[0] 0 16 0', '.b 48 0 16', '.c[0] 80 64 16', '.d[0] 208 32 16', '.e 272 0 0'],
    });
  });

  it('starts and ends structures on 16 bytes', () => {
    const structs = 'struct Inner { float x; vec3 y; }; struct Outer { float z; Inner inner[2]; };';
    expect(layout('uniform B { float a; Outer o; float b; } b;', structs)).toEqual({
      sizeBytes: 100,
      members: [
        '.a 0 0 0',
        '.o.z 16 0 0',
        '.o.inner[0].x 32 0 0',
        '.o.inner[0].y 48 0 0',
        '.o.inner[1].x 64 0 0',
        '.o.inner[1].y 80 0 0',
        '.b 96 0 0',
      ],
    });
  });
});
