/** Features of frames, which need no bins, are those of whole renderings. */
import type { Frame } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { cubeFrame, randomTrianglesFrame, texturedQuadFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { chainPasses } from '../support/chained-passes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const SIZE = { widthPx: 96, heightPx: 64 };
const CHAIN = chainPasses([
  { into: 'texture' },
  { into: 'texture', rect: [-0.5, -0.5, 0.5, 0.5], loads: ['color'] },
  { into: 'screen', shift: [3, 5] },
]);
/** The screen's pass moves its rectangle by a texel that the passes before it drew. */
const VERTEX_TEXTURE: Frame = {
  ...CHAIN,
  programs: CHAIN.programs.map(({ vertexSource, fragmentSource }) => ({
    vertexSource: fragmentSource.includes('texture(image')
      ? vertexSource
          .replace('uniform vec4 rect;', 'uniform vec4 rect;\nuniform highp sampler2D image;')
          .replace(/;\n}$/, ';\n  gl_Position.x += texelFetch(image, ivec2(90, 70), 0).r;\n}')
      : vertexSource,
    fragmentSource: fragmentSource.replace('sampler2D', 'highp sampler2D'),
  })),
};

describe('features of a frame', () => {
  it.each<[string, Frame]>([
    ['triangles', randomTrianglesFrame({ ...SIZE, count: 60, seed: 4 })],
    ['a texture', texturedQuadFrame(SIZE)],
    ['a cube', cubeFrame(SIZE)],
    ['passes into a texture', CHAIN],
    ['a vertex shader that reads a drawn texture', VERTEX_TEXTURE],
    ['a pass that keeps color and depth', readPassesFrame()],
  ])('are those of its rendering: %s', async (_, frame) => {
    for (const visibilityShader of ['minimal', 'full'] as const) {
      const gpu = new LocalGpu({ chipletCount: 2 });
      const options = { visibilityShader, isVisibilityChipletRendering: false };
      const { report, measurement } = await gpu.render(frame, options);
      const sumOf = (name: 'visibility.verticesShaded' | 'visibility.primitivesListed') =>
        report.chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
      const termOf = (term: number) =>
        measurement.passes
          .flatMap(({ bins }) => bins)
          .reduce((sum, { costTerms }) => sum + costTerms[term]!, 0);
      const { id, values } = gpu.countFeatures(frame, options);
      expect(id).toBe(report.frame.sha256);
      expect(values).toMatchObject({
        estimatedCycles: [report.bins.reduce((sum, bin) => sum + bin.estimatedCost, 0)],
        'visibility.verticesShaded': [sumOf('visibility.verticesShaded')],
        'visibility.primitivesListed': [sumOf('visibility.primitivesListed')],
        vertexInstructions: [termOf(2)],
        fragments: [termOf(3)],
        fragmentInstructions: [termOf(4)],
      });
      expect(values.fragments[0]).toBeGreaterThan(0);
    }
  });
});
