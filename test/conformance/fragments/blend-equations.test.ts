/**
 * Blending (GL ES 3.0, section 4.1.7): every factor and equation, separately for color and alpha,
 * matches the specification's tables in double precision. A result may only differ by rounding to 8
 * bits.
 */
import {
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  type BlendChannelState,
  type BlendEquation,
  type BlendFactor,
  type BlendState,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import {
  type DrawnImage,
  drawScene,
  type Rgba,
  rectangle,
  type SceneDraw,
} from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const CELL_PX = 8;
const CONSTANT: Rgba = [0.25, 0.6, 0.9, 0.3];

/**
 * Returns a color in bytes, computed from the pixel's position with integer arithmetic, both in
 * GLSL and here.
 */
function colorAt(x: number, y: number, factors: Rgba): Rgba {
  return factors.map((factor) => ((x * 37 + y * 101 + 11) * factor) & 255) as unknown as Rgba;
}
const SOURCE_FACTORS: Rgba = [3, 5, 7, 11];
const SECOND_FACTORS: Rgba = [29, 31, 37, 41];
const STORED_FACTORS: Rgba = [13, 17, 19, 23];

const pattern = (heightPx: number, factors: Rgba) => `#version 300 es
#extension GL_EXT_blend_func_extended : require
precision highp float;
precision highp int;
layout(location = 0) out vec4 result;
layout(location = 0, index = 1) out vec4 second;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int place = pixel.x * 37 + (${heightPx - 1} - pixel.y) * 101 + 11;
  result = vec4((place * ivec4(${factors.join()})) & 255) / 255.0;
  second = vec4((place * ivec4(${SECOND_FACTORS.join()})) & 255) / 255.0;
}`;

type Factors = (name: BlendFactor, source: Rgba, second: Rgba, stored: Rgba) => Rgba;

/** Table 4.4: factors of red, green, blue and alpha. */
const factorsOf: Factors = (name, source, second, stored) => {
  const [, , , sourceAlpha] = source;
  const [, , , storedAlpha] = stored;
  const all = (value: number): Rgba => [value, value, value, value];
  const inverse = (values: Rgba) => values.map((value) => 1 - value) as unknown as Rgba;
  const saturated = Math.min(sourceAlpha, 1 - storedAlpha);
  const table: Readonly<Record<BlendFactor, Rgba>> = {
    zero: all(0),
    one: all(1),
    'src-color': source,
    'one-minus-src-color': inverse(source),
    'dst-color': stored,
    'one-minus-dst-color': inverse(stored),
    'src-alpha': all(sourceAlpha),
    'one-minus-src-alpha': all(1 - sourceAlpha),
    'dst-alpha': all(storedAlpha),
    'one-minus-dst-alpha': all(1 - storedAlpha),
    'constant-color': CONSTANT,
    'one-minus-constant-color': inverse(CONSTANT),
    'constant-alpha': all(CONSTANT[3]),
    'one-minus-constant-alpha': all(1 - CONSTANT[3]),
    'src-alpha-saturate': [saturated, saturated, saturated, 1],
    'src1-color': second,
    'one-minus-src1-color': inverse(second),
    'src1-alpha': all(second[3]),
    'one-minus-src1-alpha': all(1 - second[3]),
  };
  return table[name];
};

/** Table 4.3: equations. */
function equate(equation: BlendEquation, s: number, d: number, sf: number, df: number): number {
  const results: Readonly<Record<BlendEquation, number>> = {
    add: s * sf + d * df,
    subtract: s * sf - d * df,
    'reverse-subtract': d * df - s * sf,
    min: Math.min(s, d),
    max: Math.max(s, d),
  };
  return Math.min(1, Math.max(0, results[equation]));
}

function blended({ color, alpha }: BlendState, source: Rgba, second: Rgba, stored: Rgba): Rgba {
  const at = (state: BlendChannelState, c: number) =>
    255 *
    equate(
      state.equation,
      source[c]!,
      stored[c]!,
      factorsOf(state.source, source, second, stored)[c]!,
      factorsOf(state.destination, source, second, stored)[c]!,
    );
  return [at(color, 0), at(color, 1), at(color, 2), at(alpha, 3)];
}

/** Draws each blend state in its own cell over a pattern and compares every pixel. */
async function expectBlends(states: readonly BlendState[], columns: number): Promise<DrawnImage> {
  const widthPx = columns * CELL_PX;
  const heightPx = Math.ceil(states.length / columns) * CELL_PX;
  const background: SceneDraw = {
    positions: rectangle(0, 0, widthPx, heightPx),
    fragmentSource: pattern(heightPx, STORED_FACTORS),
  };
  const cells = states.map((blend, cell): SceneDraw => {
    const left = (cell % columns) * CELL_PX;
    const top = Math.floor(cell / columns) * CELL_PX;
    return {
      positions: rectangle(left, top, left + CELL_PX, top + CELL_PX),
      fragmentSource: pattern(heightPx, SOURCE_FACTORS),
      state: { blend },
    };
  });
  const image = await drawScene({ widthPx, heightPx, draws: [background, ...cells] });
  expectPixels(
    image,
    (x, y) => {
      const blend = states[Math.floor(y / CELL_PX) * columns + Math.floor(x / CELL_PX)];
      const stored = colorAt(x, y, STORED_FACTORS);
      if (blend?.isEnabled !== true) return blend ? colorAt(x, y, SOURCE_FACTORS) : stored;
      const unit = (bytes: Rgba) => bytes.map((byte) => byte / 255) as unknown as Rgba;
      const [source, second] = [SOURCE_FACTORS, SECOND_FACTORS].map((factors) =>
        unit(colorAt(x, y, factors)),
      );
      return blended(blend, source!, second!, unit(stored));
    },
    // Half a rounding step, and the error of single precision.
    0.5 + 1e-4,
    states.length === 1 ? JSON.stringify(states[0]) : `${columns} cells per row`,
  );
  return image;
}

const channel = (
  equation: BlendEquation,
  source: BlendFactor,
  destination: BlendFactor,
): BlendChannelState => ({ equation, source, destination });

const COUNT = BLEND_FACTORS.length;

describe('blend equations', () => {
  it('writes the source unchanged when blending is off (control)', async () => {
    const one = channel('reverse-subtract', 'one', 'one');
    await expectBlends([{ isEnabled: false, color: one, alpha: one, constant: CONSTANT }], 1);
  });

  it('weighs by every pair of factors, other ones for alpha', async () => {
    const states = BLEND_FACTORS.flatMap((source, i) =>
      BLEND_FACTORS.map(
        (destination, j): BlendState => ({
          isEnabled: true,
          color: channel('add', source, destination),
          alpha: channel('add', BLEND_FACTORS[(i + 4) % COUNT]!, BLEND_FACTORS[(j + 7) % COUNT]!),
          constant: CONSTANT,
        }),
      ),
    );
    await expectBlends(states, COUNT);
  });

  it.each(BLEND_EQUATIONS)('%s, next to every equation of alpha', async (equation) => {
    const states = BLEND_EQUATIONS.flatMap((alphaEquation) =>
      BLEND_FACTORS.filter((_, i) => i % 3 === 1).map(
        (source, i): BlendState => ({
          isEnabled: true,
          color: channel(equation, source, BLEND_FACTORS[(3 * i + 5) % COUNT]!),
          alpha: channel(alphaEquation, BLEND_FACTORS[(2 * i + 1) % COUNT]!, source),
          constant: CONSTANT,
        }),
      ),
    );
    await expectBlends(states, 5);
  });

  it.each([
    { source: [2, -1, 0.5, 1], wanted: [255, 0, 128, 255] },
    { source: [0.5, 1.5, -0.5, 7], wanted: [128, 255, 0, 255] },
  ] as const)('clamps the source $source before it is weighed', async ({ source, wanted }) => {
    // A constant factor of one half would otherwise show 2 × ½ = 1.
    const half = channel('add', 'constant-color', 'zero');
    const blend: BlendState = {
      isEnabled: true,
      color: half,
      alpha: half,
      constant: [0.5, 0.5, 0.5, 0.5],
    };
    const draws = [{ positions: rectangle(0, 0, 8, 8), color: source, state: { blend } }];
    const image = await drawScene({ widthPx: 8, heightPx: 8, draws }, 1);
    expectPixels(image, () => wanted.map((byte) => byte / 2) as unknown as Rgba, 0.75);
  });

  it('reads what the previous primitive wrote, also within a draw', async () => {
    const add = channel('add', 'one', 'one');
    const blend: BlendState = { isEnabled: true, color: add, alpha: add, constant: CONSTANT };
    const positions = [0, 1, 2].flatMap(() => rectangle(0, 0, 8, 8));
    const draw = { positions, color: [10 / 255, 0, 0, 0] as const, state: { blend } };
    const image = await drawScene({ widthPx: 8, heightPx: 8, draws: [draw, draw] }, 1);
    expect(image.pixel(3, 3)).toEqual([60, 0, 0, 0]);
  });
});
