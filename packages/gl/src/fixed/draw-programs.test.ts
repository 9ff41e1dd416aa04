import type { Draw, Frame } from '@tessera/frame';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import { GlContext } from '../context.ts';
import { reflectByCompiling } from '../objects/programs/program-reflection.ts';
import { bindNewBuffer, bytesOf } from '../testing/small-context.ts';

const FRAGMENT = 'void main() { gl_FragColor = gl_Color; }';

/**
 * Returns a desktop OpenGL context with the real compiler and a current program of these sources.
 */
function makeContext(vertexSource: string, fragmentSource: string | null): GlContext {
  const gl = new GlContext({
    dialect: 'gl',
    widthPx: 8,
    heightPx: 8,
    reflection: reflectByCompiling({ compile: compileProgram }),
    onError: ({ message }) => {
      throw new Error(message);
    },
  });
  const program = gl.programs.create();
  for (const [type, source] of [
    [GL.VERTEX_SHADER, vertexSource],
    [GL.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    if (source === null) continue;
    const shader = gl.shaders.create(type);
    gl.shaders.setSource(shader, source);
    gl.shaders.compile(shader);
    gl.programs.attach(program, shader);
  }
  gl.programs.link(program);
  expect(gl.programs.find('test', program)?.log).toBe('');
  gl.programs.use(program);
  return gl;
}

/** Returns the names that the program of a draw reads, with their values in the draw. */
function inputsOf({ programs }: Frame, draw: Draw): Record<string, unknown> {
  const { uniforms, attributes } = compileProgram(programs[draw.programIndex]!);
  return Object.fromEntries([
    ...uniforms.map(({ name }) => [name, draw.uniforms[name]]),
    ...attributes.map(({ name }) => [name, draw.attributes[name]?.kind]),
  ]);
}

/**
 * Sets a uniform and an attribute array, draws, and returns the inputs of the program that was
 * drawn.
 */
function drawWith(gl: GlContext, names: { uniform: string; attribute: string }) {
  const program = gl.programs.current!.name;
  const uniform = gl.programs.uniformLocation(program, names.uniform);
  gl.programs.setFloats(uniform, 4, [1, 2, 3, 4]);
  const attribute = gl.programs.attributeLocation(program, names.attribute);
  bindNewBuffer(gl, GL.ARRAY_BUFFER, bytesOf(new Float32Array(12)));
  gl.vertexArrays.enable(attribute);
  gl.vertexArrays.setPointer(attribute, 4, GL.FLOAT, false, 0, 0);
  gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
  const frame = gl.frames.take();
  return inputsOf(frame, frame.passes[0]!.draws[0]!);
}

describe('inputs of a program that only some fixed functions read', () => {
  const names = { uniform: 'u', attribute: 'a' };
  const DECLARATIONS = 'uniform vec4 u; attribute vec4 a;';

  it.each([
    ['gl_ClipVertex', GL.CLIP_PLANE0, 'gl_ClipPlane[0]'],
    ['gl_ClipVertex', GL.CLIP_PLANE0 + 7, 'gl_ClipPlane[0]'],
    ['gl_BackColor', GL.VERTEX_PROGRAM_TWO_SIDE, null],
    ['gl_BackSecondaryColor', GL.VERTEX_PROGRAM_TWO_SIDE, null],
  ])('reach it where they feed %s', (output, capability, builtIn) => {
    const fragment =
      output === 'gl_BackSecondaryColor'
        ? FRAGMENT.replace('gl_Color', 'gl_SecondaryColor')
        : FRAGMENT;
    const gl = makeContext(
      `${DECLARATIONS} void main() { gl_Position = gl_FrontColor = vec4(1); ${output} = a * u; }`,
      fragment,
    );
    gl.capabilities.enable(capability);
    const inputs = drawWith(gl, names);
    expect(inputs).toMatchObject({ u: Float32Array.of(1, 2, 3, 4), a: 'buffer' });
    if (builtIn !== null) expect(inputs[builtIn]).toBeDefined();
    expect(Object.values(inputs)).not.toContain(undefined);
  });

  it.each([0, 3, 7])(
    'reach it where they feed gl_TexCoord[%d] of a vertex shader alone',
    (unit) => {
      const gl = makeContext(
        `${DECLARATIONS} void main() { gl_Position = vec4(1); gl_TexCoord[${unit}] = a * u; }`,
        null,
      );
      gl.textures.activate(GL.TEXTURE0 + unit);
      gl.textures.bind(GL.TEXTURE_2D, gl.textures.generate(1)[0]!);
      gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
      const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 1, heightPx: 1 };
      const bytes = Uint8Array.of(1, 2, 3, 4);
      gl.textures.uploads.image(GL.RGBA, {
        ...size,
        format: GL.RGBA,
        type: GL.UNSIGNED_BYTE,
        bytes,
      });
      gl.capabilities.enable(GL.TEXTURE_2D);
      const inputs = drawWith(gl, names);
      expect(inputs).toMatchObject({ u: Float32Array.of(1, 2, 3, 4), a: 'buffer' });
    },
  );

  it('reach it where they feed gl_ClipDistance', () => {
    const gl = makeContext(
      `#version 130
      ${DECLARATIONS} void main() { gl_Position = vec4(1); gl_ClipDistance[1] = dot(a, u); }`,
      '#version 130\nout vec4 color; void main() { color = vec4(1); }',
    );
    gl.capabilities.enable(GL.CLIP_PLANE0 + 1);
    gl.capabilities.enable(GL.ALPHA_TEST);
    gl.fixed.alphaTest = { compare: 'less', reference: 0.5 };
    const inputs = drawWith(gl, names);
    expect(inputs).toMatchObject({ u: Float32Array.of(1, 2, 3, 4), a: 'buffer' });
    expect(inputs['gl_ClipPlane[0]']).toBeUndefined();
  });

  it('are left alone by a program that runs as it is', () => {
    const gl = makeContext(
      `${DECLARATIONS} void main() { gl_Position = vec4(1); gl_ClipVertex = a * u; }`,
      FRAGMENT,
    );
    expect(drawWith(gl, names)).toEqual({});
  });
});

describe('the clip vertex of a shader that writes none', () => {
  it('is its position, whatever the projection', () => {
    const gl = makeContext(
      'uniform vec4 u; attribute vec4 a; void main() { gl_Position = a * u; }',
      FRAGMENT,
    );
    gl.capabilities.enable(GL.CLIP_PLANE0);
    const inputs = drawWith(gl, { uniform: 'u', attribute: 'a' });
    expect(Object.keys(inputs).sort()).toEqual(['a', 'gl_ClipPlane[0]', 'u']);
  });
});

describe('texture coordinates that points replace', () => {
  /** Returns the fragment shader that draws points. */
  function fragmentOfPoints(isSprite: boolean, fragment: string): string {
    const gl = makeContext('void main() { gl_Position = vec4(0, 0, 0, 1); }', fragment);
    if (isSprite) gl.capabilities.enable(FIXED.POINT_SPRITE);
    gl.textures.activate(GL.TEXTURE0 + 1);
    gl.fixed.environment.set(FIXED.POINT_SPRITE, FIXED.COORD_REPLACE, [1]);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    const frame = gl.frames.take();
    return frame.programs[frame.passes[0]!.draws[0]!.programIndex]!.fragmentSource;
  }

  const READING = 'varying vec4 gl_TexCoord[2]; void main() { gl_FragColor = gl_TexCoord[1]; }';

  it('reach the fragment shader of a program', () => {
    const source = fragmentOfPoints(true, READING);
    expect(source).toContain('tessera_TexCoord[0] = gl_TexCoord[0];');
    expect(source).toContain(
      'tessera_TexCoord[1] = vec4(gl_PointCoord.s, gl_PointCoord.t, 0.0, 1.0);',
    );
  });

  it('are those of the vertex shader without sprites, and of no shader that does not read them', () => {
    expect(fragmentOfPoints(false, READING)).not.toContain('tessera_TexCoord');
    expect(fragmentOfPoints(true, FRAGMENT)).not.toContain('tessera_TexCoord');
  });
});

describe('a color with a declared interpolation', () => {
  /** Returns the varyings of a program that is drawn flat. */
  function varyingsOf(
    qualifier: string,
    back: string,
    isTwoSided: boolean,
  ): Record<string, boolean> {
    const gl = makeContext(
      `#version 130
      uniform vec4 u; in vec4 a; ${qualifier} out vec4 ${back};
      void main() { gl_Position = a; gl_FrontColor = gl_BackColor = a * u; }`,
      `#version 130\n${qualifier} in vec4 gl_Color; void main() { gl_FragColor = gl_Color; }`,
    );
    if (isTwoSided) gl.capabilities.enable(GL.VERTEX_PROGRAM_TWO_SIDE);
    gl.fixed.lighting.values = { ...gl.fixed.lighting.values, isFlat: true };
    const program = gl.programs.current!.name;
    gl.programs.setFloats(gl.programs.uniformLocation(program, 'u'), 4, [1, 2, 3, 4]);
    const attribute = gl.programs.attributeLocation(program, 'a');
    bindNewBuffer(gl, GL.ARRAY_BUFFER, bytesOf(new Float32Array(12)));
    gl.vertexArrays.enable(attribute);
    gl.vertexArrays.setPointer(attribute, 4, GL.FLOAT, false, 0, 0);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    const frame = gl.frames.take();
    const { varyings } = compileProgram(frame.programs[frame.passes[0]!.draws[0]!.programIndex]!);
    return Object.fromEntries(varyings.map(({ name, isFlat }) => [name, isFlat]));
  }

  it.each([
    ['smooth', false],
    ['flat', true],
  ] as const)('%s takes precedence over the shade model', (qualifier, isFlat) => {
    const colors = 'gl_FrontColor; out vec4 unused';
    expect(varyingsOf(qualifier, colors, false)).toEqual({ gl_Color: isFlat });
  });

  it('is that of back faces too', () => {
    const colors = 'gl_FrontColor; smooth out vec4 gl_BackColor; out vec4 unused';
    expect(varyingsOf('smooth', colors, true)).toEqual({
      gl_Color: false,
      tessera_BackColor: false,
    });
  });
});
