/**
 * Facing of polygons (GL ES 3.0, section 3.6.1): sign of the area, winding of front faces, culling.
 */
import type { CullMode, PipelineState } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { type ClipPosition, drawScene, type PixelPosition } from '../scene/draw-scene.ts';
import { expectTriangles } from './clipped-triangles.ts';
import { type ClipTriangle, orientation } from './project-triangle.ts';

const COUNTER_CLOCKWISE: readonly PixelPosition[] = [
  [2, 2],
  [2, 14],
  [14, 14],
];
const CLOCKWISE = [...COUNTER_CLOCKWISE].reverse();

const CULL_MODES: readonly CullMode[] = ['none', 'front', 'back', 'front-and-back'];
const WINDINGS = ['counter-clockwise', 'clockwise'] as const;

const SHOW_FACING = `#version 300 es
precision highp float;
out vec4 result;
void main() { result = gl_FrontFacing ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }`;

const CASES = CULL_MODES.flatMap((cullMode) =>
  WINDINGS.flatMap((frontFace) => WINDINGS.map((winding) => ({ cullMode, frontFace, winding }))),
);

describe('back-face culling', () => {
  it.each(CASES)('cull $cullMode, front is $frontFace: $winding triangle', async (testCase) => {
    const { cullMode, frontFace, winding } = testCase;
    const isFront = frontFace === winding;
    const isCulled = cullMode === 'front-and-back' || cullMode === (isFront ? 'front' : 'back');
    const positions = winding === 'clockwise' ? CLOCKWISE : COUNTER_CLOCKWISE;
    const draws = [{ positions, fragmentSource: SHOW_FACING, state: { cullMode, frontFace } }];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
    const drawn = isFront ? [0, 255, 0, 255] : [255, 0, 0, 255];
    expect(image.pixel(4, 10)).toEqual(isCulled ? [0, 0, 0, 0] : drawn);
    expect(image.report.visibility.culled.face).toBe(isCulled ? 1 : 0);
  });

  it.each(['points', 'lines'] as const)(
    'never culls %s, and they face the viewer',
    async (topology) => {
      const state: Partial<PipelineState> = { cullMode: 'front-and-back' };
      const positions: PixelPosition[] = [
        [4.5, 4.5],
        [10.5, 4.5],
      ];
      const vertexSource = `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 1.0; }`;
      const draws = [{ topology, positions, vertexSource, fragmentSource: SHOW_FACING, state }];
      const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
      expect(image.pixel(4, 4)).toEqual([0, 255, 0, 255]);
    },
  );

  it.each([
    { seed: 1, what: 'before the eye (control)', minW: 0.5 },
    { seed: 2, what: 'that reach behind the eye', minW: -2 },
  ])('decides by the visible side of triangles $what', async ({ seed, minW }) => {
    const random = seededRandom(seed);
    const corner = (): ClipPosition => {
      const w = random.between(minW, 2);
      return [random.between(-2, 2), random.between(-2, 2), w - 0.2, w];
    };
    const triangles = Array.from(
      { length: 64 },
      (): ClipTriangle => [corner(), corner(), corner()],
    );
    const fronts = triangles.filter((triangle) => orientation(triangle) > 0);
    const backs = triangles.filter((triangle) => orientation(triangle) < 0);
    expect(Math.min(fronts.length, backs.length)).toBeGreaterThan(15);
    const seen = await expectTriangles(fronts, `seed ${seed}, fronts`, { cullMode: 'back' });
    expect(seen.inside).toBeGreaterThan(1000);
    await expectTriangles(backs, `seed ${seed}, backs`, { cullMode: 'front' });
  });
});
