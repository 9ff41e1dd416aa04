/**
 * Estimates of frames in a real browser equal the figures of the service with `coupling=none`, to
 * the bit: those of frames that it renders with other settings, and those of sequences. By default
 * a sample of scenes is compared. `npm run explore:captures` compares all captures. Skipped without
 * chromium.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report, SequenceReport } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import { ESTIMATES_PATH, serveEstimates } from '../support/page-estimates.ts';
import { queryOf, randomSettings, type Settings } from '../support/random-settings.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const MODELS = join(import.meta.dirname, '../golden/models');
const CAPTURES = resolve(import.meta.dirname, '../../../shared/captures');
const SETTINGS_COUNT = 20;
const SEED = 22;
/** Upper bound on the frames of a sequence. */
const MAX_FRAMES = 3;

/** Scenes that are compared by default: file and query. */
const SAMPLE = [
  [join(MODELS, 'BoxVertexColors.glb'), 'width=256&height=192&bins=16'],
  [join(MODELS, 'TextureLinearInterpolationTest.glb'), 'width=320&height=192&bins=24'],
  [join(CAPTURES, 'buffer/200x150/trace.trace'), 'bins=12'],
  [join(CAPTURES, 'ideas/200x150/trace.trace'), 'bins=12&split=2'],
] as const;

const isComplete = process.env.TESSERA_EXPLORE_SCENES === 'captures';
const SCENES = isComplete
  ? globSync('**/*.trace', { cwd: CAPTURES })
      .sort()
      .map((name) => [join(CAPTURES, name), 'bins=12'] as const)
  : SAMPLE.filter(([file]) => existsSync(file));
/** Number of settings with which the service renders a scene as well. */
const RENDERED_COUNT = isComplete ? 1 : 5;

/** Figures of the page, and the intervals of the bins. */
interface Estimated {
  readonly figures: Readonly<Record<string, number>>;
  readonly chiplets: readonly {
    readonly binCount: number;
    readonly busyCycles: number;
    readonly idleShare: number;
  }[];
  readonly bins: readonly BinInterval[];
  /** Last cycle of each frame. */
  readonly ends: readonly number[];
}

type BinInterval = readonly [chiplet: number, startCycle: number, endCycle: number];

/** Part of a Chrome trace. */
interface Timeline {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly ph: string;
    readonly pid: number;
    readonly ts: number;
    readonly dur: number;
    readonly args: Readonly<Record<string, unknown>>;
  }[];
}

const executablePath = findChromium();

