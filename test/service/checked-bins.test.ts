/**
 * Workers that return wrong results or nothing do not affect any image or report, and wrong ones
 * are quarantined.
 */
import type { BinResult, Report } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  connectSilentWorker,
  connectTamperingWorker,
  type RogueWorker,
} from '../support/rogue-worker.ts';
import {
  postModel,
  renderUntilTrusted,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=512&height=384&bins=24&chiplets=3';
/** On a busy machine it takes several frames until a worker has rendered its first bin in time. */
const PATIENCE_MS = 60_000;
const TIMED = `${SIZE}&timing=cycle&coupling=none`;
const COUPLED = `${SIZE}&timing=cycle&coupling=exact`;

interface ChipletState {
  readonly instance: string;
  readonly isReady: boolean;
  readonly isTrusted: boolean;
  readonly faults: number;
  readonly setAsideUntilMs: number | null;
}

async function chipletsOf(url: string): Promise<ChipletState[]> {
  const answer = await fetch(`${url}/v1/chiplets`);
  return ((await answer.json()) as { chiplets: ChipletState[] }).chiplets;
}

async function renderReport(url: string, model: Uint8Array, query = SIZE): Promise<Report> {
  const answer = await postModel(url, model, query);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Report;
}

const withoutWall = (report: Report) => ({ ...report, wall: null });

async function readMetric(url: string, line: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
}

/** Posts frames until a worker is quarantined. Each must have the right image and report. */
async function renderUntilQuarantined(
  url: string,
  model: Uint8Array,
  query: string,
  expected: Report,
  instance: string,
): Promise<Report[]> {
  const reports: Report[] = [];
  const deadlineMs = performance.now() + PATIENCE_MS;
  const isQuarantined = async () =>
    (await chipletsOf(url)).find((one) => one.instance === instance)?.setAsideUntilMs !== null;
  while (!(await isQuarantined())) {
    expect(performance.now()).toBeLessThan(deadlineMs);
    const report = await renderReport(url, model, query);
    expect(withoutWall(report)).toEqual(withoutWall(expected));
    reports.push(report);
  }
  return reports;
}

const LIES: readonly [string, (result: BinResult) => BinResult, query?: string][] = [
  [
    'pixels',
    (result) => ({
      ...result,
      colors: result.colors.map((color) => color.map((byte) => byte ^ 1)),
    }),
  ],
  [
    'counters',
    (result) => ({
      ...result,
      counters: { ...result.counters, 'raster.fragmentsCovered': 7_000_000 },
    }),
  ],
  ['cycles', (result) => ({ ...result, cycles: result.cycles! + 1 })],
  [
    'records',
    ({ records, ...result }) => ({
      ...result,
      records: { ...records!, vertices: records!.vertices.map((word) => word ^ 1) },
    }),
    COUPLED,
  ],
];

describe('a worker that lies', () => {
  it.each(LIES)(
    'about %s from its first bin on changes nothing and is quarantined',
    async (_what, lie, query = TIMED) => {
      const model = await makeKnotModel();
      const joined = await startTestService({ workerCount: 2 });
      const { url, lines } = joined;
      const expected = await renderReport(url, model, query);
      const liar = connectTamperingWorker(joined, 'liar', lie);
      await expect
        .poll(async () => (await chipletsOf(url)).find((one) => one.instance === 'liar')?.isReady, {
          timeout: PATIENCE_MS,
        })
        .toBe(true);
      await renderUntilQuarantined(url, model, query, expected, 'liar');
      expect(lines.join('\n')).toContain('chiplet quarantined');
      expect(await readMetric(url, 'tessera_chiplets_quarantined_total')).toBe(1);
      expect(await readMetric(url, 'tessera_chiplets_set_aside')).toBe(1);
      expect((await chipletsOf(url)).filter((one) => one.setAsideUntilMs !== null)).toHaveLength(1);
      liar.stop();
    },
  );

  it('is found after it is trusted by the share of checked bins, and its frame is rendered again', async () => {
    const model = await makeKnotModel();
    const joined = await startTestService({
      workerCount: 2,
      environment: { TESSERA_CHECKED_BINS: '100' },
    });
    const { url } = joined;
    const expected = await renderReport(url, model);
    let isLying = false;
    const liar = connectTamperingWorker(joined, 'liar', (result) =>
      isLying ? LIES[0]![1](result) : result,
    );
    const stateOfLiar = async () => (await chipletsOf(url)).find((one) => one.instance === 'liar');
    await expect
      .poll(async () => (await stateOfLiar())?.isReady, { timeout: PATIENCE_MS })
      .toBe(true);
    await renderUntilTrusted(url, model, SIZE);
    isLying = true;
    await renderUntilQuarantined(url, model, SIZE, expected, 'liar');
    expect(
      await readMetric(url, 'tessera_bin_comparisons_total{outcome="different"}'),
    ).toBeGreaterThan(0);
    liar.stop();
  });
});

describe('the report', () => {
  it('reports the number of checked bins, and none if a single chiplet renders', async () => {
    const model = await makeKnotModel();
    const alone = await startTestService({
      workerCount: 0,
      environment: { TESSERA_CHECKED_BINS: '100' },
    });
    expect((await renderReport(alone.url, model)).wall.checkedBins).toBe(0);
    const all = await startTestService({
      workerCount: 2,
      environment: { TESSERA_CHECKED_BINS: '100' },
    });
    await renderUntilTrusted(all.url, model, SIZE);
    const report = await renderReport(all.url, model);
    // The bin that the visibility chiplet renders during its phase is not assigned.
    const early = report.bins.filter(({ isEarly }) => isEarly).length;
    expect(report.wall.checkedBins).toBe(report.bins.length - early);
    const metric = 'tessera_bin_comparisons_total{outcome="same"}';
    expect(await readMetric(all.url, metric)).toBeGreaterThanOrEqual(report.wall.checkedBins);
  });
});

describe('thirty workers that answer pings and no bin', () => {
  it.each(['true', 'false'])(
    'do not hold up a frame that two others render (visibility chiplet renders: %s)',
    async (isVisibilityRendering) => {
      const model = await makeKnotModel();
      const rogues: RogueWorker[] = [];
      const joined = await startTestService({
        workerCount: 2,
        environment: { TESSERA_VISIBILITY_RENDERS: isVisibilityRendering },
      });
      const { url } = joined;

      for (let i = 0; i < 30; i++) rogues.push(connectSilentWorker(joined, `silent ${i}`));
      await expect
        .poll(async () => (await chipletsOf(url)).filter(({ isReady }) => isReady).length, {
          timeout: PATIENCE_MS,
        })
        .toBe(33);
      const answer = await postModel(url, model, SIZE, { Prefer: 'wait=20' });
      // Such a frame takes under a second without these workers. A chiplet that does not answer is
      // lost after two minutes.
      expect(answer.status).toBe(200);
      expect(rogues.some(({ asked }) => asked() > 0)).toBe(true);
      expect(Math.max(...rogues.map(({ asked }) => asked()))).toBe(1);
      for (const rogue of rogues) rogue.stop();
    },
  );
});
