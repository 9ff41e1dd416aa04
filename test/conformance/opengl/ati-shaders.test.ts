/**
 * Shaders of ATI_fragment_shader compute what the extension defines. Each fills the window with one
 * color.
 */
import { describe, expect, it } from 'vitest';
import { type Call, expectNear, FILL_WINDOW, OPEN_WINDOW, render } from './filled-window.ts';

const FRAGMENT_SHADER = 0x8920;
const REGISTER = [0x8921, 0x8922, 0x8923] as const;
const A = 0x8941;
const B = 0x8942;
const C = 0x8943;
const VALUES = [
  [0.5, 0.25, 0.75, 1],
  [0.25, 0.5, 0.125, 0.5],
  [0.75, 0, 0.5, 0.25],
] as const;
const [MOV, ADD, MUL, SUB] = [0x8961, 0x8963, 0x8964, 0x8965];
const [DOT3, DOT4, MAD, LERP, CND, CND0, DOT2_ADD] = [
  ...[0x8966, 0x8967, 0x8968, 0x8969, 0x896a, 0x896b, 0x896c],
] as [number, number, number, number, number, number, number];
const STR = 0x8976;
const STR_DR = 0x8978;
const PRIMARY_COLOR = 0x8577;

interface Change {
  readonly mask?: number;
  readonly modifiers?: number;
  readonly replicated?: number;
  readonly sourceModifiers?: number;
  readonly destination?: number;
}

function operation(channels: 'Color' | 'Alpha', op: number, args: number[], change: Change = {}) {
  const sources = args.flatMap((register, i) => [
    [`arg${i + 1}`, register],
    [`arg${i + 1}Rep`, change.replicated ?? 0],
    [`arg${i + 1}Mod`, change.sourceModifiers ?? 0],
  ]);
  const call: Call = [
    `gl${channels}FragmentOp${args.length}ATI`,
    {
      op,
      dst: change.destination ?? REGISTER[0],
      ...(channels === 'Color' ? { dstMask: change.mask ?? 0 } : {}),
      dstMod: change.modifiers ?? 0,
      ...Object.fromEntries(sources),
    },
  ];
  return call;
}

/** Returns the calls that fill the window with a shader. */
function withShader(instructions: readonly Call[], state: readonly Call[] = []): Call[] {
  return [
    ...OPEN_WINDOW,
    ['glBindFragmentShaderATI', { id: 3 }],
    ['glBeginFragmentShaderATI', {}],
    ...instructions,
    ['glEndFragmentShaderATI', {}],
    ...VALUES.map((value, i): Call => ['glSetFragmentShaderConstantATI', { dst: A + i, value }]),
    ['glEnable', { cap: FRAGMENT_SHADER }],
    ...state,
    ...FILL_WINDOW,
  ];
}

/** Runs one operation on colors and on alpha. */
function both(op: number, args: number[], change?: Change): Call[] {
  return [operation('Color', op, args, change), operation('Alpha', op, args, change)];
}

