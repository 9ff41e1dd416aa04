/**
 * Profiles of the shaders of golden scenes and captures add up to the counters of their reports.
 */
import { type ChipletSpec, chipletPreset, defineChipletSpec } from '@tessera/chiplet-spec';
import {
  addCounters,
  type Counters,
  type Frame,
  type IssueCounts,
  LINE_WAITS,
  type StageCounts,
  WARP_WAITS,
  warpWaitCounterOf,
} from '@tessera/frame';
import { type FrameProbe, LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { parsePlacement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';
import { readSmallCapture, SMALL_CAPTURES } from '../support/recorded-captures.ts';
import { GOLDEN_SCENES } from './scenes.ts';

const VARIANTS: readonly RenderOptions[] = [
  {},
  { coupling: 'none', isVisibilityChipletRendering: false },
  { visibilityShader: 'full', splits: 2 },
];

const sum = (counts: readonly IssueCounts[]): IssueCounts => ({
  issued: counts.reduce((total, { issued }) => total + issued, 0),
  issueCycles: counts.reduce((total, { issueCycles }) => total + issueCycles, 0),
  lanes: counts.reduce((total, { lanes }) => total + lanes, 0),
  lookups: counts.reduce((total, { lookups }) => total + lookups, 0),
});

const sumOf = <Key extends string>(
  key: Key,
  records: readonly (Readonly<Record<Key, number>> | undefined)[],
) => records.reduce((total, record) => total + record![key], 0);

/**
 * Compares the cycles of warps with counters of a report with coupling.
 *
 * @returns Cycles that warps waited for lookups.
 */
function checkWaits(probe: FrameProbe, counters: Counters): number {
  const programs = probe.shaders({ waits: true });
  const summaries = programs.flatMap(({ stages }) => stages);
  for (const kind of WARP_WAITS) {
    const cycles = sumOf(
      kind,
      summaries.map(({ warpCycles }) => warpCycles),
    );
    expect(cycles, kind).toBe(counters[warpWaitCounterOf(kind)] ?? 0);
  }
  const profiles = programs.map(({ program }) => probe.shaderProfile({ program, waits: true }));
  const stages = profiles.flatMap((profile) => profile.stages);
  for (const kind of LINE_WAITS) {
    const expected = counters[warpWaitCounterOf(kind)] ?? 0;
    const partsOf = (parts: readonly IssueCounts[]) => parts.map(({ waits }) => waits);
    expect(sumOf(kind, partsOf(stages.flatMap(({ lines }) => lines))), kind).toBe(expected);
    expect(sumOf(kind, partsOf(stages.flatMap((of) => of.instructions))), kind).toBe(expected);
    for (const { waits, warpCycles, stage } of stages) {
      expect(waits![kind], `${stage} ${kind}`).toBe(warpCycles![kind]);
    }
  }
  const byDraw = programs.flatMap(({ program, draws }) =>
    draws.flatMap((draw) => probe.shaderProfile({ program, draw, waits: true }).stages),
  );
  for (const kind of WARP_WAITS) {
    const cyclesOf = (parts: readonly StageCounts[]) =>
      sumOf(
        kind,
        parts.map(({ warpCycles }) => warpCycles),
      );
    expect(cyclesOf(byDraw), `${kind} by draw`).toBe(cyclesOf(stages));
  }
  for (const { text, lookups, waits } of stages.flatMap((of) => of.instructions)) {
    const isLookup = text.includes('tex');
    if (!isLookup) expect([lookups, waits!.texels, waits!.texelsDram]).toEqual([0, 0, 0]);
  }
  return (
    sumOf(
      'texels',
      summaries.map((of) => of.waits),
    ) +
    sumOf(
      'texelsDram',
      summaries.map((of) => of.waits),
    )
  );
}

/** @param mostRuns Number of times at most that a warp runs its fragment shader. */
async function check(
  gpu: LocalGpu,
  frame: Frame,
  options: RenderOptions = {},
  mostRuns = 1,
): Promise<void> {
  const { report } = await gpu.render(frame, { ...options, timing: 'cycle' });
  const counters: Counters = {};
  for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
  const probe = gpu.probe(frame, options);
  const programs = probe.shaders();

  // 1. All instructions.
  const summaries = programs.flatMap(({ stages }) => stages);
  const total = sum(summaries);
  expect(total.issued, JSON.stringify(options)).toBe(counters['shaderCore.warpInstructions']);
  expect(total.issueCycles, JSON.stringify(options)).toBe(counters['shaderCore.cyclesBusy']);
  expect(total.lookups, JSON.stringify(options)).toBe(counters['textureUnit.requests']);

  // 2. Each run of a warp issues the first instruction of its program once, with all its lanes.
  const profiles = programs.map(({ program }) => probe.shaderProfile({ program }));
  const stages = profiles.flatMap((profile) => profile.stages);
  const firsts = (isFragment: boolean) =>
    sum(
      stages
        .filter(({ stage }) => (stage === 'fragment') === isFragment)
        .map(({ instructions: [first] }) => first!),
    );
  const { issued: runs, lanes: fragmentLanes } = firsts(true);
  expect(fragmentLanes).toBe(
    counters['shading.fragmentsShaded']! + counters['shading.helperLanes']!,
  );
  const warps = counters['warpPacking.warps']!;
  if (mostRuns === 1) expect(runs).toBe(warps);
  else {
    expect(runs).toBeGreaterThan(warps);
    expect(runs).toBeLessThanOrEqual(mostRuns * warps);
  }
  expect(firsts(false)).toMatchObject({
    issued: counters['vertexFetch.warps'],
    lanes: counters['vertexFetch.verticesMissed'],
  });

  // 3. Instructions, lines, stages and draws have the same sums.
  for (const { instructions, lines, issued, issueCycles, lanes, lookups, stage } of stages) {
    expect(sum(instructions), stage).toEqual({ issued, issueCycles, lanes, lookups });
    expect(sum(lines), stage).toEqual({ issued, issueCycles, lanes, lookups });
    for (const each of instructions) expect(each.lanes).toBeLessThanOrEqual(32 * each.issued);
  }
  for (const { program, draws, stages } of programs) {
    const byDraw = draws.flatMap((draw) => probe.shaderProfile({ program, draw }).stages);
    expect(sum(byDraw), `program ${program}`).toEqual(sum(stages));
  }

  // 4. Cycles of warps.
  if (options.coupling === 'none') return;
  const waited = checkWaits(probe, counters);
  if (total.lookups > 0) expect(waited).toBeGreaterThan(0);
}

/** Returns a frame of one pass that draws into four samples per pixel, with further statements. */
function shadePerSample(frame: Frame, statements: string): Frame {
  const { widthPx, heightPx, programs, passes, textures } = frame;
  const many = { widthPx, heightPx, levels: [], isMipmapGenerated: false, sampleCount: 4 };
  const firstTexture = textures.length;
  return {
    ...frame,
    textures: [
      ...textures,
      { sha256: 'colors', format: 'rgba8unorm', ...many },
      { sha256: 'depths', format: 'depth24unorm-stencil8', ...many },
    ],
    programs: programs.map(({ fragmentSource, ...program }) => ({
      ...program,
      fragmentSource: fragmentSource
        .replace('\n', '\n#extension GL_OES_sample_variables : require\n')
        .replace(/\}\s*$/, `${statements} }`),
    })),
    passes: [
      {
        ...passes[0]!,
        target: {
          kind: 'images',
          colors: [{ textureIndex: firstTexture }],
          depthStencil: { textureIndex: firstTexture + 1 },
        },
      },
      { clear: passes[0]!.clear, draws: [] },
    ],
  };
}

describe('shader profiles of golden scenes', () => {
  const gpu = new LocalGpu({ chipletCount: 3 });

  it.each(Object.keys(GOLDEN_SCENES))('%s', async (name) => {
    const frame = await GOLDEN_SCENES[name]!();
    for (const options of VARIANTS) await check(gpu, frame, options);
  });

  it.each(['loongson', 'attila-r5xx'])('%s: warps of another size', async (preset) => {
    const other = new LocalGpu({ chipletCount: 2, spec: chipletPreset(preset) });
    for (const name of ['first', 'terrain', 'occlusion-queries']) {
      await check(other, await GOLDEN_SCENES[name]!());
    }
  });

  it('vertex warps that close because the queue of primitives is full', async () => {
    const spec = defineChipletSpec({ primitiveQueueEntries: 4, postTransformCacheVertices: 16 });
    const narrow = new LocalGpu({ chipletCount: 2, spec });
    const wide = new LocalGpu({ chipletCount: 2 });
    const frame = await GOLDEN_SCENES.terrain!();
    await check(narrow, frame);
    const issuedBy = (other: LocalGpu) =>
      sum(
        other
          .probe(frame)
          .shaders()
          .flatMap(({ stages }) => stages),
      ).issued;
    expect(issuedBy(narrow)).toBeGreaterThan(issuedBy(wide));
  });

  it.each([
    ['without loops', 'o_color += float(gl_SampleID) * 0.1;'],
    ['with lookups', 'o_color += 0.1 * texture(u_texture, gl_SamplePosition + v_texCoord0);'],
    ['with a loop', 'for (int i = 0; i < gl_SampleID; i++) o_color += fract(gl_FragCoord) * 0.1;'],
  ])('shaders that run per sample, %s', async (_name, statements) => {
    const scene = statements.includes('u_texture') ? 'cube' : 'random-triangles';
    const frame = shadePerSample(await GOLDEN_SCENES[scene]!(), statements);
    for (const options of VARIANTS) await check(gpu, frame, options, 4);
  });

  it.each([
    [1, 'replicated'],
    [4, 'interleaved'],
    [3, 'textures=first-touch,buffers=home'],
  ])('waits of %i chiplets, %s', async (chipletCount, word) => {
    const several = new LocalGpu({ chipletCount });
    const options = { placement: parsePlacement(word), timing: 'cycle' } as const;
    for (const name of ['textured-quad', 'texture-linear-interpolation']) {
      const frame = await GOLDEN_SCENES[name]!();
      await check(several, frame, options);
      const stages = several
        .probe(frame, options)
        .shaders({ waits: true })
        .flatMap((program) => program.stages);
      const remote = sumOf(
        'texelsRemote',
        stages.map(({ waits }) => waits),
      );
      if (word === 'replicated') expect(remote).toBe(0);
      else expect(remote).toBeGreaterThan(0);
    }
  });

  it.each<Partial<ChipletSpec>>([
    { textureLookupsPerWarp: 1 },
    { textureLookupsPerWarp: 8, hasFineGrainedIssue: true },
    { queueEntries: 2, registerFileBytes: 4096, smCount: 1, constantCacheBytes: 1024 },
  ])('waits with %j', async (overrides) => {
    const other = new LocalGpu({ chipletCount: 2, spec: defineChipletSpec(overrides) });
    for (const name of ['textured-quad', 'terrain', 'first']) {
      await check(other, await GOLDEN_SCENES[name]!());
    }
  });

  it('belong to the lookup that a warp waits for', async () => {
    const frame = await GOLDEN_SCENES['textured-quad']!();
    const again = frame.programs.map(({ fragmentSource, ...program }) => ({
      ...program,
      fragmentSource: fragmentSource.replace(
        /\}\s*$/,
        '\no_color += fract(o_color * 3.0);\no_color += texture(u_texture, o_color.xy);\n}',
      ),
    }));
    const probe = gpu.probe({ ...frame, programs: again });
    const { stages, fragmentSource } = probe.shaderProfile({ program: 0, waits: true });
    const waitingLines = stages
      .find(({ stage }) => stage === 'fragment')!
      .lines.filter(({ waits }) => waits!.texelsDram + waits!.texels + waits!.texelsL2 > 0);
    const sources = waitingLines.map(({ line }) => fragmentSource.split('\n')[line! - 1]);
    expect(sources).toHaveLength(2);
    for (const source of sources) expect(source).toContain('texture(');
    expect(sources[1]).toContain('o_color.xy');
  });

  it('refuse waits of another organization', async () => {
    const probe = gpu.probe(await GOLDEN_SCENES.cube!(), { organization: 'split-frame' });
    expect(() => probe.shaders({ waits: true })).toThrow('waits: are counted with organization');
  });

  it('passes that read earlier ones', async () => {
    const frame = readPassesFrame();
    for (const options of VARIANTS) await check(gpu, frame, options);
  });

  it('transform feedback', async () => {
    const scene = await GOLDEN_SCENES['texture-linear-interpolation']!();
    const passes = scene.passes.map((pass) => ({ ...pass, target: { kind: 'feedback' } as const }));
    const frame = { ...scene, passes };
    const { visibility } = gpu.renderNow(frame, { timing: 'cycle', coupling: 'none' }).passes[0]!;
    const stages = gpu
      .probe(frame)
      .shaders()
      .flatMap((program) => program.stages);
    expect(stages.length).toBeGreaterThan(0);
    expect(sum(stages).issued).toBe(visibility.counters['shaderCore.warpInstructions']);
  });

  it('refuse a program or draw that does not exist', async () => {
    const probe = gpu.probe(await GOLDEN_SCENES.cube!());
    expect(() => probe.shaderProfile({ program: 1 })).toThrow('there is no program 1');
    const draw = { pass: 0, draw: 7 };
    expect(() => probe.shaderProfile({ program: 0, draw })).toThrow('no draw 7 of pass 0');
  });
});

// Skipped if the captures are not next to the repository.
describe.skipIf(SMALL_CAPTURES.length === 0)('shader profiles of captures', () => {
  it.each(SMALL_CAPTURES.length === 0 ? ['none'] : SMALL_CAPTURES)('%s', async (name) => {
    await check(new LocalGpu({ chipletCount: 4 }), readSmallCapture(name));
  });
});
