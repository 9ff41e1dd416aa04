/**
 * The depth test (GL ES 3.0, section 4.1.5), the depth range and the write mask, both before and
 * after shading.
 */
import { COMPARE_FUNCTIONS, type CompareFunction, type DepthState } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import {
  drawScene,
  ENCODE_BITS,
  type Rgba,
  rectangle,
  type SceneDraw,
} from '../scene/draw-scene.ts';

const RED: Rgba = [1, 0, 0, 1];
const GREEN: Rgba = [0, 1, 0, 1];
const IS_DRAWN = [0, 255, 0, 255];

/** Shader with a discard that the compiler cannot rule out, so the depth test follows shading. */
const LATE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 result;
void main() {
  if (gl_FragCoord.x < -1.0) discard;
  result = color;
}`;
const STAGES = [
  { stage: 'before shading', late: {} },
  { stage: 'after shading', late: { fragmentSource: LATE_FRAGMENT } },
] as const;

function depthState(compare: CompareFunction, isWriteEnabled = true): DepthState {
  return { isTestEnabled: true, isWriteEnabled, compare };
}

/** Comparisons written out from the specification: incoming with stored depth. */
const PASSES: Readonly<
  Record<CompareFunction, { less: boolean; equal: boolean; greater: boolean }>
> = {
  never: { less: false, equal: false, greater: false },
  less: { less: true, equal: false, greater: false },
  equal: { less: false, equal: true, greater: false },
  'less-equal': { less: true, equal: true, greater: false },
  greater: { less: false, equal: false, greater: true },
  'not-equal': { less: true, equal: false, greater: true },
  'greater-equal': { less: false, equal: true, greater: true },
  always: { less: true, equal: true, greater: true },
};

const FULL = (depth: number) => rectangle(0, 0, 16, 16, depth);

async function centerPixel(draws: readonly SceneDraw[], clearDepth = 1): Promise<Rgba> {
  const clear = { depth: clearDepth };
  return (await drawScene({ widthPx: 16, heightPx: 16, clear, draws }, 1)).pixel(8, 8);
}

describe.each(STAGES)('depth test $stage', ({ late }) => {
  it.each(COMPARE_FUNCTIONS)('%s', async (compare) => {
    // A step of 2^-23 is two steps of the buffer. Adjacent values must not count as equal.
    const cases = { less: 0.5 - 2 ** -23, equal: 0.5, greater: 0.5 + 2 ** -23 };
    for (const [name, depth] of Object.entries(cases)) {
      const pixel = await centerPixel([
        { positions: FULL(0.5), color: RED, state: { depth: depthState('always') }, ...late },
        { positions: FULL(depth), color: GREEN, state: { depth: depthState(compare) }, ...late },
      ]);
      const passes = PASSES[compare][name as keyof typeof cases];
      expect(pixel, `${name} than the stored depth`).toEqual(passes ? IS_DRAWN : [255, 0, 0, 255]);
    }
  });

  it.each([
    { isWriteEnabled: true, isLaterDrawn: false },
    { isWriteEnabled: false, isLaterDrawn: true },
  ])('writes depth: $isWriteEnabled', async ({ isWriteEnabled, isLaterDrawn }) => {
    const writer = depthState('always', isWriteEnabled);
    const pixel = await centerPixel([
      { positions: FULL(0.25), color: RED, state: { depth: writer }, ...late },
      { positions: FULL(0.5), color: GREEN, state: { depth: depthState('less') }, ...late },
    ]);
    expect(pixel).toEqual(isLaterDrawn ? IS_DRAWN : [255, 0, 0, 255]);
  });

  it('neither tests nor writes when it is off', async () => {
    const off: DepthState = { isTestEnabled: false, isWriteEnabled: true, compare: 'never' };
    const pixel = await centerPixel([
      { positions: FULL(0.25), color: RED, state: { depth: off }, ...late },
      { positions: FULL(0.5), color: GREEN, state: { depth: depthState('less') }, ...late },
    ]);
    expect(pixel).toEqual(IS_DRAWN);
  });

  it('leaves the depth of a fragment that fails alone', async () => {
    const pixel = await centerPixel([
      { positions: FULL(0.25), color: RED, state: { depth: depthState('less') }, ...late },
      { positions: FULL(0.75), color: RED, state: { depth: depthState('less') }, ...late },
      { positions: FULL(0.5), color: GREEN, state: { depth: depthState('less') }, ...late },
    ]);
    expect(pixel).toEqual([255, 0, 0, 255]);
  });

  it.each([
    { clearDepth: 0, compare: 'equal', depth: 0 },
    { clearDepth: 1, compare: 'equal', depth: 1 },
    { clearDepth: 0.5, compare: 'equal', depth: 0.5 },
    { clearDepth: 0.75, compare: 'greater-equal', depth: 0.75 },
  ] as const)(
    'compares with the clear value $clearDepth',
    async ({ clearDepth, compare, depth }) => {
      const draw = { positions: FULL(depth), color: GREEN, state: { depth: depthState(compare) } };
      expect(await centerPixel([{ ...draw, ...late }], clearDepth)).toEqual(IS_DRAWN);
    },
  );
});

describe('depth', () => {
  const SHOW_DEPTH = `#version 300 es
