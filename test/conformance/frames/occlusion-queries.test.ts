/**
 * Occlusion queries count exactly the fragments that their draws add to the output merger's
 * counter, on any number of chiplets and with any options. The reference renders the frame up to
 * the first and up to the last draw of a query, without queries, and takes the difference.
 */
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import {
  type Chiplet,
  chooseCoarseBinGrid,
  type Draw,
  type Frame,
  type Pass,
  type PassQuery,
  type PipelineState,
  parseGridRequest,
  RenderError,
  type Report,
  type TextureResource,
} from '@tessera/frame';
import { createLocalChiplet } from '@tessera/gpu';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  InProcessCrosslink,
  ProgramCache,
  prepareFrame,
  renderFrame,
} from '@tessera/multi-chiplet';
import { randomTrianglesFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';

const SIZE = { widthPx: 180, heightPx: 140 } as const;
const CLEAR = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;
const TRIANGLES_PER_DRAW = 6;
const SCREEN: RenderOptions = { grid: { kind: 'bins', count: 6 } };
const one = new LocalGpu({ chipletCount: 1 });

/** Fragment shaders: plain, with discarded fragments, with depths of its own. */
const BODIES = [
  '',
  'if (fract(gl_FragCoord.x * 0.37 + gl_FragCoord.y * 0.11) < 0.4) discard;',
  'gl_FragDepth = fract(gl_FragCoord.z * 1.7);',
];

/** Repeatable numbers from 0 to `end` − 1. */
function makeChoices(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

function chooseState(state: PipelineState, choose: (end: number) => number): PipelineState {
  const isStencilOn = choose(3) === 0;
  const face = { ...state.stencil.front, compare: 'not-equal', reference: choose(2) } as const;
  const counting = { ...face, onPass: 'increment-clamp', onDepthFail: 'invert' } as const;
  return {
    ...state,
    depth: {
      isTestEnabled: choose(4) > 0,
      isWriteEnabled: choose(3) > 0,
      compare: (['less', 'less-equal', 'greater', 'always'] as const)[choose(4)]!,
    },
    stencil: { isTestEnabled: isStencilOn, front: counting, back: counting },
    cullMode: (['none', 'back', 'front-and-back'] as const)[Math.max(0, choose(5) - 2)]!,
    colorMask: choose(4) === 0 ? [false, false, false, false] : [true, true, true, true],
    scissor: choose(4) === 0 ? { x: 40, y: 20, width: 60, height: 70 } : null,
  };
}

function chooseQueries(drawCount: number, choose: (end: number) => number): PassQuery[] {
  const queries = Array.from({ length: drawCount }, (_, firstDraw) => ({
    firstDraw,
    drawCount: 1,
  }));
  for (let i = 0; i < 6; i++) {
    const firstDraw = choose(drawCount);
    queries.push({ firstDraw, drawCount: 1 + choose(drawCount - firstDraw) });
  }
  return queries;
}

/**
 * Makes a frame of two passes with queries into the same target; the second continues the first.
 */
function makeFrame(seed: number, sampleCount: number): Frame {
  const choose = makeChoices(seed);
  const base = randomTrianglesFrame({ ...SIZE, seed, count: 120, size: 0.6, blendedShare: 0 });
  const { vertexSource, fragmentSource } = base.programs[0]!;
  const programs = BODIES.map((body) => ({
    vertexSource,
    fragmentSource: fragmentSource.replace('void main() {', `void main() { ${body}`),
  }));
  const [all] = base.passes[0]!.draws as readonly [Draw];
  const draws = Array.from(
    { length: 20 },
    (_, index): Draw => ({
      ...all,
      first: index * TRIANGLES_PER_DRAW * 3,
      count: TRIANGLES_PER_DRAW * 3,
      programIndex: choose(BODIES.length),
      state: chooseState(all.state, choose),
    }),
  );
  const makeTarget = (name: string, format: TextureResource['format']): TextureResource => ({
    sha256: name,
    format,
    ...SIZE,
    levels: [],
    isMipmapGenerated: false,
    sampleCount,
  });
  const target = {
    kind: 'images',
    colors: [{ textureIndex: 0 }],
    depthStencil: { textureIndex: 1 },
  } as const;
  const passes: Pass[] = [draws.slice(0, 11), draws.slice(11)].map((part, index) => ({
    clear: CLEAR,
    draws: part,
    queries: chooseQueries(part.length, choose),
    ...(sampleCount === 1 ? {} : { target }),
    ...(index === 0 ? {} : { loads: ['color', 'depth', 'stencil'] as const }),
  }));
  return {
    ...base,
    programs,
    textures:
      sampleCount === 1
        ? []
        : [makeTarget('color', 'rgba8unorm'), makeTarget('depth', 'depth24unorm-stencil8')],
    passes: sampleCount === 1 ? passes : [...passes, { clear: CLEAR, draws: [] }],
  };
}

const withoutQueries = (frame: Frame): Frame => ({
  ...frame,
  passes: frame.passes.map(({ queries: _none, ...pass }) => pass),
});

const writtenOf = ({ chiplets }: Report): number =>
  chiplets.reduce((sum, { counters }) => sum + (counters['output.fragmentsWritten'] ?? 0), 0);

/** Returns the count of each query of each pass, from frames without queries. */
async function countByPrefixes(frame: Frame): Promise<number[][]> {
  const counts: number[][] = [];
  for (const [passIndex, { draws, queries = [] }] of frame.passes.entries()) {
    const written: number[] = [];
    for (let end = 0; end <= draws.length; end++) {
      const passes = frame.passes.map((pass, index) => {
        if (index < passIndex) return pass;
        return { ...pass, draws: index === passIndex ? draws.slice(0, end) : [] };
      });
      const { report } = await one.render(withoutQueries({ ...frame, passes }), SCREEN);
      written.push(writtenOf(report));
    }
    counts.push(
      queries.map(
        ({ firstDraw, drawCount }) => written[firstDraw + drawCount]! - written[firstDraw]!,
      ),
    );
  }
  return counts;
}

const OPTIONS: readonly (readonly [string, number, RenderOptions])[] = [
  ['one chiplet', 1, SCREEN],
  ['two chiplets, one bin', 2, { grid: parseGridRequest('1') }],
  ['eight chiplets', 8, { grid: parseGridRequest('8/chiplet') }],
  ['an early bin', 2, { ...SCREEN, visibilityShader: 'full' }],
  ['an early bin, timed', 2, { ...SCREEN, visibilityShader: 'full', timing: 'cycle' }],
  ['split bins, timed', 3, { grid: parseGridRequest('2x1'), splits: 3, timing: 'cycle' }],
  ['occlusion', 2, { ...SCREEN, visibilitySwitches: { cullsOccluded: true } }],
  ['no culling', 2, { ...SCREEN, visibilitySwitches: { cullsPrimitives: false } }],
];

describe('occlusion queries', { timeout: 120_000 }, () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 4],
  ])(
    'count the fragments that pass, whatever renders them: seed %i, %i samples',
    async (seed, sampleCount) => {
      const frame = makeFrame(seed, sampleCount);
      const expected = await countByPrefixes(frame);
      expect(new Set(expected.flat()).size).toBeGreaterThan(10);
      expect(expected.flat()).toContain(0);
      const { report: plain } = await one.render(withoutQueries(frame), SCREEN);
      expect(plain.passes[0]!.queryCounts).toBeUndefined();
      for (const [name, chipletCount, options] of OPTIONS) {
        const { report } = await new LocalGpu({ chipletCount }).render(frame, options);
        const counts = report.passes.map(({ queryCounts = [] }) => queryCounts);
        expect(counts, name).toEqual(expected);
        expect(report.image, name).toEqual(plain.image);
      }
    },
  );

  it('count each bin once if a host is lost in the middle of a frame', async () => {
    const frame = makeFrame(6, 1);
    const prepared = prepareFrame(frame, {
      grid: chooseCoarseBinGrid({ kind: 'bins', count: 12 }, SIZE.widthPx, SIZE.heightPx, 2),
      visibilityShader: 'minimal',
      timing: 'functional',
      programs: new ProgramCache(),
    });
    const crosslink = new InProcessCrosslink();
    const first = createLocalChiplet({ id: 0, crosslink });
    const second = createLocalChiplet({ id: 1, crosslink });
    crosslink.connect(second);
    let answers = 0;
    const lost: Chiplet = {
      id: 1,
      computeVisibility: () => Promise.reject(new Error('not the visibility chiplet')),
      releaseFrame: (frameId) => second.releaseFrame(frameId),
      renderBin: async (request) => {
        const result = await second.renderBin(request);
        if (++answers > 2) throw new RenderError('CHIPLET_LOST', 'chiplet 1: gone');
        return result;
      },
    };
    const { report } = await renderFrame(prepared, {
      chipletCount: 2,
      policy: 'dynamic',
      isVisibilityChipletRendering: true,
      spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
      frameId: 'queries',
      hosts: [first, lost],
      readClockMs: () => 0,
    });
    expect(report.wall.retriedBins).toBeGreaterThan(0);
    const { report: expected } = await one.render(frame, SCREEN);
    const countsOf = ({ passes }: Report) => passes.map(({ queryCounts }) => queryCounts);
    expect(countsOf(report)).toEqual(countsOf(expected));
  });

  it('write a line at the beginning and the end of each query that a bin has draws of', async () => {
    const frame = makeFrame(5, 1);
    const pass = frame.passes[0]!;
    const options: RenderOptions = { grid: parseGridRequest('1'), timing: 'cycle' };
    const written = async (queries: readonly PassQuery[]) => {
      const { report } = await one.render({ ...frame, passes: [{ ...pass, queries }] }, options);
      return report.chiplets[0]!.counters['memory.commandBytesWritten'];
    };
    const drawn = pass.draws.findIndex(({ state }) => state.cullMode === 'none');
    const culled = pass.draws.findIndex(({ state }) => state.cullMode === 'front-and-back');
    expect(await written([])).toBe(0);
    expect(await written([{ firstDraw: drawn, drawCount: 1 }])).toBe(2 * 64);
    expect(await written([{ firstDraw: culled, drawCount: 1 }])).toBe(0);
    const all = { firstDraw: 0, drawCount: pass.draws.length };
    expect(await written([all, { firstDraw: drawn, drawCount: 1 }, all])).toBe(6 * 64);
  });
});
