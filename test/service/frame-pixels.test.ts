/**
 * Heat maps, histories of pixels, draws and shaders of posted frames: sums over all passes equal
 * the counters of the report, histories end with the colors of the image, and errors have their
 * names.
 */
import {
  addCounters,
  type Counters,
  HEAT_METRICS,
  type HeatMetricName,
  type PixelHistory,
  type ProbedDraw,
  type ProgramSummary,
  type Report,
  type ShaderProfile,
  WARP_WAITS,
  warpWaitCounterOf,
} from '@tessera/frame';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodePng } from '../support/compare-images.ts';
import { writePassesCapture } from '../support/passes-capture.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

interface HeatMapBody {
  readonly pass: number;
  readonly widthPx: number;
  readonly columns: number;
  readonly rows: number;
  readonly total: number;
  readonly max: number;
  readonly counter: string | null;
  readonly values: readonly number[];
}

describe('pixels of a frame', () => {
  let url: string;
  let model: string;
  let capture: string;

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
    model = await post(
      '?width=67&height=49&quality=simple&bins=4',
      await makeModelGlb(),
      'model.glb',
    );
    capture = await post('?bins=4&timing=functional', writePassesCapture(), 'passes.trace');
  });

  async function post(query: string, bytes: Uint8Array, name: string): Promise<string> {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(bytes)]), name);
    const answer = await fetch(`${url}/v1/frames${query}`, {
      method: 'POST',
      headers: { Prefer: 'wait=60' },
      body,
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    const at = answer.headers.get('content-location') ?? answer.headers.get('location');
    return at!.split('/')[3]!;
  }

  const get = (id: string, path: string) => fetch(`${url}/v1/frames/${id}/${path}`);

  async function readJson<Body>(id: string, path: string): Promise<Body> {
    const answer = await get(id, path);
    expect(answer.status, await answer.clone().text()).toBe(200);
    return (await answer.json()) as Body;
  }

  async function countersOf(id: string): Promise<Counters> {
    const { chiplets } = await readJson<Report>(id, 'report');
    const counters: Counters = {};
    for (const chiplet of chiplets) addCounters(counters, chiplet.counters);
    return counters;
  }

  it('add up to the counters of the report, over all passes', async () => {
    for (const [id, passes] of [
      [model, 1],
      [capture, 3],
    ] as const) {
      const counters = await countersOf(id);
      for (const [metric, { counter }] of Object.entries(HEAT_METRICS)) {
        // Lines are counted with cycle timing only.
        if (counter === null || counter === 'link.remote.textureBytes') continue;
        if (metric === 'textureLines' && id === capture) continue;
        let total = 0;
        for (let pass = 0; pass < passes; pass++) {
          const map = await readJson<HeatMapBody>(id, `heatmap?metric=${metric}&pass=${pass}`);
          expect(map.counter).toBe(counter);
          expect(map.values).toHaveLength(map.columns * map.rows);
          expect(map.values.reduce((sum, value) => sum + value, 0)).toBe(map.total);
          expect(Math.max(...map.values)).toBe(map.max);
          total += map.total;
        }
        expect(total, `${metric} of ${passes} passes`).toBe(counters[counter] ?? 0);
      }
    }
  });

  it('are summed over blocks and drawn on request', async () => {
    const metric: HeatMetricName = 'overdraw';
    const pixels = await readJson<HeatMapBody>(model, `heatmap?metric=${metric}`);
    const blocks = await readJson<HeatMapBody>(model, `heatmap?metric=${metric}&block=4`);
    expect([blocks.columns, blocks.rows, blocks.total]).toEqual([17, 13, pixels.total]);
    const answer = await get(model, `heatmap?metric=${metric}&format=png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const image = decodePng(new Uint8Array(await answer.arrayBuffer()));
    expect([image.widthPx, image.heightPx]).toEqual([67, 49]);
    for (const [pixel, value] of pixels.values.entries()) {
      const isBlack = image.rgba.subarray(pixel * 4, pixel * 4 + 3).every((c) => c === 0);
      expect(isBlack, `pixel ${pixel}`).toBe(value === 0);
    }
    const tag = answer.headers.get('etag')!;
    const again = await fetch(`${url}/v1/frames/${model}/heatmap?metric=${metric}&format=png`, {
      headers: { 'If-None-Match': tag },
    });
    expect(again.status).toBe(304);
  });

  it('have histories that end with the color of the image', async () => {
    for (const id of [model, capture]) {
      const png = await get(id, 'image');
      const { widthPx, heightPx, rgba } = decodePng(new Uint8Array(await png.arrayBuffer()));
      for (let k = 0; k < 20; k++) {
        const [x, y] = [(k * 31) % widthPx, (k * 17) % heightPx];
        const { events, initial } = await readJson<PixelHistory>(id, `pixels/${x}/${y}`);
        const last = events.at(-1)?.after ?? initial;
        const at = (y * widthPx + x) * 4;
        expect(last.colors[0]?.slice(0, 3)).toEqual([...rgba.subarray(at, at + 3)]);
      }
    }
  });

  it('have draws with costs, and an image after each draw', async () => {
    const { draws, screenPass } = await readJson<{
      screenPass: number;
      draws: readonly ProbedDraw[];
    }>(capture, 'draws');
    const counters = await countersOf(capture);
    const shaded = draws.reduce((sum, { cost }) => sum + cost.fragmentsShaded, 0);
    expect(shaded).toBe(counters['shading.fragmentsShaded']);
    expect(screenPass).toBe(2);
    const last = draws.at(-1)!;
    const read = async (path: string) => {
      const bytes = new Uint8Array(await (await get(capture, path)).arrayBuffer());
      return Buffer.from(decodePng(bytes).rgba).toString('hex');
    };
    const whole = await read('image');
    expect(await read(`image?target=${last.pass}&draw=${last.draw}`)).toBe(whole);
    expect(await read(`image?draw=${last.draw}`)).toBe(whole);
    expect(await read('image?target=0&draw=0')).not.toBe(whole);
  });

  it('have programs whose lines add up to the counter of the report', async () => {
    const { issued, issueCycles, programs } = await readJson<{
      issued: number;
      issueCycles: number;
      programs: readonly ProgramSummary[];
    }>(model, 'shaders');
    const counters = await countersOf(model);
    expect(issued).toBe(counters['shaderCore.warpInstructions']);
    expect(issueCycles).toBe(counters['shaderCore.cyclesBusy']);
    let total = 0;
    for (const { program, draws, stages } of programs) {
      const profile = await readJson<ShaderProfile>(model, `shaders/${program}`);
      expect(profile.stages.map(({ stage }) => stage)).toEqual(stages.map(({ stage }) => stage));
      expect(profile.draw).toBeNull();
      for (const { lines } of profile.stages) for (const line of lines) total += line.issued;
      const [{ pass, draw } = { pass: 0, draw: 0 }] = draws;
      const path = `shaders/${program}?pass=${pass}&draw=${draw}`;
      expect((await readJson<ShaderProfile>(model, path)).draw).toEqual({ pass, draw });
    }
    expect(total).toBe(issued);
    // Without cycle timing the report has no counter, and the profile is as with it.
    const untimed = await readJson<{ issued: number }>(capture, 'shaders');
    expect(untimed.issued).toBeGreaterThan(0);
  });

  it('answer what warps wait for, with sums that equal the counters of the report', async () => {
    const { programs } = await readJson<{ programs: readonly ProgramSummary[] }>(
      model,
      'shaders?waits=true',
    );
    const counters = await countersOf(model);
    const stages = programs.flatMap((program) => program.stages);
    for (const kind of WARP_WAITS) {
      const cycles = stages.reduce((sum, { warpCycles }) => sum + warpCycles![kind], 0);
      expect(cycles, kind).toBe(counters[warpWaitCounterOf(kind)]);
    }
    let operands = 0;
    for (const { program } of programs) {
      const path = `shaders/${program}?waits=true`;
      const profile = await readJson<ShaderProfile>(model, path);
      const lines = profile.stages.flatMap((stage) => stage.lines);
      for (const { waits } of lines) operands += waits!.operands;
      const [plain] = (await readJson<ShaderProfile>(model, `shaders/${program}`)).stages;
      expect(plain!.warpCycles).toBeUndefined();
    }
    expect(operands).toBe(counters['shaderCore.warpCyclesOperands']);
    expect(operands).toBeGreaterThan(0);
  });

  it.each([
    ['a frame there is not', 'nothing', 'draws', 404, 'NOT_FOUND', 'no frame'],
    ['a metric there is not', '', 'heatmap?metric=heat', 400, 'REQUEST_INVALID', 'metric'],
    ['a pass there is not', '', 'heatmap?metric=overdraw&pass=1', 404, 'NOT_FOUND', 'pass 1'],
    [
      'a block of no pixels',
      '',
      'heatmap?metric=overdraw&block=0',
      400,
      'REQUEST_INVALID',
      'block',
    ],
    ['a pixel beside the image', '', 'pixels/67/0', 404, 'NOT_FOUND', '67 × 49 pixels'],
    ['a sample there is not', '', 'pixels/0/0?sample=1', 404, 'NOT_FOUND', 'sample 1'],
    ['a draw there is not', '', 'image?draw=900', 404, 'NOT_FOUND', 'draw 900'],
    [
      'cycles of a functional frame',
      'functional',
      'heatmap?metric=cyclesAttributed',
      400,
      'REQUEST_INVALID',
      'timing=cycle',
    ],
    ['a program there is not', '', 'shaders/9', 404, 'NOT_FOUND', 'no program 9'],
    ['a draw of another program', '', 'shaders/0?draw=900', 404, 'NOT_FOUND', 'draw 900'],
    ['a pass without a draw', '', 'shaders/0?pass=0', 400, 'REQUEST_INVALID', 'draw'],
    ['bins after a draw', '', 'image?draw=0&bins=cost', 400, 'REQUEST_INVALID', 'query.bins'],
  ] as const)('refuse %s', async (_what, id, path, status, code, place) => {
    const frame = { '': model, functional: capture, nothing: 'nothing' }[id];
    const answer = await get(frame, path);
    const problem = (await answer.json()) as { readonly code: string; readonly detail: string };
    expect([answer.status, problem.code]).toEqual([status, code]);
    expect(problem.detail).toContain(place);
  });
});
