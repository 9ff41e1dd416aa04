/**
 * Assembly programs compute what ARB_vertex_program (section 2.14.5) and ARB_fragment_program
 * (section 3.11.5) define. Each program fills the window with one color.
 */
import { describe, expect, it } from 'vitest';
import { type Call, expectNear, FILL_WINDOW, OPEN_WINDOW, render } from './filled-window.ts';

const VERTEX_PROGRAM = 0x8620;
const FRAGMENT_PROGRAM = 0x8804;
const PLAIN_VERTEX = '!!ARBvp1.0\nMOV result.position, vertex.position;\nEND';
const PLAIN_FRAGMENT = '!!ARBfp1.0\nMOV result.color, fragment.color;\nEND';

/** Returns the calls that draw a quad with two programs and local parameters. */
function listCalls(
  vertex: string,
  fragment: string,
  locals: readonly number[][],
  state: readonly Call[] = [],
): Call[] {
  const program = (target: number, name: number, string: string): Call[] => [
    ['glBindProgramARB', { target, program: name }],
    ['glProgramStringARB', { target, format: 0x8875, len: string.length, string }],
    ['glEnable', { cap: target }],
    ...locals.map(
      (params, index): Call => ['glProgramLocalParameter4fvARB', { target, index, params }],
    ),
  ];
  return [
    ...OPEN_WINDOW,
    ...program(VERTEX_PROGRAM, 1, vertex),
    ...program(FRAGMENT_PROGRAM, 2, fragment),
    ...state,
    ...FILL_WINDOW,
  ];
}

/** Local parameters: a, b, c and factors. */
const LOCALS = [
  [0.5, 0.25, 0.75, 1],
  [0.25, 0.5, 0.125, 0.5],
  [1, 0, 0.5, 0.25],
  [0.5, 0.25, 9, 2],
];

/** Instructions of both stages with their result in red, green, blue and alpha. */
const BOTH: readonly (readonly [string, readonly number[]])[] = [
  ['MOV d, a.wzyx;', [1, 0.75, 0.25, 0.5]],
  ['ADD d, a, -b;', [0.25, 0, 0.625, 0.5]],
  ['SUB d, a, b;', [0.25, 0, 0.625, 0.5]],
  ['MUL d, a, b;', [0.125, 0.125, 0.09375, 0.5]],
  ['MAD d, a, b, c;', [1, 0.125, 0.59375, 0.75]],
  ['DP3 d, a, b;', [0.34375, 0.34375, 0.34375, 0.34375]],
  ['DP4 d, a, b;', [0.84375, 0.84375, 0.84375, 0.84375]],
  ['DPH d, a, b;', [0.84375, 0.84375, 0.84375, 0.84375]],
  ['DST d, a, b;', [1, 0.125, 0.75, 0.5]],
  ['XPD d.xyz, c, b; MOV d.w, {1}.x;', [0, 0, 0.5, 1]],
  ['MAX d, a, b;', [0.5, 0.5, 0.75, 1]],
  ['MIN d, a, b;', [0.25, 0.25, 0.125, 0.5]],
  ['SGE d, a, b;', [1, 0, 1, 1]],
  ['SLT d, a, b;', [0, 1, 0, 0]],
  ['ABS d, -a;', [0.5, 0.25, 0.75, 1]],
  ['FRC d, {1.25, -0.25, 2.5, 0.5};', [0.25, 0.75, 0.5, 0.5]],
  ['FLR d, a;', [0, 0, 0, 1]],
  ['RCP d, {2}.x;', [0.5, 0.5, 0.5, 0.5]],
  ['RSQ d, {-16}.x;', [0.25, 0.25, 0.25, 0.25]],
  ['EX2 d, {-1}.x;', [0.5, 0.5, 0.5, 0.5]],
  ['LG2 d, {1.4142135}.x;', [0.5, 0.5, 0.5, 0.5]],
  ['POW d, a.x, {2}.x;', [0.25, 0.25, 0.25, 0.25]],
  ['LIT d, e;', [1, 0.5, 0.0625, 1]],
  ['SWZ d, a, 1, -z, 0, x;', [1, 0, 0, 0.5]],
  ['MOV d, 0.5; MOV d.yw, a;', [0.5, 0.25, 0.5, 1]],
];

const DECLARATIONS = `TEMP d;
PARAM a = program.local[0]; PARAM b = program.local[1];
PARAM c = program.local[2]; PARAM e = program.local[3];`;