describe.skipIf(executablePath === null)('estimates in the page', { timeout: 1_800_000 }, () => {
  let url: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    await serveEstimates(page);
    await page.goto(`${url}/#/`);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
  });

  async function post(path: string, init: RequestInit = {}): Promise<string> {
    const answer = await fetch(`${url}${path}`, { method: 'POST', ...init });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return answer.headers.get('Location')!.split('/').at(-1)!;
  }

  async function resultOf<T>(path: string): Promise<T> {
    for (;;) {
      const answer = await fetch(`${url}${path}`);
      if (answer.status === 200) return (await answer.json()) as T;
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect(code, detail).toBe('RESULT_NOT_READY');
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /**
   * Estimates in the browser with the modules of the page. The code is a text, because the test
   * runner would replace a dynamic import.
   */
  function estimate(id: string, all: readonly Settings[]): Promise<Estimated[]> {
    return page.evaluate(`(async () => {
      const { estimateFrame, idleShareOf } = await import('${ESTIMATES_PATH}');
      const measurement = await (await fetch('/v1/frames/${id}/measurement')).json();
      return ${JSON.stringify(all)}.map((settings) => {
        const { figures, chiplets, simulated } = estimateFrame(measurement, settings);
        const bins = simulated.frames.flatMap(({ passes }) => passes.flatMap((pass) =>
          pass.bins.map((bin) => [bin.chipletId, bin.startCycle, bin.endCycle]),
        ));
        return {
          figures,
          chiplets: chiplets.map(({ binCount, busyCycles }) => ({
            binCount, busyCycles, idleShare: idleShareOf(busyCycles, figures.cycles),
          })),
          bins,
          ends: simulated.frames.map(({ endCycle }) => endCycle),
        };
      });
    })()`);
  }

  /** Compares an estimate with the report of a frame. */
  async function compareWithFrame(id: string, estimated: Estimated, place: string): Promise<void> {
    const report = await resultOf<Report>(`/v1/frames/${id}/report`);
    const { totals, assignment, chiplets, link, bins } = report;
    const idle = chiplets.reduce((sum, { idleShare }) => sum + idleShare!, 0);
    expect(estimated.figures, place).toMatchObject({
      cycles: totals.cycles,
      idleShare: idle / chiplets.length,
      imbalance: assignment.imbalance,
      makespanCycles: assignment.makespanCycles,
      lowerBoundCycles: assignment.lowerBoundCycles,
      linkBytes: link.bytes,
    });
    const intervals = bins.map(({ chiplet, startCycle, endCycle }) => [
      chiplet,
      startCycle,
      endCycle,
    ]);
    expect(estimated.bins, place).toEqual(intervals);
    expect(estimated.chiplets, place).toEqual(
      chiplets.map(({ binCount, busyCycles, idleShare }) => ({ binCount, busyCycles, idleShare })),
    );
  }

  /** Compares an estimate with the report and the timeline of a sequence. */
  async function compareWithSequence(
    id: string,
    estimated: Estimated,
    place: string,
  ): Promise<void> {
    const path = `/v1/sequences/${id}`;
    const { totals, chiplets, link, frames } = await resultOf<SequenceReport>(`${path}/report`);
    expect(estimated.figures, place).toMatchObject({
      cycles: totals.cycles,
      linkBytes: link.bytes,
    });
    expect(estimated.ends, place).toEqual(frames.map(({ endCycle }) => endCycle));
    expect(
      estimated.chiplets.map(({ busyCycles, idleShare }) => ({ busyCycles, idleShare })),
      place,
    ).toEqual(chiplets.map(({ busyCycles, idleShare }) => ({ busyCycles, idleShare })));
    const { traceEvents } = await resultOf<Timeline>(`${path}/timeline`);
    const bins = traceEvents
      .filter(({ ph, name, args }) => ph === 'X' && /\bbin \d+$/.test(name) && 'cycles' in args)
      .map(({ pid, ts, dur }): BinInterval => {
        const start = Math.round(ts * 1000);
        return [pid, start, start + Math.round(dur * 1000)];
      });
    expect(bins, place).toEqual(estimated.bins);
  }

  it.each(SCENES)('equal the figures of the service: %s, %s', async (file, query) => {
    const random = seededRandom(SEED);
    const gpus = Array.from({ length: SETTINGS_COUNT }, () => randomSettings(random));
    const alone = gpus.map((gpu) => ({ ...gpu, frames: 1 }));
    const inOrder = gpus.map((gpu) => ({ ...gpu, frames: random.integer(1, MAX_FRAMES) }));
    const type = file.endsWith('.glb') ? 'model/gltf-binary' : 'application/vnd.apitrace';
    const id = await post(`/v1/frames?${query}&coupling=none&${queryOf(gpus[0]!)}`, {
      headers: { 'Content-Type': type },
      body: new Uint8Array(readFileSync(file)),
    });
    await resultOf(`/v1/frames/${id}/report`);
    const ofFrames = await estimate(id, alone);
    const ofSequences = await estimate(id, inOrder);
    for (const [index, gpu] of gpus.entries()) {
      if (index < RENDERED_COUNT) {
        const rendered = index === 0 ? id : await post(`/v1/frames/${id}/again?${queryOf(gpu)}`);
        await compareWithFrame(rendered, ofFrames[index]!, JSON.stringify(gpu));
      }
      const { frames } = inOrder[index]!;
      const sequence = await post(`/v1/sequences?${queryOf({ ...gpu, inFlight: frames })}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ frames: new Array<string>(frames).fill(id) }),
      });
      await compareWithSequence(sequence, ofSequences[index]!, JSON.stringify(inOrder[index]));
      await fetch(`${url}/v1/sequences/${sequence}`, { method: 'DELETE' });
    }
  });
});
