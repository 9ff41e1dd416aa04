/**
 * Chiplets that run on from bin to bin, against bins that are timed by themselves: same images and
 * counts, the same cycles for a list of one bin, no more memory traffic. Reports do not depend on
 * hosts, or on how far the host lets a machine run at a time.
 */
import { chipletPreset, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import type { Counters, Frame, RecordedRun, Report } from '@tessera/frame';
import { ChipletMachine } from '@tessera/gpu';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_OVERLAP,
  defineInterconnect,
  type FrameMeasurement,
  LINK_TOPOLOGY_NAMES,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const EXACT = { timing: 'cycle', coupling: 'exact', grid: { kind: 'bins', count: 8 } } as const;
const ISOLATED = { ...EXACT, coupling: 'none' } as const;

async function render(frame: Frame, options: RenderOptions, chipletCount = 1, hostCount = 1) {
  return await new LocalGpu({ chipletCount, hostCount }).render(frame, options);
}

function withoutWall({ wall: _wall, ...report }: Report) {
  return JSON.stringify(report);
}

/** Returns the cycles of a run on a machine that has run nothing before. */
function cyclesAlone(machine: ChipletMachine, run: RecordedRun): number {
  machine.feed(run, 0);
  const { cycles } = machine.finish();
  return machine.streamLeftAt(0) > 0 ? machine.streamLeftAt(0) : cycles;
}

function sumOver(report: Report, name: keyof Counters): number {
  return report.chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0);
}

describe('coupled chiplets', () => {
  it.each(Object.keys(GOLDEN_SCENES))(
    'take the cycles of isolated bins for lists of one: %s',
    async (name) => {
      const frame = await GOLDEN_SCENES[name]!();
      for (const preset of ['default', 'hmgpu'] as const) {
        const spec = chipletPreset(preset);
        const gpu = new LocalGpu({ spec });
        const isolated = (await gpu.render(frame, ISOLATED)).measurement;
        const coupled = (await gpu.render(frame, EXACT)).measurement;
        const alone = (run: RecordedRun) =>
          cyclesAlone(new ChipletMachine(spec, { addressSpaces: 1 }), run);
        for (const [index, pass] of coupled.passes.entries()) {
          const { bins, visibilityCycles } = isolated.passes[index]!;
          expect(alone(pass.visibilityRecords!)).toBe(visibilityCycles);
          for (const [bin, { records, isEarly }] of pass.bins.entries()) {
            if (!isEarly) expect(alone(records!)).toBe(bins[bin]!.cycles);
          }
        }
      }
    },
  );

  it.each(Object.keys(GOLDEN_SCENES))(
    'draw the same image with the same counts: %s',
    async (name) => {
      const frame = await GOLDEN_SCENES[name]!();
      const isolated = await render(frame, ISOLATED);
      const coupled = await render(frame, EXACT);
      expect(coupled.image.rgba).toEqual(isolated.image.rgba);
      for (const counter of ['raster.fragmentsCovered', 'shaderCore.warpInstructions'] as const) {
        expect(sumOver(coupled.report, counter)).toBe(sumOver(isolated.report, counter));
      }
      const bytes = sumOver(coupled.report, 'memory.bytesRead');
      expect(bytes).toBeLessThanOrEqual(sumOver(isolated.report, 'memory.bytesRead'));
      expect(coupled.report.totals.cycles).toBeLessThan(isolated.report.totals.cycles! * 1.02);
      expect([isolated.report.coupling, coupled.report.coupling]).toEqual(['none', 'exact']);
    },
  );

  it('have reports that no host influences, and that repeat', async () => {
    const frame = readPassesFrame();
    for (const policy of ['static', 'dynamic', 'dynamic-longest-first']) {
      const options = { ...EXACT, policy, visibilityShader: 'full' } as const;
      for (const chipletCount of [1, 2, 5, 16]) {
        const { report } = await render(frame, options, chipletCount);
        const other = await render(frame, options, chipletCount, 3);
        expect(withoutWall(other.report)).toBe(withoutWall(report));
        // A chiplet has one oldest bin at a time.
        for (const { id, busyCycles, idleCycles } of report.chiplets) {
          const own = report.bins
            .filter(({ chiplet }) => chiplet === id)
            .sort((a, b) => a.startCycle! - b.startCycle!);
          for (let i = 1; i < own.length; i++) {
            expect(own[i]!.startCycle).toBeGreaterThanOrEqual(own[i - 1]!.endCycle!);
          }
          expect(busyCycles! + idleCycles!).toBe(report.totals.cycles);
          expect(idleCycles).toBeGreaterThanOrEqual(0);
        }
      }
    }
  });

  it('do not depend on how far a machine runs at a time, or on the windows of the simulation', async () => {
    const gpu = new LocalGpu();
    const frame = readPassesFrame();
    const { measurement } = await gpu.render(frame, EXACT);
    const simulate = (frames: readonly FrameMeasurement[], makeMachine: () => ChipletMachine) =>
      simulateFrames(frames, {
        chipletCount: 3,
        isVisibilityChipletRendering: true,
        policy: 'dynamic-pull',
        interconnect: DEFAULT_INTERCONNECT,
        overlap: DEFAULT_OVERLAP,
        framesInFlight: 2,
        makeMachine,
      });
    const whole = simulate(
      [measurement, measurement],
      () => new ChipletMachine(DEFAULT_CHIPLET_SPEC),
    );
    for (const window of [1, 17, 4000]) {
      const cut = () => new CutMachine(DEFAULT_CHIPLET_SPEC, window);
      expect(simulate([measurement, measurement], cut)).toEqual(whole);
    }
  });
});