describe('assembly programs', () => {
  it.each(BOTH)('computes %s in a fragment program', async (body, expected) => {
    const fragment = `!!ARBfp1.0\n${DECLARATIONS}\n${body}\nMOV result.color, d;\nEND`;
    expectNear(await render(listCalls(PLAIN_VERTEX, fragment, LOCALS)), expected);
  });

  it.each(BOTH)('computes %s in a vertex program', async (body, expected) => {
    const vertex = `!!ARBvp1.0\n${DECLARATIONS}\n${body}
MOV result.position, vertex.position; MOV result.color, d;\nEND`;
    expectNear(await render(listCalls(vertex, PLAIN_FRAGMENT, LOCALS)), expected);
  });

  it.each([
    ['CMP d, {-1, 0, 1, -0.5}, a, b;', [0.5, 0.5, 0.125, 1]],
    ['LRP d, b, a, c;', [0.875, 0.125, 0.53125, 0.625]],
    ['ADD_SAT d, a, a;', [1, 0.5, 1, 1]],
    ['SCS d.xy, {0.5235988}.x; MOV d.zw, {1}.x;', [0.8660254, 0.5, 1, 1]],
    ['SIN d, {0.5235988}.x;', [0.5, 0.5, 0.5, 0.5]],
    ['MOV d, a; KIL -b;', [0, 0, 0]],
  ])('computes %s of fragment programs', async (body, expected) => {
    const fragment = `!!ARBfp1.0\n${DECLARATIONS}\n${body}\nMOV result.color, d;\nEND`;
    expectNear(await render(listCalls(PLAIN_VERTEX, fragment, LOCALS)), expected);
  });

  it.each([
    ['PARAM p[3] = { program.local[1..3] };', 'a0.x - 1', [0.25, 0.5, 0.125, 0.5]],
    ['PARAM p[] = { {0, 1, 0, 1}, program.local[0] };', 'a0.x', [0.5, 0.25, 0.75, 1]],
    ['PARAM p[] = { state.matrix.mvp };', 'a0.x + 1', [0, 0, 1, 0]],
  ])('reads %s at an address', async (declaration, index, expected) => {
    const vertex = `!!ARBvp1.0\nADDRESS a0; ${declaration}
ARL a0.x, {1.5}.x; MOV result.color, p[${index}];
MOV result.position, vertex.position;\nEND`;
    expectNear(await render(listCalls(vertex, PLAIN_FRAGMENT, LOCALS)), expected);
  });

  it.each([
    ['ARB_draw_buffers', 'result.color[0]'],
    ['ATI_draw_buffers', 'result.color'],
  ])('writes numbered results with %s', async (option, first) => {
    const fragment = `!!ARBfp1.0\nOPTION ${option};
MOV result.color[1], {1, 0, 0, 1};\nMOV ${first}, {0, 1, 0, 1};\nEND`;
    expectNear(await render(listCalls(PLAIN_VERTEX, fragment, [])), [0, 1, 0, 1]);
  });

  it('reads planes of coordinate generation', async () => {
    const vertex = `!!ARBvp1.0\nMOV result.position, vertex.position;
ADD result.color, state.texgen.object.s, state.texgen[1].eye.t;\nEND`;
    const plane = (unit: number, coord: number, pname: number, params: number[]): Call[] => [
      ['glActiveTexture', { texture: 0x84c0 + unit }],
      ['glTexGenfv', { coord, pname, params }],
    ];
    const planes = [
      ...plane(0, 0x2000, 0x2501, [0.5, 0, 0.25, 0]),
      ...plane(1, 0x2001, 0x2502, [0, 0.75, 0.25, 1]),
    ];
    expectNear(await render(listCalls(vertex, PLAIN_FRAGMENT, [], planes)), [0.5, 0.75, 0.5, 1]);
  });

  it('transforms a vertex as fixed functions do with ARB_position_invariant', async () => {
    const vertex =
      '!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, {0, 1, 0, 1};\nEND';
    expectNear(await render(listCalls(vertex, PLAIN_FRAGMENT, [])), [0, 1, 0, 1]);
  });

  it('compares depths, in the channels of GL_DEPTH_TEXTURE_MODE', async () => {
    const fragment = `!!ARBfp1.0\nOPTION ARB_fragment_program_shadow;
TEX result.color, {0, 0, 0.25}, texture[0], SHADOW2D;\nEND`;
    const target = 0x0de1;
    const size = { width: 1, height: 1, border: 0 };
    const pixels = new Uint8Array(Float32Array.of(0.5).buffer);
    const set = (pname: number, param: number): Call => [
      'glTexParameteri',
      { target, pname, param },
    ];
    const depth = { internalformat: 0x1902, format: 0x1902, type: 0x1406, pixels };
    const compared: Call[] = [
      ['glBindTexture', { target, texture: 9 }],
      ['glTexImage2D', { target, level: 0, ...size, ...depth }],
      set(0x2801, 0x2600),
      set(0x884c, 0x884e),
    ];
    expectNear(await render(listCalls(PLAIN_VERTEX, fragment, [], compared)), [1, 1, 1, 1]);
    const alpha = [...compared, set(0x884b, 0x1906)];
    expectNear(await render(listCalls(PLAIN_VERTEX, fragment, [], alpha)), [0, 0, 0, 1]);
  });

  it.each([
    ['!!ARBfp1.0\nOPTION NV_fragment_program2;\nMOV result.color, 1;\nEND', /NV_fragment_program2/],
    ['!!ARBfp1.0\nEXP result.color, 1;\nEND', /instruction EXP/],
    ['!!ARBfp1.0\nMOV result.color, nothing;\nEND', /nothing/],
    ['!!FP1.0\nEND', /header/],
  ])('refuses %s by name', async (fragment, message) => {
    await expect(render(listCalls(PLAIN_VERTEX, fragment, []))).rejects.toThrow(message);
  });
});
