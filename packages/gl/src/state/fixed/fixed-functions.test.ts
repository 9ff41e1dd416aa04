import { validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlContext } from '../../context.ts';
import { makeContext } from '../../testing/small-context.ts';

/** The codes of the errors that `act` raises, in order. */
function errorsOf(act: (gl: GlContext) => void): number[] {
  const codes: number[] = [];
  const { gl } = makeContext('gl');
  act(gl);
  for (let code = gl.getError(); code !== GL.NO_ERROR; code = gl.getError()) codes.push(code);
  return codes;
}

function drawTriangle(gl: GlContext): void {
  gl.fixed.begin(GL.TRIANGLES);
  gl.fixed.vertex([0, 0]);
  gl.fixed.vertex([1, 0]);
  gl.fixed.vertex([0, 1]);
  gl.fixed.end();
}

function drawsOf(gl: GlContext) {
  const frame = gl.takeFrame();
  validateFrame(frame);
  return frame.passes.flatMap(({ draws }) => draws);
}

describe('fixed functions', () => {
  it.each<[string, number, (gl: GlContext) => void]>([
    [
      'begin within a primitive',
      GL.INVALID_OPERATION,
      ({ fixed }) => {
        fixed.begin(0);
        fixed.begin(0);
      },
    ],
    ['begin with no mode', GL.INVALID_ENUM, ({ fixed }) => fixed.begin(10)],
    ['end without begin', GL.INVALID_OPERATION, ({ fixed }) => fixed.end()],
    [
      'a clear within a primitive',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.fixed.begin(GL.LINES);
        gl.fixed.submit('glClear', () => gl.clear(GL.COLOR_BUFFER_BIT));
      },
    ],
    ['popAttrib of nothing', GL.STACK_UNDERFLOW, ({ fixed }) => fixed.popAttrib()],
    [
      'the seventeenth pushAttrib',
      GL.STACK_OVERFLOW,
      ({ fixed }) => {
        for (let i = 0; i < 17; i++) fixed.pushAttrib(FIXED.ENABLE_BIT);
      },
    ],
    ['list 0', GL.INVALID_VALUE, ({ fixed }) => fixed.lists.begin(0, FIXED.COMPILE)],
    ['a list of no mode', GL.INVALID_ENUM, ({ fixed }) => fixed.lists.begin(1, 0)],
    ['endList without newList', GL.INVALID_OPERATION, ({ fixed }) => fixed.lists.end()],
    [
      'a list within a list',
      GL.INVALID_OPERATION,
      ({ fixed: { lists } }) => {
        lists.begin(1, FIXED.COMPILE);
        lists.begin(2, FIXED.COMPILE);
      },
    ],
    [
      'a ninth light',
      GL.INVALID_ENUM,
      ({ fixed }) => fixed.light(FIXED.LIGHT0 + 8, FIXED.AMBIENT, []),
    ],
    [
      'a wide spot',
      GL.INVALID_VALUE,
      ({ fixed }) => fixed.light(FIXED.LIGHT0, FIXED.SPOT_CUTOFF, [91]),
    ],
    [
      'dull matter',
      GL.INVALID_VALUE,
      ({ fixed }) => fixed.material(GL.FRONT, FIXED.SHININESS, [129]),
    ],
    [
      'fog of negative density',
      GL.INVALID_VALUE,
      ({ fixed }) => fixed.fog(FIXED.FOG_DENSITY, [-1]),
    ],
    [
      'a combiner scaled by 3',
      GL.INVALID_VALUE,
      ({ fixed }) => fixed.texEnv(FIXED.TEXTURE_ENV, FIXED.RGB_SCALE, [3]),
    ],
    [
      'an alpha combiner of colors',
      GL.INVALID_ENUM,
      ({ fixed }) => fixed.texEnv(FIXED.TEXTURE_ENV, FIXED.OPERAND0_ALPHA, [GL.SRC_COLOR]),
    ],
    [
      'a sphere map in R',
      GL.INVALID_ENUM,
      ({ fixed }) => fixed.texGen(FIXED.R, FIXED.TEXTURE_GEN_MODE, [FIXED.SPHERE_MAP]),
    ],
    [
      'a seventh clip plane',
      GL.INVALID_ENUM,
      ({ fixed }) => fixed.clipPlane(GL.CLIP_PLANE0 + 6, []),
    ],
    ['no logical operation', GL.INVALID_ENUM, ({ fixed }) => fixed.logicOp(0x1510)],
    ['an alpha test of no function', GL.INVALID_ENUM, ({ fixed }) => fixed.alphaFunc(0, 0)],
    ['a point of size 0', GL.INVALID_VALUE, (gl) => gl.pointSize(0)],
    ['polygons of no mode', GL.INVALID_ENUM, (gl) => gl.polygonMode(GL.FRONT, GL.LINES)],
  ])('raise an error at %s', (_what, code, act) => {
    expect(errorsOf(act)).toEqual([code]);
  });

  it('are not in OpenGL ES', () => {
    const { gl, messages } = makeContext('gles2');
    gl.enable(GL.ALPHA_TEST);
    gl.enable(FIXED.LIGHTING);
    expect(gl.isEnabled(GL.BLEND)).toBe(false);
    expect(messages).toHaveLength(2);
  });

  it('come back from the attribute stack, group by group', () => {
    const { gl } = makeContext('gl');
    gl.fixed.pushAttrib(FIXED.LIGHTING_BIT | FIXED.COLOR_BUFFER_BIT);
    gl.fixed.shadeModel(FIXED.FLAT);
    gl.fixed.alphaFunc(GL.LESS, 0.5);
    gl.fixed.fog(FIXED.FOG_DENSITY, [3]);
    for (const capability of [FIXED.LIGHTING, GL.BLEND, FIXED.FOG]) gl.enable(capability);
    gl.fixed.popAttrib();
    const read = (...parameters: number[]) => parameters.map((each) => gl.getParameter(each));
    expect(read(FIXED.SHADE_MODEL, 0x0bc1, FIXED.FOG_DENSITY)).toEqual([
      FIXED.SMOOTH,
      GL.ALWAYS,
      3,
    ]);
    expect(read(FIXED.LIGHTING, GL.BLEND, FIXED.FOG)).toEqual([false, false, true]);
  });

  it('keep switches and environments for each texture unit', () => {
    const { gl } = makeContext('gl');
    gl.enable(GL.TEXTURE_2D);
    gl.activeTexture(GL.TEXTURE0 + 1);
    expect(gl.isEnabled(GL.TEXTURE_2D)).toBe(false);
    gl.fixed.texEnv(FIXED.TEXTURE_ENV, FIXED.TEXTURE_ENV_MODE, [FIXED.DECAL]);
    expect(gl.fixedState.environment.units.map(({ mode }) => mode).slice(0, 3)).toEqual([
      ...['modulate', 'decal', 'modulate'],
    ]);
  });

  it('track the current color until they are told not to', () => {
    const { gl } = makeContext('gl');
    gl.fixed.attribute('gl_Color', [1, 0, 0]);
    gl.enable(FIXED.COLOR_MATERIAL);
    const diffuse = () => gl.fixedState.lighting.values.back.diffuse;
    expect(diffuse()).toEqual([1, 0, 0, 1]);
    gl.fixed.attribute('gl_Color', [0, 1, 0, 0.5]);
    gl.disable(FIXED.COLOR_MATERIAL);
    gl.fixed.attribute('gl_Color', [0, 0, 1]);
    expect(diffuse()).toEqual([0, 1, 0, 0.5]);
  });
});