describe('records', () => {
  // Hosts that checked each other's bins would find false differences.
  it.each([...Object.keys(GOLDEN_SCENES), 'passes'])(
    'are the same on a host that rendered other frames before: %s',
    async (name) => {
      const frame = name === 'passes' ? readPassesFrame() : await GOLDEN_SCENES[name]!();
      const measure = async (gpu: LocalGpu) => {
        const options = { ...EXACT, visibilityShader: 'full' } as const;
        const { measurement } = await gpu.render(frame, options);
        return measurement.passes.flatMap(({ visibilityRecords, bins }) => [
          visibilityRecords,
          ...bins.map(({ records }) => records),
        ]);
      };
      const used = new LocalGpu();
      for (const other of ['random-triangles', 'textured-quad']) {
        await used.render(await GOLDEN_SCENES[other]!(), EXACT);
      }
      const [first, second] = [await measure(new LocalGpu()), await measure(used)];
      expect(second).toHaveLength(first.length);
      for (const [index, run] of first.entries()) expect(second[index]).toEqual(run);
    },
  );
});

describe('topologies of coupled chiplets', () => {
  it.each(LINK_TOPOLOGY_NAMES)('draw the same image, whatever the hosts: %s', async (topology) => {
    const frame = readPassesFrame();
    const isolated = await render(frame, ISOLATED);
    const interconnect = defineInterconnect({ topology });
    for (const chipletCount of [2, 6]) {
      const options = { ...EXACT, interconnect };
      const { image, report } = await render(frame, options, chipletCount);
      expect(image.rgba).toEqual(isolated.image.rgba);
      expect(report.link).toMatchObject({ topology });
      const other = await render(frame, options, chipletCount, 3);
      expect(withoutWall(other.report)).toBe(withoutWall(report));
    }
  });

  it.each(['mesh', 'switch', 'packages'])('need the packet network: %s', async (topology) => {
    const interconnect = defineInterconnect({ topology });
    for (const options of [ISOLATED, { ...EXACT, timing: 'functional' }] as const) {
      await expect(render(readPassesFrame(), { ...options, interconnect }, 2)).rejects.toThrow(
        `link topology: '${topology}' needs timing cycle and coupling exact`,
      );
    }
  });
});

describe('a chiplet that runs on', () => {
  it('takes snapshots for queries in almost no time', async () => {
    const frame = await GOLDEN_SCENES['random-triangles']!();
    const drawCount = frame.passes[0]!.draws.length;
    const cyclesWith = async (count: number) => {
      const queries = Array.from({ length: count }, (_, i) => ({
        firstDraw: i % drawCount,
        drawCount: 1,
      }));
      const passes = frame.passes.map((pass) => ({ ...pass, queries }));
      const { report } = await render({ ...frame, passes }, EXACT, 4);
      return report.totals.cycles!;
    };
    const without = await cyclesWith(0);
    expect(await cyclesWith(1)).toBeLessThan(1.01 * without);
    expect(await cyclesWith(16)).toBeLessThan(1.02 * without);
  });

  it('runs on from frame to frame of a sequence', async () => {
    const frame = readPassesFrame();
    const sequenceOf = async (coupling: 'none' | 'exact') => {
      const gpu = new LocalGpu({ chipletCount: 4 });
      const images: string[] = [];
      const { report } = await gpu.renderSequence(
        Array.from({ length: 8 }, () => async () => frame),
        {
          ...EXACT,
          coupling,
          onFrame: ({ report: { image } }) => void images.push(image.sha256),
        },
      );
      return { report, images };
    };
    const isolated = await sequenceOf('none');
    const coupled = await sequenceOf('exact');
    expect(coupled.images).toEqual(isolated.images);
    expect(coupled.report.totals.cycles).toBeLessThan(isolated.report.totals.cycles!);
    const { speedUp, speedUpBound } = coupled.report.steadyState!;
    expect(speedUp).toBeGreaterThan(1);
    expect(speedUp).toBeLessThan(speedUpBound * 1.05);
  });
});

/** Machine that the host lets run for a few cycles at a time. */
class CutMachine extends ChipletMachine {
  readonly #window: number;

  constructor(spec: ConstructorParameters<typeof ChipletMachine>[0], window: number) {
    super(spec);
    this.#window = window;
  }

  override advance(until: number): void {
    const [leftBefore, storedBefore] = [this.leftCount, this.storedCount];
    const hasEvent = () => this.leftCount > leftBefore || this.storedCount > storedBefore;
    do super.advance(Math.min(until, this.cycle + this.#window));
    while (this.cycle < until && !this.wantsRun && !hasEvent());
  }
}
