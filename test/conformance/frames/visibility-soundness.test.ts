/**
 * The visibility stream lists everything that a bin needs. Whatever the bins, the chiplets and the
 * shader of the visibility phase, the image equals that of a single bin that lists every primitive
 * of the frame.
 */
import type { PipelineState, Topology, VisibilityShader } from '@tessera/frame';
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import {
  type ClipPosition,
  drawScene,
  type Rgba,
  type Scene,
  type SceneDraw,
} from '../scene/draw-scene.ts';

const SIZE = { widthPx: 300, heightPx: 200 };

/** Moves and bends positions, so that the minimal shader has to compute something. */
const VERTEX = `#version 300 es
in vec4 position;
in vec4 color;
uniform vec2 shift;
out vec4 shade;
void main() {
  vec4 moved = position;
  moved.xy += shift * position.w + 0.1 * sin(position.yx * 3.0);
  gl_Position = moved;
  gl_PointSize = 1.0 + 60.0 * color.r;
  shade = color;
}`;

function randomColor(random: SeededRandom): Rgba {
  return [random.between(0, 1), random.between(0, 1), random.between(0, 1), random.between(0, 1)];
}

/** Returns primitives of all sizes, many of them across the planes of the view volume. */
function randomDraw(random: SeededRandom, topology: Topology, perVertexSpread: number): SceneDraw {
  const count = 40;
  const clipPositions: ClipPosition[] = [];
  while (clipPositions.length < count) {
    const w = random.between(-0.5, 2);
    const [x, y, z] = [
      random.between(-1.5, 1.5),
      random.between(-1.5, 1.5),
      random.between(-1.2, 1.2),
    ];
    for (let corner = 0; corner < 3; corner++) {
      const near = () => random.between(-perVertexSpread, perVertexSpread);
      clipPositions.push([x * w + near(), y * w + near(), z * w + near(), w + near()]);
    }
  }
  const state: Partial<PipelineState> = {
    cullMode: random.pick(['none', 'front', 'back']),
    lineWidthPx: random.pick([1, 2, 7, 16]),
    depth: { isTestEnabled: random.integer(0, 1) === 1, isWriteEnabled: true, compare: 'less' },
    scissor: random.pick([null, { x: 33, y: 21, width: 200, height: 150 }]),
    viewport: random.pick([
      { x: 0, y: 0, width: 300, height: 200 },
      { x: -40, y: 30, width: 280, height: 300 },
      { x: 101, y: 57, width: 97, height: 111 },
    ]),
  };
  return {
    topology,
    clipPositions,
    colors: clipPositions.map(() => randomColor(random)),
    vertexSource: VERTEX,
    uniforms: { shift: [random.between(-0.2, 0.2), random.between(-0.2, 0.2)] },
    state,
  };
}

const TOPOLOGIES: readonly Topology[] = [
  'triangles',
  'triangle-strip',
  'triangle-fan',
  'lines',
  'line-strip',
  'line-loop',
  'points',
];

function randomScene(seed: number): Scene {
  const random = seededRandom(seed);
  const draws = TOPOLOGIES.flatMap((topology) =>
    [0.02, 0.3, 2].map((spread) => randomDraw(random, topology, spread)),
  );
  return { ...SIZE, draws };
}

describe('visibility', () => {
  it('in one bin lists every primitive that has a sample in the target (control)', async () => {
    const { report } = await drawScene(randomScene(1), 1, { binCount: 1 });
    const { culled, primitivesIn, primitivesListed } = report.visibility;
    const dropped = culled.face + culled.noSample + culled.outsideView + culled.zeroArea;
    expect(primitivesListed).toBe(primitivesIn - dropped);
    expect(Math.min(culled.face, culled.outsideView, primitivesListed)).toBeGreaterThan(20);
  });

  it.each([1, 2, 3, 4, 5])('is sound: seed %i', async (seed) => {
    const scene = randomScene(seed);
    const whole = await drawScene(scene, 1, { binCount: 1, visibilityShader: 'full' });
    expect(new Set(whole.rgba).size).toBeGreaterThan(200);
    for (const [chipletCount, binCount, visibilityShader] of [
      [1, 1, 'minimal'],
      [2, 4, 'full'],
      [2, 15, 'minimal'],
      [3, 64, 'minimal'],
      [3, 1024, 'full'],
    ] as readonly (readonly [number, number, VisibilityShader])[]) {
      const options = { binCount, visibilityShader };
      const { report } = await drawScene(scene, chipletCount, options);
      const name = `seed ${seed}, ${chipletCount} chiplets, ${binCount} bins, ${visibilityShader}`;
      expect(report.image.sha256, name).toBe(whole.report.image.sha256);
    }
  });

  it('lists nothing for a bin without primitives', async () => {
    const positions = [
      [2, 2],
      [2, 30],
      [30, 30],
    ] as const;
    const draws = [{ positions }];
    const { report } = await drawScene({ widthPx: 256, heightPx: 256, draws }, 2, { binCount: 16 });
    expect(report.bins.map((bin) => bin.primitives)).toEqual([1, ...Array(15).fill(0)]);
  });

  it('is tight: thin diagonal triangles are in the bins they cross and no others', async () => {
    const draws = [
      {
        positions: [
          [0, 0],
          [0, 4],
          [256, 256],
        ],
      },
    ] as const;
    const { report } = await drawScene({ widthPx: 256, heightPx: 256, draws }, 2, { binCount: 16 });
    const listed = report.bins.filter((bin) => bin.primitives > 0).map((bin) => bin.id);
    // The diagonal, and the bins below those parts of it where the triangle is not thin yet.
    expect(listed).toEqual([0, 4, 5, 9, 10, 14, 15].filter((id) => listed.includes(id)));
    expect(listed).toEqual(expect.arrayContaining([0, 5, 10, 15]));
  });
});
