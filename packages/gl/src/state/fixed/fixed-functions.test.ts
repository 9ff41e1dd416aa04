import { validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlContext } from '../../context.ts';
import { readParameter } from '../../parameters/read-parameters.ts';
import { makeContext, useProgram } from '../../testing/small-context.ts';

/** Returns the codes of the errors that `act` raises, in order. */
function errorsOf(act: (gl: GlContext) => void): number[] {
  const codes: number[] = [];
  const { gl } = makeContext('gl');
  act(gl);
  for (let code = gl.errors.take(); code !== GL.NO_ERROR; code = gl.errors.take()) codes.push(code);
  return codes;
}

function drawTriangle(gl: GlContext): void {
  gl.fixedFunctions.begin(GL.TRIANGLES);
  gl.fixedFunctions.vertex([0, 0]);
  gl.fixedFunctions.vertex([1, 0]);
  gl.fixedFunctions.vertex([0, 1]);
  gl.fixedFunctions.end();
}

function drawsOf(gl: GlContext) {
  const frame = gl.frames.take();
  validateFrame(frame);
  return frame.passes.flatMap(({ draws }) => draws);
}

describe('fixed functions', () => {
  it.each<[string, number, (gl: GlContext) => void]>([
    [
      'begin within a primitive',
      GL.INVALID_OPERATION,
      ({ fixedFunctions: fixed }) => {
        fixed.begin(0);
        fixed.begin(0);
      },
    ],
    ['begin with no mode', GL.INVALID_ENUM, ({ fixedFunctions: fixed }) => fixed.begin(10)],
    ['end without begin', GL.INVALID_OPERATION, ({ fixedFunctions: fixed }) => fixed.end()],
    [
      'a clear within a primitive',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.fixedFunctions.begin(GL.LINES);
        gl.fixedFunctions.submit('glClear', () => gl.clears.clear(GL.COLOR_BUFFER_BIT));
      },
    ],
    ['popAttrib of nothing', GL.STACK_UNDERFLOW, ({ fixedFunctions: fixed }) => fixed.popAttrib()],
    [
      'the seventeenth pushAttrib',
      GL.STACK_OVERFLOW,
      ({ fixedFunctions: fixed }) => {
        for (let i = 0; i < 17; i++) fixed.pushAttrib(FIXED.ENABLE_BIT);
      },
    ],
    [
      'list 0',
      GL.INVALID_VALUE,
      ({ fixedFunctions: fixed }) => fixed.lists.begin(0, FIXED.COMPILE),
    ],
    ['a list of no mode', GL.INVALID_ENUM, ({ fixedFunctions: fixed }) => fixed.lists.begin(1, 0)],
    [
      'endList without newList',
      GL.INVALID_OPERATION,
      ({ fixedFunctions: fixed }) => fixed.lists.end(),
    ],
    [
      'a list within a list',
      GL.INVALID_OPERATION,
      ({ fixedFunctions: { lists } }) => {
        lists.begin(1, FIXED.COMPILE);
        lists.begin(2, FIXED.COMPILE);
      },
    ],
    [
      'a ninth light',
      GL.INVALID_ENUM,
      ({ fixedFunctions: fixed }) => fixed.light(FIXED.LIGHT0 + 8, FIXED.AMBIENT, []),
    ],
    [
      'a wide spot',
      GL.INVALID_VALUE,
      ({ fixedFunctions: fixed }) => fixed.light(FIXED.LIGHT0, FIXED.SPOT_CUTOFF, [91]),
    ],
    [
      'dull matter',
      GL.INVALID_VALUE,
      ({ fixedFunctions: fixed }) => fixed.material(GL.FRONT, FIXED.SHININESS, [129]),
    ],
    [
      'fog of negative density',
      GL.INVALID_VALUE,
      ({ fixedFunctions: fixed }) => fixed.fog(FIXED.FOG_DENSITY, [-1]),
    ],
    [
      'a combiner scaled by 3',
      GL.INVALID_VALUE,
      ({ fixedFunctions: fixed }) => fixed.texEnv(FIXED.TEXTURE_ENV, FIXED.RGB_SCALE, [3]),
    ],
    [
      'an alpha combiner of colors',
      GL.INVALID_ENUM,
      ({ fixedFunctions: fixed }) =>
        fixed.texEnv(FIXED.TEXTURE_ENV, FIXED.OPERAND0_ALPHA, [GL.SRC_COLOR]),
    ],
    [
      'a sphere map in R',
      GL.INVALID_ENUM,
      ({ fixedFunctions: fixed }) =>
        fixed.texGen(FIXED.R, FIXED.TEXTURE_GEN_MODE, [FIXED.SPHERE_MAP]),
    ],
    [
      'a ninth clip plane',
      GL.INVALID_ENUM,
      ({ fixedFunctions: fixed }) => fixed.clipPlane(GL.CLIP_PLANE0 + 8, []),
    ],
    ['no logical operation', GL.INVALID_ENUM, ({ fixedFunctions: fixed }) => fixed.logicOp(0x1510)],
    [
      'an alpha test of no function',
      GL.INVALID_ENUM,
      ({ fixedFunctions: fixed }) => fixed.alphaFunc(0, 0),
    ],
    ['a point of size 0', GL.INVALID_VALUE, (gl) => gl.fixed.setPointSize(0)],
    ['polygons of no mode', GL.INVALID_ENUM, (gl) => gl.raster.setPolygonMode(GL.FRONT, GL.LINES)],
  ])('raise an error at %s', (_what, code, act) => {
    expect(errorsOf(act)).toEqual([code]);
  });

  it('are not in OpenGL ES', () => {
    const { gl, messages } = makeContext('gles2');
    gl.capabilities.enable(GL.ALPHA_TEST);
    gl.capabilities.enable(FIXED.LIGHTING);
    expect(gl.capabilities.isEnabled(GL.BLEND)).toBe(false);
    expect(messages).toHaveLength(2);
  });

  it('come back from the attribute stack, group by group', () => {
    const { gl } = makeContext('gl');
    gl.fixedFunctions.pushAttrib(FIXED.LIGHTING_BIT | FIXED.COLOR_BUFFER_BIT);
    gl.fixedFunctions.shadeModel(FIXED.FLAT);
    gl.fixedFunctions.alphaFunc(GL.LESS, 0.5);
    gl.fixedFunctions.fog(FIXED.FOG_DENSITY, [3]);
    for (const capability of [FIXED.LIGHTING, GL.BLEND, FIXED.FOG])
      gl.capabilities.enable(capability);
    gl.fixedFunctions.popAttrib();
    const read = (...parameters: number[]) => parameters.map((each) => readParameter(gl, each));
    expect(read(FIXED.SHADE_MODEL, 0x0bc1, FIXED.FOG_DENSITY)).toEqual([
      FIXED.SMOOTH,
      GL.ALWAYS,
      3,
    ]);
    expect(read(FIXED.LIGHTING, GL.BLEND, FIXED.FOG)).toEqual([false, false, true]);
  });

  it('keep switches and environments for each texture unit', () => {
    const { gl } = makeContext('gl');
    gl.capabilities.enable(GL.TEXTURE_2D);
    gl.textures.activate(GL.TEXTURE0 + 1);
    expect(gl.capabilities.isEnabled(GL.TEXTURE_2D)).toBe(false);
    gl.fixedFunctions.texEnv(FIXED.TEXTURE_ENV, FIXED.TEXTURE_ENV_MODE, [FIXED.DECAL]);
    expect(gl.fixed.environment.units.map(({ mode }) => mode).slice(0, 3)).toEqual([
      ...['modulate', 'decal', 'modulate'],
    ]);
  });

  it('refuse lighting that is not clamped, also after an equal draw', () => {
    const { gl } = makeContext('gl');
    gl.capabilities.enable(FIXED.LIGHTING);
    drawTriangle(gl);
    expect(drawsOf(gl)).toHaveLength(1);
    gl.raster.setClampColor(0x891a, 0);
    expect(() => {
      drawTriangle(gl);
      drawsOf(gl);
    }).toThrow('lighting without GL_CLAMP_VERTEX_COLOR');
  });

  it('track the current color until they are told not to', () => {
    const { gl } = makeContext('gl');
    gl.fixedFunctions.attribute('gl_Color', [1, 0, 0]);
    gl.capabilities.enable(FIXED.COLOR_MATERIAL);
    const diffuse = () => gl.fixed.lighting.values.back.diffuse;
    expect(diffuse()).toEqual([1, 0, 0, 1]);
    gl.fixedFunctions.attribute('gl_Color', [0, 1, 0, 0.5]);
    gl.capabilities.disable(FIXED.COLOR_MATERIAL);
    gl.fixedFunctions.attribute('gl_Color', [0, 0, 1]);
    expect(diffuse()).toEqual([0, 1, 0, 0.5]);
  });
});

