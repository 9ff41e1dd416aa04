/**
 * Frames with `coupling=exact` through real processes: images and reports are those of the library,
 * whatever happens to the workers.
 */
import type { Frame, Report } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { defineInterconnect, ORGANIZATIONS, parsePlacement } from '@tessera/multi-chiplet';
import { randomTrianglesFrame, terrainFrame } from '@tessera/scenes';
import { decodeNativeFrame, encodeNativeFrame } from '@tessera/wire/native-frame';
import { describe, expect, it } from 'vitest';
import { makeCoupledFrames } from '../../scripts/chaos/coupled-frames.ts';
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
const OPTIONS = {
  timing: 'cycle',
  coupling: 'exact',
  grid: { kind: 'bins', count: BINS },
} as const;

function withoutWall(report: Report): unknown {
  return JSON.parse(JSON.stringify({ ...report, wall: null }));
}

async function renderInProcess(
  body: Uint8Array,
  chipletCount: number,
  options: RenderOptions = {},
): Promise<unknown> {
  const gpu = new LocalGpu({ chipletCount });
  const { report } = await gpu.render(decodeNativeFrame(body), { ...OPTIONS, ...options });
  return withoutWall(report);
}

async function post(url: string, body: Uint8Array, query: string): Promise<Response> {
  const coupling = query.includes('coupling=') ? '' : 'coupling=exact&';
  return await fetch(`${url}/v1/frames?${coupling}bins=${BINS}&${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.tessera.frame+msgpack', Prefer: 'wait=60' },
    body: new Uint8Array(body),
  });
}

async function reportOf(url: string, answer: Response): Promise<unknown> {
  expect(answer.status, await answer.clone().text()).toBe(200);
  const report = await fetch(`${url}${locationOf(answer)}/report`);
  return withoutWall((await report.json()) as Report);
}

function locationOf(answer: Response): string | null {
  return answer.headers.get('Location');
}

describe('frames with coupling=exact', () => {
  it('have the reports of the library for any placement and topology', async () => {
    const { url } = await startTestService({ workerCount: 2 });
    const body = encodeNativeFrame(FRAMES.passes!);
    for (const words of [
      'interleaved',
      'first-touch',
      'home',
      'textures=home,streams=interleaved',
    ]) {
      const report = await reportOf(url, await post(url, body, `chiplets=3&placement=${words}`));
      const placement = parsePlacement(words);
      expect(report, words).toEqual(await renderInProcess(body, 3, { placement }));
      expect(report).toMatchObject({ placement });
    }
    for (const [topology, words] of [
      ['ring', 'replicated'],
      ['mesh', 'home'],
      ['switch', 'targets=kept,framebuffer=interleaved'],
      ['packages', 'replicated'],
    ] as const) {
      const query = `chiplets=6&linkTopology=${topology}&placement=${words}`;
      const report = await reportOf(url, await post(url, body, query));
      const options = {
        interconnect: defineInterconnect({ topology }),
        placement: parsePlacement(words),
      };
      expect(report, query).toEqual(await renderInProcess(body, 6, options));
    }
    for (const [query, message] of [
      ['placement=nowhere', "placement: 'nowhere' is not one of replicated, interleaved"],
      ['placement=home&coupling=none', 'placement: only replicated is possible'],
      ['linkTopology=mesh&coupling=none', "link topology: 'mesh' needs timing cycle"],
    ] as const) {
      const answer = await post(url, body, query);
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)]);
    }
  });

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

  it('have the reports of the library if chiplets share visibility phases', async () => {
    const { url } = await startTestService({ workerCount: 2 });
    const body = encodeNativeFrame(terrainFrame({ ...SIZE, triangles: 5000 }));
    for (const coupling of ['none', 'exact'] as const) {
      const query = `chiplets=4&visibilityChiplets=4&coupling=${coupling}`;
      const answer = await post(url, body, query);
      const report = await reportOf(url, answer);
      const options = { visibilityChiplets: 4, coupling };
      expect(report, coupling).toEqual(await renderInProcess(body, 4, options));
      const measured = await (await fetch(`${url}${locationOf(answer)}/measurement`)).text();
      expect(measured.includes('"visibilityParts"')).toBe(coupling === 'none');
    }
    for (const [query, message] of [
      ['visibilityChiplets=2', 'query.visibilityChiplets: 2 needs query.chiplets'],
      ['visibilityChiplets=5&chiplets=4', 'visibilityChiplets: 5 is not 1 to 4'],
      ['visibilityChiplets=2&chiplets=4&placement=home', 'placement streams=replicated'],
    ] as const) {
      const answer = await post(url, body, query);
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('have the reports of the library for every organization', async () => {
    const { url } = await startTestService({ workerCount: 2 });
    const frame = terrainFrame({ ...SIZE, triangles: 5000 });
    const [pass] = frame.passes;
    const draws = [0, 1].map(() => pass!.draws[0]!);
    const body = encodeNativeFrame({ ...frame, passes: [{ ...pass!, draws }] });
    for (const organization of ORGANIZATIONS) {
      const answer = await post(url, body, `chiplets=3&organization=${organization}&coupling=none`);
      const report = await reportOf(url, answer);
      const options = { organization, coupling: 'none' } as const;
      expect(report, organization).toEqual(await renderInProcess(body, 3, options));
      expect(report).toMatchObject({ organization });
      const measured = await fetch(`${url}${locationOf(answer)}/measurement`);
      expect(measured.status).toBe(organization === 'sort-last' ? 409 : 200);
      await measured.text();
    }
    for (const [query, message] of [
      ['organization=sort-last', 'query.organization: sort-last needs query.chiplets'],
      ['organization=split-frame&chiplets=2&visibilityChiplets=2', 'with visibilityChiplets 1'],
      ['organization=sort-last&chiplets=2&split=1', 'with split 0'],
      ['organization=alternate-frame&placement=home', 'with placement replicated'],
    ] as const) {
      const answer = await post(url, body, query);
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('have the image of the default and the same cycles again if visibility is streamed', async () => {
    const { url } = await startTestService({ workerCount: 2 });
    const body = encodeNativeFrame(terrainFrame({ ...SIZE, triangles: 5000 }));
    const imageOf = async (answer: Response) =>
      Buffer.from(await (await fetch(`${url}${locationOf(answer)}/image`)).arrayBuffer());
    for (const coupling of ['none', 'exact'] as const) {
      const common = `chiplets=4&coupling=${coupling}`;
      const phase = await post(url, body, common);
      const image = await imageOf(phase);
      const { visibility } = (await reportOf(url, phase)) as Report;
      expect(visibility.segments).toBeUndefined();
      for (const visibilityChiplets of [1, 3]) {
        const shares = `visibilityDelivery=stream&visibilityChiplets=${visibilityChiplets}`;
        const query = `${common}&${shares}`;
        const streamed = await post(url, body, query);
        const report = (await reportOf(url, streamed)) as Report;
        const options = { visibilityDelivery: 'stream', visibilityChiplets, coupling } as const;
        expect(report, query).toEqual(await renderInProcess(body, 4, options));
        expect(report.visibility.segments!.count, query).toBeGreaterThanOrEqual(visibilityChiplets);
        expect(Buffer.compare(await imageOf(streamed), image), query).toBe(0);
        // Cycles repeat, also of a frame that is rendered again.
        expect(await reportOf(url, await post(url, body, query)), query).toEqual(report);
        const again = await fetch(`${url}${locationOf(phase)}/again?${shares}`, {
          method: 'POST',
          headers: { Prefer: 'wait=60' },
        });
        expect(again.status).toBe(202);
        const { id } = (await again.json()) as { readonly id: string };
        const events = await fetch(`${url}/v1/frames/${id}/events`);
        await events.text();
        const repeated = await fetch(`${url}/v1/frames/${id}/report`);
        expect(withoutWall((await repeated.json()) as Report), query).toEqual(report);
      }
    }
  });

  it('are refused with a way to share that is unknown or does not fit, which the answer names', async () => {
    const { url } = await startTestService({ workerCount: 1 });
    const body = encodeNativeFrame(FRAMES.triangles!);
    for (const [query, message] of [
      ['organization=pooled', 'query.organization: must be one of binned, split-frame'],
      ['visibilityDelivery=later', 'query.visibilityDelivery: must be one of phase, stream'],
      ['visibilityChiplets=0&chiplets=2', 'query.visibilityChiplets: must be >= 1'],
      ['visibilityChiplets=1025&chiplets=2', 'query.visibilityChiplets: must be <= 1024'],
      ['visibilityChiplets=two&chiplets=2', 'query.visibilityChiplets: must be integer'],
      ['visibilityDelivery=stream&split=1', 'visibilityDelivery: stream is possible only without'],
      [
        'visibilityDelivery=stream&placement=streams=home',
        'visibilityDelivery: stream is possible only with placement streams=replicated',
      ],
      [
        'visibilityDelivery=stream&organization=split-frame',
        'organization: split-frame is possible only with visibilityDelivery phase',
      ],
      [
        'visibilityDelivery=stream&organization=alternate-frame',
        'organization: alternate-frame is possible only with visibilityDelivery phase',
      ],
      [
        'visibilityChiplets=2&chiplets=2&organization=sort-last',
        'organization: sort-last is possible only with visibilityChiplets 1',
      ],
    ] as const) {
      const answer = await post(url, body, query);
      expect([answer.status, await answer.text()], query).toEqual([
        400,
        expect.stringContaining(message),
      ]);
    }
    // The same of a frame that is rendered again, with what it was posted with.
    const posted = await post(url, body, 'chiplets=2&visibilityDelivery=stream');
    const place = locationOf(posted);
    for (const [query, message] of [
      ['organization=split-frame', 'with visibilityDelivery phase'],
      ['split=2', 'visibilityDelivery: stream is possible only without split bins, and split is 2'],
      ['visibilityChiplets=3', 'visibilityChiplets: 3 is not 1 to 2, the number of chiplets'],
    ] as const) {
      const answer = await fetch(`${url}${place}/again?${query}`, { method: 'POST' });
      expect([answer.status, await answer.text()], query).toEqual([
        400,
        expect.stringContaining(message),
      ]);
    }
  });

  it('have the timeline of the library, with the units of each machine', async () => {
    const { url } = await startTestService({ workerCount: 1 });
    const body = encodeNativeFrame(FRAMES.terrain!);
    const answer = await post(url, body, 'chiplets=2');
    const { timeline } = await new LocalGpu({ chipletCount: 2 }).render(
      decodeNativeFrame(body),
      OPTIONS,
    );
    const served = await (await fetch(`${url}${locationOf(answer)}/timeline`)).json();
    expect(served).toEqual(JSON.parse(JSON.stringify(timeline)));
  });

  it('are refused beyond the limits of records and chiplets, which the answer names', async () => {
    const { url } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_RECORD_BYTES: String(2 ** 20) },
    });
    const large = terrainFrame({ widthPx: 640, heightPx: 360, triangles: 20_000 });
    const body = encodeNativeFrame(large);
    const refused = await post(url, body, 'chiplets=2');
    expect(refused.status).toBe(413);
    expect(await refused.text()).toContain('more than 1048576 bytes of records');
    const many = await post(url, body, 'chiplets=257');
    expect(many.status).toBe(413);
    expect(await many.text()).toContain('coupling=exact: 257 chiplets; at most 256');
    // The service renders on.
    const small = await post(url, encodeNativeFrame(FRAMES.triangles!), 'chiplets=2');
    expect(small.status).toBe(200);
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
      // These have every number of chiplets, placement and topology.
      coupled: await makeCoupledFrames(16),
      maxKinds: 16,
      url: null,
      isVerbose: false,
      onLine: (line) => lines.push(line),
    });
    const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
    expect(totals.failures, told).toEqual([]);
    expect(totals.done, told).toBe(16);
    expect(totals.disturbances.size, told).toBeGreaterThan(0);
  }, 240_000);
});
