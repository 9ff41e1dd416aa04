/**
 * Hosts that are slow, fast and lost at random in wall time do not change the image or the report.
 */

import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import {
  type BinResult,
  type Chiplet,
  type FrameId,
  makeCoarseBinGrid,
  type PreparedFrame,
  type RenderBinRequest,
  RenderError,
  type VisibilitySummary,
} from '@tessera/frame';
import { createLocalChiplet } from '@tessera/gpu';
import {
  BIN_ASSIGNMENT_POLICIES,
  InProcessCrosslink,
  ProgramCache,
  prepareFrame,
  renderFrame,
  renderSequence,
} from '@tessera/multi-chiplet';
import { cubeFrame } from '@tessera/scenes';
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';

const POLICIES = Object.keys(BIN_ASSIGNMENT_POLICIES);
const RUNS = 50;
const SPEC = summarizeSpec(DEFAULT_CHIPLET_SPEC);
const SIZE = { widthPx: 192, heightPx: 128 };

/** A host that answers late, in a different order than others, and is sometimes lost. */
class SlowedHost implements Chiplet {
  readonly id: number;
  readonly #host: Chiplet;
  readonly #random: SeededRandom;
  readonly #lossRate: number;
  #isLost = false;

  constructor(host: Chiplet, random: SeededRandom, lossRate: number) {
    this.id = host.id;
    this.#host = host;
    this.#random = random;
    this.#lossRate = lossRate;
  }

  async computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    await this.#delay();
    return this.#host.computeVisibility(frameId, frame, passIndex);
  }

  async renderBin(request: RenderBinRequest): Promise<BinResult> {
    await this.#delay();
    this.#isLost ||= this.#random.between(0, 1) < this.#lossRate;
    if (this.#isLost) throw new RenderError('CHIPLET_LOST', `host ${this.id}`);
    const result = await this.#host.renderBin(request);
    await this.#delay();
    return result;
  }

  releaseFrame(frameId: FrameId): void {
    this.#host.releaseFrame(frameId);
  }

  #delay(): Promise<void> {
    const chance = this.#random.between(0, 1);
    return new Promise((resolve) => {
      if (chance < 0.4) resolve();
      else if (chance < 0.8) setImmediate(resolve);
      else setTimeout(resolve, chance < 0.95 ? 1 : 3);
    });
  }
}

const crosslink = new InProcessCrosslink();
const HOSTS = Array.from({ length: 3 }, (_, id) => {
  const chiplet = createLocalChiplet({ id, crosslink });
  if (id > 0) crosslink.connect(chiplet);
  return chiplet;
});

const programs = new ProgramCache();

function prepare(timing: 'functional' | 'cycle'): PreparedFrame {
  return prepareFrame(cubeFrame(SIZE), {
    grid: makeCoarseBinGrid(SIZE.widthPx, SIZE.heightPx, 3, 2),
    visibilityShader: 'minimal',
    timing,
    programs,
  });
}

/** Returns hosts in a different number and order of speed in each run. The first is never lost. */
function slowHosts(seed: number): Chiplet[] {
  const random = seededRandom(seed);
  const count = 1 + (seed % HOSTS.length);
  return HOSTS.slice(0, count).map((host, i) => new SlowedHost(host, random, i === 0 ? 0 : 0.05));
}

const clock = () => performance.now();

describe.each(POLICIES)('%s', (policy) => {
  it.each(['functional', 'cycle'] as const)(
    `gives the same image and report in ${RUNS} runs, however slow hosts are: %s`,
    async (timing) => {
      const frame = prepare(timing);
      const results = new Set<string>();
      let retriedBins = 0;
      for (let run = 0; run < RUNS; run++) {
        const { image, report } = await renderFrame(frame, {
          frameId: `${policy} ${timing} ${run}`,
          hosts: slowHosts(run),
          chipletCount: 5,
          policy,
          isVisibilityChipletRendering: true,
          spec: SPEC,
          readClockMs: clock,
        });
        retriedBins += report.wall.retriedBins;
        const pixels = Buffer.from(image.rgba).toString('base64');
        results.add(`${JSON.stringify({ ...report, wall: null })} ${pixels}`);
      }
      expect(results.size).toBe(1);
      expect(retriedBins).toBeGreaterThan(0);
    },
  );

  it('gives the same report of a sequence whose frames overlap in wall time', async () => {
    const frame = prepare('cycle');
    const reports = new Set<string>();
    for (let run = 0; run < 4; run++) {
      const { report, timeline } = await renderSequence(
        new Array(5).fill(async () => frame),
        {
          sequenceId: `${policy} ${run}`,
          hosts: slowHosts(run),
          chipletCount: 4,
          policy,
          isVisibilityChipletRendering: true,
          framesInFlight: 3,
          spec: SPEC,
          onFrame: () => {},
          readClockMs: clock,
        },
      );
      reports.add(JSON.stringify([{ ...report, wall: null }, timeline]));
    }
    expect(reports.size).toBe(1);
  });
});

describe('chiplets and hosts', () => {
  it('need not be the same number', async () => {
    const frame = prepare('cycle');
    for (const chipletCount of [1, 2, 8]) {
      const results = new Set<string>();
      for (const hostCount of [1, 2, 3]) {
        const { report } = await renderFrame(frame, {
          frameId: `${chipletCount} on ${hostCount}`,
          hosts: HOSTS.slice(0, hostCount),
          chipletCount,
          policy: 'dynamic-pull',
          isVisibilityChipletRendering: true,
          spec: SPEC,
          readClockMs: clock,
        });
        expect(report.chiplets).toHaveLength(chipletCount);
        results.add(JSON.stringify({ ...report, wall: null }));
      }
      expect(results.size).toBe(1);
    }
  });
});
