/**
 * Frames with `coupling=exact` through real processes: images and reports are those of the library,
 * whatever happens to the workers.
 */
import type { Frame, Report } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { decodeNativeFrame, encodeNativeFrame } from '@tessera/wire/native-frame';
import { describe, expect, it } from 'vitest';
import { runChaos } from '../../scripts/chaos/run-chaos.ts';
import { readPassesFrame } from '../support/passes-capture.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = { widthPx: 128, heightPx: 96 };
const FRAMES: Readonly<Record<string, Frame>> = {
  triangles: randomTrianglesFrame({ ...SIZE, seed: 7, count: 150 }),
  terrain: terrainFrame({ ...SIZE, triangles: 1152, seed: 3 }),
  passes: readPassesFrame(),
};
const BINS = 8;

function withoutWall(report: Report): unknown {
  return JSON.parse(JSON.stringify({ ...report, wall: null }));
}

async function renderInProcess(body: Uint8Array, chipletCount: number): Promise<unknown> {
  const { report } = await new LocalGpu({ chipletCount }).render(decodeNativeFrame(body), {
    timing: 'cycle',
    coupling: 'exact',
    grid: { kind: 'bins', count: BINS },
  });
  return withoutWall(report);
}

async function post(url: string, body: Uint8Array, query: string): Promise<Response> {
  return await fetch(`${url}/v1/frames?coupling=exact&bins=${BINS}&${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.tessera.frame+msgpack', Prefer: 'wait=60' },
    body: new Uint8Array(body),
  });
}

async function reportOf(url: string, answer: Response): Promise<unknown> {
  expect(answer.status, await answer.clone().text()).toBe(200);
  const location = answer.headers.get('Content-Location') ?? answer.headers.get('Location');
  return withoutWall((await (await fetch(`${url}${location}/report`)).json()) as Report);
}

describe('frames with coupling=exact', () => {
  it('have the reports of the library for any number of chiplets', async () => {
    const { url } = await startTestService({ workerCount: 2 });
    for (const [name, frame] of Object.entries(FRAMES)) {
      const body = encodeNativeFrame(frame);
      for (const chiplets of [1, 2, 4, 8]) {
        const report = await reportOf(url, await post(url, body, `chiplets=${chiplets}`));
        expect(report, `${name}, ${chiplets} chiplets`).toEqual(
          await renderInProcess(body, chiplets),
        );
      }
    }
  });

  it('have the results of the library while workers are killed, halted and slowed', async () => {
    const seed = Number(process.env.TESSERA_CHAOS_SEED ?? Math.floor(Math.random() * 1e9));
    const lines: string[] = [];
    const totals = await runChaos({
      seed,
      frameCount: 16,
      clientCount: 3,
      workerCount: 3,
      everyMs: 500,
      longestMs: 1000,
      maxDisturbances: 12,
      frameWithinMs: 120_000,
      hasCapture: false,
      isCoupled: true,
      maxKinds: 16,
      url: null,
      isVerbose: false,
      onLine: (line) => lines.push(line),
    });
    const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
    expect(totals.failures, told).toEqual([]);
    expect(totals.done, told).toBe(16);
    expect(totals.disturbances.size, told).toBeGreaterThan(0);
  }, 120_000);
});