describe('immediate mode', () => {
  it('draws primitives that share their state at once', () => {
    const { gl } = makeContext('gl');
    for (let i = 0; i < 5; i++) {
      gl.fixedFunctions.attribute('gl_Color', [i / 5, 0, 0]);
      drawTriangle(gl);
    }
    gl.capabilities.enable(GL.BLEND);
    drawTriangle(gl);
    expect(drawsOf(gl).map(({ count }) => count)).toEqual([15, 3]);
  });

  it('keeps the order of primitives, clears and arrays', () => {
    const { gl } = makeContext('gl');
    drawTriangle(gl);
    gl.clears.clear(GL.DEPTH_BUFFER_BIT);
    drawTriangle(gl);
    expect(drawsOf(gl).map(({ topology }) => topology)).toEqual([
      ...['triangles', 'triangle-strip', 'triangles'],
    ]);
  });

  it('changes materials between independent primitives with another draw', () => {
    const { gl } = makeContext('gl');
    gl.capabilities.enable(FIXED.LIGHTING);
    gl.fixedFunctions.begin(GL.POINTS);
    gl.fixedFunctions.vertex([0, 0]);
    gl.fixedFunctions.material(GL.FRONT, FIXED.DIFFUSE, [1, 0, 0, 1]);
    gl.fixedFunctions.vertex([0, 0]);
    gl.fixedFunctions.end();
    expect(drawsOf(gl)).not.toHaveLength(0);
  });

  it('changes materials within a strip as attributes of its vertices', () => {
    const { gl } = makeContext('gl');
    const { fixedFunctions: fixed } = gl;
    gl.capabilities.enable(FIXED.LIGHTING);
    fixed.begin(GL.LINE_STRIP);
    fixed.vertex([0, 0]);
    fixed.material(GL.FRONT_AND_BACK, FIXED.AMBIENT_AND_DIFFUSE, [0.5, 0, 0, 1]);
    fixed.vertex([1, 0]);
    fixed.material(GL.FRONT, FIXED.SHININESS, [7]);
    fixed.vertex([1, 1]);
    fixed.end();
    const frame = gl.frames.take();
    validateFrame(frame);
    const [draw] = frame.passes[0]!.draws;
    const valuesOf = (name: string) => {
      const source = draw!.attributes[name]!;
      if (source.kind !== 'buffer') return [...source.value];
      const { bytes } = frame.buffers[source.bufferIndex]!;
      const floats = new Float32Array(bytes.slice().buffer);
      return Array.from({ length: 3 }, (_, vertex) => floats[4 * vertex]);
    };
    expect(valuesOf('tessera_FrontDiffuse').map((red) => red!.toFixed(1))).toEqual([
      ...['0.8', '0.5', '0.5'],
    ]);
    expect(valuesOf('tessera_FrontShininess')).toEqual([0, 0, 7]);
    const { vertexSource } = frame.programs[draw!.programIndex]!;
    expect(vertexSource).toContain('attribute vec4 tessera_FrontDiffuse;');
    expect(vertexSource).toContain('gl_FrontMaterial.emission');
  });

  it('refuses a material within a strip for a shader that reads it', () => {
    const { gl } = makeContext('gl');
    useProgram(gl, 'uniform vec4 gl_FrontMaterial;');
    gl.fixedFunctions.begin(GL.LINE_STRIP);
    gl.fixedFunctions.vertex([0, 0]);
    gl.fixedFunctions.material(GL.FRONT, FIXED.DIFFUSE, [1, 0, 0, 1]);
    gl.fixedFunctions.vertex([1, 0]);
    expect(() => gl.fixedFunctions.end()).toThrow(/material: .* shader that reads the material/);
  });

  it('records the modes of polygons that are not culled', () => {
    const { gl } = makeContext('gl');
    gl.capabilities.enable(GL.POLYGON_OFFSET_LINE);
    gl.raster.setPolygonMode(GL.BACK, GL.LINE);
    drawTriangle(gl);
    gl.capabilities.enable(GL.CULL_FACE);
    drawTriangle(gl);
    gl.raster.setCullFace(GL.FRONT);
    drawTriangle(gl);
    const offsets = { isLineOffset: true, isPointOffset: false };
    expect(drawsOf(gl).map(({ state }) => state.polygonMode)).toEqual([
      { front: 'fill', back: 'line', ...offsets },
      undefined,
      { front: 'line', back: 'line', ...offsets },
    ]);
  });

  it('batches outlines of polygons with their edge flags', () => {
    const { gl } = makeContext('gl');
    const { fixedFunctions: fixed } = gl;
    gl.raster.setPolygonMode(GL.FRONT_AND_BACK, GL.LINE);
    for (const mode of [GL.QUADS, GL.TRIANGLES]) {
      fixed.begin(mode);
      for (let i = 0; i < (mode === GL.QUADS ? 4 : 3); i++) fixed.vertex([i, i * i]);
      fixed.end();
    }
    const frame = gl.frames.take();
    validateFrame(frame);
    const [draw, ...others] = frame.passes[0]!.draws;
    expect([draw!.count, others.length]).toEqual([9, 0]);
    expect([...frame.buffers[draw!.edgeFlags!.bufferIndex]!.bytes]).toEqual([0b101, 0b011, 0b111]);
  });
});