describe('immediate mode', () => {
  it('draws primitives that share their state at once', () => {
    const { gl } = makeContext('gl');
    for (let i = 0; i < 5; i++) {
      gl.fixed.attribute('gl_Color', [i / 5, 0, 0]);
      drawTriangle(gl);
    }
    gl.enable(GL.BLEND);
    drawTriangle(gl);
    expect(drawsOf(gl).map(({ count }) => count)).toEqual([15, 3]);
  });

  it('keeps the order of primitives, clears and arrays', () => {
    const { gl } = makeContext('gl');
    drawTriangle(gl);
    gl.clear(GL.DEPTH_BUFFER_BIT);
    drawTriangle(gl);
    expect(drawsOf(gl).map(({ topology }) => topology)).toEqual([
      ...['triangles', 'triangle-strip', 'triangles'],
    ]);
  });

  it('changes materials between primitives and refuses to within one', () => {
    const { gl } = makeContext('gl');
    gl.enable(FIXED.LIGHTING);
    const change = () => gl.fixed.material(GL.FRONT, FIXED.DIFFUSE, [1, 0, 0, 1]);
    gl.fixed.begin(GL.POINTS);
    gl.fixed.vertex([0, 0]);
    change();
    gl.fixed.vertex([0, 0]);
    gl.fixed.end();
    expect(drawsOf(gl)).not.toHaveLength(0);
    gl.fixed.begin(GL.LINE_STRIP);
    gl.fixed.vertex([0, 0]);
    expect(change).toThrow(expect.objectContaining({ code: 'FRAME_UNSUPPORTED' }));
  });
});

describe('display lists', () => {
  it('run by name, from each other too', () => {
    const { gl } = makeContext('gl');
    const { fixed } = gl;
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
    const { lists } = gl.fixed;
    lists.begin(1, FIXED.COMPILE);
    gl.fixed.submit('glCallList', () => lists.call(1));
    lists.end();
    expect(() => lists.call(1)).not.toThrow();
    lists.begin(1, FIXED.COMPILE);
    for (let i = 0; i < 50; i++) gl.fixed.submit('glCallList', () => lists.call(1));
    lists.end();
    expect(() => lists.call(1)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('find free names in a row', () => {
    const { gl } = makeContext('gl');
    const { lists } = gl.fixed;
    expect([lists.generate(2), lists.generate(3)]).toEqual([1, 3]);
    lists.remove(2, 1);
    expect([lists.generate(2), lists.generate(1)]).toEqual([6, 8]);
  });
});