describe('shaders of ATI_fragment_shader', () => {
  it.each<[string, Call[], number[]]>([
    ['moves', both(MOV, [A]), [0.5, 0.25, 0.75, 1]],
    ['adds', both(ADD, [B, C]), [1, 0.5, 0.625, 0.75]],
    ['multiplies', both(MUL, [A, B]), [0.125, 0.125, 0.09375, 0.5]],
    ['subtracts', both(SUB, [A, B]), [0.25, 0, 0.625, 0.5]],
    ['takes dot products of three', both(DOT3, [A, B]), [0.34375, 0.34375, 0.34375, 0.34375]],
    ['takes dot products of four', both(DOT4, [A, B]), [0.84375, 0.84375, 0.84375, 0.84375]],
    ['multiplies and adds', both(MAD, [A, B, C]), [0.875, 0.125, 0.59375, 0.75]],
    ['interpolates', both(LERP, [A, B, C]), [0.5, 0.125, 0.21875, 0.5]],
    ['chooses above a half', both(CND, [A, B, C]), [0.5, 0.5, 0.125, 0.5]],
    ['chooses from zero', both(CND0, [A, B, C], { sourceModifiers: 8 }), [0, 0, 0.25, 0]],
    ['takes dot products of two and adds', both(DOT2_ADD, [A, B, C]), [0.75, 0.75, 0.75, 0.75]],
    ['replicates a channel', both(MOV, [A], { replicated: 0x1904 }), [0.25, 0.25, 0.25, 0.25]],
    ['complements', both(MOV, [A], { sourceModifiers: 2 }), [0.5, 0.75, 0.25, 0]],
    ['subtracts a half, then doubles', both(MOV, [A], { sourceModifiers: 9 }), [0, 0, 0.5, 1]],
    ['scales by 2', both(MOV, [B], { modifiers: 1 }), [0.5, 1, 0.25, 1]],
    ['scales by a quarter', both(MOV, [A], { modifiers: 16 }), [0.125, 0.0625, 0.1875, 0.25]],
    [
      'saturates before a later operation',
      [
        ...both(MOV, [A], { modifiers: 0x44, destination: REGISTER[1] }),
        ...both(MUL, [REGISTER[1], B]),
      ],
      [0.25, 0.5, 0.125, 0.5],
    ],
    [
      'writes masked channels only',
      [...both(MOV, [A]), operation('Color', MOV, [B], { mask: 5 })],
      [0.25, 0.25, 0.125, 1],
    ],
    [
      'reads in a pair before it writes',
      [
        ...both(MOV, [A]),
        operation('Color', MOV, [B]),
        operation('Alpha', MOV, [REGISTER[0]], { replicated: 0x1903 }),
      ],
      [0.25, 0.5, 0.125, 0.5],
    ],
    ['reads the color of vertices', both(MOV, [PRIMARY_COLOR]), [0.2, 0.4, 0.6, 0.8]],
    [
      'projects coordinates and reads a register in the second pass',
      [
        ['glPassTexCoordATI', { dst: REGISTER[1], coord: 0x84c0, swizzle: STR_DR }],
        ...both(MUL, [REGISTER[1], A], { destination: REGISTER[2] }),
        ['glPassTexCoordATI', { dst: REGISTER[0], coord: REGISTER[2], swizzle: STR }],
        operation('Alpha', MOV, [1]),
      ],
      // Coordinates 0.25, 0.125 and 0.5 over the third: 0.5, 0.25 and 2.
      [0.25, 0.0625, 1, 1],
    ],
    [
      'samples black without an enabled target',
      [
        ['glSampleMapATI', { dst: REGISTER[0], interp: 0x84c0, swizzle: STR }],
        ...both(MOV, [REGISTER[0]]),
      ],
      [0, 0, 0, 1],
    ],
  ])('%s', async (_, instructions, expected) => {
    const state: Call[] = [
      ['glColor4f', { red: 0.2, green: 0.4, blue: 0.6, alpha: 0.8 }],
      ['glTexCoord3f', { s: 0.25, t: 0.125, r: 0.5 }],
    ];
    expectNear(await render(withShader(instructions, state)), expected);
  });

  it('prefers constants of the shader, and uses fixed functions when disabled', async () => {
    const own: Call[] = [
      ['glSetFragmentShaderConstantATI', { dst: A, value: [1, 0, 1, 0.5] }],
      ...both(MOV, [A]),
    ];
    expectNear(await render(withShader(own)), [1, 0, 1, 0.5]);
    const color: Call = ['glColor4f', { red: 0.2, green: 0.4, blue: 0.6, alpha: 0.8 }];
    const disabled: Call[] = [color, ['glDisable', { cap: FRAGMENT_SHADER }]];
    expectNear(await render(withShader(own, disabled)), [0.2, 0.4, 0.6, 0.8]);
  });

  it('is mixed with fog', async () => {
    const fog: Call[] = [
      ['glEnable', { cap: 0x0b60 }],
      ['glFogi', { pname: 0x0b65, param: 0x0800 }],
      ['glFogf', { pname: 0x0b62, param: Math.LN2 }],
      ['glFogfv', { pname: 0x0b66, params: [1, 1, 1, 1] }],
      ['glFogi', { pname: 0x8450, param: 0x8451 }],
      ['glFogCoordf', { coord: 1 }],
    ];
    // The factor is a half.
    expectNear(await render(withShader(both(MOV, [A]), fog)), [0.75, 0.625, 0.875, 1]);
  });

  it('refuses what the extension does not define', async () => {
    await expect(render(withShader(both(0x8962, [A])))).rejects.toThrow(/operation 35170/);
    await expect(render(withShader(both(MOV, [0x1234])))).rejects.toThrow(/register 4660/);
    const nine = Array.from({ length: 9 }, () => operation('Color', MOV, [A]));
    await expect(render(withShader(nine))).rejects.toThrow(/more than eight operations/);
  });
});
