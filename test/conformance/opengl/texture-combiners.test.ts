/**
 * Combiners of EXT_texture_env_dot3 and ATI_texture_env_combine3 compute what these extensions
 * define. Each fills the window with one color.
 */
import { describe, expect, it } from 'vitest';
import { type Call, expectNear, FILL_WINDOW, OPEN_WINDOW, render } from './filled-window.ts';

const TEXTURE_2D = 0x0de1;
const TEXTURE_ENV = 0x2300;
const [TEXTURE, CONSTANT, PRIMARY] = [0x1702, 0x8576, 0x8577] as const;
const TEXEL = [51, 102, 153, 204];
const COLOR = { red: 0.8, green: 0.4, blue: 0.6, alpha: 0.2 };
const CONSTANT_COLOR = [0.5, 0.25, 0.125, 1];

/**
 * Returns the calls that fill the window with texel, color and constant as the arguments 0 to 2.
 */
function withCombiner(rgb: number, alpha: number, others: readonly (readonly number[])[] = []) {
  const set = (pname: number, param: number): Call => [
    'glTexEnvi',
    { target: TEXTURE_ENV, pname, param },
  ];
  const pixels = Uint8Array.from(TEXEL);
  const size = { width: 1, height: 1, border: 0, format: 0x1908, type: 0x1401, pixels };
  const calls: Call[] = [
    ...OPEN_WINDOW,
    ['glTexImage2D', { target: TEXTURE_2D, level: 0, internalformat: 0x8058, ...size }],
    ['glTexParameteri', { target: TEXTURE_2D, pname: 0x2801, param: 0x2600 }],
    ['glEnable', { cap: TEXTURE_2D }],
    ['glColor4f', COLOR],
    ['glTexEnvfv', { target: TEXTURE_ENV, pname: 0x2201, params: CONSTANT_COLOR }],
    set(0x2200, 0x8570),
    set(0x8571, rgb),
    set(0x8572, alpha),
    ...[TEXTURE, PRIMARY, CONSTANT].flatMap((source, i) => [
      set(0x8580 + i, source),
      set(0x8588 + i, source),
    ]),
    set(0x8592, 0x0300),
    ...others.map(([pname, param]) => set(pname!, param!)),
    ...FILL_WINDOW,
  ];
  return calls;
}

const RGB_SCALE: readonly number[] = [0x8573, 4];
const ALPHA_SCALE: readonly number[] = [0x0d1c, 2];
/** Texel and color less a half, multiplied and added: −0.3·0.3 − 0.1·−0.1 + 0.1·0.1. */
const DOT = 4 * (-0.09 + 0.01 + 0.01);

describe('combiners', () => {
  it.each<[string, number, number, (readonly number[])[], number[]]>([
    ['MODULATE_ADD', 0x8744, 0x8744, [], [0.9, 0.5, 0.675, 1]],
    ['MODULATE_SIGNED_ADD', 0x8745, 0x8745, [], [0.4, 0, 0.175, 0.5]],
    ['MODULATE_SUBTRACT', 0x8746, 0x8746, [], [0, 0, 0, 0.6]],
    ['MODULATE_SUBTRACT, scaled', 0x8746, 0x8746, [ALPHA_SCALE, [0x8581, 0]], [0.1, 0.1, 0.075, 1]],
    [
      'sources of ONE',
      0x1e01,
      0x1e01,
      [
        [0x8580, 1],
        [0x8588, 0],
      ],
      [1, 1, 1, 0],
    ],
    ['DOT3_RGB of complements', 0x86ae, 0x1e01, [[0x8590, 0x0301]], [-DOT, -DOT, -DOT, 0.8]],
    [
      'DOT3_RGB, scaled',
      0x86ae,
      0x1e01,
      [
        [0x8590, 0x0301],
        [0x8573, 2],
      ],
      [-2 * DOT, -2 * DOT, -2 * DOT, 0.8],
    ],
    [
      'DOT3_RGB_EXT without scale',
      0x8740,
      0x1e01,
      [[0x8590, 0x0301], RGB_SCALE],
      [-DOT, -DOT, -DOT, 0.8],
    ],
    [
      'DOT3_RGBA_EXT without scales',
      ...([0x8741, 0x1e01] as const),
      [[0x8590, 0x0301], RGB_SCALE, ALPHA_SCALE],
      [-DOT, -DOT, -DOT, -DOT],
    ],
  ])('%s', async (_, rgb, alpha, others, expected) => {
    expectNear(await render(withCombiner(rgb, alpha, others)), expected);
  });

  it('does not accept a dot product as the function of alpha', async () => {
    await expect(render(withCombiner(0x8741, 0x8741))).rejects.toThrow(/0x8572 .* does not accept/);
  });
});
