/**
 * Heat maps, draws and histories of pixels over HTTP for a native frame and for a frame of a WebGL
 * program, on three chiplets that share their memories. Sums over all passes equal the report.
 */
import { join } from 'node:path';
import {
  addCounters,
  type CounterName,
  type Counters,
  type DescribedHeatMap,
  HEAT_METRICS,
  type HeatMetricName,
  type PixelHistory,
  type ProbedDraw,
  type Report,
} from '@tessera/frame';
import { RunningProgram } from '@tessera/webgl/program-runner';
import { encodeNativeFrame } from '@tessera/wire/native-frame';
import { beforeAll, describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { decodePng } from '../support/compare-images.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const PROGRAM = join(import.meta.dirname, '../../packages/webgl/examples/regl-waves.mjs');
const GPU = { chiplets: 3, bins: 6, timing: 'cycle', placement: 'textures=interleaved' } as const;
const METRICS = Object.entries(HEAT_METRICS).filter(([, { counter }]) => counter !== null);
function countersOf({ chiplets }: Report): Counters {
  const counters: Counters = {};
  for (const chiplet of chiplets) addCounters(counters, chiplet.counters);
  return counters;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('pixels of frames from programs', { timeout: 240_000 }, () => {
  let url: string;
  const idBySource: Record<string, string> = {};

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
    idBySource['a native frame'] = await postNativeFrame();
    idBySource['a WebGL frame'] = await drawWebGlFrame();
  }, 120_000);

  async function postNativeFrame(): Promise<string> {
    const query = new URLSearchParams({ ...GPU, chiplets: '3', bins: '6', grid: '3x2' });
    const answer = await fetch(`${url}/v1/frames?${query}`, {
      method: 'POST',
      headers: { Prefer: 'wait=60', 'Content-Type': 'application/vnd.tessera.frame+msgpack' },
      body: new Uint8Array(encodeNativeFrame(await GOLDEN_SCENES['textured-quad']!())),
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return answer.headers.get('location')!.split('/')[3]!;
  }

  /** Returns the id of the last frame that a WebGL program posted. */
  async function drawWebGlFrame(): Promise<string> {
    const backEnd = { kind: 'service', service: { url, parameters: GPU } } as const;
    const size = { widthPx: 160, heightPx: 96 };
    const program = await RunningProgram.start({ path: PROGRAM, ...size, backEnd });
    try {
      await program.drawFrame(1);
      await program.takeFrame();
    } finally {
      program.close();
    }
    const list = await (await fetch(`${url}/v1/frames?limit=1`)).json();
    return (list as { frames: { id: string }[] }).frames[0]!.id;
  }

  async function read<Body>(id: string, path: string): Promise<Body> {
    const answer = await fetch(`${url}/v1/frames/${id}/${path}`);
    expect(answer.status, await answer.clone().text()).toBe(200);
    return (await answer.json()) as Body;
  }

  async function readImage(id: string, path: string) {
    const answer = await fetch(`${url}/v1/frames/${id}/${path}`);
    expect(answer.status).toBe(200);
    return decodePng(new Uint8Array(await answer.arrayBuffer()));
  }

  /** Returns the total of a heat map over all passes. */
  async function totalOf(id: string, { passes }: Report, query: string): Promise<number> {
    let total = 0;
    for (const pass of passes.keys()) {
      const map = await read<DescribedHeatMap>(id, `heatmap?${query}&pass=${pass}`);
      expect(map.values).toHaveLength(map.columns * map.rows);
      expect(sum(map.values)).toBe(map.total);
      total += map.total;
    }
    return total;
  }

  const sources = ['a native frame', 'a WebGL frame'];

  it.each(sources)('heat maps of %s add up to the report', async (source) => {
    const id = idBySource[source]!;
    const report = await read<Report>(id, 'report');
    const counters = countersOf(report);
    const { textureBytes } = report.link.remote!;
    expect(sum(textureBytes.flat())).toBeGreaterThan(0);
    for (const [metric, { counter }] of METRICS as [HeatMetricName, { counter: string }][]) {
      const counted =
        metric === 'remoteBytes'
          ? sum(textureBytes.flat())
          : (counters[counter as CounterName] ?? 0);
      expect(await totalOf(id, report, `metric=${metric}&block=4`), metric).toBe(counted);
    }
    for (const home of report.chiplets.keys()) {
      const total = await totalOf(id, report, `metric=remoteBytes&home=${home}`);
      expect(total, `home ${home}`).toBe(sum(textureBytes.map((row) => row[home]!)));
    }
  });

  it.each(sources)('draws of %s add up to the report, and end with its image', async (source) => {
    const id = idBySource[source]!;
    const counters = countersOf(await read<Report>(id, 'report'));
    const { draws } = await read<{ draws: readonly ProbedDraw[] }>(id, 'draws');
    const costOf = (count: 'fragmentsShaded' | 'fragmentsWritten') =>
      sum(draws.map(({ cost }) => cost[count]));
    expect(costOf('fragmentsShaded')).toBe(counters['shading.fragmentsShaded']);
    expect(costOf('fragmentsWritten')).toBe(counters['output.fragmentsWritten']);
    const last = draws.at(-1)!;
    const after = await readImage(id, `image?target=${last.pass}&draw=${last.draw}`);
    expect(after).toEqual(await readImage(id, 'image'));
  });

  it.each(sources)('histories of %s end with the colors of its image', async (source) => {
    const id = idBySource[source]!;
    const { widthPx, heightPx, rgba } = await readImage(id, 'image');
    let eventCount = 0;
    for (let k = 0; k < 12; k++) {
      const [x, y] = [(k * 31) % widthPx, (k * 17) % heightPx];
      const { events, initial } = await read<PixelHistory>(id, `pixels/${x}/${y}`);
      const at = (y * widthPx + x) * 4;
      const colors = (events.at(-1)?.after ?? initial).colors[0]?.slice(0, 3);
      expect(colors, `${x}, ${y}`).toEqual([...rgba.subarray(at, at + 3)]);
      eventCount += events.length;
    }
    expect(eventCount).toBeGreaterThan(0);
  });

  it.each([
    ['heatmap?metric=overdraw&home=1', 400, 'overdraw has no homes'],
    ['heatmap?metric=remoteBytes&home=3', 404, 'there is no chiplet 3'],
    ['heatmap?metric=remoteBytes&home=-1', 400, 'home'],
  ] as const)('refuses %s', async (path, status, place) => {
    const answer = await fetch(`${url}/v1/frames/${idBySource['a native frame']}/${path}`);
    const { detail } = (await answer.json()) as { readonly detail: string };
    expect([answer.status, detail]).toEqual([status, expect.stringContaining(place)]);
  });
});