describe('display lists', () => {
  it('run by name, from each other too', () => {
    const { gl } = makeContext('gl');
    const { fixedFunctions: fixed } = gl;
    const { lists } = fixed;
    const first = lists.generate(3);
    lists.begin(first, FIXED.COMPILE);
    fixed.submit('glBegin', () => drawTriangle(gl));
    lists.end();
    lists.begin(first + 1, FIXED.COMPILE_AND_EXECUTE);
    for (let i = 0; i < 2; i++) fixed.submit('glCallList', () => lists.call(first));
    lists.end();
    lists.base = first;
    lists.callMany([1, 2, 7]);
    expect(drawsOf(gl).map(({ count }) => count)).toEqual([12]);
    lists.remove(first, 1);
    lists.call(first + 1);
    expect([lists.isList(first), lists.isList(first + 1)]).toEqual([false, true]);
    expect(drawsOf(gl)).toEqual([]);
  });

  it('end at the depth of nesting and at the number of commands', () => {
    const { gl } = makeContext('gl');
    const { lists } = gl.fixedFunctions;
    lists.begin(1, FIXED.COMPILE);
    gl.fixedFunctions.submit('glCallList', () => lists.call(1));
    lists.end();
    expect(() => lists.call(1)).not.toThrow();
    lists.begin(1, FIXED.COMPILE);
    for (let i = 0; i < 50; i++) gl.fixedFunctions.submit('glCallList', () => lists.call(1));
    lists.end();
    expect(() => lists.call(1)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('find free names in a row', () => {
    const { gl } = makeContext('gl');
    const { lists } = gl.fixedFunctions;
    expect([lists.generate(2), lists.generate(3)]).toEqual([1, 3]);
    lists.remove(2, 1);
    expect([lists.generate(2), lists.generate(1)]).toEqual([6, 8]);
  });
});