precision highp float;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(gl_FragCoord.z); }`;

  it.each([
    { depthRange: [0, 1], device: -1, window: 0 },
    { depthRange: [0, 1], device: 0.5, window: 0.75 },
    { depthRange: [0.25, 0.75], device: -1, window: 0.25 },
    { depthRange: [0.25, 0.75], device: 0, window: 0.5 },
    { depthRange: [0.25, 0.75], device: 1, window: 0.75 },
    { depthRange: [1, 0], device: -1, window: 1 },
    { depthRange: [1, 0], device: 0.5, window: 0.25 },
    { depthRange: [0.5, 0.5], device: 0.125, window: 0.5 },
  ] as const)('range $depthRange maps $device to $window', async (testCase) => {
    const { depthRange, device, window } = testCase;
    const positions = FULL((device + 1) / 2);
    const state = { depthRange: [...depthRange] as [number, number] };
    const shown = await drawScene({
      widthPx: 16,
      heightPx: 16,
      draws: [{ positions, state, fragmentSource: SHOW_DEPTH }],
    });
    expect(shown.float(5, 9)).toBeCloseTo(window, 6);
    const equal = { ...state, depth: depthState('equal') };
    expect(await centerPixel([{ positions, color: GREEN, state: equal }], window)).toEqual(
      IS_DRAWN,
    );
  });

  it('is what the shader writes to gl_FragDepth, clamped', async () => {
    const fragmentSource = `#version 300 es
precision highp float;
uniform float depth;
out vec4 result;
void main() { result = vec4(0, 1, 0, 1); gl_FragDepth = depth; }`;
    const state = { depth: depthState('equal') };
    for (const [written, stored] of [
      [0.25, 0.25],
      [-3, 0],
      [7, 1],
    ] as const) {
      const draw = { positions: FULL(0.5), fragmentSource, state, uniforms: { depth: [written] } };
      expect(await centerPixel([draw], stored), `${written}`).toEqual(IS_DRAWN);
      expect(await centerPixel([draw], 0.625), `${written}`).toEqual([0, 0, 0, 0]);
    }
  });

  it('is not written by fragments that are discarded', async () => {
    const fragmentSource = `#version 300 es
precision highp float;
out vec4 result;
void main() {
  if (gl_FragCoord.x < 8.0) discard;
  result = vec4(1, 0, 0, 1);
}`;
    const image = await drawScene({
      widthPx: 16,
      heightPx: 16,
      draws: [
        { positions: FULL(0.25), fragmentSource, state: { depth: depthState('less') } },
        { positions: FULL(0.5), color: GREEN, state: { depth: depthState('less') } },
      ],
    });
    expect(image.pixel(7, 3)).toEqual(IS_DRAWN);
    expect(image.pixel(8, 3)).toEqual([255, 0, 0, 255]);
  });

  it.each(COMPARE_FUNCTIONS)(
    'gives the same image before and after shading, and mixed: %s',
    async (compare) => {
      const random = seededRandom(21);
      const triangles = Array.from({ length: 60 }, () => ({
        positions: Array.from(
          { length: 3 },
          () =>
            [
              random.between(-20, 148),
              random.between(-20, 148),
              random.between(-0.2, 1.2),
            ] as const,
        ),
        color: [random.between(0, 1), random.between(0, 1), random.between(0, 1), 1] as const,
        isWriteEnabled: random.integer(0, 3) > 0,
      }));
      const render = (isLate: (index: number) => boolean) =>
        drawScene({
          widthPx: 128,
          heightPx: 128,
          clear: { depth: 0.6 },
          draws: triangles.map(({ positions, color, isWriteEnabled }, index) => ({
            positions,
            color,
            state: { depth: depthState(compare, isWriteEnabled) },
            ...(isLate(index) ? { fragmentSource: LATE_FRAGMENT } : {}),
          })),
        });
      const early = await render(() => false);
      const late = await render(() => true);
      const mixed = await render((index) => index % 3 === 1);
      expect(late.report.image.sha256, 'seed 21').toBe(early.report.image.sha256);
      expect(mixed.report.image.sha256, 'seed 21').toBe(early.report.image.sha256);
    },
  );

  it('decides pixel by pixel where two surfaces cross', async () => {
    const slope = (left: number, right: number): SceneDraw['positions'] => [
      [0, 0, left],
      [0, 64, left],
      [64, 64, right],
      [0, 0, left],
      [64, 64, right],
      [64, 0, right],
    ];
    const state = { depth: depthState('less') };
    const image = await drawScene({
      widthPx: 64,
      heightPx: 64,
      draws: [
        { positions: slope(0.2, 0.8), color: RED, state },
        { positions: slope(0.8, 0.2), color: GREEN, state },
      ],
    });
    for (let x = 0; x < 64; x++) {
      expect(image.pixel(x, 17), `column ${x}`).toEqual(x < 32 ? [255, 0, 0, 255] : IS_DRAWN);
    }
  });
});
